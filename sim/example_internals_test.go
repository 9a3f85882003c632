package sim_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// Internal signals by name: poke a counter to just before it ends, which saves three hours of
// simulated time; force an error that does not occur by itself; peek at a state and at a word of a
// memory. They are named in the design, so that the optimiser keeps these and no others.

var watchdog = sim.Design{
	Top: "watchdog", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"watchdog.sv"}, Clock: "clk_i", Reset: "rst_i",
	Internals: []string{"state_q", "log", "u_timer.count_q", "u_timer.copy_q", "u_timer.mismatch"},
}

type watchdogIn struct{ Rst, Kick bool }

type watchdogOut struct{ Alarm bool }

// States and causes.
const watching, late, broken = 0, 1, 2

// watchdogBench keeps what is wrong first.
type watchdogBench struct {
	dut *sim.DUT[watchdogIn, watchdogOut]
	err error
}

func (b *watchdogBench) note(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *watchdogBench) step(in watchdogIn, alarm bool) {
	out, err := b.dut.Step(in)
	if err == nil && out.Alarm != alarm {
		err = fmt.Errorf("cycle %d: alarm_o is %v, not %v", b.dut.Cycle()-1, out.Alarm, alarm)
	}
	b.note(err)
}

func (b *watchdogBench) peek(name string, want uint64) {
	v, err := b.dut.Peek(name)
	if err == nil && (v.Uint64() != want || !v.Known()) {
		err = fmt.Errorf("after %d cycles: %s is %#x (known: %v), not %#x", b.dut.Cycle(), name, v.Uint64(), v.Known(), want)
	}
	b.note(err)
}

func checkWatchdog(dut *sim.DUT[watchdogIn, watchdogOut]) error {
	b := &watchdogBench{dut: dut}
	b.note(dut.Reset(2))

	// 2^40 cycles are up in five; nothing is at a smaller power of two.
	for _, up := range []uint64{1 << 32, 1 << 39, 1 << 40} {
		b.note(dut.Poke("u_timer.count_q", sim.Bits(40, up-5)))
		b.note(dut.Poke("u_timer.copy_q", sim.Bits(40, 1<<40-1-(up-5))))
		for range 5 {
			b.step(watchdogIn{}, false)
		}
		b.step(watchdogIn{}, up == 1<<40)
	}
	b.peek("state_q", late)
	b.peek("log[0]", late)

	// Kicked, it watches again. Then the check of the counter fails.
	b.step(watchdogIn{Kick: true}, true)
	b.peek("state_q", watching)
	b.note(dut.Force("u_timer.mismatch", sim.Bits(1, 1)))
	b.step(watchdogIn{}, false)
	b.note(dut.Release("u_timer.mismatch"))
	b.step(watchdogIn{Kick: true}, true)
	b.peek("log[1]", broken)
	b.step(watchdogIn{}, false)
	return b.err
}

func TestInternals(t *testing.T) {
	sim.ForEach(t, watchdog, func(t *testing.T, dut *sim.DUT[watchdogIn, watchdogOut]) {
		if err := checkWatchdog(dut); err != nil {
			t.Fatal(err)
		}
	})
}

// Faults that would show after an hour, or never.
func TestInternalsFindFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	for _, fault := range []struct{ name, old, new, message string }{
		{"only 32 bits are looked at", "expired_o = &count_q", "expired_o = &count_q[31:0]", "alarm_o is true"},
		{"the error is not connected", "broken_o  = mismatch", "broken_o  = 1'b0", "alarm_o is false"},
		{"the log has the wrong cause", "log[alarms_q] <= {broken, ~broken}", "log[alarms_q] <= 2'd1", "log[1] is 0x1 (known: true), not 0x2"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			d := watchdog
			d.FS = patched(t, "watchdog.sv", fault.old, fault.new)
			sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[watchdogIn, watchdogOut]) {
				if err := checkWatchdog(dut); err == nil || !strings.Contains(err.Error(), fault.message) {
					t.Errorf("the error is to have %q: %v", fault.message, err)
				}
			})
		})
	}
}
