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
}
