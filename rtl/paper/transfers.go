package paper

import (
	"context"
	"fmt"

	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/driver/moves"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/simcore"
	"github.com/cosimate/cosimate/sim"
)

// Transfer is the cost of handing over a list, on a bus whose manager makes one transfer at a time,
// without pauses: 3 cycles a transfer.
type Transfer struct {
	Reads  int // number of register reads
	Cycles int // cycles from the write that begins the list to the last word
}

// transferCycles is how many cycles a transfer takes.
const transferCycles = 3

// Schemes are the ways in which rtl/core hands a list over, in the order of Position.Transfers and
// of moves.Schemes.
var Schemes = []string{"published: two reads a move", "FIFO: one read a move", "stream: one clock a move"}

// handOver measures the core: each position's list in each scheme.
func handOver(ctx context.Context, design sim.Design, s sim.Simulator, o Options, positions []Position) error {
	c, err := simcore.Open(ctx, design, s, o.Sim...)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range positions {
		p := &positions[i]
		for _, scheme := range moves.Schemes {
			source := c.Moves(scheme)
			if err := source.Load(&p.Position); err != nil {
				return err
			}
			if err := c.Do((*driver.Core).Abort); err != nil {
				return err
			}
			before, err := c.Counts()
			if err != nil {
				return err
			}
			listed, err := source.List(nil, search.Plain, search.All)
			if err != nil {
				return err
			}
			after, err := c.Counts()
			if err != nil {
				return err
			}
			p.Transfers = append(p.Transfers, Transfer{after.Reads - before.Reads, after.Cycles - before.Cycles})
			if err := same(&p.Position, listed); err != nil {
				return fmt.Errorf("core on %s, %s: %w", s, Schemes[scheme], err)
			}
			// Auto off.
			if err := c.Write(regmap.CoreList, 0); err != nil {
				return err
			}
		}
	}
	return nil
}
