package report_test

import (
	"fmt"
	"math/big"
	"time"

	"github.com/cosimate/cosimate/sim/report"
)

// counter returns the failure of sim/testdata/report.txt: an X in a counter under Icarus.
func counter() *report.Failure {
	w := report.Wave{Column: "icarus", Clocks: []report.Clock{{Name: "clk_i"}}}
	rst := report.Trace{Signal: report.Signal{Name: "rst_i", Width: 1, Dir: report.Input}}
	enable := report.Trace{Signal: report.Signal{Name: "enable_i", Width: 1, Dir: report.Input}}
	count := report.Trace{Signal: report.Signal{Name: "count_o", Width: 8, Dir: report.Output}}
	wrap := report.Trace{Signal: report.Signal{Name: "wrap_o", Width: 1, Dir: report.Output}}
	value := uint64(0)
	for cycle := uint64(3); cycle <= 22; cycle++ {
		enabled := (cycle-3)%4 != 0
		w.Cycles = append(w.Cycles, cycle)
		w.Times = append(w.Times, time.Duration(15+10*cycle)*time.Nanosecond)
		rst.Values = append(rst.Values, report.Uint(0))
		enable.Values = append(enable.Values, report.Uint(bit(enabled)))
		if cycle < 22 {
			count.Values = append(count.Values, report.Uint(value))
			wrap.Values = append(wrap.Values, report.Uint(0))
		}
		value += bit(enabled)
	}
	x := report.Value{Bits: big.NewInt(0x0f), Unknown: big.NewInt(0xf0)}
	y := report.Value{Bits: big.NewInt(0), Unknown: big.NewInt(1)}
	count.Values = append(count.Values, x)
	wrap.Values = append(wrap.Values, y)
	w.Traces = []report.Trace{rst, enable, count, wrap}
	return &report.Failure{
		Top: "counter", File: "counter_test.go", Line: 42, Cycle: 22, At: 235 * time.Nanosecond, Seed: 1,
		Columns: []string{"model", "icarus"},
		Ports: []report.Port{
			{Signal: count.Signal, Values: []report.Value{report.Uint(0x0e), x}},
			{Signal: wrap.Signal, Values: []report.Value{report.Uint(0), y}},
		},
		Wave: w,
	}
}

// board returns a failure with three columns, two clocks, grids, enumerations, signed decimals, a
// floating bus, a wide port, don't cares and odd names.
func board() *report.Failure {
	const cycles, first = 20, 104_217
	fail := first + cycles - 3
	signal := func(name string, width int, dir report.Direction, format report.Format) report.Signal {
		return report.Signal{Name: name, Width: width, Dir: dir, Format: format}
	}
	state := signal("u_fsm.state_q", 3, report.Internal, report.Hex)
	state.Names = map[uint64]string{0: "IDLE", 1: "SCAN", 2: "COMPARE", 3: "REPORT"}
	temp := signal("temp_o", 12, report.Output, report.Decimal)
	temp.Signed = true
	sense, valid := signal("sense_i", 1, report.Input, ""), signal("valid_i", 1, report.Input, "")
	mask := signal("mask_i", 4, report.Input, report.Binary)
	occupied := signal("occupied_o", 64, report.Output, report.Grid)
	bus := signal("bus_io", 8, report.Output, report.Hex)
	pin := signal("led$drive[3]", 1, report.Output, report.Hex)
	lanes := signal("lanes_o", 384, report.Output, report.Hex)

	wide := func(x int64) report.Value {
		v := new(big.Int).Lsh(big.NewInt(0x0123456789abcdef), 300)
		v.Or(v, new(big.Int).Lsh(big.NewInt(0xc0ffee+x), 130))
		return report.Value{Bits: v.Or(v, big.NewInt(x))}
	}
	masked := func(bits, unknown uint64) report.Value {
		return report.Value{Bits: new(big.Int).SetUint64(bits), Unknown: new(big.Int).SetUint64(unknown)}
	}
	const start = 0xffff00000000ffff
	w := report.Wave{Column: "icarus", Clocks: []report.Clock{{Name: "clk_i"}, {Name: "sck_i"}}}
	trace := map[string]*report.Trace{}
	var order []string
	put := func(s report.Signal, v report.Value) {
		if trace[s.Name] == nil {
			trace[s.Name] = &report.Trace{Signal: s}
			order = append(order, s.Name)
		}
		trace[s.Name].Values = append(trace[s.Name].Values, v)
	}
	for i := range cycles {
		w.Cycles = append(w.Cycles, uint64(first+i))
		w.Times = append(w.Times, time.Duration(first+i)*10*time.Nanosecond)
		for c, each := range []int{1, 3} {
			w.Clocks[c].Rises = append(w.Clocks[c].Rises, i%each == 0)
		}
		put(sense, report.Uint(bit(i%7 == 2 || i%7 == 3)))
		put(valid, report.Uint(bit(i%3 != 1)))
		put(mask, report.Uint(uint64(1)<<(i/5)))
		squares := uint64(start)
		if i > 8 {
			squares = squares&^(1<<12) | 1<<28
		}
		if first+i >= fail {
			squares |= 1 << 36
		}
		put(occupied, report.Uint(squares))
		if i < 3 {
			put(bus, masked(0, 0xff))
		} else if i < 9 {
			put(bus, masked(0xff, 0xff))
		} else {
			put(bus, masked(uint64(0x40+i/2), 0))
		}
		switch {
		case i < 3:
			put(pin, masked(0, 1))
		case i < 6:
			put(pin, masked(1, 1))
		default:
			put(pin, report.Uint(uint64(i/2%2)))
		}
		put(temp, report.Uint(uint64(-12+3*(i/2))&0xfff))
		put(lanes, wide(int64(i/6)))
		put(state, report.Uint(uint64(i/5)))
	}
	for _, name := range order {
		w.Traces = append(w.Traces, *trace[name])
	}
	const want = start&^(1<<12) | 1<<28
	return &report.Failure{
		Top: "board", File: "rtl/board/board_test.go", Line: 117, Cycle: uint64(fail), At: time.Duration(fail) * 10 * time.Nanosecond, Seed: 77,
		Columns: []string{"model", "icarus", "verilator"},
		Ports: []report.Port{
			{Signal: occupied, Values: []report.Value{report.Uint(want), report.Uint(want | 1<<36), report.Uint(want &^ (1 << 63))}},
			{Signal: bus, Values: []report.Value{report.Uint(0x40), report.Uint(0x48), report.Uint(0x48)}, Ignored: big.NewInt(0xf)},
			{Signal: pin, Values: []report.Value{report.Uint(0), report.Uint(0), report.Uint(0)}},
			{Signal: temp, Values: []report.Value{report.Uint(12), report.Uint(12), report.Uint(0xff4)}},
			{Signal: lanes, Values: []report.Value{wide(2), wide(2), wide(9)}},
		},
		Note:      "the move e2e4 was made in cycle 104225:\n  it is the 3rd of 12\nscoreboard \"squares\": 3 <expected> & 4 came",
		Reproduce: "go test ./rtl/board -run '^TestBoard$/^lockstep$' -sim.seed=77 -count=1",
		Wave:      w,
		Transactions: []report.Transaction{
			{Who: "host", What: "sent 0x72", From: 104_100, To: 104_186}, {Who: "hand", What: "e2e4", From: 104_219, To: 104_225},
			{Who: "scoreboard \"squares\"", What: "expected <3>", From: 104_225, To: 104_225},
			{Who: "host", What: "sent 0x0e", From: 104_190, To: 104_234, Bad: true},
		},
		Files: []report.File{{Path: "stimulus.txtar", About: "the stimulus, shrunk to 7 cycles"}, {Path: "a b/trans:cript.txt", About: "what the testbench did"}},
	}
}

// stopped returns the failure of a run that the RTL ended.
func stopped() *report.Failure {
	f := counter()
	f.Ports, f.Wave.Cycles = nil, nil
	f.Reason = "icarus: counter called $fatal in cycle 22 at counter.sv:14: overflow\n  last it printed:\n  count is 255"
	return f
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

var samples = map[string]func() *report.Failure{"counter": counter, "board": board, "stopped": stopped}

func Example() {
	full := report.Signal{Name: "full_o", Width: 1, Dir: report.Output}
	level := report.Signal{Name: "level_o", Width: 5, Dir: report.Output, Format: report.Decimal}
	f := &report.Failure{
		Top: "fifo", Cycle: 19, At: 205 * time.Nanosecond, Seed: 1,
		Columns: []string{"model", "icarus", "verilator"},
		Ports: []report.Port{
			{Signal: full, Values: []report.Value{report.Uint(1), report.Uint(0), report.Uint(0)}},
			{Signal: level, Values: []report.Value{report.Uint(16), report.Uint(16), report.Uint(16)}},
		},
		Wave: report.Wave{
			Column: "icarus", Cycles: []uint64{16, 17, 18, 19},
			Traces: []report.Trace{
				{Signal: full, Values: []report.Value{report.Uint(0), report.Uint(0), report.Uint(0), report.Uint(0)}},
				{Signal: level, Values: []report.Value{report.Uint(13), report.Uint(14), report.Uint(15), report.Uint(16)}},
			},
		},
		Reproduce: "go test ./fifo -run TestFIFO -count=1",
	}
	fmt.Print(f.Text(false))
	// Output:
	// fifo differs from its model in cycle 19 (205ns) on icarus, verilator: full_o
	//
	//   output   model  icarus  verilator  differing bits
	// > full_o       1       0          0  [0]
	//   level_o     16      16         16
	//
	// cycle   16       19
	// full_o  ▁▁▁▁▁▁▁▁▁▁▁▁
	// level_o 13 14 15 16
	//
	// seed 1; again: go test ./fifo -run TestFIFO -count=1
}
