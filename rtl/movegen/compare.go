package movegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// resetCycles is how long Compare holds the reset.
const resetCycles = 3

// Compare resets the RTL, plays the inputs and compares every output in every cycle with
// [Model]. The [sim.Difference] that it returns says in its note which position and which
// move the differing cycle is about.
func Compare(d *sim.DUT[In, Out], in []In) error {
	if err := d.Reset(resetCycles); err != nil {
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
		note, about := explain(in, want, got, int(diff.Cycle-first))
		diff.Note = note
		if about != nil {
			alone, err := listAlone(d, about)
			if err != nil {
				return errors.Join(diff, err)
			}
			p, _ := about.Position() // the model found it readable
			diff.Note += alone + "position " + p.FEN() + "\n" + p.Board()
		}
	}
	return err
}

// listAlone resets the RTL, lets it list one position and says how its list differs from the legal
// moves.
func listAlone(d *sim.DUT[In, Out], about *In) (string, error) {
	if err := d.Reset(resetCycles); err != nil {
		return "", err
	}
	p, err := about.Position()
	if err != nil {
		return "", err
	}
	in := make([]In, MoveLatency+p.Count()+20)
	out := make([]Out, len(in))
	in[0] = *about
	in[0].PosValid, in[0].PosList = true, true
	for i := range in {
		in[i].MoveReady = true
	}
	if err := d.Run(in, out); err != nil {
		return "", err
	}
	// Whether a beat is marked as the last is not a matter of which moves there are.
	words := func(o Out) string {
		o.MoveLast = false
		return describe(o, &p)
	}
	var due list
	new(Model).fill(&due, &p, about.PosOrder, about.PosFilter)
	var legal, listed, surplus, missing []string
	for _, b := range due.beats {
		if o := b.out(); !o.MoveNone {
			legal = append(legal, words(o))
		}
	}
	for _, o := range out {
		if o.MoveValid && !o.MoveNone {
			if !slices.Contains(legal, words(o)) || slices.Contains(listed, words(o)) {
				surplus = append(surplus, words(o))
			}
			listed = append(listed, words(o))
		}
		if o.MoveValid && o.MoveLast {
			break
		}
	}
	for _, l := range legal {
		if !slices.Contains(listed, l) {
			missing = append(missing, l)
		}
	}
	text := fmt.Sprintf("alone, the position is listed (%v, %v)", about.PosFilter, about.PosOrder)
	if len(surplus)+len(missing) == 0 {
		for i := range legal {
			if listed[i] != legal[i] {
				return fmt.Sprintf("%s with all its moves and no others, but in another order: move %d is %s, due is %s\n", text, i+1, listed[i], legal[i]), nil
			}
		}
		return text + " with all its moves and no others\n", nil
	}
	if len(surplus) > 0 {
		text += " with " + strings.Join(surplus, ", ") + " too many"
	}
	if len(missing) > 0 {
		text += " without " + strings.Join(missing, ", ")
	}
	return text + "\n", nil
}

// explain says in terms of chess what is wrong in cycle at, the first in which the RTL differs, and
// with which position, if there is one.
func explain(in []In, want, got []Out, at int) (note string, about *In) {
	// What was taken up to here and is not answered yet.
	var counting, listing []*In
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
			counting = append(counting, &in[i])
			if in[i].PosList {
				listing = append(listing, &in[i])
			}
		}
	}

	// The move of a beat, in the position being listed.
	words := func(o Out) string {
		p, _ := listing[0].Position() // the model found it readable
		return describe(o, &p)
	}
	w, g := want[at], got[at]
	switch {
	case w.CountValid && !g.CountValid:
		return fmt.Sprintf("no count, but that of a position with %d moves is due\n", w.Count), counting[0]
	case !w.CountValid && g.CountValid:
		return fmt.Sprintf("a count of %d, but none is due\n", g.Count), nil
	case w.CountValid && w.Count != g.Count:
		return fmt.Sprintf("%d moves are counted, but %d are legal\n", g.Count, w.Count), counting[0]
	case w.CountValid && w.CountCheck != g.CountCheck:
		return fmt.Sprintf("check is reported as %v, but is %v\n", g.CountCheck, w.CountCheck), counting[0]
	case !w.MoveValid && g.MoveValid:
		return "a move, but none is due\n", nil
	case w.MoveValid && !g.MoveValid:
		return fmt.Sprintf("no move, but beat %d of a list is due: %s\n", beat+1, words(w)), listing[0]
	case w.MoveValid && w.PosReady == g.PosReady:
		return fmt.Sprintf("beat %d of a list is %s, but due is %s\n", beat+1, words(g), words(w)), listing[0]
	}
	return fmt.Sprintf("%d positions wait for their counts, %d for their lists\n", len(counting), len(listing)), nil
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
