package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/mutate"
)

// verify checks verdicts by other means than those that they come from.
func (t *tested) verify(ctx context.Context, r *mutate.Report, f *mutateFlags, seed uint64) error {
	draw := rand.New(rand.NewPCG(seed, 50))
	found, same, unchecked := 0, 0, 0
	named := map[string]bool{} // tests that cannot be run with a netlist
	for _, i := range draw.Perm(len(r.Results)) {
		m := &r.Results[i]
		switch {
		case m.Verdict == mutate.Found && found < f.verify && !named[m.By.Test]:
			in := r.FoundIn(m)
			if in == nil {
				continue
			}
			found++
			only := &tested{dir: t.dir, skip: t.skip, only: m.By.Test}
			if only.once.Do(func() {}); m.By.Package != "" {
				only.packages = []string{m.By.Package}
			} else {
				only.vectors = []string{m.By.Test}
			}
			by, _, err := only.confirm(ctx, in)
			if names := (*namesError)(nil); errors.As(err, &names) {
				named[m.By.Test] = true
				found--
				continue
			}
			if err != nil {
				return err
			}
			if by == "" {
				return fmt.Errorf("mutant %d (%s) is called found by %s, which passes with it: this is a fault of Cosimate", m.ID, m.What, m.By.Test)
			}
		case m.Verdict == mutate.Equivalent && same+unchecked < f.verify:
			differs, err := r.Differs(ctx, m, f.verifyCycles, seed+uint64(i))
			if errors.Is(err, mutate.ErrAssumed) {
				unchecked++
				continue
			}
			if err != nil {
				return err
			}
			if differs {
				return fmt.Errorf("mutant %d (%s) is called equivalent, and random inputs show a difference: this is a fault of Cosimate", m.ID, m.What)
			}
			same++
		}
	}
	fmt.Fprintf(stdout, "\nverified: with %d mutants that are found, built and run in Verilator, the named test fails; %d that are equivalent do not differ in %d random cycles each\n",
		found, same, f.verifyCycles)
	if unchecked > 0 {
		fmt.Fprintf(stdout, "not verified: %d mutants that are equivalent, since %v\n", unchecked, mutate.ErrAssumed)
	}
	for _, test := range slices.Sorted(maps.Keys(named)) {
		fmt.Fprintf(stdout, "not verified: what was found by %v\n", &namesError{test})
	}
	return nil
}

// verifyWithout leaves each test out, and says what is not found then. With some of these mutants
// the other tests are run. These pass, unless they have checks that are no comparison of outputs.
func (t *tested) verifyWithout(ctx context.Context, r *mutate.Report, sources []mutate.Source, o mutate.Options, most int) error {
	draw := rand.New(rand.NewPCG(o.Seed, 51))
	o.Progress = nil
	for _, test := range slices.Sorted(maps.Keys(r.Tests())) {
		only, err := r.Without(ctx, sources, o, test)
		if err != nil {
			return err
		}
		rest := &tested{dir: t.dir, skip: t.skip, packages: t.packages}
		if rest.once.Do(func() {}); !slices.Contains(t.vectors, test) {
			rest.skip += "|^" + regexp.QuoteMeta(test) + "$"
		}
		for _, name := range t.vectors {
			if name != test {
				rest.vectors = append(rest.vectors, name)
			}
		}
		if len(only) > 0 && most > 0 {
			if err := t.ready(ctx, r.Subject(only[0])); err != nil {
				return err
			}
			rest.named = t.named
		}
		run, passed, by := 0, 0, map[string]bool{}
		for _, i := range draw.Perm(len(only))[:min(most, len(only))] {
			failed, _, err := rest.confirm(ctx, r.Subject(only[i]))
			if err != nil {
				return err
			}
			if run++; failed == "" {
				passed++
			} else {
				by[failed] = true
			}
		}
		fmt.Fprintf(stdout, "without %s: %d fewer are found", test, len(only))
		if run > 0 {
			fmt.Fprintf(stdout, "; with %d of them built and run in Verilator, all other tests pass with %d", run, passed)
		}
		if len(by) > 0 {
			fmt.Fprintf(stdout, "; other checks than comparisons of outputs fail in %s", strings.Join(slices.Sorted(maps.Keys(by)), ", "))
		}
		fmt.Fprintln(stdout)
	}
	return nil
}
