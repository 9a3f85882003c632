package stream_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// faulty is the FIFO with one text in it replaced.
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

// A checker that knows of a reset begins with it, wherever it was, and one that never began says so.
func TestCheckerStarts(t *testing.T) {
	const fell = "valid fell before ready was 1"
	d := faulty(t, "valid_o & ready_i;", "valid_o & (ready_i | level_q == 3'd1);") // pops the last without ready
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
