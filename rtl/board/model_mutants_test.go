package board_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/sim"
)

// modelMutants are faults of when something happens, or of what is told in which order: a person
// and a PC would hardly notice, the comparison with the model does, in the cycle in which they come
// to a pin, which the report must name.
var modelMutants = fault.Mutants{
	{"the reset lasts for 16 cycles more", "board_reset.sv", "ResetCycles = 16", "ResetCycles = 15", "select_o"},
	{"the sensor's light is behind a synchroniser", "board.sv", "sensor_o = sense_q[1]", "sensor_o = sense_q[0]", "sensor_o"},
	{"the blink begins anew with a reset", "board.sv", ") u_leds (\n    .clk_i, .rst_i(rst),", ") u_leds (\n    .clk_i, .rst_i(1'b0),", "led_o"},
	{"the X is shown for so many scans", "board_show.sv", "scan_i & (left_q != '0)", "left_q != '0", "select_o"},
	{"both serial lines have the same bits", "board.sv", "uart_tx #(\n    .Divisor(Divisor)\n  ) u_moves_tx", "uart_tx #(\n    .Divisor(Divisor + 1)\n  ) u_moves_tx", "moves_tx_o"},
	{"what the lines say waits while the host asks", "board.sv", "lines_ready = remote_ready & ~host_valid", "lines_ready = remote_ready", "led_o"},
	{"moves of sides at the lines are not published", "board.sv", "told_q <= ~remote[move_black]", "told_q <= ~players[move_black]", "moves_tx_o"},
	{"a new session is told the clock", "board_host.sv", "told_clock_q <= '0;", "told_clock_q <= clocks;", "tx_o"},
	{"a new session is not told of the last one's moves", "board_host.sv", "      tell_q <= '0;\n", "      tell_q <= rst_i ? '0 : tell_q & 14'd2;\n", "tx_o"},
	{"what is to be restored comes before the clock", "board_host.sv", "end else if (tell_q[Restore]) begin", "end else if (tell_q[Restore] & ~tell_q[Clock]) begin", "tx_o"},
	{"answers come first", "board_host.sv", "    if (tell_q[Answer]) begin\n", "    if (tell_q[Answer] & ~tell_q[Restore] & ~tell_q[Move]) begin\n", "tx_o"},
}

// story is a little of everything, on sensors that are ideal, as it is always the same.
func story() []board.In {
	w := newWorld(quick, rand.New(rand.NewPCG(1, 1)))
	w.sensors.Physics = matrix.Physics{}
	scan := quick.Scanner().Period()
	run := func(cycles int) {
		for range cycles {
			if w.step(); len(w.in)%30 == 0 && len(w.lines) > 0 {
				w.now.Lines, w.lines = w.lines[0], w.lines[1:]
			}
		}
	}
	touch := func(lift, place int) { w.sensors.Lift(lift); w.sensors.Place(place) }
	run(60) // the reset is over
	w.dial()
	run(7 * scan) // set up
	w.send(message.Players{})
	w.deaf = true // so the answer stays in the link, and the move waits behind it
	run(500)
	touch(12, 28) // e2e4
	run(7 * scan)
	w.deaf = false
	w.dial()
	run(2 * scan)
	w.now.LinesPlay = 2 // Black is at the lines
	run(scan)
	// comes while the first of these is thought about
	w.send(message.Move{Ply: 1, From: 52, To: 52})
	run(300)
	for _, m := range []pair.Move{{From: 52, To: 43}, {From: 52, To: 36}} { // e7d6, e7e5
		l := m.Lines()
		w.lines = append(w.lines, l[0], l[1])
	}
	run(4 * scan)
	touch(52, 36)
	run(7 * scan)
	w.send(message.Replay{Ply: 2, From: 6, To: 21})
	w.send(message.Replay{Ply: 3, From: 57, To: 42})
	run(7 * scan)
	touch(6, 21)  // g1f3
	touch(57, 42) // b8c6
	run(7 * scan)
	touch(0, 32) // a1a5
	run(8 * scan)
	w.now.RstN = false
	run(20)
	w.now.RstN = true
	run(2 * scan)
	return w.in
}

// Each of them is found. One in eleven, which depends on the seed, or those of PART, or all: Icarus
// compiles the board anew for each.
func TestModelMutants(t *testing.T) {
	in := story()
	find := func(t *testing.T, design sim.Design) error {
		d, err := sim.Open[board.In, board.Out](t.Context(), design, sim.Icarus)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		return sim.Compare(d, board.NewModel(quick), slices.Values(in))
	}
	t.Logf("%d cycles", len(in))
	if *deep {
		if err := find(t, quick.Design()); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range modelMutants {
		if !*deep && !fault.Part() && i != int(sim.Seed()%uint64(len(modelMutants))) {
			continue
		}
		t.Run(m.Rule, func(t *testing.T) {
			var diff *sim.Difference
			if err := find(t, fault.Plant(t, quick.Design(), m.File, m.Old, m.New)); !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			ports := strings.Join(diff.Differing(), " ")
			if !strings.Contains(ports, m.Message) {
				t.Errorf("in cycle %d %s differs, not %s:\n%v", diff.Cycle, ports, m.Message, diff)
			}
			t.Logf("cycle %d: %s", diff.Cycle, ports)
		})
	}
}
