package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/internal/modelpack"
)

// An entry of a pack is found where its tool is not installed, or is another. What the pack has not
// is an error without the tool, and with another tool an entry of its own.
func TestPack(t *testing.T) {
	cache, pack, used, tools := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "used"), t.TempDir()
	t.Setenv(cachedir.Env, cache)
	t.Setenv("PATH", tools)
	install := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(tools, "simulator"), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	model := func(what string) (dir string, made bool, err error) {
		tool, err := Find("simulator", "simulators")
		if err != nil {
			return "", false, err
		}
		dir, err = Entry(t.Context(), "model", NewKey("k").MadeBy(tool).Add("tool", tool.ID).Add("what", what), []string{"f"}, func(_ context.Context, dir string) error {
			made = true
			return WriteFile(dir, "f", []byte(what))
		})
		return dir, made, err
	}
	install("one")
	t.Setenv(modelpack.Env, used)
	before, _, err := model("a")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(modelpack.Env, "")
	if packed, err := modelpack.Write(used, cache, pack); err != nil || !packed {
		t.Fatal(packed, err)
	}
	t.Setenv(modelpack.PackEnv, pack)
	install("another")
	dir, made, err := model("a")
	if err != nil || made || Home(dir) != before {
		t.Errorf("a from the pack: %v, made %v, %s was made as %s, not %s", err, made, dir, Home(dir), before)
	}
	theirs, made, err := model("b")
	if err != nil || !made || Home(theirs) != theirs {
		t.Errorf("b: %v, made %v, %s was made as %s", err, made, theirs, Home(theirs))
	}
	if err := os.Remove(filepath.Join(tools, "simulator")); err != nil {
		t.Fatal(err)
	}
	if _, made, err = model("a"); err != nil || made {
		t.Errorf("a without the tool: %v, made %v", err, made)
	}
	if _, _, err = model("b"); !errors.As(err, new(*MissingToolError)) {
		t.Errorf("b without the tool: %v", err)
	}
	t.Setenv(modelpack.PackEnv, "")
	install("one")
	if dir, _, err = model("b"); err != nil || dir == theirs {
		t.Errorf("b of one tool is that of another: %s (%v)", dir, err)
	}
	t.Setenv(cachedir.Env, t.TempDir()) // a cache of a test's own
	t.Setenv(modelpack.PackEnv, pack)
	if _, made, err = model("a"); err != nil || !made {
		t.Errorf("a in another cache: %v, made %v", err, made)
	}
}

// Where models are compiled and nothing else, none may start.
func TestMayStart(t *testing.T) {
	for value, want := range map[string]error{"": nil, "never": nil, "only": ErrBuilt} {
		t.Setenv(CompileEnv, value)
		if err := MayStart(); err != want {
			t.Errorf("%s=%s: %v, not %v", CompileEnv, value, err, want)
		}
	}
}
