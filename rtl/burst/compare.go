package burst

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

// Compare resets the RTL, plays the inputs and compares every output in every cycle with [Model].
// The [sim.Difference] that it returns says in its note which position, which beat and which moves
// the differing cycle is about.
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
			p, _ := about.Position() // the model found it readable
			alone, err := listAlone(d, about, &p)
			if err != nil {
				return errors.Join(diff, err)
			}
			diff.Note += alone + "position " + p.FEN() + "\n" + p.Board()
		}
	}
	return err
}

// explain says in terms of chess what is wrong in cycle at, the first in which the RTL differs, and
// with which position, if there is one.
func explain(in []In, want, got []Out, at int) (note string, about *In) {
	// What was taken up to here and is not handed over yet.
	var listing []*In
	beat := 1
	for i := range at {
		if want[i].BeatValid && in[i].BeatReady {
			beat++
			if want[i].BeatLast {
				listing, beat = listing[1:], 1
			}
		}
		if in[i].Rst {
			listing, beat = nil, 1
		} else if in[i].PosValid && want[i].PosReady {
			listing = append(listing, &in[i])
		}
	}
	w, g := want[at], got[at]
	if !w.BeatValid && g.BeatValid {
		return "a beat, but none is due\n", nil
	}
	if !w.BeatValid || w.PosReady != g.PosReady {
		return fmt.Sprintf("%d positions are on their way\n", len(listing)), nil
	}
	about = listing[0]
	p, _ := about.Position() // the model found it readable
	note = fmt.Sprintf("beat %d of a list:\n", beat)
	switch {
	case !g.BeatValid:
		note = fmt.Sprintf("no beat, but beat %d of a list is due\n", beat)
	case w.BeatLast != g.BeatLast:
		note += fmt.Sprintf("beat_last_o is %v, but it is the last one: %v\n", g.BeatLast, w.BeatLast)
	}
	for lane := range Lanes {
		if a, b := describe(g.Move[lane], &p), describe(w.Move[lane], &p); a != b {
			note += fmt.Sprintf("lane %d (%s) has %s, but due is %s\n", lane, laneName(lane), a, b)
		}
	}
	return note, about
}

// listAlone resets the RTL, lets it list one position and says how its list differs from the legal
// moves.
func listAlone(d *sim.DUT[In, Out], about *In, p *engine.Position) (string, error) {
	if err := d.Reset(resetCycles); err != nil {
		return "", err
	}
	in := make([]In, Latency+Beats(p)+20)
	out := make([]Out, len(in))
	in[0] = *about
	in[0].PosValid = true
	for i := range in {
		in[i].BeatReady = true
	}
	if err := d.Run(in, out); err != nil {
		return "", err
	}
	var legal, listed, surplus, missing []string
	for _, m := range p.AppendMoves(nil) {
		legal = append(legal, describe(word(m, p.SideToMove()), p))
	}
	for _, o := range out {
		for _, w := range o.Move {
			if w>>wordValid == 0 {
				continue
			}
			if !slices.Contains(legal, describe(w, p)) || slices.Contains(listed, describe(w, p)) {
				surplus = append(surplus, describe(w, p))
			}
			listed = append(listed, describe(w, p))
		}
		if o.BeatValid && o.BeatLast {
			break
		}
	}
	for _, l := range legal {
		if !slices.Contains(listed, l) {
			missing = append(missing, l)
		}
	}
	text := "alone, the position is listed"
	if len(surplus)+len(missing) == 0 {
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

// laneName says which moves a lane has.
func laneName(lane int) string {
	if lane >= 18 {
		return "knights " + [...]string{"SSW", "SSE", "WSW", "ESE", "WNW", "ENE", "NNW", "NNE"}[lane-18]
	}
	half := [...]string{"dark", "light"}[lane%2]
	if lane >= 8 && lane < 16 {
		half = [...]string{"ranks 1, 3, ...", "ranks 2, 4, ..."}[lane%2]
	}
	return [...]string{"N", "S", "E", "W", "NE", "SW", "NW", "SE", "pushes"}[lane/2] + ", " + half
}

// describe is a lane's word in words: "e5d6 (pawn takes pawn, en passant)".
func describe(w uint32, p *engine.Position) string {
	m, ok := Decode(w, p.SideToMove())
	if !ok {
		return "none"
	}
	words := m.Piece.String()
	if m.Captured != engine.NoPiece {
		words += " takes " + m.Captured.String()
	}
	if m.EnPassant {
		words += ", en passant"
	}
	if m.Castling {
		words += ", castling"
	}
	return fmt.Sprintf("%v (%s)", m, words)
}
