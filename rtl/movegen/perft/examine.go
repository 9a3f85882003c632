package perft

import (
	"context"
	"errors"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// examine gives one position to a new instance of the design, alone, and compares it with the
// model. What is wrong is in the Fault, which is Alone if anything is. With an error the Fault
// holds what was seen before.
func examine(ctx context.Context, o Options, s sim.Simulator, p *engine.Position) (*Fault, error) {
	f := &Fault{Simulator: s, Position: *p}
	dut, err := sim.Open[movegen.In, movegen.Out](ctx, o.Design, s, o.Sim...)
	if err != nil {
		return f, err
	}
	defer dut.Close()
	in := movegen.Encode(p)
	in.PosValid, in.PosList, in.MoveReady = true, true, true
	rest := slices.Repeat([]movegen.In{{MoveReady: true}}, movegen.MoveLatency+p.Count()+idleCycles)
	err = sim.Compare(dut, movegen.NewModel(), slices.Values(append([]movegen.In{in}, rest...)))
	f.Alone = errors.As(err, &f.Difference)
	if err != nil && !f.Alone {
		return f, err
	}
	f.Answer, err = movegen.Ask(dut, in)
	return f, err
}
