package regress

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// BenchmarkMergeCoverage merges what 10 000 runs of a block of 3 000 points have covered, each of
// which hits a tenth of them at random, in 100 shards: none is part of another, which is the worst
// that can be.
func BenchmarkMergeCoverage(b *testing.B) {
	const runs, shards, points, hits = 10_000, 100, 3_000, 300
	r := &Run{dir: b.TempDir()}
	r.Jobs = []*Job{{Name: "a", Units: runs, Repeat: 1, Count: true}}
	random := rand.New(rand.NewPCG(1, 1))
	all := make([]coverdb.CodePoint, points)
	none := &coverdb.Data{}
	for p := range all {
		all[p] = coverdb.CodePoint{File: "rtl/block/block.sv", Line: p/3 + 1, Column: p%3 + 1, Kind: "toggle", Comment: "signal[" + strconv.Itoa(p) + "]", Hierarchy: "block.u_part"}
		none.AddCode(all[p], 0)
	}
	for k := range shards {
		var c coverage
		j := c.of(0)
		if err := j.data.Merge(none); err != nil {
			b.Fatal(err)
		}
		j.hit(none)
		for u := k * runs / shards; u < (k+1)*runs/shards; u++ {
			d := &coverdb.Data{}
			for range hits {
				d.AddCode(all[random.IntN(points)], 1)
			}
			if err := j.data.Merge(d); err != nil {
				b.Fatal(err)
			}
			j.keep(unitBits{u, j.hit(d)})
		}
		s := ShardResult{Shard: k, Done: []Span{{0, k * runs / shards, (k + 1) * runs / shards}}, Cover: c.results()}
		r.Shards = append(r.Shards, Shard{Spans: s.Done})
		if err := writeJSON(filepath.Join(r.dir, strconv.Itoa(k)+".json"), s); err != nil {
			b.Fatal(err)
		}
	}
	var most uint64
	ranked := 0
	for b.Loop() {
		var c coverage
		for k := range shards {
			var s ShardResult
			if err := readJSON(filepath.Join(r.dir, strconv.Itoa(k)+".json"), &s); err != nil {
				b.Fatal(err)
			}
			if err := c.load(s.Cover); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := c.merged(); err != nil {
			b.Fatal(err)
		}
		ranked = len(c.rank())
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys)
	}
	b.ReportMetric(float64(ranked), "ranked")
	b.ReportMetric(float64(most)/(1<<20), "MiB")
}
