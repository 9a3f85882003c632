package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/sim"
)

// Options are how vectors are run. The zero value is a good choice.
type Options struct {
	Simulators []sim.Simulator // nil: all; empty: the model alone
	Jobs       int             // how many vectors are run at a time; 0: the number of processors
	Sim        []sim.Option
	RTL        func(sim.Design) sim.Design // changes the RTL before it is compiled; may be nil
	// AllowModel lets vectors run the command of their reference model (model: COMMAND).
	AllowModel bool
	// ModelTimeout is how long such a command may take for its answer to a cycle; 0: 10 s.
	ModelTimeout time.Duration
	// Command is the command that runs vectors again, for reports. "" means cosimate vectors run.
	Command string
	// Keep is a folder in which vectors for RTL that their headers name leave files if they fail: a
	// page, and the waves of all signals, for which they are played again. Only the first five of a
	// run do. "" means none.
	Keep string
	// Progress is called with each result when it is there, by one goroutine at a time. It may be
	// nil.
	Progress func(Result)
}

// Verdict is the outcome of a vector in one word.
type Verdict string

// The verdicts.
const (
	Pass    Verdict = "pass"
	Differs Verdict = "differs" // vector, model and simulators do not agree
	Invalid Verdict = "invalid" // the vector has errors
	// Trouble: a simulator is missing or has died, or the RTL does not compile or has ended the
	// simulation.
	Trouble Verdict = "trouble"
	NotRun  Verdict = "not run"
)

// Result is the outcome of a vector.
type Result struct {
	File    string
	Design  string
	Title   string
	Verdict Verdict
	Cycles  uint64
	Time    time.Duration
	Err     error // why the vector did not pass: a *Failure, an Errors, or an error of the tools
}

// Line returns the line of the vector that the result is about, or 0.
func (r *Result) Line() int {
	if e := r.errors(); len(e) > 0 {
		return e[0].Line
	}
	return 0
}

func (r *Result) errors() Errors {
	var f *Failure
	var e Errors
	if errors.As(r.Err, &f) {
		return f.Errors
	}
	errors.As(r.Err, &e)
	return e
}

// job is a vector to run.
type job struct {
	plan   *plan
	result *Result
}

// Run runs vectors, and returns a result for each, in their order. An instance of the RTL serves
// many vectors, with a reset before each. When the context is done, the verdict of vectors that
// have not been run is NotRun.
func (r *Registry) Run(ctx context.Context, names []string, o Options) []Result {
	r = r.fresh(ctx)
	results := make([]Result, len(names))
	groups := map[string][]job{}
	var order []string
	var mu sync.Mutex
	report := func(res *Result) {
		mu.Lock()
		defer mu.Unlock()
		if o.Progress != nil {
			o.Progress(*res)
		}
	}
	for i, name := range names {
		res := &results[i]
		*res = Result{File: name, Verdict: NotRun}
		p, err := r.load(name)
		if p != nil {
			p.command = o.Command
			res.Title, res.Design = p.file.Title(), p.file.Design()
		}
		if err == nil {
			err = p.filled()
		}
		if err == nil {
			err = p.allowed(&o)
		}
		if err != nil {
			res.Verdict, res.Err = Invalid, err
			if isTool(err) {
				res.Verdict = Trouble
			}
			report(res)
			continue
		}
		key := fmt.Sprint(p.design.id, "\x00", p.used(), "\x00", p.seed, "\x00", p.period)
		if (p.reset == 0 || p.design.keeps) && p.design.foreign == nil {
			key += "\x00" + name // the vector needs an instance of its own
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], job{p, res})
	}
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var g errgroup.Group
	g.SetLimit(jobs)
	for _, key := range order {
		// An instance serves at least 16 vectors, so that opening it costs little beside them.
		for part := range slices.Chunk(groups[key], max(16, (len(groups[key])+jobs-1)/jobs)) {
			g.Go(func() error { o.batch(ctx, part, report); return nil })
		}
	}
	g.Wait()
	kept := 0
	for _, key := range order {
		for _, j := range groups[key] {
			f, failed := errors.AsType[*Failure](j.result.Err)
			if o.Keep != "" && failed && j.plan.design.foreign != nil && f.Report.Top != "" && kept < mostKept && ctx.Err() == nil {
				o.keep(ctx, j.plan, f)
				kept++
			}
		}
	}
	return results
}

// load reads, parses and plans a vector.
func (r *Registry) load(name string) (*plan, error) {
	f, err := Load(name)
	if f == nil {
		return nil, err
	}
	p, wrong := r.plan(f)
	var a, b Errors
	if errors.As(err, &a) {
		errors.As(wrong, &b)
		// Parser and checker often find the same mistake.
		for _, e := range b {
			if !slices.ContainsFunc(a, func(x *Error) bool { return x.Line == e.Line || e.Column == 0 }) {
				a = append(a, e)
			}
		}
		slices.SortStableFunc(a, func(x, y *Error) int { return x.Line - y.Line })
		err = a
	} else if err == nil {
		err = wrong
	}
	if p == nil {
		p = &plan{file: f}
	}
	return p, err
}

// CheckFile finds errors in a file. Vectors whose headers name RTL need a simulator for that, which
// elaborates it. If the RTL does not compile, the error is a *[ToolError].
func (r *Registry) CheckFile(name string) error {
	return r.CheckFiles(context.Background(), []string{name})[0]
}

// CheckFiles is CheckFile for several files. It returns an error or nil for each.
func (r *Registry) CheckFiles(ctx context.Context, names []string) (errs []error) {
	r = r.fresh(ctx)
	for _, name := range names {
		_, err := r.load(name)
		errs = append(errs, err)
	}
	return errs
}

// filled returns an error if values are still to be filled in.
func (p *plan) filled() error {
	var list Errors
	unfilled := func(step int, w Word, problem string) {
		e := p.file.at(p.steps[step].line.At, w.Column, 1, problem)
		e.Help = fmt.Sprintf("cosimate vectors update %s does it", shell.Quote(p.file.Name))
		list = append(list, e)
	}
	for i := range p.steps {
		if w := p.steps[i].asked; w != nil && len(list) < maxErrors {
			unfilled(i, *w, "what is read is to be filled in")
		}
		for _, c := range p.steps[i].expect {
			if c.fill && len(list) < maxErrors {
				unfilled(i, c.word, fmt.Sprintf("the value of %s is to be filled in", c.port.Name))
			}
		}
	}
	return list.or()
}

// simulators returns the simulators to run.
func (o *Options) simulators() []sim.Simulator {
	if o.Simulators == nil {
		return sim.Simulators
	}
	return o.Simulators
}

// bench returns a new bench for a plan.
func (o *Options) bench(ctx context.Context, p *plan) (bench, error) {
	if err := p.allowed(o); err != nil {
		return nil, err
	}
	c := p.config
	c.edit, c.modelTimeout = o.RTL, cmp.Or(o.ModelTimeout, 10*time.Second)
	b, err := p.design.open(ctx, c, o.simulators(), o.Sim...)
	if err != nil {
		return nil, &ToolError{err}
	}
	return b, nil
}

// ToolError is an error of a simulator and not of a vector: the simulator is missing or has died,
// or the RTL does not compile or has ended the simulation.
type ToolError struct{ Err error }

func (e *ToolError) Error() string { return e.Err.Error() }
func (e *ToolError) Unwrap() error { return e.Err }

// batch runs vectors one after the other on one instance.
func (o *Options) batch(ctx context.Context, jobs []job, report func(*Result)) {
	var b bench
	defer func() {
		if b != nil {
			b.Close()
		}
	}()
	for _, j := range jobs {
		if ctx.Err() != nil {
			j.result.Err = context.Cause(ctx)
			report(j.result)
			continue
		}
		begin := time.Now()
		var err error
		if b == nil {
			if b, err = o.bench(ctx, j.plan); err != nil {
				b = nil
			}
		}
		var failure *Failure
		if err == nil {
			j.result.Cycles, failure, err = b.play(ctx, j.plan, playOptions{})
		}
		j.result.Time = time.Since(begin)
		switch {
		case err != nil && ctx.Err() != nil:
			j.result.Err = context.Cause(ctx)
		case err != nil:
			j.result.Verdict, j.result.Err = Trouble, err
		case failure != nil:
			j.result.Verdict, j.result.Err = Differs, failure
		default:
			j.result.Verdict = Pass
		}
		if err != nil && b != nil { // its state is not known
			b.Close()
			b = nil
		}
		report(j.result)
	}
}

// Files returns the vectors that paths name. A path is a file, a folder (which stands for all
// *.txtar in it and below), or a glob.
func Files(paths ...string) ([]string, error) {
	var files []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir():
			add(path)
		case err == nil:
			n := len(files)
			err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
				if err == nil && d.IsDir() && name != path && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
					return filepath.SkipDir
				}
				if err == nil && !d.IsDir() && filepath.Ext(name) == ".txtar" {
					add(name)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			if len(files) == n {
				return nil, fmt.Errorf("no vector (*.txtar) is in %s", path)
			}
		default:
			matches, bad := filepath.Glob(path)
			if bad != nil || len(matches) == 0 {
				if bad == nil && !strings.ContainsAny(path, "*?[") {
					bad = errors.New("there is no such file or folder")
				}
				return nil, fmt.Errorf("%s: %w", path, errors.Join(bad, map[bool]error{true: errors.New("nothing matches")}[bad == nil]))
			}
			for _, m := range matches {
				add(m)
			}
		}
	}
	return files, nil
}
