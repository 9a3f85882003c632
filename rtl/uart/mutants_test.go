package uart_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which rule is broken, and where. The fault of the published
// design is the first. That a test finds each single change at all, docs/mutants/uart.md says.
var mutants = fault.Mutants{
	{"all ten bits are sent", "uart_tx.sv", "valid_i ? 4'd10", "valid_i ? 4'd8", "cycle 0 of bit"},
	{"the stop bit is 1", "uart_tx.sv", "{1'b1, data_i, 1'b0}", "{1'b0, data_i, 1'b0}", "of bit 9 of 0 to 9, which is 1"},
	{"frames follow each other at once", "uart_tx.sv", "(left_q == 4'd0) | ((left_q == 4'd1) & (phase_q == Last))", "(left_q == 4'd0)", "cycle 0 of bit 0 of 0 to 9"},
	{"the stop bit is sent to its end", "uart_tx.sv", "((left_q == 4'd1) & (phase_q == Last))", "(left_q == 4'd1)", "of bit 9 of 0 to 9"},
	{"the line is idle at 1", "uart_tx.sv", "shift_q <= '1;", "shift_q <= '0;", "transmitter: idle"},
	{"a full queue takes no byte to be sent", "uart_fifo.sv", "assign in_ready_o = in_q != (out_q ^ {1'b1, {AddressWidth{1'b0}}})", "assign in_ready_o = 1'b1", "a byte that finds it full is lost"},
	{"a byte stays in the queue until it is taken", "uart_fifo.sv", "take = out_valid_o & out_ready_i", "take = out_valid_o", "received and not taken"},

	{"the line goes through all stages", "uart_rx.sv", "line = sync_q[SyncStages-1]", "line = sync_q[0]", "has come"},
	{"a glitch is no start bit", "uart_rx.sv", "if (level) state_q <= Idle;", "", "receiver: "},
	{"a frame begins at phase 0", "uart_rx.sv", "phase = (state_q == Receive) ? phase_q : '0", "phase = phase_q", "receiver: "},
	{"all eight bits are received", "uart_rx.sv", "Stop = 4'd9", "Stop = 4'd8", "in bit 8"},
	{"a stop bit of 0 drops the byte", "uart_rx.sv", "end else if (level) begin", "end else if (level | (|data_o)) begin", "dropped, as its stop bit was 0"},
	{"a break is no framing error", "uart_rx.sv", "framing_o <= |data_o;", "framing_o <= 1'b1;", "a break, all ten bits were 0"},
	{"until the line is 1 again", "uart_rx.sv", "if (line) break_o <= 1'b0;", "break_o <= 1'b0;", "a break, all ten bits were 0 and the line is still"},
	{"a byte that finds the queue full is told", "uart.sv", "rx_overrun_o = rx_valid & ~rx_room", "rx_overrun_o = 1'b0", "a byte that finds it full is lost"},
}

// Each mutant is found, and the report names the place.
func TestMutants(t *testing.T) {
	p := uart.Params{Divisor: 36, RxDepth: 2, TxDepth: 4, SyncStages: 2}
	in := traffic(rand.New(rand.NewPCG(1, 2)), p, 60_000, 0.0003)
	seen(t, p, in)
	fault.FindAll(t, p.Design(), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[uart.In, uart.Out](t, design, sim.Icarus)
		return sim.Compare(d, uart.NewModel(p), slices.Values(in))
	})
}
