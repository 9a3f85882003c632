package regress

import (
	"cmp"
	"slices"
	"time"
)

// A Span is units of a job: From to To-1.
type Span struct{ Job, From, To int }

// A Shard is the work of one worker.
type Shard struct {
	Spans    []Span
	Estimate int64 // nanoseconds
}

// ShardTime is how long a shard takes at least, if there is so much to do: starting a process and
// writing the results are nothing beside it.
const ShardTime = 30 * time.Second

// mostShards is how many shards there are at most, but for those of single units: a million
// seconds of work are 244 s a shard. Each shard is a file that is read at the end.
const mostShards = 4096

// cut cuts the spans into shards that take the time each, or little more, by what a unit of each
// job takes. The order is that of the plan.
func cut(spans []Span, unit []time.Duration, each time.Duration) (shards []Shard) {
	var total time.Duration
	for _, s := range spans {
		total += time.Duration(s.To-s.From) * max(unit[s.Job], time.Microsecond)
	}
	each = max(each, (total+mostShards-1)/mostShards)
	var now Shard
	end := func() {
		if len(now.Spans) > 0 {
			shards = append(shards, now)
			now = Shard{}
		}
	}
	for _, s := range spans {
		took := max(unit[s.Job], time.Microsecond)
		for s.From < s.To {
			left := each - time.Duration(now.Estimate)
			n := min(s.To-s.From, max(1, int((left+took-1)/took)))
			now.Spans = append(now.Spans, Span{s.Job, s.From, s.From + n})
			now.Estimate += int64(n) * int64(took)
			s.From += n
			if now.Estimate >= int64(each) {
				end()
			}
		}
	}
	end()
	return shards
}

// part returns the units of part i of n, counted from 1. It does not depend on times, so that all
// parts together are all units, wherever they are made. Jobs of one unit are dealt out.
func part(jobs []*Job, i, n int) (spans []Span) {
	for at, j := range jobs {
		p := (i - 1 + at) % n
		from, to := j.Units*p/n, j.Units*(p+1)/n
		if from < to {
			spans = append(spans, Span{at, from, to})
		}
	}
	return spans
}

// deal deals shards out to the tasks of an array, those first that take longest.
func deal(shards []int, tasks int) [][]int {
	lists := make([][]int, tasks)
	for i, k := range shards {
		lists[i%tasks] = append(lists[i%tasks], k)
	}
	return lists
}

// longestFirst returns the numbers of shards, those first that take longest: what is short fills
// the gaps at the end.
func longestFirst(shards []Shard) []int {
	order := make([]int, len(shards))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shards[b].Estimate, shards[a].Estimate) })
	return order
}
