package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/sim/regress"
)

const regressUsage = `usage: cosimate regress [flags] PLAN
       cosimate regress [flags] [--seeds A..B] PACKAGE...
       cosimate regress [flags] PLAN --slurm [-- SBATCH-FLAG...]
       cosimate regress merge [--out DIR] DIR...

Runs many seeds of many tests, here, in parts on machines of a CI system, or as a job array on a Slurm cluster, and says what
failed: each fault once, with the command that shows it. What was ended is taken up again by the same command.

`

const regressExamples = `
` + regress.PlanHelp + `
In --out are then index.html, report.txt, result.json, junit.xml, times.txt, failures/, and with coverage coverage.html and
coverage.info. Of report.txt, result.json and coverage.info each byte follows from the plan, the tests and the run before.

examples:
  cosimate regress nightly.plan --jobs 8
  cosimate regress --seeds 1..10000 --run '^TestFIFO$' --cover ./fifo
  cosimate regress nightly.plan --shard 3/8 --out out/part3
  cosimate regress merge --out out/all out/part*
  cosimate regress nightly.plan --slurm --out /shared/nightly -- --partition=short --time=60 --mem=2G

exit status: 0 pass, 1 something failed, is flaky, or is covered too little, 2 misuse, 3 tool trouble, 130 interrupted
`

// regressFlags are the flags of cosimate regress.
type regressFlags struct {
	regress.Options
	seeds, run, shard string
	cover, slurm      bool
	sbatch            []string
}

// runRegress is cosimate regress.
func runRegress(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "merge":
			return mergeRegress(ctx, args[1:])
		case "work":
			return workRegress(ctx, args[1:])
		}
	}
	var f regressFlags
	set := pflag.NewFlagSet("regress", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	set.StringVar(&f.Out, "out", filepath.Join("out", "regress"), "the `folder` of the run: its state, and what it has found")
	set.IntVar(&f.Jobs, "jobs", runtime.GOMAXPROCS(0), "how `many` shards run at a time on this machine")
	set.StringVar(&f.seeds, "seeds", "", "with packages: the `seeds`, A..B or today+N")
	set.StringVar(&f.run, "run", "", "with packages: run the tests that match this `regexp`")
	set.BoolVar(&f.cover, "cover", false, "with packages: count coverage")
	set.StringVar(&f.shard, "shard", "", "run part `i/n` only, for cosimate regress merge")
	set.BoolVar(&f.slurm, "slurm", false, "run the shards as a Slurm job array; what follows -- are sbatch's own flags")
	set.BoolVar(&f.Fresh, "fresh", false, "begin anew, also if an unfinished run could be taken up")
	set.DurationVar(&f.ShardTime, "shard-time", regress.ShardTime, "how long a shard takes at least, if there is so much to do")
	set.DurationVar(&f.Patience, "patience", regress.Patience, "how long a Slurm array may wait for anything but its turn: nodes that are down, a job that is held")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, regressUsage+set.FlagUsages()+regressExamples)
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate regress --help lists the flags"}
	}
	names := set.Args()
	if dash := set.ArgsLenAtDash(); dash >= 0 {
		names, f.sbatch = names[:dash], names[dash:]
	}
	if len(f.sbatch) > 0 && !f.slurm {
		return &misuse{"flags of sbatch without --slurm: " + strings.Join(f.sbatch, " "), "give --slurm, or leave out what follows --"}
	}
	if f.Jobs < 1 || f.Jobs > maxJobs {
		return &misuse{fmt.Sprintf("--jobs %d is not between 1 and %d", f.Jobs, maxJobs), "as many as there are cores is best"}
	}
	if f.ShardTime <= 0 {
		return &misuse{fmt.Sprintf("--shard-time %v is not above 0", f.ShardTime), ""}
	}
	if f.Patience <= 0 {
		return &misuse{fmt.Sprintf("--patience %v is not above 0", f.Patience), ""}
	}
	if f.shard != "" {
		if f.slurm {
			return &misuse{"--shard and --slurm do not go together", "Slurm divides the work by itself"}
		}
		if f.Part, err = parseShard(f.shard); err != nil {
			return err
		}
	}
	if f.slurm {
		if err := regress.FindSlurm(); err != nil {
			return err
		}
	}
	f.Away = f.slurm
	if f.Root, err = moduleRoot(); err != nil {
		return err
	}
	plan, err := f.plan(names)
	if err != nil {
		return planMisuse(err)
	}
	return f.regress(ctx, plan)
}

// parseShard reads --shard.
func parseShard(text string) (part [2]int, err error) {
	a, b, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || i < 1 || i > n || n > 10_000 {
		return part, &misuse{fmt.Sprintf("--shard %s is not i/n", text), "for example 3/8, the third part of eight"}
	}
	return [2]int{i, n}, nil
}

// planMisuse turns mistakes in a plan into misuse.
func planMisuse(err error) error {
	if p, ok := errors.AsType[*regress.PlanError](err); ok {
		return &misuse{p.Error(), p.Hint}
	}
	return err
}

// moduleRoot returns the folder of the go.mod that is here or above.
func moduleRoot() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", &misuse{"no go.mod is in " + here + " or above", "run cosimate regress in the Go module of the tests"}
		}
	}
}

// plan reads the plan, or makes one of packages and flags.
func (f *regressFlags) plan(names []string) (*regress.Plan, error) {
	if len(names) == 0 {
		return nil, &misuse{"no plan, and no packages", "cosimate regress --help says what a plan is"}
	}
	info, err := os.Stat(names[0])
	if err == nil && info.Mode().IsRegular() {
		if len(names) > 1 {
			return nil, &misuse{"unexpected argument " + quote(names[1]), "a plan names all that it runs"}
		}
		if f.seeds != "" || f.run != "" || f.cover {
			return nil, &misuse{"--seeds, --run and --cover are for packages", "write them into " + names[0]}
		}
		text, err := os.ReadFile(names[0])
		if err != nil {
			return nil, err
		}
		return regress.ParsePlan(filepath.Base(names[0]), string(text), time.Now())
	}
	if errors.Is(err, fs.ErrNotExist) && filepath.Ext(names[0]) == ".plan" {
		return nil, &misuse{names[0] + ": there is no such file", ""}
	}
	text := "test"
	for _, n := range names {
		if !strings.HasPrefix(n, ".") && !strings.HasPrefix(n, "-") {
			n = "./" + n
		}
		text += " '" + n + "'"
	}
	if f.seeds != "" {
		text += " seeds=" + f.seeds
	}
	if f.run != "" {
		text += " '-run=" + f.run + "'"
	}
	if f.cover {
		text += "\ncover"
	}
	return regress.ParsePlan("flags", text, time.Now())
}

// regress runs a plan.
func (f *regressFlags) regress(ctx context.Context, plan *regress.Plan) error {
	began := time.Now()
	f.Log = func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%s\n", visible(fmt.Sprintf(format, args...)))
	}
	run, err := regress.Prepare(ctx, plan, f.Options)
	if err != nil {
		return planMisuse(err)
	}
	defer run.Close()
	f.Log("%d runs in %d shards", run.Units(), run.Count())
	if f.slurm {
		err = watchRegress(run, func() error { return run.Slurm(ctx, f.sbatch) })
	} else {
		err = watchRegress(run, func() error { return run.Local(ctx, f.Jobs) })
	}
	if err != nil {
		if ctx.Err() != nil {
			f.Log("what is done is kept: the same command goes on from there")
			return context.Cause(ctx)
		}
		return err
	}
	if f.Part[1] > 0 {
		fmt.Fprintf(stdout, "part %d of %d is done; when all are: cosimate regress merge DIR...\n", f.Part[0], f.Part[1])
		return nil
	}
	res, times, err := run.Result(ctx)
	if err != nil {
		return err
	}
	times.Wall = time.Since(began)
	if err := writeRegress(ctx, f.Out, f.Root, res, times); err != nil {
		return err
	}
	if err := run.Finish(res, times); err != nil {
		return err
	}
	return sayRegress(f.Out, res, times)
}

// watchRegress shows progress while work is done.
func watchRegress(run *regress.Run, work func() error) error {
	m := newMeter("regress", uint64(run.Units()), "run")
	defer m.close()
	done := make(chan error, 1)
	go func() { done <- work() }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			n, _ := run.Progress()
			m.update(uint64(max(n, 0)))
		}
	}
}

// mergeRegress is cosimate regress merge.
func mergeRegress(ctx context.Context, args []string) error {
	var out string
	set := pflag.NewFlagSet("regress merge", pflag.ContinueOnError)
	set.Usage = func() {}
	set.StringVar(&out, "out", filepath.Join("out", "regress"), "the `folder` for what all parts have found")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, "usage: cosimate regress merge [--out DIR] DIR...\n\nReports what the parts of a run have found, which were run with --shard.\n\n"+set.FlagUsages())
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate regress merge --help lists the flags"}
	}
	if set.NArg() == 0 {
		return &misuse{"no folder to merge", "name those that were given with --out to the parts"}
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	log := func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%s\n", visible(fmt.Sprintf(format, args...)))
	}
	run, res, times, err := regress.Merge(ctx, out, set.Args(), log)
	if err != nil {
		return err
	}
	if err := writeRegress(ctx, out, root, res, times); err != nil {
		return err
	}
	if err := run.Finish(res, times); err != nil {
		return err
	}
	return sayRegress(out, res, times)
}

// workRegress is cosimate regress work, which jobs on Slurm are: it runs shards of a run that is
// prepared.
func workRegress(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return &misuse{"cosimate regress work is what jobs on Slurm run", "use: cosimate regress work DIR SHARD..."}
	}
	run, err := regress.Open(args[0])
	if err != nil {
		return err
	}
	for _, arg := range args[1:] {
		k, err := strconv.Atoi(arg)
		if err != nil {
			return &misuse{fmt.Sprintf("%q is no number of a shard", arg), ""}
		}
		if err := run.Work(ctx, k); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
	}
	return nil
}

// writeRegress writes what a run has found.
func writeRegress(ctx context.Context, out, root string, res *regress.Result, times *regress.Times) error {
	if abs, err := filepath.Abs(out); err == nil {
		out = abs
	}
	document, err := res.JSON()
	if err != nil {
		return err
	}
	page, err := res.Page(times, out)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"report.txt": []byte(visible(res.Text())), "result.json": document, "index.html": []byte(page), "times.txt": []byte(times.Text()),
	}
	if res.Data != nil {
		files["coverage.info"] = res.LCOV()
		if files["coverage.html"], err = res.CoveragePage(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, name)) }); err != nil {
			return err
		}
	}
	for name, text := range files {
		to, err := newOutput("--out", filepath.Join(out, name))
		if err == nil {
			err = to.write(ctx, text)
		}
		if err != nil {
			return err
		}
	}
	to, err := newOutput("--out", filepath.Join(out, "junit.xml"))
	if err != nil {
		return err
	}
	return regressJUnit(ctx, to, res, times)
}

// regressJUnit writes a suite for each job: a case for each failure, and one for all that passed.
func regressJUnit(ctx context.Context, to *outputFile, res *regress.Result, times *regress.Times) error {
	doc := junitSuites{Name: "cosimate regress"}
	for i, j := range res.Jobs {
		s := junitSuite{Name: j.Name, Time: fmt.Sprintf("%.3f", times.Jobs[i].Total.Seconds())}
		if passed := j.Units - j.Failed; passed > 0 {
			s.Cases = append(s.Cases, junitCase{Class: j.Name, Name: fmt.Sprintf("%d runs that passed", passed), Time: s.Time})
		}
		for _, f := range res.Cases {
			if f.Job == i {
				reason := &junitReason{Message: visible(firstLine(f.Message)), Text: visible(f.Text + "\nsee it: " + f.Command)}
				s.Cases = append(s.Cases, junitCase{Class: j.Name, Name: strings.TrimSpace(fmt.Sprintf("seed %d %s", f.Seed, f.Test)), File: f.File, Line: f.Line, Time: "0", Failure: reason})
			}
		}
		doc.add(s)
	}
	return doc.write(ctx, to, times.Total.Seconds())
}

// sayRegress prints what a run has found.
func sayRegress(out string, res *regress.Result, times *regress.Times) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprint(stdout, visible(res.Annotations()))
	}
	fmt.Fprint(stdout, visible(res.Text()))
	fmt.Fprint(os.Stderr, times.Text())
	fmt.Fprintf(stdout, "\nthe page: %s\n", filepath.Join(out, "index.html"))
	if !res.Passed() {
		return errWrongRegress
	}
	return nil
}

// errWrongRegress is the error of a run that has found something and printed it.
var errWrongRegress = fmt.Errorf("%w: see above", errWrong)
