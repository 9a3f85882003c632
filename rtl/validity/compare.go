package validity

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// resetCycles is how long Compare holds the reset.
const resetCycles = 3

// piece is how many cycles are played before they are compared: Icarus is slow, and what comes
// after a difference is of no use.
const piece = 4096

// Compare resets the RTL, whose parameters are those of t, plays the inputs and compares every
// output in every cycle with [Model]. It returns the RTL's outputs. The [sim.Difference] that it
// returns says in its note what the board was to do and what it did, in which position, and
// what was played and done last.
func Compare(d *sim.DUT[In, Out], t Times, in []In) ([]Out, error) {
	if err := d.Reset(resetCycles); err != nil {
		return nil, err
	}
	m := NewModel(t)
	want, got := make([]Out, len(in)), make([]Out, len(in))
	first := d.Cycle()
	for from := 0; from < len(in); from += piece {
		to := min(from+piece, len(in))
		for i := from; i < to; i++ {
			want[i] = m.Step(in[i])
		}
		if err := m.Err(); err != nil {
			return nil, err
		}
		err := d.ExpectInto(in[from:to], want[from:to], got[from:to], m.DontCare)
		var diff *sim.Difference
		if errors.As(err, &diff) {
			diff.Note = explain(in, want[:to], got, int(diff.Cycle-first))
		}
		if err != nil {
			return nil, err
		}
	}
	return got, nil
}

// explain says what happened up to a cycle in which the RTL differs, and what was to come of it.
func explain(in []In, want, got []Out, at int) string {
	var s strings.Builder
	w, g := &want[at], &got[at]
	fmt.Fprintf(&s, "due  %s\nRTL  %s\n", w.words(), g.words())
	for i := at; w.Busy && i < len(want); i++ {
		if !want[i].Busy {
			fmt.Fprintf(&s, "due %d cycles later: %s\n", i-at, want[i].words())
			break
		}
	}
	fmt.Fprintf(&s, "position %s\n", w.FEN())
	if p, err := engine.ParseFEN(w.FEN()); err == nil {
		s.WriteString(p.Board())
	}
	// What led there, the last things first.
	var last []string
	scan := -1
	for i := at - 1; i >= 0 && len(last) < 6; i-- {
		switch {
		case in[i].Rst:
			last = append(last, "reset")
		case in[i].LoadValid && want[i].LoadReady:
			last = append(last, "load of "+in[i].position.FEN())
		case want[i].MoveValid:
			last = append(last, fmt.Sprintf("move %v", want[i].Move()))
		case in[i].RemoteValid && want[i].RemoteReady:
			last = append(last, fmt.Sprintf("remote move %v%v", engine.Square(in[i].RemoteFrom), engine.Square(in[i].RemoteTo)))
		case in[i].ScanValid && !want[i].Busy:
			all := w.Pawns | w.Knights | w.Bishops | w.Rooks | w.Queens | w.Kings
			if scan < 0 {
				fmt.Fprintf(&s, "last scan: %s\n", against(in[i].Occupied, all))
			} else if in[i].Occupied != in[scan].Occupied {
				last = append(last, "scan: "+against(in[i].Occupied, all))
			}
			scan = i
		}
	}
	for _, l := range last {
		fmt.Fprintf(&s, "before: %s\n", l)
	}
	return s.String()
}

// against says how a scan differs from what is to stand on the board.
func against(scan, occupied uint64) string {
	var s []string
	if b := occupied &^ scan; b != 0 {
		s = append(s, squares(b)+" empty")
	}
	if b := scan &^ occupied; b != 0 {
		s = append(s, squares(b)+" filled")
	}
	if s == nil {
		return "as the position"
	}
	return strings.Join(s, ", ")
}

// words is what the outputs tell, in one line.
func (o *Out) words() string {
	side := engine.White
	if o.Black {
		side = engine.Black
	}
	s := []string{fmt.Sprintf("%v to move", side), o.State.String()}
	add := func(on bool, format string, args ...any) {
		if on {
			s = append(s, fmt.Sprintf(format, args...))
		}
	}
	add(o.State == Illegal, "%v", o.Reason)
	add(o.State == Over, "%v by %v", o.Result, o.Cause)
	add(o.Restore != 0, "restore %s", squares(o.Restore))
	add(o.Warning, "warning")
	add(o.Check, "check")
	add(o.Show == ShowMove, "shows %v %v", engine.Square(o.ShowFrom), engine.Square(o.ShowTo))
	add(o.Show == ShowCheck || o.Show == ShowPromotion, "shows %v on %v", o.Show, engine.Square(o.ShowFrom))
	add(o.MoveValid, "move %v", o.Move())
	add(o.RemoteDone, "remote answer: %v", o.RemoteReason)
	add(o.RemoteShown, "remote move shown")
	add(o.ClaimRefused, "claim refused")
	add(o.Threefold, "threefold repetition")
	add(o.Fifty, "fifty moves")
	add(o.Offer != 0, "draw offered by %d", o.Offer)
	add(o.Busy, "busy")
	return strings.Join(s, ", ")
}

// squares are the names of the squares in a board word.
func squares(b uint64) string {
	var s []string
	for n := range engine.Square(64) {
		if b>>n&1 != 0 {
			s = append(s, n.String())
		}
	}
	return strings.Join(s, " ")
}
