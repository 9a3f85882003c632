package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

// A Result is what a run has found. It depends on the plan, the binaries and the runs before it
// alone: where and in what pieces the work was done is not to be seen in it, nor are times.
type Result struct {
	Plan     string
	Units    int
	Failed   int // units
	Jobs     []JobResult
	Buckets  []*Bucket
	Flaky    []Flaky       `json:",omitempty"`
	Coverage []Kind        `json:",omitempty"`
	Below    []string      `json:",omitempty"` // kinds of coverage that are below what the plan asks for
	Ranked   []Ranked      `json:",omitempty"`
	Holes    []Hole        `json:",omitempty"`
	Last     *Compared     `json:",omitempty"`
	Cases    []Failure     `json:"-"` // all failures, in the order of jobs and units
	Data     *coverdb.Data `json:"-"`
	report   *coverreport.Report
}

// JobResult is what became of a job.
type JobResult struct {
	Name   string
	Line   int
	First  uint64
	Units  int
	Failed int
}

// Flaky is a test with two verdicts of one seed.
type Flaky struct {
	Job  int
	Test string
	Seed uint64
	How  string
}

// Kind is how much is covered of a kind of coverage.
type Kind struct {
	Kind     string
	Hit, All int
	Percent  string
}

// Hole is what is not covered in a file or group.
type Hole struct {
	Where string
	Count int
	First []string // some of them
}

// Compared is the difference to the last run.
type Compared struct {
	Run      string
	Units    int
	Failed   int
	New      []string `json:",omitempty"` // buckets that it had not
	Gone     []string `json:",omitempty"` // and those that only it had
	Coverage []string `json:",omitempty"`
}

// Times are how long all took. They differ from run to run.
type Times struct {
	Wall  time.Duration
	Total time.Duration // of all units together
	Jobs  []JobSpent
}

// JobSpent is how long a job's units took.
type JobSpent struct {
	Name    string
	Units   int
	Total   time.Duration
	Slowest time.Duration
	Seed    uint64 // the slowest
}

// history is what is kept of the runs before.
type history struct {
	Run    string // when it began
	Result Result
	Since  map[string]string // of the keys of its buckets
	Tree   string
	Ran    map[string]*Job // by name
	Failed map[string]bool // the verdict keys of the units that failed
}

const historyFile = "history.json"

// read reads the results of all shards.
func (r *Run) read(dir string) (all []*ShardResult, err error) {
	for k := range r.Shards {
		s := &ShardResult{}
		if err := readJSON(filepath.Join(dir, "results", strconv.Itoa(k)+".json"), s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Result reads all results. The first seed of each bucket is run again by itself, with waveforms.
func (r *Run) Result(ctx context.Context) (*Result, *Times, error) {
	return r.result(ctx, []*Run{r})
}

func (r *Run) result(ctx context.Context, parts []*Run) (*Result, *Times, error) {
	res := &Result{Plan: r.Name}
	times := &Times{}
	var cover coverage
	for _, j := range r.Jobs {
		res.Jobs = append(res.Jobs, JobResult{Name: j.Name, Line: j.Line, First: j.First})
		times.Jobs = append(times.Jobs, JobSpent{Name: j.Name})
	}
	other := map[Unit]bool{}
	for _, p := range parts {
		shards, err := p.read(p.dir)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range shards {
			for _, d := range s.Done {
				res.Jobs[d.Job].Units += d.To - d.From
			}
			for _, f := range s.Failed {
				res.Jobs[f.Job].Failed++
			}
			res.Cases = append(res.Cases, s.Failures...)
			for _, t := range s.Times {
				x := &times.Jobs[t.Job]
				x.Units += t.Units
				x.Total += time.Duration(t.Total)
				if took := time.Duration(t.Slowest); took > x.Slowest {
					x.Slowest, x.Seed = took, r.Jobs[t.Job].seed(t.Unit)
				}
			}
			if err := cover.load(s.Cover); err != nil {
				return nil, nil, err
			}
		}
		if err := p.others(shards, other); err != nil {
			return nil, nil, err
		}
	}
	for i := range res.Jobs {
		res.Units += res.Jobs[i].Units
		res.Failed += res.Jobs[i].Failed
		times.Total += times.Jobs[i].Total
	}
	slices.SortStableFunc(res.Cases, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Unit, b.Unit))
	})
	res.Buckets = bucketsOf(r.Jobs, res.Cases)
	if err := r.again(ctx, res); err != nil {
		return nil, nil, err
	}
	r.flaky(res, other)
	if err := r.covered(res, &cover); err != nil {
		return nil, nil, err
	}
	r.compareLast(res)
	return res, times, nil
}

// others adds the units that a second copy of a shard has found another verdict of.
func (r *Run) others(shards []*ShardResult, other map[Unit]bool) error {
	names, _ := filepath.Glob(filepath.Join(r.dir, "results", "*.other"))
	for _, name := range names {
		number, _, _ := strings.Cut(filepath.Base(name), "-")
		k, err := strconv.Atoi(number)
		if err != nil || k < 0 || k >= len(shards) {
			continue
		}
		var failed []Unit
		if err := readJSON(name, &failed); err != nil {
			return err
		}
		for _, u := range failed {
			other[u] = other[u] || !slices.Contains(shards[k].Failed, u)
		}
		for _, u := range shards[k].Failed {
			other[u] = other[u] || !slices.Contains(failed, u)
		}
	}
	return nil
}

// The most buckets whose first seed is run again.
const mostAgain = 100

// again runs the shortest seed of each bucket again, by itself, with waveforms and a shrunk stimulus.
func (r *Run) again(ctx context.Context, res *Result) error {
	for i, b := range res.Buckets {
		j := r.Jobs[b.Shortest.Job]
		binary := filepath.Join(r.dir, "store", j.Binary)
		if j.Package == "" || b.Kind == "killed" || b.Kind == "limit" || i >= mostAgain {
			continue
		}
		if _, err := os.Stat(binary); err != nil {
			continue // merged elsewhere
		}
		folder := filepath.Join("failures", b.Key)
		text, err := os.ReadFile(filepath.Join(r.dir, folder, "again"))
		if err == nil { // by an earlier call, which was ended
			b.Again, b.Files = string(text), folder
			continue
		}
		if err := os.MkdirAll(filepath.Join(r.dir, folder), 0o777); err != nil {
			return err
		}
		seed := strconv.FormatUint(b.Shortest.Seed, 10)
		words := []string{"-test.timeout=" + time.Duration(j.Limit).String(), "-test.paniconexit0"}
		for _, f := range j.Flags {
			words = append(words, strings.ReplaceAll(f, "$seed", seed))
		}
		if b.Shortest.Test != "" {
			words = append(words, "-test.run="+exactly(b.Shortest.Test))
		}
		if j.Seeded {
			words = append(words, "-sim.seed="+seed, "-sim.keep="+filepath.Join(r.dir, folder))
		}
		w := &worker{run: r, compile: true}
		cmd := exec.CommandContext(ctx, binary, words...)
		cmd.Dir, cmd.Env = filepath.Join(r.Root, filepath.FromSlash(j.Dir)), w.environment(j)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		cmd.WaitDelay = 5 * time.Second
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b.Again, b.Files = "fails", folder
		if err == nil {
			b.Again = "passes"
		} else if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			return err
		}
		err = errors.Join(writeFile(filepath.Join(r.dir, folder, "output.txt"), out),
			writeFile(filepath.Join(r.dir, folder, "again"), []byte(b.Again)))
		if err != nil {
			return err
		}
	}
	return nil
}

// mostHoles is how many places of a file are listed at most.
const mostHoles = 5

// covered fills in the coverage.
func (r *Run) covered(res *Result, cover *coverage) error {
	if !slices.ContainsFunc(r.Jobs, func(j *Job) bool { return j.Count }) {
		return nil
	}
	data, err := cover.merged()
	if err != nil {
		return err
	}
	res.Data = data
	if res.report, err = coverreport.New(data); err != nil {
		return err
	}
	for _, k := range append(slices.Clone(res.report.Kinds), coverreport.Functional) {
		rate := res.report.Code[k]
		fraction, known := res.report.Fraction(k)
		if k == coverreport.Functional {
			_, rate = res.report.Functional()
		}
		if known && rate.All > 0 {
			res.Coverage = append(res.Coverage, Kind{k, rate.Hit, rate.All, coverreport.Percent(fraction)})
		}
	}
	for _, c := range r.Cover {
		kind, percent, _ := strings.Cut(c, "=")
		want, err := strconv.ParseFloat(percent, 64)
		if err != nil {
			return err
		}
		fraction, known := res.report.Fraction(kind)
		switch {
		case !known:
			res.Below = append(res.Below, kind+" has not been collected")
		case fraction*100+1e-9 < want:
			res.Below = append(res.Below, fmt.Sprintf("%s %s < %v%%", kind, coverreport.Percent(fraction), want))
		}
	}
	where := map[string]int{}
	for _, k := range res.Coverage {
		for _, m := range res.report.Missing(k.Kind) {
			file, _, _ := strings.Cut(m, ":")
			i, ok := where[file]
			if !ok {
				i = len(res.Holes)
				where[file] = i
				res.Holes = append(res.Holes, Hole{Where: file})
			}
			h := &res.Holes[i]
			if h.Count++; h.Count <= mostHoles {
				h.First = append(h.First, m)
			}
		}
	}
	slices.SortStableFunc(res.Holes, func(a, b Hole) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Where, b.Where)) })
	res.Ranked = cover.rank()
	for i := range res.Ranked {
		res.Ranked[i].Seed = r.Jobs[res.Ranked[i].Job].seed(res.Ranked[i].Unit)
	}
	return nil
}

// compareLast compares with the last run, if there was one.
func (r *Run) compareLast(res *Result) {
	var last history
	if err := readJSON(filepath.Join(r.dir, historyFile), &last); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.log("%v", err)
		}
		return
	}
	c := &Compared{Run: last.Run, Units: last.Result.Units, Failed: last.Result.Failed}
	had := map[string]bool{}
	for _, b := range last.Result.Buckets {
		had[b.Key] = true
		if !slices.ContainsFunc(res.Buckets, func(o *Bucket) bool { return o.Key == b.Key }) {
			c.Gone = append(c.Gone, b.What())
		}
	}
	for _, b := range res.Buckets {
		if b.Since = last.Since[b.Key]; !had[b.Key] {
			c.New = append(c.New, b.What())
		}
	}
	for _, k := range res.Coverage {
		for _, o := range last.Result.Coverage {
			if k.Kind == o.Kind && (k.Hit != o.Hit || k.All != o.All) {
				c.Coverage = append(c.Coverage, fmt.Sprintf("%s %d/%d, was %d/%d", k.Kind, k.Hit, k.All, o.Hit, o.All))
			}
		}
	}
	res.Last = c
}

// Finish notes that the run has ended with a result: the next one is compared with it, and cuts its
// work by its times.
func (r *Run) Finish(res *Result, t *Times) error {
	known := times{}
	if err := readJSON(filepath.Join(r.dir, timesFile), &known); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log("%v", err)
		known = times{}
	}
	for _, j := range t.Jobs {
		if j.Units > 0 {
			known[j.Name] = int64(j.Total) / int64(j.Units)
		}
	}
	h := history{Run: r.Since, Result: *res, Since: map[string]string{}, Tree: r.Tree, Ran: map[string]*Job{}, Failed: r.verdicts(res)}
	for _, j := range r.Jobs {
		h.Ran[j.Name] = j
	}
	for _, b := range res.Buckets {
		h.Since[b.Key] = cmp.Or(b.Since, r.Since)
	}
	if err := r.tidy(); err != nil {
		return err
	}
	return errors.Join(writeJSON(filepath.Join(r.dir, timesFile), known), writeJSON(filepath.Join(r.dir, historyFile), h),
		writeFile(filepath.Join(r.dir, doneFile), nil))
}

// tidy removes what nobody needs any more: what workers that were killed have left, empty logs, and
// binaries of earlier runs.
func (r *Run) tidy() error {
	used := map[string]bool{}
	for _, j := range r.Jobs {
		used[path.Dir(j.Binary)] = true // a folder of the store
	}
	if info, err := os.Lstat(filepath.Join(r.dir, "store")); err == nil && info.IsDir() { // or it is another run's
		entries, err := os.ReadDir(filepath.Join(r.dir, "store"))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !used[e.Name()] {
				if err := os.RemoveAll(filepath.Join(r.dir, "store", e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return filepath.WalkDir(r.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		kind := filepath.Base(filepath.Dir(path))
		old := strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), ".tmp") || kind == "attempts" || kind == "partial"
		if info, err := e.Info(); err == nil && kind == "logs" && info.Size() == 0 {
			old = true
		}
		if !old {
			return nil
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// Passed reports whether nothing failed and all is covered that must be.
func (r *Result) Passed() bool { return r.Failed == 0 && len(r.Below) == 0 && len(r.Flaky) == 0 }
