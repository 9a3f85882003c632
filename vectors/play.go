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
type player[I, O comparable] struct {
	*machine[I, O]
	ctx     context.Context
	p       *plan
	o       playOptions
	session *Session[I, O]
	own     []Statement // the block's statements
	care    func(O) O   // the model's DontCare; may be nil

	in       []I
	want     []O
	marks    []mark
	explains bool             // the model is an Explainer
	past     sim.Recording[I] // if it is, the cycles since its reset, with those of pl.in
	first    []uint64         // the DUTs' cycles at the vector's first
	done     uint64           // cycles played to the DUTs
	compared bool             // the RTL's state is known, so that it can be compared with the model
	failure  *Failure
	err      error // an error of the tools

	step   *step
	rep    int
	bound  uint64 // the cycle at which the statement is late
	within bool   // the vector has set this bound
	last   struct {
		out   O
		step  *step
		valid bool
	}
}

// errStop ends a run. The player has the reason.
var errStop = errors.New("the run has ended")

func (m *machine[I, O]) play(ctx context.Context, p *plan, o playOptions) (uint64, *Failure, error) {
	pl := &player[I, O]{machine: m, ctx: ctx, p: p, o: o}
	if f := pl.fit(); f != nil {
		return 0, f, nil
	}
	s := &Session[I, O]{Params: p.params, In: m.b.Idle, player: pl}
	pl.session = s
	if r := m.d.port(m.d.reset); r != nil && m.d.resetActive.Sign() == 0 {
		r.set(reflect.ValueOf(&s.In).Elem(), one)
	}
	if m.b.Statements != nil {
		pl.own = m.b.Statements(s)
	}
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
func (pl *player[I, O]) renew() {
	pl.model, pl.care = pl.b.Model(pl.c.params), nil
	_, pl.explains = pl.model.(sim.Explainer[I, O])
	pl.past.Begin(pl.cycle())
	if dc, ok := pl.model.(sim.DontCarer[O]); ok {
		pl.care = dc.DontCare
	}
}

// cycle returns the number of the coming cycle.
func (pl *player[I, O]) cycle() uint64 { return pl.done + uint64(len(pl.in)) }

// fit returns a failure if a value does not fit its port's width with these parameters.
func (pl *player[I, O]) fit() *Failure {
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
func (pl *player[I, O]) steps() error {
	for i := range pl.p.steps {
		s := &pl.p.steps[i]
		pl.step, pl.rep, pl.last.valid = s, 0, false
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
func (pl *player[I, O]) do(s *step) error {
	in := reflect.ValueOf(&pl.session.In).Elem()
	for _, c := range s.drive {
		pl.port(&c).set(in, c.lo)
	}
	if len(s.drive) > 0 {
		if err := pl.complete(); err != nil {
			return err
		}
	}
	switch s.op {
	case "row":
		return pl.row(s, in)
	case "wait":
		return pl.session.Wait(s.cycles)
	case "reset":
		r := pl.d.port(pl.d.reset)
		r.set(in, pl.d.resetActive)
		err := pl.session.Wait(s.cycles)
		r.set(in, new(big.Int).Xor(pl.d.resetActive, one))
		return err
	case "expect":
		return pl.expect(s)
	case "own":
		return pl.own[s.own].Do(s.args)
	}
	return nil
}

// complete calls Block.Complete after ports were set.
func (pl *player[I, O]) complete() (err error) {
	if pl.b.Complete != nil {
		pl.session.In, err = pl.b.Complete(pl.session.In)
	}
	return err
}

// row plays the cycles of a row.
func (pl *player[I, O]) row(s *step, in reflect.Value) error {
	var span *cell
	for i := range s.drive {
		if s.drive[i].lo.Cmp(s.drive[i].hi) != 0 {
			span = &s.drive[i]
		}
	}
	for range s.repeat {
		for k := range s.steps() {
			if span != nil {
				pl.port(span).set(in, new(big.Int).Add(span.lo, big.NewInt(int64(k))))
				if err := pl.complete(); err != nil {
					return err
				}
			}
			if _, err := pl.play1(s.expect); err != nil {
				return err
			}
			pl.rep++
		}
	}
	return nil
}

// expect plays the statement expect, with or without within or for.
func (pl *player[I, O]) expect(s *step) error {
	switch {
	case s.cycles == 0:
		_, err := pl.play1(s.expect)
		return err
	case s.each:
		for range s.cycles {
			if _, err := pl.play1(s.expect); err != nil {
				return err
			}
		}
		return nil
	}
	for pl.cycle()+1 < pl.bound {
		out, err := pl.play1(nil)
		if err != nil {
			return err
		}
		if pl.meets(out, s.expect) {
			return nil
		}
	}
	_, err := pl.play1(s.expect) // the last cycle, which fails if a value is still wrong
	return err
}

// play1 plays one cycle with the session's inputs.
func (pl *player[I, O]) play1(expect []cell) (out O, err error) {
	if pl.failure != nil || pl.err != nil {
		return out, errStop
	}
	if pl.o.limit > 0 && pl.cycle() >= pl.o.limit {
		return out, &lateError{"the run is long enough", true}
	}
	if pl.o.ignore {
		expect = nil
	}
	in := pl.session.In
	if r := pl.d.port(pl.d.reset); r != nil && !pl.compared && r.get(reflect.ValueOf(in)).Cmp(pl.d.resetActive) == 0 {
		pl.renew()
		defer func() { pl.compared = true }()
	}
	out = pl.model.Step(in)
	if e, ok := pl.model.(sim.Fallible); ok && e.Err() != nil {
		return out, e.Err()
	}
	m := mark{pl.step, pl.rep, expect, pl.compared}
	fresh := !pl.last.valid || pl.last.step != pl.step || pl.last.out != out
	pl.last.step, pl.last.out, pl.last.valid = pl.step, out, expect != nil
	if special := fresh && pl.special(out, expect) || !pl.compared; special {
		if pl.last.valid = false; pl.flush() != nil {
			return out, errStop
		}
		pl.keep(in, out, m)
		return out, pl.single(out, m)
	}
	pl.keep(in, out, m)
	if fresh && !pl.meets(out, expect) {
		return out, pl.mismatch()
	}
	if len(pl.in) == chunk {
		return out, pl.flush()
	}
	return out, nil
}

// keep adds a cycle to those that flush plays to the DUTs.
func (pl *player[I, O]) keep(in I, out O, m mark) {
	pl.in, pl.want, pl.marks = append(pl.in, in), append(pl.want, out), append(pl.marks, m)
	if pl.explains {
		pl.past.Add(in)
	}
	for _, w := range pl.session.watchers {
		w(in, out)
	}
	pl.session.Out = out
}

// flush plays the cycles that were kept to the DUTs.
func (pl *player[I, O]) flush() error {
	if len(pl.in) == 0 {
		return nil
	}
	return pl.conclude(pl.compare(pl.care))
}

// mismatch ends the run at a cycle, the last that was kept, in which the model is not as the vector
// expects. The cycles are played to the RTL before, as an earlier difference is the failure.
func (pl *player[I, O]) mismatch() error {
	last := len(pl.in) - 1
	errs := pl.compare(pl.care)
	early := slices.ContainsFunc(errs, func(err error) bool {
		var diff *sim.Difference
		return err != nil && (!errors.As(err, &diff) || diff.Cycle-pl.first[slices.Index(errs, err)]-pl.done < uint64(last))
	})
	if early {
		return pl.conclude(errs)
	}
	pl.failure = pl.wrongCell(last, pl.wrong(pl.want[last], pl.marks[last].expect))
	pl.trace(len(pl.in))
	return errStop
}

// single plays one cycle of which the vector expects more than the model.
func (pl *player[I, O]) single(out O, m mark) error {
	var ignored O
	if pl.care != nil {
		ignored = pl.care(out)
	}
	v := reflect.ValueOf(&ignored).Elem()
	for i := range m.expect {
		if c := &m.expect[i]; c.unknowns() {
			p := pl.port(c)
			p.set(v, new(big.Int).Or(p.get(v), c.unknown))
		}
	}
	if !m.compared {
		ignored = pl.machine.all
	}
	errs := pl.compare(func(O) O { return ignored })
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return pl.conclude(errs)
	}
	for c := range m.expect {
		bad := m.compared && !pl.meets(out, m.expect[c:c+1])
		p := pl.port(&m.expect[c])
		for i, d := range pl.duts {
			var unknown *big.Int
			if d.Simulator() == sim.Icarus {
				unknown = p.get(reflect.ValueOf(d.Unknown()))
			}
			bad = bad || !m.expect[c].holds(p, p.get(reflect.ValueOf(pl.got[i][0])), unknown)
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
func (pl *player[I, O]) special(out O, expect []cell) bool {
	if len(expect) == 0 {
		return false
	}
	if !pl.compared {
		return true
	}
	var ignored reflect.Value
	if pl.care != nil {
		ignored = reflect.ValueOf(pl.care(out))
	}
	for i := range expect {
		if expect[i].unknowns() || ignored.IsValid() && pl.port(&expect[i]).get(ignored).Sign() != 0 {
			return true
		}
	}
	return false
}

// compare plays the cycles that were kept to all DUTs at the same time, and compares their outputs
// except for the bits that care returns.
func (pl *player[I, O]) compare(care func(O) O) []error {
	errs := make([]error, len(pl.duts))
	var g errgroup.Group
	for i, d := range pl.duts {
		g.Go(func() error {
			errs[i] = d.ExpectInto(pl.in, pl.want, pl.got[i][:len(pl.in)], care)
			return nil
		})
	}
	g.Wait()
	return errs
}

// conclude makes the run's failure of the results of a flush: the first difference, or an error of
// the tools.
func (pl *player[I, O]) conclude(errs []error) error {
	row, differ := len(pl.in), false
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
	pl.trace(min(row+1, len(pl.in)))
	if pl.failure != nil || pl.err != nil {
		return errStop
	}
	pl.done += uint64(len(pl.in))
	pl.in, pl.want, pl.marks = pl.in[:0], pl.want[:0], pl.marks[:0]
	return nil
}

// meets reports whether the model's outputs are as expected.
func (pl *player[I, O]) meets(out O, expect []cell) bool { return pl.wrong(out, expect) < 0 }

// wrong returns the index of the first cell that the model's outputs do not meet, or -1.
func (pl *player[I, O]) wrong(out O, expect []cell) int {
	v := reflect.ValueOf(out)
	var ignored O
	if pl.care != nil {
		ignored = pl.care(out)
	}
	for i := range expect {
		p := pl.port(&expect[i])
		if p.get(reflect.ValueOf(ignored)).Sign() == 0 && !expect[i].holds(p, p.get(v), nil) {
			return i
		}
	}
	return -1
}

// trace calls playOptions.trace with the first n cycles of those that were kept.
func (pl *player[I, O]) trace(n int) {
	if pl.o.trace == nil {
		return
	}
	for i := range n {
		t := &traced{step: pl.marks[i].step, rep: pl.marks[i].rep, expect: pl.marks[i].expect}
		t.failing = pl.marks[i].compared && !pl.meets(pl.want[i], pl.marks[i].expect)
		var ignored O
		if pl.care != nil {
			ignored = pl.care(pl.want[i])
		}
		for k := range pl.ports {
			p := &pl.ports[k]
			if p.Input {
				t.values = append(t.values, p.get(reflect.ValueOf(pl.in[i])))
				continue
			}
			t.values = append(t.values, p.get(reflect.ValueOf(pl.want[i])))
			if pl.marks[i].compared {
				t.ignored = append(t.ignored, p.get(reflect.ValueOf(ignored)))
			}
		}
		pl.o.trace(t)
	}
}
