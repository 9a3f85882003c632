package board_test

import (
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// uci is a legal move by its name.
func uci(p *engine.Position, name string) (engine.Move, bool) {
	for _, m := range p.AppendMoves(nil) {
		if m.String() == name {
			return m, true
		}
	}
	return engine.Move{}, false
}

// A person plays White, the PC Black.
func TestFoolsMate(t *testing.T) {
	d := sim.OpenTest[board.In, board.Out](t, board.Scaled.Design(), sim.Verilator)
	h := newPlayer(sit(t, d, board.Scaled, 1), seeded(1))
	h.patient = true
	play := func() error {
		if err := h.begin(start, 2, 0); err != nil {
			return err
		}
		for _, name := range []string{"f2f3", "e7e5", "g2g4", "d8h4"} {
			m, ok := uci(&h.p, name)
			if !ok {
				t.Fatalf("%s is not legal", name)
			}
			if err := h.move(m); err != nil {
				return err
			}
		}
		return h.ended(validity.BlackWins, validity.Mate)
	}
	if err := h.wrong(play()); err != nil {
		d.Fail(t, err)
	}
	t.Log(d.Cycle(), h.seen)
}
