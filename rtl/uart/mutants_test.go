package uart_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults that a designer might make, for each rule. The fault of the published design
// is the first.
var mutants = fault.Mutants{
	{"all ten bits are sent", "uart_tx.sv", "valid_i ? 4'd10", "valid_i ? 4'd8", "cycle 0 of bit"},
	{"a start bit is sent", "uart_tx.sv", "{1'b1, data_i, 1'b0}", "{2'b11, data_i}", "> tx_o"},
	{"the stop bit is 1", "uart_tx.sv", "{1'b1, data_i, 1'b0}", "{1'b0, data_i, 1'b0}", "of bit 9 of 0 to 9, which is 1"},
	{"the least significant bit comes first", "uart_tx.sv", "shift_q <= {1'b1, data_i, 1'b0}", "shift_q <= {1'b1, data_i[0], data_i[7:1], 1'b0}", "> tx_o"},
	{"each bit sent lasts Divisor cycles", "uart_tx.sv", "Last = PhaseWidth'(Divisor - 1)", "Last = PhaseWidth'(Divisor)", "> tx_o"},
	{"frames follow each other at once", "uart_tx.sv", "(left_q == 4'd0) | ((left_q == 4'd1) & (phase_q == Last))", "(left_q == 4'd0)", "cycle 0 of bit 0 of 0 to 9"},
	{"the stop bit is sent to its end", "uart_tx.sv", "((left_q == 4'd1) & (phase_q == Last))", "(left_q == 4'd1)", "of bit 9 of 0 to 9"},
	{"the line is idle at 1", "uart_tx.sv", "shift_q <= '1;", "shift_q <= '0;", "transmitter: idle"},
	{"a full queue takes no byte to be sent", "uart_fifo.sv", "assign in_ready_o = in_q != (out_q ^ {1'b1, {AddressWidth{1'b0}}})", "assign in_ready_o = 1'b1", "a byte that finds it full is lost"},
	{"the queue takes as many as it has room for", "uart_fifo.sv", "in_q != (out_q ^ {1'b1, {AddressWidth{1'b0}}})", "(in_q + (AddressWidth+1)'(1)) != (out_q ^ {1'b1, {AddressWidth{1'b0}}})", "> "},
	{"a byte stays in the queue until it is taken", "uart_fifo.sv", "take = out_valid_o & out_ready_i", "take = out_valid_o", "received and not taken"},
	{"the oldest byte comes out", "uart_fifo.sv", "bytes_q[out_q[AddressWidth-1:0]]", "bytes_q[in_q[AddressWidth-1:0]]", "> "},
	{"reset empties the queues", "uart_fifo.sv", "      in_q <= '0;\n      out_q <= '0;", "      in_q <= in_q + (AddressWidth+1)'(put);\n      out_q <= out_q;", "> "},

	{"the line goes through all stages", "uart_rx.sv", "line = sync_q[SyncStages-1]", "line = sync_q[0]", "has come"},
	{"a glitch is no start bit", "uart_rx.sv", "if (level) state_q <= Idle;", "", "receiver: "},
	{"a bit is what most samples say", "uart_rx.sv", "level = (early_q & middle_q) | (early_q & line) | (middle_q & line)", "level = middle_q", "> rx_"},
	{"all three count", "uart_rx.sv", "(early_q & middle_q) | (early_q & line) | (middle_q & line)", "(early_q & middle_q) | (middle_q & line)", "> rx_"},
	{"the middle sample is in the middle", "uart_rx.sv", "MiddleInt = (Divisor - 1) / 2", "MiddleInt = (Divisor - 1) / 2 + 1", "> rx_valid_o"},
	{"samples lie Spread apart", "uart_rx.sv", "Early = PhaseWidth'(MiddleInt - SpreadInt)", "Early = PhaseWidth'(MiddleInt - 1)", "> rx_"},
	{"a frame begins at phase 0", "uart_rx.sv", "phase = (state_q == Receive) ? phase_q : '0", "phase = phase_q", "receiver: "},
	{"each bit received lasts Divisor cycles", "uart_rx.sv", "Last = PhaseWidth'(Divisor - 1)", "Last = PhaseWidth'(Divisor - 2)", "> rx_"},
	{"the least significant bit came first", "uart_rx.sv", "data_o <= {level, data_o[7:1]}", "data_o <= {data_o[6:0], level}", "> rx_data_o"},
	{"all eight bits are received", "uart_rx.sv", "Stop = 4'd9", "Stop = 4'd8", "in bit 8"},
	{"a stop bit of 0 drops the byte", "uart_rx.sv", "end else if (level) begin", "end else if (level | (|data_o)) begin", "dropped, as its stop bit was 0"},
	{"it is told", "uart_rx.sv", "framing_o <= |data_o;", "", "> rx_framing_o"},
	{"a break is no framing error", "uart_rx.sv", "framing_o <= |data_o;", "framing_o <= 1'b1;", "a break, all ten bits were 0"},
	{"a break is told", "uart_rx.sv", "break_o <= ~(|data_o);", "", "> rx_break_o"},
	{"until the line is 1 again", "uart_rx.sv", "if (line) break_o <= 1'b0;", "break_o <= 1'b0;", "a break, all ten bits were 0 and the line is still"},
	{"after a bad stop bit the line is to be 1 first", "uart_rx.sv", "state_q <= Wait;\n          framing_o", "state_q <= Idle;\n          framing_o", "> rx_"},
	{"after reset too", "uart_rx.sv", "sync_q <= '0;\n      state_q <= Wait;", "sync_q <= '0;\n      state_q <= Idle;", "> rx_"},
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
