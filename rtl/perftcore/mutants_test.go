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

// mutants are faults that the testbench must find, and say what was done: one register or field in
// place of another, which is no single change. Single ones are found, all of them: see
// docs/mutants/perftcore.md. These are in perftcore_registers.sv. (Those of core_position are with
// the core, those of the engine with the engine.)
var mutants = []struct{ rule, old, new string }{
	{"whose moves they are stays with the job", "root_from_i ^ {{3{job_black_o}}, 3'd0}", "root_from_i ^ {{3{black_q}}, 3'd0}"},
	{"en passant is handed over", "job_ep_o <= write_data_i[perftcore_regs_pkg::PositionEnPassant +: 8]", "job_ep_o <= write_data_i[7:0]"},
	{"the bus waits for the position", "loading_q <= load_start_o | (loading_q & ~job_valid_o)", "loading_q <= load_start_o | (loading_q & ~load_done_i)"},
	{"a root move is taken with its count", "(read_address_i == perftcore_regs_pkg::RootCountHigh);", "(read_address_i == perftcore_regs_pkg::RootMove);"},
	{"the count's high half", "CountHigh: read_data_o = count_i[63:32];", "CountHigh: read_data_o = count_i[31:0];"},
	{"the end interrupts", "(3'(done_i) << perftcore_regs_pkg::InterruptsDone)", "(3'(done_i & job_divide_o) << perftcore_regs_pkg::InterruptsDone)"},
	{"a root move interrupts as long as it waits", "(3'(root_valid_i) << perftcore_regs_pkg::InterruptsRoot)", "(3'(root_valid_i & ~status[1]) << perftcore_regs_pkg::InterruptsRoot)"},
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
