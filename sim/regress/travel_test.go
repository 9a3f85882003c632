package regress_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/sim/regress"
)

// The models that a run needs travel with it, those of a line of one seed, too: a worker on a
// machine without simulators, compiler and the cache finds the same with Verilator. Where a tool is
// missing, it says which, for which line, and what to do.
func TestModelsTravel(t *testing.T) {
	root, out := stranger(t), t.TempDir()
	// Compiling the models ahead, a test that takes for ever without one is ended, and those after
	// it are not.
	was := regress.Idle(3 * time.Second)
	t.Cleanup(func() { regress.Idle(was) })
	slow := `package fifo

import (
	"os"
	"testing"
	"time"
)

func TestAll(t *testing.T) {
	if os.Getenv("COSIMATE_COMPILE") == "only" {
		time.Sleep(time.Hour)
	}
}
`
	if err := os.WriteFile(filepath.Join(root, "fifo", "all_test.go"), []byte(slow), 0o666); err != nil {
		t.Fatal(err)
	}
	const plan = `test ./sum -sim.only=verilator seeds=1..150
test ./fifo -sim.only=verilator name=once
test ./sum -sim.only=icarus seeds=1..2 name=icarus
command name=version verilator --version
`
	here := prepare(t, plan, regress.Options{Root: root, Out: out, Jobs: 2, Away: true})
	if err := here.Local(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	res, _, err := here.Result(t.Context())
	if err != nil || len(res.Buckets) == 0 || res.Failed != res.Jobs[0].Failed {
		t.Fatalf("%v: no bucket, or a line fails that should not:\n%s", err, res.Text())
	}
	cache, err := cachedir.Path()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"run.json", "models/pack.json"} { // the cache is not there
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := strings.ReplaceAll(string(text), `"Cache":"`+cache, `"Cache":"/nowhere`)
		if elsewhere == string(text) {
			t.Fatalf("the cache %s is not in %s", cache, name)
		}
		if err := os.WriteFile(filepath.Join(out, name), []byte(elsewhere), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for k := range here.Count() {
		if err := os.Remove(filepath.Join(out, "results", string(rune('0'+k))+".json")); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("COSIMATE_CACHE", "/nowhere")
	t.Setenv("CXX", "clang++") // as another site has it
	node, err := regress.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Local(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	there, _, err := here.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if diff := cmp.Diff(res.Jobs[i], there.Jobs[i]); diff != "" {
			t.Errorf("(-here +there)\n%s\n%s", diff, there.Text())
		}
	}
	for i, want := range map[int]string{
		2: "line 3 of the plan: vvp is not installed where it ran; it runs the models of Icarus: install it on all nodes",
		3: "line 4 of the plan: verilator is not installed where it ran; a command uses what is installed where it runs",
	} {
		if there.Jobs[i].Failed != there.Jobs[i].Units || !strings.Contains(there.Text(), want) {
			t.Errorf("%q is not in\n%s", want, there.Text())
		}
	}
}
