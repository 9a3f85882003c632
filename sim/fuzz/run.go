package fuzz

import (
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
)

// Run fuzzes a design under Verilator: body is given a DUT and a stimulus of 1 to so many cycles, and fails the test as any other
// does, mostly by [sim.Check]. The DUT has just been reset, if the design has a reset. It is the same for many calls: what is
// in its memories is what earlier ones have left there.
//
// Seeds of your own are added before, with [Decoder.Encode] and f.Add.
func Run[I, O any](f *testing.F, d sim.Design, cycles int, body func(t *testing.T, dut *sim.DUT[I, O], in []I)) {
	f.Helper()
	decoder, err := NewDecoder[I](cycles)
	if err != nil {
		f.Fatal(err)
	}
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
	f.Add(make([]byte, min(cycles, 8)*decoder.Size()+Spare))
	f.Fuzz(func(t *testing.T, data []byte) {
		log.t = t
		defer func() { log.t = f }()
		dut, guide := dut, guide
		var none I
		if _, err := dut.Settle(none); err != nil {
			// An earlier case has ended the simulation. This one is not to pay for it.
			dut, guide = open(t)
		}
		guide.Case(func() { body(t, dut, decoder.Decode(data)) })
	})
}

// caseLog writes what the RTL prints to the log of the present case: that of the fuzz test is closed as long as one runs.
type caseLog struct{ t testing.TB }

func (l *caseLog) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimRight(string(b), "\n"))
	return len(b), nil
}
