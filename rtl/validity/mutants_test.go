package validity_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// mutants are faults that the testbench must find, one that a designer might make for each rule.
// Each is played the scene whose name begins with scene, or noise. The report must name the scene,
// and say message: the state or the port.
var mutants = []struct {
	rule, file, old, new, scene, message string
}{
	// Scans.
	{"two scans must agree", "validity_track.sv", "(occupied_i & agree) | (seen_q & ~agree)", "occupied_i", "what one scan alone", "busy"},
	{"what is believed stays when they do not", "validity_track.sv", "(occupied_i & agree) | (seen_q & ~agree)", "occupied_i & agree", "noise", "> "},
	{"a scan counts only while nothing is decided", "validity.sv", ".scan_i(scan_valid_i & ~busy_o)", ".scan_i(scan_valid_i)", "noise", "> "},
	{"a reading must stay", "validity_track.sv", "stayed_q >= Width'(StableScans)", "stayed_q >= Width'(1)", "a slide along the board", "busy"},
	{"a change begins anew", "validity_track.sv", "if (changes) stayed_q <= '0;\n        else if", "if", "a slide along the board", "busy"},
	{"a reading is decided once", "validity_track.sv", "else if (decided_i) decided_q <= 1'b1;", "", "a piece put back", "busy"},
	{"a change is decided on", "validity_track.sv", "if (changes) decided_q <= 1'b0;\n      else if", "if", "a piece put back", "busy"},
	{"what is shown anew is decided on", "validity.sv", "judge | (shown_d & ~shown_q)", "judge", "sides change while a promotion", "due  "},
	{"a new position is", "validity.sv", ".reopen_i(judge | ", ".reopen_i(", "power-up in the middle", "due  "},
	{"emptying a square forgets what was refilled", "validity_track.sv", "if (changes) refilled_q <= fills", "if (changes & (|fills)) refilled_q <= fills", "the opponent's piece put back is no capture", "busy"},
	{"what may be half of castling is looked at again", "validity_track.sv", " | (settled_o & again_i)", "", "a rook's move that might be", "busy"},
	{"after CastlingScans", "validity_track.sv", "settled_o = stayed_q == Width'(CastlingScans)", "settled_o = stayed_q >= Width'(StableScans)", "a rook's move that might be", "due  white to move, moving"},
	// Made, begun, half.
	{"a capture needs its square refilled", "validity_match.sv", "(~takes | (|(to & refilled_i)))", "1'b1", "a capture is not made while", "moving"},
	{"en passant empties the square of the pawn taken", "validity_match.sv", "from | corner | ((to >> 8) & {64{ep_i}})", "from | corner", "en passant, captor first", "due  white to move, moving"},
	{"castling empties the corner", "validity_match.sv", "from | corner |", "from |", "castling, king first", "white to move"},
	{"castling fills the rook's square", "validity_match.sv", "rook | (to & {64{~takes}})", "to & {64{~takes}}", "castling, king first", "white to move"},
	{"the king's corner is h1", "validity_match.sv", "{56'd0, castling_i[0], 6'd0, castling_i[1]}", "{56'd0, castling_i[1], 6'd0, castling_i[0]}", "castling, rook first", "white to move"},
	{"a capture fills nothing", "validity_match.sv", "rook | (to & {64{~takes}})", "rook | to", "a capture, own piece first", "white to move"},
	{"a move on its way fills no other squares", "validity_match.sv", "& ~(|(filled_i & ~fills))", "", "after something illegal", "due  white to move, moving, busy"},
	{"nor empties others", "validity_match.sv", "begun_o = ~(|(lifted_i & ~empties & ~(to & {64{takes}}))) &", "begun_o =", "unclear: a piece moved", "due  "},
	{"a capture on its way may empty its destination", "validity_match.sv", "& ~(to & {64{takes}})", "", "an opponent's piece that can be taken", "RTL  "},
	{"the rook's half of castling waits", "validity_match.sv", "half_o = (|castling_i) &", "half_o = 1'b0 &", "castling, rook first", "due  white to move, moving"},
	{"other moves do not", "validity_match.sv", "(lifted_i == corner) & (filled_i == rook);", "1'b1;", "a king's step between", "due  white to move, moving, busy"},
	{"of several captures that fit none is made", "validity_answer.sv", "several_o | (made & made_o & other)", "1'b0", "two squares that are filled together", "due  "},
	{"the promotions of a pawn are one", "validity_answer.sv", "made & made_o & other", "made & made_o", "promotion: the piece is chosen", "due  "},
	{"only the move shown counts", "validity_answer.sv", "assign counts = shown_i ?", "assign counts = 1'b0 ?", "anything else is not", "due  "},
	{"its promotion too", "validity_answer.sv", " &\n                            (move_promotion_i == shown_promotion_i)", "", "remote promotion to the piece", "> "},
	{"no move counts while a remote side thinks", "validity_answer.sv", ": ~waiting_i;", ": 1'b1;", "on a remote side's turn", "due  "},
	{"an offered move must be legal", "validity_answer.sv", "hit_exactly_o <= hit_exactly_o | hit_exactly", "hit_exactly_o <= 1'b1", "remote moves that are refused", "RTL  white to move, turn, shows e4 e5"},
	{"and promote to what it says", "validity_answer.sv", "hit & (move_promotion_i == promotion_i)", "hit", "a promotion without piece", "remote answer: no promotion"},
	{"the choice is what the pawn becomes", "validity_answer.sv", "move_promotion_o <= choice_i", "move_promotion_o <= 3'd5", "promotion: the piece is chosen", "> pos_"},
	// Decisions.
	{"the board as the position has it ends all", "validity.sv", "state_d = validity_pkg::StateTurn;\n          end else if", "end else if", "a piece put back", "due  white to move, turn"},
	{"nothing else ends set-up", "validity.sv", "(state_q == validity_pkg::StateSetUp) | ", "", "recovery", "due  white to move, set-up"},
	{"nothing else ends what is illegal", "validity.sv", " | (state_q == validity_pkg::StateIllegal)", "", "after something illegal", "due  white to move, illegal"},
	{"an own piece up and a square refilled is illegal", "validity.sv", "(onto & (own_up | ~begun))", "1'b0", "own piece", "due  "},
	{"unless the piece is the opponent's, and can be taken", "validity.sv", "(onto & (own_up | ~begun))", "onto", "an opponent's piece that can be taken", "due  "},
	{"two own pieces up are a warning", "validity.sv", "warning_d = two & ~begun", "warning_d = 1'b0", "two own pieces up", "> warning_o"},
	{"not when castling", "validity.sv", "warning_d = two & ~begun", "warning_d = two", "king and rook up are none", "> warning_o"},
	{"a pawn on its last rank waits for a choice", "validity.sv", "(move_promotion != 3'd0) & ~shown_q", "1'b0", "promotion: the piece is chosen", "promotion"},
	{"a remote side has chosen", "validity.sv", "(move_promotion != 3'd0) & ~shown_q", "(move_promotion != 3'd0)", "remote promotion", "promotion"},
	{"only a piece is chosen", "validity.sv", "(promotion_i <= piece_pkg::Queen)", "1'b1", "no king, no pawn", "due  white to move, promotion"},
	{"the choice waits while the pawn is up", "validity.sv", "~over & read_decided &", "~over &", "a pawn that is up again", "due  white to move, promotion"},
	{"a board that is over decides nothing", "validity.sv", "~request_q & ~over & due;", "~request_q & due;", "mate by White", "> "},
	// Remote moves.
	{"a remote side must be to move", "validity.sv", "(~request_replay_q & ~remote_i[black])", "1'b0", "by hand, nobody is remote", "remote answer: not your turn"},
	{"it moves once", "validity.sv", "shown_q | (~request_replay_q", "(~request_replay_q", "the remote side is not to move", "remote answer: not your turn"},
	{"a replayed move is made at once", "validity.sv", "if (replay_q) step_d = Make;\n              else", "", "a saved game is replayed", "> "},
	{"and the pieces are then set up", "validity.sv", "(made_q & ~replay_q) ?", "made_q ?", "a saved game is replayed", "due  black to move, set-up"},
	{"remote squares are absolute", "validity.sv", "from_d = request_from_q ^ flip", "from_d = request_from_q", "a remote move is shown", "> "},
	{"what was shown is done with its move", "validity.sv", "step_d = Keep;\n        shown_d = 1'b0;", "step_d = Keep;", "a remote move is shown", "remote move shown"},
	{"a game that is over takes no move", "validity.sv", "over ? validity_pkg::ReasonGameOver :", "", "nothing happens after the end", "remote answer: game over"},
	// What was tried.
	{"castling is tried with both, one down", "validity_attempt.sv", "(filled_i[6] | ((|(lifted_i & KingCorner)) & (|filled_i)))", "filled_i[6]", "castling rights: both up", "castling rights"},
	{"on the queen's side too", "validity_attempt.sv", "(filled_i[2] | ((|(lifted_i & QueenCorner)) & (|filled_i)))", "filled_i[2]", "castling rights: both up", "castling rights"},
	{"with a rook in the corner", "validity_attempt.sv", "(|(own_rooks & KingCorner)) &", "", "two pieces: king and knight", "two pieces"},
	{"two pieces are not one", "validity_attempt.sv", "end else if (two_o) begin", "end else if (1'b0) begin", "two pieces moved", "two pieces"},
	{"en passant lifts two pawns", "validity_attempt.sv", "(~opp_q | en_passant_q)", "~opp_q", "en passant: not after the next move", "en passant"},
	{"not another piece", "validity_attempt.sv", "((filled_i >> 8) & pawns_i)", "(filled_i >> 8)", "a pawn on rank 5 beside a knight", "unclear"},
	{"the opponent's piece is not to be moved", "validity_attempt.sv", "~own_q & one_opp_q & one_to_q", "1'b0", "not your turn", "not your turn"},
	{"while a remote side thinks nothing is", "validity_attempt.sv", "if (waiting_i) begin", "if (1'b0) begin", "on a remote side's turn", "not your turn"},
	{"what is shown is to be carried out", "validity_attempt.sv", "end else if (shown_i) begin", "end else if (1'b0) begin", "anything else is not", "not shown"},
	// Questions.
	{"frozen pieces do not attack", "validity_question.sv", "own_d = own | frozen;", "own_d = own;", "still in check: from a knight", "illegal, still in check"},
	{"they stand in the way", "validity_question.sv", "knights_d = knights | frozen;", "knights_d = knights & ~frozen;", "blocked: a capture behind", "illegal, blocked"},
	{"the piece on the destination is not frozen", "validity_question.sv", "opponent & ~to_i &", "opponent &", "king into check: taking", "king into check"},
	{"en passant is a move of the pawn's rule", "validity_question.sv", "ep_d = taken_ep;", "ep_d = 8'd0;", "pinned: taking en passant", "pinned"},
	{"castling is asked with its right", "validity_question.sv", "ep_d = taken_ep;", "ep_d = taken_ep;\n        castling_d = 2'b00;", "castling out of check", "castling out of check"},
	{"the king's corner is not the destination", "validity_question.sv", "(from_i | to_i) & Corner0", "from_i & Corner0", "blocked: the way into a corner", "illegal, blocked"},
	{"a cleared board is empty", "validity_question.sv", "assign keep = from_i", "assign keep = ~64'd0", "blocked: a rook's, a bishop's", "blocked"},
	{"a pawn beside is one of the opponent's", "validity_question.sv", "to_i[47:40] & opponent[39:32] & pawns[39:32]", "to_i[47:40] & pawns[39:32]", "a pawn on rank 5 beside an own", "pawn capture"},
	{"it is a pawn", "validity_question.sv", "to_i[47:40] & opponent[39:32] & pawns[39:32]", "to_i[47:40] & opponent[39:32]", "a pawn on rank 5 beside a knight", "pawn capture"},
	{"it has just made a double step", "validity_question.sv", "ep_d = beside_files;", "ep_d = 8'd0;", "en passant: not of a pawn", "en passant"},
	{"there is something to capture", "validity_question.sv", "to_i & {64{kind_i == validity_pkg::AskVictim}}", "64'd0", "a pawn goes aslant", "pawn capture"},
	{"a list that is longer is waited for", "validity_ask.sv", "busy_q & ended_q & (left_q == '0)", "busy_q & (left_q == '0)", "long list", "state illegal"},
	// Reasons.
	{"a remote move has a piece", "validity_reason.sv", "reason_o = validity_pkg::ReasonNoPiece", "reason_o = validity_pkg::ReasonNotYourTurn", "remote moves that are refused", "remote answer: no piece"},
	{"castling needs its right", "validity_reason.sv", "castles_q & ~right_q", "1'b0", "castling rights: the king", "castling rights"},
	{"of its side", "validity_reason.sv", "king_side ? castling_i[0] : castling_i[1]", "castling_i[0]", "remote moves that are refused", "castling rights"},
	{"one's own piece is not taken", "validity_reason.sv", "~castles_q & takes_own_q", "1'b0", "own piece", "own piece"},
	{"a piece between king and rook", "validity_reason.sv", "if (castles_q & ~hit_i)", "if (1'b0)", "castling blocked, also", "castling blocked"},
	{"castling out of check", "validity_reason.sv", "else if (castles_q & check_i)", "else if (1'b0)", "castling out of check", "castling out of check"},
	{"castling through check", "validity_reason.sv", "else if (castles_q & ~step)", "else if (1'b0)", "castling through check", "castling through check"},
	{"castling into check is not through it", "validity_answer.sv", "king_step_o | {move_to_i == 6'd3, move_to_i == 6'd5}", "2'b00", "king into check: castling", "king into check"},
	{"a king goes into check", "validity_reason.sv", "else if (king_q) reason_o", "else if (1'b0) reason_o", "king into check: next", "king into check"},
	{"a check must be answered", "validity_reason.sv", "else if (check_i) reason_o", "else if (1'b0) reason_o", "still in check", "still in check"},
	{"a pawn does not take ahead", "validity_reason.sv", "if (hit_i & pawn_q & takes_q)", "if (1'b0)", "a pawn does not capture straight", "pawn forward"},
	{"what stands in the way", "validity_reason.sv", "else if (hit_i) reason_o = validity_pkg::ReasonBlocked", "else if (1'b0) reason_o = validity_pkg::ReasonBlocked", "blocked: a rook's, a bishop's", "blocked"},
	{"a pawn is asked more about", "validity_reason.sv", "else more_o = pawn_q;", "else more_o = 1'b0;", "a pawn goes aslant", "busy"},
	// The position and its end.
	{"game's stack stays empty", "validity.sv", ".keep_i(step_q == Keep)", ".keep_i(1'b0)", "threefold repetition", "> "},
	{"Black's rights come first for Black", "validity_board.sv", "host_castling = load_black_i ? {load_castling_i[1:0], load_castling_i[3:2]} : load_castling_i", "host_castling = load_castling_i", "castling with a rook that came later", "> pos_castling_o"},
	{"Black's own pieces are not White's", "validity_board.sv", "load_black_i ? host_all & ~load_white_i : load_white_i", "load_white_i", "promotion to bishop by Black", "> "},
	{"a repeated position is one with the same side to move", "validity_history.sv", "at_q <= next_place - 8'd2", "at_q <= next_place - 8'd1", "threefold repetition", "threefold"},
	{"each position is kept", "validity.sv", ".store_i(judge)", ".store_i(1'b0)", "threefold repetition", "threefold"},
	{"rights to castle are part of it", "validity.sv", "coded.code2, coded.castling,", "coded.code2, 4'd0,", "the same pieces, but rights", "RTL  "},
	{"and a pawn that can be taken en passant", "validity.sv", "coded.ep & {8{takes_ep}}", "8'd0", "a pawn that could be taken", "RTL  "},
	{"if it can", "validity.sv", "coded.ep & {8{takes_ep}}", "coded.ep", "a pawn that cannot be taken", "due  "},
	{"threefold is three times", "validity_end.sv", "repeats_i >= 8'd3", "repeats_i >= 8'd2", "threefold repetition", "threefold"},
	{"fivefold is five times", "validity_end.sv", "else if (repeats_i >= 8'd5) cause_o", "else if (1'b0) cause_o", "fivefold", "fivefold"},
	{"fifty moves are a hundred plies", "validity_end.sv", "FiftyMoves = 16'd100", "FiftyMoves = 16'd50", "fifty moves", "fifty"},
	{"seventy-five moves end the game", "validity_end.sv", "SeventyFiveMoves = 16'd150", "SeventyFiveMoves = 16'd152", "seventy-five", "seventy-five"},
	{"mate comes first", "validity_end.sv", "if (none_i & check_i)", "if (none_i & check_i & (halfmove_i < SeventyFiveMoves))", "mate with the last", "mate"},
	{"no move without check is stalemate", "validity_end.sv", "if (none_i & check_i)", "if (none_i)", "stalemate", "stalemate"},
	{"the side that is mated loses", "validity_end.sv", "result_o <= black_i ? validity_pkg::ResultWhite", "result_o <= ~black_i ? validity_pkg::ResultWhite", "mate by White", "white wins by mate"},
	{"a move rejects an offer", "validity_end.sv", "if (moved_i) offer_q[black_i] <= 1'b0;", "", "an offer that is answered", "draw offered"},
	{"one's own does not", "validity_end.sv", "offer_q[black_i] <= 1'b0", "offer_q <= 2'b00", "an offer that is answered", "draw offered"},
	{"both agree on a draw", "validity_end.sv", "drawing == 2'b11", "|drawing", "a draw by agreement", "draw offered"},
	{"the side to move claims", "validity_end.sv", "claim_q[black_i]", "(|claim_q)", "threefold repetition", "claim refused"},
	{"a claim is answered", "validity_end.sv", "offer_q <= drawing;\n          refused_o <= |claim_q;", "offer_q <= drawing;", "threefold repetition", "> claim_refused_o"},
	{"the other side wins by resignation", "validity_end.sv", "{resign_q[1] & ~resign_q[0], resign_q[0]}", "{resign_q[0], resign_q[1] & ~resign_q[0]}", "resignation", "black wins"},
	{"time is lost by the side whose flag falls", "validity_end.sv", "(|flag_q) ? {flag_q[1] & ~flag_q[0], flag_q[0]}", "(|flag_q) ? {flag_q[0], flag_q[1]}", "time: a loss", "by time"},
	{"but drawn if the other cannot mate", "validity_end.sv", "if (~(|(can_mate_i & ~loser)))", "if (1'b0)", "time: a draw", "time without mate"},
	{"a knight alone does not mate", "validity_material.sv", "can_mate_o = ~alone | helped", "can_mate_o = 1'b1", "insufficient material: king and knight", "insufficient"},
	{"two can", "validity_material.sv", "~alone | helped", "helped", "two knights can", "RTL  "},
	{"one can, with help", "validity_material.sv", "~alone | helped", "~alone", "a knight against a knight", "RTL  "},
	{"bishops of one colour do not", "validity_material.sv", "(|(bishops_i & Dark)) & (|(bishops_i & ~Dark))", "1'b1", "insufficient material: bishops", "insufficient"},
	{"of two they can", "validity_material.sv", "(|(bishops_i & Dark)) & (|(bishops_i & ~Dark))", "1'b0", "bishops on both colours", "RTL  "},
	{"a load is a new game", "validity.sv", ".clear_i(take_load)", ".clear_i(1'b0)", "nothing happens after the end", "set-up"},
	// What is shown.
	{"what is to be restored is what differs", "validity.sv", "seen_absolute ^ wanted", "~seen_absolute & wanted", "after something illegal", "> restore_o"},
	{"the winner is White", "validity_show.sv", "if (result_i == validity_pkg::ResultWhite) show_o = validity_pkg::ShowWhiteWins;", "", "mate by White", "> show_o"},
	{"check is shown at the king", "validity_show.sv", "show_from_o = king_i", "show_from_o = 6'd0", "check and its king", "> show_from_o"},
	{"moves are shown as seen from White", "validity.sv", "shown_from_q ^ flip", "shown_from_q", "a remote move is shown", "> show_from_o"},
	{"reset begins a new game", "validity.sv", "      step_q <= Boot;\n", "", "power-up in the middle", "> "},
}

// Each mutant is found, and the report says where to look.
func TestMutants(t *testing.T) {
	benches := map[string]*bench{}
	for _, file := range []string{"handling.txt", "reasons.txt", "remote.txt", "ends.txt", "known-faults.txt"} {
		for _, s := range scenes(t, file) {
			b, err := s.play(times)
			if err != nil {
				t.Fatal(err)
			}
			if benches[s.name] == nil {
				benches[s.name] = b
			}
		}
	}
	// Always the same noise: that it shows the mutants is not left to chance.
	benches["noise"] = noise(t, rand.New(rand.NewPCG(1, 5)), 6_000).bench
	petrovic := parse(t, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
	// scene is the first, by name, whose name begins so.
	scene := func(t *testing.T, prefix string) (string, *bench) {
		found := ""
		for name := range benches {
			if strings.HasPrefix(name, prefix) && (found == "" || name < found) {
				found = name
			}
		}
		if found == "" {
			t.Fatalf("no scene begins with %q", prefix)
		}
		return found, benches[found]
	}
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			design := fault.Plant(t, scaled, m.file, m.old, m.new)
			if m.scene == "long list" {
				design.Params = validity.Times{StableScans: 1, CastlingScans: 1, QuestionCycles: 82}.Params()
				err := tryLongList(sim.OpenTest[validity.In, validity.Out](t, design, sim.Icarus), &petrovic)
				if err == nil || !strings.Contains(err.Error(), m.message) {
					t.Errorf("the mutant survives, or the report does not say %q: %v", m.message, err)
				}
				return
			}
			name, b := scene(t, m.scene)
			d := sim.OpenTest[validity.In, validity.Out](t, design, sim.Icarus)
			err := compare(d, b, b.n)
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives %s: %v", name, err)
			}
			if report := diff.Error(); !strings.Contains(report, m.message) {
				t.Errorf("the report on %s does not say %q:\n%s", name, m.message, report)
			}
		})
	}
}
