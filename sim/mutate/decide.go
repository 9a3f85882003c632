package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/sim"
)

// decide gives the mutants that no recorded test has found a verdict. An error is that of one
// mutant, or of some that share a model: these are undecided.
func (r *runner) decide(ctx context.Context) error {
	for i := range r.results {
		if to := &r.results[i]; to.Verdict == "" && r.classes[i] == lanes.NoEffect {
			to.Verdict, to.Proof = Equivalent, byStructure
			r.keep(to)
		}
	}
	of := r.leaders(r.open())
	if len(of) == 0 {
		return nil
	}
	// Without the pins of mutants that the recordings find, Yosys makes smaller circuits: of the
	// link by a fifth. Induction takes less than half the time then. Those whose verdict is known
	// from an earlier run are left in: what is proved, and which inputs show a mutant, is then the
	// same with and without them.
	var left []Mutant
	for i := range r.results {
		if to := &r.results[i]; r.classes[i] != lanes.NoEffect && (to.Verdict != Found || to.By.tape == "") {
			left = append(left, to.Mutant)
		}
	}
	pins, err := pins(ctx, left)
	if err != nil {
		return err
	}
	err = r.decideOf(ctx, pins, of)
	r.share()
	if of := r.open(); err == nil && len(of) > 0 {
		err = r.decideOf(ctx, pins, of)
	}
	return err
}

// decideOf decides some mutants. If there are more of them than one model holds, all proofs in one
// cycle are made before anything else. What is left then fills fewer models, and the search, which
// takes minutes for each model of a large design, is not for what is proved in seconds.
func (r *runner) decideOf(ctx context.Context, pins *lanes.Pins, of []int) error {
	all := len(of)
	alone := all <= chunk
	if !alone {
		for part := range slices.Chunk(of, chunk) {
			if _, err := r.proverOf(ctx, pins, part, (*prover).step); err != nil {
				return err
			}
		}
		of = slices.DeleteFunc(slices.Clone(of), func(n int) bool { return r.results[n].Verdict != "" })
	}
	done := all - len(of)
	for part := range slices.Chunk(of, chunk) {
		p, err := r.proverOf(ctx, pins, part, func(p *prover, ctx context.Context) error {
			if alone {
				if err := p.step(ctx); err != nil {
					return err
				}
			}
			if err := p.search(ctx); err != nil {
				return err
			}
			return p.groups(ctx)
		})
		if err != nil {
			return err
		}
		if p == nil {
			done += len(part)
			continue
		}
		g := errgroup.Group{}
		g.SetLimit(r.jobs())
		todo := p.open()
		done += len(part) - len(todo)
		for _, i := range todo {
			g.Go(func() error {
				if ctx.Err() != nil {
					return nil
				}
				if err := p.prove(ctx, i); err != nil && ctx.Err() == nil {
					r.fail(part[i], err)
				}
				if to := &r.results[part[i]]; to.Verdict != "" {
					r.keep(to)
				}
				r.mu.Lock()
				done++
				n := done
				r.mu.Unlock()
				r.progress("decide", n, all)
				return nil
			})
		}
		g.Wait()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// proverOf makes a prover of some mutants and has it do something. If either fails, that is the
// verdict on those that have none, and it returns nil. Its error is that of the context.
func (r *runner) proverOf(ctx context.Context, pins *lanes.Pins, of []int, do func(*prover, context.Context) error) (*prover, error) {
	p, err := r.newProver(ctx, pins, of)
	if err == nil {
		err = do(p, ctx)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		return p, nil
	}
	for _, n := range of {
		if r.results[n].Verdict == "" {
			r.fail(n, err)
		}
	}
	return nil, nil
}

// open returns the numbers in list of the mutants that have no verdict.
func (p *prover) open() (all []int) {
	for i, n := range p.of {
		if p.r.results[n].Verdict == "" {
			all = append(all, i)
		}
	}
	return all
}

// jobs is how many models, tests or proofs run at a time.
func (r *runner) jobs() int {
	if r.o.Jobs > 0 {
		return r.o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// prover decides mutants that share a model.
type prover struct {
	r      *runner
	of     []int // numbers of results
	list   []Mutant
	model  *lanes.Model
	layout *bridge.Layout
	reset  int
	hints  *lanes.Hints // what was never seen of the design's registers
}

// resetCycles is for how many cycles the design is in reset after power-up.
func (r *runner) resetCycles() int {
	if r.o.Reset == 0 && r.target.design.Reset != "" {
		return sim.ResetRows(r.target.design)
	}
	return r.o.Reset
}

// newProver makes a prover of some mutants. All that are made have the same pins, and so the same
// states.
func (r *runner) newProver(ctx context.Context, pins *lanes.Pins, of []int) (*prover, error) {
	p := &prover{r: r, of: of, layout: r.report.layout, reset: r.resetCycles()}
	for _, i := range of {
		p.list = append(p.list, r.results[i].Mutant)
	}
	shape := func([]bridge.Port) (*bridge.Layout, error) { return p.layout, nil }
	m, loops, err := pins.Model(ctx, faults(p.list), lanes.BuildOptions{Shape: shape})
	if err != nil {
		return nil, err
	}
	for _, i := range loops {
		r.fail(of[i], errors.New("logic would depend on itself within a cycle, which lanes cannot play"))
	}
	p.model = m
	if r.hints == nil { // they are of the design, and so the same for all mutants
		var inputs []lanes.MiterInput
		if r.hints, err = m.Hints(p.miterOptions(0), func(of []lanes.MiterInput) *lanes.Runs {
			inputs, r.runs = of, p.played(of)
			return r.runs
		}); err != nil {
			return nil, err
		}
		r.progress("prove what holds in all states", 0, len(of))
		random := rand.New(rand.NewPCG(r.o.Seed, 23))
		r.further = nil // an earlier attempt may have failed
		for range furtherRuns {
			r.further = append(r.further, p.continued(inputs, nil, random))
		}
		if err := m.ProveHints(ctx, r.hints, p.miterOptions(0), slices.Values(r.further), r.o.Limit); err != nil {
			r.hints = nil
			return nil, err
		}
	}
	p.hints = r.hints
	return p, nil
}

// miterOptions say what a mutant is compared in.
func (p *prover) miterOptions(i int) lanes.MiterOptions {
	o := lanes.MiterOptions{On: lanes.FaultInput(i), Reset: p.reset, Valid: p.r.report.Valid}
	for k := range p.list {
		if k != i {
			o.Off = append(o.Off, lanes.FaultInput(k))
		}
	}
	return o
}

// stepped is how many mutants are proved in one cycle together. 64 of the block game, of 5 900
// LUTs, take about a second, and all processors have parts to prove.
const stepped = 64

// step proves that mutants change no register and no output in any single cycle. It takes a second
// for hundreds of them.
func (p *prover) step(ctx context.Context) error {
	of := p.open()
	var decided []*Result
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(p.r.jobs())
	for part := range slices.Chunk(of, stepped) {
		g.Go(func() error {
			by, err := p.stepOf(ctx, part)
			if err != nil {
				return err
			}
			p.r.mu.Lock()
			for k, i := range part {
				if to := &p.r.results[p.of[i]]; by[k] != "" {
					to.Verdict, to.Proof = Equivalent, by[k]
					decided = append(decided, to)
				}
			}
			now := len(decided)
			p.r.mu.Unlock()
			p.r.progress("prove in one cycle", now, len(of))
			return nil
		})
	}
	err := g.Wait()
	for _, to := range decided {
		p.r.keep(to)
	}
	return err
}

// stepOf returns for some mutants, which are numbers in list, how that was proved, or "".
func (p *prover) stepOf(ctx context.Context, of []int) ([]string, error) {
	o := lanes.MiterOptions{Reset: p.reset, Valid: p.r.report.Valid, Hints: p.hints}
	var on []string
	for i := range p.list {
		if input := lanes.FaultInput(i); slices.Contains(of, i) {
			on = append(on, input)
		} else {
			o.Off = append(o.Off, input)
		}
	}
	return p.model.Step(ctx, on, o, p.r.o.Limit)
}

// played is how many parts of what tests put in are played to see which states there are: all that
// are played at once.
const played = 64

// furtherRuns is how often as many parts are played to see that something is not always so.
const furtherRuns = 4

// played returns what tests put into the design, and random inputs, as inputs of a miter.
func (p *prover) played(inputs []lanes.MiterInput) *lanes.Runs {
	return p.continued(inputs, nil, rand.New(rand.NewPCG(p.r.o.Seed, 21)))
}

// continued returns runs that begin as one does, and go on with what tests put into the design, or
// with random inputs.
func (p *prover) continued(inputs []lanes.MiterInput, begin [][]bool, r *rand.Rand) *lanes.Runs {
	type from struct{ input, offset, bit int }
	var ports []from // inputs that are bits of ports
	for i, in := range inputs {
		k := slices.IndexFunc(p.layout.Inputs, func(q bridge.Port) bool { return q.Name == in.Port })
		if k >= 0 {
			ports = append(ports, from{i, p.layout.Inputs[k].Offset + in.Bit/8, in.Bit % 8})
		}
	}
	packed := (len(inputs) + 63) / 64
	var first [][]uint64
	for _, is := range begin {
		first = append(first, lanes.Pack(is))
	}
	var runs [][][]uint64
	for n := range played {
		rows := p.recorded(r)
		if rows == nil || n%8 == 7 {
			rows = p.random(r, sequence)
		}
		size := p.layout.InSize
		if begin != nil { // the reset is over
			rows = rows[min(p.reset*size, len(rows)):]
		}
		run := slices.Clone(first)
		for ; len(rows) >= size && size > 0; rows = rows[size:] {
			now := make([]uint64, packed) // random, but for ports
			for i := range now {
				now[i] = r.Uint64()
			}
			for _, f := range ports {
				now[f.input/64] &^= 1 << (f.input % 64)
				now[f.input/64] |= uint64(rows[f.offset]>>f.bit&1) << (f.input % 64)
			}
			run = append(run, now)
		}
		runs = append(runs, run)
	}
	return lanes.NewRuns(len(inputs), runs)
}

// How mutants are proved equivalent that change registers of no account.
const (
	byFollowing     = "the registers that change are followed, and change nothing else: "
	byFollowingOpen = "the registers that change are followed, and change nothing else, whatever others do: "
	byFollowingKept = "the registers that change are followed, and change nothing else, whatever all but a few others do: "
)

// following is for how many rounds registers are added that a mutant changes.
const following = 12

// mostConditions is how many conditions what was seen has at last.
const mostConditions = 3

// Which registers are what they are, where the rest may be anything: the fewer, the sooner it is
// known whether that is enough. Where a mutant can change few registers at all, there are more and
// wider ones: what a word of a queue never is follows from what is put into it.
var (
	kept  = []lanes.Keep{{}, {Bits: 64, Few: 5}, {Bits: 128, Few: 5}}
	wider = []lanes.Keep{{Bits: 128, Few: 5}, {Bits: 256, Few: 16}, {Bits: 512, Few: 64}}
)

// fewDiffer is how many states are all followed that a mutant can change, at most.
const fewDiffer = 64

// quick is for how long it is tried to prove a mutant with what is known already; quickOpen, while
// registers that it does not change may be anything.
const (
	quick     = 2 * time.Second
	quickOpen = 5 * time.Second
)

// atOnce begins how mutants of a cell were proved equivalent together.
const atOnce = "with any others of the same cell: "

// fewGroup is how many mutants of a cell are proved together, at least.
const fewGroup = 8

// groups proves mutants of the same cell equivalent together, such as those of a wide register that
// nobody reads until it is written anew. In the copy with the faults each of them may be there or
// not, in each cycle. Registers that none of them changes may be anything, but for a few bits: a
// proof with all of them takes minutes in a large design.
func (p *prover) groups(ctx context.Context) error {
	cells := map[string][]int{}
	var names []string
	for _, i := range p.open() {
		if p.r.results[p.of[i]].Witness == nil {
			cell := p.list[i].fault.Cell
			if cells[cell] == nil {
				names = append(names, cell)
			}
			cells[cell] = append(cells[cell], i)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(p.r.jobs())
	n := 0
	for _, name := range names {
		if len(cells[name]) < fewGroup {
			continue
		}
		g.Go(func() error {
			proved, err := p.group(ctx, cells[name])
			p.r.mu.Lock()
			n += proved
			now := n
			p.r.mu.Unlock()
			p.r.progress("prove those of a cell at once", now, len(p.of))
			return err
		})
	}
	return g.Wait()
}

// group proves mutants equivalent together, or those of a half of them, and returns how many.
// Smaller parts are not tried: in a large design each takes as long as a single mutant.
func (p *prover) group(ctx context.Context, of []int) (n int, err error) {
	for _, parts := range [][][]int{{of}, {of[:len(of)/2], of[len(of)/2:]}} {
		for _, part := range parts {
			by, err := p.proveGroup(ctx, part)
			if err != nil {
				return n, err
			}
			if by == "" {
				continue
			}
			for _, i := range part {
				to := &p.r.results[p.of[i]]
				to.Verdict, to.Proof = Equivalent, atOnce+by
				p.r.keep(to)
			}
			n += len(part)
		}
		if n > 0 {
			break
		}
	}
	return n, nil
}

// proveGroup returns how it was proved that no mutants of a group change anything, or "".
func (p *prover) proveGroup(ctx context.Context, of []int) (by string, err error) {
	o := lanes.MiterOptions{Reset: p.reset, Valid: p.r.report.Valid}
	for k := range p.list {
		if input := lanes.FaultInput(k); slices.Contains(of, k) {
			o.Any = append(o.Any, input)
		} else {
			o.Off = append(o.Off, input)
		}
	}
	// What follows takes seconds in a large design before a prover looks at ctx.
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	whole, err := p.model.Miter(o)
	if err != nil {
		return "", err
	}
	r := rand.New(rand.NewPCG(p.r.o.Seed, 24))
	apart := whole.Apart(p.hints)
	if apart.See(p.continued(whole.Inputs, nil, r)) != nil {
		return "", nil
	}
	proof, _, err := p.followOpen(ctx, o, whole, apart)
	if err != nil || proof.Answer != lanes.Equal {
		return "", err
	}
	return proof.By, nil
}

// flaggedLonger is how many times the limit a proof by flags may take: movegen takes seven rounds,
// of eight seconds each, validity 21, of half a second to half a minute.
const flaggedLonger = 40

// follow compares the design with a mutant where both share the registers that the mutant does not
// change. Which are apart is seen in what tests put in. At first the others may be anything. If
// that proves nothing, they may be anything in one cycle, and what becomes of the difference is
// followed for some. Then the copies may differ in all registers but while flags are set. Then the
// others are what they are. At last what was seen of them is proved with the rest, but not in a
// design so large that a single attempt takes longer than the limit. Where a prover finds a way in
// which another register changes, that one is added, and it is seen what happens behind it. With
// Different it returns a way to a difference in the outputs.
func (p *prover) follow(ctx context.Context, o lanes.MiterOptions, whole *lanes.Miter, apart *lanes.Apart, further iter.Seq[*lanes.Runs], left time.Duration) (*lanes.Proof, *lanes.Miter, error) {
	proof, m, err := p.followOpen(ctx, o, whole, apart)
	if err != nil || proof.Answer == lanes.Equal {
		return proof, m, err
	}
	left -= proof.Took
	o.Own = apart.States
	for _, o.Hints = range []*lanes.Hints{nil, p.hints} { // it is quicker without
		if proof, err = p.model.Transient(ctx, o, p.r.o.Limit); err != nil || proof.Answer == lanes.Equal {
			return proof, nil, err
		}
	}
	runs := slices.Concat([]*lanes.Runs{p.r.runs}, p.r.further)
	if proof, err = p.model.Flagged(ctx, o, slices.Values(runs), flaggedLonger*p.r.o.Limit); err != nil || proof.Answer == lanes.Equal {
		return proof, nil, err
	}
	o.Local, o.Own, o.Apart = true, apart.States, apart
	r := rand.New(rand.NewPCG(p.r.o.Seed, 22))
	o.Taken, o.Conditions = true, 1
	for range following {
		m, err := p.model.Miter(o)
		if err != nil {
			return nil, nil, err
		}
		limit := max(left, time.Second)
		if o.Taken || o.Conditions < mostConditions {
			limit = min(limit, quick)
		}
		proof, err := m.Prove(ctx, limit)
		if err != nil {
			return nil, nil, err
		}
		left -= proof.Took
		if proof.Answer == lanes.Unknown && o.Taken {
			// It takes a second to see more, and induction far longer to find out what is wrong of
			// what was seen.
			for runs := range further {
				if differ := apart.See(runs); differ != nil {
					return &lanes.Proof{Answer: lanes.Different, Inputs: differ}, whole, nil
				}
			}
			if proof.Took > p.r.o.Limit { // a large design: there would be no end
				break
			}
			o.Taken, o.Own = false, union(o.Own, apart.States)
			continue
		}
		if proof.Answer == lanes.Unknown && o.Conditions < mostConditions {
			o.Conditions = mostConditions
			continue
		}
		if proof.Answer != lanes.Different {
			if proof.By = byFollowing + proof.By; m.Same {
				proof.By = byStructure
			}
			return proof, m, nil
		}
		states, output, cycles := m.Changed(proof.Inputs)
		proof.Shortest, proof.Inputs = false, proof.Inputs[:cycles]
		if output {
			return proof, m, nil
		}
		if differ := apart.See(p.continued(whole.Inputs, proof.Inputs, r)); differ != nil {
			return &lanes.Proof{Answer: lanes.Different, Inputs: differ}, whole, nil
		}
		before := len(o.Own)
		o.Own = union(o.Own, slices.Concat(states, apart.States))
		if len(o.Own) == before || left <= 0 {
			break
		}
	}
	return &lanes.Proof{By: byFollowing + "no end"}, nil, nil
}

// followOpen is the part of follow in which registers that a mutant does not change may be
// anything, so that it takes no longer in a large design. It answers Equal or Unknown.
func (p *prover) followOpen(ctx context.Context, o lanes.MiterOptions, whole *lanes.Miter, apart *lanes.Apart) (*lanes.Proof, *lanes.Miter, error) {
	o.Local, o.Apart, o.Open = true, apart, true
	var took time.Duration
	var tried [][]byte
	for _, a := range p.openAttempts(whole, apart) {
		o.Own, o.Keep, o.Hints, o.Unassumed = a.own, a.keep, a.hints, a.unassumed
		m, err := p.model.Miter(o)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(tried, func(of []byte) bool { return bytes.Equal(of, m.AIGER) }) {
			continue // no more bits could be kept
		}
		tried = append(tried, m.AIGER)
		proof, err := m.Prove(ctx, quickOpen)
		if err != nil {
			return nil, nil, err
		}
		if proof.Answer == lanes.Equal {
			if a.keep.Bits == 0 {
				proof.By = byFollowingOpen + proof.By
			} else {
				proof.By = byFollowingKept + proof.By
			}
			return proof, m, nil
		}
		took += proof.Took
	}
	return &lanes.Proof{Took: took}, nil, nil
}

// openAttempt is an attempt to prove a mutant while registers that it does not change may be
// anything.
type openAttempt struct {
	own       []int // states
	keep      lanes.Keep
	hints     *lanes.Hints
	unassumed bool // also where something is not as the design assumes it to be
}

// openAttempts returns the attempts for a mutant, the quickest first. Where a mutant can change few
// registers at all, such as a bit of the words of a queue, all of these are followed at last. That
// is quicker without what is proved of others. What the design assumes comes last: most does not
// depend on it.
func (p *prover) openAttempts(whole *lanes.Miter, apart *lanes.Apart) (all []openAttempt) {
	if len(apart.States) > 0 {
		for _, keep := range kept {
			all = append(all, openAttempt{own: apart.States, keep: keep, hints: p.hints})
		}
	}
	if n := len(whole.MayDiffer); 0 < n && n <= fewDiffer {
		for _, keep := range wider {
			all = append(all, openAttempt{own: whole.MayDiffer, keep: keep})
		}
	}
	if len(p.model.Assumptions()) > 0 {
		assumed := slices.Clone(all)
		for i := range all {
			all[i].unassumed = true
		}
		all = append(all, assumed...)
	}
	return all
}

// union returns the states of both.
func union(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// prove decides a mutant. Nothing depends on it, or a prover says that it is equivalent, or inputs
// show that it is not. What a bounded search does not find is no proof.
func (p *prover) prove(ctx context.Context, i int) error {
	to := &p.r.results[p.of[i]]
	begin := time.Now()
	tried := func(by string) {
		to.Tried = append(to.Tried, fmt.Sprintf("%s, %v", by, time.Since(begin).Round(time.Second/10)))
		begin = time.Now()
	}
	proof, miter := &lanes.Proof{}, (*lanes.Miter)(nil)
	whole, err := p.model.Miter(p.miterOptions(i))
	if err != nil {
		return err
	}
	apart := whole.Apart(p.hints)
	if to.Witness == nil {
		if differ := apart.See(p.r.runs); differ != nil {
			if to.Witness, err = p.witness(ctx, i, p.rows(whole, differ)); err != nil {
				return err
			}
		}
	}
	if to.Witness == nil {
		if proof, miter, err = p.follow(ctx, p.miterOptions(i), whole, apart, slices.Values(p.r.further), p.r.o.Limit); err != nil {
			return err
		}
		if proof.Answer == lanes.Unknown {
			tried(proof.By)
		}
	}
	if to.Witness == nil && proof.Answer == lanes.Unknown || to.Witness != nil && whole.Few() {
		miter = whole
		if proof, err = whole.Prove(ctx, p.r.o.Limit); err != nil {
			return err
		}
		if proof.Answer == lanes.Unknown && to.Witness == nil {
			tried(proof.By)
		}
	}
	if proof.Answer == lanes.Equal {
		if to.Witness != nil {
			return fmt.Errorf("inputs show a difference, and it is proved that there is none (%s): this is a fault of Cosimate", proof.By)
		}
		to.Verdict, to.Proof, to.Tried = Equivalent, proof.By, nil
		return nil
	}
	if proof.Answer == lanes.Different {
		if err := p.shown(ctx, i, miter, proof); err != nil {
			return err
		}
	}
	if to.Witness == nil || !to.Witness.Shortest {
		// How few cycles show it?
		begin = time.Now()
		found, err := whole.Shortest(ctx, min(p.r.o.Limit/4, 5*time.Second))
		if err != nil {
			return err
		}
		if found.Answer == lanes.Different {
			if err := p.shown(ctx, i, whole, found); err != nil {
				return err
			}
		} else {
			tried(found.By)
		}
	}
	if to.Witness != nil {
		return p.confirm(ctx, to)
	}
	to.Verdict = Undecided
	to.Tried = append(to.Tried, fmt.Sprintf("%d random cycles", searched))
	return nil
}

// shown notes the inputs of a prover that show a mutant, if lanes agree that they do.
func (p *prover) shown(ctx context.Context, i int, m *lanes.Miter, proof *lanes.Proof) error {
	to := &p.r.results[p.of[i]]
	w, err := p.witness(ctx, i, p.rows(m, proof.Inputs))
	switch {
	case err != nil:
		return err
	case w != nil && (proof.Shortest || to.Witness == nil || len(w.Rows) < len(to.Witness.Rows)):
		to.Witness, w.Shortest = w, proof.Shortest
	case w == nil && to.Witness != nil:
	case w == nil && m.Exact && slices.ContainsFunc(m.Inputs, func(in lanes.MiterInput) bool { return in.Port == "" }):
		to.Tried = append(to.Tried, "they differ only with some values of registers at power-up, which no test can choose")
	case w == nil && m.Exact:
		return errors.New("lanes show no difference with the inputs of a prover: this is a fault of Cosimate")
	case w == nil:
		to.Tried = append(to.Tried, "they differ only if memories held other words")
	}
	return nil
}

// confirm runs the tests with a mutant that no comparison of theirs has found: there are other
// checks. It is missed if they pass.
func (p *prover) confirm(ctx context.Context, to *Result) error {
	if p.r.o.Confirm != nil {
		test, pkg, err := p.r.o.Confirm(ctx, &Subject{p.r.target.key, &to.Mutant, *to.design})
		if err != nil {
			return fmt.Errorf("the tests with it in Verilator: %w", err)
		}
		if test != "" {
			to.Verdict, to.By, to.Witness, to.Tried = Found, &found{Test: test, Package: pkg, Design: p.r.target.key}, nil, nil
			return nil
		}
	}
	to.Verdict, to.Tried = Missed, nil
	return nil
}

// rows makes rows of a prover's inputs.
func (p *prover) rows(m *lanes.Miter, cycles [][]bool) []byte {
	size := p.layout.InSize
	rows := make([]byte, len(cycles)*size)
	for t, bits := range cycles {
		row := rows[t*size : (t+1)*size]
		for i, in := range m.Inputs {
			if !bits[i] || in.Port == "" {
				continue
			}
			for k := range p.layout.Inputs {
				if q := &p.layout.Inputs[k]; q.Name == in.Port {
					row[q.Offset+in.Bit/8] |= 1 << (in.Bit % 8)
				}
			}
		}
		if t < p.reset {
			p.hold(row, true)
		}
	}
	return rows
}

// hold sets the reset of a row.
func (p *prover) hold(row []byte, active bool) {
	d := &p.r.target.design
	for k := range p.layout.Inputs {
		if q := &p.layout.Inputs[k]; q.Name == d.Reset && d.Reset != "" {
			row[q.Offset] = 0
			if active != d.ResetActiveLow {
				row[q.Offset] = 1
			}
		}
	}
}
