package lanes

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Outputs are proved one by one: those that may be 1 are found, by asking abc or where another one
// is 1, and those of which nothing was asked may be.
func TestAlone(t *testing.T) {
	x := &miter{a: &aig{known: map[[2]literal]literal{}}}
	var in [40]literal
	for i := range in {
		in[i] = x.a.input()
	}
	all, none := in[0], in[0].not()
	for _, l := range in[1:] {
		all, none = x.a.and(all, l), x.a.and(none, l.not())
	}
	outputs := []literal{
		x.a.and(x.a.xor(in[0], in[1]), x.a.and(in[0], in[1])), // never
		all, none, in[7],
		x.a.and(in[3], x.a.and(x.a.or(in[3].not(), in[4]), in[4].not())), // never
		all,
	}
	for _, want := range []struct {
		limit   time.Duration
		open    []int
		refuted []int
	}{
		{time.Minute, []int{0, 1, 2, 3, 4, 5}, []int{1, 2, 3, 5}},
		{time.Minute, []int{4, 0}, nil},
		{time.Minute, nil, nil},
		{-1, []int{0, 1}, []int{0, 1}},
	} {
		refuted, _, err := x.alone(t.Context(), outputs, want.open, want.limit)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(refuted)
		if d := cmp.Diff(want.refuted, refuted); d != "" {
			t.Errorf("of %v with %v, refuted (-want +got):\n%s", want.open, want.limit, d)
		}
	}
}
