package main

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/internal/regresstest"
	"github.com/cosimate/cosimate/sim/regress"
)

// waitingTest is a test that takes processor time and waits, both as flags say.
const waitingTest = `package plain

import (
	"crypto/sha256"
	"flag"
	"testing"
	"time"
)

var (
	n    = flag.Int("n", 0, "")
	work = flag.Int("work", 0, "how many KiB are hashed")
	wait = flag.Duration("wait", 0, "")
)

func TestN(t *testing.T) {
	var block [1024]byte
	block[0] = byte(*n)
	for range *work {
		sum := sha256.Sum256(block[:])
		copy(block[:], sum[:])
	}
	time.Sleep(*wait)
}
`

// spent returns the processor time of this process, and of all that it has started or adopted and
// that have ended.
func spent(b *testing.B) (own, children time.Duration) {
	for { // Slurm's daemons are orphans, and their tasks
		if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != nil || pid == 0 {
			break
		}
	}
	var u [2]syscall.Rusage
	if err := errors.Join(syscall.Getrusage(syscall.RUSAGE_SELF, &u[0]), syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u[1])); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u[0].Utime.Nano() + u[0].Stime.Nano()), time.Duration(u[1].Utime.Nano() + u[1].Stime.Nano())
}

// BenchmarkRegressSlurm compares seeds on a Slurm of two nodes, in shards of 30 s, with the same
// seeds in one process: the processor time of all, that of Slurm's daemons and of the waiting
// command with it, for seeds that calculate; and the wall time, half of that of one process being
// ideal, for seeds that wait, so that other work on the machine counts less.
func BenchmarkRegressSlurm(b *testing.B) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		b.Fatal(err)
	}
	dir := regresstest.Module(b, map[string]string{"plain/plain_test.go": waitingTest})
	measure := func(seeds int, flags ...string) (processor, wall float64, shards int) {
		out := b.TempDir()
		plan, err := regress.ParsePlan("p", "test ./plain -n=$seed seeds=1.."+strconv.Itoa(seeds)+" "+strings.Join(flags, " "), time.Now())
		if err != nil {
			b.Fatal(err)
		}
		run, err := regress.Prepare(b.Context(), plan, regress.Options{Root: dir, Out: out, Jobs: 1, Log: b.Logf})
		if err != nil {
			b.Fatal(err)
		}
		defer run.Close()
		alone := func() (processor, wall time.Duration) {
			_, before := spent(b)
			began := time.Now()
			regresstest.Alone(b, out, filepath.Join(dir, "plain"), seeds, `"n":"$seed"`, flags...)
			wall = time.Since(began)
			_, after := spent(b)
			return after - before, wall
		}
		// What Slurm takes to start and to end is not of the run.
		_, before := spent(b)
		_, stop := startCluster(b)
		stop()
		_, after := spent(b)
		idle := after - before
		alone1, wall1 := alone()
		_, stop = startCluster(b)
		own, _ := spent(b)
		before = after + alone1
		began := time.Now()
		if err := run.Slurm(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		ownAfter, _ := spent(b)
		stop()
		_, after = spent(b)
		slurm := ownAfter - own + after - before - idle
		alone2, wall2 := alone()
		b.Logf("%v: %d shards; alone %v and %v of processor time, %v and %v; on Slurm %v (of it the command %v), %v; an idle Slurm %v",
			flags, run.Count(), alone1, alone2, wall1, wall2, slurm, ownAfter-own, took, idle)
		return float64(slurm) / (float64(alone1+alone2) / 2), float64(took) / (float64(wall1+wall2) / 4), run.Count()
	}
	for b.Loop() {
		processor, _, n := measure(24_000, "-work=1500")
		b.ReportMetric(processor, "processor/alone")
		b.ReportMetric(float64(n), "shards")
		_, wall, n := measure(11_900, "-wait=10ms")
		b.ReportMetric(wall, "wall/ideal")
		b.ReportMetric(float64(n), "shards-that-wait")
	}
	b.ReportMetric(0, "ns/op")
}
