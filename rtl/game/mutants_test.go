package game_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

// mutants are faults that the testbench must find, one that a designer might make for each rule.
// The report must say message: the move, the port, or both.
var mutants = []struct {
	rule, file, old, new, message string
}{
	// Making a move.
	{"the origin is left", "game_make.sv", "gone = from_i | to_i |", "gone = to_i |", "after make"},
	{"what stood on the destination is gone", "game_make.sv", "gone = from_i | to_i |", "gone = from_i |", "after make"},
	{"the opponent's piece taken is not his any more", "game_make.sv", "opponent = occupied & ~own & ~gone", "opponent = occupied & ~own", "> pos_own_o"},
	{"a pawn taken en passant vanishes", "game_make.sv", "{24'd0, taken_ep,", "{32'd0,", "> pos_pawns_o"},
	{"only pawns take en passant", "game_make.sv", "{8{pawn}} & to_i[47:40] & ep", "to_i[47:40] & ep", "> pos_"},
	{"en passant is taken on its file only", "game_make.sv", "to_i[47:40] & ep;", "to_i[47:40];", "> pos_"},
	{"a double step is remembered", "game_make.sv", "& to_i[31:24]", "& to_i[23:16]", "> pos_ep_o"},
	{"only a pawn's step is", "game_make.sv", "{8{pawn & |from_i[15:8]}}", "{8{|from_i[15:8]}}", "> pos_ep_o"},
	{"a step from rank 3 is not", "game_make.sv", "{8{pawn & |from_i[15:8]}}", "{8{pawn}}", "> pos_ep_o"},
	{"the king's rook comes to f1", "game_make.sv", "{58'd0, castles_king_side, 1'b0,", "{57'd0, castles_king_side, 2'b0,", "> pos_rooks_o"},
	{"the king's rook leaves h1", "game_make.sv", "24'd0, castles_king_side, 6'd0,", "24'd0, 1'b0, 6'd0,", "> pos_rooks_o"},
	{"the queen's rook leaves a1", "game_make.sv", "6'd0, castles_queen_side}", "6'd0, 1'b0}", "> pos_rooks_o"},
	{"only a king castles", "game_make.sv", "(piece == piece_pkg::King) & from_i[4]", "from_i[4]", "> pos_"},
	{"only from e1", "game_make.sv", "(piece == piece_pkg::King) & from_i[4]", "(piece == piece_pkg::King)", "> pos_"},
	{"castling queen side is castling", "game_make.sv", "king_moves & to_i[2]", "1'b0", "> pos_"},
	{"a pawn on rank 8 promotes", "game_make.sv", "promotes_o ? promotion_i : piece", "piece", "> pos_pawns_o"},
	{"only a pawn promotes", "game_make.sv", "pawn & |to_i[63:56]", "|to_i[63:56]", "> "},
	{"a king that moves loses its rights", "game_make.sv", "castling[0] & ~from_i[4] &", "castling[0] &", "> pos_castling_o"},
	{"a rook that moves loses its right", "game_make.sv", "& ~from_i[0],", ",", "> pos_castling_o"},
	{"a rook taken loses its right", "game_make.sv", "castling[2] & ~to_i[63]", "castling[2]", "> pos_castling_o"},
	{"rights change sides", "game_make.sv", "castling[3] & ~to_i[56],\n    castling[2] & ~to_i[63]", "castling[2] & ~to_i[63],\n    castling[3] & ~to_i[56]", "> pos_castling_o"},
	{"the board turns", "game_make.sv", "game_pkg::mirror(opponent)", "opponent", "> pos_own_o"},
	{"it turns upside down, not round", "game_pkg.sv", "{b[7:0], b[15:8],", "{b[15:8], b[7:0],", "> pos_"},
	{"a capture sets the halfmove clock back", "game_make.sv", "pawn | (|(occupied & to_i))", "pawn", "> pos_halfmove_o"},
	{"a pawn's move does", "game_make.sv", "irreversible_o = pawn | ", "irreversible_o = ", "> pos_halfmove_o"},
	// Clocks.
	{"the halfmove clock stays at its end", "game_state.sv", "state_q.halfmove + {15'd0, ~(&state_q.halfmove)}", "state_q.halfmove + 16'd1", "> pos_halfmove_o"},
	{"the move's number stays at its end", "game_state.sv", "state_q.black & ~(&state_q.fullmove)", "state_q.black", "> pos_fullmove_o"},
	{"Black's moves count", "game_state.sv", "state_q.black & ~(&state_q.fullmove)", "~state_q.black & ~(&state_q.fullmove)", "> pos_fullmove_o"},
	{"the turn passes", "game_state.sv", "halfmove_d, ~state_q.black,", "halfmove_d, state_q.black,", "> pos_black_o"},
	// Loading.
	{"a load empties the stack", "game_state.sv", "if (load) depth_q <= '0;\n      else if (push)", "if (push)", "> depth_o"},
	{"a queen has a bishop's bit", "movegen_encode.sv", "position_i.pawns | position_i.bishops | position_i.queens", "position_i.pawns | position_i.bishops", "> pos_queens_o"},
	// Taking back.
	{"the state before the move comes back", "game_state.sv", "below = top - AddressWidth'(1)", "below = top", "after unmake"},
	{"all of it goes on the stack", "game_state.sv", "stack_q[top] <= state_q;", "stack_q[top] <= {32'd1, state_q[StateWidth-33:0]};", "after unmake"},
	{"the stack shrinks", "game_state.sv", "depth_q <= depth_q - DepthWidth'(1)", "depth_q <= depth_q", "> depth_o"},
	{"a null move goes on the stack", "game_state.sv", "((cmd_i == Make) | (cmd_i == Null)) & (error_d", "(cmd_i == Make) & (error_d", "after null move"},
	{"a null move moves nothing", "game_state.sv", "assign to = {63'd0, cmd_i == Make}", "assign to = {63'd0, 1'b1}", "after null move"},
	// What is refused.
	{"a command without valid is none", "game_state.sv", "assign load = cmd_valid_i & ", "assign load = ", "after no command"},
	{"a full stack takes no move", "game_state.sv", "if (depth_q == DepthWidth'(Plies)) error_d = Full;\n          else if", "if", "> error_o"},
	{"nor a null move", "game_state.sv", "Null: if (depth_q == DepthWidth'(Plies)) error_d = Full;", "", "after null move"},
	{"it takes as many as it says", "game_state.sv", "Null: if (depth_q == DepthWidth'(Plies))", "Null: if (depth_q == DepthWidth'(Plies - 1))", "> error_o"},
	{"an empty stack gives no move back", "game_state.sv", "if (depth_q == '0) error_d = Empty;", ";", "error_o says: no error; due: the stack is empty"},
	{"the origin holds an own piece", "game_state.sv", "if (~(|(from & own))) error_d = Origin;\n          else if (|(to", "if (|(to", "due: no own piece on the origin"},
	{"the destination does not", "game_state.sv", "else if (|(to & own)) error_d = Destination;", "", "due: an own piece on the destination"},
	{"a king is no promotion", "game_state.sv", "(move_promotion_i <= piece_pkg::Queen)", "(move_promotion_i <= piece_pkg::King)", "due: wrong promotion"},
	{"a pawn is no promotion", "game_state.sv", "(move_promotion_i >= piece_pkg::Knight)", "(move_promotion_i >= piece_pkg::Pawn)", "due: wrong promotion"},
	{"what does not promote has no promotion", "game_state.sv", "promotes ? ~a_piece : |move_promotion_i", "promotes & ~a_piece", "due: wrong promotion"},
	{"a refused move changes nothing", "game_state.sv", "((cmd_i == Make) | (cmd_i == Null)) & (error_d == None)", "((cmd_i == Make) | (cmd_i == Null))", "> pos_"},
	{"an error is said once", "game_state.sv", "error_o <= error_d", "error_o <= error_o | error_d", "> error_o"},
	{"reset empties the board", "game_state.sv", "state_q <= '0;", "", "> pos_own_o"},
	{"reset empties the stack", "game_state.sv", "      depth_q <= '0;\n      error_o <= None;", "      error_o <= None;", "> depth_o"},
}

// mutantPlies is short, so that the stack is full often.
const mutantPlies = 12

// Each mutant is found, and the report says where to look.
func TestMutants(t *testing.T) {
	// Always the same walk: that it shows all mutants is not left to chance.
	w := walks(t, rand.New(rand.NewPCG(1, 3)), mutantPlies, 9_000, 0.003)
	design := game.Design
	design.Params = map[string]string{"Plies": "12"}
	run := func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[game.In, game.Out](t, design, sim.Icarus)
		return sim.Compare(d, game.NewModel(mutantPlies), slices.Values(w.in))
	}
	t.Run("without fault", func(t *testing.T) {
		t.Parallel()
		every(t, w)
		if err := run(t, design); err != nil {
			t.Fatal(err)
		}
	})
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			err := run(t, fault.Plant(t, design, m.file, m.old, m.new))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, m.message) {
				t.Errorf("the report does not say %q:\n%s", m.message, report)
			}
		})
	}
}
