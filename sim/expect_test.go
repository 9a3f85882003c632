package sim_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
)

// ExpectInto stores what was sampled, over more than one tape, and at a
// difference up to its cycle.
func TestExpectInto(t *testing.T) {
	sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		const cycles = 10_000 // more than a tape has
		in, want := make([]counterIn, cycles), make([]counterOut, cycles)
		m := &counterModel{}
		for i := range in {
			in[i].Enable = i%3 != 0
			want[i] = m.Step(in[i])
		}
		if err := dut.Reset(1); err != nil {
			t.Fatal(err)
		}
		got := make([]counterOut, cycles)
		if err := dut.ExpectInto(in, want, got, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the outputs stored are not those compared:\n%s", diff)
		}
		if err := dut.ExpectInto(in, want, got[1:], nil); err == nil {
			t.Error("a tape with too little room for outputs is played")
		}

		if err := dut.Reset(1); err != nil {
			t.Fatal(err)
		}
		clear(got)
		last := want[5_000]
		want[5_000].Count++
		var diff *sim.Difference
		if err := dut.ExpectInto(in, want, got, nil); !errors.As(err, &diff) {
			t.Fatalf("the difference was not found: %v", err)
		}
		if diff := cmp.Diff(append(want[:5_000:5_000], last), got[:5_001]); diff != "" {
			t.Errorf("the outputs up to the difference:\n%s", diff)
		}
	})
}

// What the model does not care about is not compared, in these cycles only, and
// not in a later tape without a mask.
func TestExpectMask(t *testing.T) {
	sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		if err := dut.Reset(1); err != nil {
			t.Fatal(err)
		}
		in := []counterIn{{Enable: true}, {Enable: true}, {Enable: true}}
		low := func(want counterOut) (mask counterOut) {
			if want.Count != 2 {
				mask.Count = 0x0f
			}
			return mask
		}
		if err := dut.Expect(in, []counterOut{{Count: 7}, {Count: 9}, {Count: 2}}, low); err != nil {
			t.Error(err)
		}
		var diff *sim.Difference
		if err := dut.Expect(in, []counterOut{{Count: 7}, {Count: 0x14}, {Count: 5}}, low); !errors.As(err, &diff) || diff.Cycle != 5 {
			t.Errorf("bit 4 differs in cycle 5: %v", err)
		}
		if err := dut.Expect(in, []counterOut{{Count: 6}, {Count: 6}, {Count: 8}}, nil); !errors.As(err, &diff) || diff.Cycle != 8 {
			t.Errorf("without a mask cycle 8 differs: %v", err)
		}
	})
}
