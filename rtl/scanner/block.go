package scanner

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL for test vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "selects 64 sensors one after the other",
	Params: []vectors.Param{
		{Name: "SettleCycles", Default: Default.SettleCycles, Min: 1, Max: 1 << 24, About: "cycles that a sensor needs after it gets power"},
		{Name: "HoldCycles", Default: Default.HoldCycles, Min: 1, Max: 1 << 24, About: "cycles for which the line must be stable then"},
		{Name: "SyncStages", Default: Default.SyncStages, Min: 2, Max: 16, About: "flip-flops between the line and logic"},
		{Name: "IdleCycles", Default: Default.IdleCycles, Min: 1, Max: 1 << 26, About: "cycles between scans, for the LEDs"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] {
		return NewModel(Params{SettleCycles: p["SettleCycles"], HoldCycles: p["HoldCycles"], SyncStages: p["SyncStages"], IdleCycles: p["IdleCycles"]})
	},
	Idle:       In{SenseN: true},
	Names:      []vectors.PortNames{block.Square.At("led_select_i", "select_o"), block.Squares.At("occupied_o")},
	Kinds:      []vectors.Kind{block.ArgSquares},
	Statements: statements,
}

// statements returns the statements about the pieces on the board and what a scan finds.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	var pieces uint64
	scan := func() error {
		for {
			s.In.SenseN = pieces>>s.Out.Select&1 == 0
			out, err := s.Step()
			if err != nil || out.Strobe {
				return err
			}
		}
	}
	return []vectors.Statement{
		{Use: "pieces SQUARES", About: "pieces stand on these squares from now on", Do: func(a []any) error {
			pieces = a[0].(uint64)
			return nil
		}},
		{Use: "scan", About: "wait for the end of a scan, in which sensors see the pieces", Do: func([]any) error { return scan() }},
		{Use: "occupied SQUARES", About: "wait for the end of a scan, which finds exactly these squares occupied", Do: func(a []any) error {
			if err := scan(); err != nil {
				return err
			}
			if s.Out.Occupied != a[0].(uint64) {
				return block.WrongArg(0, "occupied_o has %s", block.FormatSquares(s.Out.Occupied))
			}
			return nil
		}},
	}
}
