package fuzz

import (
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
)

// Run fuzzes a design under Verilator: body is given a DUT and a stimulus of 1 to so many cycles,
// and fails the test as any other does, mostly by [sim.Check]. The stimulus is what a [Decoder]
// makes of the fuzzer's bytes; [RunWith] takes a decoder of your own.
//
// The DUT has just been reset, and is the same for many calls: what is in its memories is what
// earlier ones have left there. If the design has a clock but no reset, each call has a new DUT, or
// what is found would depend on the calls before it, and not be found again. That costs some
// milliseconds a call: set Design.Reset where there is one. A design without a clock is taken to
// have no state.
//
// Seeds of your own are added before, with [Decoder.Encode] and f.Add.
func Run[I, O any](f *testing.F, d sim.Design, cycles int, body func(t *testing.T, dut *sim.DUT[I, O], in []I)) {
	f.Helper()
	decoder, err := NewDecoder[I](cycles)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(make([]byte, min(cycles, 8)*decoder.Size()+Spare))
	run(f, d, decoder.Decode, body)
}

// RunWith is [Run] with a decoder from bytes to stimulus of your own: to bus accesses, say, or to
// values and how long they last, where random cycles would mostly be nonsense. The stimulus is of
// any type that body can play.
//
// Any bytes must decode, none as well, and always to the same. Best is what changes little when
// bytes do: as many bytes for each step, and none that says how many steps follow. The last byte of
// the fuzzer's input is not passed on: see [Spare]. Seeds for f.Add have one more.
func RunWith[I, O, S any](f *testing.F, d sim.Design, decode func(data []byte) S, body func(t *testing.T, dut *sim.DUT[I, O], stimulus S)) {
	f.Helper()
	f.Add(make([]byte, 8+Spare))
	run(f, d, func(data []byte) S { return decode(data[:max(len(data)-Spare, 0)]) }, body)
}

func run[I, O, S any](f *testing.F, d sim.Design, decode func(data []byte) S, body func(t *testing.T, dut *sim.DUT[I, O], stimulus S)) {
	f.Helper()
	log := &caseLog{t: f}
	logger := hclog.New(&hclog.LoggerOptions{Output: log, DisableTime: true})
	open := func(t testing.TB) (*sim.DUT[I, O], *Guide) {
		dut := sim.OpenTest[I, O](t, d, sim.Verilator, sim.WithLineCoverage(), sim.WithLogger(logger))
		guide, err := NewGuide(dut)
		if err != nil {
			t.Fatal(err)
		}
		return dut, guide
	}
	dut, guide := open(f)
	// The state that a case leaves cannot be undone.
	stays := d.Reset == "" && (d.Clock != "" || len(d.Clocks) > 0)
	f.Fuzz(func(t *testing.T, data []byte) {
		log.t = t
		defer func() { log.t = f }()
		dut, guide := dut, guide
		var none I
		if stays {
			dut, guide = open(t)
		} else if _, err := dut.Settle(none); err != nil {
			// An earlier case has ended the simulation. This one is not to pay for it.
			dut, guide = open(t)
		}
		guide.Case(func() { body(t, dut, decode(data)) })
	})
}

// caseLog writes what the RTL prints to the log of the present case: that of the fuzz test is
// closed as long as one runs.
type caseLog struct{ t testing.TB }

func (l *caseLog) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimRight(string(b), "\n"))
	return len(b), nil
}
