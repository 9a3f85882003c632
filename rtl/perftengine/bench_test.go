//go:build linux

package perftengine_test

import (
	"fmt"
	"math"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/sim"
)

// BenchmarkPerftVsStockfish sets the simulated engine beside Stockfish's "go perft" on the same
// positions and depths, in CPU time of one core each:
//
//	rtl-Mnodes/s        leaves that the RTL counts in Verilator, driven from Go
//	stockfish-Mnodes/s  leaves that Stockfish counts
//	x-stockfish         the one through the other
//	cycles/position     clocks for each position whose moves are counted
//	Mcycles/s           of the simulation
//
// Both take turns, and of all turns the least time counts; Stockfish's start is taken off.
func BenchmarkPerftVsStockfish(b *testing.B) {
	stockfish, err := exec.LookPath("stockfish")
	if err != nil {
		// Where Debian puts it; root's PATH does not go there.
		if stockfish, err = exec.LookPath("/usr/games/stockfish"); err != nil {
			b.Fatal("stockfish is not installed; install it with: sudo apt-get install stockfish")
		}
	}
	for _, c := range []struct {
		name, fen string
		depth     int
	}{
		{"start", start, 6},
		{"kiwipete", kiwi, 5},
	} {
		b.Run(fmt.Sprintf("%s/depth=%d", c.name, c.depth), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			e := open(b, sim.Verilator)
			p := parse(b, c.fen)
			nodes, counted := published(b, c.fen, c.depth), published(b, c.fen, c.depth-1)
			ours, theirs, starts := math.Inf(1), math.Inf(1), math.Inf(1)
			var cycles uint64
			for b.Loop() {
				starts = min(starts, perftOf(b, stockfish, c.fen, 1, 0))
				theirs = min(theirs, perftOf(b, stockfish, c.fen, c.depth, nodes))
				begin := threadTime(b)
				r, err := e.Run(b.Context(), &p, c.depth, false)
				if err != nil {
					b.Fatal(err)
				}
				ours = min(ours, (threadTime(b) - begin).Seconds())
				if r.Nodes != nodes {
					b.Fatalf("perft %d is %d, want %d", c.depth, r.Nodes, nodes)
				}
				cycles = r.Cycles
			}
			theirs -= starts
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(nodes)/ours/1e6, "rtl-Mnodes/s")
			b.ReportMetric(float64(nodes)/theirs/1e6, "stockfish-Mnodes/s")
			b.ReportMetric(theirs/ours, "x-stockfish")
			b.ReportMetric(float64(cycles)/float64(counted), "cycles/position")
			b.ReportMetric(float64(cycles)/ours/1e6, "Mcycles/s")
		})
	}
}

// threadTime returns the CPU time of the calling thread, in which Verilator's models run.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// perftOf returns the CPU seconds of a Stockfish process, its start included, and checks its count
// unless nodes is 0.
func perftOf(b *testing.B, stockfish, fen string, depth int, nodes uint64) float64 {
	cmd := exec.Command(stockfish)
	cmd.Stdin = strings.NewReader(fmt.Sprintf("position fen %s\ngo perft %d\nquit\n", fen, depth))
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", stockfish, err)
	}
	if want := fmt.Sprintf("Nodes searched: %d\n", nodes); nodes != 0 && !strings.Contains(string(out), want) {
		b.Fatalf("%s: stockfish's perft %d is not %d; it printed:\n%s", fen, depth, nodes, out)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}
