package game

import (
	"errors"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// resetCycles is how long Compare holds the reset.
const resetCycles = 3

// Compare resets the RTL, plays the inputs and compares every output in every cycle with a
// [Model] of so many plies. The [sim.Difference] that it returns says in its note which command
// went wrong in which position.
func Compare(d *sim.DUT[In, Out], plies int, in []In) error {
	if err := d.Reset(resetCycles); err != nil {
		return err
	}
	m := NewModel(plies)
	want, got := make([]Out, len(in)), make([]Out, len(in))
	before := make([]engine.Position, len(in))
	for i := range in {
		before[i] = m.Position()
		want[i] = m.Step(in[i])
	}
	if err := m.Err(); err != nil {
		return err
	}
	first := d.Cycle()
	err := d.ExpectInto(in, want, got, nil)
	var diff *sim.Difference
	if errors.As(err, &diff) {
		at := int(diff.Cycle - first)
		diff.Note = "state " + got[at].FEN() + "\ndue   " + want[at].FEN() + "\n"
		if got[at].Error != want[at].Error {
			diff.Note += fmt.Sprintf("error_o says: %v; due: %v\n", got[at].Error, want[at].Error)
		}
		if at > 0 {
			diff.Note += fmt.Sprintf("after %s in %s\n%s", in[at-1].words(before[at-1].SideToMove()), before[at-1].FEN(), before[at-1].Board())
		}
	}
	return err
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
