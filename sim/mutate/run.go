// Package mutate finds out which faults of a design its tests do not find. It enumerates single
// changes of the RTL, the mutants: of bits of the netlist, and of operators, constants, conditions,
// cases and assignments of the source. It gives each a verdict:
//
//   - found: a test fails with it, and is named with the cycle;
//   - equivalent: it changes no output that counts, ever, which is proved without a bound;
//   - missed: it changes an output, and no test fails. A stimulus shows it, the shortest if
//     that can be proved;
//   - undecided: none of this was found out in time.
//
// The tests run once, with flags that record what they put into the design and what they expect.
// The recording is played to 511 mutants at a time, by package bridge/lanes. Only what is left
// after that needs provers, or is run as an ordinary test.
package mutate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// Verdict is what was found out about a mutant.
type Verdict string

// The verdicts. An empty one is no verdict yet.
const (
	Found      Verdict = "found"
	Equivalent Verdict = "equivalent"
	Missed     Verdict = "missed"
	Undecided  Verdict = "undecided"
)

// Result is a mutant and its verdict.
type Result struct {
	Mutant
	Verdict Verdict
	By      *found   `json:",omitempty"` // who found it
	Proof   string   `json:",omitempty"` // how it was proved equivalent
	Witness *Witness `json:",omitempty"` // what shows that it is not
	Tried   []string `json:",omitempty"` // for an undecided one: each method, and how long

	failed bool    // undecided because of an error
	in     *Mutant // what was played when it was found in this run: of the design of By
}

// Witness is a stimulus after a reset in whose last cycle a mutant's outputs differ.
type Witness struct {
	Inputs   []string   // ports
	Rows     [][]string // values of a cycle, in hexadecimal
	Shortest bool       // proved: there is none of fewer cycles
	Outputs  []string   // ports
	Want     [][]string // their values in the same cycles
	Got      [][]string // and with the mutant
}

// Options are the choices of a run.
type Options struct {
	Top    string            // the module; "": that with the most rows
	Params map[string]string // the configuration whose mutants are listed; nil: that with the most rows
	// In is a file, or a folder with all below: only the mutants of the sources there are decided.
	// A design may contain blocks that have tests of their own. "": of all.
	In    string
	Most  int // mutants, at most; 0: [Most]
	Seed  uint64
	Reset int           // cycles in reset after power-up; 0: as package sim does
	Limit time.Duration // of the processor, for a proof of a mutant; 0: 20 s
	Jobs  int           // models and proofs at a time; 0: the number of processors
	// Confirm runs the tests with a mutant that none of their comparisons has found, and returns
	// which of them fails, or "". Nil: they are not run.
	Confirm func(ctx context.Context, s *Subject) (test, pkg string, err error)
	// Store is a folder in which verdicts are kept for later runs, or "".
	Store string
	// Tests stands for the tests' own text: verdicts that follow from more than what was recorded
	// are not kept longer than this is the same.
	Tests string
	// Valid says when outputs count: see [lanes.MiterOptions]. Nil: what was recorded shows it.
	Valid map[string]string
	// Progress is called now and then, by one goroutine at a time. A unit is "mutants" or "cycles".
	Progress func(stage, unit string, done, of int)

	without string // a test whose recording is left out; nothing is proved then
}

// Report is what a run has found out.
type Report struct {
	Design   string // top module and parameters
	Key      string // of the design
	Size     string
	In       string // see [Options.In]
	All      int    // how many mutants there are, there
	Results  []Result
	Stimuli  int // rows
	Compared int // of these
	Valid    map[string]string
	Assumed  []string // where the design assumes something: "folder/file.sv:12"
	Notes    []string
	Known    int  // verdicts of an earlier run
	Stopped  bool // before all was decided
	Took     time.Duration

	layout *bridge.Layout
	design bridge.Design
}

// enumerate lists mutants of a design: [List], or [listSource].
type enumerate func(ctx context.Context, d bridge.Design) ([]Mutant, error)

type runner struct {
	o       Options
	mu      sync.Mutex
	results []Result // of the mutants that list has returned
	report  *Report
	target  *configuration
	others  []*configuration
	parts   []*configuration // modules that the target contains
	cells   *cells           // of the target, as soon as a part is played
	list    enumerate
	classes []int // of the results: see [lanes.Pins.Classes]
	store   *store
	hints   *lanes.Hints  // of the target, as soon as one is decided
	runs    *lanes.Runs   // from which they are
	further []*lanes.Runs // in which it is seen what of that is wrong
}

// fail makes a mutant undecided that cannot be decided because of an error.
func (r *runner) fail(n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	to := &r.results[n]
	to.Verdict, to.failed = Undecided, true
	to.Tried = append(to.Tried, "error: "+strings.TrimSpace(err.Error()))
}

// progress says how many mutants are done in a stage.
func (r *runner) progress(stage string, done, of int) { r.progressOf(stage, "mutants", done, of) }

func (r *runner) progressOf(stage, unit string, done, of int) {
	if r.o.Progress != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.o.Progress(stage, unit, done, of)
	}
}

func parameters(d bridge.Design) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(d.Params)) {
		all = append(all, k+"="+d.Params[k])
	}
	return strings.Join(all, " ")
}

// Run decides the mutants of a design whose tests were recorded. When the context is done, it
// returns what is known by then.
func Run(ctx context.Context, sources []Source, o Options) (*Report, error) {
	begin := time.Now()
	if o.Most == 0 {
		o.Most = Most
	}
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	rec, err := read(sources, o.Top)
	if err != nil {
		return nil, err
	}
	r := &runner{o: o, report: &Report{}}
	for _, c := range rec.configurations {
		if r.target == nil && (o.Params == nil || maps.Equal(o.Params, c.design.Params)) {
			r.target = c
		} else {
			r.others = append(r.others, c)
		}
	}
	if r.target == nil {
		return nil, fmt.Errorf("no test has put anything into %s with these parameters; %d other configurations were recorded", rec.configurations[0].design.Top, len(r.others))
	}
	if r.parts, err = rec.parts(ctx, sources, r.target.design); err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.report.Notes = rec.notes
	if o.without != "" {
		leaveOut(slices.Concat(rec.configurations, r.parts), o.without)
	}
	if err := r.run(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	rep := r.report
	slices.SortStableFunc(rep.Results, func(a, b Result) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	for i := range rep.Results {
		rep.Results[i].ID = i + 1
	}
	rep.Stopped, rep.Took = ctx.Err() != nil, time.Since(begin)
	return rep, nil
}

func (r *runner) run(ctx context.Context) error {
	rep, d := r.report, r.target.design
	rep.Design, rep.Key, rep.design = r.name(r.target), r.target.key, d
	if err := r.checkIn(); err != nil {
		return err
	}
	rep.In = r.o.In
	configurations := append([]*configuration{r.target}, r.others...)
	for _, c := range slices.Concat(configurations, r.parts) {
		for _, x := range c.all {
			rep.Stimuli += x.cycles
			rep.Compared += x.compared
		}
	}
	m, err := lanes.Build(ctx, d, lanes.BuildOptions{})
	if err != nil {
		return err
	}
	rep.Size, rep.layout, rep.Assumed = m.Size(), m.Layout(), m.Assumptions()
	if rep.Valid = r.o.Valid; rep.Valid == nil {
		var notes []string
		rep.Valid, notes = valid(configurations)
		r.note(notes...)
	}
	for _, list := range []enumerate{List, r.listSource} {
		r.list, r.results, r.classes, r.hints, r.runs, r.further = list, nil, nil, nil, nil, nil
		err := r.level(ctx, slices.Concat(configurations, r.parts))
		rep.Results = append(rep.Results, r.results...)
		if err != nil {
			return err
		}
	}
	return nil
}

// level decides the mutants of the netlist, or those of the source.
func (r *runner) level(ctx context.Context, configurations []*configuration) error {
	rep := r.report
	list, err := r.list(ctx, r.target.design)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m Mutant) bool { return !r.isIn(m.File) })
	if len(list) == 0 {
		return nil
	}
	rep.All += len(list)
	list = draw(list, r.o.Most, r.o.Seed)
	for _, m := range list {
		r.results = append(r.results, Result{Mutant: m})
	}
	if r.target.pins, err = pins(ctx, list); err != nil {
		return err
	}
	r.classes = r.target.pins.Classes(faults(list))
	r.recall(configurations)
	defer func() { r.store.close() }()
	r.share()
	for _, c := range configurations {
		mutants, of, err := r.corresponding(ctx, c)
		if err == nil && len(of) > 0 {
			var notes []string
			notes, err = c.check(ctx, r.jobs(), func(done, of int) {
				r.progressOf("check what was recorded of "+r.name(c), "cycles", done, of)
			})
			r.note(notes...)
		}
		switch {
		case ctx.Err() != nil:
			return err
		case err != nil && c == r.target:
			return err
		case err != nil:
			r.note(fmt.Sprintf("%s: what was recorded of it is not used: %v", r.name(c), err))
			continue
		}
		if len(c.instances) > 0 && len(of) > 0 {
			r.note(fmt.Sprintf("%s has tests of its own: what they find is found in %s", r.name(c), instancesText(c.instances)))
		}
		err = r.replay(ctx, c, mutants, of)
		r.share()
		if err != nil {
			return err
		}
	}
	if r.o.without != "" {
		return nil
	}
	return r.decide(ctx)
}

// isIn reports whether the mutants of a source are decided.
func (r *runner) isIn(file string) bool {
	in := path.Clean(r.o.In)
	return r.o.In == "" || file == in || strings.HasPrefix(file, in+"/")
}

// checkIn says that no source of the design is where mutants are to be decided.
func (r *runner) checkIn() error {
	sources, err := r.target.design.Sources()
	if err != nil {
		return err
	}
	var folders []string
	for _, s := range sources {
		if r.isIn(s.Name) {
			return nil
		}
		if dir := path.Dir(s.Name); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return fmt.Errorf("%s has no source in %s: they are in %s", r.target.design.Top, r.o.In, strings.Join(folders, ", "))
}

// note adds notes to the report that it does not have.
func (r *runner) note(all ...string) {
	for _, n := range all {
		if !slices.Contains(r.report.Notes, n) {
			r.report.Notes = append(r.report.Notes, n)
		}
	}
}

// open returns the numbers of the results that have no verdict.
func (r *runner) open() (all []int) {
	for i := range r.results {
		if r.results[i].Verdict == "" {
			all = append(all, i)
		}
	}
	return all
}

// corresponding returns the mutants of a configuration that are the same changes as mutants of the
// target without a verdict, and the numbers of these in the results. Of the target's own those that
// stand for others are enough. A mutant of a part is one of the target for each of its instances.
func (r *runner) corresponding(ctx context.Context, c *configuration) (list []Mutant, of []int, err error) {
	open := r.open()
	if len(open) == 0 {
		return nil, nil, nil
	}
	if c == r.target {
		for _, i := range r.leaders(open) {
			list, of = append(list, r.results[i].Mutant), append(of, i)
		}
		return list, of, nil
	}
	if list, of, err = r.inOther(ctx, c, open); err != nil || len(list) == 0 {
		return nil, nil, err
	}
	c.pins, err = pins(ctx, list)
	return list, of, err
}
