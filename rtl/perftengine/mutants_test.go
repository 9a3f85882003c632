package perftengine_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// mutants are faults that the testbench must find, one that a designer might make for each rule.
// Those of the analysis and of making moves are with movegen and game. The report must say message.
var mutants = []struct {
	rule, file, old, new, message string
}{
	// The job.
	{"depth 0 counts the position itself", "perftengine.sv", "one_q <= accept ? job_depth_i == 4'd0 :", "one_q <= accept ? 1'b0 :", "divide 0 under way"},
	{"depth 1 counts its moves", "perftengine.sv", "(job_depth_i == 4'd1) & ~job_divide_i\n", "1'b0\n", "> count_o"},
	{"divide 1 lists them", "perftengine.sv", "((job_depth_i == 4'd1) & job_divide_i)", "1'b0", "divide 1 under way"},
	{"divide 1 counts each once", "perftengine.sv", "beat_go & beat_count & (depth_q == 4'd1)", "1'b0", "divide 1 under way"},
	{"and not its replies", "perftengine.sv", "beat_go & beat_count & (depth_q != 4'd1)", "beat_go & beat_count", "divide 1 under way"},
	{"with two plies the root's moves are not stacked", "perftengine.sv", "ParentRem = 4'd2", "ParentRem = 4'd1", "> "},
	{"a job is taken when there is none", "perftengine.sv", "job_ready_o = state_q == Idle", "job_ready_o = state_q != Walk", "> job_ready_o"},
	{"a new job counts from zero", "perftengine_sum.sv", "if (rst_i | start_i) total_o", "if (rst_i) total_o", "> count_o"},
	{"the opponent's rights are his", "perftengine.sv", "{job_castling[1:0], job_castling[3:2], 8'd0}", "{job_castling, 8'd0}", "> count_o"},
	{"the root's en passant is taken", "perftengine.sv", "job_ep & {8{accept}}", "8'd0", "> count_o"},
	{"by the root alone", "perftengine.sv", "job_ep & {8{accept}}", "job_ep", "> count_o"},
	{"it is done when all is counted", "perftengine.sv", "(state_q == Drain) & ended & ~div_valid_o", "(state_q == Drain) & ~div_valid_o", "> busy_o"},
	{"and handed over", "perftengine.sv", "(state_q == Drain) & ended & ~div_valid_o", "(state_q == Drain) & ended", "> busy_o"},
	{"done is said once", "perftengine.sv", "done_o <= finish", "done_o <= finish | done_o", "> done_o"},
	{"the end waits for the stack", "perftengine.sv", "nodes_empty & ~make_node_q & entry_empty", "nodes_empty & ~make_node_q", "> "},
	{"and for the lister", "perftengine.sv", "nodes_empty & ~make_node_q & entry_empty", "~make_node_q & entry_empty", "> "},
	{"and for what is being made", "perftengine.sv", "nodes_empty & ~make_node_q & entry_empty", "nodes_empty & entry_empty", "> "},
	{"the end of one job is not that of the next", "perftengine.sv", "if (clear | accept) ended_q", "if (clear) ended_q", "> busy_o"},
	// Abort and reset.
	{"abort ends a job", "perftengine.sv", "clear = rst_i | abort_i", "clear = rst_i", "> job_ready_o"},
	{"nothing is taken with an abort", "perftengine.sv", "(state_q == Idle) & ~clear;", "(state_q == Idle);", "> "},
	{"abort empties the stack", "perftengine_stack.sv", "      height_q <= '0;\n      valid_q", "      valid_q", "> "},
	{"abort empties the lister", "perftengine_lister.sv", "      valid7_q <= 1'b0;\n", "      valid7_q <= valid7_q;\n", "> "},
	{"abort empties the pipeline", "perftengine_delay.sv", "if (clear_i) line_q[i] <= '0;\n      else line_q", "line_q", "> count_o"},
	{"abort forgets the root moves", "perftengine_sum.sv", "clear_i(clear_i),\n    .put_i", "clear_i(1'b0),\n    .put_i", "> div_valid_o"},
	{"abort gives the marks back", "perftengine.sv", "credit_q <= 5'(DivideMoves);", "credit_q <= rst_i ? 5'(DivideMoves) : credit_q;", "> "},
	{"reset sets the count to zero", "perftengine_sum.sv", "if (rst_i | start_i) total_o", "if (start_i) total_o", "> count_o"},
	// The walk.
	{"siblings come before cousins", "perftengine_stack.sv", "listing_q ? (list_rem_q == 4'd3) & (height_q != base_q) : height_q", "height_q", "> count_o"},
	{"only parents are taken from a growing list", "perftengine_stack.sv", "(list_rem_q == 4'd3) & (height_q != base_q)", "(height_q != base_q)", "> count_o"},
	{"they are taken from it", "perftengine_stack.sv", "(list_rem_q == 4'd3) & (height_q != base_q)", "1'b0", "> count_o"},
	{"nothing is taken after a move whose replies are stacked", "perftengine_stack.sv", "(entry_take_i & ~entry_listed_o)", "entry_take_i", "> count_o"},
	{"a move that comes takes the place of one that goes", "perftengine_stack.sv", "place = pop ? top : height_q", "place = height_q", "> count_o"},
	{"a list that ends is over", "perftengine_stack.sv", "else if (push_end_i) listing_q", "else if (push_i) listing_q", "> "},
	{"a position with few plies to go is a parent", "perftengine_stack.sv", "entry_listed_o = entry_rem_o > 4'd3", "entry_listed_o = entry_rem_o > 4'd2", "> "},
	{"moves are made in the position of their ply", "perftengine.sv", "place = entry_take ? {1'b0, entry_rem}", "place = entry_take ? {1'b0, depth_q}", "> count_o"},
	{"a promotion is made from the stack too", "perftengine.sv", "entry_take ? {~entry_move[1], entry_move[1:0]}", "entry_take ? 3'd5", "> "},
	{"one position at a time goes to the lister", "perftengine.sv", "entry_valid & ~node_busy_q &", "entry_valid &", "> count_o"},
	{"a position from the stack goes first", "perftengine.sv", "(~beat_slot | (~entry_take & ", "(~beat_slot | (", "> count_o"},
	{"parents do not share a place", "perftengine.sv", "if (node_put) parent_q <= parent_q + 1'b1", "if (node_put) parent_q <= parent_q", "> count_o"},
	// The list.
	{"a destination's origins come one by one", "perftengine_lister.sv", "rest8_q <= rest8_q & ~lowest8", "rest8_q <= rest8_q", "> "},
	{"all of them", "perftengine_lister.sv", "done8 = send8 & ~more8_q & ~again8", "done8 = send8 & ~again8", "> "},
	{"a promotion comes four times", "perftengine_lister.sv", "promotes8_q & (turn8_q != 2'd3)", "promotes8_q & (turn8_q != 2'd2)", "> "},
	{"the last of them ends it", "perftengine_lister.sv", "more8_q <= movegen_pkg::two_or_more(rest8_q)", "more8_q <= 1'b1", "> "},
	{"each promotes or not", "perftengine_lister.sv", "promotes8_q <= |(lowest8[55:48] & promoters8_q)", "promotes8_q <= promotes8_q", "> "},
	{"only pawns promote", "perftengine_lister.sv", "~code1_i[55:48] & ~code2_i[55:48]", "~code1_i[55:48]", "> "},
	{"castling is a move of the list", "perftengine_lister.sv", "castling6_q <= castling4_q", "castling6_q <= 2'd0", "> "},
	{"a position stays until it is copied", "perftengine_lister.sv", "take_o = valid5_q & fresh5_q & load6", "take_o = load5", "> "},
	{"it is listed once", "perftengine_lister.sv", "(done5 & ~fresh5_q)", "done5", "> "},
	{"no move is said so", "perftengine_lister.sv", "none7_q <= ~(|to6_q)", "none7_q <= 1'b0", "> "},
	// Root moves.
	{"root moves are marked if asked for", "perftengine.sv", "beat_mark = divide_q & (", "beat_mark = (", "> div_valid_o"},
	{"a root move is marked where its list begins", "perftengine.sv", "node_root & beat_first_q", "node_root & beat_last", "> "},
	{"it is the root's move", "perftengine.sv", "put_root = entry_take & (entry_rem == depth_q)", "put_root = entry_take", "> div_"},
	{"its promotion is said", "perftengine.sv", "make_promotion_q & {3{promotes}}", "3'd0", "> div_promotion_o"},
	{"only if it is one", "perftengine.sv", "make_promotion_q & {3{promotes}}", "make_promotion_q", "> div_promotion_o"},
	{"marks wait for the queue", "perftengine.sv", "(~beat_mark | (credit_q != 5'd0))", "1'b1", "> "},
	{"a root move handed over makes room", "perftengine.sv", "+ {4'd0, div_valid_o & div_ready_i}", "", "> "},
	{"the last one comes too", "perftengine_sum.sv", "open_q & (mark_i | end_i)", "open_q & mark_i", "> div_valid_o"},
	{"each counts from zero", "perftengine_sum.sv", "(mark_i ? 64'd0 : count_q)", "count_q", "> div_count_o"},
	{"a root move stays until it is taken", "perftengine_sum.sv", "div_valid_o & div_ready_i", "div_valid_o", "> div_"},
}

// mutantInputs show every mutant: jobs at the ends of what there can be, and of every shape of
// tree, first alone, then with aborts and resets and a receiver that is often busy.
func mutantInputs(t testing.TB) []perftengine.In {
	ask := func(fen string, depth int, divide bool) job { return job{parse(t, fen), depth, divide} }
	queen := "1n6/P1PQ4/8/8/8/8/5K1k/8 w - - 0 1"
	promotion, ep := "8/1P6/8/8/8/8/5K1k/8 w - - 0 1", "8/8/8/8/k1pP4/8/8/K7 b - d3 0 1"
	castling := "r3k3/p7/P7/8/8/7p/7P/4K2R b Kq - 0 1"
	jobs := []job{
		ask(oneMove, 1, true), ask(oneMove, 1, false), ask(mate, 0, true), ask(oneMove, 0, false), ask(stale, 1, true),
		ask(mate, 3, true), ask(oneMove, 2, true), ask(oneMove, 3, true), ask(ep, 3, false), ask(ep, 2, false), ask(castling, 2, true),
		ask(promotion, 3, true), ask(queen, 2, true), ask(narrow[1], 5, false), ask(narrow[0], 5, true), ask(kiwi, 2, true), ask(oneMove, 4, false),
	}
	// Always the same stimulus: that it shows all mutants is not left to chance.
	r := rand.New(rand.NewPCG(1, 300))
	in, _ := bench{r: r}.stimulus(jobs)
	refused := perftengine.Job(&jobs[0].position, 2, true)
	refused.Abort = true
	in = append(in, refused)
	slices.Reverse(jobs)
	for _, b := range []bench{{busy: 0.9, gap: 0.9}, {busy: 0.5, gap: 0.5, aborts: 0.05}, {busy: 0.5, gap: 0.5, resets: 0.05, aborts: 0.01}} {
		in = append(in, perftengine.In{Abort: true})
		b.r = r
		more, _ := b.stimulus(jobs)
		in = append(in, more...)
	}
	return in
}

// Each mutant is found, and the report says where to look.
func TestMutants(t *testing.T) {
	in := mutantInputs(t)
	t.Logf("%d cycles", len(in))
	run := func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[perftengine.In, perftengine.Out](t, design, sim.Icarus)
		return sim.Compare(d, perftengine.NewModel(), slices.Values(in))
	}
	t.Run("without fault", func(t *testing.T) {
		t.Parallel()
		if err := run(t, perftengine.Design); err != nil {
			t.Fatal(err)
		}
	})
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			err := run(t, fault.Plant(t, perftengine.Design, m.file, m.old, m.new))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, m.message) {
				t.Errorf("the report does not say %q:\n%s", m.message, report)
			}
		})
	}
}
