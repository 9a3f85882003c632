package stream_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

var fifo = sim.Design{Top: "fifo", FS: os.DirFS("testdata"), Dir: "sim/stream/testdata", Files: []string{"fifo.sv"}, Clock: "clk_i", Reset: "rst_i"}

type fifoIn struct {
	Rst   bool
	Valid bool
	Data  uint8 `port:"data_i"`
	Ready bool
}

type fifoOut struct {
	Ready bool
	Valid bool
	Data  uint8 `port:"data_o"`
}

// traffic is how often the two ends of the FIFO pause.
type traffic struct {
	gap, busy float64
	late      bool
}

// run sends bytes through a FIFO and checks that all come out in order, and the rules of both
// streams.
func run(dut *sim.DUT[fifoIn, fifoOut], items int, t traffic, seed uint64) (cycles int, err error) {
	b := tb.New(dut)
	b.SetSeed(seed)
	board := score.NewInOrder[uint8](b, "bytes")
	inReset := func() bool { return b.In.Rst }
	b.Monitor("in", (&stream.Monitor[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Get: func() uint8 { return b.In.Data }, Each: board.Expect, InReset: inReset}).Run)
	b.Monitor("out", (&stream.Monitor[uint8]{Valid: &b.Out.Valid, Ready: &b.In.Ready, Get: func() uint8 { return b.Out.Data }, Each: board.Got, InReset: inReset}).Run)
	b.Monitor("rules in", (&stream.Checker{
		Name: "fifo in", Valid: &b.In.Valid, Ready: &b.Out.Ready, ValidName: "valid_i", ReadyName: "ready_o",
		Payload: []stream.Signal{stream.Field("data_i", &b.In.Data)}, InReset: inReset, Bound: 100,
	}).Run)
	b.Monitor("rules out", (&stream.Checker{
		Name: "fifo out", Valid: &b.Out.Valid, Ready: &b.In.Ready, ValidName: "valid_o", ReadyName: "ready_i",
		Payload: []stream.Signal{stream.Field("data_o", &b.Out.Data)}, InReset: inReset,
	}).Run)
	b.Background("sink", (&stream.Sink{Valid: &b.Out.Valid, Ready: &b.In.Ready, Busy: t.busy, Late: t.late}).Run)
	b.Go("source", func(p *tb.Process) {
		b.In.Rst = true
		p.Wait(3)
		b.In.Rst = false
		p.Next()
		start := p.Cycle()
		d := &stream.Driver[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Put: func(v uint8) { b.In.Data = v }, Gap: t.gap, Bound: 200}
		for range items {
			d.Send(p, uint8(p.Rand().Uint32()))
		}
		p.Until(200, func() bool { return board.Pending() == 0 })
		cycles = p.Cycle() - start
	})
	return cycles, b.Run(100 * items)
}

var traffics = []traffic{{0, 0, false}, {0, 0.7, false}, {0.7, 0, false}, {0.4, 0.4, false}, {0.2, 0.3, true}}

func TestFIFO(t *testing.T) {
	for _, traffic := range traffics {
		t.Run(fmt.Sprintf("gap %v, busy %v, late %v", traffic.gap, traffic.busy, traffic.late), func(t *testing.T) {
			sim.ForEach(t, fifo, func(t *testing.T, dut *sim.DUT[fifoIn, fifoOut]) {
				cycles, err := run(dut, 500, traffic, sim.Seed())
				if err != nil {
					t.Fatal(err)
				}
				if traffic.gap+traffic.busy == 0 && cycles != 501 {
					t.Errorf("500 bytes took %d cycles, want one a cycle and a latency of 1", cycles)
				}
			})
		})
	}
}

// Each fault is found by the check that is meant for it.
func TestFIFOFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	text, err := os.ReadFile("testdata/fifo.sv")
	if err != nil {
		t.Fatal(err)
	}
	const notFull, notEmpty = "level_q != 3'd4", "level_q != 3'd0"
	for _, fault := range []struct{ name, old, new, want string }{
		{"overflows", notFull, "1'b1", "data_o changed from"},
		{"pops without ready", "valid_o & ready_i;", "valid_o;", "data_o changed"},
		{"pops the last without ready", "valid_o & ready_i;", "valid_o & (ready_i | level_q == 3'd1);", "valid_o fell before ready_i was 1; rule: valid must stay 1 until ready"},
		{"data from the wrong place", "mem[read_q]", "mem[read_q ^ {1'b0, level_q[2]}]", "changed from"},
		{"one byte lost", "if (push) begin", "if (push & ~(data_i == 8'd77)) begin", `scoreboard "bytes"`},
		{"one bit wrong", "<= data_i", "<= data_i ^ {7'd0, data_i == 8'd77}", "77 (0x4d)"},
		{"waits for ready", notEmpty, "level_q != 3'd0 & ready_i", "ready_o has been 0 for 101 cycles"},
		{"sticks when full", "valid_i & ready_o", "valid_i & ready_o & level_q != 3'd3", `scoreboard "bytes"`},
		{"never ready again", notFull, "level_q != 3'd4 & write_q != 2'd3", "ready_o has been 0 for 101 cycles"},
		{"one byte twice", "valid_o & ready_i;", "valid_o & ready_i & ~(data_o[3:0] == 4'd7 & level_q == 3'd2);", `scoreboard "bytes"`},
		{"unknown ready", notFull, "(level_q == 3'd3 ? 1'bx : level_q != 3'd4)", "ready_o is X or Z while valid_i is 1"},
		{"unknown valid", notEmpty, "(level_q == 3'd3 ? 1'bx : level_q != 3'd0)", "valid_o is X or Z"},
		{"no reset", "level_q <= '0;", "", "is X or Z"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			if n := strings.Count(string(text), fault.old); n != 1 {
				t.Fatalf("%q stands %d times in fifo.sv, not once", fault.old, n)
			}
			d := fifo
			d.FS = fstest.MapFS{"fifo.sv": {Data: []byte(strings.Replace(string(text), fault.old, fault.new, 1))}}
			var messages []string
			for _, traffic := range traffics {
				dut := sim.OpenTest[fifoIn, fifoOut](t, d, sim.Icarus)
				if _, err := run(dut, 500, traffic, 1); err != nil {
					messages = append(messages, err.Error())
				}
			}
			if !strings.Contains(strings.Join(messages, "\n"), fault.want) {
				t.Errorf("no report has %q:\n%s", fault.want, strings.Join(messages, "\n"))
			}
		})
	}
}

// A driver that is stopped sets valid to 0, which the checker reports.
func TestDriverStopped(t *testing.T) {
	sim.ForEach(t, fifo, func(t *testing.T, dut *sim.DUT[fifoIn, fifoOut]) {
		if err := dut.Reset(2); err != nil {
			t.Fatal(err)
		}
		b := tb.New(dut)
		b.Monitor("rules", (&stream.Checker{Name: "in", Valid: &b.In.Valid, Ready: &b.Out.Ready}).Run)
		driver := b.Background("driver", func(p *tb.Process) {
			d := &stream.Driver[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Put: func(v uint8) { b.In.Data = v }}
			for {
				d.Send(p, 9)
			}
		})
		b.Go("stopper", func(p *tb.Process) {
			p.Until(10, func() bool { return !b.Out.Ready })
			driver.Stop()
			p.Wait(3)
		})
		err := b.Run(100)
		var v *stream.Violation
		if !errors.As(err, &v) || v.Signal != "valid" || v.Cycle != 7 {
			t.Errorf("error %v, want that valid fell in cycle 7", err)
		}
	})
}
