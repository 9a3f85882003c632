package mutate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/internal/tape"
)

// Subject is what tests are run with: a design with a mutant in it.
type Subject struct {
	Key    string // of the design whose place it takes
	Mutant *Mutant
	Design bridge.Design
}

// Subject returns a mutant of the report as what tests are run with.
func (r *Report) Subject(m *Result) *Subject { return &Subject{r.Key, &m.Mutant, *m.design} }

// FoundIn returns a mutant that was found in the design whose test has found it. That may be the
// report's module with other parameters, or a module within it. It is nil if that is another design
// than the report's and the verdict is one of an earlier run.
func (r *Report) FoundIn(m *Result) *Subject {
	switch {
	case m.By.Design == r.Key:
		return r.Subject(m)
	case m.in == nil:
		return nil
	}
	return &Subject{m.By.Design, m.in, *m.in.design}
}

// Insert writes the netlist of a design with the mutant, or with none, into a folder. The flag
// -sim.insert of tests names that folder.
func (s *Subject) Insert(ctx context.Context, dir string) error {
	commands := []string{lower}
	if s.Mutant != nil {
		var err error
		if commands, err = lanes.Faulty(ctx, s.Design, commands, &s.Mutant.fault, ""); err != nil {
			return err
		}
	}
	// A bit that is stuck is a buffer of a constant, which Verilog does not have.
	commands = append(commands, "opt_clean", "write_verilog -noattr netlist.v")
	files, err := lanes.Script(ctx, s.Design, commands, "netlist.v")
	if err != nil {
		return err
	}
	text, err := json.Marshal(sim.Insert{Design: s.Key, Files: []string{"netlist.v"}, Whole: true})
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "netlist.v"), files["netlist.v"], 0o666),
		os.WriteFile(filepath.Join(dir, "insert.json"), text, 0o666))
}

// Changed returns a design that has the netlist of Insert in place of its own files, if it is the
// design that the subject is of.
func (s *Subject) Changed(dir string, d bridge.Design) bridge.Design {
	key, err := tape.Key(&d)
	if err != nil || key != s.Key {
		return d
	}
	d.FS, d.Files = os.DirFS(dir), []string{"netlist.v"}
	d.Dir, d.Include, d.Defines, d.Params, d.Internals = "", nil, nil, nil, nil
	d.Verilator = append(d.Verilator[:len(d.Verilator):len(d.Verilator)], "-Wno-fatal")
	return d
}

// Deterministic returns an error if two recordings of the same tests differ. Such a test need not
// do with a mutant what it did when it was recorded. The order in which a test opens several
// designs is of no account.
func Deterministic(first, second []Source) error {
	for i := range first {
		a, err := sums(first[i].Dir)
		if err != nil {
			return err
		}
		b, err := sums(second[i].Dir)
		if err != nil {
			return err
		}
		for _, x := range a {
			k := slices.Index(b, x)
			if k < 0 {
				return fmt.Errorf("%s is not deterministic: run again it has put something else into %s, or expected something else; "+
					"what a test does must follow from -sim.seed alone, not from the time, the order of a map or of goroutines", x.test, x.design)
			}
			b = slices.Delete(b, k, k+1)
		}
		if len(b) > 0 {
			return fmt.Errorf("%s is not deterministic: run again it has opened more designs", b[0].test)
		}
	}
	return nil
}

// summed is a tape, by what stands for all of it: a recording may be larger than memory.
type summed struct{ test, design, sum string }

// sums reads the tapes of Verilator, one after the other.
func sums(dir string) (all []summed, err error) {
	names, err := tape.Tapes(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		t, err := tape.Read(dir, name, func(h *tape.Header) (bool, error) { return used(h), nil })
		if err != nil {
			return nil, err
		}
		if t != nil {
			all = append(all, summed{t.At(0), t.Design, t.Sum()})
		}
	}
	return all, nil
}

// used reports whether a tape is one of those that are used.
func used(h *tape.Header) bool { return h.Simulator == string(sim.Verilator) }
