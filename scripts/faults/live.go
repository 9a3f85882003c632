package main

// Faults in the pages: who gets in, the runner, what a design's page shows.
var liveFaults = []fault{
	{
		name: "the beginning of a token is enough", file: "sim/live/handler.go",
		old: "	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(h.token))", new: "	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(h.token[:min(len(token), len(h.token))]))",
		test: "./sim/live TestWhoGetsIn", says: "--- FAIL: TestWhoGetsIn/the_beginning_of_the_token",
	},
	{
		name: "any Host will do", file: "sim/live/handler.go",
		old: "	if local.IP.IsLoopback() {\n		return host == \"localhost\"", new: "	if local.IP.IsLoopback() {\n		return true",
		test: "./sim/live TestWhoGetsIn", says: "--- FAIL: TestWhoGetsIn/a_name_that_was_made_to_lead_here",
	},
	{
		name: "an origin that begins as the server's will do", file: "sim/live/handler.go",
		old: "origin != \"\" && origin != \"http://\"+r.Host", new: "origin != \"\" && !strings.HasPrefix(origin, \"http\")",
		test: "./sim/live TestWhoGetsIn", says: "--- FAIL: TestWhoGetsIn/fetch_of_another_site",
	},
	{
		name: "a WebSocket without origin", file: "sim/live/viewer.go",
		old: "	if r.Header.Get(\"Origin\") == \"\" {", new: "	if r.Header.Get(\"Origin\") == \"none\" {",
		test: "./sim/live TestWhoGetsIn", says: "--- FAIL: TestWhoGetsIn/WebSocket_without_origin",
	},
	{
		name: "scripts in other sites' pages", file: "sim/live/handler.go",
		old: "(site == \"cross-site\" || site == \"same-site\")", new: "site == \"cross-site\"",
		test: "./sim/live TestWhoGetsIn", says: "--- FAIL: TestWhoGetsIn/script_in_a_page_of_another_port",
	},
	{
		name: "who does not have the hand may step", file: "sim/live/control.go",
		old: "		if r.hand != m.viewer {", new: "		if r.hand != m.viewer && m.Do != \"step\" {",
		test: "./sim/live TestTwoViewers", says: "step without the hand",
	},
	{
		name: "a slow viewer gets all states", file: "sim/live/runner.go",
		old: "v.unseen >= inFlight", new: "v.unseen >= 1000*inFlight",
		test: "./sim/live TestSlowViewer", says: "the slow viewer got",
	},
	{
		name: "a step goes on after a pause", file: "sim/live/runner.go",
		old: "	r.running, r.left, r.notice, r.fault = false, 0, reason, fault", new: "	r.left, r.notice, r.fault = 0, reason, fault",
		test: "./sim/live TestFault", says: "the status is",
	},
	{
		name: "a signal is watched without its past", file: "sim/live/ports/machine.go",
		old: "			c.watched = watched\n		}", new: "			c.watched = nil\n		}",
		test: "./sim/live/ports TestWatch/icarus", says: "its past is",
	},
	{
		name: "a trigger that pauses again and again", file: "sim/live/probe/trigger.go",
		old: "	if !t.was || was {", new: "	if !t.was && !was {",
		test: "./sim/live/ports TestTrigger/icarus", says: "it pauses",
	},
	{
		name: "X shown as 0", file: "sim/live/probe/value.go",
		old: "		case hidden:\n			digit = 'x'", new: "		case hidden:\n			digit = '0'",
		test: "./sim/live/ports TestPorts/icarus", says: "after the reset",
	},
	{
		name: "what is done again has the inputs a cycle late", file: "sim/live/ports/machine.go",
		old: "record[next].Cycle <= c.cycle", new: "record[next].Cycle < c.cycle",
		test: "./sim/live/ports TestSave/icarus", says: "--- FAIL",
	},
	{
		name: "an overlay in the view of Black", file: "rtl/movegen/live/overlays.go",
		old: "	if p.SideToMove() == engine.Black {", new: "	if p.SideToMove() > engine.Black {",
		test: "./rtl/movegen/live TestOverlays/icarus", says: "and should be",
	},
	{
		name: "an overlay from the stage before", file: "rtl/movegen/live/app.go",
		old: "		if int64(o.stage) == since+1 {", new: "		if int64(o.stage) == since+2 {",
		test: "./rtl/movegen/live TestOverlays/icarus", says: "--- FAIL",
	},
	{
		name: "what is done again on a board is a cycle late", file: "rtl/board/live/record.go",
		old: "		if !p.more && !p.next() || p.read > cycle {", new: "		if !p.more && !p.next() || p.read >= cycle {",
		test: "./rtl/board/live ^TestRecord$", says: "cycle 0: {",
	},
	{
		name: "a board's signal is added to the waves without its past", file: "rtl/board/live/machine.go",
		old: "	own := m.record\n	m.record = nil\n	defer func() { m.record = own }()", new: "	own, names := m.record, m.watched\n	m.record, m.watched = nil, nil\n	defer func() { m.record, m.watched = own, names }()",
		test: "./rtl/board/live TestAddSignal/verilator", says: "select_d is \"\" in cycle",
	},
	{
		name: "LEDs as they are selected, not as they are lit", file: "rtl/board/live/session.go",
		old: "	s.eye.look(out.Select, out.Led && ", new: "	s.eye.look(out.Select, ",
		test: "./rtl/board/live ^TestGame$", says: "the X is lit: this does not come",
	},
	{
		name: "a broken LED is seen", file: "rtl/board/live/session.go",
		old: "s.faults.Dark>>(out.Select&63)&1 == 0", new: "s.faults.Dark>>(out.Select&63)&1 <= 1",
		test: "./rtl/board/live ^TestFaults$", says: "an X without its centre: this does not come",
	},
	{
		name: "the eye forgets nothing", file: "rtl/board/live/eye.go",
		old: "		e.sum[n] += e.now[n] - old[n]", new: "		e.sum[n] += e.now[n]",
		test: "./rtl/board/live ^TestEye$", says: "--- FAIL: TestEye",
	},
	{
		name: "what lies is seen by its sensor", file: "rtl/board/live/hand.go",
		old: "	p.Lying = true\n	s.touch(func() { s.sensors.Lift(int(square)) })", new: "	p.Lying = true\n	s.touch(func() { s.sensors.Place(int(square)) })",
		test: "./rtl/board/live ^TestGame$", says: "its square is empty for the sensor: this does not come",
	},
	{
		name: "three hands", file: "rtl/board/live/hand.go",
		old: "p.At != Hand && s.held() == 2", new: "p.At != Hand && s.held() == 3",
		test: "./rtl/board/live ^TestGame$", says: "a third piece in hand: <nil>",
	},
	{
		name: "no power, and the board goes on", file: "rtl/board/live/hand.go",
		old: "	s.in.RstN = !s.pressed[ResetButton] && !s.off", new: "	s.in.RstN = !s.pressed[ResetButton]",
		test: "./rtl/board/live ^TestPower$", says: "a board without power knows the game",
	},
	{
		name: "spoilt bytes arrive as they were", file: "rtl/board/live/faults.go",
		old: "	if noise == 0 || r.Float64() >= noise {", new: "	if noise >= 0 {",
		test: "./rtl/board/live ^TestFaults$", says: "no frame was damaged",
	},
	{
		name: "the saved pieces are put back as the game has them", file: "rtl/board/live/saved.go",
		old: "	s.Begin(g, f.Play)\n	s.Arrange(f.Pieces)", new: "	s.Begin(g, f.Play)",
		test: "./rtl/board/live ^TestSave$", says: "e4 is empty: this does not come",
	},
	{
		name: "a refusal of the move that was not tried", file: "rtl/board/live/judge.go",
		old: "	if from, to, ok := s.attempt(p); ok {", new: "	if to, from, ok := s.attempt(p); ok {",
		test: "./rtl/board/live ^TestGame$", says: "A pawn does not go from d7 to d4",
	},
	{
		name: "en passant for Black as for White", file: "rtl/board/live/signals.go",
		old: "p.EnPassant>>24", new: "p.EnPassant",
		test: "./rtl/board/live ^TestGame$", says: "--- FAIL: TestGame",
	},
	{
		name: "the page asks for the real times and gets the scaled ones", file: "rtl/board/live/machine.go",
		old: "	if real {\n		t = Real", new: "	if real {\n		t.Name = \"real\"",
		test: "./rtl/board/live ^TestAddNoSignal$", says: "with the real times",
	},
	{
		name: "a search without the name that was meant first", file: "sim/live/probe/search.go",
		old: "		if low == query || strings", new: "		if query == \"\" && strings",
		test: "./sim/live/probe TestSearch", says: "and should be",
	},
}
