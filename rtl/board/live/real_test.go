package live

import (
	"flag"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

var realTimes = flag.Bool("live.real", false, "play with the real time constants, too")

// With the real time constants a scan is five million cycles. The eye's 40 ms are less than that.
func TestReal(t *testing.T) {
	if !*realTimes {
		t.Skip("-live.real plays with the real time constants, which takes minutes")
	}
	s := opened(t, sim.Verilator)
	do(t, s.Carry("e4"))
	made(t, s, "e4")
	m, err := Build(t.Context(), s.options, true, nil)
	do(t, err)
	put(t, s, lift(t, s, "a2"), "beside")
	do(t, s.Plug(m))
	until := func(what string, is func(v *View) bool) {
		t.Helper()
		for range 120 { // 30 scans
			if v := look(t, s); is(&v) {
				return
			}
			do(t, s.Run(s.Times().period()/4))
		}
		t.Fatalf("%s: this does not come: %+v", what, look(t, s))
	}
	until("a2 is to be put right", func(v *View) bool {
		return v.Times == "real" && v.Game.Agree && v.Rules.State == "set-up" && v.Rules.Squares.String() == "a2"
	})
	do(t, s.Scans(2)) // what the eye saw before is forgotten
	until("the LED of a2 is lit, and no other", func(*View) bool { return lit(t, s).String() == "a2" })
	until("it blinks", func(*View) bool { return lit(t, s) == 0 })
	t.Logf("%d cycles, %v", s.Cycles(), s.Simulated())
}
