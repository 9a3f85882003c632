package live

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/validity"
)

// Signals are the RTL's own signals that the page shows, read by name.
type Signals struct {
	State            validity.State
	Reason           rules.Reason // in StateIllegal
	Restore          Squares
	Show             validity.Show
	ShowFrom, ShowTo engine.Square
	Result           rules.Result
	Cause            rules.Cause
	Position         engine.Setup
	White, Black     codes.Digits // times left
	ClockState       uint8
	ClockTurn        engine.Color
}

// Signals reads the RTL's signals. Without a machine they are all 0.
func (s *Session) Signals() (g Signals, err error) {
	if s.machine == nil {
		return g, nil
	}
	peek := func(name string) uint64 {
		v, e := s.machine.dut.Peek(name)
		if e != nil {
			err = e
		}
		return v.Uint64()
	}
	g = Signals{
		State: validity.State(peek("state")), Reason: rules.Reason(peek("reason")), Restore: Squares(peek("restore")),
		Show: validity.Show(peek("show")), ShowFrom: engine.Square(peek("show_from")), ShowTo: engine.Square(peek("show_to")),
		Result: rules.Result(peek("result")), Cause: rules.Cause(peek("cause")),
		White: codes.Digits(peek("white_time")), Black: codes.Digits(peek("black_time")),
		ClockState: uint8(peek("clock_state")), ClockTurn: engine.Color(peek("clock_turn")),
	}
	p := engine.Setup{
		White: peek("white"), Castling: uint8(peek("castling")), EnPassant: peek("ep") << 40,
		Halfmove: int(peek("halfmove")), Fullmove: int(peek("fullmove")),
	}
	for k, name := range map[engine.Piece]string{
		engine.Pawn: "pawns", engine.Knight: "knights", engine.Bishop: "bishops", engine.Rook: "rooks", engine.Queen: "queens", engine.King: "kings",
	} {
		p.Kinds[k] = peek(name)
	}
	if peek("black") != 0 {
		p.SideToMove, p.EnPassant = engine.Black, p.EnPassant>>24
	}
	g.Position = p
	return g, err
}
