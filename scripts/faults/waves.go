package main

// waveFaults are faults of the viewer of waves, of what it draws, and of what failures keep for it.
var waveFaults = []fault{
	{
		name: "a recording's cycle has what came with the edge at its end", file: "sim/wave/fst.go",
		old: "c.Time+1)", new: "c.Time)",
		test: "./sim/wave TestCycles/verilator", says: "sampled was",
	},
	{
		name: "of a recording that is too large, the first cycles keep their numbers", file: "sim/wave/fst.go",
		old: "at-cut, s.First+uint64(cut)", new: "at-cut, s.First",
		test: "./sim/wave TestReadFST", says: "in the whole",
	},
	{
		name: "a copy of LZ4 is a byte too short", file: "sim/wave/fst/reader.go",
		old: "more(token&15) + 4", new: "more(token&15) + 3",
		test: "./sim/wave/fst TestMany", says: "is damaged",
	},
	{
		name: "a signal that is recorded as equal to another is taken for the one after", file: "sim/wave/fst/changes.go",
		old: "before = int(-v) - 1", new: "before = int(-v)",
		test: "./sim/wave/fst TestMany", says: "index of changes is damaged",
	},
	{
		name: "a value's upper words are lost in the page", file: "sim/wave/js/decode.js",
		old: "(b >>> 2)] |=", new: "(b >>> 3)] |=",
		test: "./sim/wave TestViewer/values", says: "-set +page",
	},
	{
		name: "an X among many values is not drawn", file: "sim/wave/js/trace.js",
		old: "this.before[j] > this.before[i]", new: "this.before[j] > this.before[i] + 1",
		test: "./sim/wave TestViewer/colours", says: "one X among many values is not seen",
	},
	{
		name: "a change replaced within a cycle is kept beside its successor", file: "sim/wave/js/trace.js",
		old: "&& cycle == last) this.count--;", new: "&& cycle == last) this.count -= 0;",
		test: "./sim/wave TestViewer/live", says: "in the page:",
	},
	{
		name: "what a failed process was about to do is not marked", file: "sim/tb/transaction.go",
		old: `k.open && (failed == "" || failed == r.who)`, new: `k.open && failed == ""`,
		test: "./sim/tb TestTransactions", says: "drive 4–5 sends 8 (0x8) !",
	},
	{
		name: "the value of a transaction is the one that it has when the test fails", file: "sim/tb/transaction.go",
		old: "if !r.constant {", new: "if r.shape == nil {",
		test: "./sim/tb TestTransactions", says: "drive 2–2 sent [9 2]",
	},
	{
		name: "the waves of a slow frame begin in its middle", file: "sim/report/waves.go",
		old: "t.Bad || t.To+3 >= f.Cycle", new: "t.Bad",
		test: "./sim/uart TestFailurePage", says: "do not begin before the frame",
	},
	{
		name: "what a slow frame answers is not recorded", file: "sim/failure.go",
		old: "if t.To >= began {", new: "if t.To > f.Cycle {",
		test: "./sim/uart TestFailurePage", says: "a click on a transaction does not show it",
	},
	{
		name: "in a terminal, of many transactions the first one that is wrong is left out", file: "sim/report/text.go",
		old: "if i < len(f.Transactions)-most && !t.Bad {", new: "if i < len(f.Transactions)-most {",
		test: "./sim/report TestTransactions", says: "a terminal shows",
	},
	{
		name: "a report as text has the terminal's transactions only", file: "sim/report/write.go",
		old: "text(palette{}, len(f.Transactions))", new: "Text(false)",
		test: "./sim/report TestTransactions", says: "report.txt has",
	},
	{
		name: "of several clocks, a rise is drawn a cycle late", file: "sim/wave/fst.go",
		old: "				cycle := s.First + uint64(i)", new: "				cycle := s.First + uint64(i) + 1",
		test: "./sim/wave TestClocksOfRecording/icarus", says: "fast_i rises",
	},
}
