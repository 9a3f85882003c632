package burst

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Explain says which beat of which position a differing cycle is about, and what the RTL makes of
// that position alone.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	what, about := m.about(x)
	if about == nil {
		return what
	}
	p, _ := about.Position() // the model found it readable
	alone, err := listAlone(x.DUT, about, &p)
	if err != nil {
		alone = fmt.Sprintf("what the RTL makes of it alone is not known: %v", err)
	}
	return fmt.Sprintf("%sposition %s\n%s%s", what, p.FEN(), p.Board(), alone)
}

// about says in terms of chess what is wrong in the differing cycle, and with which position, if
// there is one.
func (m *Model) about(x sim.Mismatch[In, Out]) (what string, position *In) {
	// What was taken before and is not handed over yet.
	var listing []*In
	beat := 1
	m.Reset()
	for i := range x.Past {
		in := &x.Past[i]
		out := m.Step(*in)
		if out.BeatValid && in.BeatReady {
			beat++
			if out.BeatLast {
				listing, beat = listing[1:], 1
			}
		}
		if in.Rst {
			listing, beat = nil, 1
		} else if in.PosValid && out.PosReady {
			listing = append(listing, in)
		}
	}
	w, g := x.Want, x.Got
	if !w.BeatValid && g.BeatValid {
		return "a beat, but none is due\n", nil
	}
	if !w.BeatValid || w.PosReady != g.PosReady {
		return fmt.Sprintf("%d positions are on their way\n", len(listing)), nil
	}
	position = listing[0]
	p, _ := position.Position() // the model found it readable
	what = fmt.Sprintf("beat %d of a list:\n", beat)
	switch {
	case !g.BeatValid:
		what = fmt.Sprintf("no beat, but beat %d of a list is due\n", beat)
	case w.BeatLast != g.BeatLast:
		what += fmt.Sprintf("beat_last_o is %v, but it is the last one: %v\n", g.BeatLast, w.BeatLast)
	}
	for lane := range Lanes {
		if a, b := describe(g.Move[lane], &p), describe(w.Move[lane], &p); a != b {
			what += fmt.Sprintf("lane %d (%s) has %s, but due is %s\n", lane, laneName(lane), a, b)
		}
	}
	return what, position
}

// listAlone gives one position to a new instance of the RTL, and says how its list differs from the
// legal moves.
func listAlone(d *sim.DUT[In, Out], about *In, p *engine.Position) (string, error) {
	d, err := d.Reopen()
	if err != nil {
		return "", err
	}
	defer d.Close()
	if err := d.Reset(d.ResetCycles()); err != nil {
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
	text := fmt.Sprintf("given to the RTL alone: %d moves; the reference has %d", len(listed), len(legal))
	if len(missing) > 0 {
		text += "\n  missing: " + strings.Join(missing, ", ")
	}
	if len(surplus) > 0 {
		text += "\n  surplus: " + strings.Join(surplus, ", ")
	}
	return text, nil
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
