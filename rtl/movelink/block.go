package movelink

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL for test vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "the published board's link to the PC",
	Params: []vectors.Param{
		{Name: "HoldCycles", Default: Default.HoldCycles, Min: 1, Max: 1 << 20, About: "cycles for which the lines must be stable"},
		{Name: "SyncStages", Default: Default.SyncStages, Min: 2, Max: 16, About: "flip-flops between the line and logic"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] {
		return NewModel(Params{HoldCycles: p["HoldCycles"], SyncStages: p["SyncStages"]})
	},
	Names:      []vectors.PortNames{block.Square.At("send_from_i", "send_to_i", "move_from_o", "move_to_o")},
	Kinds:      []vectors.Kind{block.ArgMove},
	Statements: statements,
}

// statements returns the statements about moves in both directions.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	settle := s.Params["HoldCycles"] + s.Params["SyncStages"] + 1
	return []vectors.Statement{
		{Use: "send MOVE", About: "give a move to be sent to the PC, as soon as the one before is gone", Do: func(a []any) error {
			m := a[0].(engine.Move)
			s.In.SendValid, s.In.SendFrom, s.In.SendTo = true, uint8(m.From), uint8(m.To)
			err := s.Until("send_ready_o stays 0", func(out Out) bool { return out.SendReady })
			s.In.SendValid = false
			return err
		}},
		{Use: "sent MOVE", About: "the UART takes the two bytes of a move", Do: func(a []any) error {
			m := a[0].(engine.Move)
			s.In.TxReady = true
			defer func() { s.In.TxReady = false }()
			for _, want := range (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Append(nil) {
				if err := s.Until("no byte is given to the UART", func(out Out) bool { return out.TxValid }); err != nil {
					return err
				}
				if s.Out.TxData != want {
					return block.WrongArg(0, "the byte is %#02x, that of %v is %#02x", s.Out.TxData, m, want)
				}
			}
			return nil
		}},
		{Use: "lines MOVE", About: "the PC gives a move over the lines: from, then to, each for as long as it must hold", Do: func(a []any) error {
			m := a[0].(engine.Move)
			for _, l := range (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Lines() {
				s.In.Lines = l
				if err := s.Wait(settle); err != nil {
					return err
				}
			}
			return nil
		}},
		{Use: "take MOVE", About: "a move from the lines is there, this one, and is taken", Do: func(a []any) error {
			if err := s.Until("no move comes", func(out Out) bool { return out.MoveValid }); err != nil {
				return err
			}
			got := engine.Move{From: engine.Square(s.Out.MoveFrom), To: engine.Square(s.Out.MoveTo)}
			if want := a[0].(engine.Move); got.From != want.From || got.To != want.To {
				return block.WrongArg(0, "the move is %v", got)
			}
			s.In.MoveReady = true
			_, err := s.Step()
			s.In.MoveReady = false
			return err
		}},
	}
}
