package regress

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// Passed reports whether nothing failed and all is covered that must be.
func (r *Result) Passed() bool { return r.Failed == 0 && len(r.Below) == 0 && len(r.Flaky) == 0 }
