package game

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Explain says which command in which position led to the state that differs.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	text := "state " + x.Got.FEN() + "\ndue   " + x.Want.FEN() + "\n"
	if x.Got.Error != x.Want.Error {
		text += fmt.Sprintf("error_o says: %v; due: %v\n", x.Got.Error, x.Want.Error)
	}
	n := len(x.Past)
	if n == 0 {
		return text
	}
	m.Reset()
	for _, in := range x.Past[:n-1] {
		m.Step(in)
	}
	before := m.Position()
	return text + fmt.Sprintf("after %s in %s\n%s", x.Past[n-1].words(before.SideToMove()), before.FEN(), before.Board())
}

// words says what a cycle's inputs command.
func (in In) words(side engine.Color) string {
	switch {
	case in.Rst:
		return "reset"
	case !in.CmdValid:
		return "no command"
	case in.Cmd == CmdLoad:
		return "load of " + in.position.FEN()
	case in.Cmd == CmdMake:
		m := engine.Move{From: engine.Square(in.From), To: engine.Square(in.To), Promotion: engine.Piece(in.Promotion)}
		if side == engine.Black {
			m.From, m.To = m.From^56, m.To^56
		}
		return fmt.Sprintf("make %v", m)
	case in.Cmd == CmdNull:
		return "null move"
	}
	return "unmake"
}
