package main

// Faults in testbench processes, protocol checkers and scoreboards.
var benchFaults = []fault{
	{
		name: "a stream has as many bytes as its field", file: "sim/axi/stream.go",
		old: "t.Width = t.data.Width / 8", new: "t.Width = len(t.data.Bytes)",
		test: "./sim/axi TestStreamOfSixBytes/verilator", says: "TKEEP has 6 bits for the 8 bytes",
	},
	{
		name: "cycles that a process does by itself are not noticed", file: "sim/tb/tb.go",
		old: "done != uint64(b.cycle)", new: "done < uint64(b.cycle)",
		test: "./sim/tb TestSteppedByAProcess/verilator", says: "want that the bench did not do all cycles",
	},
	{
		name: "lost event: only the first that waits is woken", file: "sim/tb/sync.go",
		old: "	for _, p := range woken {", new: "	for _, p := range woken[:min(len(woken), 1)] {",
		test: "./sim/tb TestSynchronization/verilator", says: "deadlock",
	},
	{
		name: "an event wakes those that it has woken before", file: "sim/tb/sync.go",
		old: "	e.waiting = nil\n", new: "",
		test: "./sim/tb TestEventForgetsThoseWoken/verilator", says: "5 cycles were",
	},
	{
		name: "queue: the last that waits is served first", file: "sim/tb/sync.go",
		old: "		p := q.waiting[0]\n		q.waiting = q.waiting[1:]", new: "		p := q.waiting[len(q.waiting)-1]\n		q.waiting = q.waiting[:len(q.waiting)-1]",
		test: "./sim/tb TestQueueIsFair/verilator", says: "served",
	},
	{
		name: "queue: a value is lost with the process that it woke", file: "sim/tb/sync.go",
		old: "			q.wakeOne() // this process may have been woken for a value that it cannot take any more\n", new: "",
		test: "./sim/tb TestStop/verilator", says: "got 0",
	},
	{
		name: "processes woken in the wrong order", file: "sim/tb/scheduler.go",
		old: "func (f *fifo) push(p *Process) { f.items = append(f.items, p) }", new: "func (f *fifo) push(p *Process) { f.items = slices.Insert(f.items, f.head, p) }",
		test: "./sim/tb TestSynchronization/verilator", says: "the order was",
	},
	{
		name: "a bench that is not run passes", file: "sim/testing.go",
		old: "		if !t.Failed() && !t.Skipped() && !panicking() {", new: "		if t.Failed() {",
		test: "./sim/tb TestNotRun", says: "want \"the bench of echo on verilator was not run after",
	},
	{
		name: "a bench that is not run fails a test that was skipped", file: "sim/testing.go",
		old: "		if !t.Failed() && !t.Skipped() && !panicking() {", new: "		if !t.Failed() && !panicking() {",
		test: "./sim/tb TestNotRun/skipped", says: ", want \"\"",
	},
	{
		name: "what is added to a bench after a run is not missed", file: "sim/tb/scheduler.go",
		old: "		s.ran = nil\n", new: "",
		test: "./sim/tb TestNotRun/added_after_the_run", says: "want \"the bench of echo on verilator was not run after process \\\"q",
	},
	{
		name: "a DUT that cannot be opened is an error in a line of the framework", file: "sim/testing.go",
		old: "		t.Helper() // that the DUT cannot", new: "		// that the DUT cannot",
		test: "./sim TestNotOpenNamesTheTest", says: "0 of 2 simulators' errors",
	},
	{
		name: "a process's error names the line that ran the bench", file: "sim/tb/process.go",
		old: "ownPackage + \".(*scheduler).run\", \"testing.\"", new: "\"testing.\"",
		test: "./sim/tb TestFailedAt/verilator", says: "condition: failed at",
	},
	{
		name: "a process's error does not name its line", file: "sim/tb/process.go",
		old: "panic(failure{err, userPlaces()})", new: "panic(failure{err, nil})",
		test: "./sim/tb TestFailedAt/verilator", says: "helper: failed at \"\", want",
	},
	{
		name: "the annotation of a process's error has the line that ran the bench", file: "sim/failure.go",
		old: "	if errors.As(err, &placed) {", new: "	if false {",
		test: "./sim/tb TestAnnotations", says: "process",
	},
	{
		name: "a failure at the test's end has an annotation without a line", file: "sim/failure.go",
		old: "		return r.file, r.line\n", new: "		return \"\", 0\n",
		test: "./sim/tb TestAnnotations", says: "by hand",
	},
	{
		name: "scoreboard: a difference of numbers is not in hexadecimal", file: "sim/score/score.go",
		old: "	if unsigned(want) &&", new: "	if !unsigned(want) &&",
		test: "./sim/score TestHexadecimal/differs", says: "- 114 (0x72)",
	},
	{
		name: "monitors run after the drivers", file: "sim/tb/scheduler.go",
		old: "		s.observing = true\n		s.pass(watching)\n		s.drain(watching)\n		s.observing = false\n		s.pass(driving)\n", new: "		s.pass(driving)\n		s.pass(watching)\n		s.drain(watching)\n",
		test: "./sim/tb TestCycleContract/verilator", says: "the monitor saw",
	},
	{
		name: "deadlock unseen", file: "sim/tb/scheduler.go",
		old: "		case s.timed == 0 && s.ready[watching].head", new: "		case s.timed < 0 && s.ready[watching].head",
		test: "./sim/tb TestDeadlock/verilator", says: "want 4: deadlock",
	},
	{
		name: "a process's panic swallowed", file: "sim/tb/scheduler.go",
		old: "		if _, ok := r.(stopped); r != nil && !ok {", new: "		if _, ok := r.(failure); r != nil && ok {",
		test: "./sim/tb TestFailures/panic$/verilator", says: "no error",
	},
	{
		name: "the bound of cycles ignored", file: "sim/tb/scheduler.go",
		old: "		case done >= n:", new: "		case done >= 10*n:",
		test: "./sim/tb TestFailures/cycles_exhausted/verilator", says: "the error lacks",
	},
	{
		name: "checks at the end not made", file: "sim/tb/scheduler.go",
		old: "slices.Concat(s.atEnd, s.runEnd) {", new: "slices.Concat(s.atEnd, s.runEnd)[:0] {",
		test: "./sim/tb TestEnd/verilator", says: "want that of the check at the end",
	},
	{
		name: "checks at the end made after the first run only", file: "sim/tb/scheduler.go",
		old: "	defer func() { s.runEnd = nil }()\n", new: "	defer func() { s.runEnd, s.atEnd = nil, nil }()\n",
		test: "./sim/tb TestEnd/verilator", says: "cleaned 111; want 11, 125ns, 121",
	},
	{
		name: "checks at the end made before processes are stopped", file: "sim/tb/scheduler.go",
		old: "		s.stopAll(all, &err)\n", new: "		if err == nil {\n			err = s.finalChecks()\n			s.atEnd = nil\n		}\n		s.stopAll(all, &err)\n",
		test: "./sim/score TestExpectedAtTheEnd", says: "--- FAIL",
	},
	{
		name: "scoreboard: what is expected after the last run is not missed", file: "sim/score/score.go",
		old: "func (s *InOrder[T]) Expect(p *tb.Process, item T) {\n	p.ToRun(s.item)\n", new: "func (s *InOrder[T]) Expect(p *tb.Process, item T) {\n",
		test: "./sim/score TestExpectedAfterTheEnd", says: "in order: the errors are []",
	},
	{
		name: "unknown bits of settled outputs are those of the cycle before", file: "sim/tb/tb.go",
		old: "	b.Out, err = b.dut.Settle(b.In)\n	b.noteUnknown()\n", new: "	b.Out, err = b.dut.Settle(b.In)\n",
		test: "./sim/tb TestUnknown", says: "settled",
	},
	{
		name: "a wait is a cycle short", file: "sim/tb/process.go",
		old: "		p.left, p.bound = n, n\n		p.suspend(waitCycles)", new: "		p.left, p.bound = max(n-1, 1), n\n		p.suspend(waitCycles)",
		test: "./sim/tb TestWaits/verilator", says: "3 cycles came after cycle",
	},
	{
		name: "an edge is a level", file: "sim/tb/process.go",
		old: "		rose := *bit == to && last != to", new: "		rose := *bit == to && (last == to || last != to)",
		test: "./sim/tb TestWaits/verilator", says: "came after cycle",
	},
	{
		name: "a process's random numbers depend on the others", file: "sim/tb/process.go",
		old: "		p.rng = rand.New(rand.NewPCG(p.seed, h.Sum64()))", new: "		p.rng = rand.New(rand.NewPCG(p.seed, uint64(len(p.lists[driving]))))",
		test: "./sim/tb TestDeterminism", says: "two transcripts",
	},
	{
		name: "lines of processes lost unless a transcript is set", file: "sim/tb/tb.go",
		old: "		b.transcript = t.Output()\n", new: "",
		test: "./sim/tb TestFatalInTest", says: "witness: waits",
	},
	{
		name: "a run without a cycle passes", file: "sim/tb/scheduler.go",
		old: "s.workers == 0 && done == 0 && len", new: "s.workers == 0 && done < 0 && len",
		test: "./sim/tb TestNothingToRun", says: "has seen nothing",
	},
	{
		name: "the bench's seed ignored", file: "sim/tb/process.go",
		old: "		h.Write([]byte(p.name))\n		p.rng = rand.New(rand.NewPCG(p.seed,", new: "		h.Write([]byte(p.name))\n		p.rng = rand.New(rand.NewPCG(1,",
		test: "./sim/tb TestDeterminism", says: "transcripts of different seeds are alike",
	},
	{
		name: "cycles of another clock counted", file: "sim/tb/scheduler.go",
		old: "		if p.domain&s.rises == 0 {\n			continue\n		}\n", new: "",
		test: "./sim/tb TestClocks", says: "--- FAIL",
	},
	{
		name: "reset is over a cycle early", file: "sim/tb/reset.go",
		old: "	return r == nil || !r.Active() && r.released != p.cycle+2", new: "	return r == nil || !r.Active()",
		test: "./sim/tb TestResetOver/verilator", says: "the cycle after has count 0, want 1",
	},
	{
		name: "t.Fatal of a process does not end the test", file: "sim/tb/tb.go",
		old: "		if p := b.running; left && p != nil {", new: "		if p := b.running; !left && p != nil {",
		test: "./sim/tb TestFatalInProcess/body/verilator", says: "want the log to begin with",
	},
	{
		name: "stream: a valid that falls passes", file: "sim/stream/checker.go",
		old: "		if !*c.Valid && c.Rules.Hold != \"\" {", new: "		if !*c.Valid && c.Rules.Hold == \"\" {",
		test: "./sim/stream TestFIFOFaultsAreFound|TestDriverStopped", says: "want that valid fell",
	},
	{
		name: "stream: a payload that changes passes", file: "sim/stream/checker.go",
		old: "	if now == s.kept {", new: "	if now == s.kept || now.value != s.kept.value {",
		test: "./sim/stream TestFIFOFaultsAreFound/overflows", says: "no report has",
	},
	{
		name: "stream: an X on ready passes", file: "sim/stream/checker.go",
		old: "		if readyX && *c.Valid {", new: "		if readyX && !*c.Valid {",
		test: "./sim/stream TestFIFOFaultsAreFound/unknown_ready", says: "no report has",
	},
	{
		name: "stream: a payload that becomes X passes", file: "sim/stream/checker.go",
		old: "	p.Flipped(func() { now.flipped = s.get() })\n", new: "",
		test: "./sim/stream TestUnknownPayload/becomes_X", says: "--- FAIL",
	},
	{
		name: "stream: an item that is X passes for 0", file: "sim/stream/stream.go",
		old: "		if unknown && !reflect.DeepEqual", new: "		if !unknown && !reflect.DeepEqual",
		test: "./sim/stream TestUnknownPayload/monitor", says: "--- FAIL",
	},
	{
		name: "stream: the bound of a wait ignored", file: "sim/stream/checker.go",
		old: "if c.Bound > 0 && c.waiting > c.Bound &&", new: "if c.Bound > 0 && c.waiting > 100*c.Bound &&",
		test: "./sim/stream TestFIFOFaultsAreFound/waits_for_ready", says: "no report has",
	},
	{
		name: "stream: nothing is checked after a reset before the bench", file: "sim/stream/checker.go",
		old: "		c.started = c.started || cycle > 0\n", new: "",
		test: "./sim/stream TestCheckerStarts/reset_before_the_bench|TestCheckerStarts/second_run", says: "--- FAIL",
	},
	{
		name: "stream: a checker that has checked nothing passes", file: "sim/stream/checker.go",
		old: "	if c.checked > 0 {\n", new: "	if c.checked >= 0 {\n",
		test: "./sim/stream TestCheckerStarts/never_reset", says: "want",
	},
	{
		name: "stream: an item sent twice", file: "sim/stream/stream.go",
		old: "	p.Until(bound, func() bool { return *d.Ready })", new: "	p.Until(bound, func() bool { return *d.Ready })\n	p.Next()",
		test: "./sim/stream TestFIFO$/gap_0,_busy_0,_late_false/verilator", says: "500 bytes took",
	},
	{
		name: "stream: the sink is always ready", file: "sim/stream/stream.go",
		old: "(!s.Late || offered) && (s.Busy == 0 || p.Rand().Float64() >= s.Busy)", new: "!s.Late || offered",
		test: "./sim/stream TestFIFOFaultsAreFound", says: "no report has",
	},
	{
		name: "stream: transfers in reset are seen", file: "sim/stream/stream.go",
		old: "*m.Valid && *m.Ready && (m.InReset == nil || !m.InReset())", new: "*m.Valid && *m.Ready",
		test: "./sim/stream TestFIFO$/.*/verilator|TestMonitorInReset", says: "--- FAIL",
	},
	{
		name: "AXI4-Lite: a response before its request passes", file: "sim/axi/lite.go",
		old: "	if *l.b.valid.Value && min(c.aw, c.w) == 0 {", new: "	if *l.b.valid.Value && max(c.aw, c.w) < 0 {",
		test: "./sim/axi TestLiteFaultsAreFound/BVALID_before_the_data", says: "no report has",
	},
	{
		name: "AXI4-Lite: VALID in reset passes", file: "sim/stream/checker.go",
		old: "		if was && *c.Valid && c.Rules.Reset != \"\" {", new: "		if was && *c.Valid && c.Rules.Reset == \"\" {",
		test: "./sim/axi TestLiteFaultsAreFound/BVALID_in_reset|TestLiteManagerFaultsAreFound/VALID_in_reset", says: "is 1 in reset, or in the first cycle after it",
	},
	{
		name: "AXI4-Lite: EXOKAY passes", file: "sim/axi/lite.go",
		old: "			if Resp(resp.code.Get()) == EXOKAY {", new: "			if Resp(resp.code.Get()) == Aborted {",
		test: "./sim/axi TestLiteFaultsAreFound/EXOKAY", says: "no report has",
	},
	{
		name: "AXI4-Lite: a response that never comes passes", file: "sim/axi/lite.go",
		old: "		return n + 1\n", new: "		return 0\n",
		test: "./sim/axi TestLiteFaultsAreFound/never_[BR]VALID", says: "no report has",
	},
	{
		name: "AXI4-Lite: the manager ignores strobes", file: "sim/axi/manager.go",
		old: "m.request(m.w, m.wdata, data, m.wstrb, uint64(strobe))", new: "m.request(m.w, m.wdata, data, m.wstrb, 15)",
		test: "./sim/axi TestLite$/.*/verilator", says: "the read at",
	},
	{
		name: "AXI4-Lite: a read of X passes for 0", file: "sim/axi/manager.go",
		old: "			if m.rdata.IsUnknown() && !m", new: "			if !m.rdata.IsUnknown() && m.rdata.IsUnknown() && !m",
		test: "./sim/axi TestUnknownResponses/RDATA", says: "--- FAIL",
	},
	{
		name: "AXI4-Stream: TKEEP of X passes for 0", file: "sim/axi/stream.go",
		old: `{"TKEEP", s.keep.IsUnknown()}, `, new: "",
		test: "./sim/axi TestUnknownTransfers/TKEEP", says: "--- FAIL",
	},
	{
		name: "AXI4-Stream: TLAST may change", file: "sim/axi/stream.go",
		old: "		rules.Payload = append(rules.Payload, stream.Field(\"TLAST\", c.last.Value))\n", new: "",
		test: "./sim/axi TestStreamFaultsAreFound/TLAST_changes", says: "no report has",
	},
	{
		name: "AXI4-Stream: TSTRB without TKEEP passes", file: "sim/axi/stream.go",
		old: "		if !kept && c.strb.Bytes != nil &&", new: "		if kept && !kept && c.strb.Bytes != nil &&",
		test: "./sim/axi TestStreamFaultsAreFound/TSTRB_without_TKEEP", says: "no report has",
	},
	{
		name: "AXI4-Stream: bytes without TKEEP are taken", file: "sim/axi/stream.go",
		old: "			if m.kept(i) {\n				packet", new: "			if m.kept(0) {\n				packet",
		test: "./sim/axi TestPacketsAreThoseSent/verilator", says: "packet 0 was sent as",
	},
	{
		name: "UART: most significant bit first", file: "sim/uart/uart.go",
		old: "		t.bit(p, b>>i&1 != 0)", new: "		t.bit(p, b<<i&0x80 != 0)",
		test: "./sim/uart TestLoop/4/verilator", says: `scoreboard "bytes"`,
	},
	{
		name: "UART: framing errors not seen", file: "sim/uart/uart.go",
		old: "		f.FramingError = !r.bit(p, \"the stop bit\")", new: "		f.FramingError = false",
		test: "./sim/uart TestFaultsAreFound/stop_bit_of_0|TestDivisors/verilator", says: "--- FAIL",
	},
	{
		name: "UART: bits sampled at their edges", file: "sim/uart/uart.go",
		old: "		if !r.wait(p, (r.Divisor-1)/2, start) {\n			continue\n		}\n", new: "",
		test: "./sim/uart TestDivisors/verilator", says: "sent at",
	},
	{
		name: "UART: a data bit of X passes for 0", file: "sim/uart/uart.go",
		old: "		if *r.Line != level {", new: "		if false {",
		test: "./sim/uart TestUnknownLine", says: "--- FAIL",
	},
	{
		name: "scoreboard: lost items pass", file: "sim/score/score.go",
		old: "	if len(left) > 0 {\n		return &Leftover{board, left}\n	}\n", new: "",
		test: "./sim/score TestInOrder/too_few|TestByKey/too_few", says: "left over",
	},
	{
		name: "scoreboard: nothing compared passes", file: "sim/score/score.go",
		old: "	if compared == 0 {", new: "	if compared < 0 {",
		test: "./sim/score TestInOrder/nothing|TestByKey", says: "has compared nothing",
	},
	{
		name: "scoreboard: items are not compared", file: "sim/score/score.go",
		old: "	if cmp.Equal(want, got, opts...) {", new: "	if cmp.Equal(want, want, opts...) {",
		test: "./sim/score TestInOrder/wrong", says: "in it",
	},
	{
		name: "scoreboard: the youngest of a key compared", file: "sim/score/score.go",
		old: "	diff := compare(same[0].item, item, s.opts)", new: "	diff := compare(same[len(same)-1].item, item, s.opts)",
		test: "./sim/score TestByKey", says: "--- FAIL",
	},
}
