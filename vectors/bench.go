package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
)

// machine is a bench of a block.
type machine[I, O comparable] struct {
	b     *Block[I, O]
	d     *design
	c     config
	ports []Port // with the widths that they have with these parameters
	model sim.Model[I, O]
	duts  []*sim.DUT[I, O]
	got   [][]O // of each of them, scratch
	all   O     // all bits set: a mask
}

// chunk is how many cycles are played at a time.
const chunk = 2048

func newBench[I, O comparable](ctx context.Context, b *Block[I, O], d *design, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
	m := &machine[I, O]{b: b, d: d, c: c, ports: slices.Clone(d.ports), model: b.Model(c.params)}
	for _, s := range sims {
		dut, err := sim.Open[I, O](ctx, d.rtl(c), s, append([]sim.Option{sim.WithSeed(c.seed)}, opts...)...)
		if err != nil {
			m.Close()
			return nil, err
		}
		m.duts, m.got = append(m.duts, dut), append(m.got, make([]O, chunk))
		layout, _, _, err := dut.Rows(nil, nil)
		if err != nil {
			m.Close()
			return nil, err
		}
		for _, p := range append(slices.Clone(layout.Inputs), layout.Outputs...) {
			for i := range m.ports {
				if m.ports[i].Name == p.Name {
					m.ports[i].Width = p.Width
				}
			}
		}
	}
	v := reflect.ValueOf(&m.all).Elem()
	for i := range m.ports {
		if p := &m.ports[i]; !p.Input {
			p.set(v, p.mask())
		}
	}
	return m, nil
}

func (m *machine[I, O]) Close() error {
	var errs []error
	for _, d := range m.duts {
		errs = append(errs, d.Close())
	}
	return errors.Join(errs...)
}

// port is the one of a cell as it is with these parameters.
func (m *machine[I, O]) port(c *cell) *Port {
	for i := range m.d.ports {
		if &m.d.ports[i] == c.port {
			return &m.ports[i]
		}
	}
	return c.port
}

// playOptions are what is wanted of a run.
type playOptions struct {
	ignore bool            // what the vector expects
	limit  uint64          // no more than so many cycles; 0: any number
	trace  func(c *traced) // is told of each cycle that was played, in order
}

// traced is a cycle that was played. Values are by port, in the order of the design's.
type traced struct {
	step    *step
	rep     int        // which of its cycles
	values  []*big.Int // inputs, and outputs as the model has them
	ignored []*big.Int // of outputs: the bits that the model does not care about; nil: before the first reset, none is compared
	expect  []cell
	failing bool // the vector expects something else here than the model does
}

// mark is what the vector says of a cycle.
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
	verbs   []Verb[I, O]
	care    func(O) O // what the model does not care about; may be nil

	in       []I
	want     []O
	marks    []mark
	first    []uint64 // the DUTs' cycles at the vector's first
	done     uint64   // cycles played to the DUTs
	compared bool     // the RTL's state is known, so that the model can tell its outputs
	failure  *Failure
	err      error // of the tools

	step   *step
	rep    int
	bound  uint64 // the cycle at which the statement is late
	within bool   // the vector says so
	last   struct {
		out   O
		step  *step
		valid bool
	}
}

// errStop ends a run: the player knows why.
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
	if m.b.Verbs != nil {
		pl.verbs = m.b.Verbs(s)
	}
	if dc, ok := m.model.(sim.DontCarer[O]); ok {
		pl.care = dc.DontCare
	}
	m.model.Reset()
	pl.compared = p.reset > 0 || m.d.reset == ""
	for _, d := range m.duts {
		if p.reset > 0 && m.d.reset != "" {
			if err := d.Reset(p.reset); err != nil {
				return 0, nil, err
			}
		}
		pl.first = append(pl.first, d.Cycle())
	}
	err := pl.steps()
	if pl.failure == nil && pl.err == nil {
		pl.flush() // what is left; a difference in it comes before what the model found
	}
	if pl.err == nil && pl.failure == nil && err != nil && !errors.Is(err, errStop) {
		pl.failure = pl.refused(err)
	}
	return pl.cycle(), pl.failure, pl.err
}

// cycle is the number of the coming cycle.
func (pl *player[I, O]) cycle() uint64 { return pl.done + uint64(len(pl.in)) }

// fit looks whether values fit the ports' widths with these parameters.
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
		if s.cycles > 0 && (s.op == "verb" || s.op == "expect") {
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
	case "verb":
		return pl.verbs[s.verb].Do(s.args)
	}
	return nil
}

// complete makes inputs that ports were set of good for the model.
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
	_, err := pl.play1(s.expect) // the last chance: what is missing now is shown there
	return err
}

// meets tells whether the model's outputs are as expected.
func (pl *player[I, O]) meets(out O, expect []cell) bool { return pl.wrong(out, expect) < 0 }

// wrong is the first cell that the model's outputs do not meet, or -1.
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

// special tells whether cells say more than the model: of bits that it does not care about, or of unknown ones.
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
		pl.model.Reset()
		defer func() { pl.compared = true }()
	}
	out = pl.model.Step(in)
	if e, ok := pl.model.(interface{ Err() error }); ok && e.Err() != nil {
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

// keep adds a cycle to those to be played to the DUTs.
func (pl *player[I, O]) keep(in I, out O, m mark) {
	pl.in, pl.want, pl.marks = append(pl.in, in), append(pl.want, out), append(pl.marks, m)
	for _, w := range pl.session.watchers {
		w(in, out)
	}
	pl.session.Out = out
}

// flush plays what was kept to the DUTs.
func (pl *player[I, O]) flush() error {
	if len(pl.in) == 0 {
		return nil
	}
	errs := pl.all1(func(i int, d *sim.DUT[I, O]) error {
		return d.ExpectInto(pl.in, pl.want, pl.got[i][:len(pl.in)], pl.care)
	})
	return pl.judge(errs)
}

// all1 does something with all DUTs at the same time.
func (pl *player[I, O]) all1(do func(i int, d *sim.DUT[I, O]) error) []error {
	errs := make([]error, len(pl.duts))
	var g errgroup.Group
	for i, d := range pl.duts {
		g.Go(func() error { errs[i] = do(i, d); return nil })
	}
	g.Wait()
	return errs
}

// judge looks at what came of a flush: the first difference, or an error of the tools.
func (pl *player[I, O]) judge(errs []error) error {
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

// trace tells of cycles.
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

// single plays one cycle of which the vector says more than the model.
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
	errs := pl.all1(func(i int, d *sim.DUT[I, O]) error {
		return d.ExpectInto(pl.in, pl.want, pl.got[i][:1], func(O) O { return ignored })
	})
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return pl.judge(errs)
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
	return pl.judge(errs)
}

// mismatch is a last cycle in which the model is not as the vector expects: after a look at the RTL, which comes first.
func (pl *player[I, O]) mismatch() error {
	last := len(pl.in) - 1
	errs := pl.all1(func(i int, d *sim.DUT[I, O]) error {
		return d.ExpectInto(pl.in, pl.want, pl.got[i][:len(pl.in)], pl.care)
	})
	early := slices.ContainsFunc(errs, func(err error) bool {
		var diff *sim.Difference
		return err != nil && (!errors.As(err, &diff) || diff.Cycle-pl.first[slices.Index(errs, err)]-pl.done < uint64(last))
	})
	if early {
		return pl.judge(errs)
	}
	pl.failure = pl.wrongCell(last, pl.wrong(pl.want[last], pl.marks[last].expect))
	pl.trace(len(pl.in))
	return errStop
}

// random are random inputs.
func (m *machine[I, O]) random(seed uint64, cycles int) [][]*big.Int {
	r := rand.New(rand.NewPCG(seed, 0))
	in, rows := m.b.Idle, [][]*big.Int(nil)
	for range cycles {
		if m.b.Random != nil {
			in = m.b.Random(r, in)
		}
		v := reflect.ValueOf(&in).Elem()
		var row []*big.Int
		for i := range m.ports {
			p := &m.ports[i]
			if !p.Input {
				continue
			}
			switch {
			case p.Name == m.d.reset: // seldom
				bit := new(big.Int).Xor(m.d.resetActive, one)
				if r.IntN(200) == 0 {
					bit = m.d.resetActive
				}
				p.set(v, bit)
			case m.b.Random == nil && r.IntN(3) == 0:
				bits := new(big.Int)
				for range (p.Width + 63) / 64 {
					bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(r.Uint64()))
				}
				p.set(v, bits.And(bits, p.mask()))
			}
			row = append(row, p.get(v))
		}
		rows = append(rows, row)
	}
	return rows
}

// Session is a run of a vector, as the statements of a block see it. They see the model's outputs: the RTL gets the same
// inputs, and a difference ends the run.
type Session[I, O comparable] struct {
	Params Params
	In     I // inputs of the coming cycle; they stay until changed
	Out    O // outputs of the last cycle

	player   *player[I, O]
	watchers []func(I, O)
}

// Step is one cycle.
func (s *Session[I, O]) Step() (O, error) {
	if s.player.cycle() >= s.player.bound {
		return s.Out, &lateError{"it is not done", s.player.within}
	}
	return s.player.play1(nil)
}

// Wait is so many cycles.
func (s *Session[I, O]) Wait(cycles int) error {
	for range cycles {
		if _, err := s.player.play1(nil); err != nil {
			return err
		}
	}
	return nil
}

// Until steps until an output is as it should be, which the statement's time bounds. What says in words what is waited for.
func (s *Session[I, O]) Until(what string, done func(out O) bool) error {
	for s.player.cycle() < s.player.bound {
		out, err := s.player.play1(nil)
		if err != nil {
			return err
		}
		if done(out) {
			return nil
		}
	}
	return &lateError{what, s.player.within}
}

// Watch sets who is told of each cycle.
func (s *Session[I, O]) Watch(watcher func(in I, out O)) { s.watchers = append(s.watchers, watcher) }

// Cycle is the number of the coming cycle, from 0 at the vector's first.
func (s *Session[I, O]) Cycle() uint64 { return s.player.cycle() }

// Within has the cycle at which the statement is late.
func (s *Session[I, O]) Within() uint64 { return s.player.bound }

// lateError is a statement that was not done in time.
type lateError struct {
	what   string
	within bool
}

func (e *lateError) Error() string { return e.what }

// WordError is an error about one of a statement's arguments.
type WordError struct {
	Arg int // from 0
	Err error
}

func (e *WordError) Error() string { return e.Err.Error() }
func (e *WordError) Unwrap() error { return e.Err }

// Failure is why a vector did not pass.
type Failure struct {
	Errors Errors // where in the vector, and what
	RTL    bool   // the RTL differs from the model
	Cycle  uint64
	Ports  []string // that differ
	Report report.Failure
}

// Error is all that is known.
func (f *Failure) Error() string {
	text := f.Errors.Error()
	if f.Report.Top != "" {
		text += "\n\n" + strings.TrimRight(f.Report.Text(false), "\n")
	}
	return text
}

// when says in which cycle, as the vector has it.
func (pl *player[I, O]) when(row int) string {
	m := pl.marks[row]
	cycle := pl.done + uint64(row)
	text := fmt.Sprintf("cycle %d", cycle)
	switch {
	case m.step.line.Label != nil && m.rep > 0:
		text += fmt.Sprintf(", %s+%d", m.step.line.Label.Text, m.rep)
	case m.step.line.Label != nil:
		text += ", " + m.step.line.Label.Text
	case m.step.repeat > 1:
		text += fmt.Sprintf(", the row's %s", ordinal(m.rep+1))
	}
	return text + fmt.Sprintf(", %v", pl.at(cycle))
}

func ordinal(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// at is when the clock rises at the end of a cycle.
func (pl *player[I, O]) at(cycle uint64) time.Duration {
	return time.Duration(cycle)*pl.p.period + pl.p.period/2
}

// refused is a statement that the model, or the statement itself, found wrong.
func (pl *player[I, O]) refused(err error) *Failure {
	s := pl.step
	word := s.first
	if word.Text == "" {
		word = append(slices.Clone(s.line.Words), Word{" ", 1})[0]
	}
	var at *WordError
	if errors.As(err, &at) && at.Arg < len(s.words) {
		word = s.words[at.Arg]
	}
	text := err.Error()
	problem, rest, _ := strings.Cut(text, "\n")
	e := pl.p.file.at(s.line.At, word.Column, utf8.RuneCountInString(word.Text), problem)
	e.Label = fmt.Sprintf("cycle %d, %v", pl.cycle(), pl.at(pl.cycle()))
	if rest != "" {
		e.Notes = strings.Split(rest, "\n")
	}
	var late *lateError
	if errors.As(err, &late) {
		e.Problem = fmt.Sprintf("too late: %s", problem)
		e.Help = "give it more time: within TIME ..."
		if !late.within {
			e.Help = fmt.Sprintf("a statement may take %d cycles; write within TIME ... for more", defaultBound)
		}
	}
	f := &Failure{Errors: Errors{e}, Cycle: pl.cycle()}
	if n := len(pl.duts); n > 0 && pl.cycle() > 0 {
		f.Report = report.Failure{Top: pl.d.name, Reason: problem, Columns: []string{string(pl.duts[0].Simulator())}, Wave: pl.wave(pl.duts[0].Recent(), 0), Seed: pl.p.seed}
		f.Report.Cycle, f.Report.At = pl.cycle()-1, pl.at(pl.cycle()-1)
		f.Report.Reproduce = pl.p.reproduce()
	}
	return f
}

// manyTraces is how many ports a waveform has at most before those are left out that do not change in it.
const manyTraces = 16

// wave is the last cycles of a DUT, counted from the vector's first.
func (pl *player[I, O]) wave(w report.Wave, dut int) report.Wave {
	from := 0
	for from < len(w.Cycles) && w.Cycles[from] < pl.first[dut] {
		from++
	}
	w.Cycles, w.Times = w.Cycles[from:], w.Times[from:]
	for i := range w.Cycles {
		w.Cycles[i] -= pl.first[dut]
		w.Times[i] = pl.at(w.Cycles[i])
	}
	for i := range w.Traces {
		w.Traces[i].Values = w.Traces[i].Values[from:]
		if p := pl.d.port(w.Traces[i].Name); p != nil {
			w.Traces[i].Names = p.named()
		}
	}
	for i := range w.Clocks {
		w.Clocks[i].Rises = nil
	}
	if len(w.Traces) > manyTraces { // what stays as it is would hide the rest
		w.Traces = slices.DeleteFunc(w.Traces, func(t report.Trace) bool {
			first := t.Text(t.Values[0])
			return !slices.ContainsFunc(t.Values, func(v report.Value) bool { return t.Text(v) != first })
		})
	}
	return w
}

// named are the names of a port's values for reports.
func (p *Port) named() map[uint64]string {
	if p.Names.Set || len(p.Names.List) == 0 {
		return nil
	}
	names := map[uint64]string{}
	for i, n := range p.Names.List {
		if n != "" {
			names[uint64(i)] = n
		}
	}
	return names
}

// reproduce is the command that runs the vector again.
func (p *plan) reproduce() string {
	return cmp.Or(p.command, "cosimate vectors run") + " " + shellWord(p.file.Name)
}

func shellWord(text string) string {
	if strings.ContainsAny(text, " '\"\\$`*?[]()&;<>|#~!{}") || text == "" {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// column is who had which value of a port in a row.
type column struct {
	name  string
	value report.Value
}

// columns are the model's value and those of the simulators that came so far.
func (pl *player[I, O]) columns(p *Port, row int, errs []error) (columns []column) {
	if pl.marks[row].compared {
		columns = append(columns, column{"model", report.Value{Bits: p.get(reflect.ValueOf(pl.want[row]))}})
	}
	for i, d := range pl.duts {
		v := report.Value{Bits: p.get(reflect.ValueOf(pl.got[i][row]))}
		var diff *sim.Difference
		switch {
		case i < len(errs) && errors.As(errs[i], &diff):
			at := int(diff.Cycle - pl.first[i] - pl.done)
			if at < row {
				v = report.Value{} // it did not come so far
			} else if at == row {
				for _, q := range diff.Ports {
					if q.Name == p.Name {
						v = q.Values[1]
					}
				}
			}
		case d.Simulator() == sim.Icarus && d.Cycle() == pl.first[i]+pl.done+uint64(row)+1:
			v.Unknown = p.get(reflect.ValueOf(d.Unknown()))
		}
		columns = append(columns, column{string(d.Simulator()), v})
	}
	return columns
}

// failed begins a failure in a row: outputs in columns, of which the first is the reference.
func (pl *player[I, O]) failed(row int, errs []error, reference *cell) *Failure {
	f := &Failure{Cycle: pl.done + uint64(row)}
	f.Report = report.Failure{Top: pl.d.name, Cycle: f.Cycle, At: pl.at(f.Cycle), Seed: pl.p.seed, Reproduce: pl.p.reproduce()}
	var ignored O
	if pl.care != nil {
		ignored = pl.care(pl.want[row])
	}
	for i := range pl.ports {
		p := &pl.ports[i]
		if p.Input {
			continue
		}
		port := report.Port{Signal: report.Signal{Name: p.Name, Width: p.Width, Signed: p.Signed, Dir: report.Output, Names: p.named()}}
		port.Ignored = p.get(reflect.ValueOf(ignored))
		if !pl.marks[row].compared {
			port.Ignored = p.mask()
		}
		columns := pl.columns(p, row, errs)
		if reference != nil {
			v := columns[0].value // where the vector says nothing
			if reference.port.Name == p.Name {
				v = report.Value{Bits: reference.lo}
				port.Ignored = new(big.Int)
				if reference.care != nil {
					port.Ignored.AndNot(p.mask(), reference.care)
				}
				if reference.unknowns() {
					v.Unknown = reference.unknown
				}
			}
			columns = append([]column{{"vector", v}}, columns...)
		}
		f.Report.Columns = nil
		for _, c := range columns {
			f.Report.Columns = append(f.Report.Columns, c.name)
			port.Values = append(port.Values, c.value)
		}
		f.Report.Ports = append(f.Report.Ports, port)
	}
	return f
}

// differs is a failure in which the RTL differs from the model.
func (pl *player[I, O]) differs(row int, errs []error) *Failure {
	f := pl.failed(row, errs, nil)
	f.RTL = true
	var who []string
	for i, err := range errs {
		var diff *sim.Difference
		if !errors.As(err, &diff) || int(diff.Cycle-pl.first[i]-pl.done) != row {
			continue
		}
		if who == nil {
			f.Report.Wave = pl.wave(diff.Wave, i)
		}
		who = append(who, string(pl.duts[i].Simulator()))
		for _, n := range diff.Differing() {
			if !slices.Contains(f.Ports, n) {
				f.Ports = append(f.Ports, n)
			}
		}
	}
	if x, ok := pl.model.(interface{ Explain(I) string }); ok {
		f.Report.Note = pl.explain(row, x.Explain)
	}
	m := pl.marks[row]
	for _, name := range f.Ports {
		p := pl.d.port(name)
		columns := pl.columns(p, row, errs)
		problem := fmt.Sprintf("%s of the RTL is not what the model says (%s)", name, strings.Join(who, ", "))
		word, expected := m.step.first, ""
		for i := range m.expect {
			if m.expect[i].port == p {
				word, expected = m.expect[i].word, "the vector expects "+m.expect[i].word.Text+", "
			}
		}
		if word.Text == "" && len(m.step.line.Words) > 0 {
			word = m.step.line.Words[0]
		}
		e := pl.p.file.at(m.step.line.At, word.Column, utf8.RuneCountInString(word.Text), problem)
		e.Label = pl.when(row)
		e.Notes = []string{expected + values(p, columns)}
		f.Errors = append(f.Errors, e)
		if len(f.Errors) == 3 {
			break
		}
	}
	return f
}

// explain has the model say why the outputs of a row are due. For that it is played anew, as far as that is known.
func (pl *player[I, O]) explain(row int, explain func(I) string) string {
	if pl.done > 0 || !pl.marks[0].compared {
		return ""
	}
	pl.model.Reset()
	for i := range row {
		pl.model.Step(pl.in[i])
	}
	return explain(pl.in[row])
}

// values are who had which value, in words.
func values(p *Port, columns []column) string {
	var list []string
	for _, c := range columns {
		list = append(list, c.name+" "+p.sample(c.value))
	}
	return strings.Join(list, ", ")
}

// sample is a value as a cell would have it.
func (p *Port) sample(v report.Value) string {
	switch {
	case v.Bits == nil:
		return "-"
	case v.Unknown != nil && v.Unknown.Sign() != 0:
		if v.Unknown.Cmp(p.mask()) == 0 {
			return "x"
		}
		s := report.Signal{Name: p.Name, Width: p.Width, Format: report.Binary}
		return "0b" + s.Text(v)
	}
	return p.text(v.Bits)
}

// wrongCell is a failure in which the vector expects something else than there is.
func (pl *player[I, O]) wrongCell(row, which int) *Failure {
	m := pl.marks[row]
	c := &m.expect[which]
	p := pl.port(c)
	f := pl.failed(row, nil, c)
	f.Ports = []string{p.Name}
	if len(pl.duts) > 0 {
		f.Report.Wave = pl.wave(pl.duts[0].Recent(), 0)
	}
	columns := pl.columns(p, row, nil)
	is, same := "", true
	for i, col := range columns {
		if i > 0 && p.sample(col.value) != is {
			same = false
		}
		is = p.sample(col.value)
	}
	if c.fill {
		is = "?"
	}
	problem := fmt.Sprintf("%s is not %s", p.Name, c.word.Text)
	if same {
		problem = fmt.Sprintf("%s is %s, expected %s", p.Name, is, c.word.Text)
	}
	e := pl.p.file.at(m.step.line.At, c.word.Column, utf8.RuneCountInString(c.word.Text), problem)
	e.Label = pl.when(row)
	e.Notes = []string{values(p, columns)}
	if same && m.compared {
		e.Help = fmt.Sprintf("if they are right, write %s; cosimate vectors update --all %s does it", is, shellWord(pl.p.file.Name))
	}
	if m.step.cycles > 0 && !m.step.each {
		e.Notes = append(e.Notes, fmt.Sprintf("it was waited for for %d cycles", m.step.cycles))
	}
	f.Errors = Errors{e}
	return f
}
