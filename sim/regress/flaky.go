package regress

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
)

// flaky finds the tests that have two verdicts of a seed.
func (r *Run) flaky(res *Result, other map[Unit]bool) {
	failed := map[Unit]*Failure{}
	for i := range res.Cases {
		f := &res.Cases[i]
		if u := (Unit{f.Job, f.Unit}); failed[u] == nil {
			failed[u] = f
		}
	}
	seen := map[string]bool{}
	add := func(job int, seed uint64, test, how string) {
		key := fmt.Sprint(job, " ", seed, " ", test)
		if !seen[key] {
			seen[key] = true
			res.Flaky = append(res.Flaky, Flaky{job, test, seed, how})
		}
	}
	// Of one seed that was run several times, did all fail?
	type once struct {
		job  int
		seed uint64
		test string
	}
	times := map[once]int{}
	for _, f := range res.Cases {
		times[once{f.Job, f.Seed, f.Test}]++
	}
	for _, f := range res.Cases {
		n, of := times[once{f.Job, f.Seed, f.Test}], r.Jobs[f.Job].Repeat
		if n < of {
			add(f.Job, f.Seed, f.Test, fmt.Sprintf("failed %d times of %d", n, of))
		}
	}
	for _, b := range res.Buckets {
		if b.Again == "passes" {
			add(b.Shortest.Job, b.Shortest.Seed, b.Shortest.Test, "passes when it is run by itself")
		}
	}
	for u, is := range other {
		if is {
			test := ""
			if f := failed[u]; f != nil {
				test = f.Test
			}
			add(u.Job, r.Jobs[u.Job].seed(u.Unit), test, "a second copy of its shard found otherwise")
		}
	}
	var last history
	if err := readJSON(filepath.Join(r.dir, historyFile), &last); err == nil && last.Tree == r.Tree && r.Tree != "" {
		now := r.verdicts(res)
		for job, j := range r.Jobs {
			ran, ok := last.Ran[j.Name]
			if !ok || j.Binary == "" || ran.Binary != j.Binary {
				continue
			}
			for u := 0; u < j.Units; u += j.Repeat {
				key := r.verdict(Unit{job, u})
				was, is, seed := last.Failed[key], now[key], j.seed(u)
				if was != is && seed >= ran.First && seed-ran.First < uint64(ran.Units/max(1, ran.Repeat)) {
					how := "passed in the last run, and nothing has changed since"
					if was {
						how = "failed in the last run, and nothing has changed since"
					}
					add(job, seed, "", how)
				}
			}
		}
	}
	slices.SortFunc(res.Flaky, func(a, b Flaky) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Test, b.Test))
	})
}

// verdict returns the key of a unit's seed, in all runs.
func (r *Run) verdict(u Unit) string {
	j := r.Jobs[u.Job]
	return fmt.Sprintf("%d %s", j.seed(u.Unit), j.Name)
}

// verdicts returns the units that failed, for the history.
func (r *Run) verdicts(res *Result) map[string]bool {
	all := map[string]bool{}
	for _, f := range res.Cases {
		all[r.verdict(Unit{f.Job, f.Unit})] = true
	}
	return all
}
