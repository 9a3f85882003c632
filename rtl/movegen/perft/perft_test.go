package perft_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/sim"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func position(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func Example() {
	start := engine.StartPosition()
	c := perft.Case{Position: start, Depth: 3, Published: new(uint64(8902))}
	ctx := context.Background()
	reference, err := perft.Reference(ctx, c, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := perft.Run(ctx, sim.Verilator, []perft.Case{c}, perft.Options{Jobs: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	verdict, why := perft.Judge(c, reference, results[0])
	fmt.Println(results[0].Nodes, results[0].Positions, verdict, why)
	// Output: 8902 421 pass
}

// forEach runs a subtest for each simulator.
func forEach(t *testing.T, body func(t *testing.T, s sim.Simulator)) {
	for _, s := range sim.Simulators {
		t.Run(string(s), func(t *testing.T) { body(t, s) })
	}
}

// Every root move has the reference's count, in both simulators, alone or shared
// among instances, and what is promised of progress holds.
func TestAgreement(t *testing.T) {
	cases := []perft.Case{
		{Position: engine.StartPosition(), Depth: 2, Published: new(uint64(400))},
		{Position: position(t, kiwipete), Depth: 2, Published: new(uint64(2039))},
		{Position: position(t, kiwipete), Depth: 1, Published: new(uint64(48))},
		// stalemate
		{Position: position(t, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Depth: 3, Published: new(uint64(0))},
		// shared out by replies
		{Position: position(t, "8/8/8/8/8/8/8/K1k5 w - - 0 1"), Depth: 5, Published: new(uint64(288))},
	}
	forEach(t, func(t *testing.T, s sim.Simulator) {
		for _, jobs := range []int{1, 3} {
			var nodes, cycles uint64
			results, err := perft.Run(t.Context(), s, cases, perft.Options{Jobs: jobs, Progress: func(n, c uint64) {
				if n < nodes || c <= cycles {
					t.Errorf("progress went from %d, %d to %d, %d", nodes, cycles, n, c)
				}
				nodes, cycles = n, c
			}})
			if err != nil {
				t.Fatal(err)
			}
			sum := uint64(0)
			for i, c := range cases {
				reference, err := perft.Reference(t.Context(), c, 1)
				if err != nil {
					t.Fatal(err)
				}
				got := results[i]
				if verdict, why := perft.Judge(c, reference, got); verdict != perft.Pass {
					t.Errorf("case %d: %s: %s", i, verdict, why)
				}
				if diff := cmp.Diff(reference.Divide, got.Divide); diff != "" {
					t.Errorf("case %d: divide of the reference and of the RTL:\n%s", i, diff)
				}
				if got.Positions == 0 || got.Cycles == 0 || got.Time <= 0 {
					t.Errorf("case %d: %d positions, %d cycles, %v", i, got.Positions, got.Cycles, got.Time)
				}
				sum += got.Nodes
			}
			if nodes != sum {
				t.Errorf("the last progress has %d nodes, the results have %d", nodes, sum)
			}
		}
	})
}

// The positions that go through the RTL are those of all inner nodes.
func TestPositions(t *testing.T) {
	results, err := perft.Run(t.Context(), sim.Verilator, []perft.Case{{Position: engine.StartPosition(), Depth: 4}}, perft.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := results[0].Positions, uint64(1+20+400+8902); got != want {
		t.Errorf("%d positions went through the RTL, not %d", got, want)
	}
	if got, want := results[0].Nodes, uint64(197281); got != want {
		t.Errorf("%d nodes, not %d", got, want)
	}
}

// behind is texts for withFault that put an expression of what the lister gives,
// called inner, in place of one of its outputs.
func behind(output string, width int, expression string) []string {
	return []string{
		"movegen_list u_list (", fmt.Sprintf("logic [%d:0] inner; assign %s = %s;\nmovegen_list u_list (", width-1, output, expression),
		"." + output + "(" + output + ")", "." + output + "(inner)",
	}
}

// declaring puts declarations before the first text that replaces another.
func declaring(declarations string, texts []string) []string {
	texts[1] = declarations + "\n" + texts[1]
	return texts
}

// withFault is the design with texts replaced in its files: old, new, old, new.
func withFault(t testing.TB, texts ...string) sim.Design {
	t.Helper()
	d := movegen.Design
	files := fstest.MapFS{}
	for _, name := range d.Files {
		b, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: b}
	}
	for i := 0; i < len(texts); i += 2 {
		planted := false
		for _, f := range files {
			text := strings.ReplaceAll(string(f.Data), texts[i], texts[i+1])
			planted = planted || text != string(f.Data)
			f.Data = []byte(text)
		}
		if !planted {
			t.Fatalf("no file of the RTL has the text %q", texts[i])
		}
	}
	d.FS = files
	return d
}

// knightFault has knights go nowhere two files to the east in the list and the count, or find the
// way back in the list.
var knightFault = []string{"((from << 2) & NotFilesAB)", "64'h0", "(knights_i << 2) & movegen_pkg::NotFilesAB", "64'h0"}

// Reports name the position, and the move or the cycle and port.
func TestMutants(t *testing.T) {
	for _, f := range []struct {
		name  string
		texts []string // see withFault
		fen   string
		depth int
		want  []string // parts of the report
		both  bool     // on both simulators: a build of Verilator takes its time
	}{
		{
			name: "knight mask", texts: knightFault,
			fen: "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", depth: 1, both: true,
			want: []string{"  4k3/8/8/8/3N4/8/8/4K3 w - - 0 1\n", "  missing: d4b3 (knight), d4b5 (knight), d4f3 (knight), d4f5 (knight)\n", "the reference has 13", "> count_o"},
		},
		{
			name: "castling through an attacked square", texts: []string{"& ~(|attacked[6:4])", ""},
			fen: "4k3/r7/8/8/8/8/8/4K2R b K - 0 1", depth: 2,
			want: []string{"  which is 4k3/r7/8/8/8/8/8/4K2R b K - 0 1\n  moves a7", "  surplus: e1g1 (king, castling king side)\n"},
		},
		{
			name: "en passant pin on the rank", texts: []string{" & ~bared", ""},
			fen: "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", depth: 2,
			want: []string{"moves e2e4", "  surplus: d4e3 (pawn takes pawn, en passant)\n", "given to the RTL alone: "},
		},
		{
			name: "promotion to the wrong piece", texts: behind("move_promotion_o", 3, "inner == 3 ? 3'd5 : inner"),
			fen: "8/P7/8/8/8/8/8/K1k5 w - - 0 1", depth: 1,
			want: []string{"  missing: a7a8b (pawn)\n", "  surplus: a7a8q (pawn)\n", "> move_promotion_o"},
		},
		{
			name: "captured piece lost", texts: behind("move_captured_o", 3, "3'd0"),
			fen: "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", depth: 1,
			want: []string{"  wrong:   e4d5: captured is no piece, not knight\n", "> move_captured_o"},
		},
		{
			name: "castling sides swapped", texts: behind("move_castling_o", 2, "{inner[0], inner[1]}"),
			fen: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", depth: 1,
			want: []string{"  wrong:   e1c1: castling is king side, not queen side\n", "> move_castling_o"},
		},
		{
			name: "count too narrow", texts: []string{"count_o <= count_d;", "count_o <= {3'b0, count_d[4:0]};"},
			fen: kiwipete, depth: 1,
			want: []string{"48 moves listed, count_o is 16", "count and list differ: 16 and 48", "> count_o"},
		},
		{
			name: "check not told", texts: []string{"count_check_o <= check5_q", "count_check_o <= 1'b0"},
			fen: "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", depth: 1,
			want: []string{"count_check_o is false, but in check is true"},
		},
		{
			name: "never ready", texts: []string{"assign pos_ready_o = advance & ~again1_q;", "assign pos_ready_o = 1'b0;"},
			fen: kiwipete, depth: 1,
			want: []string{"pos_ready_o was not 1 in any of the 256 cycles from 3 on", "given to the RTL alone: 0 moves listed, count_o is 48", "8 counts for one position", "> pos_ready_o"},
		},
		{
			name: "list without an end", texts: behind("move_last_o", 1, "1'b0"),
			fen: kiwipete, depth: 1,
			want: []string{"move_last_o did not come within 1024 cycles", "after 48 beats", "> move_last_o"},
		},
		{
			name: "beats after the end", texts: behind("move_last_o", 1, "1'b1"),
			fen: kiwipete, depth: 1,
			want: []string{"47 beats come after the one with move_last_o", "> move_last_o"},
		},
		{
			name: "no reset", texts: []string{"count_valid_o <= 1'b0;", ""},
			fen: kiwipete, depth: 1,
			want: []string{"count_valid_o is X or Z in cycle 3", "> count_valid_o"},
		},
		{
			name: "state that a position leaves behind",
			texts: declaring("logic [9:0] moves_q; always_ff @(posedge clk_i) if (rst_i) moves_q <= 0; else if (move_valid_o) moves_q <= moves_q + 1;",
				behind("move_piece_o", 3, "inner ^ {3{moves_q > 200}}")),
			fen: kiwipete, depth: 2,
			want: []string{"given to the RTL alone, it is answered rightly", "also in the RTL then: ", "> move_piece_o"},
		},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := perft.Case{Position: position(t, f.fen), Depth: f.depth}
			good := perft.Case{Position: position(t, "8/8/8/8/8/8/8/K1k5 w - - 0 1"), Depth: 1}
			for _, s := range sim.Simulators {
				if s == sim.Verilator && !f.both {
					continue
				}
				results, err := perft.Run(t.Context(), s, []perft.Case{c, good}, perft.Options{Design: withFault(t, f.texts...), Jobs: 2})
				if err != nil {
					t.Fatal(err)
				}
				verdict, why := perft.Judge(c, perft.Result{}, results[0])
				if verdict != perft.Differs || results[0].Complete {
					t.Fatalf("%s: the verdict is %s, complete %v", s, verdict, results[0].Complete)
				}
				for _, part := range append(f.want, "RTL and reference differ on "+string(s), "\ncycle ", "again: cosimate perft --sim "+string(s)) {
					if !strings.Contains(why, part) {
						t.Errorf("%s: the report lacks %q:\n%s", s, part, why)
					}
				}
			}
		})
	}
}

// A difference in one case does not keep the others from being walked, unless as
// many as asked for have failed.
func TestMutantsAmongMany(t *testing.T) {
	d := withFault(t, knightFault...)
	knight := perft.Case{Position: position(t, "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"), Depth: 3}
	pawn := perft.Case{Position: position(t, "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1"), Depth: 3}
	cases := []perft.Case{pawn, knight, pawn, knight, pawn, knight, pawn}
	for _, jobs := range []int{1, 2} {
		results, err := perft.Run(t.Context(), sim.Verilator, cases, perft.Options{Design: d, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			reference, err := perft.Reference(t.Context(), cases[i], 1)
			if err != nil {
				t.Fatal(err)
			}
			want := perft.Pass
			if i%2 == 1 {
				want = perft.Differs
			}
			if got, why := perft.Judge(cases[i], reference, r); got != want {
				t.Errorf("case %d of %d jobs: %s, not %s: %s", i, jobs, got, want, why)
			}
		}
	}
	results, err := perft.Run(t.Context(), sim.Verilator, cases, perft.Options{Design: d, MaxFaults: 2})
	if err != nil {
		t.Fatal(err)
	}
	faults := 0
	for _, r := range results {
		if r.Fault != nil {
			faults++
		}
	}
	if faults != 2 || results[6].Complete {
		t.Errorf("%d faults of at most 2; the last case is complete: %v", faults, results[6].Complete)
	}
}

// A published count that is wrong is told from a fault.
func TestPublished(t *testing.T) {
	c := perft.Case{Position: engine.StartPosition(), Depth: 2, Published: new(uint64(401))}
	reference, err := perft.Reference(t.Context(), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	results, err := perft.Run(t.Context(), sim.Verilator, []perft.Case{c}, perft.Options{})
	if err != nil {
		t.Fatal(err)
	}
	verdict, why := perft.Judge(c, reference, results[0])
	if verdict != perft.Published || !strings.Contains(why, "published count 401 at depth 2 differs from RTL and reference, which agree on 400") {
		t.Errorf("%s: %s", verdict, why)
	}
	if !verdict.Failed() {
		t.Errorf("%s is not a failure", verdict)
	}
	results[0].Nodes++ // as if the RTL had counted otherwise
	results[0].Divide[3].Nodes++
	if verdict, why = perft.Judge(c, reference, results[0]); verdict != perft.Differs || !strings.Contains(why, "b1c3: RTL 21, reference 20") {
		t.Errorf("%s: %s", verdict, why)
	}
}

func TestBadDepth(t *testing.T) {
	for _, depth := range []int{0, -1, perft.MaxDepth + 1} {
		c := perft.Case{Position: engine.StartPosition(), Depth: depth}
		if _, err := perft.Run(t.Context(), sim.Verilator, []perft.Case{c}, perft.Options{}); err == nil {
			t.Errorf("Run accepts depth %d", depth)
		}
		if _, err := perft.Reference(t.Context(), c, 1); err == nil {
			t.Errorf("Reference accepts depth %d", depth)
		}
	}
}

// vvps are the vvp processes that this one has started.
func vvps() (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		b, err := os.ReadFile(stat)
		if err != nil {
			continue // it has just ended
		}
		var pid, parent int
		var name, state string
		if n, _ := fmt.Sscanf(string(b), "%d %s %s %d", &pid, &name, &state, &parent); n == 4 && parent == os.Getpid() && name == "(vvp)" {
			pids = append(pids, pid)
		}
	}
	return pids
}

// leaves checks that f leaves no goroutine and no vvp.
func leaves(t *testing.T, f func()) {
	t.Helper()
	before := runtime.NumGoroutine()
	f()
	for range 100 {
		if runtime.NumGoroutine() <= before && len(vvps()) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after; processes %v", before, runtime.NumGoroutine(), vvps())
}

// Cancellation is quick, and gives what was known.
func TestCancellation(t *testing.T) {
	cause := errors.New("enough")
	c := perft.Case{Position: engine.StartPosition(), Depth: 6}
	forEach(t, func(t *testing.T, s sim.Simulator) {
		if _, err := perft.Run(t.Context(), s, []perft.Case{{Position: c.Position, Depth: 1}}, perft.Options{}); err != nil {
			t.Fatal(err) // builds what is not built yet
		}
		leaves(t, func() {
			ctx, cancel := context.WithCancelCause(t.Context())
			var cancelled time.Time
			var begun sync.Once // some nodes are known, then, however slow the machine
			results, err := perft.Run(ctx, s, []perft.Case{c, c}, perft.Options{Jobs: 2, Progress: func(nodes, _ uint64) {
				if nodes > 0 {
					begun.Do(func() {
						time.AfterFunc(time.Second, func() {
							cancelled = time.Now()
							cancel(cause)
						})
					})
				}
			}})
			if took := time.Since(cancelled); took > time.Second {
				t.Errorf("it took %v to end", took)
			}
			if !errors.Is(err, cause) {
				t.Errorf("the error is %v", err)
			}
			if len(results) != 2 || results[0].Nodes == 0 || results[0].Complete || results[1].Positions != 0 {
				t.Errorf("the results are %+v", results)
			}
			if verdict, _ := perft.Judge(c, perft.Result{}, results[0]); verdict != perft.Unfinished {
				t.Errorf("the verdict is %s", verdict)
			}
			if verdict, _ := perft.Judge(c, perft.Result{}, results[1]); verdict != perft.NotRun {
				t.Errorf("the verdict is %s", verdict)
			}
			if _, err := perft.Reference(ctx, c, 1); !errors.Is(err, cause) {
				t.Errorf("the reference gives %v", err)
			}
		})
	})
}

// A vvp that is killed ends the run with its story, and what was known.
func TestKilled(t *testing.T) {
	leaves(t, func() {
		c := perft.Case{Position: engine.StartPosition(), Depth: 6}
		killed := false
		results, err := perft.Run(t.Context(), sim.Icarus, []perft.Case{c}, perft.Options{Jobs: 2, Progress: func(nodes, _ uint64) {
			if nodes > 0 && !killed { // something is known then
				killed = true
				syscall.Kill(vvps()[0], syscall.SIGKILL)
			}
		}})
		if err == nil || !strings.Contains(err.Error(), "vvp died (signal: killed) after cycle ") {
			t.Errorf("the error is %v", err)
		}
		if results[0].Nodes == 0 || results[0].Complete {
			t.Errorf("the result is %+v", results[0])
		}
	})
}

// BenchmarkRun walks a position of the middle game and reports leaves and cycles a
// second, on one instance.
func BenchmarkRun(b *testing.B) {
	for _, s := range sim.Simulators {
		b.Run(string(s), func(b *testing.B) {
			c := perft.Case{Position: position(b, kiwipete), Depth: 2}
			if s == sim.Verilator {
				c.Depth = 4
			}
			nodes, cycles := uint64(0), uint64(0)
			for b.Loop() {
				results, err := perft.Run(b.Context(), s, []perft.Case{c}, perft.Options{})
				if err != nil {
					b.Fatal(err)
				}
				nodes += results[0].Nodes
				cycles += results[0].Cycles
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
