package blocks

import (
	"math/rand/v2"
	"reflect"

	sensing "github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// sensingBoard is the whole board. Its vectors have the times of board.Quick if they do not say
// others: at those of the RTL a move takes a hundred million cycles.
func sensingBoard(r *[]vectors.AnyBlock) {
	upper := make([]string, 16)
	copy(upper, square.List[48:])
	*r = append(*r, vectors.Block[sensing.In, sensing.Out]{
		Design: sensing.Quick.Design(), About: "the sensing chess board, complete; times are scaled",
		Params: quickParams(),
		Model:  func(p vectors.Params) sim.Model[sensing.In, sensing.Out] { return sensing.NewModel(boardParams(p)) },
		Names: named(named(named(named(named(nil, square, "select_o"), sides, "lines_play_i"), vectors.Names{List: upper, Set: true}, "upper_ranks_o"),
			vectors.Names{List: []string{"a1", "h1"}, Set: true}, "corners_o"), vectors.Names{List: promotions, Set: true}, "promotion_i"),
		Kinds: kinds, Statements: sensingVerbs,
		Reset:  4, // until all blocks know of it
		Idle:   sensing.In{RstN: true, SenseN: true, Rx: true},
		Random: randomBoard,
	})
}

// promotions are the buttons that say what a pawn becomes.
var promotions = []string{"queen", "rook", "bishop", "knight"}

// quickParams are the fields of board.Params.
func quickParams() (list []vectors.Param) {
	about := map[string]vectors.Param{
		"ClockHz":        {About: "cycles a second, a multiple of 10", Min: 10, Max: 1_000_000_000},
		"SettleCycles":   {About: "cycles until a sensor tells the truth", Min: 1, Max: 1 << 24},
		"HoldCycles":     {About: "cycles for which the sensors' line is to hold then", Min: 1, Max: 1 << 24},
		"IdleCycles":     {About: "cycles between scans, for the LEDs", Min: 64, Max: 1 << 26},
		"BlinkPhases":    {About: "scans in half a blink", Min: 1, Max: 1000},
		"IllegalScans":   {About: "scans for which the X is shown", Min: 1, Max: 1000},
		"StableScans":    {About: "scans for which a reading must stay to be decided on", Min: 1, Max: 255},
		"CastlingScans":  {About: "scans, if it may be half of castling; no fewer", Min: 1, Max: 255},
		"QuestionCycles": {About: "cycles for a question to the move generator: more than any list takes", Min: 100, Max: 4096},
		"Divisor":        {About: "cycles a bit of the serial lines", Min: 3, Max: 1 << 20},
		"RetryCycles":    {About: "cycles until what is not acknowledged is sent again", Min: 1, Max: 1 << 30},
		"SilenceCycles":  {About: "cycles of hearing nothing until the host counts as absent", Min: 1, Max: 1 << 30},
		"LinesCycles":    {About: "cycles for which the parallel lines are to hold", Min: 1, Max: 1 << 20},
		"ButtonCycles":   {About: "cycles for which a button is to hold", Min: 1, Max: 1 << 24},
	}
	v := reflect.ValueOf(sensing.Quick)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		p := about[name]
		p.Name, p.Default = name, int(v.Field(i).Int())
		list = append(list, p)
	}
	return list
}

func boardParams(p vectors.Params) (b sensing.Params) {
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(int64(p[v.Type().Field(i).Name]))
	}
	return b
}

// randomBoard lets lines change now and then.
func randomBoard(r *rand.Rand, before sensing.In) sensing.In {
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
