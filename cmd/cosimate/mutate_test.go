package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/mutate"
)

// A test that fails is named. A design that did not compile is none that a test has found.
func TestFailing(t *testing.T) {
	const out = "--- FAIL: TestA (0.36s)\n    --- FAIL: TestA/hold=10/verilator (0.35s)\n        a_test.go:59: "
	if test, err := failing(out + "cycle 3: expected != got\nFAIL\n"); test != "TestA/hold=10/verilator" || err != nil {
		t.Errorf("%q, %v", test, err)
	}
	if test, err := failing("panic: runtime error\n"); test != "the tests" || err != nil {
		t.Errorf("%q, %v", test, err)
	}
	if _, err := failing("--- FAIL: TestB (0.01s)\n    b_test.go:5: -sim.insert: " + sim.ErrNoNames.Error() + "\n--- FAIL: TestC (0.02s)\n"); err == nil || !strings.HasPrefix(err.Error(), "TestB reads") {
		t.Error(err)
	}
	compile := &bridge.CompileError{Simulator: "verilator", Top: "a", Output: "netlist.v:50:12: Can't resolve module reference"}
	if test, err := failing(out + compile.Error() + "\nFAIL\n"); test != "" || err == nil {
		t.Errorf("%q, %v", test, err)
	}
}

// A mutant that is missed is an error, and so are more undecided ones than may be.
func TestLeftOver(t *testing.T) {
	report := func(missed, undecided int) *mutate.Report {
		r := &mutate.Report{Results: []mutate.Result{{Verdict: mutate.Found}, {Verdict: mutate.Equivalent}}}
		r.Results = append(r.Results, slices.Repeat([]mutate.Result{{Verdict: mutate.Missed}}, missed)...)
		r.Results = append(r.Results, slices.Repeat([]mutate.Result{{Verdict: mutate.Undecided}}, undecided)...)
		return r
	}
	for _, is := range []struct {
		missed, undecided, allowed int
		says                       string
	}{
		{0, 0, 0, ""}, {0, 2, 2, ""},
		{0, 3, 2, "undecided: 3, and --undecided allows 2"},
		{1, 0, 2, errWrong.Error()},
	} {
		err := leftOver(report(is.missed, is.undecided), is.allowed)
		if (err == nil) != (is.says == "") || err != nil && (!errors.Is(err, errWrong) || !strings.Contains(err.Error(), is.says)) {
			t.Errorf("%d missed, %d undecided and %d allowed: %v", is.missed, is.undecided, is.allowed, err)
		}
	}
}
