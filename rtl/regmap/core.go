package regmap

// Fields that both cores have.
var (
	castling = []Field{
		{Name: "WhiteKingSide", Low: 0, Doc: "White may castle king side"},
		{Name: "WhiteQueenSide", Low: 1, Doc: "White may castle queen side"},
		{Name: "BlackKingSide", Low: 2, Doc: "Black may castle king side"},
		{Name: "BlackQueenSide", Low: 3, Doc: "Black may castle queen side"},
		{Name: "Black", Low: 4, Doc: "Black is to move"},
		{Name: "EnPassant", Low: 8, Width: 8, Doc: "one bit for the file (bit 0: a) of a pawn that just made a double step, if it did"},
	}
	board = Register{
		Name: "Board", Address: 0x040, Count: 8,
		Doc: "rank 1 to rank 8. Four bits a square, file a in bits 3 to 0: 0 empty, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, plus 8 if black",
	}
	version = Register{Name: "Version", Address: 0x004, Access: ReadOnly, Doc: "of this register map", Reads: constant(0x00010000), Fields: []Field{
		{Name: "Minor", Low: 0, Width: 16, Doc: "a greater one: there are more registers or fields"},
		{Name: "Major", Low: 16, Width: 16, Doc: "another one: a driver must not go on"},
	}}
)

// Core is the move generator core (rtl/core): game state and list.
var Core = Map{
	Name: "core",
	Go:   "Core",
	Registers: []Register{
		{Name: "Identity", Address: 0x000, Access: ReadOnly, Doc: `what this is: "MOVE" in ASCII`, Reads: constant(0x4d4f5645)},
		version,
		{Name: "Config", Address: 0x008, Access: ReadOnly, Doc: "how it was built", Fields: []Field{
			{Name: "Plies", Low: 0, Width: 8, Doc: "moves that can be taken back"},
			{Name: "Fifo", Low: 16, Width: 16, Doc: "moves that the FIFO holds"},
		}},
		{Name: "Status", Address: 0x00c, Access: ReadOnly, Doc: "what goes on", Fields: []Field{
			{Name: "Listing", Low: 0, Doc: "a list is under way: its last word has not come to the FIFO, or to the stream"},
			{Name: "Streaming", Low: 1, Doc: "and it goes to the stream"},
			{Name: "Moves", Low: 16, Width: 10, Doc: "words in the FIFO"},
		}},
		{Name: "Error", Address: 0x010, Access: ReadWrite, Doc: "the first command that was refused since this was last written, whatever with. A refused command changes nothing", Fields: []Field{
			{Name: "Reason", Low: 0, Width: 4, Doc: "why", Values: []Value{
				{"None", 0, "none was"},
				{"Full", 1, "make, null move: no more moves can be taken back"},
				{"Empty", 2, "unmake: there is no move to take back"},
				{"Origin", 3, "make: no piece of the side to move stands on the origin"},
				{"Destination", 4, "make: one stands on the destination"},
				{"Promotion", 5, "make: a pawn on its last rank becomes none of knight, bishop, rook and queen, or something else becomes one"},
				{"Busy", 6, "list: one is on its way to the stream"},
				{"Word", 7, "a published command that is none: not one of make and unmake, or to make a move from or to a square off the board"},
			}},
			{Name: "Command", Low: 8, Width: 3, Doc: "which", Values: []Value{
				{"Load", 0, ""}, {"Make", 1, ""}, {"Null", 2, ""}, {"Unmake", 3, ""}, {"List", 4, ""}, {"Published", 5, "one with Reason Word"},
			}},
		}},
		{Name: "InterruptEnable", Address: 0x014, Access: ReadWrite, Doc: "which interrupts drive the line", Layout: "Interrupts"},
		{Name: "InterruptStatus", Address: 0x018, Access: ReadWrite, Doc: "which interrupts have come. Writing 1 to a bit clears it", Layout: "Interrupts"},
		{Name: "Count", Address: 0x01c, Access: ReadOnly, Doc: "of the position listed last", Fields: []Field{
			{Name: "Moves", Low: 0, Width: 8, Doc: "its legal moves, whatever the filter"},
			{Name: "Check", Low: 8, Doc: "the side to move is in check"},
			{Name: "Valid", Low: 31, Doc: "the two above are there"},
		}},
		{Name: "List", Address: 0x020, Access: ReadWrite, Doc: "writing lists the moves of the position, instead of any list under way to the FIFO, which is emptied; reading gives what was written last", Fields: []Field{
			{Name: "Order", Low: 0, Width: 2, Values: []Value{
				{"Plain", 0, "by destination"}, {"Captures", 1, "captures first"}, {"LeastAggressor", 2, "captures first, by most valuable victim, then least valuable aggressor"}, {"MostAggressor", 3, "the same, most valuable aggressor"},
			}},
			{Name: "Filter", Low: 4, Width: 2, Values: []Value{
				{"All", 0, "all moves"}, {"Captures", 1, "captures and promotions, for quiescence"}, {"Checks", 2, "moves that give check"},
			}},
			{Name: "Stream", Low: 8, Doc: "to the AXI4-Stream, not to the FIFO"},
			{Name: "Auto", Low: 9, Doc: "from now on the same after each load, make, null move and unmake that is carried out"},
		}},
		{Name: "Abort", Address: 0x024, Access: WriteOnly, Doc: "ends the list under way and empties the FIFO. A packet on the stream ends with a word without move"},
		{Name: "Load", Address: 0x028, Access: WriteOnly, Doc: "takes the position that was written to Position, Clocks and Board; there are no moves to take back then. Keeps the bus waiting for 9 cycles"},
		{Name: "Make", Address: 0x02c, Access: WriteOnly, Doc: "makes a legal move: a word as it was listed, of which origin, destination and promotion are looked at", Layout: "Move"},
		{Name: "Null", Address: 0x030, Access: WriteOnly, Doc: "passes the turn; not in check"},
		{Name: "Unmake", Address: 0x034, Access: WriteOnly, Doc: "takes back the last move or null move"},
		{Name: "Position", Address: 0x038, Access: ReadWrite, Doc: "writing: for Load; reading: of the game", Fields: append(castling[:len(castling):len(castling)],
			Field{Name: "Depth", Low: 16, Width: 8, Doc: "moves that can be taken back (not for Load)"})},
		{Name: "Clocks", Address: 0x03c, Access: ReadWrite, Doc: "writing: for Load; reading: of the game", Fields: []Field{
			{Name: "Halfmove", Low: 0, Width: 16, Doc: "plies since the last capture or pawn's move"},
			{Name: "Fullmove", Low: 16, Width: 16, Doc: "number of the move"},
		}},
		readWrite(board, "Writing: for Load; reading: of the game"),
		{Name: "PublishedCommand", Address: 0x060, Access: WriteOnly, Doc: "make and unmake as the published core had them", Fields: []Field{
			{Name: "Origin", Low: 0, Width: 7, Doc: "12x12 numbering: 26 is a1, 27 is b1, 38 is a2, 117 is h8"},
			{Name: "Destination", Low: 7, Width: 7, Doc: "12x12 numbering"},
			{Name: "EnPassant", Low: 14, Doc: "not looked at: it follows from the position"},
			{Name: "Castling", Low: 15, Width: 3, Doc: "not looked at, for the same reason"},
			{Name: "Captured", Low: 18, Width: 4, Doc: "not looked at, for the same reason"},
			{Name: "Promotion", Low: 22, Width: 4, Doc: "as Board codes pieces; the colour is not looked at"},
			{Name: "Make", Low: 26},
			{Name: "Unmake", Low: 27, Doc: "takes back the last move; the fields above are not looked at"},
		}},
		{Name: "PublishedMoves", Address: 0x064, Access: ReadOnly, Doc: "the FIFO's next move as the published core's 64-bit record: the low half, then, and with it the move is taken, the high half, which is 0. Without a move both are 0, and the low half remains next", Layout: "Record"},
		{Name: "Moves", Address: 0x200, Count: 128, Access: ReadOnly, Doc: "each of them reads and takes the FIFO's next word; 0 if there is none. So many, so that a burst can read several", Layout: "Move"},
	},
	Words: []Register{
		{Name: "Move", Doc: "a move, in the FIFO and on the stream. Squares: a1 is 0, b1 is 1, h8 is 63. Pieces: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king", Fields: []Field{
			{Name: "From", Low: 0, Width: 6, Doc: "origin"},
			{Name: "To", Low: 8, Width: 6, Doc: "destination"},
			{Name: "Promotion", Low: 16, Width: 3, Doc: "what a pawn becomes, or 0"},
			{Name: "Piece", Low: 20, Width: 3, Doc: "what moves"},
			{Name: "EnPassant", Low: 23, Doc: "a capture en passant"},
			{Name: "Captured", Low: 24, Width: 3, Doc: "what is captured, or 0"},
			{Name: "Castling", Low: 27, Doc: "castling: the king's move"},
			{Name: "None", Low: 28, Doc: "no move: none passes the filter, or Abort ended the packet here. The fields above are 0"},
			{Name: "Black", Low: 29, Doc: "Black moves"},
			{Name: "Last", Low: 30, Doc: "the list's last word"},
			{Name: "Valid", Low: 31, Doc: "there is a word"},
		}},
		{Name: "Record", Doc: "the low half of a published move record, its fields side by side from bit 0 on. Pieces as Board codes them, colour included", Fields: []Field{
			{Name: "From", Low: 0, Width: 6, Doc: "origin; a1 is 0"},
			{Name: "To", Low: 6, Width: 6, Doc: "destination"},
			{Name: "EnPassant", Low: 12},
			{Name: "Castling", Low: 13, Width: 3, Values: []Value{
				{"No", 0, ""}, {"WhiteKingSide", 1, ""}, {"WhiteQueenSide", 2, ""}, {"BlackKingSide", 3, ""}, {"BlackQueenSide", 4, ""},
			}},
			{Name: "Captured", Low: 16, Width: 4, Doc: "what is captured, or 0"},
			{Name: "Promotion", Low: 20, Width: 4, Doc: "what a pawn becomes, or 0"},
			{Name: "None", Low: 28, Doc: "ours, as in a move's word"},
			{Name: "Last", Low: 30, Doc: "ours"},
			{Name: "Valid", Low: 31, Doc: "ours"},
		}},
		{Name: "Interrupts", Doc: "interrupts of the core", Fields: []Field{
			{Name: "Listed", Low: 0, Doc: "a list's last word has come to the FIFO, or to the stream"},
			{Name: "Refused", Low: 1, Doc: "a command was refused: Error says why, if it was the first"},
		}},
	},
}

func readWrite(r Register, doc string) Register {
	r.Access, r.Doc = ReadWrite, r.Doc+". "+doc
	return r
}

func writeOnly(r Register) Register {
	r.Access = WriteOnly
	return r
}

func constant(v uint32) *uint32 { return &v }
