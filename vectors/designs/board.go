package designs

import (
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// board are the blocks of the sensing board.
func board(r *vectors.Registry) {
	sync := vectors.Param{Name: "SyncStages", Default: 2, Min: 2, Max: 16, About: "flip-flops between the line and logic"}

	vectors.Add(r, vectors.Block[debounce.In, debounce.Out]{
		Design: debounce.Design, About: "a level that has held", Ports: ports("debounce"),
		Params: []vectors.Param{sync, {Name: "HoldCycles", Default: debounce.HoldCycles, Min: 1, Max: 1 << 24, About: "cycles for which a level holds"}},
		Model: func(p vectors.Params) sim.Model[debounce.In, debounce.Out] {
			return debounce.NewModel(p["SyncStages"], p["HoldCycles"])
		},
	})

	vectors.Add(r, vectors.Block[scanner.In, scanner.Out]{
		Design: scanner.Design, About: "selects 64 sensors one after the other", Ports: ports("scanner"),
		Params: []vectors.Param{
			{Name: "SettleCycles", Default: scanner.Default.SettleCycles, Min: 1, Max: 1 << 24, About: "cycles until a sensor tells the truth"},
			{Name: "HoldCycles", Default: scanner.Default.HoldCycles, Min: 1, Max: 1 << 24, About: "cycles for which the line is to hold then"},
			sync,
			{Name: "IdleCycles", Default: scanner.Default.IdleCycles, Min: 1, Max: 1 << 26, About: "cycles between scans, for the LEDs"},
		},
		Model: func(p vectors.Params) sim.Model[scanner.In, scanner.Out] {
			return scanner.NewModel(scanner.Params{SettleCycles: p["SettleCycles"], HoldCycles: p["HoldCycles"], SyncStages: p["SyncStages"], IdleCycles: p["IdleCycles"]})
		},
		Idle:  scanner.In{SenseN: true},
		Names: named(named(nil, square, "led_select_i", "select_o"), set, "occupied_o"),
		Kinds: kinds, Verbs: scannerVerbs,
	})

	vectors.Add(r, vectors.Block[leds.In, leds.Out]{
		Design: leds.Design, About: "shows patterns on 64 LEDs", Ports: ports("leds"),
		Params: []vectors.Param{
			{Name: "IdleCycles", Default: leds.Default.IdleCycles, Min: 64, Max: 1 << 26, About: "cycles of an idle phase"},
			{Name: "BlinkPhases", Default: leds.Default.BlinkPhases, Min: 1, Max: 1000, About: "idle phases in half a blink"},
		},
		Model: func(p vectors.Params) sim.Model[leds.In, leds.Out] {
			return leds.NewModel(leds.Params{IdleCycles: p["IdleCycles"], BlinkPhases: p["BlinkPhases"]})
		},
		Names: named(named(nil, square, "from_i", "to_i", "select_o"), set, "restore_i"),
	})

	vectors.Add(r, vectors.Block[clock.In, clock.Out]{
		Design: clock.Design, About: "a chess clock", Ports: ports("clock"),
		Params: []vectors.Param{{Name: "ClockHz", Default: clock.Hz, Min: 10, Max: 1_000_000_000, About: "cycles a second, a multiple of 10"}},
		Model:  func(p vectors.Params) sim.Model[clock.In, clock.Out] { return clock.NewModel(p["ClockHz"]) },
		Names:  named(named(nil, sides, "flag_o"), vectors.Names{List: []string{"set", "load", "start", "pause", "resume", "add", "stop"}}, "cmd_i"),
		Kinds:  kinds, Verbs: clockVerbs,
	})

	vectors.Add(r, vectors.Block[uart.In, uart.Out]{
		Design: uart.Design, About: "a UART, 8N1", Ports: ports("uart"),
		Params: []vectors.Param{
			{Name: "Divisor", Default: uart.Default.Divisor, Min: 3, Max: 1 << 20, About: "clock cycles a bit"},
			{Name: "RxDepth", Default: uart.Default.RxDepth, Min: 2, Max: 1 << 12, About: "bytes in the receiver's queue, a power of two"},
			{Name: "TxDepth", Default: uart.Default.TxDepth, Min: 2, Max: 1 << 12, About: "bytes in the transmitter's queue, a power of two"},
			sync,
		},
		Model: func(p vectors.Params) sim.Model[uart.In, uart.Out] {
			return uart.NewModel(uart.Params{Divisor: p["Divisor"], RxDepth: p["RxDepth"], TxDepth: p["TxDepth"], SyncStages: p["SyncStages"]})
		},
		Idle:  uart.In{Rx: true},
		Kinds: kinds, Verbs: uartVerbs,
	})

	vectors.Add(r, vectors.Block[movelink.In, movelink.Out]{
		Design: movelink.Design, About: "the published board's link to the PC", Ports: ports("movelink"),
		Params: []vectors.Param{{Name: "HoldCycles", Default: movelink.Default.HoldCycles, Min: 1, Max: 1 << 20, About: "cycles for which the lines hold until they are taken"}, sync},
		Model: func(p vectors.Params) sim.Model[movelink.In, movelink.Out] {
			return movelink.NewModel(movelink.Params{HoldCycles: p["HoldCycles"], SyncStages: p["SyncStages"]})
		},
		Names: named(nil, square, "send_from_i", "send_to_i", "move_from_o", "move_to_o"),
		Kinds: kinds, Verbs: movelinkVerbs,
	})
}
