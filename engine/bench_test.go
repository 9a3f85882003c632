//go:build linux

package engine_test

import (
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"golang.org/x/sys/unix"
	"gonum.org/v1/gonum/stat"
)

// BenchmarkPerftVsStockfish compares the CPU time of perft, one thread, no hash
// table, with that of Stockfish's "go perft" at the same depth of the six
// well-known positions. It says how many times faster each of ours is:
//
//	plain-x    PerftPlain: recursion with the last ply counted
//	batched-x  Perft: with sibling batching, a better algorithm that Stockfish's
//	           perft does not have; the ratio says nothing of languages
//
// All take turns, and of all turns (-benchtime 5x makes five) the least time
// counts, for whatever else the machine does can only add to it. Stockfish's
// start is taken off its time. All must find the same number of nodes.
func BenchmarkPerftVsStockfish(b *testing.B) {
	stockfish, err := exec.LookPath("stockfish")
	if err != nil {
		// Where Debian puts it; root's PATH does not go there.
		if stockfish, err = exec.LookPath("/usr/games/stockfish"); err != nil {
			b.Fatal("stockfish is not installed; install it with: sudo apt-get install stockfish")
		}
	}
	var plains, batches []float64
	for _, c := range wellKnown {
		b.Run(fmt.Sprintf("%s/depth=%d", c.name, c.depth), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			p := parse(b, c.fen)
			start, theirs, plain, batched := math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
			for b.Loop() {
				start = min(start, stockfishPerft(b, stockfish, c.fen, 1, 0))
				theirs = min(theirs, stockfishPerft(b, stockfish, c.fen, c.depth, c.nodes))
				plain = min(plain, ourPerft(b, engine.PerftPlain, p, c.depth, c.nodes))
				batched = min(batched, ourPerft(b, engine.Perft, p, c.depth, c.nodes))
			}
			theirs -= start
			plains, batches = append(plains, theirs/plain), append(batches, theirs/batched)
			report(b, theirs/plain, theirs/batched)
			b.ReportMetric(theirs, "stockfish-s")
			b.ReportMetric(plain, "plain-s")
			b.ReportMetric(batched, "batched-s")
		})
	}
	if len(plains) == len(wellKnown) { // not with a -bench that leaves some out
		b.Run("geometric mean", func(b *testing.B) {
			report(b, stat.GeometricMean(plains, nil), stat.GeometricMean(batches, nil))
		})
	}
}

// report gives the ratios in place of the time per turn, which says nothing.
func report(b *testing.B, plain, batched float64) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(plain, "plain-x")
	b.ReportMetric(batched, "batched-x")
}

// ourPerft returns the CPU seconds that perft takes, and checks its count.
func ourPerft(b *testing.B, perft func(*engine.Position, int) uint64, p engine.Position, depth int, nodes uint64) float64 {
	start := threadTime(b)
	if got := perft(&p, depth); got != nodes {
		b.Fatalf("%s depth %d: %d nodes, want %d", p.FEN(), depth, got, nodes)
	}
	return (threadTime(b) - start).Seconds()
}

// threadTime returns the CPU time of the calling thread.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

var nodesSearched = regexp.MustCompile(`Nodes searched: (\d+)`)

// stockfishPerft returns the CPU seconds of a Stockfish process, its start
// included, and checks its count unless nodes is 0.
func stockfishPerft(b *testing.B, path, fen string, depth int, nodes uint64) float64 {
	cmd := exec.Command(path)
	cmd.Stdin = strings.NewReader(fmt.Sprintf("position fen %s\ngo perft %d\nquit\n", fen, depth))
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", path, err)
	}
	found := nodesSearched.FindSubmatch(out)
	if found == nil || nodes != 0 && string(found[1]) != strconv.FormatUint(nodes, 10) {
		b.Fatalf("%s: stockfish's perft %d is not %d; it printed:\n%s", fen, depth, nodes, out)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}
