package count_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/perftengine/count"
	"github.com/cosimate/cosimate/vectors/perft"
)

var real = flag.Bool("count.real", false, "count with the real engine, which Yosys takes half a minute for, sound and with a fault")

// stub has the ports of the perft engine. It takes a job as the engine does, works for some cycles
// that follow from the position, and counts the bits of its own pieces plus 1000 times the depth. A
// list has two moves, of the pawns of files a and b. COUNT, DONE and LIST are for faults.
const stub = `
module perftengine (
    input  logic        clk_i, rst_i, job_valid_i, job_divide_i, abort_i, div_ready_i,
    input  logic [3:0]  job_depth_i, job_castling_i,
    input  logic [63:0] job_own_i, job_pawns_i, job_knights_i, job_bishops_i, job_rooks_i, job_queens_i, job_kings_i,
    input  logic [7:0]  job_ep_i,
    output logic        job_ready_o, busy_o, done_o, div_valid_o,
    output logic [63:0] count_o, div_count_o,
    output logic [5:0]  div_from_o, div_to_o,
    output logic [2:0]  div_promotion_o
);
  logic [6:0] left_q;
  logic [1:0] moves_q;
  logic stuck_q;
  assign busy_o = left_q != 0 || moves_q != 0 || stuck_q;
  assign job_ready_o = !busy_o;
  assign div_valid_o = moves_q != 0 && left_q == 0;
  logic a_q, b_q; // the pawns of files a and b are where they were at first
  assign div_from_o = moves_q == 2 ? (a_q ? 6'd8 : 6'd16) : b_q ? 6'd9 : 6'd17;
  assign div_to_o = moves_q == 2 ? (a_q ? 6'd16 : 6'd24) : b_q ? LIST : 6'd25;
  assign div_promotion_o = 0;
  assign div_count_o = 1;
  always_ff @(posedge clk_i) begin
    done_o <= 0;
    if (rst_i || abort_i) begin
      left_q <= 0;
      moves_q <= 0;
      stuck_q <= 0;
    end else if (job_valid_i && job_ready_o) begin
      {a_q, b_q} <= {job_pawns_i[8] & job_own_i[8], job_pawns_i[9] & job_own_i[9]};
      left_q <= 7'd3 + {1'b0, job_pawns_i[15:10]};
      moves_q <= job_divide_i ? 2'd2 : 2'd0;
      count_o <= {58'd0, job_own_i[5:0]} + 64'd1000 * {60'd0, job_depth_i} + COUNT;
      stuck_q <= DONE;
    end else if (left_q != 0) begin
      left_q <= left_q - 1;
      done_o <= left_q == 1 && moves_q == 0;
    end else if (div_valid_o && div_ready_i) begin
      moves_q <= moves_q - 1;
      done_o <= moves_q == 1;
    end
  end
endmodule`

// stubbed puts the stub in the place of the engine. Replacements are pairs of texts.
func stubbed(t *testing.T, replace ...string) {
	t.Helper()
	sound := perftengine.RTL
	t.Cleanup(func() { perftengine.RTL = sound })
	defaults := []string{"COUNT", "64'd0", "DONE", "1'b0", "LIST", "6'd17"}
	text := strings.NewReplacer(append(replace, defaults...)...).Replace(stub)
	perftengine.RTL = bridge.Design{
		Top: "perftengine", Clock: "clk_i", Reset: "rst_i",
		Files: []string{"stub.sv"}, FS: fstest.MapFS{"stub.sv": {Data: []byte(text)}},
	}
}

// stubCount is what the stub counts.
func stubCount(p *engine.Position, depth int) uint64 {
	in := perftengine.Job(p, depth, false)
	return in.JobOwn&63 + 1000*uint64(depth)
}

// Jobs go to lanes as these get free, and each count comes back to its tree.
func TestJobs(t *testing.T) {
	stubbed(t)
	var trees []count.Tree
	for i, p := range perft.Positions() {
		trees = append(trees, count.Tree{Position: p, Depth: i % 4})
	}
	seen := map[int]bool{}
	var leaves, last uint64
	err := count.Trees(t.Context(), trees, count.Options{
		Jobs: 2,
		Tree: func(i int, c count.Count) {
			want := stubCount(&trees[i].Position, trees[i].Depth)
			if seen[i] || c.Nodes != want || c.Wrong != "" || c.Cycles < 4 || len(c.Parts) != 1 || c.Parts[0].Nodes != want {
				t.Errorf("tree %d: %+v, want %d", i, c, want)
			}
			seen[i] = true
			leaves += c.Nodes
		},
		Progress: func(n uint64) { last = n },
	})
	if err != nil || len(seen) != len(trees) || last != leaves {
		t.Errorf("%d of %d trees, %d leaves of %d: %v", len(seen), len(trees), last, leaves, err)
	}
}

// Trees are split by the RTL's lists, parts are known from before, and counts are added up.
func TestSplit(t *testing.T) {
	stubbed(t)
	start := engine.StartPosition()
	for _, c := range []struct {
		depth  int
		divide bool
		paths  string
	}{
		{3, false, ""}, {1, true, "a2a3,b2b3"}, {4, false, "a2a3,b2b3"},
		{5, false, "a2a3 a7a6,a2a3 b7b6,b2b3 a7a6,b2b3 b7b6"},
		{7, false, "a2a3 a7a6,a2a3 b7b6,b2b3 a7a6,b2b3 b7b6"}, // and a ply more is listed
	} {
		kept := map[string]uint64{}
		name := func(path []engine.Move) string {
			var words []string
			for _, m := range path {
				words = append(words, m.String())
			}
			return strings.Join(words, " ")
		}
		for _, again := range []bool{false, true} {
			var got count.Count
			parts := 0
			err := count.Trees(t.Context(), []count.Tree{{Position: start, Depth: c.depth}}, count.Options{
				Divide: c.divide,
				Tree:   func(_ int, c count.Count) { got = c },
				Part: func(_ int, p *count.Part) error {
					parts++
					kept[name(p.Path)] = p.Nodes
					return nil
				},
				Known: func(_ int, path []engine.Move) (uint64, uint64, bool) {
					n, ok := kept[name(path)]
					return n, 0, ok
				},
			})
			if err != nil || got.Wrong != "" {
				t.Fatal(err, got.Wrong)
			}
			var paths []string
			var sum, divided uint64
			for _, p := range got.Parts {
				paths = append(paths, name(p.Path))
				sum += p.Nodes
			}
			for _, m := range got.Divide() {
				divided += m.Nodes
			}
			if strings.Join(paths, ",") != c.paths || got.Nodes != sum || c.paths != "" && divided != sum || parts != len(got.Parts) || got.Nodes == 0 {
				t.Errorf("depth %d, again %v: %q, %d, parts %d, divide %d", c.depth, again, paths, got.Nodes, sum, divided)
			}
		}
	}
}

// What the RTL does that no engine may is said of its tree, and ends it.
func TestWrong(t *testing.T) {
	start := engine.StartPosition()
	for _, c := range []struct {
		name, old, new, why string
		depth               int
	}{
		{"a move that is none", "LIST", "6'd33", "it lists the move b2b5, which is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4},
		{"no end", "DONE", "job_depth_i == 2", "depth 2 of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 is not done after ", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			stubbed(t, c.old, c.new)
			var got []count.Count
			// The tree after it is counted in any case.
			err := count.Trees(t.Context(), []count.Tree{{Position: start, Depth: c.depth}, {Position: start, Depth: 3}}, count.Options{
				Tree: func(_ int, c count.Count) { got = append(got, c) },
			})
			if err != nil || len(got) != 2 {
				t.Fatal(got, err)
			}
			if !slices.ContainsFunc(got, func(g count.Count) bool { return strings.HasPrefix(g.Wrong, c.why) }) ||
				!slices.ContainsFunc(got, func(g count.Count) bool { return g.Wrong == "" && g.Nodes == stubCount(&start, 3) }) {
				t.Error(got)
			}
		})
	}
}

// What ends a count: no job, a cancelled context, the error of a function.
func TestEnds(t *testing.T) {
	stubbed(t)
	tree := []count.Tree{{Position: engine.StartPosition(), Depth: 7}}
	if err := count.Trees(t.Context(), []count.Tree{{Position: tree[0].Position, Depth: 16}}, count.Options{}); err == nil || !strings.Contains(err.Error(), "depth 16") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("that is enough")
	err := count.Trees(ctx, tree, count.Options{Jobs: 3, Progress: func(uint64) { cancel(stop) }})
	if !errors.Is(err, stop) {
		t.Error(err)
	}
	full := errors.New("the disk is full")
	if err := count.Trees(t.Context(), tree, count.Options{Jobs: 2, Part: func(int, *count.Part) error { return full }}); !errors.Is(err, full) {
		t.Error(err)
	}
}

// The real engine counts what is published, and one with a fault is found out.
func TestReal(t *testing.T) {
	if !*real {
		t.Skip("takes a minute of Yosys: -count.real")
	}
	var trees []count.Tree
	for _, e := range perft.Suites() {
		trees = append(trees, count.Tree{Position: e.Position, Depth: 3})
	}
	explained := func(t *testing.T) (text string) {
		var wrong *count.Count
		at := 0
		err := count.Trees(t.Context(), trees, count.Options{Jobs: 2, Tree: func(i int, c count.Count) {
			if want := engine.Perft(&trees[i].Position, 3); wrong == nil && (c.Wrong != "" || c.Nodes != want) {
				wrong, at = &c, i
			}
		}})
		if err != nil || wrong == nil {
			return ""
		}
		text, tree, err := count.Explain(t.Context(), trees[at], wrong, engine.Perft(&trees[at].Position, 3))
		if err != nil || tree.Depth > 3 {
			t.Error(tree, err)
		}
		return text
	}
	if text := explained(t); text != "" {
		t.Error(text)
	}
	sound := perftengine.RTL
	defer func() { perftengine.RTL = sound }()
	for _, c := range []struct{ file, old, new string }{
		{"movegen_safety.sv", "king_to_q <= ~attacked & ~own", "king_to_q <= ~own"},
		{"perftengine.sv", "job_ep & {8{accept}}", "8'd0"},
	} {
		perftengine.RTL = fault.Plant(t, sound, c.file, c.old, c.new)
		text := explained(t)
		for _, want := range []string{"the hardware perft engine in lanes counts ", "In Verilator the hardware perft engine counts "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s for %s: the report lacks %q:\n%s", c.new, c.old, want, text)
			}
		}
		t.Log(text)
	}
}
