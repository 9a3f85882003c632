package perftengine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
)

// Model is the reference for the RTL: which outputs in which cycle. Positions, moves and their
// numbers come from package engine; the model adds the order in which the tree is walked and the
// timing. It is a row of places through which positions and moves go, as in the RTL. Make one with
// [NewModel].
type Model struct {
	state   state
	depth   int
	divide  bool
	done    bool
	ended   bool // the end of the job has reached the sums
	side    engine.Color
	trusted error

	// What is to be made, and stages 0 to 6: pipe[at], pipe[at+1] and so on, modulo its length.
	pipe [8]slot
	at   int

	// The lister: nodes from the slot to the end of their list in order, and where each stage is.
	nodes     []*node
	pool      [2 * maxNodes]node
	next      int  // of pool
	nodeBusy  bool // one is on its way to stage 6
	parked    *node
	todo      cursor // stage 5: the next destination
	fresh     bool   // of parked: none has gone on
	picked    cursor // stage 6
	origins   cursor // stage 7
	sending   cursor // stage 8: the next move
	beat      cursor // stage 9
	spare     cursor // and one place in reserve
	beatFirst bool   // it is the first of its list
	credit    int

	// The stack.
	stack      []entry
	base       int
	listing    bool
	listRem    int
	entry      entry
	entryValid bool
	plies      [MaxDepth + 1]engine.Position // listed onto the stack, by remaining depth

	// Stage 7: the sums.
	total, count uint64
	move         engine.Move
	open         bool
	queue        []engine.RootCount

	moves []engine.Move
}

// The sizes that the RTL has.
const (
	maxNodes       = 8
	maxMarks       = 16
	makeCycles     = 1 // to the slot
	analysisCycles = 3 // from there to the arrivals
	countCycles    = 3 // from there to the count
)

type state uint8

const (
	idle state = iota
	walk
	drain
)

// slot is what goes through the analysis.
type slot struct {
	node     *node           // a position to be listed
	count    bool            // a position to be counted
	one, end bool            // one to be added; the end of the job
	mark     bool            // a root move begins
	move     engine.Move     // which
	position engine.Position // with count
	moves    int             // its number of legal moves
}

// node is a position that is listed.
type node struct {
	position engine.Position
	listed   bool // onto the stack; otherwise its moves are made and counted
	rem      int  // plies to go
	root     bool // its first beat is marked with move
	move     engine.Move
	beats    []engine.Move // in the order of the lister; none: one beat without a move
}

// entry is a move on the stack, made in the position listed last with so many plies to go.
type entry struct {
	rem  int
	move engine.Move
}

// cursor points to a beat of a node's list.
type cursor struct {
	node *node
	at   int
}

func (c cursor) valid() bool { return c.node != nil }

// last reports whether the beat ends its list; lastOfDestination, whether the next goes elsewhere.
func (c cursor) last() bool { return c.at+1 >= len(c.node.beats) }

func (c cursor) lastOfDestination() bool {
	return c.last() || c.node.beats[c.at].To != c.node.beats[c.at+1].To
}

// NewModel returns a model in the state after reset.
func NewModel() *Model {
	m := &Model{moves: make([]engine.Move, 0, 256)}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	m.clear()
	m.total = 0
}

// clear is what a reset and an abort have in common.
func (m *Model) clear() {
	m.state, m.done, m.ended = idle, false, false
	m.pipe = [8]slot{}
	m.nodes, m.nodeBusy, m.parked = m.nodes[:0], false, nil
	m.todo, m.picked, m.origins, m.sending, m.beat, m.spare = cursor{}, cursor{}, cursor{}, cursor{}, cursor{}, cursor{}
	m.beatFirst, m.credit = true, maxMarks
	m.stack, m.listing, m.entryValid = m.stack[:0], false, false
	m.open, m.queue = false, m.queue[:0]
}

// SetCounts makes the count of all, and that of the present root move, something else, as a test
// does to the RTL by [sim.DUT.Poke] of u_sum.total_o and u_sum.count_q. No job that ends counts
// beyond the lower 40 of their 64 bits.
func (m *Model) SetCounts(total, root uint64) { m.total, m.count = total, root }

// Err tells of the first job whose position did not come from [Job].
func (m *Model) Err() error { return m.trusted }

// Step is one cycle.
func (m *Model) Step(in In) Out {
	out := Out{JobReady: m.state == idle, Busy: m.state != idle, Done: m.done, Count: m.total}
	if len(m.queue) > 0 {
		q := &m.queue[0]
		out.DivValid = true
		out.DivFrom, out.DivTo, out.DivPromotion = m.view(q.Move.From), m.view(q.Move.To), uint8(q.Move.Promotion)
		out.DivCount = q.Nodes
	}
	if in.Rst || in.Abort {
		m.sum(false)
		m.clear()
		if in.Rst {
			m.total = 0
		}
		return out
	}

	accept := in.JobValid && m.state == idle
	idleWalk := m.state == walk && len(m.nodes) == 0 && !m.entryValid && len(m.stack) == 0
	finish := m.state == drain && m.ended && !out.DivValid
	taken := out.DivValid && in.DivReady

	// What is made next: the job's position, a move from the stack, or one from the lister.
	var s slot
	take := m.entryValid && !m.nodeBusy && len(m.nodes) < maxNodes
	goes, marks := m.beatGoes(take)
	beat := m.beat
	switch {
	case accept:
		s = m.accept(&in)
	case take:
		p := &m.plies[m.entry.rem]
		s.node = m.newNode(p.Make(m.entry.move), m.entry.rem-1)
		s.node.root, s.node.move = m.entry.rem == m.depth, m.entry.move
	case goes:
		n := beat.node
		s.mark = marks
		if marks {
			s.move = n.move
			if m.depth <= 2 {
				s.move = n.beats[beat.at]
			}
		}
		if !n.listed && len(n.beats) > 0 {
			if m.depth == 1 {
				s.one = true
			} else {
				s.count = true
				s.position = n.position.Make(n.beats[beat.at])
				s.moves = s.position.Count()
			}
		}
	}
	s.end = idleWalk

	m.stepStack(take, goes, beat)
	if accept && s.node != nil && s.node.listed {
		m.listing, m.base, m.listRem = true, 0, m.depth
	}
	free := m.stepLister(goes)

	// Order and number of the nodes.
	if goes {
		m.beatFirst = beat.last()
		if beat.last() {
			m.nodes = slices.Delete(m.nodes, 0, 1)
		}
	}
	if s.node != nil {
		m.nodes = append(m.nodes, s.node)
		m.nodeBusy = true
		if s.node.listed {
			m.plies[s.node.rem] = s.node.position
		}
	} else if free {
		m.nodeBusy = false
	}
	if goes && marks {
		m.credit--
	}
	if taken {
		m.credit++
		m.queue = slices.Delete(m.queue, 0, 1)
	}

	ended := m.sum(accept)
	m.at = (m.at + len(m.pipe) - 1) % len(m.pipe)
	m.pipe[m.at] = s

	m.ended = !accept && (m.ended || ended)
	m.done = finish
	switch {
	case accept:
		m.state = walk
	case idleWalk:
		m.state = drain
	case finish:
		m.state = idle
	}
	return out
}

// stage is what the pipeline holds so many cycles after it began to be made.
func (m *Model) stage(n int) *slot { return &m.pipe[(m.at+n)%len(m.pipe)] }

// view turns a square into the view of the job's side to move.
func (m *Model) view(s engine.Square) uint8 {
	if m.side == engine.Black {
		return uint8(s) ^ 56
	}
	return uint8(s)
}

// accept is what is made of a job.
func (m *Model) accept(in *In) (s slot) {
	p := in.position
	if p == (engine.Position{}) && m.trusted == nil {
		m.trusted = errors.New("model of perftengine: a job whose position did not come from Job")
	}
	m.depth, m.divide, m.side = int(in.JobDepth), in.JobDivide, p.SideToMove()
	switch {
	case m.depth == 0:
		s.one = true
	case m.depth == 1 && !m.divide:
		s.count, s.position, s.moves = true, p, p.Count()
	default:
		s.node = m.newNode(p, m.depth)
	}
	return s
}

// newNode is a position to be listed.
func (m *Model) newNode(p engine.Position, rem int) *node {
	n := &m.pool[m.next]
	m.next = (m.next + 1) % len(m.pool)
	*n = node{position: p, listed: rem > 2, rem: rem, beats: p.AppendMoves(n.beats[:0])}
	// The lister's order: by destination, then origin, in the view of the side to move; then queen,
	// rook, bishop, knight.
	flip := engine.Square(0)
	if p.SideToMove() == engine.Black {
		flip = 56
	}
	key := func(b engine.Move) int { return int(b.To^flip)<<10 | int(b.From^flip)<<4 | int(7-b.Promotion) }
	slices.SortFunc(n.beats, func(a, b engine.Move) int { return key(a) - key(b) })
	return n
}

// beatGoes reports whether the beat at the lister's output goes, and whether it is marked as the
// beginning of a root move. A move from the stack goes first.
func (m *Model) beatGoes(entryTaken bool) (goes, marks bool) {
	if !m.beat.valid() {
		return false, false
	}
	n := m.beat.node
	none := len(n.beats) == 0
	if m.divide {
		marks = n.root && m.beatFirst
		if m.depth <= 2 {
			marks = !none
		}
	}
	slot := marks || !n.listed && !none
	return !slot || !entryTaken && (!marks || m.credit > 0), marks
}

// stepStack takes what is to be visited next from the stack, and puts the lister's beat onto it.
func (m *Model) stepStack(take, goes bool, beat cursor) {
	top := len(m.stack) - 1
	may := top >= 0
	if m.listing {
		may = m.listRem == 3 && len(m.stack) != m.base
	}
	lists := take && m.entry.rem > 3
	pop := may && (!m.entryValid || take && !lists)
	if lists {
		m.listing, m.base, m.listRem = true, len(m.stack), m.entry.rem-1
	}
	if pop {
		m.entry = m.stack[top]
		m.stack = m.stack[:top]
	}
	m.entryValid = pop || m.entryValid && !take
	if goes && beat.node.listed {
		if len(beat.node.beats) > 0 {
			m.stack = append(m.stack, entry{beat.node.rem, beat.node.beats[beat.at]})
		}
		if beat.last() {
			m.listing = false
		}
	}
}

// stepLister moves stages 4 to 9, last one first, and reports whether stage 4 was copied.
func (m *Model) stepLister(goes bool) (copied bool) {
	// Stage 8 to 9: one move. The reserve is used when a move under way is not taken.
	next, full := m.sending, m.spare.valid()
	switch {
	case m.beat.valid() && !goes:
		if !full {
			m.spare = next
		}
	case full:
		m.beat, m.spare = m.spare, cursor{}
	default:
		m.beat = next
	}
	load8 := !m.sending.valid()
	if !load8 && !full {
		load8 = m.sending.lastOfDestination()
		m.sending.at++
	}
	load7 := !m.origins.valid() || load8
	if load8 {
		m.sending = m.origins
	}
	load6 := !m.picked.valid() || load7
	if load7 {
		m.origins = m.picked
	}
	wasFresh := m.fresh
	load5 := !m.todo.valid()
	parked := m.parked
	if load6 {
		m.picked = m.todo
		if m.todo.valid() {
			if copied = m.fresh; copied {
				m.parked = nil
			}
			m.fresh = false
			for !m.todo.lastOfDestination() {
				m.todo.at++
			}
			if m.todo.last() {
				m.todo = cursor{}
				load5 = !wasFresh // if fresh, stage 4 still holds this same position
			} else {
				m.todo.at++
			}
		}
	}
	if load5 && parked != nil {
		m.todo, m.fresh = cursor{node: parked}, true
	}
	if n := m.stage(makeCycles + analysisCycles).node; n != nil {
		m.parked = n
	}
	return copied
}

// sum adds what the count has, and reports whether that was the end of the job.
func (m *Model) sum(start bool) (ended bool) {
	s := m.stage(makeCycles + analysisCycles + countCycles)
	add := uint64(0)
	switch {
	case s.count:
		add = uint64(s.moves)
	case s.one:
		add = 1
	}
	if m.open && (s.mark || s.end) {
		m.queue = append(m.queue, engine.RootCount{Move: m.move, Nodes: m.count})
	}
	if s.mark {
		m.open, m.count, m.move = true, 0, s.move
	}
	m.count += add
	m.total += add
	if start {
		m.total = 0
	}
	if s.end {
		m.open = false
	}
	return s.end
}

// explain says what the sums take in this cycle and what they are at.
func (m *Model) explain() string {
	s := m.stage(makeCycles + analysisCycles + countCycles)
	text := ""
	switch {
	case m.state != idle && m.divide:
		text = fmt.Sprintf("divide %d under way", m.depth)
	case m.state != idle:
		text = fmt.Sprintf("perft %d under way", m.depth)
	default:
		return "no job under way\n"
	}
	text += fmt.Sprintf(", %d positions on their way to be listed or in the list, %d moves on the stack\n", len(m.nodes), len(m.stack))
	switch {
	case s.count:
		text += fmt.Sprintf("added last: %d moves of %s\n%s", s.moves, s.position.FEN(), s.position.Board())
	case s.one:
		text += "added last: one position\n"
	case s.mark:
		text += fmt.Sprintf("the root move %v began\n", s.move)
	case s.end:
		text += "the end of the job was reached\n"
	default:
		text += "nothing was to be added\n"
	}
	return text
}

// DontCare masks the root move while it is not valid.
func (m *Model) DontCare(want Out) Out {
	if want.DivValid {
		return Out{}
	}
	return Out{DivFrom: 63, DivTo: 63, DivPromotion: 7, DivCount: 1<<64 - 1}
}
