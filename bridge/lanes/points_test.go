package lanes_test

import (
	"testing"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// A point is reached in the lanes, and in the cycle, in which its branch is taken first.
func TestPoints(t *testing.T) {
	m, err := lanes.Build(t.Context(), smallDesign(), lanes.BuildOptions{Points: true})
	if err != nil {
		t.Fatal(err)
	}
	if m.Assertions() != 1 || m.Points() < 2*(1+8+4) {
		t.Fatalf("%d assertions and %d points", m.Assertions(), m.Points())
	}
	in, err := m.Start(lanes.Options{Zeros: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	b := &batch{t, in, m.Layout()}
	play := func(rst, a byte, lane, cycles int) {
		t.Helper()
		for l := range lanes.Count {
			if err := b.Set(l, b.row(rst, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Set(lane, b.row(rst, a)); err != nil {
			t.Fatal(err)
		}
		if n, err := b.Run(t.Context(), lanes.Rows{}, cycles); n != cycles || err != nil {
			t.Fatal(n, err)
		}
	}
	all := make([]int, m.Points())
	for i := range all {
		all[i] = i
	}
	if err := b.Look(all); err != nil {
		t.Fatal(err)
	}
	play(1, 0, 0, 2)
	reset := b.Reached()
	if err := b.Look(nil); err != nil || len(reset) == 0 || len(b.Reached()) > 0 {
		t.Fatalf("%v; %d points in the reset, %d when none is looked for", err, len(reset), len(b.Reached()))
	}
	seen := map[int]bool{}
	for _, p := range reset {
		if p.Lanes.Len() != lanes.Count || p.Cycle > 1 {
			t.Errorf("all lanes do the same: %+v", p)
		}
		seen[p.Point] = true
	}
	var rest []int
	for p := range m.Points() {
		if !seen[p] {
			rest = append(rest, p)
		}
	}
	if err := b.Look(rest); err != nil {
		t.Fatal(err)
	}
	// Lane 77 adds 8 in each cycle: its sum has bit 3 in the cycle after the first, bit 4 in the
	// next but one.
	play(0, 8, 77, 3)
	cycles := map[uint64]int{}
	for _, p := range b.Reached() {
		switch {
		case p.Lanes.Len() == 1 && p.Lanes.Has(77):
			cycles[p.Cycle]++
		case p.Lanes.Len() != lanes.Count: // the reset that is over, and the assertion that sees it
			t.Errorf("%+v", p)
		}
	}
	if cycles[3] != 1 || cycles[4] != 1 {
		t.Errorf("points by cycle: %v", cycles)
	}
	for _, bad := range [][]int{{-1}, {m.Points()}, make([]int, m.Points()+1)} {
		if b.Look(bad) == nil {
			t.Errorf("points %v are taken", bad[:1])
		}
	}
	b.Close()
	if b.Look(nil) == nil || b.Reached() != nil {
		t.Error("a closed batch looks for points")
	}
}
