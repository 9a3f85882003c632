package core_test

import (
	"fmt"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
)

// transfers is what handing over a list takes: register reads, and cycles from the write that begins the list to
// the last word.
type transfers struct{ moves, reads, cycles int }

// schemes are the ways in which a list is handed over.
var schemes = []struct {
	name string
	list func(r *rig, c *driver.Core) ([]engine.Move, error)
}{
	{"published: two reads a move", func(r *rig, c *driver.Core) ([]engine.Move, error) {
		if err := c.Published(driver.All); err != nil {
			return nil, err
		}
		return c.PublishedMoves()
	}},
	{"FIFO: one read a move", func(r *rig, c *driver.Core) ([]engine.Move, error) {
		return c.Moves(driver.Plain, driver.All)
	}},
	{"stream: one clock a move", func(r *rig, c *driver.Core) (moves []engine.Move, err error) {
		c.Trusting = true // no read: what the receiver has is what counts
		defer func() { c.Trusting = false }()
		if err := c.Stream(driver.Plain, driver.All); err != nil {
			return nil, err
		}
		for _, word := range r.packets.Pop(r.bus.Process()) {
			if m, ok := driver.Unpack(word); ok {
				moves = append(moves, m)
			}
		}
		return moves, nil
	}},
}

// measure hands a position's list over in each scheme.
func (r *rig) measure(c *driver.Core, p *engine.Position) (all []transfers, err error) {
	if err := c.SetPosition(p.FEN()); err != nil {
		return nil, err
	}
	for _, s := range schemes {
		if err := c.Abort(); err != nil {
			return nil, err
		}
		reads, cycle := r.bus.Reads, r.bus.Cycle()
		moves, err := s.list(r, c)
		if err != nil {
			return nil, err
		}
		if err := same(s.name, p, moves, driver.All); err != nil {
			return nil, err
		}
		all = append(all, transfers{len(moves), r.bus.Reads - reads, r.bus.Cycle() - cycle})
	}
	return all, r.bus.Write32(regmap.CoreList, 0) // Auto off
}

// How many transfers and cycles a list takes in each scheme, on a bus whose manager makes one transfer at a time
// and loses no clock: 3 cycles a transfer.
func TestTransfers(t *testing.T) {
	design := core.Design
	for _, c := range []struct{ name, fen string }{
		{"Petrovic", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"},
		{"Deep Blue - Kasparov 1996, game 1, after 23.d5", "2rr2k1/1p3p1p/1pn1pq2/1N1P1p2/8/P3Q2P/1P3PP1/2RR2K1 b - - 0 23"},
	} {
		p := parse(t, c.fen)
		sim.ForEach(t, design, func(t *testing.T, d *dut) {
			r, err := newRig(d)
			if err != nil {
				t.Fatal(err)
			}
			r.bus.Go("software", func() error {
				core, err := driver.OpenCore(r.bus)
				if err != nil {
					return err
				}
				all, err := r.measure(core, &p)
				if err != nil {
					return err
				}
				t.Logf("%s, %d moves", c.name, p.Count())
				for i, got := range all {
					t.Logf("%-27s  %3d reads  %4d cycles", schemes[i].name, got.reads, got.cycles)
				}
				n := p.Count()
				for i, most := range []transfers{{n, 2 * n, 6*n + 20}, {n, n, 3*n + 20}, {n, 0, n + 20}} {
					if got := all[i]; got.reads != most.reads || got.cycles > most.cycles {
						return fmt.Errorf("%s: %+v, at most %+v are due", schemes[i].name, got, most)
					}
				}
				return nil
			})
			r.Check(t, 10_000)
		})
	}
}
