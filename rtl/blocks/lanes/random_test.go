package lanes_test

import (
	"flag"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

var laneStimuli = flag.Int("lanes.stimuli", 512, "random stimuli that each of some blocks plays in lanes, beside its model")

// random returns stimuli of so many cycles, whose inputs next makes of the ones before.
func random[I, O any](cycles int, next func(r *rand.Rand, cycle int, last I) I, model func() sim.Model[I, O]) sim.Stimuli[I, O] {
	return sim.Stimuli[I, O]{
		Count: *laneStimuli, Model: model,
		Of: func(n int) iter.Seq[I] {
			return func(yield func(I) bool) {
				r := rand.New(rand.NewPCG(sim.Seed(), uint64(n)))
				var in I
				for cycle := range cycles {
					if in = next(r, cycle, in); !yield(in) {
						return
					}
				}
			}
		},
	}
}

// Hundreds of random stimuli at once in small blocks whose models keep up with lanes: a UART with
// bytes both ways, a chess clock, and a line that bounces. In each round everything begins with
// another power-up.
func TestRandomInLanes(t *testing.T) {
	t.Run("uart", func(t *testing.T) {
		p := uart.Params{Divisor: 4, RxDepth: 4, TxDepth: 4, SyncStages: 2}
		d := uart.Design
		d.Params = maps.Clone(d.Params)
		if d.Params == nil {
			d.Params = map[string]string{}
		}
		for name, v := range map[string]int{"Divisor": p.Divisor, "RxDepth": p.RxDepth, "TxDepth": p.TxDepth, "SyncStages": p.SyncStages} {
			d.Params[name] = fmt.Sprint(v)
		}
		sim.CheckLanes(t, d, random(300, func(r *rand.Rand, cycle int, in uart.In) uart.In {
			if cycle == 0 {
				in.Rx = true
			}
			if r.IntN(p.Divisor) == 0 || cycle%p.Divisor == 0 && r.IntN(8) != 0 {
				in.Rx = r.IntN(2) == 0
			}
			in.Rst = r.IntN(400) == 0
			in.TxValid, in.TxData, in.RxReady = r.IntN(20) == 0, byte(r.Uint32()), r.IntN(40) == 0
			return in
		}, func() sim.Model[uart.In, uart.Out] { return uart.NewModel(p) }))
	})
	// Synthesis must count as the simulators do: with the default parameter a tenth of a second is
	// too long for any stimulus.
	t.Run("clock", func(t *testing.T) {
		const hz = 20
		d := clock.Design
		d.Params = map[string]string{"ClockHz": fmt.Sprint(hz)}
		sim.CheckLanes(t, d, random(300, func(r *rand.Rand, cycle int, in clock.In) clock.In {
			return clock.In{
				Rst: r.IntN(300) == 0, Press: r.IntN(8) == 0, CmdValid: r.IntN(4) == 0, Cmd: codes.Command(r.IntN(6)),
				Side: clock.Side(r.IntN(2)), Control: clock.Control(r.IntN(4)), Increment: uint8(r.IntN(10)<<4 | r.IntN(10)),
				Time: codes.DigitsOf(1 + r.IntN(59_999)),
			}
		}, func() sim.Model[clock.In, clock.Out] { return clock.NewModel(hz) }))
	})
	t.Run("debounce", func(t *testing.T) {
		sim.CheckLanes(t, bouncing(), bounces())
	})
}

// bouncing is a debouncer that waits for few cycles.
func bouncing() sim.Design {
	d := debounce.Design
	d.Params = map[string]string{"SyncStages": "2", "HoldCycles": "5"}
	return d
}

func bounces() sim.Stimuli[debounce.In, debounce.Out] {
	return random(200, func(r *rand.Rand, cycle int, in debounce.In) debounce.In {
		if r.IntN(1+cycle/20) == 0 {
			in.Line = !in.Line
		}
		in.Rst = r.IntN(300) == 0
		return in
	}, func() sim.Model[debounce.In, debounce.Out] { return debounce.NewModel(2, 5) })
}

// Most stimuli find a fault in the RTL.
func TestRandomInLanesFindsFaults(t *testing.T) {
	for _, f := range []struct{ old, new string }{
		{"(held_q == Hold) ? Hold :", "(held_q == Hold) ? CountWidth'(1) :"},
		{"if (held_d == Hold) clean_o <= level;", "if (held_d == Hold - 1) clean_o <= level;"},
		{"level == last_q && held_q != '0", "held_q != '0"},
	} {
		d := fault.Plant(t, bouncing(), "debounce.sv", f.old, f.new)
		faults, err := sim.CompareLanes(t.Context(), d, bounces())
		if err != nil || len(faults) < *laneStimuli/2 {
			t.Errorf("%s: %d of %d stimuli find it: %v", f.new, len(faults), *laneStimuli, err)
		}
	}
}
