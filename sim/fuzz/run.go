package fuzz

import (
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
)

// Run fuzzes a design under Verilator. It calls body with a DUT and a stimulus of 1 to so many
// cycles, which a [Decoder] makes of the fuzzer's bytes. body plays the stimulus and fails the test
// if there is an error, mostly with [sim.Check]. [RunWith] takes a decoder of your own.
//
// The DUT has just been reset. It is the same for many calls, and its memories keep what earlier
// calls have left there. If the design has a clock but no reset, each call gets a new DUT;
// otherwise a failure could depend on earlier calls, and would not be repeated. That takes some
// milliseconds a call, so set Design.Reset if there is a reset. A design without a clock is assumed
// to have no state.
//
// Add seeds of your own before, with [Decoder.Encode] and f.Add.
func Run[I, O any](f *testing.F, d sim.Design, cycles int, body func(t *testing.T, dut *sim.DUT[I, O], in []I)) {
	f.Helper()
	decoder, err := NewDecoder[I](cycles)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(make([]byte, min(cycles, 8)*decoder.Size()+Spare))
	run(f, d, decoder.Decode, body)
}

// RunWith is like [Run], with a decoder of your own from bytes to stimulus. Use it for designs to
// which random cycles mostly mean nothing: decode bus accesses, for example, or values and for how
// long they stay. The stimulus may have any type that body can play.
//
// Any bytes must decode, also none, and always to the same stimulus. It is best if a small change
// of the bytes is a small change of the stimulus: use equally many bytes for each step, and no byte
// that says how many steps follow. The last byte of the fuzzer's input is not given to decode (see
// [Spare]), so seeds for f.Add have one byte more.
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
	// Without a reset, the state that a run leaves stays.
	stays := d.Reset == "" && (d.Clock != "" || len(d.Clocks) > 0)
	f.Fuzz(func(t *testing.T, data []byte) {
		log.t = t
		defer func() { log.t = f }()
		dut, guide := dut, guide
		var none I
		if stays {
			dut, guide = open(t)
		} else if _, err := dut.Settle(none); err != nil {
			// An earlier run has ended the simulation. This one must not fail for it.
			dut, guide = open(t)
		}
		guide.Case(func() { body(t, dut, decode(data)) })
	})
}

// caseLog writes what the RTL prints to the log of the present run, as the fuzz test's own log is
// closed while one runs.
type caseLog struct{ t testing.TB }

func (l *caseLog) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimRight(string(b), "\n"))
	return len(b), nil
}
