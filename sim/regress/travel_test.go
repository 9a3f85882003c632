package regress_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/sim/regress"
)

// The models that a run needs travel with it: a worker on a machine without simulators, compiler and the
// cache finds the same with Verilator. For Icarus it says what is missing.
func TestModelsTravel(t *testing.T) {
	root, out := stranger(t), t.TempDir()
	const plan = "test ./sum -sim.only=verilator seeds=1..150\ntest ./sum -sim.only=icarus seeds=1..2 name=icarus"
	here := prepare(t, plan, regress.Options{Root: root, Out: out, Jobs: 2})
	if err := here.Local(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	res, _, err := here.Result(t.Context())
	if err != nil || len(res.Buckets) == 0 || res.Jobs[1].Failed > 0 {
		t.Fatalf("%v: no bucket, or Icarus fails:\n%s", err, res.Text())
	}
	cache, err := cachedir.Path()
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile(filepath.Join(out, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := strings.ReplaceAll(string(state), `"`+cache+`"`, `"/nowhere"`)
	if elsewhere == string(state) {
		t.Fatalf("the cache %s is not in run.json", cache)
	}
	if err := os.WriteFile(filepath.Join(out, "run.json"), []byte(elsewhere), 0o666); err != nil {
		t.Fatal(err)
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
	if diff := cmp.Diff(res.Jobs[0], there.Jobs[0]); diff != "" {
		t.Errorf("(-here +there)\n%s\n%s", diff, there.Text())
	}
	if there.Jobs[1].Failed != 2 || !strings.Contains(there.Text(), "vvp is not installed") {
		t.Errorf("without vvp:\n%s", there.Text())
	}
}
