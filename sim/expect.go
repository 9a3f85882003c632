package sim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unsafe"
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
		// Taken before the run: it moves the history on, and the cycle.
		before, first := d.past.copy(), d.cycle
		done, err := d.play(n)
		for i := range done {
			if got != nil {
				d.out.unpack(unsafe.Pointer(&got[i]), tape.Out[i*d.layout.OutSize:(i+1)*d.layout.OutSize])
			}
			diff, cerr := d.compare(i, &want[i], dontCare)
			if cerr != nil {
				return cerr
			}
			if diff == nil {
				continue
			}
			diff.Cycle = first + uint64(i)
			before.keep(tape, first, i+1)
			diff.history = before
			return diff
		}
		if err != nil {
			return err
		}
		in, want = in[n:], want[n:]
		if got != nil {
			got = got[n:]
		}
	}
	return nil
}

// compare compares a row of the tape with what is wanted.
func (d *DUT[I, O]) compare(row int, want *O, dontCare func(O) O) (*Difference, error) {
	size := d.layout.OutSize
	tape := d.instance.Tape()
	got := tape.Out[row*size : (row+1)*size]
	var unknown []byte
	if tape.Unknown != nil {
		unknown = tape.Unknown[row*size : (row+1)*size]
	}
	wanted := d.scratch[:size]
	if err := d.out.pack(wanted, unsafe.Pointer(want)); err != nil {
		return nil, fmt.Errorf("the expected outputs: %w", err)
	}
	if bytes.Equal(wanted, got) && (unknown == nil || allZero(unknown)) {
		return nil, nil
	}
	ignored := d.scratch[size:]
	clear(ignored)
	if dontCare != nil {
		mask := dontCare(*want)
		if err := d.out.pack(ignored, unsafe.Pointer(&mask)); err != nil {
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
	diff := &Difference{Simulator: d.simulator, Top: d.design.Top, Period: d.design.ClockPeriod(), Seed: d.seed}
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
