package regress_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/cosimate/cosimate/internal/modelpack"
	"github.com/cosimate/cosimate/internal/regresstest"
	"github.com/cosimate/cosimate/sim/regress"
)

// stranger makes a module of somebody else's, with two designs, their tests and a vector.
func stranger(t testing.TB) (root string) {
	t.Helper()
	root = t.TempDir()
	err := os.CopyFS(root, os.DirFS("testdata/stranger"))
	here, err2 := filepath.Abs("../..")
	mod, err3 := os.ReadFile("../../go.mod")
	sum, err4 := os.ReadFile("../../go.sum")
	text := regexp.MustCompile(`(?m)^(module|tool) .*$`).ReplaceAllString(string(mod), "")
	text = "module stranger\n" + text + "\nrequire github.com/cosimate/cosimate v0.0.0\nreplace github.com/cosimate/cosimate => " + here + "\n"
	err = errors.Join(err, err2, err3, err4, os.WriteFile(filepath.Join(root, "go.mod"), []byte(text), 0o666), os.WriteFile(filepath.Join(root, "go.sum"), sum, 0o666))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	return root
}

// used returns the processor time of all processes that have ended that this one has started.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOverhead compares the processor time of 10 000 seeds of a small block in shards with
// that of the same tests in one process. Both run in turns, twenty times, and take the model from
// the run's folder, which is quicker than from the cache. The medians are compared: what else the
// machine does changes single times by a third.
func BenchmarkOverhead(b *testing.B) {
	root, out := stranger(b), b.TempDir()
	const rounds, seeds = 10, 10_000 / 20
	plan, err := regress.ParsePlan("p", "test ./sum seeds=1.."+strconv.Itoa(seeds)+" -sim.only=verilator", time.Now())
	if err != nil {
		b.Fatal(err)
	}
	run, err := regress.Prepare(b.Context(), plan, regress.Options{Root: root, Out: out, Jobs: 1, Log: b.Logf})
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	b.Setenv("COSIMATE_COMPILE", "never")
	b.Setenv(modelpack.PackEnv, filepath.Join(out, "models"))
	one := func() time.Duration {
		before := used(b)
		regresstest.Alone(b, out, filepath.Join(root, "sum"), seeds, "", "-sim.only=verilator", "-sim.failures="+filepath.Join(b.TempDir(), "failures"))
		return used(b) - before
	}
	// What it takes is that of the tests' processes, and that of the worker, which is this process.
	shard := func() (tests, worker time.Duration) {
		var own, ended syscall.Rusage
		before := used(b)
		err := errors.Join(os.RemoveAll(filepath.Join(out, "results")), os.Mkdir(filepath.Join(out, "results"), 0o777),
			syscall.Getrusage(syscall.RUSAGE_SELF, &own), run.Local(b.Context(), 1), syscall.Getrusage(syscall.RUSAGE_SELF, &ended))
		if err != nil {
			b.Fatal(err)
		}
		return used(b) - before, time.Duration(ended.Utime.Nano() + ended.Stime.Nano() - own.Utime.Nano() - own.Stime.Nano())
	}
	var alone, sharded, mine []time.Duration
	for b.Loop() {
		for range rounds {
			alone = append(alone, one())
			for range 2 {
				tests, worker := shard()
				sharded = append(sharded, tests+worker)
				mine = append(mine, worker)
			}
			alone = append(alone, one())
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2-1] + all[len(all)/2])
	}
	b.ReportMetric(median(sharded)/median(alone), "sharded/alone")
	b.ReportMetric(median(mine)/median(alone), "worker/alone")
	b.ReportMetric(0, "ns/op")
}
