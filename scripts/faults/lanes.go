package main

// laneFaults are faults of the code generator of lanes, and of the code around what it makes. Those
// of AVX-512 are found on a processor that has it.
var laneFaults = []fault{
	{
		name: "a result of two lookups has the first two operands changed", file: "bridge/lanes/avx512.go",
		old: "bit = i >> 2 & 1", new: "bit = i >> 1 & 1",
		test: "./bridge/lanes TestAgrees/AVX-512/logic", says: "and in verilator",
	},
	{
		name: "a value that is used again is not stored when its register is given away", file: "bridge/lanes/registers.go",
		old: "kept || a.nextUse(v) == never {", new: "kept || a.nextUse(v) != never {",
		test: "./bridge/lanes TestAgrees/AVX2/logic", says: "and in verilator",
	},
	{
		name: "a value that the next operation uses is given up", file: "bridge/lanes/registers.go",
		old: "if a.nextUse(v) != never {", new: "if a.nextUse(v) != never && a.nextUse(v) != a.at+1 {",
		test: "./bridge/lanes TestAgrees/AVX2/logic", says: "and in verilator",
	},
	{
		name: "a register with an operand is given away", file: "bridge/lanes/registers.go",
		old: "return slices.Contains(a.pinned, r)", new: "return r > 0 && slices.Contains(a.pinned, r)",
		test: "./bridge/lanes TestAgrees/AVX2/logic", says: "index out of range",
	},
	{
		name: "what later stages use is not stored", file: "bridge/lanes/registers.go",
		old: "\t\ta.spill()\n", new: "",
		test: "./bridge/lanes TestAgrees/AVX2/memories", says: "and in verilator",
	},
	{
		name: "an operand in memory is that of the plane beside", file: "bridge/lanes/avx512.go",
		old: "roles[2], third = memory, place(a.home[memory])", new: "roles[2], third = memory, place(a.home[memory]+1)",
		test: "./bridge/lanes TestAgrees/AVX-512/logic", says: "and in verilator",
	},
	{
		name: "an operand that is used again is overwritten", file: "bridge/lanes/avx512.go",
		old: "if a.nextUse(v) == never && inRegister(v) {", new: "if inRegister(v) {",
		test: "./bridge/lanes TestAgrees/AVX-512/logic", says: "and in verilator",
	},
	{
		name: "a formula has exclusive or for or", file: "bridge/lanes/formulas.go",
		old: "add(x|y, formula{'|'", new: "add(x|y, formula{'^'",
		test: "./bridge/lanes TestFormulas", says: "the formula computes",
	},
	{
		name: "the upper lanes are the lower ones", file: "bridge/lanes/avx2.go",
		old: "addq $%[3]d,", new: "addq $0,",
		test: "./bridge/lanes TestAgrees/AVX2/logic", says: "and in verilator",
	},
	{
		name: "the operands of x without y are changed if y is in memory", file: "bridge/lanes/avx2.go",
		old: `if f.op != '\\' && inMemory(y) {`, new: "if inMemory(y) {",
		test: "./bridge/lanes TestAgrees/AVX2/logic", says: "and in verilator",
	},
	{
		name: "a constant that a table reads is always 0", file: "bridge/lanes/avx2.go",
		old: "if v == one {\n\t\t\t\tbit = 1", new: "if v == one {\n\t\t\t\tbit = 0",
		test: "./bridge/lanes TestAgrees/AVX2/", says: "and in verilator",
	},
	{
		name: "registers behind a condition are stored where it does not hold (AVX2)", file: "bridge/lanes/avx2.go",
		old: "\\n\\tjc .Lheld%d", new: "\\n\\tjz .Lheld%d",
		test: "./bridge/lanes TestAgrees/AVX2/guards", says: "and in verilator",
	},
	{
		name: "portable: what a function later on uses is not stored", file: "bridge/lanes/portable.go",
		old: "len(u) == 0 || u[len(u)-1] < end {", new: "len(u) == 0 || u[len(u)-1] < end+functionOps {",
		test: "./bridge/lanes TestAgrees/portable/logic", says: "and in verilator",
	},
	{
		name: "portable: a plane is given away that is used again", file: "bridge/lanes/portable.go",
		old: "if u := uses[v]; u[len(u)-1] < end {", new: "if u := uses[v]; u[0] < end+functionOps {",
		test: "./bridge/lanes TestAgrees/portable/logic", says: "and in verilator",
	},
	{
		name: "a state is overwritten before all have read it", file: "bridge/lanes/order.go",
		old: "\t\tif o.placed[l] {", new: "\t\tif false {",
		test: "./bridge/lanes TestAgrees/[^/]*/logic", says: "and in verilator",
	},
	{
		name: "what depends on a memory is computed before that is read", file: "bridge/lanes/stages.go",
		old: "n = max(n, s.port(at)+1)", new: "n = max(n, s.port(at))",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "above its width a signed output has copies of its lowest bit", file: "bridge/lanes/tables.go",
		old: "planes[port.Width-1]", new: "planes[0]",
		test: "./bridge/lanes TestAgrees/[^/]*/shape", says: "and in verilator",
	},
	{
		name: "a memory is read as if its first address were 0", file: "bridge/lanes/tables.go",
		old: "planeOf(r.Data[0]), m.Width, m.Size, m.Offset)", new: "planeOf(r.Data[0]), m.Width, m.Size, 0)",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "words of 12 bits are kept in 8", file: "bridge/lanes/tables.go",
		old: "case m.Width <= 8:", new: "case m.Width <= 12:",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "a value that is too large for its port is taken", file: "bridge/lanes/tables.go",
		old: "case !port.Signed:", new: "case port.Signed:",
		test: "./bridge/lanes TestMisfit", says: "played",
	},
	{
		name: "flip-flops begin with the opposite of their initial values", file: "bridge/lanes/build_circuit.go",
		old: "int8(text[at] - '0')", new: "int8('1' - text[at])",
		test: "./bridge/lanes TestAgrees/[^/]*/logic", says: "and in verilator",
	},
	{
		name: "a memory is written in cycles in which its clock does not rise", file: "bridge/lanes/build_circuit.go",
		old: "lut{[3]value{e, b.rise(w.Clock), e}, both}", new: "lut{[3]value{e, e, e}, both}",
		test: "./bridge/lanes TestAgrees/[^/]*/clocks", says: "and in verilator",
	},
	{
		name: "all flip-flops have the first clock", file: "bridge/lanes/build_circuit.go",
		old: `s := state{Initial: -1, Clock: b.clockOf[c.Connections["C"][0]]}`, new: "s := state{Initial: -1}",
		test: "./bridge/lanes TestAgrees/[^/]*/clocks", says: "and in verilator",
	},
	{
		name: "a signal is forced where it is not to be", file: "bridge/lanes/build_circuit.go",
		old: "f.Driver[k], f.Forced[k], f.Mask[k]", new: "f.Forced[k], f.Driver[k], f.Mask[k]",
		test: "./bridge/lanes TestForce", says: "sum",
	},
	{
		name: "a reset that comes with an edge acts a cycle later", file: "bridge/lanes/edges.go",
		old: "if after != before {", new: "if after != before && v == unknown {",
		test: "./bridge/lanes TestAgrees/[^/]*/resets", says: "and in verilator",
	},
	{
		name: "an asynchronous set resets", file: "bridge/lanes/edges.go",
		old: "reset, reset}, either}", new: "reset, reset}, without}",
		test: "./bridge/lanes TestAgrees/[^/]*/resets", says: "and in verilator",
	},
	{
		name: "values at power-up that are to be alike are not", file: "bridge/lanes/power.go",
		old: "case bit == 1, bit < 0 && o.Alike:", new: "case bit == 1:",
		test: "./bridge/lanes TestPowerUp", says: "alike, they are",
	},
	{
		name: "values at power-up that are to be the other ones are not", file: "bridge/lanes/power.go",
		old: "return ^s.Source", new: "return s.Source",
		test: "./bridge/lanes TestPowerUp$", says: "inverted,",
	},
	{
		name: "memories begin with random values in place of their initial ones", file: "bridge/lanes/power.go",
		old: "v := value&known | any&^known", new: "v := value&^known | any",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "registers without an initial value are not 0 when they are to be", file: "bridge/lanes/power.go",
		old: "bit < 0 && o.Zeros, ", new: "",
		test: "./bridge/lanes TestZeros", says: "lanes begin with",
	},
	{
		name: "the cycle of a lane that differs is that of its last difference", file: "bridge/lanes/shim/lanes.c",
		old: "differ & ~*b->differs;", new: "differ;",
		test: "./bridge/lanes TestWant", says: "differs since cycle",
	},
	{
		name: "outputs count that nobody cares for", file: "bridge/lanes/shim/lanes.c",
		old: "        if (care) bits &= load_word(care, w, OUT_SIZE);\n", new: "",
		test: "./bridge/lanes TestWant", says: "differs since cycle",
	},
	{
		name: "an assertion fails where it holds", file: "bridge/lanes/shim/lanes.c",
		old: "& ~b->planes[checks[i].holds]", new: "& b->planes[checks[i].holds]",
		test: "./bridge/lanes TestViolations", says: "violations",
	},
	{
		name: "the cycle of a violation is that of the last", file: "bridge/lanes/shim/lanes.c",
		old: "if (!any(b->failed[i])) b->failure", new: "if (any(fails)) b->failure",
		test: "./bridge/lanes TestViolations", says: "violations",
	},
	{
		name: "all clocks rise when the first does", file: "bridge/lanes/shim/lanes.c",
		old: "all(r->rises[n] >> c)", new: "all(r->rises[n])",
		test: "./bridge/lanes TestAgrees/[^/]*/clocks", says: "and in verilator",
	},
	{
		name: "all bytes of a word are written when one is enabled", file: "bridge/lanes/shim/memory.h",
		old: "((*word & ~en[e]) | (d[e] & en[e]))", new: "(d[e] | (en[e] & 0))",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "of 64 rows of inputs, all lanes of a word get those of the first word", file: "bridge/lanes/shim/lanes.c",
		old: "rows + (size_t)(64 * k + i) * IN_SIZE, 8 * w", new: "rows + (size_t)i * IN_SIZE, 8 * w",
		test: "./bridge/lanes TestAgrees/[^/]*/logic", says: "and in verilator",
	},
	{
		name: "outputs behind the first 64 bytes of a row are those of its beginning", file: "bridge/lanes/shim/lanes.c",
		old: "const int from = out_plane[64 * (w + k) + i];\n            x", new: "const int from = out_plane[64 * k + i];\n            x",
		test: "./bridge/lanes TestAgrees", says: "and in verilator",
	},
	{
		name: "a small memory is read in lanes that address another word", file: "bridge/lanes/shim/memory.h",
		old: "x[k] |= lanes & from[k];", new: "x[k] |= from[k];",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "a small memory is written in lanes that address another word", file: "bridge/lanes/shim/memory.h",
		old: "word[i] ^= (word[i] ^ planes[data[i]]) & here;", new: "word[i] = planes[data[i]];",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "registers behind a condition are stored where it does not hold (AVX-512)", file: "bridge/lanes/avx512.go",
		old: "if g.when == 0 {", new: "if g.when == 1 {",
		test: "./bridge/lanes TestAgrees/AVX-512/guards", says: "and in verilator",
	},
	{
		name: "registers behind a condition are stored where it does not hold (portable)", file: "bridge/lanes/portable.go",
		old: `[...]string{"~", ""}[g.when]`, new: `[...]string{"", "~"}[g.when]`,
		test: "./bridge/lanes TestAgrees/portable/guards", says: "and in verilator",
	},
	{
		name: "what registers behind a condition are made of is lost", file: "bridge/lanes/avx2.go",
		old: "	a.at-- // Until", new: "	// Until",
		test: "./bridge/lanes TestAgrees/AVX2/guards", says: "and in verilator",
	},
	{
		name: "registers are behind a condition that they hold under", file: "bridge/lanes/guards.go",
		old: "possible && bits[g.by] != g.when", new: "possible && bits[g.by] == g.when",
		test: "./bridge/lanes TestAgrees/AVX2/guards", says: "and in verilator",
	},
	{
		name: "registers behind one condition shift into each other", file: "bridge/lanes/guards.go",
		old: "return at != n && at >= 0 && within[at]", new: "return at < -1",
		test: "./bridge/lanes TestAgrees/[^/]*/guards", says: "and in verilator",
	},
	{
		name: "registers behind conditions are stored before those that read them", file: "bridge/lanes/guards.go",
		old: "	slices.Reverse(sorted)\n", new: "",
		test: "./bridge/lanes TestAgrees/[^/]*/guards", says: "and in verilator",
	},
	{
		name: "registers behind two conditions do not change places", file: "bridge/lanes/guards.go",
		old: "				case state[read] == open:\n					state[g] = out\n					return\n", new: "				case state[read] == open:\n",
		test: "./bridge/lanes TestAgrees/[^/]*/guards", says: "and in verilator",
	},
	{
		name: "registers behind a condition are stored before what reads them", file: "bridge/lanes/order.go",
		old: "		for _, state := range g.states {\n			at = o.after(state, at, position)\n		}\n", new: "",
		test: "./bridge/lanes TestAgrees/[^/]*/guards", says: "and in verilator",
	},
	{
		name: "registers are stored before those behind a condition have read them", file: "bridge/lanes/order.go",
		old: "			position[l] = at // what it reads is stored later\n", new: "			_ = l\n",
		test: "./bridge/lanes TestAgrees/[^/]*/guards", says: "and in verilator",
	},
	{
		name: "a LUT is moved before what it reads", file: "bridge/lanes/pressure.go",
		old: " && p.waits[r] == 0", new: "",
		test: "./bridge/lanes TestAgrees/[^/]*/logic", says: "and in verilator",
	},
	{
		name: "a LUT is moved before the memory that it reads", file: "bridge/lanes/pressure.go",
		old: "p.stage[r] == p.stage[like]", new: "p.stage[r] >= 0",
		test: "./bridge/lanes TestAgrees/[^/]*/memories", says: "and in verilator",
	},
	{
		name: "stimuli in lanes: the model gets the inputs of lane 0", file: "sim/stimuli.go",
		old: "want = p.model.Step(r.in[row])", new: "want = p.model.Step(r.in[k*lanes.Count])",
		test: "./sim TestCompareLanes", says: "a sound counter: ",
	},
	{
		name: "stimuli in lanes: a violated assertion is that of all", file: "sim/stimuli.go",
		old: "for lane := range v.Lanes.Lanes() {", new: "for lane := range r.playing {",
		test: "./sim TestLaneAssertions", says: "the assertion at",
	},
	{
		name: "perft in lanes: what was kept of a part is not added", file: "rtl/perftengine/count/work.go",
		old: "			t.count.Nodes += nodes\n", new: "",
		test: "./rtl/perftengine/count TestSplit", says: "again true",
	},
}
