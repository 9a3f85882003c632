package regress

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A model of a large run: a million seeds of 20 tests on a thousand nodes, with the code that cuts
// and deals. What a seed takes is estimated to a factor of 1.5, and one node in a hundred is three
// times as slow.
func TestScale(t *testing.T) {
	const nodes, tests, seeds = 1000, 20, 1_000_000
	random := rand.New(rand.NewPCG(1, 1))
	var spans []Span
	var estimate, real []time.Duration
	var total time.Duration
	for j := range tests {
		e := time.Duration(float64(200*time.Millisecond) * (0.1 + 10*random.Float64()*random.Float64()))
		estimate = append(estimate, e)
		real = append(real, time.Duration(float64(e)*(1/1.5+random.Float64()*(1.5-1/1.5))))
		spans = append(spans, Span{j, 0, seeds / tests})
		total += real[j] * (seeds / tests)
	}
	shards := cut(spans, estimate, ShardTime)
	for _, maxArray := range []int{1000, 10_000} { // as Slurm is installed, and as large sites have it
		tasks := deal(longestFirst(shards), min(len(shards), maxArray, mostTasks))
		free := make([]time.Duration, nodes) // when each node has ended its tasks
		slow := func(node int) time.Duration {
			if node%100 == 0 {
				return 3
			}
			return 1
		}
		for _, list := range tasks { // each to the node that is free first
			node := slices.Index(free, slices.Min(free))
			for _, k := range list {
				for _, s := range shards[k].Spans {
					free[node] += time.Duration(s.To-s.From) * real[s.Job] * slow(node)
				}
			}
		}
		wall := slices.Max(free)
		asked := 0
		for at := time.Duration(0); at < wall; at += askAfter(at) {
			asked++
		}
		t.Logf("%d seeds, %v of tests on %d nodes: %d shards in %d tasks, %v (%.2f of the ideal %v; %.2f without the slow nodes), %d questions to the controller",
			seeds, total.Round(time.Second), nodes, len(shards), len(tasks), wall.Round(time.Second), float64(wall)/float64(total/nodes), (total / nodes).Round(time.Second),
			float64(fast(free))/float64(total/nodes), asked)
		if len(shards) > mostShards+tests || fast(free) > 2*total/nodes || asked > 200 {
			t.Errorf("%d shards, %v without the slow nodes, %d questions: the files, the balance or the controller suffer", len(shards), fast(free), asked)
		}
	}
}

// fast returns when the last of the nodes has ended that are not slow.
func fast(free []time.Duration) (last time.Duration) {
	for node, at := range free {
		if node%100 != 0 {
			last = max(last, at)
		}
	}
	return last
}
