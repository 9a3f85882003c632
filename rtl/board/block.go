package board

import (
	"math/rand/v2"
	"reflect"

	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors. Vectors have the times of [Quick] if they do
// not say others: with the real ones a move takes a hundred million cycles.
var Block = vectors.Block[In, Out]{
	Design: Quick.Design(), About: "the sensing chess board, complete; times are scaled",
	Params: params(),
	Model:  func(p vectors.Params) sim.Model[In, Out] { return NewModel(paramsOf(p)) },
	Names: []vectors.PortNames{
		block.Square.At("select_o"), block.Sides.At("lines_play_i"),
		vectors.Names{List: block.Square.List[48:], Set: true}.At("upper_ranks_o"),
		vectors.Names{List: []string{"a1", "h1"}, Set: true}.At("corners_o"),
		vectors.Names{List: []string{"queen", "rook", "bishop", "knight"}, Set: true}.At("promotion_i"), // buttons
	},
	Kinds: []vectors.Kind{
		block.ArgSquare, block.ArgSquares, block.ArgPiece, block.ArgMove, block.ArgFEN, block.ArgSide, block.ArgN, block.ArgByte,
		block.ArgReason, clock.ArgControl, clock.ArgSeconds, clock.ArgTime,
		vectors.OneOf("SIDES", "white, black, both or none", "none", "white", "black", "both"), // bit 0 White, 1 Black
		ended("RESULT", "how a game ends", vectors.NamesOf[rules.Result]()),
		ended("CAUSE", "what ends a game", vectors.NamesOf[rules.Cause]()),
	},
	Statements: statements,
	Reset:      4, // until all blocks know of it
	Idle:       In{RstN: true, SenseN: true, Rx: true},
	Random:     random,
}

// ended returns a kind of argument that is a code of how a game has ended. Code 0 is that of a game
// that goes on.
func ended(name, about string, codes vectors.Names) vectors.Kind {
	k := vectors.OneOf(name, about, codes.List...)
	k.Names = k.Names[1:]
	return k
}

// params returns the fields of [Params] with their values in [Quick].
func params() (list []vectors.Param) {
	about := map[string]vectors.Param{
		"ClockHz":        {About: "cycles a second, a multiple of 10", Min: 10, Max: 1_000_000_000},
		"SettleCycles":   {About: "cycles that a sensor needs after it gets power", Min: 1, Max: 1 << 24},
		"HoldCycles":     {About: "cycles for which the sensors' line must be stable then", Min: 1, Max: 1 << 24},
		"IdleCycles":     {About: "cycles between scans, for the LEDs", Min: 64, Max: 1 << 26},
		"BlinkPhases":    {About: "scans in half a blink", Min: 1, Max: 1000},
		"IllegalScans":   {About: "scans for which the X is shown", Min: 1, Max: 1000},
		"StableScans":    {About: "scans for which a reading must stay to be decided on", Min: 1, Max: 255},
		"CastlingScans":  {About: "scans, if it may be half of castling; no fewer", Min: 1, Max: 255},
		"QuestionCycles": {About: "cycles for a question to the move generator: more than any list takes", Min: 100, Max: 4096},
		"Divisor":        {About: "cycles a bit of the serial lines", Min: 3, Max: 1 << 20},
		"RetryCycles":    {About: "cycles until a message that is not acknowledged is repeated", Min: 1, Max: 1 << 30},
		"SilenceCycles":  {About: "cycles without a frame from the host until it counts as absent", Min: 1, Max: 1 << 30},
		"LinesCycles":    {About: "cycles for which the parallel lines are to hold", Min: 1, Max: 1 << 20},
		"ButtonCycles":   {About: "cycles for which a button must be held", Min: 1, Max: 1 << 24},
	}
	v := reflect.ValueOf(Quick)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		p := about[name]
		p.Name, p.Default = name, int(v.Field(i).Int())
		list = append(list, p)
	}
	return list
}

// paramsOf returns the parameters of a vector.
func paramsOf(p vectors.Params) (b Params) {
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(int64(p[v.Type().Field(i).Name]))
	}
	return b
}

// random returns inputs in which a line changes now and then.
func random(r *rand.Rand, before In) In {
	in := before
	one := func(chance int) bool { return r.IntN(chance) == 0 }
	in.SenseN = in.SenseN != one(20)
	in.Rx = in.Rx != one(10)
	in.Clock = in.Clock != one(200)
	if one(100) {
		in.Lines ^= 1 << r.IntN(7)
	}
	if one(200) {
		in.Promotion, in.LinesPlay = uint8(r.IntN(16)), uint8(r.IntN(4))
	}
	return in
}
