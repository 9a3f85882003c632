// Package leds has the LED driver of a sensing chess board in SystemVerilog. Between the scanner's
// scans it shows patterns on 64 LEDs, of which one can be lit at a time. For Go the package has the
// [Design], its ports [In] and [Out], the patterns [Show], and [Model], a cycle-accurate reference
// for every output. [Read] recognises a pattern from the LEDs alone.
//
//	show := leds.Show{Pattern: leds.Move, From: 12, To: 28}
//	in := show.In(true) // a cycle of an idle phase
//
// See README.md for ports and timing.
package leds

import (
	"embed"
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("leds", "leds/files.list", files)

// Params are the parameters of the RTL and the model.
type Params struct {
	IdleCycles  int // clock cycles of an idle phase
	BlinkPhases int // idle phases in half a blink
}

// Default has the parameters of the RTL, for 100 MHz. An idle phase lasts for 25.6 ms. With scans
// of
// 26.2 ms between idle phases, patterns blink at 1.93 Hz.
var Default = Params{IdleCycles: 256 * 10_000, BlinkPhases: 5}

// Pattern is a pattern as pattern_i codes it.
type Pattern uint8

// The patterns. Which squares are lit for which part of an idle phase is in README.md.
const (
	Dark      Pattern = iota
	Move              // the squares From and To, in turn
	Illegal           // an X
	Restore           // the squares Restore, blinking together
	WinnerA           // a row on rank 1
	WinnerB           // a row on rank 8
	Check             // the square From
	Draw              // both winners' rows, in turn
	Promotion         // the square From, in turn with the four of the centre
)

func (p Pattern) String() string {
	names := [...]string{"dark", "move", "illegal", "restore", "winner A", "winner B", "check", "draw", "promotion"}
	if int(p) < len(names) {
		return names[p]
	}
	return fmt.Sprintf("pattern %d, which is dark", uint8(p))
}

// Show is a pattern with its squares, which are 8*rank + file.
type Show struct {
	Pattern Pattern `port:"pattern_i" bits:"4"`
	From    uint8   `port:"from_i" bits:"6"` // of Move; of Check the king's, of Promotion the pawn's
	To      uint8   `port:"to_i" bits:"6"`   // of Move
	Restore uint64  `port:"restore_i"`       // of Restore: bit n is square n
}

// In holds the inputs of a cycle.
type In struct {
	Rst     bool    `port:"rst_i"`
	Idle    bool    `port:"idle_i"` // the select lines are free
	Pattern Pattern `port:"pattern_i" bits:"4"`
	From    uint8   `port:"from_i" bits:"6"`
	To      uint8   `port:"to_i" bits:"6"`
	Restore uint64  `port:"restore_i"`
}

// Out holds the outputs of a cycle.
type Out struct {
	Select uint8 `port:"select_o" bits:"6"`
	Led    bool  `port:"led_o"`
}

// In returns the inputs of a cycle that show s, in an idle phase or not.
func (s Show) In(idle bool) In {
	return In{Idle: idle, Pattern: s.Pattern, From: s.From, To: s.To, Restore: s.Restore}
}

func (s Show) String() string {
	switch s.Pattern {
	case Move:
		return fmt.Sprintf("move %s %s", matrix.Squares(1<<s.From), matrix.Squares(1<<s.To))
	case Restore:
		return "restore " + matrix.Squares(s.Restore)
	case Check, Promotion:
		return fmt.Sprintf("%v %s", s.Pattern, matrix.Squares(1<<s.From))
	}
	return s.Pattern.String()
}

// The squares of the patterns.
const (
	cross  = 1<<18 | 1<<20 | 1<<34 | 1<<36 | 1<<27 // c3 e3 c5 e5 d4
	rowA   = 0x7c                                  // c1 to g1
	rowB   = rowA << 56                            // c8 to g8
	centre = 1<<27 | 1<<28 | 1<<35 | 1<<36         // d4 e4 d5 e5
)

// Read returns the pattern that an observer has seen, with its squares. It is an error if that is
// none of the patterns. The LEDs do not show which of a move's two squares is From; Read returns
// the lower one as From.
func Read(s matrix.Observation) (Show, error) {
	lowest := func(squares uint64) uint8 { return uint8(bits.TrailingZeros64(squares)) }
	one := func(squares uint64) bool { return bits.OnesCount64(squares) == 1 }
	switch {
	case s.Steady == 0 && s.First == 0:
		return Show{}, nil
	case s.First == 0:
		switch {
		case s.Steady == cross:
			return Show{Pattern: Illegal}, nil
		case s.Steady == rowA:
			return Show{Pattern: WinnerA}, nil
		case s.Steady == rowB:
			return Show{Pattern: WinnerB}, nil
		case one(s.Steady):
			return Show{Pattern: Check, From: lowest(s.Steady)}, nil
		}
	case s.Steady != 0:
	case s.Second == 0:
		return Show{Pattern: Restore, Restore: s.First}, nil
	case one(s.First) && one(s.Second):
		return Show{Pattern: Move, From: lowest(s.First), To: lowest(s.Second)}, nil
	case s.First == rowA && s.Second == rowB:
		return Show{Pattern: Draw}, nil
	case s.First == centre && one(s.Second):
		return Show{Pattern: Promotion, From: lowest(s.Second)}, nil
	case s.Second == centre && one(s.First):
		return Show{Pattern: Promotion, From: lowest(s.First)}, nil
	}
	return Show{}, fmt.Errorf("the LEDs show nothing that means something: %v", s)
}
