package regress

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func durations(all []int64) (d []time.Duration) {
	for _, v := range all {
		d = append(d, time.Duration(v)*time.Microsecond)
	}
	return d
}

// A fault that shows in several ports is one bucket; one that shows by itself is not hidden by
// another with more ports; simulators are no difference, and numbers in messages neither.
func TestBuckets(t *testing.T) {
	jobs := []*Job{{Name: "a"}, {Name: "b"}}
	differs := func(job, unit int, test string, cycle uint64, ports string) Failure {
		return Failure{Job: job, Unit: unit, Kind: "difference", Test: test, Top: "fifo", File: "f_test.go", Line: 7, Cycle: cycle, Ports: strings.Fields(ports)}
	}
	got := bucketsOf(jobs, []Failure{
		differs(0, 1, "TestA/icarus", 9, "data_o valid_o"),
		differs(0, 1, "TestA/verilator", 9, "data_o valid_o"),
		differs(0, 2, "TestA/icarus", 12, "valid_o"),
		differs(0, 3, "TestA/icarus", 4, "full_o"),
		differs(0, 4, "TestA/icarus", 3, "full_o valid_o"), // of either
		differs(0, 5, "TestB/icarus", 3, "full_o"),
		{Job: 1, Unit: 5, Kind: "test", Test: "TestC", File: "f_test.go", Line: 8, Message: "got 0x1f, want 7 BGXZQJXGCH"},
		{Job: 1, Unit: 2, Kind: "test", Test: "TestC", File: "f_test.go", Line: 8, Message: "got 3, want 9 5GXZ4JZGCH"},
		{Job: 1, Unit: 2, Kind: "test", Test: "TestC", File: "f_test.go", Line: 9, Message: "got 3, want 9"},
	})
	type short struct {
		What     string
		Seeds    int
		Shortest int
	}
	var all []short
	for _, b := range got {
		all = append(all, short{b.What(), b.Seeds, b.Shortest.Unit})
	}
	want := []short{
		{"fifo · TestA · valid_o · f_test.go:7 · difference", 2, 1},
		{"fifo · TestA · full_o · f_test.go:7 · difference", 2, 4},
		{"fifo · TestB · full_o · f_test.go:7 · difference", 1, 5},
		{"TestC · f_test.go:8 · test", 2, 2},
		{"TestC · f_test.go:9 · test", 1, 2},
	}
	if diff := cmp.Diff(want, all, cmpopts.SortSlices(func(a, b short) bool { return a.What < b.What })); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
