package sim

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// Value is what an internal signal has: see [bridge.Value] for names and when they are read and
// written.
type Value = bridge.Value

// Bits returns a value of up to 64 bits, none of them X or Z, for [DUT.Poke] and [DUT.Force].
// Convert a signed number: Bits(8, uint64(n)) with an int n of -3 is 8'hfd. If v needs more than
// width bits, the value has as many as v needs, so that Poke and Force refuse it.
func Bits(width int, v uint64) Value {
	if width > 0 && width < 64 {
		if above := int64(v) >> (width - 1); above == -1 {
			v &= 1<<width - 1
		} else {
			width = max(width, bits.Len64(v))
		}
	}
	return Value{Width: width, Bits: []uint64{v}}
}

// Peek returns the value of an internal signal, or of a word of a memory ("u_fifo.mem[3]").
// Design.Internals must name it.
func (d *DUT[I, O]) Peek(name string) (Value, error) { return d.device.instance.Peek(name) }

// Poke writes a value to an internal signal once. It stays until the RTL assigns the signal again.
func (d *DUT[I, O]) Poke(name string, v Value) error { return d.device.poke(name, v) }

func (d *device) poke(name string, v Value) error {
	if err := d.instance.Poke(name, v); err != nil {
		return err
	}
	if d.tapes != nil {
		d.tapes.Poke(name, v)
	}
	return nil
}

// Coverage returns the code coverage so far, in the format of Verilator's coverage.dat. It is an
// error without [WithCoverage] or [WithLineCoverage].
func (d *DUT[I, O]) Coverage() ([]byte, error) { return d.device.instance.Coverage() }

// Counters returns the counters of code coverage themselves: they change as cycles are done, and
// are valid until Close. Without [WithCoverage] or [WithLineCoverage] there are none.
func (d *DUT[I, O]) Counters() []uint32 { return d.device.instance.Counters() }

// times is where a DUT's time went since it was opened.
type times struct {
	Build time.Duration // compiling, or finding it compiled
	bridge.Spent
	Go time.Duration // the rest: model, testbench, comparison, and whatever else the process did
}

func (t times) String() string {
	ms := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	s := fmt.Sprintf("build %v, simulator %v, bridge %v, Go %v", ms(t.Build), ms(t.Simulator), ms(t.Bridge), ms(t.Go))
	if t.Waiting > 0 {
		s += fmt.Sprintf("; of it asleep until vvp answered %v", ms(t.Waiting))
	}
	return s
}

// times returns where the time went, if Options.Timed had it counted.
func (d *device) times() times {
	t := times{Build: d.building, Spent: d.instance.Spent()}
	t.Go = time.Since(d.opened) - t.Build - t.Simulator - t.Bridge
	return t
}
