package count_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/perftengine/count"
	"github.com/cosimate/cosimate/vectors/perft"
)

// BenchmarkCountVsStockfish sets the RTL in 512 lanes beside Stockfish's "go perft": the first 3
// 000 of the random golden positions to depth 4, in processor time of one core each.
//
//	rtl-Mnodes/s        leaves that the RTL counts
//	stockfish-Mnodes/s  leaves that Stockfish counts
//	x-stockfish         the one through the other
//	busy-%              of the lanes' cycles, those with a job
//
// Each runs once a turn, and of all turns the least time counts. Making the model is not counted.
func BenchmarkCountVsStockfish(b *testing.B) {
	const positions, depth = 3000, 4
	stockfish, err := exec.LookPath("stockfish")
	if err != nil {
		// Where Debian puts it; root's PATH does not go there.
		if stockfish, err = exec.LookPath("/usr/games/stockfish"); err != nil {
			b.Fatal("stockfish is not installed; install it with: sudo apt-get install stockfish")
		}
	}
	var trees []count.Tree
	var want []uint64
	var commands strings.Builder
	for _, e := range perft.Random() {
		i := slices.IndexFunc(e.Counts, func(c engine.DepthCount) bool { return c.Depth == depth })
		if i < 0 || len(trees) == positions {
			continue
		}
		trees = append(trees, count.Tree{Position: e.Position, Depth: depth})
		want = append(want, e.Counts[i].Nodes)
		fmt.Fprintf(&commands, "position fen %s\ngo perft %d\n", e.FEN, depth)
	}
	commands.WriteString("quit\n")
	start := engine.StartPosition()
	if err := count.Trees(b.Context(), []count.Tree{{Position: start, Depth: 1}}, count.Options{}); err != nil {
		b.Fatal(err)
	}
	var nodes uint64
	ours, theirs := time.Duration(1<<62), time.Duration(1<<62)
	for b.Loop() {
		nodes = 0
		begin := cpuTime()
		err := count.Trees(b.Context(), trees, count.Options{Tree: func(i int, c count.Count) {
			if nodes += c.Nodes; c.Nodes != want[i] {
				b.Errorf("perft %d is %d, want %d: %s", depth, c.Nodes, want[i], trees[i].Position.FEN())
			}
		}})
		ours = min(ours, cpuTime()-begin)
		if err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(stockfish)
		cmd.Stdin = strings.NewReader(commands.String())
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		for i, answer := range bytes.Split(out, []byte("Nodes searched: "))[1:] {
			if !strings.HasPrefix(string(answer), fmt.Sprintf("%d\n", want[i])) {
				b.Fatalf("stockfish's perft %d of %s is not %d", depth, trees[i].Position.FEN(), want[i])
			}
		}
		theirs = min(theirs, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(nodes)/ours.Seconds()/1e6, "rtl-Mnodes/s")
	b.ReportMetric(float64(nodes)/theirs.Seconds()/1e6, "stockfish-Mnodes/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-stockfish")
}

// cpuTime is the processor time of this process.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
