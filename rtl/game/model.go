package game

import (
	"errors"
	"fmt"

	"github.com/cosimate/cosimate/engine"
)

// Model is the reference for the RTL: which state and which error in which cycle. Its positions and
// moves are those of package engine; the model adds the stack and what is refused. Make
// one with [NewModel].
type Model struct {
	plies    int
	position engine.Position
	stack    []engine.Position
	shown    Out // position at the ports, error included
	moves    []engine.Move
	trusted  error
}

// NewModel returns a model in the state after reset, with a stack of so many plies.
func NewModel(plies int) *Model {
	m := &Model{plies: plies, moves: make([]engine.Move, 0, 256)}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	m.stack = m.stack[:0]
	m.set(engine.Position{}, NoError)
}

// Position is the state.
func (m *Model) Position() engine.Position { return m.position }

// Err tells of the first command that the RTL trusts not to be given and that was: an illegal
// move that is not one of those refused, or a null move in check.
func (m *Model) Err() error { return m.trusted }

func (m *Model) set(p engine.Position, e Error) {
	m.position = p
	m.shown = show(&m.position)
	m.shown.Error = e
	m.shown.Depth = uint8(len(m.stack))
}

// Step is one cycle.
func (m *Model) Step(in In) Out {
	out := m.shown
	m.shown.Error = NoError
	switch {
	case in.Rst:
		m.Reset()
	case !in.CmdValid:
	case in.Cmd == CmdLoad:
		m.stack = m.stack[:0]
		m.set(in.position, NoError)
	case in.Cmd == CmdUnmake:
		if len(m.stack) == 0 {
			m.shown.Error = ErrEmpty
			break
		}
		last := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		m.set(last, NoError)
	case len(m.stack) == m.plies:
		m.shown.Error = ErrFull
	case in.Cmd == CmdNull:
		if m.position.InCheck() {
			m.trust("a null move", errors.New("the side to move is in check"))
			break
		}
		m.stack = append(m.stack, m.position)
		m.set(m.position.MakeNull(), NoError)
	default:
		m.make(in)
	}
	return out
}

func (m *Model) trust(what string, err error) {
	if m.trusted == nil {
		m.trusted = fmt.Errorf("model of game: %s in %s: %w", what, m.position.FEN(), err)
	}
}

func (m *Model) make(in In) {
	p := &m.position
	side := p.SideToMove()
	from, to := engine.Square(in.From), engine.Square(in.To)
	if side == engine.Black {
		from, to = from^56, to^56
	}
	piece, color := p.PieceAt(from)
	taken, theirs := p.PieceAt(to)
	promotion := engine.Piece(in.Promotion)
	promotes := piece == engine.Pawn && in.To >= 56
	switch {
	case piece == engine.NoPiece || color != side:
		m.shown.Error = ErrOrigin
		return
	case taken != engine.NoPiece && theirs == side:
		m.shown.Error = ErrDestination
		return
	case promotes && (promotion < engine.Knight || promotion > engine.Queen), !promotes && promotion != engine.NoPiece:
		m.shown.Error = ErrPromotion
		return
	}
	m.moves = p.AppendMoves(m.moves[:0])
	for _, legal := range m.moves {
		if legal.From == from && legal.To == to && legal.Promotion == promotion {
			m.stack = append(m.stack, *p)
			m.set(p.Make(legal), NoError)
			return
		}
	}
	m.trust(fmt.Sprintf("%v%v", from, to), errors.New("this move is not legal"))
}
