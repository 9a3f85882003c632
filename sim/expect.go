package sim

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"

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
	if d.sampled == nil {
		d.sampled = make([]O, d.rows)
	}
	for len(in) > 0 {
		n := min(len(in), d.rows)
		out := d.sampled[:n]
		if got != nil {
			out, got = got[:n], got[n:]
		}
		first := d.cycle
		err := d.tape(in[:n], out)
		done := int(d.cycle - first)
		row, misfit := d.differ(want[:done], out[:done], dontCare)
		d.expected(want[:row], dontCare)
		// The report's last cycle is the one that differs, or in which the RTL itself found an
		// error before.
		end := upTo(err, first, done)
		d.past.keep(first, in[:min(row+1, end)], out, d.unknown)
		switch {
		case row < end && misfit != nil:
			return misfit
		case row < end:
			diff := d.difference(row, want, out, dontCare)
			d.broken("the RTL differed from what the test expected")
			d.past.keep(first+uint64(row+1), in[row+1:end], out[row+1:], d.unknownFrom(row+1))
			return diff
		}
		if err != nil {
			return err
		}
		in, want = in[n:], want[n:]
	}
	return nil
}

// differ returns the first row in which outputs differ from the wanted ones, or len(want).
func (d *DUT[I, O]) differ(want, got []O, dontCare func(O) O) (int, error) {
	wanted, sampled, unknown := rowsOf(want), rowsOf(got), rowsOf(d.unknown)
	// Nearly always all is equal, and nothing unknown.
	if bytes.Equal(wanted, sampled) && (d.unknown == nil || allZero(unknown[:len(sampled)])) {
		return len(want), nil
	}
	for row := range want {
		w, g, u := rowsOf(want[row:row+1]), rowsOf(got[row:row+1]), rowsOf(d.unknownFrom(row))
		if !d.out.differ(w, g, u, nil) {
			continue
		}
		if dontCare != nil && !d.out.differ(w, g, u, rowsOf([]O{dontCare(want[row])})) {
			continue
		}
		if err := d.out.misfit(w); err != nil {
			return row, fmt.Errorf("the expected outputs of cycle %d: %w", d.began+uint64(row), err)
		}
		return row, nil
	}
	return len(want), nil
}

// unknownFrom returns the unknown bits of the last run from a row on; nil under Verilator.
func (d *DUT[I, O]) unknownFrom(row int) []O {
	if d.unknown == nil {
		return nil
	}
	return d.unknown[row:]
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

// Rows returns recorded cycles as rows of bytes, and the layout of these, for programs that drive
// the same RTL without Go (see package bridge/bare). It is an error if a value does not fit its
// port.
func (d *DUT[I, O]) Rows(in []I, out []O) (layout *bridge.Layout, inRows, outRows []byte, err error) {
	for i := range in {
		if err := cmp.Or(d.in.misfit(rowsOf(in[i:i+1])), d.out.misfit(rowsOf(out[i:i+1]))); err != nil {
			return nil, nil, nil, fmt.Errorf("cycle %d: %w", i, err)
		}
	}
	return d.layout, rowsOf(in), rowsOf(out), nil
}
