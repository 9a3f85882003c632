package try

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

// Explored is how far a trial that goes on has come.
type Explored struct {
	Runs     int
	Cycles   int
	Lanes    int    // cycles in lanes, of all of them together
	Coverage string // "line 90.0%, branch 75.0%"
	// Reached is what this run has executed first, "fifo.sv:11-14", bits that changed first, and
	// assertions that a lane has found.
	Reached []string
}

// longest bounds the cycles of a run's inputs. Each run plays all of them from the reset on.
const longest = 20_000

// explorer looks for inputs that reach what others have not. It keeps the inputs of each run that
// has, and begins most runs with those, or a part of them.
type explorer struct {
	*trial
	random  *rand.Rand
	kept    [][]byte // tapes
	done    Explored
	reached []string
	lanes   *laneSearch // nil: not yet there, or the design does not fit
}

// explore goes on for the time of the options, or until the simulators differ or one ends.
func (t *trial) explore() error {
	if t.opts.Time <= 0 || t.counted == nil || t.pair.differs != nil || t.pair.ended() || len(t.pair.tape) == 0 {
		return nil
	}
	data, err := t.measure(t.pair.tape, t.pair.done)
	if err != nil {
		return errors.Join(err, context.Cause(t.ctx))
	}
	t.total = data
	e := &explorer{trial: t, random: rand.New(rand.NewPCG(t.opts.Seed, 1)), kept: [][]byte{t.pair.tape[:min(t.pair.done, longest/2)*t.pair.layout.InSize]}}
	before, err := e.rates()
	if err != nil {
		return err
	}
	end := time.Now().Add(t.opts.Time)
	begin := time.Now()
	made, finish := t.startLanes()
	defer finish()
	waiting := made != nil
	for going := true; going && time.Now().Before(end); {
		select {
		case <-t.opts.Stop:
			end = time.Now()
			continue
		case <-t.ctx.Done():
			return context.Cause(t.ctx)
		case m := <-made:
			waiting = false
			if going, err = e.begin(m, end); err != nil {
				return err
			}
			continue
		default:
		}
		start := time.Now()
		if going, err = e.run(end); err != nil {
			return err
		}
		// Lanes have as much time as the simulators.
		for middle := time.Now(); going && e.lanes != nil && time.Since(middle) < middle.Sub(start); {
			if going, err = e.round(end); err != nil {
				return err
			}
		}
	}
	after, err := e.rates()
	if err != nil {
		return err
	}
	what := fmt.Sprintf("for %v more, guided by coverage: %d runs, %d cycles", time.Since(begin).Round(time.Second), e.done.Runs, e.done.Cycles)
	if e.done.Lanes > 0 {
		what += fmt.Sprintf(", and %s cycles in %d lanes", perSecond(float64(e.done.Lanes)), lanes.Count)
	}
	what += "; coverage was " + before
	if before == after {
		what += ", and no more was reached"
	}
	var more []string
	for _, text := range some(e.reached, 8) {
		more = append(more, "newly reached: "+text)
	}
	t.report.add(Fine, what, more...)
	if waiting {
		t.report.add(Fine, "the search was in the simulators alone: 512 lanes of the design were not compiled yet")
	}
	e.laneFindings()
	return nil
}

func (e *explorer) rates() (string, error) {
	r, err := coverreport.New(e.total)
	if err != nil {
		return "", err
	}
	return rates(r), nil
}

// run plays random inputs, and reports whether to go on.
func (e *explorer) run(end time.Time) (bool, error) {
	in, cycles := e.inputs()
	p, going, err := e.play(in, cycles, end)
	if err != nil || !going {
		return false, err
	}
	if len(e.done.Reached) > 0 {
		if err := e.keep(p.tape, p.played()); err != nil {
			return false, err
		}
		if e.lanes != nil {
			if err := e.golden(p); err != nil {
				return false, err
			}
		}
	}
	return true, e.add(p)
}

// play plays inputs in both simulators, and reports whether to go on. What they newly reach is in
// done then.
func (e *explorer) play(in rows, cycles int, end time.Time) (*pair, bool, error) {
	was := e.pair
	p, err := e.newPair()
	if err != nil {
		return nil, false, err
	}
	p.reset, p.powerUp, p.ignored, p.record = was.reset, was.powerUp, slices.Clone(was.ignored), e.lanes != nil
	e.pair = p // for questions about a difference
	err = p.run(e.ctx, in, cycles, min(e.opts.Limit, max(time.Until(end), time.Second/10)), func(int) {})
	if err = errors.Join(err, p.close()); err != nil {
		return nil, false, err
	}
	e.done.Runs++
	e.done.Cycles += max(p.done-p.reset, 0)
	var stop *bridge.StopError
	failed := slices.ContainsFunc(p.sides, func(s *side) bool { return s.err != nil && !errors.As(s.err, &stop) })
	if p.differs != nil || failed {
		e.report.Tape, e.report.Cycles = p.tape, max(p.done-p.reset, 0)
		return p, false, nil
	}
	e.pair = was
	was.absorb(p)
	if p.covered, err = e.measure(p.tape, p.played()); err != nil {
		return nil, false, err
	}
	e.done.Reached = fresh(e.total, p.covered)
	return p, true, nil
}

// add adds what a run has covered to what all have.
func (e *explorer) add(p *pair) (err error) {
	if err := e.total.Merge(p.covered); err != nil {
		return err
	}
	if len(e.done.Reached) > 0 {
		e.reached = append(e.reached, e.done.Reached...)
		if e.done.Coverage, err = e.rates(); err != nil {
			return err
		}
	}
	if e.opts.Explored != nil {
		e.opts.Explored(e.done)
	}
	return nil
}

// played is how many cycles were played whole.
func (p *pair) played() int {
	if p.ended() {
		return max(p.done-1, 0) // the last cycle's edge is what it cannot do
	}
	return p.done
}

// keep keeps the inputs up to the cycle in which a run has reached something for the first time,
// and those up to the cycle by which it has reached all that is new. What comes behind has nothing
// new, and would only lose the state again.
func (e *explorer) keep(tape []byte, cycles int) error {
	all, err := e.count(tape, cycles)
	if err != nil {
		return err
	}
	for _, want := range slices.Compact([]int{1, all}) {
		low, high := 0, cycles // high cycles reach it
		for low+1 < high && e.ctx.Err() == nil {
			middle := (low + high) / 2
			n, err := e.count(tape, middle)
			if err != nil {
				return err
			}
			if n >= want {
				high = middle
			} else {
				low = middle
			}
		}
		e.kept = append(e.kept, slices.Clone(tape[:high*e.pair.layout.InSize]))
	}
	return nil
}

// count returns how many points cycles of a tape execute that none has before.
func (e *explorer) count(tape []byte, cycles int) (n int, err error) {
	data, err := e.measure(tape, cycles)
	if err != nil {
		return 0, err
	}
	for p, count := range data.Code {
		if count > 0 && e.total.Code[p] == 0 {
			n++
		}
	}
	return n, nil
}

// inputs returns the inputs of the next run: those of a run that has reached something, or some of
// them, and random ones behind. Late ones are taken more often.
func (e *explorer) inputs() (in *continued, cycles int) {
	size := e.pair.layout.InSize
	prefix := e.prefix()
	hold := e.pair.reset
	if len(prefix) > 0 {
		hold = max(hold-len(prefix)/size, 0)
	}
	s := newStimulus(e.pair.layout, &e.design, hold, e.random.Uint64())
	if len(prefix) > 0 {
		copy(s.row, prefix[len(prefix)-size:])
	}
	return &continued{prefix, size, s}, len(prefix)/size + hold + e.tail()
}

// prefix returns with what inputs a run begins: those of a kept one, some of them, or none. Without
// the last ones it is in the state in which they would have mattered.
func (e *explorer) prefix() []byte {
	if e.random.IntN(6) == 0 {
		return nil
	}
	size := e.pair.layout.InSize
	from := e.kept[len(e.kept)-1-int(float64(len(e.kept))*e.random.Float64()*e.random.Float64())]
	n := len(from) / size
	switch e.random.IntN(6) {
	case 0:
		n = e.random.IntN(n + 1)
	case 1:
		n = max(n-2-e.random.IntN(3), 0)
	case 2, 3:
		n = max(n-1, 0)
	}
	return from[:min(n, longest)*size]
}

// tail returns how many cycles of random inputs a run has behind these.
func (e *explorer) tail() int { return 1 + e.random.IntN([]int{20, 200, 2000}[e.random.IntN(3)]) }

// continued are the rows of a tape, and then those of a stimulus.
type continued struct {
	tape []byte
	size int
	then *stimulus
}

func (c *continued) next(row []byte) {
	if len(c.tape) == 0 {
		c.then.next(row)
		return
	}
	copy(row, c.tape[:c.size])
	c.tape = c.tape[c.size:]
}

// fresh returns what was executed in new coverage and not before.
func fresh(before, now *coverdb.Data) (texts []string) {
	lines := map[string][]int{}
	var files, bits []string
	for _, p := range now.SortedCode() {
		switch {
		case now.Code[p] == 0 || before.Code[p] > 0:
		case p.Kind == "toggle":
			bits = append(bits, p.Comment)
		default:
			if lines[p.File] == nil {
				files = append(files, p.File)
			}
			lines[p.File] = append(lines[p.File], p.Line)
		}
	}
	for _, f := range files {
		texts = append(texts, runs(f, slices.Compact(lines[f]))...)
	}
	if bits = slices.Compact(bits); len(bits) > 0 {
		texts = append(texts, "changes of "+strings.Join(some(bits, 4), ", "))
	}
	return texts
}

// absorb adds what another run of the same design has shown.
func (p *pair) absorb(other *pair) {
	p.known, p.bits = p.known+other.known, p.bits+other.bits
	for i := range other.firstOut {
		if p.firstOut != nil {
			p.toggled[i] |= other.toggled[i] | (other.firstOut[i]^p.firstOut[i])&^other.firstX[i]&^p.firstX[i]
		}
	}
	for i, s := range other.sides {
		p.sides[i].messages = append(p.sides[i].messages, s.messages...)
		if n := len(p.sides[i].messages); n > keptMessages {
			p.sides[i].messages = slices.Delete(p.sides[i].messages, keptMessages/2, n-keptMessages/2)
		}
	}
}
