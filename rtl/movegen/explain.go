package movegen

import (
	"fmt"

	"github.com/cosimate/cosimate/sim"
)

// Explain says which position and which move a differing cycle is about, and what the RTL makes of
// that position alone.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	what, about := m.about(x)
	if about == nil {
		return what + "\nno position was given before"
	}
	p, err := about.Position()
	if err != nil {
		return what + "\n" + err.Error()
	}
	text := fmt.Sprintf("%s\nposition %s\n%s", what, p.FEN(), p.Board())
	a, err := Ask(x.DUT, *about)
	if err != nil {
		return text + fmt.Sprintf("what the RTL makes of it alone is not known: %v", err)
	}
	return text + a.String()
}

// about says in terms of chess what is wrong in the differing cycle. The position is the one that
// the wrong outputs are about, or else the last one that was given; nil if there was none.
func (m *Model) about(x sim.Mismatch[In, Out]) (what string, position *In) {
	// What was taken before and is not answered yet.
	var counting, listing []*In
	var last *In
	beat := 1
	m.Reset()
	for i := range x.Past {
		in := &x.Past[i]
		out := m.Step(*in)
		if out.CountValid {
			counting = counting[1:]
		}
		if out.MoveValid && in.MoveReady {
			beat++
			if out.MoveLast {
				listing, beat = listing[1:], 1
			}
		}
		switch {
		case in.Rst:
			counting, listing, beat = nil, nil, 1
		case in.PosValid && out.PosReady:
			last = in
			counting = append(counting, in)
			if in.PosList {
				listing = append(listing, in)
			}
		}
	}
	if x.In.PosValid {
		last = &x.In
	}

	// A beat of the list under way.
	words := func(o Out) string {
		p, _ := listing[0].Position() // the model found it readable
		text := "none"
		if !o.MoveNone {
			text = describe(Decode(o, p.SideToMove()))
		}
		if o.MoveLast {
			text += ", last"
		}
		return text
	}
	w, g := x.Want, x.Got
	switch {
	case w.CountValid && !g.CountValid:
		return fmt.Sprintf("no count, but that of a position with %d moves is due", w.Count), counting[0]
	case !w.CountValid && g.CountValid:
		return fmt.Sprintf("a count of %d, but none is due", g.Count), last
	case w.CountValid && w.Count != g.Count:
		return fmt.Sprintf("%d moves are counted, but %d are legal", g.Count, w.Count), counting[0]
	case w.CountValid && w.CountCheck != g.CountCheck:
		return fmt.Sprintf("check is reported as %v, but is %v", g.CountCheck, w.CountCheck), counting[0]
	case !w.MoveValid && g.MoveValid:
		return "a move, but none is due", last
	case w.MoveValid && !g.MoveValid:
		return fmt.Sprintf("no move, but beat %d of a list is due: %s", beat, words(w)), listing[0]
	case w.MoveValid && w.PosReady == g.PosReady:
		return fmt.Sprintf("beat %d of a list is %s, but due is %s", beat, words(g), words(w)), listing[0]
	}
	return fmt.Sprintf("pos_ready_o is wrong: %d positions wait for their counts, %d for their lists", len(counting), len(listing)), last
}
