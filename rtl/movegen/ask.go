package movegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Answer is what the RTL makes of one position that it is given alone.
type Answer struct {
	Position engine.Position
	Order    Order
	Filter   Filter

	Count   int           // count_o, or -1 if none came
	Listed  int           // beats of the list with a move
	Missing []engine.Move // that pass the filter, but are not listed
	Surplus []engine.Move // listed, but not legal, or not for the filter, or listed before
	Wrong   []WrongMove
	Notes   []string // what else is wrong
}

// WrongMove is a field of a listed legal move that is wrong.
type WrongMove struct {
	Move      engine.Move // as it should be
	Field     string      // "piece", "captured", "castling" or "en passant"
	Want, Got string
}

func (w WrongMove) String() string {
	return fmt.Sprintf("%s: %s is %s, not %s", w.Move, w.Field, w.Got, w.Want)
}

// Right reports whether the answer is the reference's: moves, order, count and check.
func (a *Answer) Right() bool {
	return len(a.Missing)+len(a.Surplus)+len(a.Wrong)+len(a.Notes) == 0 && a.Count == a.Position.Count()
}

// String is the answer beside the reference's, in lines.
func (a *Answer) String() string {
	if a.Right() {
		return "given to the RTL alone, it is answered rightly: moves, order and count. So the fault lies in\n" +
			"the timing, or in what another position left behind: see the cycle and the ports."
	}
	how := ""
	if a.Order != Plain || a.Filter != All {
		how = fmt.Sprintf(" (%v, %v)", a.Filter, a.Order)
	}
	count := fmt.Sprintf("count_o is %d", a.Count)
	if a.Count < 0 {
		count = "no count came"
	}
	text := fmt.Sprintf("given to the RTL alone: %d moves listed%s, %s; the reference has %d", a.Listed, how, count, a.Position.Count())
	if a.Filter != All {
		text += fmt.Sprintf(" and lists %d", a.Listed-len(a.Surplus)+len(a.Missing))
	}
	add := func(title string, moves []engine.Move) {
		if len(moves) == 0 {
			return
		}
		var words []string
		for _, m := range moves {
			words = append(words, describe(m))
		}
		text += "\n  " + title + " " + strings.Join(words, ", ")
	}
	add("missing:", a.Missing)
	add("surplus:", a.Surplus)
	for _, w := range a.Wrong {
		text += fmt.Sprintf("\n  wrong:   %v", w)
	}
	for _, n := range a.Notes {
		text += "\n  " + n
	}
	return text
}

// Bounds on a single position, in cycles: however broken the RTL is, Ask returns.
const (
	maxUntaken  = 256  // until it is taken
	maxUnlisted = 1024 // from there to the end of its list; the longest has 218 moves
	afterwards  = 300  // to see what comes after the end
)

// Ask gives the position that in holds to a new instance of the RTL, alone, and takes its list in
// the order and through the filter of in.
func Ask(d *sim.DUT[In, Out], in In) (*Answer, error) {
	p, err := in.Position()
	if err != nil {
		return nil, err
	}
	d, err = d.Reopen()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := d.Reset(d.ResetCycles()); err != nil {
		return nil, err
	}
	a := &Answer{Position: p, Order: in.PosOrder, Filter: in.PosFilter, Count: -1}
	if a.Filter > Checks {
		a.Filter = All
	}
	list, taken, err := a.listen(d, in)
	if err != nil {
		return nil, err
	}
	if taken {
		a.compare(list)
	}
	return a, nil
}

func (a *Answer) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// listen offers a position until it is taken, and takes its list. It returns the beats up to the
// first that is marked as the last.
func (a *Answer) listen(d *sim.DUT[In, Out], in In) (list []Out, taken bool, err error) {
	in.Rst = false
	in.PosValid, in.PosList, in.MoveReady = true, true, true
	begin := d.Cycle()
	seen := map[string]bool{}
	counts, ended := 0, 0
	for left := maxUntaken; left > 0; left-- {
		cycle := d.Cycle()
		out, err := d.Step(in)
		if err != nil {
			return nil, taken, err
		}
		for _, port := range unknownPorts(out, d.Unknown()) {
			if !seen[port] {
				seen[port] = true
				a.note("%s is X or Z in cycle %d", port, cycle)
			}
		}
		if out.CountValid {
			if counts++; counts == 1 {
				a.Count = int(out.Count)
				if check := a.Position.InCheck(); out.CountCheck != check {
					a.note("count_check_o is %v, but in check is %v", out.CountCheck, check)
				}
			}
		}
		if out.MoveValid {
			list = append(list, out)
			if out.MoveLast && ended == 0 {
				ended = len(list)
				left = min(left, afterwards)
			}
		}
		if !taken && out.PosReady {
			taken, left = true, maxUnlisted
			in = In{MoveReady: true}
		}
	}
	if counts > 1 {
		a.note("%d counts for one position", counts)
	}
	switch {
	case !taken:
		a.note("pos_ready_o was not 1 in any of the %d cycles from %d on: the position is never taken", maxUntaken, begin)
	case ended == 0:
		a.note("move_last_o did not come within %d cycles (until cycle %d): the list does not end, after %d beats", maxUnlisted, d.Cycle(), len(list))
	case len(list) > ended:
		a.note("%d beats come after the one with move_last_o", len(list)-ended)
		list = list[:ended]
	}
	return list, taken, nil
}

// unknownPorts are the outputs that mean something in a cycle and have unknown bits.
func unknownPorts(out, unknown Out) (ports []string) {
	add := func(port string, x bool) {
		if x {
			ports = append(ports, port)
		}
	}
	add("pos_ready_o", unknown.PosReady)
	add("count_valid_o", unknown.CountValid)
	add("move_valid_o", unknown.MoveValid)
	if out.CountValid {
		add("count_o", unknown.Count != 0)
		add("count_check_o", unknown.CountCheck)
	}
	if out.MoveValid {
		add("move_last_o", unknown.MoveLast)
		add("move_none_o", unknown.MoveNone)
	}
	if out.MoveValid && !out.MoveNone {
		add("move_from_o", unknown.MoveFrom != 0)
		add("move_to_o", unknown.MoveTo != 0)
		add("move_piece_o", unknown.MovePiece != 0)
		add("move_captured_o", unknown.MoveCaptured != 0)
		add("move_promotion_o", unknown.MovePromotion != 0)
		add("move_castling_o", unknown.MoveCastling != 0)
		add("move_ep_o", unknown.MoveEp)
	}
	return ports
}

// compare compares a list with the one that is due.
func (a *Answer) compare(got []Out) {
	p := &a.Position
	type key struct {
		from, to  engine.Square
		promotion engine.Piece
	}
	left := map[key]engine.Move{}
	for _, m := range p.AppendMoves(nil) {
		if a.Filter.Passes(p, m) {
			left[key{m.From, m.To, m.Promotion}] = m
		}
	}
	due := len(left)
	var listed []engine.Move
	for i, out := range got {
		if out.MoveNone {
			if due > 0 || len(got) > 1 {
				a.note("beat %d of the list says with move_none_o that there is no move", i+1)
			}
			continue
		}
		m := Decode(out, p.SideToMove())
		listed = append(listed, m)
		k := key{m.From, m.To, m.Promotion}
		if l, ok := left[k]; ok {
			delete(left, k)
			a.compareMove(l, m, out)
		} else {
			a.Surplus = append(a.Surplus, m)
		}
	}
	a.Listed = len(listed)
	for _, m := range left {
		a.Missing = append(a.Missing, m)
	}
	byName := func(a, b engine.Move) int { return cmp.Compare(a.String(), b.String()) }
	slices.SortFunc(a.Missing, byName)
	slices.SortFunc(a.Surplus, byName)
	if a.Filter == All && a.Count != a.Listed {
		a.note("count and list differ: %d and %d", a.Count, a.Listed)
	}
	if a.Right() {
		var ordered list
		new(Model).fill(&ordered, p, a.Order, a.Filter)
		for i, m := range listed {
			if want := Decode(ordered.beats[i].out(), p.SideToMove()); m != want {
				a.note("all moves are there, but in another order: move %d is %s, due is %s", i+1, describe(m), describe(want))
				break
			}
		}
	}
}

// compareMove compares the fields of a move that is due.
func (a *Answer) compareMove(want, got engine.Move, out Out) {
	field := func(name, w, g string) {
		if w != g {
			a.Wrong = append(a.Wrong, WrongMove{Move: want, Field: name, Want: w, Got: g})
		}
	}
	field("piece", want.Piece.String(), got.Piece.String())
	field("captured", want.Captured.String(), got.Captured.String())
	field("castling", castlingName(want), [4]string{"none", "king side", "queen side", "both sides"}[out.MoveCastling&3])
	field("en passant", fmt.Sprint(want.EnPassant), fmt.Sprint(got.EnPassant))
}

func castlingName(m engine.Move) string {
	switch {
	case !m.Castling:
		return "none"
	case m.To > m.From:
		return "king side"
	}
	return "queen side"
}

// describe is a move in words: "e5d6 (pawn takes pawn, en passant)".
func describe(m engine.Move) string {
	words := m.Piece.String()
	if m.Captured != engine.NoPiece {
		words += " takes " + m.Captured.String()
	}
	if m.EnPassant {
		words += ", en passant"
	}
	if m.Castling {
		words += ", castling " + castlingName(m)
	}
	return fmt.Sprintf("%v (%s)", m, words)
}
