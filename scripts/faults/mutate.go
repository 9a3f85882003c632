package main

// mutateFaults are faults of the verdicts on mutants, and of the proofs that they rest on.
var mutateFaults = []fault{
	{
		name: "two copies are compared before the reset, too", file: "bridge/lanes/miter.go",
		old: "bad := x.a.and(done, x.outputs(o))", new: "bad := x.outputs(o)",
		test: "./bridge/lanes TestProve", says: "in_states_that_are_never_reached",
	},
	{
		name: "what copies write to memories is not compared", file: "bridge/lanes/miter.go",
		old: "bad = x.a.or(bad, x.writes())", new: "x.writes()",
		test: "./bridge/lanes TestProve", says: "a_memory_is_written_otherwise",
	},
	{
		name: "copies read the same word from different addresses", file: "bridge/lanes/miter.go",
		old: "return x.a.choose(x.differ(r.Address), x.words[v], x.other[v])", new: "return x.words[v]",
		test: "./bridge/lanes TestProve", says: "a_memory_is_read_elsewhere",
	},
	{
		name: "copies with shared registers may have them become something else", file: "bridge/lanes/miter.go",
		old: "bad = x.a.or(bad, x.differ([]value{s.Next}))", new: "x.differ([]value{s.Next})",
		test: "./bridge/lanes TestProve", says: "register by register",
	},
	{
		name: "a test that has seen a difference goes on as it was recorded", file: "sim/mutate/replay.go",
		old: "before.Since(lane) < at {", new: "before.Since(lane) > at {",
		test: "./sim/mutate TestReacts", says: "found by a test",
	},
}
