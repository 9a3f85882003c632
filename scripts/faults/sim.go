package main

// Faults in package sim: binding, stepping, comparing, reports, second runs.
var simFaults = []fault{
	{
		name: "an output not compared", file: "sim/bind.go",
		old: "	for i, mask := range b.ports {\n		x := word(want", new: "	for i, mask := range b.ports {\n		mask &^= 0xff00\n		x := word(want",
		test: "./sim TestEveryKindOfField|TestCounterFaultsAreFound", says: "--- FAIL",
	},
	{
		name: "only the first row of a tape compared", file: "sim/expect.go",
		old: "	for i := range n {\n		w, g, u", new: "	for i := range min(n, 1) {\n		w, g, u",
		test: "./sim TestEveryRowIsCompared/verilator", says: "row 1 is spoilt",
	},
	{
		name: "the last row of a tape not compared", file: "sim/expect.go",
		old: "		same, misfit := d.differ(want, out, done, dontCare)", new: "		same, misfit := d.differ(want, out, max(done-1, 0), dontCare)\n		if same == done-1 {\n			same = done\n		}",
		test: "./sim TestEveryRowIsCompared/verilator", says: "row 4095 is spoilt",
	},
	{
		name: "unknown bits pass for 0", file: "sim/expect.go",
		old: "got[:n*size]) && (d.unknown == nil || allZero(d.unknown[:n*size])) {", new: "got[:n*size]) {",
		test: "./sim TestUnknownIsADifference", says: "an X where 0 is due",
	},
	{
		name: "unknown bits of the last bytes pass for 0", file: "sim/expect.go",
		old: "	return len(b) == 0 || word(b, 0) == 0", new: "	return true",
		test: "./sim TestUnknownIsADifference", says: "an X where 0 is due",
	},
	{
		name: "a mask of don't-care applied to all bits", file: "sim/bind.go",
		old: "			x &^= word(ignored, 8*i)", new: "			if word(ignored, 8*i) != 0 {\n				x = 0\n			}",
		test: "./sim TestExpectMask|TestEveryRowIsCompared/verilator", says: "--- FAIL",
	},
	{
		name: "don't-care of one cycle applied to all", file: "sim/expect.go",
		old: "d.out.differ(w, g, u, dontCare(w)) {", new: "d.out.differ(w, g, u, dontCare(row(want, 0, size))) {",
		test: "./sim TestMaskOfEachCycle", says: "nobody cares about cycle 0",
	},
	{
		name: "don't-care of the model ignored", file: "sim/model.go",
		old: "		return dc.DontCare\n", new: "		_ = dc\n",
		test: "./sim TestCompare/verilator", says: "--- FAIL",
	},
	{
		name: "values that do not fit their ports pass", file: "bridge/fit.go",
		old: "	if v>>p.Width != 0 {", new: "	if v>>p.Width > 1 {",
		test: "./bridge TestInputsThatDoNotFit/icarus", says: "gives <nil>",
	},
	{
		name: "signed values that do not fit pass", file: "bridge/fit.go",
		old: "if top := s >> (p.Width - 1); top != 0 && top != -1 {", new: "if top := s >> p.Width; top != 0 && top != -1 {",
		test: "./sim TestValuesThatDoNotFit/icarus", says: "Small: 16, which is not in",
	},
	{
		name: "a value that does not fit named as another's", file: "sim/bind.go",
		old: "return f.port.Name == p.Name })", new: "return f.port.Name >= p.Name })",
		test: "./sim TestValuesThatDoNotFit/verilator", says: "does not fit",
	},
	{
		name: "expected outputs that cannot be pass", file: "sim/expect.go",
		old: "		if err := d.out.misfit(w); err != nil {", new: "		if err := d.out.misfit(w); err != nil && false {",
		test: "./sim TestExpectationsThatDoNotFit", says: "echo stands in cycle 3",
	},
	{
		name: "the copies of a sign that does not matter are compared", file: "sim/bind.go",
		old: "p.Signed && mask[sign/8]", new: "false && p.Signed && mask[sign/8]",
		test: "./sim TestSignedOutputThatIsOpen/icarus", says: "stands in cycle",
	},
	{
		name: "two fields may be bound to one port", file: "sim/bind.go",
		old: "		delete(left, p.Name)\n		p.Offset", new: "		p.Offset",
		test: "./sim TestTwoFieldsOfAPort", says: "two fields of a port",
	},
	{
		name: "a port without a field passes", file: "sim/bind.go",
		old: "		if _, unbound := left[p.Name]; unbound {", new: "		if _, unbound := left[p.Name]; unbound && dir == bridge.Input {",
		test: "./sim TestBindErrors/missing_output", says: "it opened",
	},
	{
		name: "fields that hold pointers pass", file: "sim/bind.go",
		old: "			if pointers(f.Type) {", new: "			if false {",
		test: "./sim TestNoPointers", says: "in it: ",
	},
	{
		name: "cycle of a difference off by one", file: "sim/expect.go",
		old: "		d.keep(first, in, out, d.unknown, min(same+1, end))", new: "		d.keep(first+1, in, out, d.unknown, min(same+1, end))",
		test: "./sim TestEveryRowIsCompared/verilator|TestReport", says: "--- FAIL",
	},
	{
		name: "history loses the tape before", file: "sim/history.go",
		old: "	for i := h.n - min(h.n, shown); i < h.n; i++ {", new: "	for i := h.n - min(h.n, shown, 3); i < h.n; i++ {",
		test: "./sim TestHistoryOverTapes|TestReport", says: "the waveform does not have 20 cycles",
	},
	{
		name: "inputs in the history are those of the cycle before", file: "sim/history.go",
		old: "row(in, i, d.layout.InSize)", new: "row(in, max(i-1, 0), d.layout.InSize)",
		test: "./sim TestReport", says: "the report differs",
	},
	{
		name: "wrong simulator named", file: "sim/difference.go",
		old: "	diff.Columns = []string{\"model\", string(d.simulator)}", new: "	diff.Columns = []string{\"model\", string(Verilator)}",
		test: "./sim TestReport", says: "the report differs",
	},
	{
		name: "unknown bits not shown in the report", file: "sim/difference.go",
		old: "	return valueOf(p, row(got, r, d.layout.OutSize), d.unknownFrom(r))", new: "	return valueOf(p, row(got, r, d.layout.OutSize), nil)",
		test: "./sim TestReport", says: "the report differs",
	},
	{
		name: "seed of the command line not passed on", file: "sim/testing.go",
		old: "	mine = append(mine, WithSeed(*seedFlag), WithLogger(logger))", new: "	mine = append(mine, WithLogger(logger))",
		test: "./sim TestSeedFlag", says: "power-up",
	},
	{
		name: "seed of an option ignored", file: "sim/sim.go",
		old: "func WithSeed(seed uint64) Option { return func(o *options) { o.Seed = seed } }", new: "func WithSeed(seed uint64) Option { return func(o *options) { _ = seed } }",
		test: "./sim TestOptions", says: "ten seeds give the power-up values",
	},
	{
		name: "time limit ignored", file: "sim/sim.go",
		old: "func WithTimeout(d time.Duration) Option { return func(o *options) { o.Timeout = d } }", new: "func WithTimeout(d time.Duration) Option { return func(o *options) { o.Timeout = max(d, 12*time.Second) } }",
		test: "./sim TestOptions", says: "a loop without end gives",
	},
	{
		name: "command that reproduces has another seed", file: "sim/testing.go",
		old: `fmt.Sprintf("-sim.seed=%d", *seedFlag)`, new: `fmt.Sprintf("-sim.seed=%d", *seedFlag+1)`,
		test: "./sim TestSecondRunHasTheSeed", says: "the report lacks",
	},
	{
		name: "flags of the tests' own are missing where a test is said to be run again", file: "sim/testing.go",
		old: `		if !ours || name`, new: `		if !ours && false || name`,
		test: "./sim TestSecondRunHasTheFlags", says: "the report lacks",
	},
	{
		name: "flags are not for a shell where a test is said to be run again", file: "internal/shell/shell.go",
		old: "`[^\\w@%+=:,./-]`", new: "`^$`",
		test: "./sim TestSecondRunHasTheFlags", says: "the report lacks",
	},
	{
		name: "the simulator that was chosen is missing where a test is said to be run again", file: "sim/testing.go",
		old: ` || chosen {`, new: ` || chosen && false {`,
		test: "./sim TestSecondRunHasTheFlags", says: "the report lacks",
	},
	{
		name: "files of a failure while another process makes its own", file: "sim/failure.go",
		old: `unlock, problem := lockedfile.MutexAt(filepath.Join(dir, ".lock")).Lock()`, new: `unlock, problem := lockedfile.MutexAt(filepath.Join(t.TempDir(), ".lock")).Lock()`,
		test: "./sim TestFailuresAtOnce", says: "while another process had the folder",
	},
	{
		name: "an earlier failure's files are taken for this one's", file: "sim/failure.go",
		old: "err != nil && !errors.Is(err, fs.ErrNotExist) {", new: "err != nil && errors.Is(err, fs.ErrNotExist) {",
		test: "./sim TestFilesOfAnEarlierFailure", says: "it printed",
	},
	{
		name: "a folder that coverage cannot be written to ends in a loop", file: "sim/cover/collect.go",
		old: "	return func() {\n		process.Lock()", new: "	return func() {\n		t.Helper()\n		process.Lock()",
		test: "./sim/cover TestCollectFailure", says: "signal: killed",
	},
	{
		name: "GTKWave's save file names another scope than Verilator's waveform has", file: "sim/difference.go",
		old: `f.FSTScope = "TOP." + d.design.Top`, new: `f.FSTScope = d.design.Top`,
		test: "./sim TestSaveFileFitsWaveform", says: "is not in the waveform",
	},
	{
		name: "an error of the RTL is reported with the cycle in which its tape ended", file: "sim/message.go",
		old: "	if at, ok := happened(err); ok && at", new: "	if at, ok := happened(err); !ok && at",
		test: "./sim TestErrorWithinATape/verilator", says: "the report lacks",
	},
	{
		name: "lockstep hides an error behind a later difference", file: "sim/lockstep.go",
		old: "ok && at < earliest.Cycle {", new: "ok && at > earliest.Cycle {",
		test: "./sim TestLockstepReportsTheEarlierError", says: "the report lacks",
	},
	{
		name: "a model of several clocks begins before the reset", file: "sim/model.go",
		old: "		for range cycle {\n", new: "		for range cycle - min(cycle, 1) {\n",
		test: "./sim TestLockstepOfSeveralClocks", says: "two differs from its model",
	},
	{
		name: "a reset too short for a slow clock", file: "sim/check.go",
		old: "slices.Min(risen) >= resetCycles", new: "slices.Max(risen) >= resetCycles",
		test: "./sim TestLockstepOfSeveralClocks", says: "two differs from its model",
	},
	{
		name: "RTL outside of the module, which go test does not watch, is taken", file: "sim/testing.go",
		old: "dir == \"\" || filepath.IsLocal(rel)", new: "dir == \"\" || rel != \"\"",
		test: "./sim TestFilesOutsideOfTheModule", says: "the log lacks",
	},
	{
		name: "second run with another seed", file: "sim/rerun.go",
		old: `fmt.Sprintf("-sim.seed=%d", Seed()), //`, new: `fmt.Sprintf("-sim.seed=%d", 99+0*Seed()), //`,
		test: "./sim TestSecondRunHasTheSeed", says: "with seed 99",
	},
	{
		name: "second run is of all tests", file: "sim/rerun.go",
		old: `		"-test.run=" + pattern(r.Test), `, new: `		`,
		test: "./sim TestSecondRunHasTheSeed", says: "the runs were",
	},
	{
		name: "a second run that passes goes unnoticed", file: "sim/rerun.go",
		old: "	case err == nil:\n		return \"\", errors.New", new: "	case err == nil:\n		return \"\", nil\n		return \"\", errors.New",
		test: "./sim TestFailureThatDoesNotComeAgain", says: "the log lacks",
	},
	{
		name: "-sim.only ignored", file: "sim/testing.go",
		old: "	return []Simulator{s}\n}", new: "	return []Simulator{s, Simulators[0]}[1:]\n}",
		test: "./sim TestOnlyFlag", says: "-sim.only=verilator runs on",
	},
	{
		name: "reset not held", file: "sim/device.go",
		old: "		if _, err := d.step(unsafe.Pointer(unsafe.SliceData(in)));", new: "		if _, err := d.step(unsafe.Pointer(unsafe.SliceData(memory(len(in)))));",
		test: "./sim TestCounter$|TestExpectMask", says: "--- FAIL",
	},
	{
		name: "Compare does not reset", file: "sim/check.go",
		old: "	if c.duts[0].device.reset >= 0 {", new: "	if c.duts[0].device.reset >= 0 && c.duts[0].device.cycle == 0 {",
		test: "./sim TestCompare/verilator", says: "--- FAIL",
	},
	{
		name: "only the first DUT is reset", file: "sim/check.go",
		old: "		for _, d := range c.duts {\n			if err := d.Reset(", new: "		for _, d := range c.duts[:1] {\n			if err := d.Reset(",
		test: "./sim TestEachInLockstep", says: "--- FAIL",
	},
	{
		name: "the model is not reset", file: "sim/model.go",
		old: "	m.Reset()\n", new: "",
		test: "./sim TestCompare/verilator", says: "--- FAIL",
	},
	{
		name: "Reset keeps the other inputs", file: "sim/device.go",
		old: "	in := memory(d.layout.InSize)\n", new: "	in := slices.Clone(d.past.ring[(d.past.n+kept-1)%kept].In)\n",
		test: "./sim TestResetClearsInputs", says: "after the reset the count is",
	},
	{
		name: "active-low reset driven high", file: "sim/device.go",
		old: "	if !d.design.ResetActiveLow {", new: "	if d.design.ResetActiveLow || true {",
		test: "./sim TestResetActiveLow", says: "after the reset",
	},
	{
		name: "$error hidden by the $finish behind it", file: "sim/message.go",
		old: "	return errors.Join(reported, end)", new: "	return end",
		test: "./sim TestErrorBeforeTheEnd", says: "without the $error",
	},
	{
		name: "the end of the simulation hidden by an $error before it", file: "sim/message.go",
		old: "	return errors.Join(reported, end)", new: "	return reported",
		test: "./sim TestErrorBeforeTheEnd", says: "without the $finish",
	},
	{
		name: "$error swallowed", file: "sim/message.go",
		old: "		if m.Severity == bridge.Error && !d.options.errors && first == nil {", new: "		if m.Severity == bridge.Error && d.options.errors && first == nil {",
		test: "./sim TestErrorMessages", says: "$error",
	},
	{
		name: "$error of settling swallowed", file: "sim/device.go",
		old: "	err = both(d.log(d.instance.Messages()), err)\n", new: "	d.log(d.instance.Messages())\n",
		test: "./sim TestErrorMessages", says: "settl",
	},
	{
		name: "lockstep compares the first simulator only", file: "sim/check.go",
		old: "	for i, d := range c.duts {\n		g.Go(", new: "	for i, d := range c.duts[:1] {\n		g.Go(",
		test: "./sim TestEachInLockstep", says: "lockstep, verilator wrong",
	},
	{
		name: "lockstep reports the later difference", file: "sim/lockstep.go",
		old: "earliest == nil || diff.Cycle < earliest.Cycle {", new: "earliest == nil || diff.Cycle > earliest.Cycle {",
		test: "./sim TestEachInLockstep", says: "--- FAIL",
	},
	{
		name: "last tape of a stimulus not compared", file: "sim/check.go",
		old: "	if err := c.play(); err != nil {\n		return err\n	}\n	switch {", new: "	switch {",
		test: "./sim TestLastCycleIsCompared", says: "the last of 1 cycles differs",
	},
	{
		name: "a model that does not care about anything passes", file: "sim/check.go",
		old: "	c.compared = c.dontCare == nil", new: "	c.compared = true",
		test: "./sim TestCarelessModel", says: "not that nothing was compared",
	},
	{
		name: "shrunk stimulus not confirmed on the failing simulator", file: "sim/shrink.go",
		old: "	if !same(last) {", new: "	if same(nil) {",
		test: "./sim TestShrinkIsConfirmed", says: "fails elsewhere",
	},
	{
		name: "the report of an expected value that does not fit ends before its cycle", file: "sim/expect.go",
		old: "		d.keep(first, in, out, d.unknown, min(same+1, end))\n", new: "		if misfit == nil {\n			d.keep(first, in, out, d.unknown, min(same+1, end))\n		}\n",
		test: "./sim TestMisfitsAreReportedInTheirCycle", says: "the expected outputs: the report lacks",
	},
	{
		name: "a model that panics ends the shrinking", file: "sim/shrink.go",
		old: "			if r := recover(); r != nil {", new: "			if r := any(nil); r != nil {",
		test: "./sim TestShrinkIsConfirmed", says: "--- FAIL",
	},
	{
		name: "a stimulus that cannot be drawn is an error in a line of the framework", file: "sim/check.go",
		old: "		c.helper()\n", new: "",
		test: "./sim TestUnsatisfiableNamesTheTest", says: "0 of 2 simulators' errors",
	},
	{
		name: "shrunk to another failure", file: "sim/shrink.go",
		old: "	same := func(err error) bool { return alike(err, failed) }", new: "	same := func(err error) bool { return err != nil }",
		test: "./sim TestShrinkIsConfirmed", says: "not of 2 steps",
	},
	{
		name: "shrunk to another output's failure", file: "sim/shrink.go",
		old: " && subject(a) == subject(b)\n", new: "\n",
		test: "./sim TestShrinkIsConfirmed", says: "not one for y_o",
	},
	{
		name: "second run covers too", file: "sim/rerun.go",
		old: `"-sim.cover=",                       // what`, new: "// what",
		test: "./sim TestSecondRunDoesNotCover", says: "leave 2 databases",
	},
	{
		name: "second run's flags behind the arguments", file: "sim/rerun.go",
		old: "	n := len(os.Args) - flag.NArg()\n	if os.Args[n-1] == \"--\" {\n		n--\n	}\n", new: "	_ = flag.NArg()\n	n := len(os.Args)\n",
		test: "./sim TestSecondRunWithArguments", says: "the runs were",
	},
	{
		name: "clocks that rise for the model are those of the next cycle", file: "sim/model.go",
		old: "	_, rises := c.schedule.Next()\n	return c.m.Step", new: "	_, rises := c.schedule.Copy().Next()\n	return c.m.Step",
		test: "./sim TestAsyncFIFO$/verilator", says: "--- FAIL",
	},
	{
		name: "time of several clocks stands still", file: "sim/device.go",
		old: "	for i := 0; i < done && len(d.clocks) > 1; i++ {", new: "	for i := 0; i < done && len(d.clocks) > 2; i++ {",
		test: "./sim TestAsyncFIFO$/verilator", says: "instants of 10 ns and 13 ns clocks took",
	},
	{
		name: "a tape of several runs repeats its first outputs", file: "sim/device.go",
		old: "		in, out, n = in[part*d.layout.InSize:], out[part*d.layout.OutSize:], n-part\n", new: "		in, n = in[part*d.layout.InSize:], n-part\n",
		test: "./sim TestEveryRowIsCompared/verilator", says: "Run over several tapes",
	},
	{
		name: "a subtest's failure is reported by the tests around it once more", file: "sim/failure.go",
		old: "		if t == other || within(t.Name(), other.Name()) {", new: "		if t == other {",
		test: "./sim TestFailureOfASharedDUT", says: "2 reports",
	},
	{
		name: "the second run does not record what the tests around have opened", file: "sim/rerun.go",
		old: "return r.Test == t.Name() || within(r.Test, t.Name())", new: "return r.Test == t.Name()",
		test: "./sim TestFailureOfASharedDUT", says: "no verilator.fst",
	},
	{
		name: "a failure of the testbench leaves no report", file: "sim/testing.go",
		old: "		if t.Failed() && !run.done && !run.second && !fuzzing() {", new: "		if t.Failed() && run.done && !run.second && !fuzzing() {",
		test: "./sim TestFailureByHandLeavesEvidence", says: "--- FAIL: TestFailureByHandLeavesEvidence",
	},
	{
		name: "a forced word of a memory is written back at the end of a tape only", file: "sim/hold.go",
		old: "		if done, err := h.Instance.Run(ctx, &r, 1); err != nil {", new: "		if i > 0 {\n			break\n		}\n		if done, err := h.Instance.Run(ctx, &r, n); err != nil {",
		test: "./sim TestForcedWord/verilator", says: "what was registered differs",
	},
	{
		name: "a forced word of a memory is not written back after a falling edge", file: "sim/hold.go",
		old: "	if err := h.writeBack(); err != nil {\n		return err\n	}\n	if", new: "	if",
		test: "./sim TestForcedWordOfFallingEdge/icarus", says: "--- FAIL",
	},
	{
		name: "a word of a memory that cannot be held goes unnoticed", file: "sim/hold.go",
		old: "got.String() != v.String()", new: "got.Width != v.Width",
		test: "./sim TestForcedWordOfFallingEdge/verilator", says: "the error of an open latch that is forced is <nil>",
	},
	{
		name: "a released word of a memory is still forced", file: "sim/hold.go",
		old: "		if delete(h.words, name); len(h.words) == 0 {", new: "		if len(h.words) == 0 {",
		test: "./sim TestForcedWord/icarus", says: "what was read differs",
	},
	{
		name: "a difference that a test compared by hand is reported as where the test ended", file: "sim/difference.go",
		old: "	if d.differs != nil {\n", new: "	if false {\n",
		test: "./sim TestFailureAfterComparing", says: "the report is another one than Check's",
	},
	{
		name: "bits of a value that does not fit are lost", file: "sim/signal.go",
		old: "			width = max(width, bits.Len64(v))\n", new: "			v &= 1<<width - 1\n			_ = bits.Len64\n",
		test: "./sim TestBits/icarus", says: "0x12c: the error is <nil>",
	},
	{
		name: "a reset that there is not passes", file: "sim/device.go",
		old: "	if d.Reset != \"\" && p.reset < 0 {", new: "	if d.Reset != \"\" && p.reset < -1 {",
		test: "./sim TestBindErrors", says: "it opened",
	},
}
