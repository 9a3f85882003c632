package clock

import (
	"errors"
	"fmt"

	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL for test vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "a chess clock",
	Params: []vectors.Param{{Name: "ClockHz", Default: Hz, Min: 10, Max: 1_000_000_000, About: "cycles a second, a multiple of 10"}},
	Model:  func(p vectors.Params) sim.Model[In, Out] { return NewModel(p["ClockHz"]) },
	Names: []vectors.PortNames{
		block.Sides.At("flag_o"),
		vectors.Names{List: []string{"set", "load", "start", "pause", "resume", "add", "stop"}}.At("cmd_i"),
	},
	Kinds:      []vectors.Kind{block.ArgSide, ArgControl, ArgSeconds, ArgTime},
	Statements: statements,
}

// The kinds of arguments of statements. Their values are ints.
var (
	ArgControl = vectors.OneOf("CONTROL", "a time control", "bullet", "blitz", "rapid", "classical") // a Control
	ArgSeconds = vectors.Number("SECONDS", "seconds, 0 to 99", 0, 99)
	ArgTime    = vectors.Kind{Name: "CLOCK", About: "a time MM:SS.t, 00:00.0 to 99:59.9", Parse: parseTime} // in tenths of seconds
)

func parseTime(s string) (any, error) {
	var m, sec, t int
	n, err := fmt.Sscanf(s, "%2d:%2d.%1d", &m, &sec, &t)
	if d := codes.DigitsOf(m*600 + sec*10 + t); err == nil && n == 3 && sec < 60 && d.String() == s {
		return d.Tenths(), nil
	}
	return nil, errors.New("expected two digits, a colon, two digits below 60, a point and one digit")
}

// statements returns the statements for the clock's commands.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	// command gives a command for one cycle.
	command := func(in In) error {
		held := s.In
		s.In = in
		_, err := s.Step()
		s.In = held
		return err
	}
	do := func(use, about string, c codes.Command) vectors.Statement {
		return vectors.Statement{Use: use, About: about, Do: func(a []any) error {
			side := White
			if len(a) > 0 {
				side = Side(a[0].(int))
			}
			return command(Do(c, side))
		}}
	}
	return []vectors.Statement{
		{Use: "game CONTROL SECONDS", About: "a new game: time control, increment", Do: func(a []any) error {
			return command(Set(Control(a[0].(int)), a[1].(int)))
		}},
		{Use: "load SIDE CLOCK", About: "a side has so much time left", Do: func(a []any) error {
			return command(Load(Side(a[0].(int)), a[1].(int)))
		}},
		do("start SIDE", "the clock of a side runs", codes.CmdStart),
		do("pause", "no clock runs", codes.CmdPause),
		do("resume", "the clock runs again", codes.CmdResume),
		do("add SIDE", "five minutes more", codes.CmdAdd),
		do("stop", "the game is over", codes.CmdStop),
		{Use: "press", About: "the side to move has made its move", Do: func([]any) error { return command(Press()) }},
		{Use: "time SIDE CLOCK", About: "one cycle, in which a side's time is shown so", Do: func(a []any) error {
			out, err := s.Step()
			if err != nil {
				return err
			}
			shown := out.WhiteTime
			if Side(a[0].(int)) == Black {
				shown = out.BlackTime
			}
			if shown.Tenths() != a[1].(int) {
				return block.WrongArg(1, "the clock shows %v", shown)
			}
			return nil
		}},
	}
}
