package mutate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/mutate"
)

// Verdicts are kept: the same run again decides nothing, one that was killed halfway goes on, and
// one with another test decides what followed from the tests.
func TestKept(t *testing.T) {
	weak, good := record(t, design, tests{"TestWeak": inputs(1, 60, 2)}), record(t, design, tests{"TestGood": inputs(1, 3000, 4)})
	o := mutate.Options{Store: t.TempDir()}
	run := func(sources []mutate.Source, o mutate.Options) *mutate.Report {
		t.Helper()
		r, err := mutate.Run(t.Context(), sources, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := run(weak, mutate.Options{})

	// Killed: the last line is not whole.
	ctx, cancel := context.WithCancel(t.Context())
	half := o
	half.Jobs, half.Progress = 1, func(stage, _ string, done, of int) {
		if stage == "decide" && done >= of/2 {
			cancel()
		}
	}
	if r, err := mutate.Run(ctx, weak, half); err != nil || !r.Stopped {
		t.Fatal(r, err)
	}
	files, err := filepath.Glob(filepath.Join(o.Store, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], text[:len(text)-9], 0o666); err != nil {
		t.Fatal(err)
	}
	on := run(weak, o)
	if on.Known < on.Count(mutate.Found) || on.Known >= len(on.Results) {
		t.Errorf("of %d verdicts %d were known after half a run", len(on.Results), on.Known)
	}
	again := run(weak, o)
	if again.Known != len(again.Results) {
		t.Errorf("of %d verdicts %d were known after a whole run", len(again.Results), again.Known)
	}
	for _, r := range []*mutate.Report{on, again} {
		if !reflect.DeepEqual(verdicts(r), verdicts(plain)) || r.Text() != plain.Text() {
			t.Errorf("with verdicts of earlier runs:\n%s\nwithout:\n%s", r.Text(), plain.Text())
		}
	}

	other := run(good, o)
	if !other.OK() || other.Known != other.Count(mutate.Equivalent) {
		t.Errorf("with another test %d verdicts were taken over:\n%s", other.Known, other.Text())
	}
	// The text of the tests counts where something else than the recording had a part in it.
	changed := o
	changed.Tests = "other"
	if r := run(weak, changed); r.Known != len(r.Results)-r.Count(mutate.Missed) {
		t.Errorf("with tests of another text %d verdicts of %d were taken over", r.Known, len(r.Results))
	}
	// What cannot be kept is no error.
	broken := o
	broken.Store = files[0]
	if r := run(weak, broken); len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "verdicts are not kept for another run") {
		t.Errorf("notes: %q", r.Notes)
	}
}

// Which mutants are decided together changes no verdict. Those of a reset that does nothing depend
// on the registers' values at power-up, which must not follow from a mutant's place among others.
func TestOtherMutants(t *testing.T) {
	never := record(t, design, tests{"TestNoReset": func(yield func(in) bool) {
		for i := range inputs(3, 60, 2) {
			i.Rst = false
			if !yield(i) {
				return
			}
		}
	}})
	o := mutate.Options{Store: t.TempDir()}
	plain, err := mutate.Run(t.Context(), never, o)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(o.Store, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for part := range 2 {
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var known []string
			for i, line := range strings.SplitAfter(string(text), "\n") {
				if i%2 == part {
					known = append(known, line)
				}
			}
			if err := os.WriteFile(f, []byte(strings.Join(known, "")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		again, err := mutate.Run(t.Context(), never, o)
		if err != nil {
			t.Fatal(err)
		}
		if again.Known == 0 || again.Known == len(again.Results) {
			t.Errorf("%d verdicts of %d were known", again.Known, len(again.Results))
		}
		if again.Text() != plain.Text() {
			t.Errorf("with %d verdicts known:\n%s\nwith none:\n%s", again.Known, again.Text(), plain.Text())
		}
	}
}

func verdicts(r *mutate.Report) map[string]mutate.Verdict {
	all := map[string]mutate.Verdict{}
	for i := range r.Results {
		all[r.Results[i].Key] = r.Results[i].Verdict
	}
	return all
}

// An error is the verdict of one mutant: undecided, with the reason. The others are decided, and
// the next run tries it again.
func TestErrors(t *testing.T) {
	weak := record(t, design, tests{"TestWeak": inputs(1, 60, 2)})
	o := mutate.Options{Store: t.TempDir(), Jobs: 1}
	failed := 0
	o.Confirm = func(_ context.Context, s *mutate.Subject) (test, pkg string, err error) {
		if failed++; failed == 1 {
			return "", "", errors.New("the disk is full")
		}
		return "", "", nil
	}
	r, err := mutate.Run(t.Context(), weak, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Count(mutate.Undecided) != 1 || r.Count(mutate.Missed) < 2 || r.Count("") > 0 || r.OK() ||
		!strings.Contains(r.Text(), "error: the tests with it in Verilator: the disk is full") {
		t.Errorf("the report is\n%s", r.Text())
	}
	if r, err = mutate.Run(t.Context(), weak, o); err != nil || r.Count(mutate.Undecided) > 0 || r.Known != len(r.Results)-1 {
		t.Errorf("%v, %d known\n%s", err, r.Known, r.Text())
	}
}

// Without Yosys there are no mutants, and the error says what to install.
func TestNoYosys(t *testing.T) {
	sources := record(t, design, tests{"TestWeak": inputs(1, 60, 2)})
	t.Setenv("PATH", t.TempDir())
	t.Setenv("COSIMATE_CACHE", t.TempDir())
	if r, err := mutate.Run(t.Context(), sources, mutate.Options{}); err == nil || !strings.Contains(err.Error(), "install the package yosys") {
		t.Errorf("%v, %v", r, err)
	}
}
