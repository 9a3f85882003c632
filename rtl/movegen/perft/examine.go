package perft

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// Bounds on a single position's examination, in cycles: no RTL, however broken,
// makes it hang.
const (
	maxUntaken  = 256  // until it is taken
	maxUnlisted = 1024 // from there to the end of its list; the longest has 218 moves
	afterwards  = 300  // to see what comes after the end
)

// answer is what the RTL said about one position.
type answer struct {
	taken  bool
	counts []movegen.Out // cycles with a count
	beats  []movegen.Out // cycles with a move
	ended  int           // beats up to the first move_last_o; 0 if there was none
	notes  []string
	at     uint64 // cycle of the first offer
}

// examine gives one position to a new instance of the design and takes its list
// in single steps, with a handshake on both sides. What is wrong is in the Fault,
// which is Alone if anything is. With an error the Fault holds what was seen before.
func examine(ctx context.Context, o Options, s sim.Simulator, p *engine.Position) (*Fault, error) {
	f := &Fault{Simulator: s, Position: *p, Count: -1}
	dut, err := sim.Open[movegen.In, movegen.Out](ctx, o.Design, s, o.Sim...)
	if err != nil {
		return f, err
	}
	defer dut.Close()
	if err := dut.Reset(resetCycles); err != nil {
		return f, err
	}
	got, err := ask(dut.Step, dut.Unknown, dut.Cycle(), p)
	if err != nil {
		return f, err
	}
	model := movegen.NewModel()
	want, err := ask(func(in movegen.In) (movegen.Out, error) { return model.Step(in), nil }, nil, 0, p)
	if err != nil {
		return f, err
	}
	f.compare(got, want)
	return f, nil
}

// ask offers a position until it is taken, and takes its list to the end.
func ask(step func(movegen.In) (movegen.Out, error), unknown func() movegen.Out, cycle uint64, p *engine.Position) (*answer, error) {
	a := &answer{at: cycle}
	in := movegen.Encode(p)
	in.PosValid, in.PosList, in.MoveReady = true, true, true
	seen := map[string]bool{}
	for left := maxUntaken; left > 0; left-- {
		out, err := step(in)
		if err != nil {
			return a, err
		}
		if unknown != nil {
			a.look(out, unknown(), cycle, seen)
		}
		if out.CountValid {
			a.counts = append(a.counts, out)
		}
		if out.MoveValid {
			a.beats = append(a.beats, out)
			if out.MoveLast && a.ended == 0 {
				a.ended = len(a.beats)
				left = min(left, afterwards)
			}
		}
		if !a.taken && out.PosReady {
			a.taken, left = true, maxUnlisted
			in = movegen.In{MoveReady: true}
		}
		cycle++
	}
	if !a.taken {
		a.notes = append(a.notes, fmt.Sprintf("pos_ready_o was not 1 in any of the %d cycles from %d on: the position is never taken", maxUntaken, a.at))
	} else if a.ended == 0 {
		a.notes = append(a.notes, fmt.Sprintf("move_last_o did not come within %d cycles (until cycle %d): the list does not end, after %d beats", maxUnlisted, cycle, len(a.beats)))
	}
	return a, nil
}

// look notes unknown bits of outputs that mean something in this cycle.
func (a *answer) look(out, unknown movegen.Out, cycle uint64, seen map[string]bool) {
	note := func(port string, x bool) {
		if x && !seen[port] {
			seen[port] = true
			a.notes = append(a.notes, fmt.Sprintf("%s is X or Z in cycle %d", port, cycle))
		}
	}
	note("pos_ready_o", unknown.PosReady)
	note("count_valid_o", unknown.CountValid)
	note("move_valid_o", unknown.MoveValid)
	if out.CountValid {
		note("count_o", unknown.Count != 0)
		note("count_check_o", unknown.CountCheck)
	}
	if out.MoveValid {
		note("move_last_o", unknown.MoveLast)
		note("move_none_o", unknown.MoveNone)
	}
	if out.MoveValid && !out.MoveNone {
		note("move_from_o", unknown.MoveFrom != 0)
		note("move_to_o", unknown.MoveTo != 0)
		note("move_piece_o", unknown.MovePiece != 0)
		note("move_captured_o", unknown.MoveCaptured != 0)
		note("move_promotion_o", unknown.MovePromotion != 0)
		note("move_castling_o", unknown.MoveCastling != 0)
		note("move_ep_o", unknown.MoveEp)
	}
}

// compare sets the RTL's answer beside what the reference and the model say.
func (f *Fault) compare(got, want *answer) {
	p := &f.Position
	f.Notes = append(f.Notes, got.notes...)
	if !got.taken {
		f.Alone = true
		return
	}
	note := func(format string, args ...any) { f.Notes = append(f.Notes, fmt.Sprintf(format, args...)) }

	if len(got.counts) > 0 {
		f.Count = int(got.counts[0].Count)
		if got.counts[0].CountCheck != p.InCheck() {
			note("count_check_o is %v, but in check is %v", got.counts[0].CountCheck, p.InCheck())
		}
	}
	if len(got.counts) > 1 {
		note("%d counts for one position", len(got.counts))
	}

	list := got.beats
	if got.ended > 0 {
		list = list[:got.ended]
		if more := len(got.beats) - got.ended; more > 0 {
			note("%d beats come after the one with move_last_o", more)
		}
	}
	type key struct {
		from, to  engine.Square
		promotion engine.Piece
	}
	legal := map[key]engine.Move{}
	for _, m := range p.AppendMoves(nil) {
		legal[key{m.From, m.To, m.Promotion}] = m
	}
	count := len(legal)
	for i, out := range list {
		if out.MoveNone {
			if count > 0 || len(list) > 1 {
				note("beat %d of the list says with move_none_o that there is no move", i+1)
			}
			continue
		}
		f.Listed++
		m := movegen.Decode(out, p.SideToMove())
		k := key{m.From, m.To, m.Promotion}
		l, ok := legal[k]
		if !ok {
			f.Surplus = append(f.Surplus, m)
			continue
		}
		delete(legal, k)
		f.compareMove(l, m, out)
	}
	for _, m := range legal {
		f.Missing = append(f.Missing, m)
	}
	slices.SortFunc(f.Missing, byName)
	slices.SortFunc(f.Surplus, byName)
	if f.Count != f.Listed {
		note("count and list differ: %d and %d", f.Count, f.Listed)
	}

	f.Alone = len(f.Missing)+len(f.Surplus)+len(f.Wrong)+len(f.Notes) > 0 || f.Count != count
	if !f.Alone {
		for i := range list {
			g, w := movegen.Decode(list[i], p.SideToMove()), movegen.Decode(want.beats[i], p.SideToMove())
			if count > 0 && g != w {
				note("all moves are there, but in another order: beat %d is %s, not %s", i+1, g, w)
				f.Alone = true
				break
			}
		}
	}
}

// compareMove compares the fields of a move that is legal.
func (f *Fault) compareMove(want, got engine.Move, out movegen.Out) {
	field := func(name, w, g string) {
		if w != g {
			f.Wrong = append(f.Wrong, WrongMove{Move: want, Field: name, Want: w, Got: g})
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

func byName(a, b engine.Move) int { return cmp.Compare(a.String(), b.String()) }
