package tb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/tb"
)

func TestReset(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		reset := &tb.Reset{Bit: &b.In.Rst, Cycles: 3}
		var seen []string
		b.Monitor("monitor", func(p *tb.Process) {
			for p.Next() {
				seen = append(seen, fmt.Sprintf("%t %d", reset.Active(), b.Out.Count))
			}
		})
		var over []bool
		b.Background("driver", func(p *tb.Process) {
			for {
				over = append(over, reset.Over(p))
				p.Next()
			}
		})
		b.Go("reset", func(p *tb.Process) {
			p.Next()
			reset.Hold(p)
			if p.Cycle() != 6 || reset.Active() {
				t.Errorf("Hold returned after cycle %d, the reset is active: %t", p.Cycle(), reset.Active())
			}
		})
		b.Check(t, 100)
		if got, want := strings.Join(seen, ", "), "false 0, true 1, true 0, true 0, false 0"; got != want {
			t.Errorf("the monitor saw %s; want %s", got, want)
		}
		// The driver runs first in each cycle, and so sees what was set in the cycle before.
		if got, want := fmt.Sprint(over), "[true true false false false true]"; got != want {
			t.Errorf("over %s, want %s", got, want)
		}
	})
}

// A driver that runs after the reset's process must not begin in the cycle in which the reset is
// released.
func TestResetOver(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		reset := &tb.Reset{Bit: &b.In.Rst, Cycles: 2}
		b.Go("reset", func(p *tb.Process) { reset.HoldAtRandom(p, 20) })
		active := 0
		b.Monitor("monitor", func(p *tb.Process) {
			for p.Next() {
				if reset.Active() {
					active++
				}
			}
		})
		b.Go("driver", func(p *tb.Process) {
			if (*tb.Reset)(nil).Active() || !(*tb.Reset)(nil).Over(p) {
				t.Error("a reset that is not there is active")
			}
			for reset.Over(p) {
				p.Next()
			}
			for !reset.Over(p) {
				p.Next()
			}
			if b.Out.Count != 0 || active != 2 {
				t.Errorf("begins at count %d after %d cycles of reset, want 0, 2", b.Out.Count, active)
			}
			p.Next()
			if b.Out.Count != 1 {
				t.Errorf("the cycle after has count %d, want 1", b.Out.Count)
			}
		})
		b.Check(t, 100)
		stopped := b.Background("reset", reset.Hold)
		b.Go("stopper", func(p *tb.Process) {
			p.Next()
			stopped.Stop()
			if reset.Active() {
				t.Error("the reset stays active though its process is stopped")
			}
		})
		b.Check(t, 100)
	})
}
