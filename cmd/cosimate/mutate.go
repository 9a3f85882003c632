package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/mutate"
	"github.com/cosimate/cosimate/vectors"
)

const mutateUsage = `usage: cosimate mutate [flags] BLOCK|PACKAGE|VECTORS...

Finds out which faults of a design its tests do not find. All single changes of its word-level netlist (a bit inverted, stuck at 0
or 1, inverted while another is 0 or 1) are tried: each is found by a test, or proved to change nothing, or shown by inputs with
which the outputs differ and no test fails.

A BLOCK is one of the blocks that come with it: its package's tests and its vectors. A PACKAGE is a folder with Go tests that drive
a design by package sim. VECTORS are .txtar files whose header names RTL, or a folder of them. The tests are run twice, and must do
the same both times.

`

const mutateExamples = `
examples:
  cosimate mutate debounce
  cosimate mutate --top fifo ./fifo
  cosimate mutate docs/examples/fifo
  cosimate mutate uart --param Divisor=4 --limit 60s --json uart.json

exit status: 0 all are found or equivalent, 1 some are not, 2 misuse, 3 a tool is missing or a test fails, 130 interrupted
`

// mutateFlags are the flags of cosimate mutate.
type mutateFlags struct {
	top, json, keep, report, html string
	params                        []string
	once, noConfirm, fresh        bool
	verify, verifyCycles          int
	undecided                     int
	skip                          string
}

// runMutate is cosimate mutate.
func runMutate(ctx context.Context, args []string) error {
	var f mutateFlags
	var o mutate.Options
	set := pflag.NewFlagSet("mutate", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	set.StringVar(&f.top, "top", "", "the `module` whose mutants are decided; by default the one that the tests do the most cycles with")
	set.StringArrayVar(&f.params, "param", nil, "`NAME=VALUE`, a parameter of the configuration whose mutants are decided; by default that with the most cycles")
	set.StringVar(&o.In, "in", "", "decide only the mutants of the sources in this `folder`, or of this file: blocks that a design contains may have tests of their own")
	set.DurationVar(&o.Limit, "limit", 20*time.Second, "`time` of the processor for the proof of a mutant")
	set.IntVar(&f.undecided, "undecided", 0, "so many mutants may stay undecided; more are an error")
	set.IntVar(&o.Jobs, "jobs", 0, "how many models are played and proofs run at a time (0: the number of processors)")
	set.IntVar(&o.Most, "most", mutate.Most, "decide at most so many mutants, drawn by --seed")
	set.Uint64Var(&o.Seed, "seed", 1, "seed of what is drawn: mutants, power-up values, random inputs")
	set.StringVar(&f.json, "json", "", "write all verdicts to this `file`")
	set.StringVar(&f.html, "html", "", "write the report as a page to this `file`: the source with marks, and waves of what is missed")
	set.StringVar(&f.report, "report", "", "write the report as Markdown to this `file`, with what says when RTL or tests have changed; for one block, or one folder of vectors")
	set.StringVar(&f.keep, "keep", "", "`folder` for the recordings; by default they are removed")
	set.StringVar(&f.skip, "skip", "Mutants", "tests whose names match this are not run")
	set.BoolVar(&f.once, "once", false, "record the tests once only: that they do the same each time is not checked")
	set.BoolVar(&f.noConfirm, "no-confirm", false, "do not run the tests with the mutants that no comparison of outputs has found")
	set.BoolVar(&f.fresh, "fresh", false, "decide all mutants; by default verdicts of earlier runs are taken over where nothing that they follow from has changed")
	set.IntVar(&f.verify, "verify", 0, "check so many verdicts of each kind, drawn by --seed: the named test must fail with a mutant that it has found, and\n"+
		"random inputs must show no difference with one that is equivalent; without a test, what only it has found must pass all others")
	set.IntVar(&f.verifyCycles, "verify-cycles", 1_000_000, "random `cycles` for each of these that are equivalent")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, mutateUsage+set.FlagUsages()+mutateExamples)
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate mutate --help lists the flags"}
	}
	if set.NArg() == 0 || o.Limit <= 0 || o.Most < 1 {
		return &misuse{"whose mutants?", "name a block, a folder with Go tests, or vectors: cosimate mutate --help"}
	}
	for _, p := range f.params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return &misuse{"--param " + p, "use NAME=VALUE"}
		}
		if o.Params == nil {
			o.Params = map[string]string{}
		}
		o.Params[name] = value
	}
	o.Top = f.top
	dir := f.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "cosimate-mutate"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return misused(err)
	}
	t := &tested{dir: dir, skip: f.skip}
	for _, name := range set.Args() {
		if err := t.add(name, &o); err != nil {
			return err
		}
	}
	if f.report != "" && (t.folder == "" || set.NArg() > 1) {
		return &misuse{"--report is for one block, or one folder of vectors", "the blocks are " + strings.Join(blocks.All().Names(), ", ")}
	}
	sources, err := t.record(ctx, "first")
	if err != nil {
		return err
	}
	if !f.once {
		again, err := t.record(ctx, "second")
		if err != nil {
			return err
		}
		if err := mutate.Deterministic(sources, again); err != nil {
			return err
		}
	}
	if !f.noConfirm {
		o.Confirm = t.confirm
	}
	if cache, err := cachedir.Path(); err == nil && !f.fresh {
		o.Store = filepath.Join(cache, "mutants")
	}
	if o.Tests, err = t.fingerprint(); err != nil {
		return err
	}
	var progress *meter
	stage := ""
	o.Progress = func(now, unit string, done, of int) {
		if now != stage {
			if progress != nil {
				progress.close()
			}
			stage, progress = now, newMeter(now, uint64(of), unit)
		}
		progress.update(uint64(done))
	}
	report, err := mutate.Run(ctx, sources, o)
	if progress != nil {
		progress.close()
	}
	if err != nil {
		return err
	}
	for _, test := range t.named {
		report.Notes = append(report.Notes, (&namesError{test}).Error()+": it is not run with mutants that no comparison finds")
	}
	fmt.Fprint(stdout, visible(report.Text()))
	if report.Known > 0 {
		fmt.Fprintf(stdout, "\n%d verdicts are of earlier runs: --fresh decides all again\n", report.Known)
	}
	if f.json != "" {
		text, err := json.MarshalIndent(report, "", " ")
		if err != nil {
			return err
		}
		if err := writeWhole(f.json, append(text, '\n')); err != nil {
			return err
		}
	}
	if f.html != "" {
		page, err := report.HTML()
		if err != nil {
			return err
		}
		if err := writeWhole(f.html, page); err != nil {
			return err
		}
	}
	if f.report != "" && ctx.Err() == nil {
		k := mutate.Kept{Block: t.block, Folder: t.folder, Params: report.Params()}
		if d, ok := blocks.All().RTL(t.block); ok {
			d.Params = k.Params
			k.RTL, k.Tests, err = mutate.Fingerprint(d, t.folder)
		} else {
			k.RTL, k.Tests, err = mutate.FolderFingerprint(t.folder)
		}
		if err != nil {
			return err
		}
		command := "cosimate mutate"
		for _, a := range args {
			command += " " + shell.Quote(a)
		}
		if err := writeWhole(f.report, []byte(report.Markdown(k, command))); err != nil {
			return err
		}
	}
	if f.verify > 0 && ctx.Err() == nil {
		if err := t.verify(ctx, report, &f, o.Seed); err != nil {
			return err
		}
		if err := t.verifyWithout(ctx, report, sources, o, f.verify); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return leftOver(report, f.undecided)
}

// leftOver is the error if a mutant is missed, or more are undecided than may be.
func leftOver(report *mutate.Report, undecided int) error {
	missed := report.Count(mutate.Missed)
	left := len(report.Results) - report.Count(mutate.Found) - report.Count(mutate.Equivalent) - missed
	switch {
	case missed > 0:
		return errWrong
	case left > undecided:
		return fmt.Errorf("%w: undecided: %d, and --undecided allows %d", errWrong, left, undecided)
	}
	return nil
}

// writeWhole writes a file so that it is there as a whole or not at all.
func writeWhole(name string, data []byte) error {
	temporary := fmt.Sprintf("%s.%d", name, os.Getpid())
	err := os.WriteFile(temporary, data, 0o666)
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return misused(err)
}

// tested are the packages and vectors whose tests are recorded.
type tested struct {
	dir      string
	skip     string
	packages []string
	vectors  []string
	only     string // the test that is run; "" for all
	block    string // if one was named last
	folder   string // its, or one of vectors

	once  sync.Once
	plain error    // why tests cannot be run with a netlist
	named []string // tests that are not run with one: they name internal signals, which it does not have
}

// add adds a block or a package.
func (t *tested) add(name string, o *mutate.Options) error {
	if d, ok := blocks.All().RTL(name); ok {
		if o.Top == "" {
			o.Top = d.Top
		}
		folder := ""
		for _, file := range d.Files {
			if path.Base(file) == d.Top+".sv" {
				folder = path.Join(d.Dir, path.Dir(file))
			}
		}
		t.packages, t.block, t.folder = append(t.packages, "./"+folder), name, folder
		if files, err := vectors.Files(filepath.Join(folder, "vectors")); err == nil {
			t.vectors = append(t.vectors, files...)
		}
		return nil
	}
	info, err := os.Stat(name)
	tests, _ := filepath.Glob(filepath.Join(name, "*_test.go"))
	if err == nil && (!info.IsDir() || len(tests) == 0) {
		if !info.IsDir() && filepath.Ext(name) != ".txtar" {
			return &misuse{fmt.Sprintf("%s is no test vector", quote(name)), "vectors end in .txtar: cosimate vectors --help"}
		}
		if files, err := vectors.Files(name); err == nil && len(files) > 0 {
			if t.vectors = append(t.vectors, files...); info.IsDir() {
				t.folder = filepath.ToSlash(filepath.Clean(name))
			}
			return nil
		}
	}
	if err != nil {
		return &misuse{fmt.Sprintf("%s is neither a block nor a folder", quote(name)), "the blocks are " + strings.Join(blocks.All().Names(), ", ")}
	}
	if !filepath.IsAbs(name) && !strings.HasPrefix(name, ".") {
		name = "./" + name
	}
	t.packages = append(t.packages, name)
	return nil
}

// fingerprint stands for the text of the tests.
func (t *tested) fingerprint() (string, error) {
	all := ""
	for _, pkg := range t.packages {
		sum, err := mutate.TestsFingerprint(pkg)
		if err != nil {
			return "", err
		}
		all += pkg + " " + sum + " "
	}
	for _, name := range t.vectors {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", misused(err)
		}
		all += fmt.Sprintf("%s %x ", name, sha256.Sum256(text))
	}
	return all + t.skip, nil
}

// record runs the tests and returns the recordings.
func (t *tested) record(ctx context.Context, what string) (sources []mutate.Source, err error) {
	for i, pkg := range t.packages {
		dir, err := filepath.Abs(filepath.Join(t.dir, what, fmt.Sprint(i)))
		if err != nil {
			return nil, err
		}
		if term.IsTerminal(int(os.Stderr.Fd())) {
			fmt.Fprintf(os.Stderr, "the tests of %s run for the %s time\n", pkg, what)
		}
		if out, err := t.goTest(ctx, pkg, "-sim.record="+dir); err != nil {
			return nil, fmt.Errorf("the tests of %s: %w\n%s", pkg, err, out)
		}
		sources = append(sources, mutate.Source{Dir: dir, Package: pkg})
	}
	if len(t.vectors) > 0 {
		dir := filepath.Join(t.dir, what, "vectors")
		o := vectors.Options{Simulators: []sim.Simulator{sim.Verilator}, Sim: []sim.Option{sim.WithTape(dir, "vectors")}, Jobs: 1}
		for _, r := range blocks.All().Run(ctx, t.vectors, o) {
			if r.Verdict != vectors.Pass {
				return nil, fmt.Errorf("%s: %s\n%w", r.File, r.Verdict, r.Err)
			}
		}
		sources = append(sources, mutate.Source{Dir: dir})
	}
	return sources, nil
}

// goTest runs a package's tests in Verilator.
func (t *tested) goTest(ctx context.Context, pkg string, flags ...string) (out string, err error) {
	skip := t.skip
	for _, test := range t.named {
		skip += "|^" + regexp.QuoteMeta(test) + "$"
	}
	args := append([]string{"test", "-vet=off", "-count=1", "-timeout=30m", "-skip", skip, pkg, "-sim.only=verilator", "-sim.wave=off"}, flags...)
	if t.only != "" {
		var parts []string
		for part := range strings.SplitSeq(t.only, "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		args = append(args, "-run", strings.Join(parts, "/"))
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return string(text), err
}

// confirm runs all tests with a mutant, and returns which of them fails.
func (t *tested) confirm(ctx context.Context, s *mutate.Subject) (test, pkg string, err error) {
	if err := t.ready(ctx, s); err != nil {
		return "", "", err
	}
	dir, err := os.MkdirTemp(t.dir, "mutant")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	if err := s.Insert(ctx, dir); err != nil {
		return "", "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	for _, pkg := range t.packages {
		out, err := t.goTest(ctx, pkg, "-failfast", "-sim.insert="+dir)
		if ctx.Err() != nil {
			return "", "", err
		}
		if err != nil {
			test, err := failing(out)
			return test, pkg, err
		}
	}
	o := vectors.Options{Simulators: []sim.Simulator{sim.Verilator}, Jobs: 1, RTL: func(d sim.Design) sim.Design { return s.Changed(dir, d) },
		Sim: []sim.Option{sim.WithLogger(hclog.NewNullLogger())}}
	for _, r := range blocks.All().Run(ctx, t.vectors, o) {
		if compile := (*bridge.CompileError)(nil); errors.As(r.Err, &compile) {
			return "", "", r.Err
		}
		if r.Verdict == vectors.Differs || r.Verdict == vectors.Trouble {
			return r.File, "", nil
		}
	}
	return "", "", ctx.Err()
}

// namesError is that of a test that names internal signals, which a netlist does not have.
type namesError struct{ test string }

func (e *namesError) Error() string {
	return e.test + " reads or writes internal signals, and a netlist has none by name"
}

// failing returns the last test that fails in what go test says. If a design does not compile,
// tests say nothing about it. The error may be a *namesError.
func failing(out string) (test string, err error) {
	if strings.Contains(out, "does not compile; it says:") {
		return "", fmt.Errorf("a mutant that was built in: this is a fault of Cosimate\n%s", out)
	}
	test = "the tests"
	for line := range strings.Lines(out) {
		if name, failed := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); failed {
			test, _, _ = strings.Cut(name, " ")
		}
		if strings.Contains(line, sim.ErrNoNames.Error()) {
			return "", &namesError{test}
		}
	}
	return test, nil
}

// ready runs the tests with the netlist of the subject's design as it is, when it is called first.
// It returns an error if they fail: then they say nothing with a mutant in it.
func (t *tested) ready(ctx context.Context, s *mutate.Subject) error {
	t.once.Do(func() { t.plain = t.passes(ctx, &mutate.Subject{Key: s.Key, Design: s.Design}) })
	return t.plain
}

// passes is what ready does. Tests that name internal signals are left out from then on.
func (t *tested) passes(ctx context.Context, s *mutate.Subject) error {
	for {
		plain := &tested{dir: t.dir, skip: t.skip, named: t.named, packages: t.packages, vectors: t.vectors}
		plain.once.Do(func() {})
		test, _, err := plain.confirm(ctx, s)
		if named := (*namesError)(nil); errors.As(err, &named) && named.test != "the tests" {
			name, _, _ := strings.Cut(named.test, "/")
			t.named = append(t.named, name)
			continue
		}
		if err == nil && test != "" {
			err = fmt.Errorf("%s fails with the design's own netlist of Yosys, without a mutant: run again with --no-confirm", test)
		}
		return err
	}
}
