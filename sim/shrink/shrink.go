// Package shrink finds the fewest and simplest inputs that still fail. A random test that
// fails in cycle 8 000 becomes five lines that a designer can read, and a test of its own.
//
//	r, err := shrink.Minimize(ctx, in, func(in []In) (bool, error) {
//		err := sim.Compare(dut, &model{}, slices.Values(in)) // resets the DUT first
//		var differ *sim.Difference
//		if errors.As(err, &differ) {
//			return true, nil
//		}
//		return false, err
//	}, shrink.Options{})
//	fmt.Println(shrink.Table(r.Inputs))
//	fmt.Println(shrink.Go(r.Inputs))
//
// Steps are removed by delta debugging, the algorithm ddmin of A. Zeller and R. Hildebrandt,
// "Simplifying and isolating failure-inducing input", IEEE Transactions on Software Engineering
// 28(2), 2002. Then values are made simpler: a field or a bit becomes zero, or a value becomes that
// of the step before or after. Fields with a `rand` tag (see package sim/stim) keep to the values
// that the tag allows. If inputs must obey other rules, the predicate must return false for those
// that break them.
package shrink

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// Options bound the search. The zero value is a good choice.
type Options struct {
	// MaxRuns bounds the calls of the predicate. It is at least 2; 0 means 10 000.
	MaxRuns int
	// Progress is called after each run that made the sequence simpler. It may be nil.
	Progress func(Progress)
}

// Progress is the state of a search.
type Progress struct {
	Steps   int // length of the shortest sequence found that fails
	Runs    int
	Elapsed time.Duration
}

// Result is what a search has found.
type Result[I any] struct {
	// Inputs are the simplest inputs found that fail. They were run once more at the end, unless
	// the context was done by then.
	Inputs []I
	Runs   int // number of calls of the predicate
	// Complete is true if the search was completed: without any one step, or with any value
	// simpler, the inputs do not fail. If false, MaxRuns or the context ended the search.
	Complete bool
}

// Minimize shrinks inputs for which the predicate fails returns true. The predicate must start from
// the same state each time (reset the DUT), and must not keep or change its argument. The same
// inputs give the same result, unless the context ends the search: when the context is done, the
// result is the best so far.
//
// It is an error if the inputs do not fail in the first run, if the result does not fail when it is
// run again, or if the predicate returns an error. With an error, too, the result is the best so
// far.
func Minimize[I any](ctx context.Context, in []I, fails func([]I) (bool, error), o Options) (Result[I], error) {
	fields, err := inputs.Of(reflect.TypeFor[I]())
	if err != nil {
		return Result[I]{}, fmt.Errorf("shrink: %w", err)
	}
	if o.MaxRuns == 0 {
		o.MaxRuns = 10_000
	}
	if o.MaxRuns < 2 {
		return Result[I]{}, fmt.Errorf("shrink: Options.MaxRuns is %d: at least 2 are needed, for the first run and the last", o.MaxRuns)
	}
	s := &search[I]{ctx: ctx, fails: fails, Options: o, fields: fields, start: time.Now()}
	ok, err := s.ask(in)
	if err != nil {
		return Result[I]{Runs: s.runs}, err
	}
	if !ok {
		return Result[I]{Runs: s.runs}, fmt.Errorf("shrink: the %d steps do not fail when they are run again: is the state the same at the start of each run (a reset, the seed)?", len(in))
	}
	s.best = slices.Clone(in)
	err = s.minimize()
	r := Result[I]{Inputs: s.best, Complete: err == nil}
	if errors.Is(err, errBound) {
		err = nil
	}
	if err == nil && ctx.Err() == nil {
		ok, err = s.ask(s.best)
		if err == nil && !ok {
			r.Complete = false
			err = fmt.Errorf("shrink: the %d steps found failed, and do not when they are run again: the runs are not independent of each other; what is not reset?", len(s.best))
		}
		if errors.Is(err, errBound) {
			err = nil
		}
	}
	r.Runs = s.runs
	return r, err
}

// errBound ends a search at MaxRuns or when the context is done.
var errBound = errors.New("bound reached")

// search is one call of Minimize. best is always a sequence that fails.
type search[I any] struct {
	Options
	ctx    context.Context
	fails  func([]I) (bool, error)
	fields []inputs.Field
	best   []I
	runs   int
	start  time.Time
}

// minimize removes steps and simplifies values until neither is possible. It ends, as each change
// leaves fewer steps, fewer bits that are set, or fewer changes from step to step.
func (s *search[I]) minimize() error {
	for {
		if err := s.ddmin(); err != nil {
			return err
		}
		changed, err := s.simplify()
		if err != nil || !changed {
			return err
		}
	}
}

// ask runs the predicate.
func (s *search[I]) ask(in []I) (bool, error) {
	if s.ctx.Err() != nil {
		return false, errBound
	}
	s.runs++
	ok, err := s.fails(in)
	if err != nil {
		if s.ctx.Err() != nil {
			return false, errBound // the predicate returned early, as the context is done
		}
		return false, fmt.Errorf("shrink: run %d, of %d steps: %w", s.runs, len(in), err)
	}
	return ok, nil
}

// try makes a candidate the best if it fails. It leaves the last run for checking the result.
func (s *search[I]) try(candidate []I) (bool, error) {
	if s.runs >= s.MaxRuns-1 {
		return false, errBound
	}
	ok, err := s.ask(candidate)
	if err != nil || !ok {
		return false, err
	}
	s.best = candidate
	if s.Progress != nil {
		s.Progress(Progress{Steps: len(s.best), Runs: s.runs, Elapsed: time.Since(s.start)})
	}
	return true, nil
}

// ddmin removes steps until no single step can be removed. It cuts the sequence into n chunks. It
// goes on with a chunk that fails alone; if there is none, with all chunks but one, if that fails;
// and otherwise with smaller chunks.
func (s *search[I]) ddmin() error {
	n := 2
	for len(s.best) >= 2 {
		n = min(n, len(s.best))
		next, err := s.reduce(n)
		if err != nil {
			return err
		}
		if next == 0 {
			if n == len(s.best) {
				return nil
			}
			next = 2 * n
		}
		n = next
	}
	return nil
}

// reduce tries each of n chunks, and then the sequence without each of them. It returns the number
// of chunks to go on with, or 0 if none of these fails.
func (s *search[I]) reduce(n int) (int, error) {
	all := s.best
	bounds := func(i int) (from, to int) { return i * len(all) / n, (i + 1) * len(all) / n }
	for i := range n {
		from, to := bounds(i)
		if ok, err := s.try(all[from:to]); ok || err != nil {
			return 2, err
		}
	}
	if n == 2 {
		return 0, nil // two chunks without one are the other chunk, which was tried
	}
	// The later steps are tried first, so that those after the failure are removed at once.
	for i := n - 1; i >= 0; i-- {
		from, to := bounds(i)
		if ok, err := s.try(slices.Concat(all[:from], all[to:])); ok || err != nil {
			return max(n-1, 2), err
		}
	}
	return 0, nil
}
