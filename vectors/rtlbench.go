package vectors

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/lockstep"
	"github.com/cosimate/cosimate/sim/report"
)

// rowBench is the bench of RTL that a header names. Inputs and outputs are rows of bytes, as no Go
// struct is there for them. Each vector has instances of its own, because nothing is known of what
// a reset of this RTL leaves as it was.
type rowBench struct {
	d     *design
	model *lockstep.Model
	slots []bridge.Port // where the design's ports are in a row
	lines []string      // the internal signals that are kept
	c     config
	opts  []sim.Option
}

func newRowBench(ctx context.Context, d *design, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
	if len(sims) == 0 {
		return nil, fmt.Errorf("%s has no model in Go: a vector whose header names RTL needs a simulator", d.name)
	}
	o := lockstep.Options{Seed: c.seed, Waves: c.waves}
	o.Logger, o.Timeout = sim.Chosen(opts...)
	rtl := d.rtl(c)
	m, err := d.foreign.build(ctx, rtl, sims, o)
	if err != nil {
		return nil, err
	}
	b := &rowBench{d: d, model: m, c: c, lines: rtl.Internals, opts: opts}
	l := m.Layout()
	all := slices.Concat(l.Inputs, l.Outputs)
	for i := range d.ports {
		p := &d.ports[i]
		k := slices.IndexFunc(all, func(q bridge.Port) bool { return q.Name == p.Name && q.Width == p.Width })
		if k < 0 {
			return nil, fmt.Errorf("port %s of %s has changed since the vector was read: run it again", p.span(), d.name)
		}
		b.slots = append(b.slots, all[k])
	}
	return b, nil
}

func (b *rowBench) Close() error { return nil }

// put writes a value into a row of inputs.
func put(row []byte, p *bridge.Port, v *big.Int) {
	to := row[p.Offset : p.Offset+p.Size]
	v.FillBytes(to)
	slices.Reverse(to)
}

// get reads a value from a row, and its unknown bits, nil if there are none.
func get(row, unknown []byte, p *bridge.Port) (bits, hidden *big.Int) {
	v := lockstep.Value(p, row, unknown)
	if v.Unknown != nil {
		// A bit that is Z reads as 1.
		v.Bits.AndNot(v.Bits, v.Unknown)
	}
	return v.Bits, v.Unknown
}

// random returns the inputs of random cycles, by port.
func (b *rowBench) random(seed uint64, cycles int) (rows [][]*big.Int) {
	r := rand.New(rand.NewPCG(seed, 0))
	now := map[string]*big.Int{}
	for range cycles {
		var row []*big.Int
		for i := range b.d.ports {
			p := &b.d.ports[i]
			if !p.Input {
				continue
			}
			switch {
			case p.Name == b.d.reset: // seldom
				now[p.Name] = new(big.Int).Xor(b.d.resetActive, one)
				if r.IntN(200) == 0 {
					now[p.Name] = b.d.resetActive
				}
			case now[p.Name] == nil || r.IntN(3) == 0:
				now[p.Name] = randomBits(r, p.Width)
			}
			row = append(row, now[p.Name])
		}
		rows = append(rows, row)
	}
	return rows
}

// randomBits returns a random number of so many bits.
func randomBits(r *rand.Rand, width int) *big.Int {
	bits := new(big.Int)
	for range (width + 63) / 64 {
		bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(r.Uint64()))
	}
	return bits.Rsh(bits, uint((width+63)/64*64-width))
}

// play plays a vector on instances of its own.
func (b *rowBench) play(ctx context.Context, p *plan, o playOptions) (uint64, *Failure, error) {
	bench, err := b.model.Start(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer bench.Close()
	pl := &rowPlayer{rowBench: b, bench: bench, ctx: ctx, p: p, o: o, in: make([]byte, bench.Layout().InSize)}
	if err := pl.record(); err != nil {
		return 0, nil, err
	}
	n, f, err := pl.all()
	if failed := pl.recorder.Close(); err == nil {
		err = failed
	}
	return n, f, err
}

// all plays the vector.
func (pl *rowPlayer) all() (uint64, *Failure, error) {
	b, p, bench := pl.rowBench, pl.p, pl.bench
	var err error
	pl.tape = make([]byte, 0, bench.Most()*len(pl.in))
	if err := pl.idle(); err != nil {
		return 0, nil, err
	}
	if r := b.d.port(b.d.reset); r != nil {
		pl.set(r, new(big.Int).Xor(b.d.resetActive, one))
		if err := pl.holdReset(r); err != nil {
			return 0, nil, err
		}
	}
	pl.first = bench.Cycle()
	if p.model != nil {
		if pl.process, err = startModel(pl.ctx, p, b.d, b.c.modelTimeout); err != nil {
			return 0, nil, err
		}
		defer pl.process.close()
	}
	if err = pl.watched(); err != nil {
	} else if len(p.agents) > 0 {
		err = pl.withAgents()
	} else {
		err = pl.steps()
		if ended := pl.flush(); err == nil { // what is found in the cycles left comes before an error
			err = ended
		}
	}
	if pl.err == nil && pl.failure == nil && err != nil && !errors.Is(err, errStop) {
		pl.failure = pl.refused(err)
	}
	if pl.failure != nil {
		if pl.agents != nil && pl.failure.Report.Transactions == nil {
			pl.agents.tell(pl.failure, pl.agents.rows.Transactions())
		}
		pl.failure.first, pl.failure.shift = pl.first, pl.shift
	}
	return pl.cycle(), pl.failure, pl.err
}

// rowPlayer is a run of a vector for RTL that its header names.
type rowPlayer struct {
	*rowBench
	bench *lockstep.Bench
	ctx   context.Context
	p     *plan
	o     playOptions

	in      []byte // inputs of the coming cycle
	tape    []byte // rows that wait to be played
	marks   []mark // their places
	peeked  [][]map[string]bridge.Value
	names   []string            // internal signals that are read in each cycle
	words   map[string][]string // of memories among them
	process *process            // the reference model
	agents  *agents             // nil: there are none
	first   uint64              // the bench's cycle at the vector's first
	shift   time.Duration       // its time
	done    uint64              // cycles played
	last    int                 // the row of the last cycle in the bench's outputs
	failure *Failure
	err     error // an error of the tools

	recorder *sim.Recorder // of what is put in and expected; nil if nobody wants it
	recorded int           // the simulator of which it is

	step  *step
	rep   int
	bound uint64 // the cycle at which the statement is late
}

// Cycle returns the number of the coming cycle. The vector's first is 0.
func (pl *rowPlayer) cycle() uint64 { return pl.done + uint64(len(pl.marks)) }

func (pl *rowPlayer) set(p *Port, v *big.Int) { put(pl.in, &pl.slots[p.field], v) }

func (pl *rowPlayer) input(p *Port) *big.Int {
	v, _ := get(pl.in, nil, &pl.slots[p.field])
	return v
}

// output returns an output of the last cycle in a simulator. Cycles that wait are played before.
func (pl *rowPlayer) output(p *Port, simulator int) (bits, unknown *big.Int) {
	out, hidden := pl.bench.Outputs(simulator, pl.last)
	return get(out, hidden, &pl.slots[p.field])
}

// holdReset holds the reset before the vector's first cycle, with all other inputs 0.
func (pl *rowPlayer) holdReset(r *Port) error {
	if pl.p.reset == 0 {
		return nil
	}
	row := slices.Clone(pl.in)
	put(row, &pl.slots[r.field], pl.d.resetActive)
	tape := slices.Repeat(row, pl.p.reset)
	pl.last = pl.p.reset - 1
	_, err := pl.bench.Play(tape, pl.p.reset)
	if err == nil {
		pl.recordReset(tape, pl.p.reset)
	}
	if _, ok := errors.AsType[*lockstep.Difference](err); ok {
		err = nil
	}
	return err
}

// steps plays all rows and statements.
func (pl *rowPlayer) steps() error {
	for i := range pl.p.steps {
		s := &pl.p.steps[i]
		pl.step, pl.rep = s, 0
		pl.bound = pl.cycle() + defaultBound
		if s.cycles > 0 && (s.op == "act" || s.op == "expect") {
			pl.bound = pl.cycle() + uint64(s.cycles)
		}
		if err := pl.do(s); err != nil {
			return err
		}
	}
	return nil
}

// do plays a row or a statement.
func (pl *rowPlayer) do(s *step) error {
	for i := range s.drive {
		pl.set(s.drive[i].port, s.drive[i].lo)
	}
	switch s.op {
	case "row":
		return pl.row(s)
	case "wait":
		return pl.wait(s.cycles)
	case "reset":
		r := pl.d.port(pl.d.reset)
		pl.set(r, pl.d.resetActive)
		err := pl.wait(s.cycles)
		pl.set(r, new(big.Int).Xor(pl.d.resetActive, one))
		return err
	case "expect":
		return pl.expect(s)
	case "act":
		return s.act(pl)
	}
	return nil
}

func (pl *rowPlayer) wait(cycles int) error {
	for range cycles {
		if err := pl.play1(nil); err != nil {
			return err
		}
	}
	return nil
}

// row plays the cycles of a row.
func (pl *rowPlayer) row(s *step) error {
	var span *cell
	for i := range s.drive {
		if s.drive[i].lo.Cmp(s.drive[i].hi) != 0 {
			span = &s.drive[i]
		}
	}
	for range s.repeat {
		for k := range s.steps() {
			if span != nil {
				pl.set(span.port, new(big.Int).Add(span.lo, big.NewInt(int64(k))))
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
func (pl *rowPlayer) expect(s *step) error {
	if s.cycles == 0 || s.each {
		for range max(s.cycles, 1) {
			if err := pl.play1(s.expect); err != nil {
				return err
			}
			pl.rep++
		}
		return nil
	}
	if err := pl.flush(); err != nil {
		return err
	}
	for pl.cycle()+1 < pl.bound {
		if err := pl.step1(); err != nil {
			return err
		}
		if pl.wrong(pl.last, s.expect) < 0 {
			return nil
		}
	}
	return pl.play1(s.expect) // the last cycle, which fails if a value is still wrong
}

// step1 plays one cycle at once, so that its outputs can be looked at.
func (pl *rowPlayer) step1() error {
	if err := pl.play1(nil); err != nil {
		return err
	}
	return pl.flush()
}

// wrong returns the index of the first cell that a row's outputs do not meet in some simulator, or
// -1.
func (pl *rowPlayer) wrong(row int, expect []cell) int {
	for i := range expect {
		c := &expect[i]
		for k, s := range pl.bench.Simulators() {
			out, hidden := pl.bench.Outputs(k, row)
			bits, unknown := get(out, hidden, &pl.slots[c.port.field])
			if unknown == nil && s == sim.Icarus {
				unknown = new(big.Int)
			}
			if !c.holds(c.port, bits, unknown) {
				return i
			}
		}
	}
	return -1
}

// play1 has one cycle played with the present inputs, now or with others later.
func (pl *rowPlayer) play1(expect []cell) error {
	if pl.failure != nil || pl.err != nil {
		return errStop
	}
	if err := pl.enough(); err != nil {
		return err
	}
	m := mark{pl.step, pl.rep, expect, true}
	if pl.agents != nil {
		return pl.agents.play(m)
	}
	return pl.add(m, len(pl.names) > 0)
}

// enough returns an error if no more cycles are wanted.
func (pl *rowPlayer) enough() error {
	if pl.o.limit > 0 && pl.cycle() >= pl.o.limit {
		return &lateError{"the run is long enough", true}
	}
	return nil
}

// add adds a cycle with the present inputs to those that wait, which it plays if the cycle is needed
// now or there are many.
func (pl *rowPlayer) add(m mark, now bool) error {
	if len(pl.names) > 0 {
		if err := pl.look(); err != nil {
			return err
		}
	}
	pl.tape = append(pl.tape, pl.in...)
	pl.marks = append(pl.marks, m)
	if now || len(pl.marks) == pl.bench.Most() {
		return pl.flush()
	}
	return nil
}

// look reads the internal signals that are needed in each cycle.
func (pl *rowPlayer) look() error {
	if err := pl.settle(); err != nil {
		return err
	}
	var all []map[string]bridge.Value
	for i := range pl.bench.Simulators() {
		values := map[string]bridge.Value{}
		for _, n := range pl.names {
			v, err := pl.bench.Instance(i).Peek(n)
			if err != nil {
				pl.err = err
				return errStop
			}
			values[n] = v
		}
		all = append(all, values)
	}
	pl.peeked = append(pl.peeked, all)
	return nil
}

// settle applies the present inputs after the cycles that wait.
func (pl *rowPlayer) settle() error {
	if err := pl.flush(); err != nil {
		return err
	}
	if pl.err = pl.bench.Settle(pl.in); pl.err != nil {
		return errStop
	}
	return nil
}

// flush plays the cycles that wait, and finds the first that is wrong.
func (pl *rowPlayer) flush() error {
	n := len(pl.marks)
	if n == 0 {
		if pl.failure != nil || pl.err != nil {
			return errStop
		}
		return nil
	}
	agreed, err := pl.bench.Play(pl.tape, n)
	if err != nil {
		pl.recorder.Break("the run has ended here: " + err.Error())
	}
	var model []modelRow
	if pl.process != nil {
		var wrong error
		if model, wrong = pl.process.rows(pl.tape[:agreed*len(pl.in)], agreed, pl.slots); wrong != nil {
			pl.err = fmt.Errorf("%s:%d: %w", pl.p.file.Name, pl.p.file.value("model").At, wrong)
			agreed = len(model)
		}
	}
	for row := range agreed {
		pl.recordRow(row, model)
		if pl.failure = pl.check(row, model); pl.failure != nil {
			pl.err = nil
			pl.trace(row + 1)
			pl.done, pl.marks = pl.done+uint64(row)+1, nil
			return errStop
		}
	}
	pl.trace(agreed)
	pl.last = n - 1
	if pl.err != nil {
		return errStop
	}
	if err != nil {
		pl.done += uint64(agreed)
		pl.marks = pl.marks[agreed:]
		pl.failure, pl.err = pl.ended(agreed, err)
		if pl.failure != nil {
			pl.traceFailed(agreed)
			pl.done++
		}
		pl.marks = nil
		return errStop
	}
	pl.done += uint64(n)
	pl.tape, pl.marks, pl.peeked = pl.tape[:0], pl.marks[:0], pl.peeked[:0]
	return nil
}

// check returns what is wrong with a row in which the simulators agree, or nil.
func (pl *rowPlayer) check(row int, model []modelRow) *Failure {
	if model != nil {
		if f := pl.unlike(row, model[row]); f != nil {
			return f
		}
	}
	for i := range pl.p.always {
		if f := pl.violated(row, &pl.p.always[i]); f != nil {
			return f
		}
	}
	if pl.o.ignore {
		return nil
	}
	if i := pl.wrong(row, pl.marks[row].expect); i >= 0 {
		return pl.wrongCell(row, i)
	}
	return nil
}

// trace calls playOptions.trace with the first n cycles of those that were played.
func (pl *rowPlayer) trace(n int) {
	if pl.o.trace == nil {
		return
	}
	for i := range n {
		pl.o.trace(pl.traced(i))
	}
}

// traceFailed is trace for the row that ended the run.
func (pl *rowPlayer) traceFailed(row int) {
	if pl.o.trace == nil || len(pl.marks) == 0 {
		return
	}
	t := &traced{step: pl.marks[0].step, rep: pl.marks[0].rep}
	for k := range pl.d.ports {
		if p := &pl.d.ports[k]; p.Input {
			v, _ := get(pl.tape[row*len(pl.in):], nil, &pl.slots[k])
			t.values = append(t.values, v)
		} else {
			t.values, t.ignored = append(t.values, new(big.Int)), append(t.ignored, p.mask())
		}
	}
	pl.o.trace(t)
}

func (pl *rowPlayer) traced(row int) *traced {
	m := pl.marks[row]
	t := &traced{step: m.step, rep: m.rep, expect: m.expect, failing: pl.wrong(row, m.expect) >= 0}
	for k := range pl.d.ports {
		p := &pl.d.ports[k]
		if p.Input {
			v, _ := get(pl.tape[row*len(pl.in):], nil, &pl.slots[k])
			t.values = append(t.values, v)
			continue
		}
		out, hidden := pl.bench.Outputs(0, row)
		v, unknown := get(out, hidden, &pl.slots[k])
		if unknown == nil {
			unknown = new(big.Int)
		}
		t.values, t.ignored = append(t.values, v), append(t.ignored, unknown)
	}
	return t
}

// columns returns the values of an output in a row.
func (pl *rowPlayer) columns(p *Port, row int) (columns []column) {
	for i, s := range pl.bench.Simulators() {
		out, unknown := pl.bench.Outputs(i, row)
		columns = append(columns, column{string(s), lockstep.Value(&pl.slots[p.field], out, unknown)})
	}
	return columns
}

// at returns the time of the rising edge at the end of a cycle.
func (pl *rowPlayer) at(cycle uint64) time.Duration {
	if clocks := pl.d.foreign.clocks; len(clocks) > 1 {
		return bridge.NewSchedule(clocks).Instant(pl.first+cycle) - bridge.NewSchedule(clocks).Instant(pl.first) + pl.p.period/2
	}
	return time.Duration(cycle)*pl.p.period + pl.p.period/2
}

// report returns the report of a row, with cycles counted from the vector's first.
func (pl *rowPlayer) report(row int) report.Failure {
	f := pl.bench.Report(row)
	f.Cycle = pl.done + uint64(row)
	f.At, f.Seed, f.Reproduce = pl.at(f.Cycle), pl.p.seed, pl.p.reproduce()
	f.Wave = pl.wave(f.Cycle)
	for i := range f.Ports {
		f.Ports[i].Signed = pl.d.port(f.Ports[i].Name).Signed
	}
	return f
}

// wave returns the last cycles up to one, counted from the vector's first.
func (pl *rowPlayer) wave(cycle uint64) report.Wave {
	if cycle >= pl.done && pl.first+cycle+1 < pl.bench.Cycle() { // more has been played since
		pl.bench.Recall(pl.tape, pl.first+pl.done, int(cycle-pl.done))
	}
	w := pl.bench.WaveTo(pl.first + cycle)
	from := 0
	for from < len(w.Cycles) && w.Cycles[from] < pl.first {
		from++
	}
	w.Cycles, w.Times = w.Cycles[from:], w.Times[from:]
	for i := range w.Cycles {
		w.Cycles[i] -= pl.first
		at := pl.at(w.Cycles[i])
		w.Times[i], pl.shift = at, w.Times[i]-at
	}
	for i := range w.Traces {
		w.Traces[i].Values = w.Traces[i].Values[from:]
	}
	for i := range w.Clocks {
		if w.Clocks[i].Rises != nil {
			w.Clocks[i].Rises = w.Clocks[i].Rises[from:]
		}
	}
	return few(w)
}
