package movegen_test

import "github.com/cosimate/cosimate/rtl/movegen"

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

// mutants are the faults that the testbench must find: one that a designer might make for each
// rule.
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
		old: "((king_i << 1) & movegen_pkg::NotFileA & king_to_i)",
		new: "((king_i << 1) & king_to_i)",
		fen: "4k3/8/8/8/8/8/8/7K w - - 0 1", message: "4 moves are counted, but 3 are legal",
	},
	{
		rule: "a pawn's capture does not wrap around the edge", file: "movegen_arrivals.sv",
		old: "(takers_nw_i << 7) & movegen_pkg::NotFileH & ~empty_i",
		new: "(takers_nw_i << 7) & ~empty_i",
		fen: "4k3/8/8/8/8/P6p/8/4K3 w - - 0 1", message: "7 moves are counted, but 6 are legal",
	},
	{
		rule: "a slider's ray does not wrap around the edge", file: "movegen_arrivals.sv",
		old: "first_e = movegen_pkg::ray_up(first_ew_i, empty_i, movegen_pkg::NotFileA, 1)",
		new: "first_e = movegen_pkg::ray_up(first_ew_i, empty_i, movegen_pkg::All, 1)",
		fen: "4k3/8/8/8/7R/8/8/4K3 w - - 0 1", message: "19 are legal",
	},
	{
		rule: "a slider reaches the far edge", file: "movegen_pkg.sv",
		old: "    reached = one | (through & (reached << (2 * step)));\n    ray_up",
		new: "    ray_up",
		fen: "7k/8/8/8/8/8/8/R3K3 w - - 0 1", message: "a1a8",
	},
	{
		rule: "pieces do not capture their own", file: "movegen_safety.sv",
		old: "targets_d = ~own & (",
		new: "targets_d = (",
		fen: "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1", message: "a1a3",
	},
	{
		rule: "a pawn is not pushed onto a piece", file: "movegen_arrivals.sv",
		old: "push = (pushers_i << 8) & empty_i & targets_i",
		new: "push = (pushers_i << 8) & targets_i",
		fen: "4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", message: "e3e4",
	},
	{
		rule: "a double step does not pass through a piece", file: "movegen_arrivals.sv",
		old: "pushers_i[15:8] & empty_i[23:16] & empty_i[31:24]",
		new: "pushers_i[15:8] & empty_i[31:24]",
		fen: "4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", message: "4 moves are counted, but 3 are legal",
	},
	{
		rule: "a double step starts on rank 2", file: "movegen_arrivals.sv",
		old: "double_push = pushers_i[15:8]",
		new: "double_push = pushers_i[23:16]",
		fen: "4k3/8/8/8/8/8/4P3/K7 w - - 0 1", message: "4 moves are counted, but 5 are legal",
	},
	// Promotion.
	{
		rule: "promotion by capture counts four moves", file: "movegen_arrivals.sv",
		old: "promote_ne_o <= take_ne[63:56]",
		new: "promote_ne_o <= 8'h00",
		fen: "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1", message: "10 moves are counted, but 13 are legal",
	},
	{
		rule: "promotion to a knight is listed", file: "movegen_list.sv",
		old: "again8 = |(turns8 & ~turn8)",
		new: "again8 = |(turns8[2:0] & ~turn8[2:0])",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8n",
	},
	{
		rule: "promotions come as queen, rook, bishop, knight", file: "movegen_list.sv",
		old: "({3{turn8[0]}} & piece_pkg::Queen) | ({3{turn8[1]}} & piece_pkg::Rook)",
		new: "({3{turn8[0]}} & piece_pkg::Rook) | ({3{turn8[1]}} & piece_pkg::Queen)",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8q",
	},
	{
		rule: "only a pawn promotes", file: "movegen_list.sv",
		old: "promote7_q & {12{kind7[0]}}",
		new: "promote7_q",
		fen: "7k/BP6/8/8/8/8/8/4K3 w - - 0 1", message: "a7b8",
	},
	// En passant.
	{
		rule: "en passant: the two pawns may shield the king on the rank", file: "movegen_rays.sv",
		old: "bared_q <= (king_e[38:32] & opp_w[39:33]) | (king_w[39:33] & opp_e[38:32])",
		new: "bared_q <= 7'h0",
		fen: "4k3/8/8/K1Pp3r/8/8/8/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant: the captured pawn may shield the king on a diagonal", file: "movegen_safety.sv",
		old: "ep & ~(line_nesw[39:32] | line_nwse[39:32])",
		new: "ep",
		fen: "7k/5b2/8/3pP3/8/1K6/8/8 w - d6 0 1", message: "e5d6 (pawn takes pawn, en passant)",
	},
	{
		rule: "en passant takes a pawn that gives check", file: "movegen_safety.sv",
		old: "(checkers[39:32] | between[47:40])",
		new: "between[47:40]",
		fen: "7k/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant blocks a check", file: "movegen_safety.sv",
		old: "(checkers[39:32] | between[47:40])",
		new: "checkers[39:32]",
		fen: "1b5k/8/8/2Pp4/8/8/7K/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant does not answer a double check", file: "movegen_safety.sv",
		old: "((checkers[39:32] | between[47:40]) & {8{~double_check}})",
		new: "(checkers[39:32] | between[47:40])",
		fen: "4r2k/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", message: "c5d6",
	},
	{
		rule: "en passant by a pinned pawn", file: "movegen_safety.sv",
		old: "takers_ne_d = pawns & own & ~bound_nesw",
		new: "takers_ne_d = pawns & own",
		fen: "3r3k/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", message: "d5e6 (pawn takes pawn, en passant)",
	},
	{
		rule: "the pawn taken en passant is reported", file: "movegen_list.sv",
		old: "ep7_q & kind7[0] ? piece_pkg::Pawn : captured7_q",
		new: "captured7_q",
		fen: "7k/8/8/2Pp4/8/8/8/K7 w - d6 0 1", message: "c5d6 (pawn takes pawn, en passant)",
	},
	{
		rule: "only a pawn takes en passant", file: "movegen_list.sv",
		old: "ep7_q & kind7[0], last7_q",
		new: "ep7_q, last7_q",
		fen: "7k/8/R7/3p4/8/8/8/K7 w - d6 0 1", message: "a6d6 (rook, en passant)",
	},
	// Pins and checks.
	{
		rule: "a pinned rook stays on its line", file: "movegen_safety.sv",
		old: "bound_ew = line_ns | line_nesw",
		new: "bound_ew = line_nesw",
		fen: "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", message: "e2d2",
	},
	{
		rule: "a pinned bishop moves on its own line, not the other", file: "movegen_safety.sv",
		old: "bound_nesw = line_ns | line_ew | line_nwse",
		new: "bound_nesw = line_ns | line_ew | line_nesw",
		fen: "7k/8/8/8/7b/8/5B2/4K3 w - - 0 1", message: "f2",
	},
	{
		rule: "a pinned knight does not move", file: "movegen_safety.sv",
		old: "knights & own & ~(bound_ns | line_ns)",
		new: "knights & own & ~bound_ns",
		fen: "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", message: "e2c1",
	},
	{
		rule: "a pinned pawn is not pushed", file: "movegen_safety.sv",
		old: "pushers_q <= pawns & own & ~bound_ns",
		new: "pushers_q <= pawns & own",
		fen: "7k/8/8/8/7b/8/5P2/4K3 w - - 0 1", message: "f2f3",
	},
	{
		rule: "a knight gives check", file: "movegen_safety.sv",
		old: "| (see_knight & knights) |",
		new: "|",
		fen: "7k/8/8/8/8/3n4/8/R3K3 w - - 0 1", message: "a1a2",
	},
	{
		rule: "a pawn gives check", file: "movegen_safety.sv",
		old: "(((king << 7) & movegen_pkg::NotFileH) & pawns)",
		new: "64'h0",
		fen: "7k/8/8/8/8/8/3p4/R3K3 w - - 0 1", message: "a1a2",
	},
	{
		rule: "only the king answers a double check", file: "movegen_safety.sv",
		old: "double_check = movegen_pkg::two_or_more(checkers)",
		new: "double_check = 1'b0",
		fen: "4r2k/8/8/8/8/R2n4/8/4K3 w - - 0 1", message: "a3d3 (rook takes knight)",
	},
	{
		rule: "a check is blocked", file: "movegen_safety.sv",
		old: "((checkers | between) & ",
		new: "(checkers & ",
		fen: "4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", message: "a2e2",
	},
	{
		rule: "the king does not hide behind itself", file: "movegen_rays.sv",
		old: "open = (again_i ? empty_q : ~occupied) | king",
		new: "open = again_i ? empty_q : ~occupied",
		fen: "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", message: "e4e3",
	},
	{
		rule: "the king does not capture a protected piece", file: "movegen_safety.sv",
		old: "king_to_q <= ~attacked & ~own",
		new: "king_to_q <= ~(attacked & empty) & ~own",
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
		old: "check_d = |checkers",
		new: "check_d = 1'b0",
		fen: "4r2k/8/8/8/8/8/8/4K3 w - - 0 1", message: "check is reported as false, but is true",
	},
	// Castling.
	{
		rule: "castling needs its right", file: "movegen_safety.sv",
		old: "castling_d[0] = castling[0] & ",
		new: "castling_d[0] = ",
		fen: "4k3/8/8/8/8/8/8/4K2R w - - 0 1", message: "surplus: e1g1 (king, castling king side)",
	},
	{
		rule: "castling not through an attacked square", file: "movegen_safety.sv",
		old: "~(|attacked[6:4])",
		new: "~(attacked[6] | attacked[4])",
		fen: "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", message: "e1g1",
	},
	{
		rule: "castling not out of check", file: "movegen_safety.sv",
		old: "~(|attacked[4:2])",
		new: "~(|attacked[3:2])",
		fen: "4r2k/8/8/8/8/8/8/R3K3 w Q - 0 1", message: "e1c1",
	},
	{
		rule: "castling past b1 only if it is empty", file: "movegen_safety.sv",
		old: "empty[3] & empty[2] & empty[1]",
		new: "empty[3] & empty[2]",
		fen: "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", message: "e1c1",
	},
	{
		rule: "only the king castles", file: "movegen_list.sv",
		old: "castling7_q & {2{kind7[5]}}",
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
		rule: "a listed position makes room", file: "movegen_classes.sv",
		old:     "if (take_i) begin\n      valid_o <= 1'b0",
		new:     "if (take_i) begin\n      valid_o <= 1'b1",
		message: "> pos_ready_o",
	},
	{
		rule: "a position is listed once", file: "movegen_targets.sv",
		old:     "(last & ~fresh_q)",
		new:     "last",
		message: "> move_valid_o",
	},
	{
		rule: "the end of a list is its last move", file: "movegen_list.sv",
		old: "about8_q[1] & ~more8, about8_q[0]",
		new: "about8_q[1], about8_q[0]",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8q",
	},
	{
		rule: "no moves is said so", file: "movegen_list.sv",
		old: "none7_q <= ~(|to6_q)",
		new: "none7_q <= 1'b0",
		fen: "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", message: "> move_none_o",
	},
	{
		rule: "the captured piece is what stands there", file: "movegen_list.sv",
		old: "captured7_q <= {|(to6_q & code2_6q)",
		new: "captured7_q <= {|(to6_q & code1_6q)",
		fen: "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", message: "e1e2 (king takes rook",
	},
	{
		rule: "a piece is looked up in its own position", file: "movegen_list.sv",
		old:     "(code0_7q ^ {64{piece7[0]}})",
		new:     "(code0_6q ^ {64{piece7[0]}})",
		message: "> move_",
	},
	{
		rule: "a slider attacks to the far edge", file: "movegen_pkg.sv",
		old: "    reached = one | (through & (reached >> (2 * step)));\n    ray_down",
		new: "    ray_down",
		fen: "1K5r/8/8/8/8/8/8/7k w - - 0 1", message: "b8a8",
	},
	// Orders.
	{
		rule: "victims by value", file: "movegen_targets.sv",
		old: "by_victim = order_i >= movegen_list_pkg::OrderVictims",
		new: "by_victim = order_i > movegen_list_pkg::OrderVictims",
		fen: "6qk/8/8/8/p7/8/6R1/R6K w - - 0 1", order: movegen.LeastAggressor, message: "but in another order: move 1 is a1a4 (rook takes pawn), due is g2g8 (rook takes queen)",
	},
	{
		rule: "captures first", file: "movegen_targets.sv",
		old: "plain = order_i == movegen_list_pkg::OrderPlain",
		new: "plain = order_i <= 2'd1",
		fen: "6qk/8/8/8/p7/8/6R1/R6K w - - 0 1", order: movegen.CapturesFirst, message: "but in another order",
	},
	{
		rule: "the most valuable aggressor first", file: "movegen_list.sv",
		old: "most7_q ? last_kind(kinds7_q) :",
		new: "",
		fen: "6qk/8/8/8/8/8/B5Q1/7K w - - 0 1", order: movegen.MostAggressor, message: "move 1 is a2g8 (bishop takes queen), due is g2g8 (queen takes queen)",
	},
	{
		rule: "the least valuable aggressor first in all other orders", file: "movegen_list.sv",
		old: "most_q <= order_i == movegen_list_pkg::OrderVictimsMost",
		new: "most_q <= order_i[1]",
		fen: "6qk/8/8/8/8/8/B5Q1/7K w - - 0 1", order: movegen.LeastAggressor, message: "move 1 is g2g8 (queen takes queen), due is a2g8 (bishop takes queen)",
	},
	{
		rule: "en passant is a capture of a pawn", file: "movegen_targets.sv",
		old: "ep_on_q <= plain | first_class[Pawns]",
		new: "ep_on_q <= plain",
		fen: "7k/8/R7/2Pp4/8/8/8/K7 w - d6 0 1", order: movegen.CapturesFirst, message: "missing: c5d6",
	},
	{
		rule: "a piece moves to the target of en passant after the capture", file: "movegen_targets.sv",
		old: "~(lowest & ~(special & {64{~plain_q}}))",
		new: "~lowest",
		fen: "7k/8/R7/2Pp4/8/8/8/K7 w - d6 0 1", order: movegen.CapturesFirst, message: "missing: a6d6 (rook)",
	},
	{
		rule: "a piece that moves to the target of en passant captures nothing", file: "movegen_list.sv",
		old: "pieces6 = ~captures6_q | occupied6",
		new: "pieces6 = 1'b1",
		fen: "7k/8/R7/2Pp4/8/8/8/K7 w - d6 0 1", filter: movegen.Captures, message: "a6d6",
	},
	{
		rule: "en passant is listed once", file: "movegen_list.sv",
		old: "((took_ne6 | took_nw6) & ~quiet6_q)",
		new: "(took_ne6 | took_nw6)",
		fen: "7k/8/R7/2Pp4/8/8/8/K7 w - d6 0 1", order: movegen.CapturesFirst, message: "c5d6",
	},
	{
		rule: "promotions are listed once", file: "movegen_list.sv",
		old: "(pushed6 & ~(quiet6_q & rank8_6))",
		new: "pushed6",
		fen: "7k/BP6/8/8/8/8/8/4K3 w - - 0 1", order: movegen.CapturesFirst, message: "b7b8",
	},
	{
		rule: "promotions come before other moves", file: "movegen_targets.sv",
		old: "promotions_on_q <= plain | first_class[Promotions]",
		new: "promotions_on_q <= plain",
		fen: "7k/1P6/8/8/8/8/8/4K3 w - - 0 1", order: movegen.CapturesFirst, message: "b7b8",
	},
	// Filters.
	{
		rule: "captures only", file: "movegen_targets.sv",
		old: "(code0_i | code1_i | code2_i)) & ~captures_i",
		new: "(code0_i | code1_i | code2_i))",
		fen: "6qk/8/8/8/p7/8/6R1/R6K w - - 0 1", order: movegen.CapturesFirst, filter: movegen.Captures, message: "surplus: ",
	},
	{
		rule: "captures only, in plain order", file: "movegen_targets.sv",
		old: "all_q <= plain & ~captures_i",
		new: "all_q <= plain",
		fen: "6qk/8/8/8/p7/8/6R1/R6K w - - 0 1", filter: movegen.Captures, message: "surplus: ",
	},
	{
		rule: "checks only: by a knight", file: "movegen_checks.sv",
		old: "knight_ok_o <= see_knight_i",
		new: "knight_ok_o <= 64'h0",
		fen: "7k/8/8/4N3/8/8/8/K7 w - - 0 1", filter: movegen.Checks, message: "missing: e5f7 (knight), e5g6 (knight)",
	},
	{
		rule: "checks only: by a pawn", file: "movegen_checks.sv",
		old: "(opp_king_i[62:7] & movegen_pkg::NotFileA[55:0])",
		new: "56'h0",
		fen: "8/8/8/4k3/8/5P2/8/K7 w - - 0 1", filter: movegen.Checks, message: "missing: f3f4 (pawn",
	},
	{
		rule: "checks only: by a queen on diagonals", file: "movegen_classes.sv",
		old: "(rook_ok_i | bishop_ok_i)",
		new: "rook_ok_i",
		fen: "7k/8/8/8/8/8/Q7/6K1 w - - 0 1", filter: movegen.Checks, message: "missing: a2a1 (queen), a2b2 (queen)",
	},
	{
		rule: "a bishop uncovers a check", file: "movegen_checks.sv",
		old: "uncover_ortho = (line_ns_i | line_ew_i)",
		new: "uncover_ortho = line_ew_i",
		fen: "4k3/8/8/8/4B3/8/8/4R1K1 w - - 0 1", filter: movegen.Checks, message: "missing: e4a8 (bishop), e4b1 (bishop)",
	},
	{
		rule: "a pawn does not uncover a check by staying on the file", file: "movegen_checks.sv",
		old: "uncover_n_o <= (line_ew_i[55:0] &",
		new: "uncover_n_o <= ((line_ns_i[55:0] | line_ew_i[55:0]) &",
		fen: "4k3/8/8/8/4P3/8/8/4R1K1 w - - 0 1", filter: movegen.Checks, message: "surplus: e4e5 (pawn",
	},
	{
		rule: "a rook that uncovers a check passes wherever it goes", file: "movegen_classes.sv",
		old: "(first_n_i & (rook_ok_i | second_n_i))",
		new: "(first_n_i & rook_ok_i)",
		fen: "7k/8/8/8/3R4/2B5/8/K7 w - - 0 1", filter: movegen.Checks, message: "missing: d4d5 (rook)",
	},
	{
		rule: "of pieces that move to a square, only those that give check", file: "movegen_list.sv",
		old: "({8{pass7}} | (uncover7_q & {64{~kind7[0]}}))",
		new: "{64{1'b1}}",
		fen: "4k3/8/8/8/4N3/8/8/1N2R1K1 w - - 0 1", filter: movegen.Checks, message: "b1c3",
	},
	{
		rule: "a promoted pawn does not stand in its own way, on the file", file: "movegen_checks.sv",
		old: "through_n_o <= king7_n_i",
		new: "through_n_o <= 8'h0",
		fen: "8/4P3/8/8/4k3/8/8/K7 w - - 0 1", filter: movegen.Checks, message: "missing: e7e8",
	},
	{
		rule: "a promoted pawn does not stand in its own way, on a diagonal", file: "movegen_checks.sv",
		old: "through_ne_o <= {king7_ne_i, 1'b0}",
		new: "through_ne_o <= 8'h0",
		fen: "5n2/4P3/8/8/1k6/8/8/K7 w - - 0 1", filter: movegen.Checks, message: "missing: e7f8",
	},
	{
		rule: "a knight that a pawn becomes gives check as a knight", file: "movegen_list.sv",
		old: "{4{rank8_6 & pushed6}} &\n    ({whole6[0],",
		new: "{4{rank8_6 & pushed6}} &\n    ({1'b1,",
		fen: "7k/4P3/8/8/8/8/8/K7 w - - 0 1", filter: movegen.Checks, message: "e7e8n",
	},
	{
		rule: "castling gives check on the rook's file", file: "movegen_checks.sv",
		old: "king1_i | {see_ortho_i[3], see_ortho_i[5]}",
		new: "king1_i",
		fen: "5k2/8/8/8/8/8/8/4K2R w K - 0 1", filter: movegen.Checks, message: "missing: e1g1",
	},
	{
		rule: "castling gives check through the king's origin", file: "movegen_checks.sv",
		old: "king1_i | {see_ortho_i[3], see_ortho_i[5]}",
		new: "{see_ortho_i[3], see_ortho_i[5]}",
		fen: "8/8/8/8/8/8/8/1k2K2R w K - 0 1", filter: movegen.Checks, message: "missing: e1g1",
	},
	{
		rule: "the king uncovers a check", file: "movegen_checks.sv",
		old: "king_ew_o <= on_ns | on_nesw | on_nwse",
		new: "king_ew_o <= 1'b0",
		fen: "4k3/8/8/8/4K3/8/8/4R3 w - - 0 1", filter: movegen.Checks, message: "missing: e4d4 (king), e4f4 (king)",
	},
	{
		rule: "the king does not uncover a check by staying on the line", file: "movegen_checks.sv",
		old: "king_ns_o <= on_ew",
		new: "king_ns_o <= on_ns | on_ew",
		fen: "4k3/8/8/8/4K3/8/8/4R3 w - - 0 1", filter: movegen.Checks, message: "e4e3",
	},
	{
		rule: "en passant uncovers a check on a diagonal of the captured pawn", file: "movegen_checks.sv",
		old: "(opp_king_i[54:47] & 8'hfe) |\n                  line_nesw_i[39:32] | line_nwse_i[39:32]",
		new: "(opp_king_i[54:47] & 8'hfe)",
		fen: "6k1/8/8/3pP3/8/1B6/8/7K w - d6 0 1", filter: movegen.Checks, message: "missing: e5d6",
	},
	{
		rule: "en passant uncovers a check on the rank of both pawns", file: "movegen_checks.sv",
		old: "ep_nw = bared_i | ",
		new: "ep_nw = ",
		fen: "8/8/8/R2pP2k/8/8/8/7K w - d6 0 1", filter: movegen.Checks, message: "missing: e5d6",
	},
	{
		rule: "en passant uncovers a check by leaving the pawn's line", file: "movegen_checks.sv",
		old: "ep_ne = bared_i | line_ns_i[38:32] |",
		new: "ep_ne = bared_i |",
		fen: "4k3/8/8/4Pp2/8/8/8/4R1K1 w - f6 0 1", filter: movegen.Checks, message: "missing: e5f6",
	},
	{
		rule: "en passant along a line uncovers nothing on it", file: "movegen_checks.sv",
		old: "line_ew_i[38:32] | line_nwse_i[38:32]",
		new: "line_ew_i[38:32] | line_nwse_i[38:32] | line_nesw_i[38:32]",
		fen: "7k/8/8/4Pp2/3B4/8/8/K7 w - f6 0 1", filter: movegen.Checks, message: "e5f6",
	},
	{
		rule: "without the filter for checks nothing is filtered", file: "movegen_checks.sv",
		old: "        knight_ok_o <= movegen_pkg::All;\n",
		new: "",
		fen: "7k/8/8/4N3/8/8/8/K7 w - - 0 1", message: "missing: e5c4 (knight), e5c6 (knight), e5d3 (knight)",
	},
	{
		rule: "the kinds in reserve are not lost", file: "movegen_list.sv",
		old:     "valid8_q <= spare_valid8_q | valid7_q",
		new:     "valid8_q <= valid7_q",
		fen:     "8/P1P1P2k/8/8/8/8/8/K7 w - - 0 1", // promotions keep the reserve in use
		message: "> move_",
	},
	{
		rule: "the kinds before wait when the reserve is used", file: "movegen_list.sv",
		old:     "ready8 = ~spare_valid8_q",
		new:     "ready8 = 1'b1",
		message: "> move_",
	},
	{
		rule: "a promotion's origin stays until its last turn", file: "movegen_list.sv",
		old: "{64{~again8}}",
		new: "{64{1'b1}}",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a8r",
	},
	{
		rule: "the last kind of a destination is known to be it", file: "movegen_list.sv",
		old:     "last_kind7_q <= one_kind(next_kinds7)",
		new:     "last_kind7_q <= one_kind(kinds6)",
		message: "> move_",
	},
	// Handshake and reset.
	{
		rule: "a position filtered for checks is analysed twice", file: "movegen.sv",
		old: "pos_ready_o = advance & ~again1_q",
		new: "pos_ready_o = advance",
		fen: "7k/8/8/4N3/8/8/8/K7 w - - 0 1", filter: movegen.Checks, message: "> pos_ready_o",
	},
	{
		rule: "only one filtered for checks is", file: "movegen.sv",
		old:     "(pos_filter_i == movegen_list_pkg::FilterChecks)",
		new:     "1'b1",
		message: "> pos_ready_o",
	},
	{
		rule: "the second analysis is that of the opponent's king", file: "movegen_rays.sv",
		old: "king = again_i ? kings_q & ~own_q :",
		new: "king = again_i ? kings_q & own_q :",
		fen: "7k/8/8/4N3/8/8/8/K7 w - - 0 1", filter: movegen.Checks, message: "missing: e5f7 (knight), e5g6 (knight)",
	},
	{
		rule: "a position waits for the one sorted before", file: "movegen_classes.sv",
		old:     "ready_o = ~valid_o",
		new:     "ready_o = 1'b1",
		message: "> pos_ready_o",
	},
	{
		rule: "a destination's moves come one by one", file: "movegen_list.sv",
		old: "rest8_q <= rest8_q & ~(lowest8 & {64{~again8}})",
		new: "rest8_q <= 64'd0",
		fen: "4k3/8/8/8/8/R6R/8/K2R4 w - - 0 1", message: "missing: a3d3 (rook), h3b3 (rook)",
	},
	{
		rule: "the lister waits for the receiver", file: "movegen_list.sv",
		old:     "free8 = ~valid8_q | (ready9 & ~more8)",
		new:     "free8 = ~valid8_q | ~more8",
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
