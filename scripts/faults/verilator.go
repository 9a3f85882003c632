package main

// Faults in the Verilator side of the bridge.
var verilatorFaults = []fault{
	{
		name: "sample taken after the edge", file: "bridge/verilator/shim/model.cpp",
		old: `            settle_row(m, row, in, out);
            ++rows;
            in += COSIM_IN_SIZE;
            out += COSIM_OUT_SIZE;
            before_edge(m, row);
            edge(m, row);
`,
		new: `            settle_row(m, row, in, out);
            ++rows;
            in += COSIM_IN_SIZE;
            before_edge(m, row);
            edge(m, row);
            cosim_sample(*m->dut->rootp, out);
            out += COSIM_OUT_SIZE;
`,
		test: "./bridge TestCycle/verilator", says: "cycle 0: reg_o = 0x1, not 0x55",
	},
	{
		name: "inputs applied after the edge", file: "bridge/verilator/shim/model.cpp",
		old: `    cosim_clock(*m->dut->rootp, 0, 0);
    cosim_apply(*m->dut->rootp, in);
    evaluate(m);
    cosim_sample`,
		new: `    cosim_clock(*m->dut->rootp, 0, 0);
    evaluate(m);
    cosim_apply(*m->dut->rootp, in);
    cosim_sample`,
		test: "./bridge TestCycle/verilator", says: "cycle 0: comb_o = ",
	},
	{
		name: "tape truncated: the last row is not played", file: "bridge/verilator/shim/model.cpp",
		old: "while (rows < n) {", new: "while (rows < n - (n > 1)) {",
		test: "./bridge TestTapeIsSteps/verilator", says: "a tape differs from steps",
	},
	{
		name: "second clock ignored", file: "bridge/verilator/shim/model.cpp",
		old:  "        if (m->clocks[c].rise == row.instant) {\n            cosim_clock(*m->dut->rootp, c, 1);",
		new:  "        if (m->clocks[c].rise == row.instant) {\n            if (c == 0) cosim_clock(*m->dut->rootp, c, 1);",
		test: "./bridge TestSeveralClocks/verilator$", says: "the clocks have risen",
	},
	{
		name: "falling edges of several clocks lost", file: "bridge/verilator/shim/model.cpp",
		old: `    while ((fall = cosim_next_fall(m->clocks, COSIM_CLOCKS)) < row.instant) {
        advance(m, fall);
        evaluate(m);
    }
`,
		new:  "",
		test: "./bridge TestFallingEdges/verilator", says: "the slow clock has fallen",
	},
	{
		name: "phase ignored", file: "bridge/internal/schedule/schedule.h",
		old: "c->rise = period / tick + c->low + phase / tick;", new: "c->rise = period / tick + c->low;",
		test: "./bridge TestSeveralClocks/", says: "the clocks",
	},
	{
		name: "period rounded to even ticks", file: "bridge/internal/schedule/schedule.h",
		old: "c->rise += c->low + c->high;", new: "c->rise += 2 * c->low;",
		test: "./bridge TestPeriod|TestSeveralClocks/verilator", says: "ns, not",
	},
	{
		name: "message's cycle off by one", file: "bridge/verilator/shim/output.cpp",
		old: "const cosim_record header{kind, 0, m->cycle};", new: "const cosim_record header{kind, 0, m->cycle + 1};",
		test: "./bridge TestMessages/verilator", says: "run 0",
	},
	{
		name: "message of a run lost when more come", file: "bridge/verilator/message.go",
		old:  "		if !v.open {\n			v.messages = append(v.messages, bridge.Message{Cycle: cycle})\n		}",
		new:  "		if !v.open {\n			v.messages = append(v.messages[:0:0], bridge.Message{Cycle: cycle})\n		}",
		test: "./bridge TestMessageFields/verilator", says: "power-up",
	},
	{
		name: "severity of $error lost", file: "bridge/verilator/message.go",
		old: `"%Error": bridge.Error, "%Warning"`, new: `"%Error": bridge.Info, "%Warning"`,
		test: "./bridge TestMessageFields/verilator", says: "runs of 1:",
	},
	{
		name: "$finish not noticed", file: "bridge/verilator/shim/output.cpp",
		old: `    cosim::note(COSIM_FINISH, file, line, "");` + "\n", new: "",
		test: "./bridge TestEnd/verilator", says: "how 1: the error is <nil>",
	},
	{
		name: "$fatal taken for $error: the run goes on", file: "bridge/verilator/fatal.go",
		old:   `		case text == "$fatal":` + "\n			places = append(places, fmt.Sprintf(\"%s:%d\", file, line))",
		new:   `		case text == "$fatal":` + "\n			_ = file",
		fresh: true, test: "./bridge TestEnd/verilator", says: "how 3: the error is",
	},
	{
		name: "rows sampled before the end counted wrong", file: "bridge/verilator/shim/model.cpp",
		old: "if (why != COSIM_RAN || !fits) m->end->rows = rows;", new: "if (why != COSIM_RAN || !fits) m->end->rows = rows - 1;",
		test: "./bridge TestEnd/verilator", says: "rows were sampled",
	},
	{
		name: "an ended model runs on", file: "bridge/verilator/instance.go",
		old: "			v.err = v.failed(why)\n			return done + int(v.host.end.rows), v.err", new: "			return done + int(v.host.end.rows), v.failed(why)",
		test: "./bridge TestEnd/verilator", says: "a run after the end gives",
	},
	{
		name: "a piece of a long run begins with the run's first row", file: "bridge/verilator/instance.go",
		old: "v.row(rows, done)", new: "v.row(rows, 0)",
		test: "./bridge TestLongTape$/verilator", says: "run 1, row 1 of",
	},
	{
		name: "rows before the last piece of a long run are not counted", file: "bridge/verilator/instance.go",
		old: "return done + int(v.host.end.rows), v.err", new: "return int(v.host.end.rows), v.err",
		test: "./bridge TestLongTapeEnds/verilator", says: "are played, with",
	},
	{
		name: "of a long run, a row that does not fit is counted in its piece", file: "bridge/verilator/instance.go",
		old: "			done += int(v.host.end.rows)\n			return done, v.misfit", new: "			done += int(v.host.end.rows)\n			return int(v.host.end.rows), v.misfit",
		test: "./bridge TestLongTapeEnds/verilator", says: "are played, with",
	},
	{
		name: "an active-low reset does not fall before the first cycle", file: "bridge/verilator/shim/model.cpp",
		old: "root.COSIM_RESET_LOW = 1;", new: "root.COSIM_RESET_LOW = 0;",
		test: "./bridge TestResetFromTheStart/verilator", says: "q_o is",
	},
	{
		name: "an active-low reset rises before the first cycle", file: "bridge/verilator/shim/model.cpp",
		old: `        root.COSIM_RESET_LOW = 1;
        Vdut___024root___eval_static(&root);
        Vdut___024root___eval_initial(&root);
`,
		new: `        Vdut___024root___eval_static(&root);
        Vdut___024root___eval_initial(&root);
        root.COSIM_RESET_LOW = 1;
`,
		test: "./bridge TestResetFallsOnce/verilator", says: "the reset has risen 1 times",
	},
	{
		name: "warnings of the compilers are told by each instance", file: "bridge/internal/warnings/warnings.go",
		old: "!known {", new: "known || true {",
		test: "./bridge TestCompilerWarnings", says: "instance 1",
	},
	{
		name: "seed ignored", file: "bridge/verilator/shim/model.cpp",
		old: "m->context->randSeed(static_cast<int>(options->seed % 0x7fffffff) + 1);", new: "m->context->randSeed(1);",
		test: "./bridge TestUnknown/verilator", says: "power-up values by seed 1, 2 and 1 again",
	},
	{
		name: "power-up not randomised", file: "bridge/verilator/shim/model.cpp",
		old: "m->context->randReset(2);", new: "m->context->randReset(0);",
		test: "./bridge TestUnknown/verilator", says: "power-up values by seed 1, 2 and 1 again",
	},
	{
		name: "words of a wide input swapped", file: "bridge/verilator/ports.go",
		old:  `fmt.Fprintf(&b, "    std::memcpy(%s.data(), row + %d, %d);\n", name, p.Offset, words(p)*4)`,
		new:  `fmt.Fprintf(&b, "    std::memcpy(%s.data(), row + %d, %d); std::swap(%s.data()[0], %s.data()[1]);\n", name, p.Offset, words(p)*4, name, name)`,
		test: "./bridge TestWidths/verilator", says: "out__65_o",
	},
	{
		name: "last word of a wide output missing", file: "bridge/verilator/ports.go",
		old:  `fmt.Fprintf(&b, "    std::memcpy(row + %d, %s.data(), %d);\n", p.Offset, name, n)`,
		new:  `fmt.Fprintf(&b, "    std::memcpy(row + %d, %s.data(), %d);\n", p.Offset, name, n-4)`,
		test: "./bridge TestWidths/verilator", says: "out__2079_o",
	},
	{
		name: "sign of an input not cut", file: "bridge/verilator/ports.go",
		old: "case p.Signed && p.Width != 8*p.Size:\n			mask", new: "case p.Signed && p.Width == 0:\n			mask",
		test: "./bridge TestSignsAreCut/verilator", says: "-1 on an input of",
	},
	{
		name: "input bits above the width pass", file: "bridge/verilator/ports.go",
		old: "uint%d_t(v) >> %d\", p.Size, p.Offset, p.Size*8, p.Width)", new: "uint%d_t(v) >> %d\", p.Size, p.Offset, p.Size*8, p.Width+1)",
		test: "./bridge TestInputsThatDoNotFit/verilator", says: "gives <nil>",
	},
	{
		name: "signed input values that do not fit pass", file: "bridge/verilator/ports.go",
		old: "p.Size, p.Offset, p.Width-1) // 0", new: "p.Size, p.Offset, p.Width) // 0",
		test: "./bridge TestInputsThatDoNotFit/verilator", says: "gives <nil>",
	},
	{
		name: "the row that does not fit is played", file: "bridge/verilator/shim/model.cpp",
		old: "            if (__builtin_expect(!fits, 0)) return;\n", new: "",
		test: "./bridge TestInputsThatDoNotFit/verilator", says: "rows are played",
	},
	{
		name: "settling with inputs that do not fit", file: "bridge/verilator/shim/model.cpp",
		old: "    if (!cosim_fits(in)) return COSIM_MISFIT;\n", new: "",
		test: "./bridge TestInputsThatDoNotFit/verilator", says: "gives <nil>",
	},
	{
		name: "wide input bits above the width pass", file: "bridge/verilator/ports.go",
		old: "			if top != 0 {", new: "			if top < 0 {",
		test: "./bridge TestInputsThatDoNotFit/verilator", says: "input [64:0] in_65_i",
	},
	{
		name: "words above a wide input pass", file: "bridge/verilator/ports.go",
		old: "at := words(p) * 4; at < p.Size; at += 4", new: "at := words(p)*4 + 4; at < p.Size; at += 4",
		test: "./bridge TestInputsThatDoNotFit/verilator", says: "input [64:0] in_65_i",
	},
	{
		name: "sign not extended", file: "bridge/verilator/ports.go",
		old: "		case p.Signed:\n			name", new: "		case p.Signed && p.Width > 40:\n			name",
		test: "./bridge TestShape/verilator", says: "output",
	},
	{
		name: "events reordered", file: "bridge/verilator/message.go",
		old: "			v.opts.OnEvent(e)", new: "			defer v.opts.OnEvent(e)",
		test: "./bridge TestCalls/verilator", says: "event",
	},
	{
		name: "events lost when a run has no messages", file: "bridge/verilator/shim/model.cpp",
		old: "    m->end->records = static_cast<int64_t>(m->records.size());\n    return m->why;", new: "    if (m->text) m->end->records = static_cast<int64_t>(m->records.size());\n    return m->why;",
		test: "./bridge TestCalls/verilator", says: "after two cycles",
	},
	{
		name: "an error after $display taken for $stop", file: "bridge/verilator/shim/output.cpp",
		old: `const char* place = std::strstr(s, "] %Error: ");`, new: `const char* place = s[0] == '[' ? std::strstr(s, "] %Error: ") : nullptr;`,
		test: "./bridge TestNeighbouringMessages/verilator", says: "called $stop in cycle 0",
	},
	{
		name: "errors dropped with text that comes too fast", file: "bridge/verilator/shim/output.cpp",
		old: "    if (!place) return;\n", new: "    return;\n",
		test: "./bridge TestErrorsAmongMuchText/verilator", says: "Run gives",
	},
	{
		name: "errors without end are read", file: "bridge/verilator/shim/output.cpp",
		old: "m->errors > COSIM_MAX_ERRORS", new: "m->errors > 100 * COSIM_MAX_ERRORS",
		test: "./bridge/verilator TestFlood", says: "the error is <nil>",
	},
	{
		name: "ports named in C++ as in Verilog", file: "bridge/verilator/ports.go",
		old: "		members[p.Name] = name\n", new: "		members[p.Name] = p.Name\n",
		test: "./bridge TestWidths/verilator", says: "has no member named", fresh: true,
	},
	{
		name: "words of C++ keep their prefix", file: "bridge/verilator/ports.go",
		old: `strings.TrimPrefix(name, "__SYM__")`, new: `name`,
		test: "./bridge TestNames/verilator", says: "no port operator", fresh: true,
	},
	{
		name: "a port takes the name of Verilator's own", file: "bridge/verilator/ports.go",
		old: "			taken[m[1]] = true\n", new: "			taken[m[1]] = false\n",
		test: "./bridge TestTakenNames", says: "conflicts with a previous declaration", fresh: true,
	},
	{
		name: "a memory file that is not there is no error", file: "bridge/verilator/message.go",
		old: `= bridge.Error, "", strings`, new: `= bridge.Warning, "", strings`,
		test: "./bridge TestFilesOfRTL/verilator", says: "the errors are []",
	},
	{
		name: "messages after a $display have no place", file: "bridge/verilator/message.go",
		old: "	if at := tag.FindStringIndex(text); at != nil {", new: "	if at := tag.FindStringIndex(text); at != nil && at[0] == 0 {",
		test: "./bridge TestNeighbouringMessages/verilator", says: "Assertion failed in",
	},
	{
		name: "an instance goes on after a handler that panicked", file: "bridge/verilator/message.go",
		old: "		v.err = v.callError(e, bridge.ErrNoReturn)\n		x, err = v.opts", new: "		x, err = v.opts",
		test: "./bridge TestHandlersThatDoNotReturn/verilator", says: "the next run gives",
	},
	{
		name: "a model that can hang is called without cgo", file: "bridge/verilator/instance.go",
		old: "	if !v.m.loops {\n", new: "	if !v.m.loops || true {\n",
		test: "./bridge/verilator TestHangStopsNobodyElse", says: "had to wait",
	},
	{
		name: "a full stack is a crash like any", file: "bridge/verilator/guard.c",
		old: "sig == SIGSEGV && address + near > sp", new: "sig == SIGBUS && address + near > sp",
		test: "./bridge/verilator TestStackOverflow", says: "the model crashed: SIGSEGV",
	},
	{
		name: "final blocks do not run", file: "bridge/verilator/shim/model.cpp",
		old: "[&] { m->dut->final(); }", new: "[&] {}",
		test: "./bridge TestFinalBlocks/verilator", says: "last 5",
	},
	{
		name: "what final blocks print is lost", file: "bridge/verilator/instance.go",
		old: "		why := int32(C.cosim_finish(v.host))\n		v.collect()\n", new: "		why := int32(C.cosim_finish(v.host))\n",
		test: "./bridge TestFinalBlocks/verilator", says: "last 5",
	},
	{
		name: "answer of COSIM_ASK truncated to 32 bits", file: "bridge/verilator/message.go",
		old: "*answer = C.uint64_t(x)", new: "*answer = C.uint64_t(uint32(x))",
		test: "./bridge TestCalls/verilator", says: "answer_o is",
	},
	{
		name: "an unanswered question answered with 0", file: "bridge/verilator/shim/output.cpp",
		old: `        cosim::note(COSIM_UNANSWERED, "", 0, "");` + "\n        throw cosim::Stop{};", new: "",
		test: "./bridge TestUnanswered/verilator", says: "Run gives 10, <nil>",
	},
	{
		name: "force not held", file: "bridge/verilator/internals.go",
		old: "		set(p.forced, p.Width, ones)", new: "		set(p.value, p.Width, x.Bits)",
		test: "./bridge TestPokeAndForce/verilator", says: "forced: q_o is",
	},
	{
		name: "release does not release", file: "bridge/verilator/internals.go",
		old: "		clear(p.forced)\n", new: "",
		test: "./bridge TestPokeAndForce/verilator", says: "after the release",
	},
	{
		name: "an input port is forced where nobody reads it", file: "bridge/verilator/internals.go",
		old: "if s.input && h.aliases {", new: "if s.input && !h.aliases {",
		test: "./bridge TestForceInputPort/verilator", says: "these outputs differ", fresh: true,
	},
	{
		name: "an input port keeps what it was forced to", file: "bridge/verilator/internals.go",
		old: "		if !p.Driven {", new: "		if p.Width > 0 {",
		test: "./bridge TestForceInputPort/verilator", says: "released, the outputs are",
	},
	{
		name: "poke lost", file: "bridge/verilator/internals.go",
		old: "		set(p.value, p.Width, x.Bits)\n	}\n	return err\n}\n\n// forceable", new: "		set(make([]byte, len(p.value)), p.Width, x.Bits)\n	}\n	return err\n}\n\n// forceable",
		test: "./bridge TestPokeAndForce/verilator", says: "after it was poked",
	},
	{
		name: "word of a memory off by one", file: "bridge/internal/signals/signals.go",
		old: "word = word*r[k:k+1].Words() + n - low", new: "word = word*r[k:k+1].Words() + max(n-low-1, 0)",
		test: "./bridge TestPeek/verilator", says: "mem[3]",
	},
	{
		name: "word of a memory with two indices in the wrong row", file: "bridge/internal/signals/signals.go",
		old: "word = word*r[k:k+1].Words() + n - low", new: "word = word*r[:1].Words() + n - low",
		test: "./bridge TestPeek", says: "two[1][2]",
	},
	{
		name: "crash guard missing", file: "bridge/verilator/instance.go",
		old: "	catchCrashes()\n", new: "",
		// the stacks of a test process that has crashed
		test: "./bridge/verilator TestCrash", says: "runtime.",
	},
	{
		name: "crash takes the cycle of the run's start", file: "bridge/verilator/shim/model.cpp",
		old: "    m->end->cycle = m->cycle;\n    m->end->rows", new: "    m->end->cycle = m->first;\n    m->end->rows",
		test: "./bridge/verilator TestCrash", says: "it died in cycle",
	},
	{
		name: "hang: the timeout is ignored", file: "bridge/verilator/shim/output.cpp",
		old: "now - m->loop_start > m->options.timeout", new: "now - m->loop_start > 20000000000ull",
		test: "./bridge/verilator TestHang/while", says: "it took",
	},
	{
		name: "cancelled context ignored", file: "bridge/verilator/instance.go",
		old: "	if !v.ready(rows, n) || ctx.Err() != nil {", new: "	if !v.ready(rows, n) {",
		test: "./bridge TestCancelledBetweenRuns/verilator", says: "a run after the cancellation gives",
	},
	{
		name: "settling does a clock cycle", file: "bridge/verilator/shim/model.cpp",
		old: "settle_row(m, next_row(m), in, out); });\n    m->wave.paused = false;", new: "settle_row(m, next_row(m), in, out); edge(m, next_row(m)); });\n    m->wave.paused = false;",
		test: "./bridge TestSettle/verilator", says: "cycle 0: reg_o",
	},
	{
		name: "coverage of one instance counted for all", file: "bridge/verilator/shim/coverage.h",
		old: "m->context->coveragep()->write(", new: "Verilated::defaultContextp()->coveragep()->write(",
		test: "./bridge/verilator TestCoverage", says: "--- FAIL",
	},
	{
		name: "random values of the power-up count as toggles", file: "bridge/verilator/shim/coverage.h",
		old: "range : ranges) std::memset(counters(m) + range[0], 0, range[1] *", new: "range : ranges) std::memset(counters(m) + range[0], 0, 0 *",
		test: "./bridge/verilator TestTogglesOfPowerUp", says: "never_q[",
	},
	{
		name: "the reset's changes count as toggles", file: "bridge/verilator/shim/coverage.h",
		old: "0) && !cosim_resets(in)) {", new: "0)) {",
		test: "./bridge/verilator TestTogglesOfPowerUp", says: "zero_q[",
	},
	{
		name: "random values of the power-up cover lines", file: "bridge/verilator/shim/coverage.h",
		old: "forget(m, cosim_recurring);", new: ";",
		test: "./bridge/verilator TestCoverageOfPowerUp", says: "covered are",
	},
	{
		name: "what initial blocks do is not covered", file: "bridge/verilator/generate.go",
		old: "recurring(g.code[:fast])", new: "recurring(g.code[:max(fast, len(g.code))])", fresh: true,
		test: "./bridge/verilator TestCoverageOfPowerUp", says: "made = 3:false",
	},
	{
		name: "waveform begins a cycle late", file: "bridge/verilator/shim/wave.h",
		old: "paused || cycle < from) return;", new: "paused || cycle <= from) return;",
		test: "./bridge TestWave$/verilator", says: "the waveform is of",
	},
	{
		name: "waveform not completed by Close", file: "bridge/verilator/shim/wave.h",
		old: "            file->close();", new: "            (void)file.release();",
		test: "./bridge TestWave$/verilator", says: "could not be completed",
	},
	{
		name: "a waveform cut off by a full disk passes", file: "bridge/verilator/instance.go",
		old: `v.opts.Wave.Path != "" && (!dead`, new: `v.opts.Wave.Path == "" && (!dead`,
		test: "./bridge TestFullDiskUnderWave/verilator/64k", says: "half of a waveform is left",
	},
	{
		name: "a crash in the waveform's writer, then a hang", file: "bridge/verilator/shim/wave.h",
		old: "        if (file && !busy) {", new: "        if (file) {",
		test: "./bridge TestFullDiskUnderWave/verilator/4k_to_19000", says: "half of a waveform is left",
	},
	{
		name: "a crash of a full disk leaves half a waveform", file: "bridge/verilator/instance.go",
		old: "(!dead || fst.Kills(syscall.Signal(v.host.signal)))", new: "!dead",
		test: "./bridge TestFullDiskUnderWave/verilator/4k$", says: "half of a waveform is left",
	},
	{
		name: "mapping of a closed instance leaks", file: "bridge/verilator/instance.go",
		old: "	return errors.Join(err, v.stack.Close())", new: "	return err",
		test: "./bridge/verilator TestNoMappingIsLeft", says: "mappings",
	},
	{
		name: "the sign of a packed array lost", file: "bridge/verilator/hierarchy.go",
		old: `"packarraydtype", "enumdtype":`, new: `"enumdtype":`,
		test: "./cmd/cosimate TestScripts/ports", says: "signed [99:0]", fresh: true,
	},
	{
		name: "a genvar is offered as a signal", file: "bridge/verilator/hierarchy.go",
		old: "n.direction == \"\" && (unrolled || ", new: "n.direction == \"\" && (",
		test: "./sim TestDescribeGenvar/verilator", says: `"g_inline.i"`,
	},
}
