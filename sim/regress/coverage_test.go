package regress

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// unit is what a unit has covered.
func unit(t interface{ Fatal(...any) }, hits []int, all int) *coverdb.Data {
	d := &coverdb.Data{}
	for p := range all {
		d.AddCode(coverdb.CodePoint{File: "a.sv", Line: p/3 + 1, Column: p, Kind: "line"}, 0)
	}
	for _, p := range hits {
		if p%4 == 3 {
			err := d.AddBin(coverdb.Bin{Group: "g", Item: "p", Kind: coverdb.Goal, Name: fmt.Sprint("bin", p)}, coverdb.Hits{Count: 1, AtLeast: 1})
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		d.AddCode(coverdb.CodePoint{File: "a.sv", Line: p/3 + 1, Column: p, Kind: "line"}, uint64(p)+1)
	}
	return d
}

// However the units are divided, and whatever was loaded from partial results, the counts and the
// list of the fewest are the same. The list hits all that is hit, and each of it adds something.
func TestRankDivided(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		const points = 150
		sets := rapid.SliceOfN(rapid.SliceOfNDistinct(rapid.IntRange(0, points-1), 0, 12, rapid.ID), 1, 12).Draw(t, "sets")
		at := rapid.IntRange(0, len(sets)).Draw(t, "cut")
		collect := func(from, to int) *coverage {
			c := &coverage{}
			for u := from; u < to; u++ {
				folder := filepath.Join(dir, rapid.StringMatching(`[a-z]{12}`).Draw(t, "folder"))
				if err := unit(t, sets[u], points).WriteFile(folder, "x"+coverdb.Ext); err != nil {
					t.Fatal(err)
				}
				if err := c.add(u%2, u, folder); err != nil {
					t.Fatal(err)
				}
			}
			return c
		}
		load := func(all ...[]JobCover) *coverage {
			c := &coverage{}
			for _, a := range all {
				if err := c.load(a); err != nil {
					t.Fatal(err)
				}
			}
			return c
		}
		whole := load(collect(0, len(sets)).results())
		parts := load(collect(at, len(sets)).results(), collect(0, at).results())
		ranked := whole.rank()
		if diff := cmp.Diff(ranked, parts.rank()); diff != "" {
			t.Fatalf("(-whole +parts)\n%s", diff)
		}
		a, err1 := whole.merged()
		b, err2 := parts.merged()
		if err1 != nil || err2 != nil || string(a.Text()) != string(b.Text()) {
			t.Fatalf("the counts differ, or %v, %v", err1, err2)
		}
		all, have := map[int]bool{}, map[int]bool{}
		for _, s := range sets {
			for _, p := range s {
				all[p] = true
			}
		}
		for _, r := range ranked {
			added := 0
			for _, p := range sets[r.Unit] {
				if !have[p] {
					added++
				}
				have[p] = true
			}
			if added != r.Added || added == 0 {
				t.Fatalf("unit %d adds %d, not %d", r.Unit, added, r.Added)
			}
		}
		if len(have) != len(all) {
			t.Fatalf("%d points of %d are hit by those chosen", len(have), len(all))
		}
	})
}

// Cutting loses no unit and repeats none, keeps the order, and cuts no shard below its time but the
// last.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "jobs")
		var jobs []*Job
		times := rapid.SliceOfN(rapid.Int64Range(1, 1000), n, n).Draw(t, "times")
		for range n {
			jobs = append(jobs, &Job{Units: rapid.IntRange(1, 200).Draw(t, "units")})
		}
		parts := rapid.IntRange(1, 7).Draw(t, "parts")
		seen := map[Unit]int{}
		for i := 1; i <= parts; i++ {
			unit := durations(times)
			shards := cut(part(jobs, i, parts), unit, 5000)
			for k, s := range shards {
				sum := int64(0)
				for _, p := range s.Spans {
					for u := p.From; u < p.To; u++ {
						seen[Unit{p.Job, u}]++
					}
					sum += int64(p.To-p.From) * int64(unit[p.Job])
				}
				if sum != s.Estimate || sum < 5000 && k < len(shards)-1 {
					t.Fatalf("shard %d of %d takes %d, estimated %d", k, len(shards), sum, s.Estimate)
				}
			}
		}
		for j := range jobs {
			for u := range jobs[j].Units {
				if seen[Unit{j, u}] != 1 {
					t.Fatalf("unit %d of job %d comes %d times", u, j, seen[Unit{j, u}])
				}
			}
		}
	})
}
