package movegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Compare resets the RTL, plays the inputs and compares every output in every cycle with
// [Model]. The [sim.Difference] that it returns says in its note which position and which
// move the differing cycle is about.
func Compare(d *sim.DUT[In, Out], in []In) error {
	if err := d.Reset(3); err != nil {
		return err
	}
	m := NewModel()
	want, got := make([]Out, len(in)), make([]Out, len(in))
	for i := range in {
		want[i] = m.Step(in[i])
	}
	if err := m.Err(); err != nil {
		return err
	}
	first := d.Cycle()
	err := d.ExpectInto(in, want, got, m.DontCare)
	var diff *sim.Difference
	if errors.As(err, &diff) {
		diff.Note = explain(in, want, got, int(diff.Cycle-first))
	}
	return err
}

// explain says in terms of chess what is wrong in cycle at, the first in which the RTL differs.
func explain(in []In, want, got []Out, at int) string {
	// What was taken up to here and is not answered yet.
	var counting, listing []engine.Position
	beat := 0
	for i := range at {
		if want[i].CountValid {
			counting = counting[1:]
		}
		if want[i].MoveValid && in[i].MoveReady {
			beat++
			if want[i].MoveLast {
				listing, beat = listing[1:], 0
			}
		}
		if in[i].Rst {
			counting, listing, beat = nil, nil, 0
		} else if in[i].PosValid && want[i].PosReady {
			p, _ := in[i].Position() // the model found it readable
			counting = append(counting, p)
			if in[i].PosList {
				listing = append(listing, p)
			}
		}
	}

	w, g := want[at], got[at]
	var b strings.Builder
	about := func(p engine.Position) { fmt.Fprintf(&b, "position %s\n%s", p.FEN(), p.Board()) }
	switch {
	case w.CountValid && !g.CountValid:
		fmt.Fprintf(&b, "no count, but that of a position with %d moves is due\n", w.Count)
		about(counting[0])
	case !w.CountValid && g.CountValid:
		fmt.Fprintf(&b, "a count of %d, but none is due\n", g.Count)
	case w.CountValid && w.Count != g.Count:
		fmt.Fprintf(&b, "%d moves are counted, but %d are legal\n", g.Count, w.Count)
		about(counting[0])
	case w.CountValid && w.CountCheck != g.CountCheck:
		fmt.Fprintf(&b, "check is reported as %v, but is %v\n", g.CountCheck, w.CountCheck)
		about(counting[0])
	case !w.MoveValid && g.MoveValid:
		fmt.Fprintf(&b, "a move, but none is due\n")
	case w.MoveValid:
		p := listing[0]
		due := describe(w, &p)
		switch {
		case !g.MoveValid:
			fmt.Fprintf(&b, "no move, but beat %d of the list is due: %s\n", beat+1, due)
		case describe(g, &p) != due:
			fmt.Fprintf(&b, "beat %d of the list is %s, but due is %s\n", beat+1, describe(g, &p), due)
			if m := Decode(g, p.SideToMove()); !g.MoveNone && !slices.Contains(p.AppendMoves(nil), m) {
				fmt.Fprintf(&b, "%v is not a legal move\n", m)
			}
		}
		about(p)
	case w.PosReady != g.PosReady:
		fmt.Fprintf(&b, "pos_ready_o is %v, but must be %v: %d positions wait for their counts, %d for their lists\n",
			g.PosReady, w.PosReady, len(counting), len(listing))
	}
	return b.String()
}

// describe is a beat in words: "e5d6 (pawn takes pawn, en passant, last)".
func describe(o Out, p *engine.Position) string {
	if o.MoveNone {
		return "none"
	}
	m := Decode(o, p.SideToMove())
	words := m.Piece.String()
	if m.Captured != engine.NoPiece {
		words += " takes " + m.Captured.String()
	}
	if m.EnPassant {
		words += ", en passant"
	}
	switch o.MoveCastling {
	case 1:
		words += ", castling king side"
	case 2:
		words += ", castling queen side"
	case 3:
		words += ", castling on both sides"
	}
	if o.MoveLast {
		words += ", last"
	}
	return fmt.Sprintf("%v (%s)", m, words)
}
