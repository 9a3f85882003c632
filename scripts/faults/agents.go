package main

// agentFaults are in sim/wishbone, in the subordinates, and in the agents of vectors.
var agentFaults = []fault{
	{
		name: "Wishbone: an answer without CYC passes", file: "sim/wishbone/checker.go",
		old: "	case !c.Pipelined && !cyc:", new: "	case !c.Pipelined && !cyc && stb:",
		test: "./sim/wishbone TestFaultsAreFound/answers_without_CYC$", says: "no report has",
	},
	{
		name: "Wishbone: two answers at a time pass", file: "sim/wishbone/checker.go",
		old: "n > 1 {", new: "n > 3 {",
		test: "./sim/wishbone TestFaultsAreFound/two_answers", says: "no report has",
	},
	{
		name: "Wishbone: the manager gives up with its first answer", file: "sim/wishbone/manager.go",
		old: "	for answered < len(requests) {", new: "	for answered < 1 {",
		test: "./sim/wishbone TestSubordinate$", says: "--- FAIL",
	},
	{
		name: "Wishbone: a request is taken again with its answer", file: "sim/wishbone/subordinate.go",
		old: "!s.Pipelined && !answering && len(s.taken) == 0", new: "!s.Pipelined && (!answering || s.stb.Is()) && len(s.taken) == 0",
		test: "./sim/wishbone TestSubordinate$", says: "--- FAIL",
	},
	{
		name: "Wishbone: requests outlive a reset", file: "sim/wishbone/subordinate.go",
		old: "			s.taken = nil\n			s.stall", new: "			s.stall",
		test: "./sim/wishbone TestSubordinate$", says: "--- FAIL",
	},
	{
		name: "AXI4-Lite: a read's answer stays", file: "sim/axi/subordinate.go",
		old: "		s.reads = s.reads[1:]\n		*s.r.valid.Value = false\n", new: "		s.reads = s.reads[1:]\n",
		test: "./sim/axi TestSubordinate$", says: "RVALID is 1 without a request",
	},
	{
		name: "agents: a request outside of the memory passes", file: "vectors/agentmemory.go",
		old: `		if s.plan.outside == "" {`, new: `		if s.plan.outside == "?" {`,
		test: "./vectors TestAgentsMutants/memory/mem:_the_design_reads", says: "no message has",
	},
	{
		name: "agents: bytes without a strobe are written", file: "vectors/agentmemory.go",
		old: "s.cell(n)&^mask | r.data&mask", new: "r.data & mask",
		test: "./vectors TestAgentsMutants/memory/wb_has", says: "no message has",
	},
	{
		name: "agents: writes that nobody expects pass", file: "vectors/agentmemory.go",
		old: "len(w) > 0 {", new: "len(w) > 99 {",
		test: "./vectors TestAgentsMutants/memory/mem_has_received", says: "no message has",
	},
	{
		name: "agents: a write of X passes", file: "vectors/agentmemory.go",
		old: "		if !s.plan.unknown {", new: "		if s.plan.unknown {",
		test: "./vectors TestAgentsMutants/memory/wb:_the_design_writes", says: "no message has",
	},
	{
		name: "a vector's failure is recorded from its reset on, and not to its end", file: "vectors/evidence.go",
		old: "To: f.first + f.Cycle}", new: "To: f.Cycle}",
		test: "./vectors TestKeep$", says: "--- FAIL",
	},
	{
		name: "the last cycles are those that were played behind the failure", file: "sim/lockstep/difference.go",
		old: "	b.cycle = begin\n", new: "",
		test: "./vectors TestKeep$", says: "--- FAIL",
	},
}
