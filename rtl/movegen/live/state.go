package live

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/published"
	"github.com/cosimate/cosimate/sim/live"
)

// state is what all viewers see.
type state struct {
	FEN       string   `json:"fen"`
	Simulator string   `json:"simulator"`
	Orders    []string `json:"orders"`
	Filters   []string `json:"filters"`
	Order     int      `json:"order"`
	Filter    int      `json:"filter"`

	Cycle     int64   `json:"cycle"` // since the position was taken, or -1
	Beats     []move  `json:"beats"`
	Reference []move  `json:"reference"`
	Done      bool    `json:"done"`
	Wrong     int     `json:"wrong"`
	Count     *count  `json:"count"`
	Legal     int     `json:"legal"`     // the reference's number of moves
	Published int     `json:"published"` // cycles that the published generator needs
	Overlays  []board `json:"overlays"`

	Perft *perftState `json:"perft"`
}

// board is an overlay for the page.
type board struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Stage   int      `json:"stage"`
	Signals []string `json:"signals"`
	Squares string   `json:"squares"` // 64 digits, a1 first, or "" as long as the stage does not have the position
}

// State implements [live.App].
func (a *App) State(*live.Viewer) any {
	s := &state{
		FEN: a.position.FEN(), Simulator: string(a.opts.Simulator), Order: slices.Index(movegen.Orders, a.order), Filter: slices.Index(movegen.Filters, a.filter),
		Cycle: -1, Beats: []move{}, Reference: []move{}, Done: a.done, Wrong: a.wrong(), Count: a.count, Legal: a.position.Count(),
		Published: published.Generate(&a.position).Cycles, Perft: a.perftState(),
	}
	if a.taken >= 0 {
		s.Cycle = int64(a.dut.Cycle()) - 1 - a.taken
	}
	for _, o := range movegen.Orders {
		s.Orders = append(s.Orders, o.String())
	}
	for _, f := range movegen.Filters {
		s.Filters = append(s.Filters, f.String())
	}
	for i, b := range a.beats {
		m := move{Cycle: b.cycle, Right: a.right(i, b), UCI: "-", SAN: "no move"}
		if !b.none {
			m.UCI, m.SAN = b.move.String(), a.inWords(b.move)
		}
		s.Beats = append(s.Beats, m)
	}
	for _, m := range a.due {
		s.Reference = append(s.Reference, move{UCI: m.String(), SAN: notation.SAN(&a.position, m), Right: true})
	}
	for _, o := range overlays {
		b := board{ID: o.id, Name: o.name, Stage: o.stage, Signals: o.signals}
		if squares, ok := a.seen[o.id]; ok {
			digits := []byte(fmt.Sprintf("%064b", squares))
			slices.Reverse(digits)
			b.Squares = string(digits)
		}
		s.Overlays = append(s.Overlays, b)
	}
	return s
}
