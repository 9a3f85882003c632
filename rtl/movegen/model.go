package movegen

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
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
	taken bool // stage[2] was handed to the lister in the last cycle

	counts [3]count // stages 4 to 6; the last is what count_valid_o shows

	todo       cursor // stage 4: the list's destinations not yet picked
	todoFresh  bool   // none of them is: the position is still in stage 3
	picked     cursor // stage 5: one destination
	origins    cursor // stage 6: the same, its origins known
	sending    cursor // stage 7: its moves, from the next one on
	shown      beat   // stage 8: what move_valid_o shows
	spare      beat   // and one place in reserve
	lists      [16]list
	next       uint8 // of lists, the one to be used next: never more than ten are on their way
	moves      [256]engine.Move
	unreadable error
}

// slot is a position on its way to stage 3.
type slot struct {
	valid, list bool
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
	at    int
}

// list is a position's beats in the order in which they come.
type list struct {
	beats []packed
}

// packed is a beat as one number. Numbers sort in the order of the ports: ascending by destination,
// then by origin, then queen, rook, bishop, knight.
type packed uint32

// Fields of a packed beat: the lowest bit of each.
const (
	packedNone      = 0
	packedLast      = 1
	packedEp        = 2
	packedCastling  = 3
	packedCaptured  = 5
	packedPiece     = 8
	packedPromotion = 11 // 7 less the piece
	packedFrom      = 14
	packedTo        = 20
)

func pack(m engine.Move, side engine.Color) packed {
	b := packed(mirror(uint8(m.To), side))<<packedTo |
		packed(mirror(uint8(m.From), side))<<packedFrom |
		packed(7-m.Promotion)<<packedPromotion |
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
	m.fresh, m.taken = false, false
	m.counts = [3]count{}
	m.todo, m.picked, m.origins, m.sending = cursor{}, cursor{}, cursor{}, cursor{}
	m.shown, m.spare = beat{}, beat{}
}

// Err tells of the first position taken whose ports held no legal position. Such a position counts
// as one without moves.
func (m *Model) Err() error { return m.unreadable }

// Step is one cycle.
func (m *Model) Step(in In) Out {
	waits := m.stage[2].valid && m.stage[2].list && !m.taken
	out := Out{PosReady: !waits}
	if m.shown.valid {
		out = m.shown.move.out()
		out.PosReady = !waits
	}
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

	m.taken = m.stepLister(in.MoveReady, waits)

	m.fresh = !waits
	if !waits {
		m.stage[2], m.stage[1] = m.stage[1], m.stage[0]
		m.stage[0] = slot{}
		if in.PosValid {
			m.accept(&in)
		}
	}
	return out
}

// stepLister moves stages 4 to 8, last one first, and tells whether the position in stage 3 was
// handed over.
func (m *Model) stepLister(ready, waiting bool) (taken bool) {
	// Stage 7 to 8: one move. The reserve is used when the receiver stops a move already under way.
	next := beat{valid: m.sending.valid}
	if next.valid {
		next.move = m.lists[m.sending.which].beats[m.sending.at]
	}
	full := m.spare.valid
	switch {
	case m.shown.valid && !ready:
		if !full {
			m.spare = next
		}
	case full:
		m.shown, m.spare.valid = m.spare, false
	default:
		m.shown = next
	}

	// Stages 5 to 7: a destination moves on when the last move to the one before has gone.
	sendingFree := !m.sending.valid
	if m.sending.valid && !full {
		sendingFree = m.lastOfDestination(&m.sending)
		m.sending.at++
	}
	originsFree := !m.origins.valid || sendingFree
	pickedFree := !m.picked.valid || originsFree
	if sendingFree {
		m.sending = m.origins
	}
	if originsFree {
		m.origins = m.picked
	}

	// Stage 4 to 5: a destination. With a position's first, the lister has taken it over.
	todoFree := !m.todo.valid
	wasFresh := m.todoFresh
	if pickedFree {
		m.picked = m.todo
		if m.todo.valid {
			taken = m.todoFresh
			m.todoFresh = false
			for !m.lastOfDestination(&m.todo) {
				m.todo.at++
			}
			m.todo.at++
			if m.todo.at >= len(m.lists[m.todo.which].beats) {
				todoFree = !wasFresh // if fresh, stage 3 still holds this same position
				m.todo.valid = false
			}
		}
	}
	if todoFree && waiting {
		m.todo = cursor{valid: true, which: m.stage[2].which}
		m.todoFresh = true
	}
	return taken
}

// lastOfDestination tells whether the next beat goes elsewhere.
func (m *Model) lastOfDestination(c *cursor) bool {
	beats := m.lists[c.which].beats
	return c.at+1 == len(beats) || beats[c.at+1]>>packedTo != beats[c.at]>>packedTo
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
		s.which = m.next
		m.next = (m.next + 1) % uint8(len(m.lists))
		s.count.moves = uint8(m.fill(&m.lists[s.which], &p))
	} else {
		s.count.moves = uint8(p.Count())
	}
	m.stage[0] = s
}

// fill makes the list of a position's moves, and returns their number.
func (m *Model) fill(l *list, p *engine.Position) int {
	side := p.SideToMove()
	moves := p.AppendMoves(m.moves[:0])
	l.beats = l.beats[:0]
	for i := range moves {
		l.beats = append(l.beats, pack(moves[i], side))
	}
	slices.Sort(l.beats)
	if len(moves) == 0 {
		l.beats = append(l.beats, pack(engine.Move{}, engine.White)|1<<packedNone)
	}
	l.beats[len(l.beats)-1] |= 1 << packedLast
	return len(moves)
}

// DontCare masks what the ports leave open: counts and moves that are not valid, and the fields of a
// beat that says there is no move.
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
