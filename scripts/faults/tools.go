package main

// Faults in coverage, stimulus, shrinking, fuzzing and reports.
var toolFaults = []fault{
	{
		name: "coverage not merged: the last process counts", file: "sim/cover/coverdb/data.go",
		old: "	d.Code[p] = Sum(d.Code[p], count)", new: "	d.Code[p] = count",
		test: "./sim/cover/coverdb TestMergeOrder|TestFiles", says: "--- FAIL",
	},
	{
		name: "coverage of bins not merged", file: "sim/cover/coverdb/data.go",
		old: "		h.Count = Sum(h.Count, old.Count)", new: "		h.Count = max(h.Count, old.Count)",
		test: "./sim/cover TestMergeOfStreams", says: "-one +merged",
	},
	{
		name: "coverage of bins with other values added up", file: "sim/cover/coverdb/data.go",
		old: "		return ok && old.Values != other.Bins[b].Values", new: "		return ok && old.Values == \"none\"",
		test: "./sim/cover/coverdb TestOtherValues", says: "something was added",
	},
	{
		name: "the values of bins are not in the coverage", file: "sim/cover/group.go",
		old: ", Order: order, Values: b.values}", new: ", Order: order}",
		test: "./sim/cover TestValues", says: "has the values",
	},
	{
		name: "a transition goes on over a restart", file: "sim/cover/point.go",
		old: "{ clear(p.matcher.state) }", new: "{}",
		test: "./sim/cover TestRestart", says: "over a restart",
	},
	{
		name: "a goal that is reached without a sample", file: "sim/cover/group.go",
		old: "	if hits == 0 {", new: "	if false {",
		test: "./sim/cover TestMistakes", says: "a goal of no hits",
	},
	{
		name: "coverage that was cut taken for whole", file: "sim/cover/coverdb/text.go",
		old: "			case err != nil || n != at-1:", new: "			case err != nil || n < 0:",
		test: "./sim/cover/coverdb TestForeign", says: "the file was damaged",
	},
	{
		name: "coverage of Verilator's: points of two lines merged", file: "sim/cover/coverdb/verilator.go",
		old: "			p.Line, err = number(value)", new: "			_, err = number(value)",
		test: "./sim/cover/coverdb TestParseVerilator$", says: "(-want +got)",
	},
	{
		name: "coverage of a test that ends early lost", file: "sim/cover/collect.go",
		old: "		if process.holds--; process.holds > 0 {", new: "		if process.holds--; process.holds >= 0 && process.name != \"\" {",
		test: "./sim/cover TestCollect$", says: "hits",
	},
	{
		name: "coverage: toggles not in lcov's tracefile", file: "sim/cover/coverreport/lcov.go",
		old: "			if p.kind() == Line {", new: "			if !p.Branch {",
		test: "./sim/cover/coverreport TestLCOV", says: "--- FAIL",
	},
	{
		name: "coverage: a branch of a line that lcov's tracefile does not count", file: "sim/cover/coverreport/lcov.go",
		old: "			if !p.Branch {", new: "			if p.Branch {",
		test: "./sim/cover/coverreport TestLCOV", says: "--- FAIL",
	},
	{
		name: "coverage of two folders' files in one row", file: "sim/testing.go",
		old: "		base = filepath.ToSlash(rel)", new: "		base, _ = module.Package(), rel",
		test: "./sim TestCoveredFiles", says: "--- FAIL",
	},
	{
		name: "coverage of two versions of a file added up", file: "sim/cover/coverdb/data.go",
		old: "ok && old != other.Files[name] {", new: "ok && old == \"\" {",
		test: "./sim/cover/coverdb TestChangedSource", says: "--- FAIL",
	},
	{
		name: "coverage: a file without points taken for covered", file: "sim/cover/collect.go",
		old: "counted[name] || hasCode(s)", new: "counted[name]",
		test: "./sim/cover TestCollect$", says: "files (-want +got)",
	},
	{
		name: "coverage: a line's count is that of one instance", file: "sim/cover/coverreport/report.go",
		old: "			executed[l] = coverdb.Sum(executed[l], count)", new: "			executed[l] = max(executed[l], count)",
		test: "./sim/cover/coverreport TestCounts", says: "(-want +got)",
	},
	{
		name: "only the last --fail-under holds", file: "cmd/cosimate/cover.go",
		old: "strings.Join(failUnder, \",\")", new: "failUnder[len(failUnder)-1]",
		test: "./cmd/cosimate TestScripts/cover", says: "the exit status is 0, not 1",
	},
	{
		name: "an illegal value passes", file: "sim/cover/point.go",
		old: "	if seg.illegal >= 0 {", new: "	if seg.illegal > 1<<20 {",
		test: "./sim/cover TestIllegal", says: "too long",
	},
	{
		name: "a cross counts wrong combinations", file: "sim/cover/cross.go",
		old: "		cell += c.offset[i][seg.crossed[0]]", new: "		cell = c.offset[i][seg.crossed[0]]",
		test: "./sim/cover TestGroup", says: "<read,one>",
	},
	{
		name: "a transition over any values counts", file: "sim/cover/point.go",
		old: "		m.state[w] = (m.state[w]<<1 | m.starts[w]) & seg.mask[w]", new: "		m.state[w] |= (m.state[w]<<1 | m.starts[w]) & seg.mask[w]",
		test: "./sim/cover TestTransitions", says: "hits, not",
	},
	{
		name: "a guard ignored", file: "sim/cover/point.go",
		old: "	if p.iff != nil && !p.iff(s) {", new: "	if p.iff != nil && p.sealed && false {",
		test: "./sim/cover TestGroup", says: "size",
	},
	{
		name: "stimulus: wrong seed", file: "sim/stim/stim.go",
		old: "rand.NewPCG(g.seed, 0x9e3779b97f4a7c15)", new: "rand.NewPCG(g.seed|1, 0x9e3779b97f4a7c15)",
		test: "./sim/stim TestGolden", says: "the sequence of seed 42 has changed",
	},
	{
		name: "stimulus: the two simulators see different ones", file: "sim/stim/stim.go",
		old: "		r := g.start()\n		for range n {", new: "		if g.run == nil {\n			g.run = g.start()\n		}\n		r := g.run\n		for range n {",
		test: "./sim/stim TestRhythm", says: "draws otherwise",
	},
	{
		name: "stimulus: a constraint not looked at", file: "sim/stim/stim.go",
		old: "		for which < len(r.constraints) && r.constraints[which].holds(&r.drawn) {", new: "		for which < len(r.constraints) && (which > 0 || r.constraints[which].holds(&r.drawn)) {",
		test: "./sim/stim TestConstraints", says: "--- FAIL",
	},
	{
		name: "stimulus: the greatest value never drawn", file: "sim/stim/plan.go",
		old: "o.draw, o.lo, o.n = uniform, f.Items[0].Lo, f.Items[0].Span()+1", new: "o.draw, o.lo, o.n = uniform, f.Items[0].Lo, max(f.Items[0].Span(), 1)",
		test: "./sim/stim TestValues", says: "op 5",
	},
	{
		name: "stimulus: values beyond the port's width", file: "sim/internal/inputs/inputs.go",
		old: "	n := min(f.Bits-8*f.Word*i, 8*f.Word)", new: "	n := min(8*f.Size-8*f.Word*i, 8*f.Word)",
		test: "./sim/stim TestValues", says: "beyond",
	},
	{
		name: "shrinking: what passes taken for what fails", file: "sim/shrink/shrink.go",
		old: "	ok, err := s.ask(candidate)\n	if err != nil || !ok {", new: "	ok, err := s.ask(candidate)\n	if err != nil || !ok && len(candidate) > 1 {",
		test: "./sim/shrink TestMinimize$", says: "--- FAIL",
	},
	{
		name: "shrinking: the result not run again", file: "sim/shrink/shrink.go",
		old: "		if err == nil && !ok {\n			r.Complete", new: "		if err == nil && !ok && false {\n			r.Complete",
		test: "./sim/shrink TestErrors", says: "not repeatable",
	},
	{
		name: "shrinking: steps that are not needed stay", file: "sim/shrink/shrink.go",
		old: "	for i := n - 1; i >= 0; i-- {", new: "	for i := n - 1; i >= 1; i-- {",
		test: "./sim/shrink TestMinimize", says: "--- FAIL",
	},
	{
		name: "shrinking: values that their tags forbid", file: "sim/shrink/simplify.go",
		old: "		if change(p) && f.Allows(p) {", new: "		if change(p) {",
		test: "./sim/shrink TestMinimize$", says: "--- FAIL",
	},
	{
		name: "shrinking: how a port is shown taken for its name", file: "sim/shrink/print.go",
		old: `strings.Cut(f.Port, ",")`, new: `strings.Cut(f.Port, ";")`,
		test: "./sim/shrink TestPrint", says: "table (-want +got)",
	},
	{
		name: "fuzzing: what was counted before counts as new", file: "sim/fuzz/guide.go",
		old: "	copy(g.before, g.live)\n", new: "",
		test: "./sim/fuzz TestCase$", says: "what the first has counted is no news",
	},
	{
		name: "fuzzing: what the reset reaches counts", file: "sim/fuzz/guide.go",
		old:  "	if g.dut.Design().Reset != \"\" {\n		g.dut.Reset(g.dut.ResetCycles()) // after an error the DUT has ended: run gets the same error\n	}\n	copy(g.before, g.live)\n",
		new:  "	copy(g.before, g.live)\n	if g.dut.Design().Reset != \"\" {\n		g.dut.Reset(g.dut.ResetCycles())\n	}\n",
		test: "./sim/fuzz RightBytes", says: "and after other cases",
	},
	{
		name: "fuzzing: cases go on with a simulation that has ended", file: "sim/fuzz/run.go",
		old: "dut.Settle(none); err != nil {", new: "dut.Settle(none); err != nil && false {",
		test: "./sim/fuzz TestACaseThatEnds", says: `lacks "--- PASS: FuzzDies/seed#1"`,
	},
	{
		name: "fuzzing: a case without a reset goes on from the one before", file: "sim/fuzz/run.go",
		old: "		if stays {", new: "		if stays && log == nil {",
		test: "./sim/fuzz FuzzKeeps", says: "that is of an earlier case",
	},
	{
		name: "fuzzing: a decoder of one's own reads the byte that Go's minimizer changes", file: "sim/fuzz/run.go",
		old: "decode(data[:max(len(data)-Spare, 0)])", new: "decode(data)",
		test: "./sim/fuzz FuzzOwnDecoder", says: "decoded to",
	},
	{
		name: "fuzzing: no reset before a case", file: "sim/fuzz/guide.go",
		old: `if g.dut.Design().Reset != ""`, new: "if false",
		test: "./sim/fuzz RightBytes", says: "--- FAIL",
	},
	{
		name: "fuzzing: the byte that Go's minimizer must be free to change is read", file: "sim/fuzz/decoder.go",
		old: "	data = data[:max(len(data)-Spare, 0)]\n", new: "",
		test: "./sim/fuzz TestDecoderIsLocal", says: "the last byte is read",
	},
	{
		name: "fuzzing: a byte decoded into the next field", file: "sim/fuzz/decoder.go",
		old: "		d.size += p.bytes\n", new: "		d.size += max(p.bytes-1, 1)\n",
		test: "./sim/fuzz TestDecoder", says: "--- FAIL",
	},
	{
		name: "report: bits that nobody cares about shown as differing", file: "sim/report/report.go",
		old: "	return x.AndNot(x, low(p.Ignored, p.width()))", new: "	return x",
		test: "./sim/report TestDiffer", says: "differ in",
	},
	{
		name: "report: an X that the model has, too, agrees", file: "sim/report/report.go",
		old: "	x.Or(x, wantUnknown).Or(x, gotUnknown)", new: "	x.Or(x, new(big.Int).Xor(wantUnknown, gotUnknown))",
		test: "./sim/report TestDiffer", says: "differ in",
	},
	{
		name: "report: bits off by one", file: "sim/report/value.go",
		old: `fmt.Sprintf("[%d]", hi)`, new: `fmt.Sprintf("[%d]", hi+1)`,
		test: "./sim/report TestGolden|TestLook", says: "--- FAIL",
	},
	{
		name: "report: negative values without sign", file: "sim/report/value.go",
		old: "		if s.Signed && bits.Bit(s.width()-1) == 1 {", new: "		if s.Signed && bits.Bit(s.width()-1) == 2 {",
		test: "./sim/report TestValueText", says: `not "-2"`,
	},
	{
		name: "report: no command that reproduces", file: "sim/report/text.go",
		old: "	if again := clean(f.Reproduce); again != \"\" {", new: "	if again := clean(f.Reproduce); again == \"\" {",
		test: "./sim/report TestGolden|TestLook", says: "again:",
	},
}
