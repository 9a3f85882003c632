package core_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

// mutants are faults that the testbench must find: something in place of something else, which no
// single change of the netlist is. Of those none is missed: see docs/mutants/core.md. The report
// must name the port.
var mutants = []struct{ rule, file, old, new, port string }{
	{"the bus waits for a load", "core_registers.sv", "loading_q <= write_load | (loading_q & ~load_done_q)", "loading_q <= write_load | (loading_q & ~load_done_i)", ""},
	{"a published promotion", "core_registers.sv", "PublishedCommandPromotion +: 3]", "PublishedCommandCaptured +: 3]", ""},
	{"the command that was refused", "core_registers.sv", "command = {1'b0, cmd_o};", "command = core_regs_pkg::ErrorCommandMake;", "s_axil_rdata_o"},
	{"a new list ends the old one", "core_list.sv", ".rst_i(rst_i | restart),", ".rst_i(rst_i | abort_i),", ""},
	{"a new list empties the FIFO", "core_list.sv", ".clear_i(rst_i | restart)", ".clear_i(rst_i | abort_i)", ""},
	{"an item shows when it can be read", "core_fifo.sv", "valid_o <= count_o > (AddressWidth+1)'(take_i)", "valid_o <= count_o + (AddressWidth+1)'(put_i) > (AddressWidth+1)'(take_i)", ""},
	{"a packet's last word is marked", "core_list.sv", ".data_i({stream_word[core_regs_pkg::MoveLast], stream_word})", ".data_i({move_last, stream_word})", "m_axis_tlast_o"},
	{"a command that is refused interrupts", "core_registers.sv", "(2'(refused) << core_regs_pkg::InterruptsRefused)", "(2'(game_refuses) << core_regs_pkg::InterruptsRefused)", ""},
}

// Mutants have a short stack and a short FIFO, so that they are full often.
const (
	mutantPlies = 3
	mutantFifo  = 4
)

func mutantDesign() sim.Design {
	design := core.Design
	design.Params = map[string]string{"Plies": "3", "Fifo": "4"}
	return design
}

// mutantTapes always are the same: that they show all mutants is not left to chance.
func mutantTapes(t testing.TB) (tapes [][]core.In) {
	for n, p := range []pace{{0, 0, 0.3, 0.001}, {0.5, 0.3, 0.6, 0.001}} {
		s := newSoftware(t, rand.New(rand.NewPCG(1, uint64(n))), mutantPlies, mutantFifo, p)
		if n == 0 {
			s.script(t)
		}
		tapes = append(tapes, s.run(6000))
		if err := s.model.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return tapes
}

// Each mutant is found, and the report names the port.
func TestMutants(t *testing.T) {
	tapes := mutantTapes(t)
	run := func(t *testing.T, design sim.Design) error {
		for _, tape := range tapes {
			d := sim.OpenTest[core.In, core.Out](t, design, sim.Icarus)
			if err := sim.Compare(d, core.NewModel(mutantPlies, mutantFifo), slices.Values(tape)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			err := run(t, fault.Plant(t, mutantDesign(), m.file, m.old, m.new))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, "> "+m.port) || !strings.Contains(report, "what was done last") {
				t.Errorf("the report does not name %q, or not what was done:\n%s", m.port, report)
			}
		})
	}
}
