package sim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const cachedTest = `package m

import (
	"io/fs"
	"os"
	"testing"
)

func Test(t *testing.T) {
	os.Getenv("COSIMATE_TOOLS")
	if _, err := fs.ReadFile(os.DirFS("."), "m.sv"); err != nil {
		t.Fatal(err)
	}
}
`

// go test answers "(cached)" until a file changes that the test has read through os.DirFS, or the
// variable with the identity of the simulators.
func TestGoTestSeesFilesAndTools(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour) // go test keeps no result of a test that has read new files
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n")
	write("m_test.go", cachedTest)
	write("m.sv", "module m; endmodule\n")
	tools := "one"
	cached := func() bool {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "COSIMATE_TOOLS="+tools, "GOFLAGS=", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Contains(string(out), "(cached)")
	}
	for _, step := range []struct {
		what   string
		change func()
		cached bool
	}{
		{"the first run", func() {}, false},
		{"nothing has changed", func() {}, true},
		{"another file", func() { write("m.sv", "module m; wire w; endmodule\n") }, false},
		{"nothing has changed since", func() {}, true},
		{"other tools", func() { tools = "two" }, false},
	} {
		step.change()
		if got := cached(); got != step.cached {
			t.Errorf("%s: answered from the cache: %v", step.what, got)
		}
	}
}
