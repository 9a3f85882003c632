package vectors

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/sim"
)

// playOptions are the options of a run.
type playOptions struct {
	ignore bool            // expected values of the vector are not checked
	limit  uint64          // no more than so many cycles; 0: any number
	trace  func(c *traced) // is called with each cycle that was played, in order
	// answer is called with what an agent has read where another value is expected, or fill says
	// that it is to be filled in.
	answer func(l *Line, w Word, fill bool, text string)
}

// traced is a cycle that was played. Values are by port, in the order of the design's.
type traced struct {
	step   *step
	rep    int        // index of the cycle in the step
	values []*big.Int // inputs, and outputs of the model
	// ignored has for each output the bits that the model does not care about. It is nil before the
	// first reset, when nothing is compared.
	ignored []*big.Int
	expect  []cell
	failing bool // an expected value of the vector is not that of the model
}

// mark is the place of a cycle in the vector, and what the vector expects of it.
type mark struct {
	step     *step
	rep      int
	expect   []cell
	compared bool
}

// player is a run of a vector.
type player struct {
	*machine
	p        *plan
	o        playOptions
	next     reflect.Value // inputs of the coming cycle: those of the session
	own      []Statement   // the block's statements
	fallible sim.Fallible  // the model, if it is one

	marks    []mark   // of the cycles that were kept
	first    []uint64 // the DUTs' cycles at the vector's first
	done     uint64   // cycles played to the DUTs
	compared bool     // the RTL's state is known, so that it can be compared with the model
	failure  *Failure
	err      error // an error of the tools

	step   *step
	rep    int
	bound  uint64 // the cycle at which the statement is late
	within bool   // the vector has set this bound
	held   bool   // the outputs of the step's last cycle were as it expects
}

// errStop ends a run. The player has the reason.
var errStop = errors.New("the run has ended")

func (m *machine) play(_ context.Context, p *plan, o playOptions) (uint64, *Failure, error) {
	pl := &player{machine: m, p: p, o: o}
	if f := pl.fit(); f != nil {
		return 0, f, nil
	}
	pl.forget() // a run that has failed leaves cycles
	pl.next = m.b.begin(p.params, pl)
	if r := m.d.port(m.d.reset); r != nil && m.d.resetActive.Sign() == 0 {
		r.set(pl.next, one)
	}
	pl.own = m.b.statements()
	pl.renew()
	pl.compared = p.reset > 0 || m.d.reset == ""
	for _, d := range m.duts {
		d.Mark(p.file.Name)
		if p.reset > 0 && m.d.reset != "" {
			if err := d.Reset(p.reset); err != nil {
				return 0, nil, err
			}
		}
		pl.first = append(pl.first, d.Cycle())
	}
	err := pl.steps()
	if pl.failure == nil && pl.err == nil {
		pl.flush() // a difference in the cycles left comes before the error of the model
	}
	if pl.err == nil && pl.failure == nil && err != nil && !errors.Is(err, errStop) {
		pl.failure = pl.refused(err)
	}
	return pl.cycle(), pl.failure, pl.err
}

// renew replaces the model by a new one in the state after a reset. It has no errors from inputs
// before.
func (pl *player) renew() {
	pl.fallible, _ = pl.b.renew(pl.c.params, pl.cycle()).(sim.Fallible)
}

// cycle returns the number of the coming cycle.
func (pl *player) cycle() uint64 { return pl.done + uint64(len(pl.marks)) }

// fit returns a failure if a value does not fit its port's width with these parameters.
func (pl *player) fit() *Failure {
	for i := range pl.p.steps {
		s := &pl.p.steps[i]
		for _, c := range append(slices.Clone(s.drive), s.expect...) {
			if c.lo == nil {
				continue
			}
			if p := pl.port(&c); c.hi.BitLen() > p.Width {
				e := pl.p.file.at(s.line.At, c.word.Column, utf8.RuneCountInString(c.word.Text), fmt.Sprintf("%s needs %d bits, but %s has %d with these parameters", c.word.Text, c.hi.BitLen(), p.span(), p.Width))
				return &Failure{Errors: Errors{e}}
			}
		}
	}
	return nil
}

// steps plays all rows and statements.
func (pl *player) steps() error {
	for i := range pl.p.steps {
		s := &pl.p.steps[i]
		pl.step, pl.rep, pl.held = s, 0, false
		pl.bound, pl.within = pl.cycle()+defaultBound, false
		if s.cycles > 0 && (s.op == "own" || s.op == "expect") {
			pl.bound, pl.within = pl.cycle()+uint64(s.cycles), true
		}
		if err := pl.do(s); err != nil {
			return err
		}
	}
	return nil
}

// do plays a row or a statement.
func (pl *player) do(s *step) error {
	for _, c := range s.drive {
		pl.port(&c).set(pl.next, c.lo)
	}
	if len(s.drive) > 0 {
		if err := pl.b.complete(); err != nil {
			return err
		}
	}
	switch s.op {
	case "row":
		return pl.row(s)
	case "wait":
		return pl.wait(s.cycles)
	case "reset":
		r := pl.d.port(pl.d.reset)
		r.set(pl.next, pl.d.resetActive)
		err := pl.wait(s.cycles)
		r.set(pl.next, new(big.Int).Xor(pl.d.resetActive, one))
		return err
	case "expect":
		return pl.expect(s)
	case "own":
		return pl.own[s.own].Do(s.args)
	}
	return nil
}

// row plays the cycles of a row.
func (pl *player) row(s *step) error {
	var span *cell
	for i := range s.drive {
		if s.drive[i].lo.Cmp(s.drive[i].hi) != 0 {
			span = &s.drive[i]
		}
	}
	for range s.repeat {
		for k := range s.steps() {
			if span != nil {
				pl.port(span).set(pl.next, new(big.Int).Add(span.lo, big.NewInt(int64(k))))
				if err := pl.b.complete(); err != nil {
					return err
				}
			}
			if err := pl.play1(s.expect); err != nil {
				return err
			}
			pl.rep++
		}
	}
	return nil
}

// expect plays the statement expect, with or without within or for.
func (pl *player) expect(s *step) error {
	switch {
	case s.cycles == 0:
		return pl.play1(s.expect)
	case s.each:
		for range s.cycles {
			if err := pl.play1(s.expect); err != nil {
				return err
			}
		}
		return nil
	}
	for pl.cycle()+1 < pl.bound {
		if err := pl.play1(nil); err != nil {
			return err
		}
		if pl.wrong(pl.out, s.expect) < 0 {
			return nil
		}
	}
	return pl.play1(s.expect) // the last cycle, which fails if a value is still wrong
}

// wait plays so many cycles.
func (pl *player) wait(cycles int) error {
	for range cycles {
		if err := pl.play1(nil); err != nil {
			return err
		}
	}
	return nil
}

// inTime plays one cycle, if the statement is not late.
func (pl *player) inTime() error {
	if pl.cycle() >= pl.bound {
		return &lateError{"it is not done", pl.within}
	}
	return pl.play1(nil)
}

// until plays cycles until done returns true after one, or the statement is late.
func (pl *player) until(what string, done func() bool) error {
	for pl.cycle() < pl.bound {
		if err := pl.play1(nil); err != nil {
			return err
		}
		if done() {
			return nil
		}
	}
	return &lateError{what, pl.within}
}

// play1 plays one cycle with the session's inputs.
func (pl *player) play1(expect []cell) error {
	if pl.failure != nil || pl.err != nil {
		return errStop
	}
	if pl.o.limit > 0 && pl.cycle() >= pl.o.limit {
		return &lateError{"the run is long enough", true}
	}
	if pl.o.ignore {
		expect = nil
	}
	if r := pl.d.port(pl.d.reset); r != nil && !pl.compared && r.get(pl.next).Cmp(pl.d.resetActive) == 0 {
		pl.renew()
		defer func() { pl.compared = true }()
	}
	changed := pl.b.step()
	if pl.fallible != nil {
		if err := pl.fallible.Err(); err != nil {
			return err
		}
	}
	m := mark{pl.step, pl.rep, expect, pl.compared}
	fresh := changed || !pl.held
	pl.held = expect != nil
	if special := fresh && pl.special(expect) || !pl.compared; special {
		if pl.held = false; pl.flush() != nil {
			return errStop
		}
		pl.keep(m)
		return pl.single(m)
	}
	pl.keep(m)
	if fresh && pl.wrong(pl.out, expect) >= 0 {
		return pl.mismatch()
	}
	if len(pl.marks) == chunk {
		return pl.flush()
	}
	return nil
}

// keep adds a cycle to those that flush plays to the DUTs.
func (pl *player) keep(m mark) {
	pl.marks = append(pl.marks, m)
	pl.b.keep()
}

// forget forgets the cycles that were kept.
func (pl *player) forget() {
	pl.in.SetLen(0)
	pl.want.SetLen(0)
	pl.marks = pl.marks[:0]
}

// flush plays the cycles that were kept to the DUTs.
func (pl *player) flush() error {
	if len(pl.marks) == 0 {
		return nil
	}
	return pl.conclude(pl.compare(false))
}

// mismatch ends the run at a cycle, the last that was kept, in which the model is not as the vector
// expects. The cycles are played to the RTL before, as an earlier difference is the failure.
func (pl *player) mismatch() error {
	last := len(pl.marks) - 1
	errs := pl.compare(false)
	early := slices.ContainsFunc(errs, func(err error) bool {
		var diff *sim.Difference
		return err != nil && (!errors.As(err, &diff) || diff.Cycle-pl.first[slices.Index(errs, err)]-pl.done < uint64(last))
	})
	if early {
		return pl.conclude(errs)
	}
	pl.failure = pl.wrongCell(last, pl.wrong(pl.out, pl.marks[last].expect))
	pl.trace(len(pl.marks))
	return errStop
}

// single plays one cycle of which the vector expects more than the model.
func (pl *player) single(m mark) error {
	ignored := pl.b.ignored(pl.out)
	for i := range m.expect {
		if c := &m.expect[i]; c.unknowns() {
			p := pl.port(c)
			p.set(ignored, new(big.Int).Or(p.get(ignored), c.unknown))
		}
	}
	if !m.compared {
		ignored.Set(pl.all)
	}
	errs := pl.compare(true)
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return pl.conclude(errs)
	}
	for c := range m.expect {
		bad := m.compared && pl.wrong(pl.out, m.expect[c:c+1]) >= 0
		p := pl.port(&m.expect[c])
		for i, d := range pl.duts {
			var unknown *big.Int
			if d.Simulator() == sim.Icarus {
				unknown = p.get(pl.b.unknown(i))
			}
			bad = bad || !m.expect[c].holds(p, p.get(pl.got[i].Index(0)), unknown)
		}
		if bad {
			pl.failure = pl.wrongCell(0, c)
			break
		}
	}
	return pl.conclude(errs)
}

// special reports whether cells expect more than the model: bits that it does not care about, or
// unknown bits.
func (pl *player) special(expect []cell) bool {
	if len(expect) == 0 {
		return false
	}
	if !pl.compared {
		return true
	}
	ignored := pl.b.ignored(pl.out)
	none := ignored.IsZero()
	for i := range expect {
		if expect[i].unknowns() || !none && pl.port(&expect[i]).get(ignored).Sign() != 0 {
			return true
		}
	}
	return false
}

// compare plays the cycles that were kept to all DUTs at the same time, and compares their outputs
// as typed.compare does.
func (pl *player) compare(masked bool) []error {
	errs := make([]error, len(pl.duts))
	var g errgroup.Group
	for i := range pl.duts {
		g.Go(func() error {
			errs[i] = pl.b.compare(i, masked)
			return nil
		})
	}
	g.Wait()
	return errs
}

// conclude makes the run's failure of the results of a flush: the first difference, or an error of
// the tools.
func (pl *player) conclude(errs []error) error {
	row, differ := len(pl.marks), false
	for i, err := range errs {
		var diff *sim.Difference
		switch {
		case errors.As(err, &diff):
			if at := int(diff.Cycle - pl.first[i] - pl.done); at < row {
				row = at
			}
			differ = true
		case err != nil && pl.err == nil:
			at := min(len(pl.marks)-1, int(pl.duts[i].Cycle()-pl.first[i]-pl.done))
			pl.err = fmt.Errorf("%s:%d: %w", pl.p.file.Name, pl.marks[max(0, at)].step.line.At, err)
		}
	}
	if differ {
		pl.err = nil
		pl.failure = pl.differs(row, errs)
	}
	pl.trace(min(row+1, len(pl.marks)))
	if pl.failure != nil || pl.err != nil {
		return errStop
	}
	pl.done += uint64(len(pl.marks))
	pl.forget()
	return nil
}

// wrong returns the index of the first cell that outputs of the model do not meet, or -1.
func (pl *player) wrong(out reflect.Value, expect []cell) int {
	if len(expect) == 0 {
		return -1
	}
	ignored := pl.b.ignored(out)
	none := ignored.IsZero()
	for i := range expect {
		p := pl.port(&expect[i])
		if (none || p.get(ignored).Sign() == 0) && !expect[i].holds(p, p.get(out), nil) {
			return i
		}
	}
	return -1
}

// trace calls playOptions.trace with the first n cycles of those that were kept.
func (pl *player) trace(n int) {
	if pl.o.trace == nil {
		return
	}
	for i := range n {
		t := &traced{step: pl.marks[i].step, rep: pl.marks[i].rep, expect: pl.marks[i].expect}
		out := pl.want.Index(i)
		t.failing = pl.marks[i].compared && pl.wrong(out, pl.marks[i].expect) >= 0
		ignored := pl.b.ignored(out)
		for k := range pl.ports {
			p := &pl.ports[k]
			if p.Input {
				t.values = append(t.values, p.get(pl.in.Index(i)))
				continue
			}
			t.values = append(t.values, p.get(out))
			if pl.marks[i].compared {
				t.ignored = append(t.ignored, p.get(ignored))
			}
		}
		pl.o.trace(t)
	}
}
