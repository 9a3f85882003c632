package sim

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// Expect does len(in) cycles as a tape and compares every output in every cycle with want, which
// must be as long as in. A bit that is X or Z is a difference. dontCare is nil or returns, for the
// wanted outputs of a cycle, a mask of bits that are not compared in it.
//
// At the first cycle that differs, Expect returns a *[Difference] and the DUT stays
// at the end of the tape that it was playing. Other errors are those of the simulator.
func (d *DUT[I, O]) Expect(in []I, want []O, dontCare func(want O) O) error {
	return d.ExpectInto(in, want, nil, dontCare)
}

// ExpectInto is Expect, and stores the sampled outputs in got, which must be as long as in, or nil.
// Unknown bits read as in [DUT.Step]. After a difference, got is valid up to its cycle.
func (d *DUT[I, O]) ExpectInto(in []I, want, got []O, dontCare func(want O) O) error {
	if len(want) != len(in) {
		return fmt.Errorf("a tape of %d inputs needs as many expected outputs, not %d", len(in), len(want))
	}
	if got != nil && len(got) != len(in) {
		return fmt.Errorf("a tape of %d inputs needs room for as many outputs, not %d", len(in), len(got))
	}
	var ignored func(want []byte) []byte
	if dontCare != nil {
		ignored = func(want []byte) []byte {
			mask := dontCare(*(*O)(unsafe.Pointer(unsafe.SliceData(want))))
			return d.device.out.ignore(rowOf(&mask))
		}
	}
	return d.device.expect(rowsOf(in), rowsOf(want), rowsOf(got), len(in), ignored)
}

// Rows returns recorded cycles as rows of bytes, and the layout of these, for programs that drive
// the same RTL without Go (see package bridge/bare). It is an error if a value does not fit its
// port.
func (d *DUT[I, O]) Rows(in []I, out []O) (layout *bridge.Layout, inRows, outRows []byte, err error) {
	if err := d.device.fit(rowsOf(in), rowsOf(out), len(in)); err != nil {
		return nil, nil, nil, err
	}
	return d.device.layout, rowsOf(in), rowsOf(out), nil
}

// fit returns an error if a value in n rows does not fit its port.
func (d *device) fit(in, out []byte, n int) error {
	for i := range n {
		if err := cmp.Or(d.in.misfit(row(in, i, d.layout.InSize)), d.out.misfit(row(out, i, d.layout.OutSize))); err != nil {
			return fmt.Errorf("cycle %d: %w", i, err)
		}
	}
	return nil
}

// expect is [DUT.ExpectInto] of n rows.
func (d *device) expect(in, want, got []byte, n int, dontCare func(want []byte) []byte) error {
	inSize, outSize := d.layout.InSize, d.layout.OutSize
	if d.sampled == nil {
		d.sampled = memory(d.rows * outSize)
	}
	for n > 0 {
		part := min(n, d.rows)
		out := d.sampled
		if got != nil {
			out, got = got[:part*outSize], got[part*outSize:]
		}
		first := d.cycle
		err := d.tape(in, out, part)
		done := int(d.cycle - first)
		same, misfit := d.differ(want, out, done, dontCare)
		d.expected(want, same, dontCare)
		// The report's last cycle is the one that differs, or in which the RTL itself found an
		// error before.
		end := upTo(err, first, done)
		d.keep(first, in, out, d.unknown, min(same+1, end))
		switch {
		case same < end && misfit != nil:
			return misfit
		case same < end:
			diff := d.difference(same, want, out, dontCare)
			d.broken("the RTL differed from what the test expected")
			after := same + 1
			d.keep(first+uint64(after), in[after*inSize:], out[after*outSize:], d.unknownFrom(after), end-after)
			return diff
		}
		if err != nil {
			return err
		}
		in, want, n = in[part*inSize:], want[part*outSize:], n-part
	}
	return nil
}

// differ returns how many of n rows come before the first in which outputs differ from the wanted
// ones.
func (d *device) differ(want, got []byte, n int, dontCare func(want []byte) []byte) (int, error) {
	size := d.layout.OutSize
	// Nearly always all is equal, and nothing unknown.
	if bytes.Equal(want[:n*size], got[:n*size]) && (d.unknown == nil || allZero(d.unknown[:n*size])) {
		return n, nil
	}
	for i := range n {
		w, g, u := row(want, i, size), row(got, i, size), d.unknownFrom(i)
		if !d.out.differ(w, g, u, nil) {
			continue
		}
		if dontCare != nil && !d.out.differ(w, g, u, dontCare(w)) {
			continue
		}
		if err := d.out.misfit(w); err != nil {
			return i, fmt.Errorf("the expected outputs of cycle %d: %w", d.began+uint64(i), err)
		}
		return i, nil
	}
	return n, nil
}

// unknownFrom returns the unknown bits of the last run from a row on; nil under Verilator.
func (d *device) unknownFrom(row int) []byte {
	if d.unknown == nil {
		return nil
	}
	return d.unknown[row*d.layout.OutSize:]
}

func allZero(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
		b = b[8:]
	}
	return len(b) == 0 || word(b, 0) == 0
}
