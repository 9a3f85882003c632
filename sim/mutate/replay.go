package mutate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// chunk is how many mutants one netlist has: as many as lanes, beside one without a mutant.
const chunk = lanes.Count - 1

// found is the test that found a mutant.
type found struct {
	Test    string
	Package string
	Cycle   uint64 // of the test's DUT
	Design  string // the key of its configuration

	tape string // what stands for its recording; "" if the tests were run with the mutant
}

// spans are how many cycles of each stimulus are played in a round. Most mutants are found soon;
// those that are left share models in the next round, which begins anew.
var spans = []int{1 << 12, 1 << 17, 1 << 21, math.MaxInt}

// replay plays what was recorded of a configuration to the mutants in list that are still without a
// verdict, and notes those that are found. of has their numbers in the results.
func (r *runner) replay(ctx context.Context, c *configuration, list []Mutant, of []int) error {
	for round, span := range spans {
		// A register that a mutant leaves as it is at power-up is right with some values: each bit
		// has the other one in the next round.
		power := lanes.Options{Seed: r.o.Seed, Alike: true, Inverted: round%2 == 1}
		before := 0
		if round > 0 {
			before = spans[round-1]
		}
		var left []Mutant
		var numbers []int
		for i, n := range of {
			if r.results[n].Verdict == "" {
				left, numbers = append(left, list[i]), append(numbers, n)
			}
		}
		var all []*stimulus
		for _, x := range c.all {
			if x.cycles > before {
				all = append(all, x)
			}
		}
		if len(all) == 0 {
			return nil
		}
		// Chunks know nothing of each other: their models are compiled and run side by side.
		var mu sync.Mutex
		done := 0
		group, gctx := errgroup.WithContext(ctx)
		group.SetLimit(r.jobs())
		for begin := 0; begin < len(left); begin += chunk {
			end := min(begin+chunk, len(left))
			group.Go(func() error {
				if err := r.replayPart(gctx, c, all, span, power, left[begin:end], numbers[begin:end]); err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				done += end - begin
				r.progress(fmt.Sprintf("replay %d of %s", round+1, r.name(c)), done, len(left))
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// replayPart plays stimuli to mutants that share a model. Those whose model cannot be made or run
// are undecided. The error is that of the context.
func (r *runner) replayPart(ctx context.Context, c *configuration, all []*stimulus, span int, power lanes.Options, part []Mutant, of []int) error {
	err := r.replayChunk(ctx, c, all, span, power, part, of)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, lanes.ErrLoops) && len(part) > 1: // two together make one
		half := len(part) / 2
		if err := r.replayPart(ctx, c, all, span, power, part[:half], of[:half]); err != nil {
			return err
		}
		return r.replayPart(ctx, c, all, span, power, part[half:], of[half:])
	}
	for _, n := range of {
		if r.results[n].Verdict == "" {
			r.fail(n, fmt.Errorf("playing the tests of %s: %w", r.name(c), err))
		}
	}
	return nil
}

// replayChunk plays the first cycles of stimuli to mutants that have no verdict.
func (r *runner) replayChunk(ctx context.Context, c *configuration, all []*stimulus, span int, power lanes.Options, part []Mutant, of []int) error {
	todo := map[int]int{} // lanes by number of the mutant in the part
	for i := range part {
		todo[i] = i + 1
	}
	models := map[string]*lanes.Model{}
	for _, x := range all {
		if len(todo) == 0 {
			return nil
		}
		shape := fmt.Sprintf("%+v", *x.layout)
		m := models[shape]
		if m == nil {
			var loops []int
			var err error
			if m, loops, err = c.pins.Model(ctx, faults(part), lanes.BuildOptions{Shape: x.shape}); err != nil {
				return err
			}
			for _, i := range loops {
				r.fail(of[i], errors.New("logic would depend on itself within a cycle, which lanes cannot play"))
				delete(todo, i)
			}
			models[shape] = m
		}
		if err := r.playOne(ctx, c, m, x, span, power, part, todo, of); err != nil {
			return err
		}
	}
	return nil
}

// playOne plays a stimulus to the mutants in todo, and takes out those that are found.
func (r *runner) playOne(ctx context.Context, c *configuration, m *lanes.Model, x *stimulus, span int, power lanes.Options, part []Mutant, todo map[int]int, of []int) error {
	b, err := m.Start(power)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := r.play(ctx, b, x, x.care, min(span, x.cycles), todo); err != nil {
		return err
	}
	differing := b.Differing()
	if differing.Has(0) {
		first := b.Since(0)
		return fmt.Errorf("%s: the lane without a mutant does in cycle %d what the test did not expect: this is a fault of Cosimate", x.tape.At(int(first)), first)
	}
	// A test that has seen a difference before need not do afterwards what was recorded.
	var before *lanes.Batch
	if x.seen != nil && differing.Len() > 0 {
		if before, err = m.Start(power); err != nil {
			return err
		}
		defer before.Close()
		if err := r.play(ctx, before, x, x.seen, min(span, x.cycles), todo); err != nil {
			return err
		}
	}
	for i, lane := range todo {
		if !differing.Has(lane) {
			continue
		}
		at := b.Since(lane)
		if before != nil {
			if seen := before.Differing(); seen.Has(lane) && before.Since(lane) < at {
				continue
			}
		}
		to := &r.results[of[i]]
		to.Verdict, to.in = Found, &part[i]
		to.By = &found{Test: x.tape.At(int(at)), Package: x.source.Package, Cycle: at, Design: c.key, tape: x.id}
		r.keep(to)
		delete(todo, i)
	}
	return nil
}

// play plays a stimulus until all mutants differ in bits that count.
func (r *runner) play(ctx context.Context, b *lanes.Batch, x *stimulus, care []byte, cycles int, todo map[int]int) error {
	for i, lane := range todo {
		var s lanes.Set
		s.Add(lane)
		if err := b.SetPort(lanes.FaultInput(i), s, 1); err != nil {
			return err
		}
	}
	return x.play(ctx, b, care, cycles, func(int) bool {
		differing := b.Differing()
		return differing.Len() >= len(todo)
	})
}

// name names a configuration in messages.
func (r *runner) name(c *configuration) string { return Name(c.design) }

// Name is a design's top module with its parameters.
func Name(d bridge.Design) string {
	s := d.Top
	if p := parameters(d); p != "" {
		s += " (" + p + ")"
	}
	return s
}
