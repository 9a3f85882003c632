package movegen_test

// handshakes are positions whose lists are long, short and empty. They show the faults that do not
// depend on the position.
var handshakes = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", // stalemate
	"7k/8/6K1/8/8/8/8/7R b - - 0 1",  // one move
	"8/P6k/8/8/8/8/8/K7 w - - 0 1",
	"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", // mate
	"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
	"4k3/8/8/8/8/8/8/4K2R b - - 0 1",
}

// mutants are the faults that the testbench must find: one that a designer might make for each rule.
var mutants = []mutant{
	// Moves of the pieces.
	{
		rule: "a knight's step does not wrap around the edge, in the count", file: "movegen_count.sv",
		old: "(knights_i << 2) & movegen_pkg::NotFilesAB",
		new: "(knights_i << 2) & movegen_pkg::NotFileA",
		fen: "4k3/8/8/8/7N/8/8/4K3 w - - 0 1", message: "11 moves are counted, but 9 are legal",
	},
	{
		rule: "a knight's step does not wrap around the edge, in attacks and lists", file: "movegen_pkg.sv",
		old: "((from << 2) & NotFilesAB)",
		new: "((from << 2) & NotFileA)",
		fen: "4k3/8/8/8/7N/8/8/4K3 w - - 0 1", message: "but due is h4f5 (knight)",
	},
	{
		rule: "a king's step does not wrap around the edge", file: "movegen_arrivals.sv",
		old: "(to_e_d & targets_i) | ((king_i << 1) & movegen_pkg::NotFileA & king_to_i)",
		new: "(to_e_d & targets_i) | ((king_i << 1) & king_to_i)",
		fen: "4k3/8/8/8/8/8/8/7K w - - 0 1", message: "4 moves are counted, but 3 are legal",
	},
	{
		rule: "a pawn's capture does not wrap around the edge", file: "movegen_arrivals.sv",
		old: "(takers_nw_i << 7) & movegen_pkg::NotFileH & opp_i",
		new: "(takers_nw_i << 7) & opp_i",
		fen: "4k3/8/8/8/8/P6p/8/4K3 w - - 0 1", message: "7 moves are counted, but 6 are legal",
	},
	{
		rule: "a slider's ray does not wrap around the edge", file: "movegen_arrivals.sv",
		old: "to_e_d = movegen_pkg::ray_up(movers_ew_i, empty, movegen_pkg::NotFileA, 1)",
		new: "to_e_d = movegen_pkg::ray_up(movers_ew_i, empty, movegen_pkg::All, 1)",
		fen: "4k3/8/8/8/7R/8/8/4K3 w - - 0 1", message: "27 moves are counted, but 19 are legal",
	},
	{
		rule: "a slider reaches the far edge", file: "movegen_pkg.sv",
		old: "reached = reached | (through & (reached << (4 * step)));\n    ray_up",
		new: "reached = reached | (through & (reached << (2 * step)));\n    ray_up",
		fen: "7k/8/8/8/8/8/8/R3K3 w - - 0 1", message: "a1a8",
	},
	{
		rule: "pieces do not capture their own", file: "movegen_safety.sv",
		old: "targets_d = ~own_i & (",
		new: "targets_d = (",
		fen: "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1", message: "a1a3",
	},
	{
		rule: "a pawn is not pushed onto a piece", file: "movegen_arrivals.sv",
		old: "push = (pushers_i << 8) & empty",
		new: "push = (pushers_i << 8)",
		fen: "4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", message: "e3e4",
	},
	{
		rule: "a double step does not pass through a piece", file: "movegen_arrivals.sv",
		old: "((push & movegen_pkg::Rank3) << 8)",
		new: "(((pushers_i << 8) & movegen_pkg::Rank3) << 8)",
		fen: "4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", message: "4 moves are counted, but 3 are legal",
	},
	{
		rule: "a double step starts on rank 2", file: "movegen_arrivals.sv",
		old: "((push & movegen_pkg::Rank3) << 8)",
		new: "(push << 8)",
		fen: "4k3/8/8/8/8/4P3/8/K7 w - - 0 1", message: "e3e5",
	},
	// Promotion.
	{
		rule: "promotion by capture counts four moves", file: "movegen_arrivals.sv",
		old: "promote_ne_o <= take_ne[63:56] & targets_i[63:56]",
		new: "promote_ne_o <= 8'h00",
		fen: "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1", message: "10 moves are counted, but 13 are legal",
	},
	{
		rule: "promotion to a knight is listed", file: "movegen_list.sv",
		old: "again7 = promotes7_q & (turn7_q != 2'd3)",
		new: "again7 = promotes7_q & (turn7_q != 2'd2)",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8n",
	},
	{
		rule: "promotions come as queen, rook, bishop, knight", file: "movegen_list.sv",
		old: "Queen - {1'b0, turn7_q}",
		new: "{1'b0, turn7_q} + 3'd2",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8q",
	},
	{
		rule: "only a pawn promotes", file: "movegen_list.sv",
		old: "assign promoters5 = code0_q[55:48] & ~code1_q[55:48]",
		new: "assign promoters5 = code0_q[55:48]",
		fen: "7k/B7/8/8/8/8/8/4K3 w - - 0 1", message: "a7b8",
	},
	// En passant.
	{
		rule: "en passant: the two pawns may shield the king on the rank", file: "movegen_rays.sv",
		old: "bared_o <= (king_e[38:32] & opp_w[39:33]) | (king_w[39:33] & opp_e[38:32])",
		new: "bared_o <= 7'h0",
		fen: "4k3/8/8/K1Pp3r/8/8/8/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant: the captured pawn may shield the king on a diagonal", file: "movegen_safety.sv",
		old: "ep_i & ~(line_nesw_i[39:32] | line_nwse_i[39:32])",
		new: "ep_i",
		fen: "7k/5b2/8/3pP3/8/1K6/8/8 w - d6 0 1", message: "e5d6 (pawn takes pawn, en passant)",
	},
	{
		rule: "en passant takes a pawn that gives check", file: "movegen_safety.sv",
		old: "(checkers_i[39:32] | between[47:40])",
		new: "between[47:40]",
		fen: "7k/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant blocks a check", file: "movegen_safety.sv",
		old: "(checkers_i[39:32] | between[47:40])",
		new: "checkers_i[39:32]",
		fen: "1b5k/8/8/2Pp4/8/8/7K/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant does not answer a double check", file: "movegen_safety.sv",
		old: "((checkers_i[39:32] | between[47:40]) & {8{~double_check}})",
		new: "(checkers_i[39:32] | between[47:40])",
		fen: "4r2k/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant by a pinned pawn", file: "movegen_safety.sv",
		old: "assign takers_ne_d = pawns_i & ~bound_nesw",
		new: "assign takers_ne_d = pawns_i",
		fen: "3r3k/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", message: "d5e6 (pawn takes pawn, en passant)",
	},
	{
		rule: "the pawn taken en passant is reported", file: "movegen_list.sv",
		old: "takes_ep7 ? Pawn : captured7_q",
		new: "captured7_q",
		fen: "7k/8/8/2Pp4/8/8/8/K7 w - d6 0 1", message: "c5d6 (pawn takes pawn, en passant)",
	},
	{
		rule: "only a pawn takes en passant", file: "movegen_list.sv",
		old: "ep7_q & (piece7 == Pawn)",
		new: "ep7_q",
		fen: "7k/8/R7/3p4/8/8/8/K7 w - d6 0 1", message: "a6d6 (rook takes pawn, en passant)",
	},
	// Pins and checks.
	{
		rule: "a pinned rook stays on its line", file: "movegen_safety.sv",
		old: "bound_ew = line_ns_i | line_nesw_i",
		new: "bound_ew = line_nesw_i",
		fen: "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", message: "e2d2",
	},
	{
		rule: "a pinned bishop moves on its own line, not the other", file: "movegen_safety.sv",
		old: "bound_nesw = line_ns_i | line_ew_i | line_nwse_i",
		new: "bound_nesw = line_ns_i | line_ew_i | line_nesw_i",
		fen: "7k/8/8/8/7b/8/5B2/4K3 w - - 0 1", message: "f2",
	},
	{
		rule: "a pinned knight does not move", file: "movegen_safety.sv",
		old: "knights_i & ~(bound_ns | line_ns_i)",
		new: "knights_i & ~bound_ns",
		fen: "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", message: "e2c1",
	},
	{
		rule: "a pinned pawn is not pushed", file: "movegen_safety.sv",
		old: "pawns_i & ~bound_ns",
		new: "pawns_i",
		fen: "7k/8/8/8/7b/8/5P2/4K3 w - - 0 1", message: "f2f3",
	},
	{
		rule: "a knight gives check", file: "movegen_rays.sv",
		old: "(movegen_pkg::knight_attacks(king) & opp_knights) |",
		new: "",
		fen: "7k/8/8/8/8/3n4/8/R3K3 w - - 0 1", message: "a1a2",
	},
	{
		rule: "a pawn gives check", file: "movegen_rays.sv",
		old: "((king << 7) & movegen_pkg::NotFileH & opp_pawns)",
		new: "64'h0",
		fen: "7k/8/8/8/8/8/3p4/R3K3 w - - 0 1", message: "a1a2",
	},
	{
		rule: "only the king answers a double check", file: "movegen_safety.sv",
		old: "double_check = movegen_pkg::two_or_more(checkers_i)",
		new: "double_check = 1'b0",
		fen: "4r2k/8/8/8/8/R2n4/8/4K3 w - - 0 1", message: "a3d3 (rook takes knight)",
	},
	{
		rule: "a check is blocked", file: "movegen_safety.sv",
		old: "((checkers_i | between) & ",
		new: "(checkers_i & ",
		fen: "4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", message: "a2e2",
	},
	{
		rule: "the king does not hide behind itself", file: "movegen_rays.sv",
		old: "see_through = empty | king",
		new: "see_through = empty",
		fen: "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", message: "e4e3",
	},
	{
		rule: "the king does not capture a protected piece", file: "movegen_safety.sv",
		old: "king_to_o <= ~attacked_i & ~own_i",
		new: "king_to_o <= (~attacked_i | occupied) & ~own_i",
		fen: "3r3k/8/8/8/8/8/3n4/4K3 w - - 0 1", message: "e1d2",
	},
	{
		rule: "kings keep apart", file: "movegen_rays.sv",
		old: " | movegen_pkg::king_attacks(opp_king)",
		new: "",
		fen: "8/8/8/8/8/4k3/8/4K3 w - - 0 1", message: "e1e2",
	},
	{
		rule: "check is reported", file: "movegen_safety.sv",
		old: "check_d = |checkers_i",
		new: "check_d = 1'b0",
		fen: "4r2k/8/8/8/8/8/8/4K3 w - - 0 1", message: "check is reported as false, but is true",
	},
	// Castling.
	{
		rule: "castling needs its right", file: "movegen_safety.sv",
		old: "castling_d[0] = castling_i[0] & ",
		new: "castling_d[0] = ",
		fen: "4k3/8/8/8/8/8/8/4K2R w - - 0 1", message: "with e1g1 (king, castling king side) too many",
	},
	{
		rule: "castling not through an attacked square", file: "movegen_safety.sv",
		old: "~(|attacked_i[6:4])",
		new: "~(attacked_i[6] | attacked_i[4])",
		fen: "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", message: "e1g1",
	},
	{
		rule: "castling not out of check", file: "movegen_safety.sv",
		old: "~(|attacked_i[4:2])",
		new: "~(|attacked_i[3:2])",
		fen: "4r2k/8/8/8/8/8/8/R3K3 w Q - 0 1", message: "e1c1",
	},
	{
		rule: "castling past b1 only if it is empty", file: "movegen_safety.sv",
		old: "& empty[3] & empty[2] & empty[1]",
		new: "& empty[3] & empty[2]",
		fen: "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", message: "e1c1",
	},
	{
		rule: "only the king castles", file: "movegen_list.sv",
		old: "castling7_q & {2{castles7}}",
		new: "castling7_q",
		fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1", message: "h1g1",
	},
	// Counting and listing.
	{
		rule: "a count of 218 needs eight bits", file: "movegen_count.sv",
		old: "count_o <= count_d",
		new: "count_o <= {1'b0, count_d[6:0]}",
		fen: "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", message: "90 moves are counted, but 218 are legal",
	},
	{
		rule: "a position is counted once", file: "movegen.sv",
		old:     "valid3_q & fresh3_q",
		new:     "valid3_q",
		message: "count_valid_o",
	},
	{
		rule: "the count comes in its cycle", file: "movegen_count.sv",
		old:     "count_valid_o <= valid5_q",
		new:     "count_valid_o <= valid4_q",
		message: "count_valid_o",
	},
	{
		rule: "a waiting position stops those behind it", file: "movegen.sv",
		old:     "pos_ready_o = advance",
		new:     "pos_ready_o = 1'b1",
		message: "> pos_ready_o",
	},
	{
		rule: "a listed position makes room", file: "movegen.sv",
		old:     "taken3_q <= take;",
		new:     "taken3_q <= 1'b0;",
		message: "> pos_ready_o",
	},
	{
		rule: "a position is listed once", file: "movegen_list.sv",
		old:     "(done4 & ~todo_fresh_q)",
		new:     "done4",
		message: "> pos_ready_o",
	},
	{
		rule: "the end of a list is its last move", file: "movegen_list.sv",
		old: "last7_q & ~more7_q & ~again7, none7_q",
		new: "last7_q & ~more7_q, none7_q",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8q",
	},
	{
		rule: "no moves is said so", file: "movegen_list.sv",
		old: "none6_q <= ~(|to5_q)",
		new: "none6_q <= 1'b0",
		fen: "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", message: "> move_none_o",
	},
	{
		rule: "the captured piece is what stands there", file: "movegen_list.sv",
		old: "captured6_q <= {|(to5_q & code2_q)",
		new: "captured6_q <= {|(to5_q & code1_q)",
		fen: "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", message: "e1e2 (king takes rook",
	},
	{
		rule: "a piece is looked up in its own position", file: "movegen_list.sv",
		old:     "code0_7q <= code0_6q",
		new:     "code0_7q <= code0_q",
		message: "> move_piece_o",
	},
	// Handshake and reset.
	{
		rule: "a destination's moves come one by one", file: "movegen_list.sv",
		old: "rest7_q <= rest7_q & ~lowest7;",
		new: "rest7_q <= 64'd0;",
		fen: "4k3/8/8/8/8/R6R/8/K2R4 w - - 0 1", message: "due is h3d3 (rook)",
	},
	{
		rule: "the lister waits for the receiver", file: "movegen_list.sv",
		old:     "send7 = valid7_q & ready8",
		new:     "send7 = valid7_q",
		message: "> move_",
	},
	{
		rule: "a move in reserve is not lost", file: "movegen_skid.sv",
		old:     "valid_o <= spare_valid_q | valid_i",
		new:     "valid_o <= valid_i",
		message: "> move_valid_o",
	},
	{
		rule: "a move stays until it is taken", file: "movegen_skid.sv",
		old:     "valid_o <= spare_valid_q | valid_i;\n      spare_valid_q <= 1'b0;\n    end else if (valid_i) begin",
		new:     "valid_o <= spare_valid_q | valid_i;\n      spare_valid_q <= 1'b0;\n    end else if (valid_i) begin\n      valid_o <= 1'b0;",
		message: "> move_valid_o",
	},
	{
		rule: "a move's fields stay until it is taken", file: "movegen_skid.sv",
		old:     "    if (~valid_o | ready_i) begin\n      data_o",
		new:     "    if (1'b1) begin\n      data_o",
		message: "> move_",
	},
	{
		rule: "the sender stops when the reserve is used", file: "movegen_skid.sv",
		old:     "assign ready_o = ~spare_valid_q",
		new:     "assign ready_o = 1'b1",
		message: "> move_",
	},
	{
		rule: "reset ends a list", file: "movegen_list.sv",
		old:     "      valid6_q <= 1'b0;\n",
		new:     "      valid6_q <= valid6_q;\n",
		message: "> move_",
	},
	{
		rule: "reset forgets a position in stage 2", file: "movegen.sv",
		old:     "      valid2_q <= 1'b0;\n",
		new:     "      valid2_q <= valid2_q;\n",
		message: "> count_valid_o",
	},
	{
		rule: "reset forgets a count", file: "movegen_count.sv",
		old:     "      valid4_q <= 1'b0;\n",
		new:     "",
		message: "> count_valid_o",
	},
}
