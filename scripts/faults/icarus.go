package main

// Faults in the Icarus side of the bridge.
var icarusFaults = []fault{
	{
		name: "sample taken after the edge", file: "bridge/icarus/shim/cosim.c",
		old: `static PLI_INT32 on_instant(p_cb_data d) {
    (void)d;
    sample();
    instant = now = next.instant;
    lower_clocks();
    raise_clocks();
    next = cosim_next_row(clock_states, (int)n_clocks, instant);
    stage = BETWEEN_ROWS;
    go(next_before_inputs());
`,
		new: `static PLI_INT32 late(p_cb_data d) {
    (void)d;
    sample();
    stage = BETWEEN_ROWS;
    go(next_before_inputs());
    return 0;
}

static PLI_INT32 on_instant(p_cb_data d) {
    (void)d;
    instant = now = next.instant;
    lower_clocks();
    raise_clocks();
    next = cosim_next_row(clock_states, (int)n_clocks, instant);
    at(cbReadOnlySynch, 0, late);
`,
		test: "./bridge TestCycle/icarus", says: "cycle 0: reg_o = 0x1, not 0x55",
	},
	{
		name: "an instance goes on after a handler that panicked", file: "bridge/icarus/calls.go",
		old: "			c.err = c.callError(e, bridge.ErrNoReturn)\n			c.opts.OnEvent", new: "			c.opts.OnEvent",
		test: "./bridge TestHandlersThatDoNotReturn/icarus", says: "the next run gives",
	},
	{
		name: "an unpacked array taken for a vector", file: "bridge/icarus/shim/cosim.c",
		old: "    case vpiNetArray:\n", new: "",
		test: "./bridge TestWrongDesigns/icarus", says: "is an unpacked array",
	},
	{
		name: "a memory file that is not there is no error", file: "bridge/icarus/output.go",
		old: "f != nil && m.Severity == bridge.Display {", new: "f != nil && m.Severity > bridge.Display {",
		test: "./bridge TestFilesOfRTL/icarus", says: "the errors are []",
	},
	{
		name: "a real port taken for a bit", file: "bridge/icarus/shim/cosim.c",
		old: `fprintf(f, "real ")`, new: `fprintf(f, "bits ")`,
		test: "./bridge TestWrongDesigns/icarus", says: "is a real",
	},
	{
		name: "what final blocks print is lost", file: "bridge/icarus/shim/cosim.c",
		old: "        fflush(stdout); /* of final", new: "        /* of final",
		test: "./bridge TestFinalBlocks/icarus", says: "last 5",
	},
	{
		name: "a fatal end of final blocks is swallowed", file: "bridge/icarus/child.go",
		old: `if end := c.output.end; end != nil && end.task != "$finish" {`, new: `if end := c.output.end; end != nil && end.task == "$finish" {`,
		test: "./bridge TestFinalBlocks/icarus", says: "Close gives <nil>",
	},
	{
		name: "a message after $write is none", file: "bridge/icarus/output.go",
		old: "regexp.MustCompile(`(INFO|WARNING", new: "regexp.MustCompile(`^(INFO|WARNING",
		test: "./bridge TestNeighbouringMessages/icarus", says: "four WARNING",
	},
	{
		name: "rows with values that do not fit are played", file: "bridge/icarus/child.go",
		old: "	n, misfit := c.layout.Fitting(rows.In, n)\n", new: "	_, misfit := c.layout.Fitting(rows.In, n)\n",
		test: "./bridge TestInputsThatDoNotFit/icarus", says: "rows are played",
	},
	{
		name: "an input that changes back is lost", file: "bridge/icarus/shim/cosim.c",
		old: "            memcpy(last_in + p->offset, bytes + p->offset, p->size);\n", new: "",
		test: "./bridge TestWidths/icarus", says: "out__1_o",
	},
	{
		name: "unknown bits not written", file: "bridge/icarus/shim/values.c",
		old: "        memcpy(unknown, &b, p->size);\n", new: "",
		test: "./bridge TestUnknown/icarus", says: "state_o before any reset",
	},
	{
		name: "unknown bits of wide ports inverted", file: "bridge/icarus/shim/values.c",
		old: "        memcpy(unknown + at, &b, n);", new: "        b = ~b;\n        memcpy(unknown + at, &b, n);",
		test: "./bridge TestUnknown/icarus", says: "the unknown bits of 100 are",
	},
	{
		name: "Z taken for X", file: "bridge/icarus/shim/values.c",
		old: "    *value = ((c | c >> 1) & ones) * gather >> 56;", new: "    *value = (c & ones) * gather >> 56;",
		test: "./bridge TestUnknown/icarus|TestPokeUnknown/icarus|TestUnknownEvents/icarus", says: "--- FAIL",
	},
	{
		name: "Z of narrow ports taken for X", file: "bridge/icarus/shim/values.c",
		old: "a = a << 1 | ((c | c >> 1) & 1);", new: "a = a << 1 | (c & 1);",
		test: "./bridge TestUnknown/icarus", says: "z01x is value",
	},
	{
		name: "words of a wide input swapped", file: "bridge/icarus/shim/values.c",
		old: "        memcpy(&word, bytes + 4 * i, size", new: "        memcpy(&word, bytes + 4 * (width > 64 && i < 2 ? 1 - i : i), size",
		test: "./bridge TestWidths/icarus", says: "out__65_o",
	},
	{
		name: "a byte of 0 ends an input", file: "bridge/icarus/shim/values.c",
		old: "        if (!text[i] && bits) return 0;\n", new: "",
		test: "./bridge TestBytesOfValues/icarus", says: "row 1, ",
	},
	{
		name: "inputs of more than 53 bits rounded", file: "bridge/icarus/shim/values.c",
		old: "if (bits >> 53 == 0) {", new: "if (bits >> 62 == 0) {",
		test: "./bridge TestBytesOfValues/icarus", says: "row 1, ",
	},
	{
		name: "sign not extended", file: "bridge/icarus/shim/values.c",
		old: "return bits | ~(uint64_t)0 << p->width;", new: "return bits;",
		test: "./bridge TestShape/icarus", says: "output",
	},
	{
		name: "RTL on the falling edge races with logic", file: "bridge/icarus/falling.go",
		old: `line += "\n    %delay 0, 0;"`, new: `line += ""`,
		test: "./bridge TestFallingEdgeSeesInputs/icarus", says: "row 1: q0_o is", fresh: true,
	},
	{
		name: "an inverted clock falls as it is", file: "bridge/icarus/falling.go",
		old: "			if f.inverted {\n", new: "			if f.inverted && false {\n",
		test: "./bridge TestFallingEdgeSeesInputs/icarus", says: "row 1: q3_o is", fresh: true,
	},
	{
		name: "second clock ignored", file: "bridge/icarus/shim/cosim.c",
		old: "            if (clocks[i].handle) put_bit(clocks[i].handle, 1);", new: "            if (clocks[i].handle && i == 0) put_bit(clocks[i].handle, 1);",
		test: "./bridge TestSeveralClocks/icarus$", says: "the clocks have risen",
	},
	{
		name: "bytes between the ports overwritten", file: "bridge/icarus/shared.go",
		old: "if len(parts) == 1 && parts[0] == (span{0, size}) {", new: "if len(parts) > 0 {",
		test: "./bridge TestShape/icarus", says: "output",
	},
	{
		name: "tape in pieces: each begins at the first row", file: "bridge/icarus/child.go",
		old: "copy(c.in, rows.In[done*c.layout.InSize:(done+k)*c.layout.InSize])", new: "copy(c.in, rows.In[:k*c.layout.InSize])",
		test: "./bridge TestLongTape/icarus", says: "row",
	},
	{
		name: "cycles of a second run counted from 0", file: "bridge/icarus/child.go",
		old: "		c.cycle += uint64(k)\n", new: "",
		test: "./bridge TestMessages/icarus", says: "run 1",
	},
	{
		name: "output cut off when vvp ends", file: "bridge/icarus/child.go",
		old: "	c.output.collect(e.Cycle)\n	if end", new: "	c.output.file.Truncate(0)\n	if end",
		test: "./bridge TestEnd/icarus", says: "--- FAIL",
	},
	{
		name: "cycle of messages lost", file: "bridge/icarus/shim/cosim.c",
		old: `        printf(COSIM_BEGIN "c%" PRIu64 COSIM_END, cycle);` + "\n", new: "",
		test: "./bridge TestMessageFields/icarus", says: "runs of 5",
	},
	{
		name: "an assert without else has no text", file: "bridge/icarus/output.go",
		old: `if m.Text == "" && m.Severity`, new: `if m.Text != "" && m.Severity`,
		test: "./bridge TestPlainAssert/icarus", says: "gives [",
	},
	{
		name: "severity of $error lost", file: "bridge/icarus/output.go",
		old: `"ERROR": bridge.Error,`, new: `"ERROR": bridge.Info,`,
		test: "./bridge TestMessageFields/icarus", says: "runs of 1:",
	},
	{
		name: "events lost when the arena is full", file: "bridge/icarus/shim/calls.c",
		old: "        answer(COSIM_EVENTS);\n        wait_request();\n", new: "        host->arena_used = 0;\n",
		test: "./bridge TestManyEvents/icarus", says: "events are wrong",
	},
	{
		name: "upper half of an event's value lost", file: "bridge/icarus/shim/calls.c",
		old: "e->value[i] |= (uint64_t)(a ^ b) << 32 * w;", new: "e->value[i] |= (uint64_t)(a ^ b) << (w ? 0 : 0);",
		test: "./bridge TestCalls/icarus", says: "event",
	},
	{
		name: "answer of COSIM_ASK lost", file: "bridge/icarus/child.go",
		old: "			if err := c.ask(asked); err != nil {", new: "			asked.Values[0]--\n			if err := c.ask(asked); err != nil {",
		test: "./bridge TestCalls/icarus", says: "answer_o is",
	},
	{
		name: "forcing an input port forces what drives it", file: "bridge/icarus/shim/internals.c",
		old: "    if (in->is_joined)\n", new: "    if (in->is_joined > 1)\n",
		test: "./bridge TestForceInputPort/icarus", says: "the error is <nil>",
	},
	{
		name: "force is a poke", file: "bridge/icarus/shim/internals.c",
		old: "command == COSIM_FORCE ? vpiForceFlag : vpiNoDelay", new: "vpiNoDelay",
		test: "./bridge TestPokeAndForce/icarus", says: "forced: q_o is",
	},
	{
		name: "word of a memory off by one", file: "bridge/icarus/internals.go",
		old: "h.hasWord, h.word = 1, int64(word)", new: "h.hasWord, h.word = 1, int64(max(word-1, 0))",
		test: "./bridge TestPeek/icarus", says: "mem[3]",
	},
	{
		name: "settling does a clock cycle", file: "bridge/icarus/shim/cosim.c",
		old: "    else if (settling)\n", new: "    else if (settling && row > 0)\n",
		test: "./bridge TestSettle/icarus", says: "--- FAIL",
	},
	{
		name: "killed vvp waited for", file: "bridge/icarus/child.go",
		old: `		case <-c.exited:
			if h.reply.Load() == before {
				return c.died()
			}
`,
		new: "", test: "./bridge TestKilledVvp", says: "the error is",
	},
	{
		name: "timeout of a hang ignored", file: "bridge/icarus/child.go",
		old: "} else if time.Since(since) > c.opts.HangTimeout() {", new: "} else if time.Since(since) > 10*time.Second {",
		test: "./bridge TestHungVvp", says: "it took",
	},
	{
		name: "cancelled context ignored while vvp works", file: "bridge/icarus/child.go",
		old: "		case <-ctx.Done():\n			c.end()\n			return context.Cause(ctx)\n		default:", new: "		default:",
		test: "./bridge TestCancelledRun", says: "the error is",
	},
	{
		name: "vvp not killed after a cancellation", file: "bridge/icarus/child.go",
		old: "		case <-time.After(2 * time.Second):\n		}\n	}\n	c.kill()", new: "		case <-time.After(2 * time.Second):\n		}\n	}",
		test: "./bridge TestCancelledRun", says: "still runs",
	},
	{
		name: "no parent-death signal", file: "bridge/icarus/child.go",
		old: "&syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}", new: "&syscall.SysProcAttr{Setpgid: true}",
		test: "./bridge TestOrphan", says: "vvp outlived its parent",
	},
	{
		name: "vvp started from a thread that may end", file: "bridge/internal/build/tool.go",
		old:  "		runtime.LockOSThread()\n		for f := range work {\n			f()\n		}",
		new:  "		for f := range work {\n			go func() { runtime.LockOSThread(); f() }()\n		}",
		test: "./bridge/internal/build TestChildOutlivesThread", says: "the child ended",
	},
	{
		name: "garbage: the answer's kind trusted", file: "bridge/icarus/child.go",
		old: `			return c.corrupt(fmt.Sprintf("an answer of the unknown kind %d", why))`, new: "			return nil",
		test: "./bridge/icarus TestWrongAnswers/kind", says: `not one with "an answer of the unknown kind 77"`,
	},
	{
		name: "garbage: the count of rows trusted", file: "bridge/icarus/child.go",
		old: "k = min(max(int(c.header.sampled.Load()), 0), k)", new: "k = int(c.header.sampled.Load())",
		test: "./bridge/icarus TestCorruptMemory", says: "panic",
	},
	{
		name: "garbage: the size of events trusted", file: "bridge/icarus/calls.go",
		old: "	if int(used) > len(c.arena) {", new: "	if used > 1<<31 {",
		test: "./bridge/icarus TestCorruptMemory", says: "panic",
	},
	{
		name: "garbage: an event's number of values trusted", file: "bridge/icarus/calls.go",
		old: " || size%8 != 0 || n > len(entry.value) {", new: " || size%8 != 0 {",
		test: "./bridge/icarus TestWrongAnswers/values", says: "panic",
	},
	{
		name: "garbage: the width of a signal trusted", file: "bridge/icarus/internals.go",
		old: "	if n < 1 || 2*n > len(c.words()) {", new: "	if n < 1 {",
		test: "./bridge/icarus TestWrongAnswers/width", says: "panic",
	},
	{
		name: "garbage: the child can make the memory smaller", file: "bridge/icarus/shared.go",
		old: "unix.F_ADD_SEALS, unix.F_SEAL_SHRINK", new: "unix.F_ADD_SEALS, 0",
		test: "./bridge/icarus TestCorruptMemory", says: "SIGBUS",
	},
	{
		name: "memory not unmapped", file: "bridge/icarus/shared.go",
		old: "	*s = shared{}\n	return unix.Munmap(memory)", new: "	*s = shared{}\n	_ = memory\n	return nil",
		test: "./bridge TestNothingLeaks/icarus", says: "descriptors and mappings",
	},
	{
		name: "file of the output not closed", file: "bridge/icarus/output.go",
		old: "	o.flush(0)\n	o.file.Close()", new: "	o.flush(0)",
		test: "./bridge TestNothingLeaks/icarus", says: "descriptors and mappings",
	},
	{
		name: "the last word of a memory is not in the waveform", file: "bridge/icarus/wave.go",
		old: "for i := range m.ranges.Words() {", new: "for i := range m.ranges.Words() - 1 {",
		test: "./bridge TestWave$/icarus", says: "not in the waveform", fresh: true,
	},
	{
		name: "words of two states are recorded", file: "bridge/icarus/shim/internals.c",
		old: "return text[strlen(text) - 1] == 'x';", new: "return *text != 0;",
		test: "./bridge TestWaveOfArrays/icarus", says: "vvp died",
	},
	{
		name: "a hang of logic without its nets", file: "bridge/icarus/feedback.go",
		old: "	peel(readers, reads)\n", new: "	clear(left)\n",
		test: "./bridge TestHungLogic", says: "the error is",
	},
	{
		name: "waveform a cycle too long", file: "bridge/icarus/shim/cosim.c",
		old: "if (cycle == host->wave_to + 1) put_bit", new: "if (cycle == host->wave_to + 2) put_bit",
		test: "./bridge TestWave$/icarus", says: "the waveform is of",
	},
	{
		name: "a waveform cut off by a full disk passes", file: "bridge/icarus/child.go",
		old: `w != "" && (c.state`, new: `w == "" && (c.state`,
		test: "./bridge TestFullDiskUnderWave/icarus/64k", says: "half of a waveform is left",
	},
	{
		name: "blocks of a waveform that are cut off are passed over", file: "bridge/internal/fst/fst.go",
		old: "		if length < 8 || length > uint64(size-at-1) {\n			return false\n		}", new: "		if length < 8 || length > uint64(size-at-1) {\n			return true\n		}",
		test: "./bridge TestFullDiskUnderWave/icarus/92k", says: "half of a waveform is left",
	},
	{
		name: "a waveform without a part of its times passes", file: "bridge/internal/fst/fst.go",
		old: "			if !timed(block) {", new: "			if timed(block) && false {",
		test: "./bridge TestFullTemporaryFolderUnderWave/icarus/64k", says: "half of a waveform is left",
	},
	{
		name: "a waveform without a part of its widths passes", file: "bridge/internal/fst/fst.go",
		old: "			if !wide(block) {", new: "			if wide(block) && false {",
		test: "./bridge/internal/fst TestComplete", says: "TestComplete/a_width_too_few",
	},
	{
		name: "the sign of a port lost", file: "bridge/icarus/shim/cosim.c",
		old: `h && vpi_get(vpiSigned, h) ?`, new: `!f ?`,
		test: "./cmd/cosimate TestScripts/ports", says: "signed [11:0]", fresh: true,
	},
	{
		name: "vvp looks for a scope of an escaped name", file: "bridge/icarus/shim/cosim.c",
		old: `strchr(name, '.') ? NULL : vpi`, new: `vpi`,
		test: "./cmd/cosimate TestScripts/ports", says: "segmentation fault", fresh: true,
	},
	{
		name: "a wrong parameter buried in what else iverilog says", file: "bridge/icarus/icarus.go",
		old: "		said := strings.Join(wrongParameter.FindAllString(log, -1), \"\\n\")", new: "		said := strings.TrimSpace(log)",
		test: "./bridge TestUnknownParameter", says: "not currently supported", fresh: true,
	},
	{
		name: "a localparam named as a parameter", file: "bridge/icarus/icarus.go",
		old: "\\.param/\\w+ \"([^\"]+)\" 0 `)", new: "\\.param/\\w+ \"([^\"]+)\" \\d `)",
		test: "./bridge TestUnknownParameter", says: "Depth, Gain, Half", fresh: true,
	},
	{
		name: "a signal that Icarus has left out is not explained", file: "bridge/internal/signals/signals.go",
		old: "		if simulator == \"icarus\" {", new: "		if simulator == \"\" {",
		test: "./bridge TestMissingInternal/icarus", says: "not one with \"there is no such signal (Icarus",
	},
}
