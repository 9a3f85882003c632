package regmap

// Perft is the perft engine on the bus (rtl/perftcore).
var Perft = Map{
	Name:   "perftcore",
	Go:     "Perft",
	Shares: []string{"Version", "Position"},
	Registers: []Register{
		{Name: "Identity", Address: 0x000, Access: ReadOnly, Doc: `what this is: "PRFT" in ASCII`, Reads: constant(0x50524654)},
		version,
		{Name: "Config", Address: 0x008, Access: ReadOnly, Doc: "how it was built", Fields: []Field{
			{Name: "Depth", Low: 0, Width: 8, Doc: "the greatest depth, in plies"},
		}},
		{Name: "Status", Address: 0x00c, Access: ReadOnly, Doc: "what goes on", Fields: []Field{
			{Name: "Busy", Low: 0, Doc: "a job is under way"},
			{Name: "Root", Low: 1, Doc: "a root move waits to be read"},
		}},
		{Name: "Error", Address: 0x010, Access: ReadWrite, Doc: "whether a command was refused since this was last written, whatever with", Fields: []Field{
			{Name: "Reason", Low: 0, Width: 4, Values: []Value{{"None", 0, "none was"}, {"Busy", 6, "start: a job is under way"}}},
		}},
		{Name: "InterruptEnable", Address: 0x014, Access: ReadWrite, Doc: "which interrupts drive the line", Layout: "Interrupts"},
		{Name: "InterruptStatus", Address: 0x018, Access: ReadWrite, Doc: "which interrupts have come. Writing 1 to a bit clears it", Layout: "Interrupts"},
		{Name: "Start", Address: 0x020, Access: ReadWrite, Doc: "writing counts the sequences of moves from the position that was written to Position and Board, and sets counts to 0. Keeps the bus waiting for 9 cycles; reading gives what was written last", Fields: []Field{
			{Name: "Depth", Low: 0, Width: 4, Doc: "plies"},
			{Name: "Divide", Low: 8, Doc: "root moves are to be read. The engine stops while 16 of them wait"},
		}},
		{Name: "Abort", Address: 0x024, Access: WriteOnly, Doc: "ends the job. Counts stay at what was counted; root moves not read are lost; no interrupt comes of it"},
		{Name: "Position", Address: 0x038, Access: WriteOnly, Doc: "for Start", Fields: castling},
		writeOnly(board),
		{Name: "CountLow", Address: 0x080, Access: ReadOnly, Doc: "sequences counted so far, low half. The halves belong together when no job is under way; otherwise read the high half before and after"},
		{Name: "CountHigh", Address: 0x084, Access: ReadOnly, Doc: "high half"},
		{Name: "CyclesLow", Address: 0x088, Access: ReadOnly, Doc: "clock cycles for which the job has been under way, low half"},
		{Name: "CyclesHigh", Address: 0x08c, Access: ReadOnly, Doc: "high half"},
		{Name: "RootMove", Address: 0x090, Access: ReadOnly, Doc: "the next root move, or 0 if none waits", Layout: "Move"},
		{Name: "RootCountLow", Address: 0x094, Access: ReadOnly, Doc: "sequences that begin with it, low half"},
		{Name: "RootCountHigh", Address: 0x098, Access: ReadOnly, Doc: "high half; reading it takes the root move, so that the next one follows"},
	},
	Words: []Register{
		{Name: "Move", Doc: "a root move, placed as in the core's moves", Fields: []Field{
			{Name: "From", Low: 0, Width: 6, Doc: "origin; a1 is 0"},
			{Name: "To", Low: 8, Width: 6, Doc: "destination"},
			{Name: "Promotion", Low: 16, Width: 3, Doc: "what a pawn becomes, or 0"},
			{Name: "Valid", Low: 31, Doc: "there is one"},
		}},
		{Name: "Interrupts", Doc: "interrupts of the perft engine", Fields: []Field{
			{Name: "Done", Low: 0, Doc: "the job is done: all is counted, all root moves have been read"},
			{Name: "Root", Low: 1, Doc: "a root move waits: set as long as one does"},
			{Name: "Refused", Low: 2, Doc: "a command was refused"},
		}},
	},
}
