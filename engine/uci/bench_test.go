//go:build linux

package uci

import (
	"math"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

// searchBench searches the positions of bench to a depth, and returns the nodes.
func searchBench(b *testing.B, threads, depth int) (nodes uint64) {
	e, err := search.New(search.Options{Features: search.AllFeatures, Hash: defaultHash << 20, Threads: threads})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for _, fen := range benchPositions {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			b.Fatal(err)
		}
		e.Clear()
		r, err := e.Search(b.Context(), search.Game{Start: p}, search.Limits{Depth: depth}, nil)
		if err != nil {
			b.Fatal(err)
		}
		nodes += r.Nodes
	}
	return nodes
}

// BenchmarkSearchVsStockfish compares nodes per second of CPU time with those of Stockfish's own
// bench, one thread each. Nodes are counted alike, at each move made, but the positions are not the
// same. Both take turns, and of all turns (-benchtime 5x makes five) the fastest counts.
func BenchmarkSearchVsStockfish(b *testing.B) {
	stockfish, err := exec.LookPath("stockfish")
	if err != nil {
		// Where Debian puts it; root's PATH does not go there.
		if stockfish, err = exec.LookPath("/usr/games/stockfish"); err != nil {
			b.Fatal("stockfish is not installed; install it with: sudo apt-get install stockfish")
		}
	}
	printed := regexp.MustCompile(`Nodes searched *: (\d+)`)
	cpu := func() time.Duration {
		var t unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
			b.Fatal(err)
		}
		return time.Duration(t.Nano())
	}
	ours, theirs := 0.0, 0.0
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), stockfish, "bench")
		out, err := cmd.CombinedOutput()
		found := printed.FindSubmatch(out)
		if err != nil || found == nil {
			b.Fatalf("%v: %v; it printed:\n%s", cmd, err, out)
		}
		nodes, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			b.Fatal(err)
		}
		theirs = max(theirs, nodes/(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()).Seconds())
		began := cpu()
		n := searchBench(b, 1, 13)
		ours = max(ours, float64(n)/(cpu()-began).Seconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ours/theirs, "of-stockfish")
	b.ReportMetric(ours/1e6, "our-Mnodes/s")
	b.ReportMetric(theirs/1e6, "stockfish-Mnodes/s")
}

// BenchmarkThreads says how many times as fast two threads reach a depth as one does, in time on
// the clock. They take turns, and of all turns the fastest counts.
func BenchmarkThreads(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("there is one processor only")
	}
	times := map[int]float64{1: math.Inf(1), 2: math.Inf(1)}
	for b.Loop() {
		for threads := range times {
			began := time.Now()
			searchBench(b, threads, 14)
			times[threads] = min(times[threads], time.Since(began).Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(times[1]/times[2], "one-to-two")
	b.ReportMetric(times[1], "one-s")
	b.ReportMetric(times[2], "two-s")
}

// BenchmarkStop measures how long after it is told to stop a search has its answer, at the worst of
// all turns.
func BenchmarkStop(b *testing.B) {
	e, err := search.New(search.Options{Features: search.AllFeatures, Hash: defaultHash << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	var worst time.Duration
	for i := 0; b.Loop(); i++ {
		p, err := engine.ParseFEN(benchPositions[i%len(benchPositions)])
		if err != nil {
			b.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := e.Search(b.Context(), search.Game{Start: p}, search.Limits{}, nil)
			done <- err
		}()
		time.Sleep(50 * time.Millisecond) // it is deep in its tree
		began := time.Now()
		e.Stop()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		worst = max(worst, time.Since(began))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}
