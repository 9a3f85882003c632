package perftcore_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/sim"
)

// mutants are faults that the testbench must find, one that a designer might make for each rule.
// All are in perftcore_registers.sv. (Those of core_position are with the core, those of the engine
// with the engine.)
var mutants = []struct{ rule, old, new string }{
	{"no job beside another", "assign load_start_o = write_start & ~busy_i;", "assign load_start_o = write_start;"},
	{"that is an error", "assign refused = write_start & busy_i;", "assign refused = 1'b0;"},
	{"an error can be cleared", "else if (write_error) reason_q", "else if (write_error & write_start) reason_q"},
	{"rights go with their side", "job_black_o ? {castling_q[1:0], castling_q[3:2]} : castling_q", "castling_q"},
	{"whose moves they are stays with the job", "root_from_i ^ {{3{job_black_o}}, 3'd0}", "root_from_i ^ {{3{black_q}}, 3'd0}"},
	{"root moves are those of the board", "assign root_to = root_to_i ^ {{3{job_black_o}}, 3'd0};", "assign root_to = root_to_i;"},
	{"en passant is handed over", "job_ep_o <= write_data_i[perftcore_regs_pkg::PositionEnPassant +: 8]", "job_ep_o <= write_data_i[7:0]"},
	{"the bus waits for the position", "loading_q <= load_start_o | (loading_q & ~job_valid_o)", "loading_q <= load_start_o | (loading_q & ~load_done_i)"},
	{"so do reads", "assign read_ready_o = ~loading_q;", "assign read_ready_o = 1'b1;"},
	{"depth is the job's", "StartDepth +: 4];", "StartDepth +: 4] | 4'd1;"},
	{"root moves on demand", "job_divide_o <= write_data_i[perftcore_regs_pkg::StartDivide]", "job_divide_o <= 1'b1"},
	{"abort ends the job", "abort_o <= write_abort;", "abort_o <= 1'b0;"},
	{"cycles are counted", "{63'd0, job_valid_o | busy_i}", "{63'd0, busy_i}"},
	{"from the job's beginning", "if (load_start_o) cycles_q <= '0;\n      else cycles_q", "cycles_q"},
	{"a root move is taken with its count", "(read_address_i == perftcore_regs_pkg::RootCountHigh);", "(read_address_i == perftcore_regs_pkg::RootMove);"},
	{"and only once", "root_take_o <= ~rst_i & read_i & root_valid_i", "root_take_o <= ~rst_i & root_valid_i"},
	{"without a root move there is nothing to be read", "read_data_o = root_word & {32{root_valid_i}}", "read_data_o = root_word"},
	{"nor a count", "root_count_i[31:0] & {32{root_valid_i}}", "root_count_i[31:0]"},
	{"the count's high half", "CountHigh: read_data_o = count_i[63:32];", "CountHigh: read_data_o = count_i[31:0];"},
	{"the end interrupts", "(3'(done_i) << perftcore_regs_pkg::InterruptsDone)", "(3'(done_i & job_divide_o) << perftcore_regs_pkg::InterruptsDone)"},
	{"a root move interrupts as long as it waits", "(3'(root_valid_i) << perftcore_regs_pkg::InterruptsRoot)", "(3'(root_valid_i & ~status[1]) << perftcore_regs_pkg::InterruptsRoot)"},
	{"a write to where nothing is, is an error", "write_error_o = ~at_board;", "write_error_o = 1'b0;"},
	{"a read where nothing is, is an error", "default: read_error_o = 1'b1;", "default: read_error_o = 1'b0;"},
	{"reset ends loading", "      loading_q <= 1'b0;\n", ""},
}

// Each mutant is found, and the report says what was done.
func TestMutants(t *testing.T) {
	var tapes [][]perftcore.In // always the same: that they show all mutants is not left to chance
	for n, p := range []pace{{0, 0, 0.001}, {0.5, 0.3, 0.001}} {
		s := newSoftware(t, rand.New(rand.NewPCG(1, uint64(n))), p)
		tapes = append(tapes, s.run(4000))
		if err := s.model.Err(); err != nil {
			t.Fatal(err)
		}
	}
	run := func(t *testing.T, design sim.Design) error {
		for _, tape := range tapes {
			d := sim.OpenTest[perftcore.In, perftcore.Out](t, design, sim.Icarus)
			if err := sim.Compare(d, perftcore.NewModel(), slices.Values(tape)); err != nil {
				return err
			}
		}
		return nil
	}
	t.Run("without fault", func(t *testing.T) {
		t.Parallel()
		if err := run(t, perftcore.Design); err != nil {
			t.Fatal(err)
		}
	})
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			err := run(t, fault.Plant(t, perftcore.Design, "perftcore_registers.sv", m.old, m.new))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, "what was done last") {
				t.Errorf("the report does not say what was done:\n%s", report)
			}
		})
	}
}
