package movegen

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/order"
)

// Model is the reference for the RTL: which outputs in which cycle. The moves, their number and
// check come from package engine; the model adds order and timing. It is made by [NewModel].
//
// It is a row of places through which positions, destinations and moves go, as in the RTL; a
// thing steps on in the cycle in which the next place is free or becomes free.
type Model struct {
	// Positions in stages 1 to 3, which move together.
	stage [3]slot
	fresh bool // stage[2] was filled in the last cycle: it is to be counted

	counts [3]count // stages 4 to 6; the last is what count_valid_o shows

	sorted     cursor // stage 4: a position to be listed
	todo       cursor // stage 5: the list's destinations not yet picked
	todoFresh  bool   // none of them is: the position is still in stage 4
	picked     cursor // stage 6: one destination
	origins    cursor // stage 7: the same, from the kind of piece on that is next
	kind       cursor // stage 8: the moves of one kind, from the next one on
	spareKind  cursor // and one place in reserve
	shown      beat   // stage 9: what move_valid_o shows
	spare      beat   // and one place in reserve
	lists      [16]list
	next       uint8 // of lists, the one to be used next: never more than ten are on their way
	moves      [256]engine.Move
	unreadable error
}

// slot is a position on its way to stage 3.
type slot struct {
	valid, list bool
	again       bool  // stage 1 analyses it twice
	which       uint8 // of Model.lists
	count       count
}

type count struct {
	valid, check bool
	moves        uint8
}

// beat is a valid move, or nothing.
type beat struct {
	valid bool
	move  packed
}

// cursor points to a beat of a list.
type cursor struct {
	valid bool
	which uint8 // of Model.lists
	at    int   // the next beat
}

// list is a position's beats in the order in which they come.
type list struct {
	beats []packed
}

// packed is a beat as one number: its key, see [Order.key], above its other fields. So numbers sort
// in the order of the list.
type packed uint32

// Fields of a packed beat: the lowest bit of each.
const (
	packedNone      = 0
	packedLast      = 1
	packedEp        = 2
	packedCastling  = 3
	packedCaptured  = 5
	packedPiece     = 8
	packedKey       = 11
	packedPromotion = packedKey // 7 less the piece
	packedFrom      = packedKey + order.KeyFrom
	packedAggressor = packedKey + order.KeyAggressor
	packedTo        = packedKey + order.KeyTo
)

func pack(m engine.Move, side engine.Color, o Order) packed {
	b := packed(o.Key(m, side))<<packedKey |
		packed(m.Piece)<<packedPiece |
		packed(m.Captured)<<packedCaptured
	switch {
	case m.Castling && m.To > m.From:
		b |= 1 << packedCastling
	case m.Castling:
		b |= 2 << packedCastling
	case m.EnPassant:
		b |= 1 << packedEp
	}
	return b
}

// out is the beat as it appears at the ports.
func (b packed) out() Out {
	return Out{
		MoveValid:     true,
		MoveTo:        uint8(b >> packedTo & 63),
		MoveFrom:      uint8(b >> packedFrom & 63),
		MovePromotion: 7 - uint8(b>>packedPromotion&7),
		MovePiece:     uint8(b >> packedPiece & 7),
		MoveCaptured:  uint8(b >> packedCaptured & 7),
		MoveCastling:  uint8(b >> packedCastling & 3),
		MoveEp:        b>>packedEp&1 != 0,
		MoveLast:      b>>packedLast&1 != 0,
		MoveNone:      b>>packedNone&1 != 0,
	}
}

// NewModel returns a model in the state after reset.
func NewModel() *Model {
	m := &Model{}
	for i := range m.lists {
		m.lists[i].beats = make([]packed, 0, len(m.moves))
	}
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	m.stage = [3]slot{}
	m.fresh = false
	m.counts = [3]count{}
	m.sorted, m.todo, m.picked, m.origins = cursor{}, cursor{}, cursor{}, cursor{}
	m.kind, m.spareKind = cursor{}, cursor{}
	m.shown, m.spare = beat{}, beat{}
}

// Err tells of the first position taken whose ports held no legal position. Such a position counts
// as one without moves.
func (m *Model) Err() error { return m.unreadable }

// Step is one cycle.
func (m *Model) Step(in In) Out {
	listed := m.stage[2].valid && m.stage[2].list
	waits := listed && m.sorted.valid
	again := m.stage[0].again
	var out Out
	if m.shown.valid {
		out = m.shown.move.out()
	}
	out.PosReady = !waits && !again
	if c := &m.counts[2]; c.valid {
		out.CountValid, out.Count, out.CountCheck = true, c.moves, c.check
	}
	if in.Rst {
		m.Reset()
		return out
	}

	// Counts go on whatever happens to the lists.
	m.counts[2], m.counts[1] = m.counts[1], m.counts[0]
	m.counts[0] = count{}
	if m.fresh && m.stage[2].valid {
		m.counts[0] = m.stage[2].count
	}

	taken := m.stepLister(in.MoveReady)
	switch {
	case taken:
		m.sorted.valid = false
	case listed && !waits:
		m.sorted = cursor{valid: true, which: m.stage[2].which}
	}

	m.fresh = !waits
	if !waits {
		m.stage[2], m.stage[1] = m.stage[1], m.stage[0]
		m.stage[0] = slot{}
		if in.PosValid && !again {
			m.accept(&in)
		}
	}
	return out
}

// stepLister moves stages 5 to 9, and reports whether the position in stage 4 was handed over.
// Which of them move is known from where things were before.
func (m *Model) stepLister(ready bool) (taken bool) {
	reserve := m.spare.valid
	free8 := !m.kind.valid || !reserve && m.end(&m.kind, packedAggressor) == m.kind.at+1
	ready8 := !m.spareKind.valid
	load7 := !m.origins.valid || ready8 && m.end(&m.origins, packedAggressor) == m.end(&m.origins, packedTo)
	load6 := !m.picked.valid || load7

	// Stage 8 to 9: one move. The reserve is used when the receiver stops a move already under way.
	next := beat{valid: m.kind.valid}
	if next.valid {
		next.move = m.lists[m.kind.which].beats[m.kind.at]
	}
	switch {
	case m.shown.valid && !ready:
		if !reserve {
			m.spare = next
		}
	case reserve:
		m.shown, m.spare.valid = m.spare, false
	default:
		m.shown = next
	}

	// Stage 7 to 8: one kind of piece.
	if free8 {
		m.kind = m.origins
		if m.spareKind.valid {
			m.kind, m.spareKind.valid = m.spareKind, false
		}
	} else {
		if ready8 {
			m.spareKind = m.origins
		}
		if !reserve {
			m.kind.at++
		}
	}

	// Stage 6 to 7: one destination.
	if load7 {
		m.origins = m.picked
	} else if ready8 {
		m.origins.at = m.end(&m.origins, packedAggressor)
	}

	// Stage 5 to 6: one destination. With a position's first, stage 4 is free.
	todoFree := !m.todo.valid
	if load6 {
		m.picked = m.todo
		if m.todo.valid {
			taken = m.todoFresh
			m.todo.at = m.end(&m.todo, packedTo)
			if m.todo.at == len(m.lists[m.todo.which].beats) {
				m.todo.valid = false
				todoFree = !m.todoFresh // if fresh, stage 4 still holds this same position
			}
			m.todoFresh = false
		}
	}
	if todoFree && m.sorted.valid {
		m.todo = m.sorted
		m.todoFresh = true
	}
	return taken
}

// end is the first beat after that of c which differs from it in the part of the key from bit shift
// on, or the end of the list.
func (m *Model) end(c *cursor, shift uint) int {
	beats := m.lists[c.which].beats
	at := c.at + 1
	for at < len(beats) && beats[at]>>shift == beats[c.at]>>shift {
		at++
	}
	return at
}

// accept puts the position that in holds into stage 1.
func (m *Model) accept(in *In) {
	s := slot{valid: true, list: in.PosList}
	s.count.valid = true
	p, err := in.Position()
	if err != nil && m.unreadable == nil {
		m.unreadable = fmt.Errorf("model of movegen: %w", err)
	}
	s.count.check = p.InCheck()
	if s.list {
		s.again = in.PosFilter == Checks
		s.which = m.next
		m.next = (m.next + 1) % uint8(len(m.lists))
		s.count.moves = uint8(m.fill(&m.lists[s.which], &p, in.PosOrder, in.PosFilter))
	} else {
		s.count.moves = uint8(p.Count())
	}
	m.stage[0] = s
}

// fill makes the list of a position's moves that pass the filter, and returns the number of all its
// moves.
func (m *Model) fill(l *list, p *engine.Position, o Order, f Filter) int {
	side := p.SideToMove()
	moves := p.AppendMoves(m.moves[:0])
	l.beats = l.beats[:0]
	for i := range moves {
		if f.Passes(p, moves[i]) {
			l.beats = append(l.beats, pack(moves[i], side, o))
		}
	}
	slices.Sort(l.beats)
	if len(l.beats) == 0 {
		l.beats = append(l.beats, 1<<packedNone)
	}
	l.beats[len(l.beats)-1] |= 1 << packedLast
	return len(moves)
}

// DontCare masks what the ports leave open: counts and moves that are not valid, and the fields of
// a beat that says there is no move.
func (m *Model) DontCare(want Out) Out {
	var mask Out
	if !want.CountValid {
		mask.Count, mask.CountCheck = 255, true
	}
	if !want.MoveValid || want.MoveNone {
		mask.MoveFrom, mask.MoveTo, mask.MovePiece, mask.MoveCaptured = 63, 63, 7, 7
		mask.MovePromotion, mask.MoveCastling, mask.MoveEp = 7, 3, true
	}
	if !want.MoveValid {
		mask.MoveLast, mask.MoveNone = true, true
	}
	return mask
}
