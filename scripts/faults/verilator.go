package main

// Faults in the Verilator side of the bridge.
var verilatorFaults = []fault{
	{
		name: "sample taken after the edge", file: "bridge/verilator/shim/model.cpp",
		old: `            settle_row(m, row, in, out);
            ++rows;
            in += COSIM_IN_SIZE;
            out += COSIM_OUT_SIZE;
            edge(m, row);
`,
		new: `            settle_row(m, row, in, out);
            ++rows;
            in += COSIM_IN_SIZE;
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
		old: "c->rise = period + c->low + phase / tick;", new: "c->rise = period + c->low;",
		test: "./bridge TestSeveralClocks/", says: "the clocks",
	},
	{
		name: "period rounded to even ticks", file: "bridge/internal/schedule/schedule.h",
		old: "c->rise += c->low + c->high;", new: "c->rise += 2 * c->low;",
		test: "./bridge TestPeriod|TestSeveralClocks/verilator", says: "ns, not",
	},
	{
		name: "message's cycle off by one", file: "bridge/verilator/shim/output.h",
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
		name: "$finish not noticed", file: "bridge/verilator/shim/output.h",
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
		old: "if (why != COSIM_RAN) m->end->rows = rows;", new: "if (why != COSIM_RAN) m->end->rows = rows - 1;",
		test: "./bridge TestEnd/verilator", says: "rows were sampled",
	},
	{
		name: "an ended model runs on", file: "bridge/verilator/instance.go",
		old: "	v.err = v.failed(why)\n	return int(v.host.end.rows), v.err", new: "	return int(v.host.end.rows), v.failed(why)",
		test: "./bridge TestEnd/verilator", says: "a run after the end gives",
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
		name: "input bits above the width not masked", file: "bridge/verilator/ports.go",
		old: "if p.Width != 8*p.Size {", new: "if p.Width > 64 {",
		test: "./bridge TestInputsAreCut/verilator", says: "an input of 5 bits",
	},
	{
		name: "wide input bits above the width not masked", file: "bridge/verilator/ports.go",
		old: "		if top != 0 {", new: "		if top < 0 {",
		test: "./bridge TestInputsAreCut/verilator", says: "an input of 65 bits",
	},
	{
		name: "sign not extended", file: "bridge/verilator/ports.go",
		old: "		case p.Signed:", new: "		case p.Signed && p.Width > 40:",
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
		name: "answer of COSIM_ASK truncated to 32 bits", file: "bridge/verilator/message.go",
		old: "*answer = C.uint64_t(x)", new: "*answer = C.uint64_t(uint32(x))",
		test: "./bridge TestCalls/verilator", says: "answer_o is",
	},
	{
		name: "an unanswered question answered with 0", file: "bridge/verilator/shim/calls.h",
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
		name: "poke lost", file: "bridge/verilator/internals.go",
		old: "		set(p.value, p.Width, x.Bits)\n	}\n	return err\n}\n\n// forceable", new: "		set(make([]byte, len(p.value)), p.Width, x.Bits)\n	}\n	return err\n}\n\n// forceable",
		test: "./bridge TestPokeAndForce/verilator", says: "after it was poked",
	},
	{
		name: "word of a memory off by one", file: "bridge/verilator/internals.go",
		old: "word = word*(high-low+1) + n - low", new: "word = word*(high-low+1) + max(n-low-1, 0)",
		test: "./bridge TestPeek/verilator", says: "mem[3]",
	},
	{
		name: "crash guard missing", file: "bridge/verilator/instance.go",
		old: "	catchCrashes()\n", new: "",
		test: "./bridge/verilator TestCrash", says: "runtime.goexit", // the stacks of a test process that has crashed
	},
	{
		name: "crash takes the cycle of the run's start", file: "bridge/verilator/shim/model.cpp",
		old: "    m->end->cycle = m->cycle;\n    m->end->rows", new: "    m->end->cycle = m->first;\n    m->end->rows",
		test: "./bridge/verilator TestCrash", says: "it died in cycle",
	},
	{
		name: "hang: the timeout is ignored", file: "bridge/verilator/shim/output.h",
		old: "now - m->loop_start > m->options.timeout", new: "now - m->loop_start > 20000000000ull",
		test: "./bridge/verilator TestHang/while", says: "it took",
	},
	{
		name: "cancelled context ignored", file: "bridge/verilator/instance.go",
		old: "	if ctx.Err() != nil {\n		v.err = context.Cause(ctx)\n	}\n	return v.err", new: "	return v.err",
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
		name: "waveform begins a cycle late", file: "bridge/verilator/shim/wave.h",
		old: "paused || cycle < from) return;", new: "paused || cycle <= from) return;",
		test: "./bridge TestWave$/verilator", says: "the waveform is of",
	},
	{
		name: "waveform not completed by Close", file: "bridge/verilator/shim/wave.h",
		old: "        if (file) file->close();", new: "        if (file) (void)file.release();",
		test: "./bridge TestWave$/verilator", says: "the waveform is not complete",
	},
	{
		name: "mapping of a closed instance leaks", file: "bridge/verilator/instance.go",
		old: "	return v.stack.Close()", new: "	return nil",
		test: "./bridge/verilator TestNoMappingIsLeft", says: "mappings",
	},
}
