// Package stim draws constrained-random stimulus: structs of inputs, with tags that say which
// values each field takes.
//
//	type in struct {
//		Rst   bool      `rand:"-"`                      // not drawn: false
//		Valid bool      `rand:"p=0.25"`                 // true in a quarter of the draws; without a tag in half of them
//		Op    uint8     `rand:"0..5"`                   // each as likely
//		Len   uint8     `rand:"0:1,1..254:8,255:1"`     // by weights: 1..254 together eight times as often as 0
//		Gnt   uint8     `rand:"onehot,bits=6"`          // exactly one of six bits
//		Off   int16     `rand:"-100..100"`
//		Addr  uint32    `rand:"bits=20"`                // any value of a port of 20 bits
//		Data  uint64                                    // any value
//		Line  [3]uint64 `rand:"bits=144"`               // a port of 144 bits, at most 4096
//	}
//
//	g, err := stim.New[in](sim.Seed())
//	g.With(func(i *in) bool { return !i.Valid || i.Addr%4 == 0 })
//	sim.Check(t, dut, &model{}, g.Cycles(t, 10_000))
//
// Values are written as in Go (12, 0x1f, 1_000). Items of a list have weight 1 unless another is
// given. The weight of a range is that of all its values together.
//
// A field with 512 values or more takes a corner value in a quarter of the draws: the ends of its
// range and their neighbours, zero, a single bit, all but a single bit, or a run of ones. An
// explicit weight turns that off: `rand:"0..65535:1"`.
//
// For rules that tags cannot express there are functions. [Generator.With] rejects draws that break
// a rule, and [Generator.Adjust] changes each draw. [Generator.Hold] and [Generator.Bursts] say for
// how many cycles inputs stay, and when there are pauses.
//
// The same seed gives the same sequence on every machine and in every version of this package. Give
// two generators of a testbench different seeds; otherwise they draw the same values.
package stim

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"unsafe"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// attempts bounds the draws for one cycle until all constraints hold.
const attempts = 10_000

// Generator draws inputs I. Make one with [New]. It is not safe for concurrent use.
type Generator[I any] struct {
	seed        uint64
	plan        []op
	adjust      []func(*rand.Rand, *I)
	constraints []constraint[I]
	hold        Range
	busy, idle  Range
	rest        func(*I)
	faults      []error
	run         *run[I] // the sequence of Next and Fill
}

type constraint[I any] struct {
	holds func(*I) bool
	where string // file.go:line of the call of With
}

// Range is a number of cycles from Min to Max, both included. It is drawn anew each time, with
// equal probabilities.
type Range struct{ Min, Max int }

// New returns a generator of struct type I that draws from the seed. The error names each faulty
// field and the column in its tag.
func New[I any](seed uint64) (*Generator[I], error) {
	fields, err := inputs.Of(reflect.TypeFor[I]())
	if err != nil {
		return nil, err
	}
	return &Generator[I]{seed: seed, plan: compile(fields), hold: Range{1, 1}}, nil
}

// With adds a constraint: a draw for which holds returns false is drawn again. After 10 000 draws
// for one cycle the generator gives up, with an error that says which constraint is too hard.
func (g *Generator[I]) With(holds func(*I) bool) *Generator[I] {
	where := "an unknown place"
	if _, file, line, ok := runtime.Caller(1); ok {
		where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	if holds == nil {
		return g.fault("With: the constraint of %s is nil", where)
	}
	g.constraints = append(g.constraints, constraint[I]{holds, where})
	return g
}

// Adjust adds a function that changes each draw, for example to compute a checksum or to make two
// fields equal now and then. Functions are called in the order in which they were added, before the
// constraints are checked. Random numbers must come from r. (Whether methods of r draw the same in
// all versions of Go is up to Go.)
func (g *Generator[I]) Adjust(f func(r *rand.Rand, in *I)) *Generator[I] {
	if f == nil {
		return g.fault("Adjust: the function is nil")
	}
	g.adjust = append(g.adjust, f)
	return g
}

// Hold keeps each draw for a number of cycles.
func (g *Generator[I]) Hold(cycles Range) *Generator[I] {
	if !cycles.valid() {
		return g.fault("Hold: %d to %d cycles: it must be at least 1, and the lower end comes first", cycles.Min, cycles.Max)
	}
	g.hold = cycles
	return g
}

// Bursts alternates busy and idle phases, beginning with a busy one. Idle cycles are drawn (and
// held) as busy ones are, and then changed by rest, which may set valid to false, for example.
// Constraints are not checked after that.
func (g *Generator[I]) Bursts(busy, idle Range, rest func(*I)) *Generator[I] {
	if !busy.valid() || !idle.valid() {
		return g.fault("Bursts: %d to %d busy and %d to %d idle cycles: each must be at least 1, and the lower end comes first", busy.Min, busy.Max, idle.Min, idle.Max)
	}
	if rest == nil {
		return g.fault("Bursts: the function that makes a cycle idle is nil")
	}
	g.busy, g.idle, g.rest = busy, idle, rest
	return g
}

func (r Range) valid() bool { return r.Min >= 1 && r.Min <= r.Max }

func (g *Generator[I]) fault(format string, args ...any) *Generator[I] {
	g.faults = append(g.faults, fmt.Errorf("stim: "+format, args...))
	return g
}

// Cycles returns a stimulus of n cycles. Each loop over it starts from the seed, so that both
// simulators get the same inputs. If the constraints are too hard the test fails.
func (g *Generator[I]) Cycles(t testing.TB, n int) iter.Seq[I] {
	return func(yield func(I) bool) {
		t.Helper()
		r := g.start()
		for range n {
			if err := r.next(); err != nil {
				t.Fatal(err)
			}
			if !yield(r.out) {
				return
			}
		}
	}
}

// Next returns the input of the next cycle. Its errors are those of [Generator.Fill].
func (g *Generator[I]) Next() (in I, err error) {
	one := [1]I{}
	err = g.Fill(one[:])
	return one[0], err
}

// Fill draws the inputs of the next len(in) cycles. The error says which constraint is too hard, or
// which arguments of Hold, Bursts, With or Adjust were wrong.
func (g *Generator[I]) Fill(in []I) error {
	if g.run == nil {
		g.run = g.start()
	}
	for i := range in {
		if err := g.run.next(); err != nil {
			return err
		}
		in[i] = g.run.out
	}
	return nil
}

// run is a sequence under way.
type run[I any] struct {
	*Generator[I]
	source  *rand.PCG
	rand    *rand.Rand // for Adjust, from the same source
	drawn   I
	out     I // the input of this cycle: as drawn, or changed by rest
	held    int
	left    int // cycles left of the phase
	resting bool
	cycle   uint64
}

func (g *Generator[I]) start() *run[I] {
	// Any constant would do for the second word, but it must never change.
	r := &run[I]{Generator: g, source: rand.NewPCG(g.seed, 0x9e3779b97f4a7c15), resting: true}
	r.rand = rand.New(r.source)
	return r
}

func (r *run[I]) next() error {
	if r.faults != nil {
		return errors.Join(r.faults...)
	}
	if r.rest != nil {
		if r.left == 0 {
			r.resting = !r.resting
			phase := r.busy
			if r.resting {
				phase = r.idle
			}
			r.left = r.length(phase)
		}
		r.left--
	}
	if r.held == 0 {
		if err := r.draw(); err != nil {
			return err
		}
		r.held = r.length(r.hold)
	}
	r.held--
	r.cycle++
	r.out = r.drawn
	if r.rest != nil && r.resting {
		r.rest(&r.out)
	}
	return nil
}

func (r *run[I]) length(n Range) int {
	if n.Min == n.Max {
		return n.Min
	}
	return n.Min + int(below(r.source.Uint64(), uint64(n.Max-n.Min)+1))
}

// draw draws until all constraints hold.
func (r *run[I]) draw() error {
	var refused []int
	for range attempts {
		var zero I
		r.drawn = zero
		draw(r.plan, r.source, unsafe.Pointer(&r.drawn))
		for _, f := range r.adjust {
			f(r.rand, &r.drawn)
		}
		which := 0
		for which < len(r.constraints) && r.constraints[which].holds(&r.drawn) {
			which++
		}
		if which == len(r.constraints) {
			return nil
		}
		if refused == nil {
			refused = make([]int, len(r.constraints))
		}
		refused[which]++
	}
	// The hardest constraint is the one that refused the greatest share of the draws that it was
	// called for.
	came, hardest, hardestCame := attempts, 0, attempts
	for i, n := range refused {
		if came > 0 && n*hardestCame > refused[hardest]*came {
			hardest, hardestCame = i, came
		}
		came -= n
	}
	return fmt.Errorf("stim: cycle %d, seed %d: none of %d draws holds all constraints; the one of %s refused %d of the %d that came to it: "+
		"narrow the ranges in the tags of %s, or construct such inputs with Adjust",
		r.cycle, r.seed, attempts, r.constraints[hardest].where, refused[hardest], hardestCame, reflect.TypeFor[I]())
}
