package stream_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// faulty returns the FIFO with one text of its source replaced.
func faulty(t *testing.T, old, new string) sim.Design {
	t.Helper()
	text, err := os.ReadFile("testdata/fifo.sv")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), old); n != 1 {
		t.Fatalf("%q stands %d times in fifo.sv, not once", old, n)
	}
	d := fifo
	d.FS = fstest.MapFS{"fifo.sv": {Data: []byte(strings.Replace(string(text), old, new, 1))}}
	return d
}

// A checker with InReset begins at the reset, in this bench or before it. One that has never begun
// is an error.
func TestCheckerStarts(t *testing.T) {
	const fell = "valid fell before ready was 1"
	// pops the last without ready
	d := faulty(t, "valid_o & ready_i;", "valid_o & (ready_i | level_q == 3'd1);")
	send := func(b *tb.Bench[fifoIn, fifoOut], p *tb.Process) {
		b.In.Valid = true
		p.Next()
		b.In.Valid = false
		p.Wait(4)
	}
	for _, c := range []struct {
		name string
		run  func(b *tb.Bench[fifoIn, fifoOut], p *tb.Process)
		want string // "": no error
	}{
		{"reset in the bench", func(b *tb.Bench[fifoIn, fifoOut], p *tb.Process) {
			(&tb.Reset{Bit: &b.In.Rst}).Hold(p)
			send(b, p)
		}, fell},
		{"reset before the bench", send, fell},
		{"second run", send, fell},
		{"reset before the bench, nothing wrong", func(_ *tb.Bench[fifoIn, fifoOut], p *tb.Process) { p.Wait(4) }, ""},
		{"never reset", send, "fifo: checked nothing: the reset was not active in any of the 5 cycles, nor had the design run before: hold it first (tb.Reset.Hold, "},
		{"always in reset", func(b *tb.Bench[fifoIn, fifoOut], p *tb.Process) {
			b.In.Rst = true
			p.Wait(4)
		}, "fifo: checked nothing: the reset was active in all 4 cycles: end the run after some without it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[fifoIn, fifoOut]) {
				if strings.HasPrefix(c.name, "reset before") {
					if err := dut.Reset(3); err != nil {
						t.Fatal(err)
					}
				}
				b := tb.New(dut)
				if c.name == "second run" {
					b.Go("reset", (&tb.Reset{Bit: &b.In.Rst}).Hold)
					b.Check(t, 10)
				}
				b.Monitor("rules", (&stream.Checker{Name: "fifo", Valid: &b.Out.Valid, Ready: &b.In.Ready, InReset: func() bool { return b.In.Rst }}).Run)
				b.Go("body", func(p *tb.Process) { c.run(b, p) })
				err := b.Run(100)
				if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
					t.Errorf("error %v, want %q", err, c.want)
				}
			})
		})
	}
}

// Bits that are X or Z read as 0 or 1. The checker and the monitor find that they are neither.
func TestUnknownPayload(t *testing.T) {
	item := func(b *tb.Bench[fifoIn, fifoOut]) uint8 { return b.Out.Data }
	monitor := func(b *tb.Bench[fifoIn, fifoOut], get func(b *tb.Bench[fifoIn, fifoOut]) uint8) func(*tb.Process) {
		b.In.Ready = true
		return (&stream.Monitor[uint8]{Valid: &b.Out.Valid, Ready: &b.In.Ready, Get: func() uint8 { return get(b) }, Each: func(_ *tb.Process, v uint8) {
			if v != 0 {
				t.Errorf("got %d", v)
			}
		}}).Run
	}
	checker := func(payload func(b *tb.Bench[fifoIn, fifoOut]) stream.Signal) func(b *tb.Bench[fifoIn, fifoOut]) func(*tb.Process) {
		return func(b *tb.Bench[fifoIn, fifoOut]) func(*tb.Process) {
			return (&stream.Checker{Name: "fifo", Valid: &b.Out.Valid, Ready: &b.In.Ready, Payload: []stream.Signal{payload(b)}}).Run
		}
	}
	field := checker(func(b *tb.Bench[fifoIn, fifoOut]) stream.Signal { return stream.Field("data_o", &b.Out.Data) })
	for _, c := range []struct {
		name     string
		old, new string
		process  func(b *tb.Bench[fifoIn, fifoOut]) func(*tb.Process)
		want     string // "": no error
	}{
		{"becomes X", "mem[read_q]", "level_q == 3'd2 ? 8'hxx : mem[read_q]", field, "data_o changed from 0x0 to 8'hxx while valid waited for ready"},
		{"was Z", "mem[read_q]", "level_q == 3'd1 ? 8'h0z : 8'h0f", field, "data_o changed from 8'h0z to 0xf while valid waited for ready"},
		{"stays X", "mem[read_q]", "8'b0x", field, ""},
		{"a bit", "level_q != 3'd4", "level_q == 3'd2 ? 1'bx : level_q != 3'd4", checker(func(b *tb.Bench[fifoIn, fifoOut]) stream.Signal { return stream.Field("ready_o", &b.Out.Ready) }), "ready_o changed from true to 1'hx"},
		{"a struct", "mem[read_q]", "level_q == 3'd2 ? 8'hxx : 8'd0", checker(func(b *tb.Bench[fifoIn, fifoOut]) stream.Signal { return stream.Field("all", &b.Out) }), "all changed from {true true 0} to {true true 0} with X or Z in it"},
		{"memory", "mem[read_q]", "level_q == 3'd2 ? 8'h0x : 8'd0", checker(func(b *tb.Bench[fifoIn, fifoOut]) stream.Signal {
			return stream.Bytes("bytes", unsafe.Slice(&b.Out.Data, 1))
		}), "bytes changed from 0x0 to 8'h0x"},
		{"monitor", "mem[read_q]", "8'h0x", func(b *tb.Bench[fifoIn, fifoOut]) func(*tb.Process) { return monitor(b, item) },
			"an item was transferred that depends on bits that are X or Z: 0, or 15 with these the other way round"},
		{"monitor of what is known", "mem[read_q]", "8'h0x", func(b *tb.Bench[fifoIn, fifoOut]) func(*tb.Process) {
			return monitor(b, func(b *tb.Bench[fifoIn, fifoOut]) uint8 { return b.Out.Data &^ b.Unknown.Data })
		}, ""},
		{"monitor, valid is Z", "level_q != 3'd0", "level_q == 3'd0 ? 1'b0 : 1'bz", func(b *tb.Bench[fifoIn, fifoOut]) func(*tb.Process) { return monitor(b, item) },
			"valid or ready of a transfer is Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dut := sim.OpenTest[fifoIn, fifoOut](t, faulty(t, c.old, c.new), sim.Icarus)
			if err := dut.Reset(2); err != nil {
				t.Fatal(err)
			}
			b := tb.New(dut)
			b.Monitor("watch", c.process(b))
			b.Go("source", func(p *tb.Process) {
				b.In.Valid = true
				p.Wait(3)
				b.In.Valid = false
				p.Wait(3)
			})
			if err := b.Run(100); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
