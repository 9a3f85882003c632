package burst

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
)

// Model is the reference for the RTL: which outputs in which cycle. The moves come from package
// engine, where they come out from [Lane]; the model adds the timing. It is made by [NewModel].
type Model struct {
	stage1, stage2 *list   // positions being analysed; nil if there is none
	taken          bool    // stage2 was handed to the lanes in the last cycle
	picking        *list   // stage 3: what the lanes pick from, until its end
	at             int     // its next beat
	beats          [3]beat // stages 4 to 6; the last is what the ports show
	lists          [8]list
	next           int // of lists, the one to be used next: never more than three are on their way
	moves          []engine.Move
	keyed          []keyed
	unreadable     error
}

// list is a position's beats in the order in which they come.
type list struct{ beats []beat }

// beat is what the ports show of one, or nothing.
type beat struct {
	valid, last bool
	move        [Lanes]uint32
}

// keyed is a move with its place.
type keyed struct {
	move      engine.Move
	lane, key int
}

// NewModel returns a model in the state after reset.
func NewModel() *Model { return &Model{} }

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	m.stage1, m.stage2, m.picking = nil, nil, nil
	m.taken = false
	m.beats = [3]beat{}
}

// Err tells of the first position taken whose ports held no legal position. Such a position counts
// as one without moves.
func (m *Model) Err() error { return m.unreadable }

// Step is one cycle.
func (m *Model) Step(in In) Out {
	waits := m.stage2 != nil && !m.taken
	shown := &m.beats[2]
	out := Out{PosReady: !waits, BeatValid: shown.valid, BeatLast: shown.last, Move: shown.move}
	if in.Rst {
		m.Reset()
		return out
	}

	// Stages 3 to 6, unless a beat waits for its receiver. With a position's last beat the next one
	// is taken over.
	m.taken = false
	if !shown.valid || in.BeatReady {
		m.beats = [3]beat{{}, m.beats[0], m.beats[1]}
		if m.picking != nil {
			m.beats[0] = m.picking.beats[m.at]
			if m.at++; m.at == len(m.picking.beats) {
				m.picking = nil
			}
		}
		if m.picking == nil && waits {
			m.picking, m.at, m.taken = m.stage2, 0, true
		}
	}

	// Stages 1 and 2, unless a position waits for the lanes.
	if !waits {
		m.stage2, m.stage1 = m.stage1, nil
		if in.PosValid {
			m.stage1 = m.accept(&in)
		}
	}
	return out
}

// accept makes the list of the position that in holds.
func (m *Model) accept(in *In) *list {
	p, err := in.Position()
	if err != nil && m.unreadable == nil {
		m.unreadable = fmt.Errorf("model of burst: %w", err)
	}
	l := &m.lists[m.next]
	m.next = (m.next + 1) % len(m.lists)
	m.fill(l, &p)
	return l
}

// fill makes a position's list: a lane's moves are in successive beats from the first on, and so
// are the knights.
func (m *Model) fill(l *list, p *engine.Position) {
	m.moves = p.AppendMoves(m.moves[:0])
	m.keyed = m.keyed[:0]
	for _, move := range m.moves {
		lane, key := Lane(move, p.SideToMove())
		m.keyed = append(m.keyed, keyed{move, lane, key})
	}
	slices.SortFunc(m.keyed, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })

	l.beats = append(l.beats[:0], beat{valid: true})
	var used [Lanes]int // beats that have a move, by lane
	knights, knight := 0, -1
	for _, k := range m.keyed {
		at := used[k.lane]
		if k.move.Piece == engine.Knight {
			if k.key != knight {
				knights, knight = knights+1, k.key
			}
			at = knights - 1
		}
		used[k.lane] = at + 1
		for at >= len(l.beats) {
			l.beats = append(l.beats, beat{valid: true})
		}
		l.beats[at].move[k.lane] = word(k.move, p.SideToMove())
	}
	l.beats[len(l.beats)-1].last = true
}

// Beats returns how many beats the list of a position has, at least one.
func Beats(p *engine.Position) int {
	var l list
	new(Model).fill(&l, p)
	return len(l.beats)
}

// DontCare masks what the ports leave open: the fields of a word that is not valid, and whether it
// is the last beat if there is none.
func (m *Model) DontCare(want Out) Out {
	var mask Out
	mask.BeatLast = !want.BeatValid
	for i, w := range want.Move {
		if w>>wordValid == 0 {
			mask.Move[i] = wordFields
		}
	}
	return mask
}
