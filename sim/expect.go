package sim

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// Expect does len(in) cycles as a tape and compares every output in every cycle
// with want, which must be as long as in. dontCare, if it is not nil, is given what is wanted
// and returns a mask: bits set in it are not compared. A bit that is X or Z and is
// compared is a difference.
//
// At the first cycle that differs, Expect returns a *[Difference] and the DUT stays
// at the end of the tape that it was playing. Other errors are those of the simulator.
func (d *DUT[I, O]) Expect(in []I, want []O, dontCare func(want O) O) error {
	return d.ExpectInto(in, want, nil, dontCare)
}

// ExpectInto is Expect that also stores the outputs as sampled in got, which is nil or
// as long as in, for a testbench that makes something of them. Unknown bits read
// as in [DUT.Step]. At a difference, got is valid up to its cycle.
func (d *DUT[I, O]) ExpectInto(in []I, want, got []O, dontCare func(want O) O) error {
	if len(want) != len(in) {
		return fmt.Errorf("a tape of %d inputs needs as many expected outputs, not %d", len(in), len(want))
	}
	if got != nil && len(got) != len(in) {
		return fmt.Errorf("a tape of %d inputs needs room for as many outputs, not %d", len(in), len(got))
	}
	tape := d.instance.Tape()
	for len(in) > 0 {
		n := min(len(in), tape.Rows)
		if err := d.write(in[:n]); err != nil {
			return err
		}
		// Taken before the run, which moves the history on, and the cycle.
		before, first := d.past.copy(), d.cycle
		done, err := d.play(n)
		if got != nil {
			d.out.unpack(columnOf(got[:done], tape.Out, d.layout.OutSize))
			got = got[n:]
		}
		if row, diff, err := d.compare(want[:done], dontCare); err != nil {
			return err
		} else if diff != nil {
			diff.Cycle = first + uint64(row)
			diff.At = bridge.NewSchedule(d.clocks).Instant(diff.Cycle)
			before.keep(tape, first, row+1)
			diff.history = before
			return diff
		}
		if err != nil {
			return err
		}
		in, want = in[n:], want[n:]
	}
	return nil
}

// compare compares the first rows of the tape with what is wanted, and returns the
// first that differs.
func (d *DUT[I, O]) compare(want []O, dontCare func(O) O) (int, *Difference, error) {
	tape, size := d.instance.Tape(), d.layout.OutSize
	if d.ignored == nil {
		d.ignored = make([]O, tape.Rows)
	}
	clear(d.ignored)
	for i := range want {
		if dontCare != nil {
			d.ignored[i] = dontCare(want[i])
		}
	}
	d.out.differ(columnOf(want, tape.Out, size), unsafe.Pointer(unsafe.SliceData(d.ignored)), d.differs)
	for row, differs := range d.differs[:len(want)] {
		var unknown []byte
		if tape.Unknown != nil {
			unknown = tape.Unknown[row*size : (row+1)*size]
		}
		if differs == 0 && allZero(unknown) {
			continue
		}
		diff, err := d.compareRow(&want[row], tape.Out[row*size:(row+1)*size], unknown, dontCare)
		if diff != nil || err != nil {
			return row, diff, err
		}
	}
	return 0, nil, nil
}

// compareRow compares a row bit by bit, with what the model does not care about
// taken off, and makes a Difference of it if one remains.
func (d *DUT[I, O]) compareRow(want *O, got, unknown []byte, dontCare func(O) O) (*Difference, error) {
	size := d.layout.OutSize
	wanted, ignored := make([]byte, size), make([]byte, size)
	if _, err := d.out.pack(columnOf(unsafe.Slice(want, 1), wanted, size)); err != nil {
		return nil, fmt.Errorf("the expected outputs: %w", err)
	}
	if dontCare != nil {
		mask := dontCare(*want)
		if _, err := d.out.pack(columnOf(unsafe.Slice(&mask, 1), ignored, size)); err != nil {
			return nil, fmt.Errorf("the don't-care mask: %w", err)
		}
	}
	differ := false
	for i := 0; i < size; i += 8 {
		x := binary.LittleEndian.Uint64(wanted[i:]) ^ binary.LittleEndian.Uint64(got[i:])
		if unknown != nil {
			x |= binary.LittleEndian.Uint64(unknown[i:])
		}
		differ = differ || x&^binary.LittleEndian.Uint64(ignored[i:]) != 0
	}
	if !differ {
		return nil, nil
	}
	diff := &Difference{Simulator: d.simulator, Top: d.design.Top, Seed: d.seed}
	for _, f := range d.out.fields {
		p := f.port
		diff.Ports = append(diff.Ports, PortDifference{
			Name: p.Name, Width: p.Width,
			Want: portBits(wanted, p), Got: portBits(got, p),
			Unknown: portBits(unknown, p), Ignored: portBits(ignored, p),
		})
	}
	return diff, nil
}

func allZero(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
		b = b[8:]
	}
	return true
}

// Rows are recorded cycles as raw rows in the DUT's layout, for programs that drive
// the same RTL without Go (see package bridge/bare).
func (d *DUT[I, O]) Rows(in []I, out []O) (layout *bridge.Layout, inRows, outRows []byte, err error) {
	l := d.layout
	inRows, outRows = make([]byte, len(in)*l.InSize), make([]byte, len(out)*l.OutSize)
	if i, err := d.in.pack(columnOf(in, inRows, l.InSize)); err != nil {
		return nil, nil, nil, fmt.Errorf("cycle %d: %w", i, err)
	}
	if i, err := d.out.pack(columnOf(out, outRows, l.OutSize)); err != nil {
		return nil, nil, nil, fmt.Errorf("cycle %d: %w", i, err)
	}
	return l, inRows, outRows, nil
}
