package game_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say after which command, or what was due. That a test finds each
// single change at all, docs/mutants/game.md says.
var mutants = fault.Mutants{
	{"the origin is left", "game_make.sv", "gone = from_i | to_i |", "gone = to_i |", "after make"},
	{"what stood on the destination is gone", "game_make.sv", "gone = from_i | to_i |", "gone = from_i |", "after make"},
	{"the state before the move comes back", "game_state.sv", "below = top - AddressWidth'(1)", "below = top", "after unmake"},
	{"all of it goes on the stack", "game_state.sv", "stack_q[top] <= state_q;", "stack_q[top] <= {32'd1, state_q[StateWidth-33:0]};", "after unmake"},
	{"a null move goes on the stack", "game_state.sv", "((cmd_i == Make) | (cmd_i == Null)) & (error_d", "(cmd_i == Make) & (error_d", "after null move"},
	{"a null move moves nothing", "game_state.sv", "assign to = {63'd0, cmd_i == Make}", "assign to = {63'd0, 1'b1}", "after null move"},
	{"a command without valid is none", "game_state.sv", "assign load = cmd_valid_i & ", "assign load = ", "after no command"},
	{"nor a null move", "game_state.sv", "Null: if (depth_q == DepthWidth'(Plies)) error_d = Full;", "", "after null move"},
	{"an empty stack gives no move back", "game_state.sv", "if (depth_q == '0) error_d = Empty;", ";", "error_o says: no error; due: the stack is empty"},
	{"the origin holds an own piece", "game_state.sv", "if (~(|(from & own))) error_d = Origin;\n          else if (|(to", "if (|(to", "due: no own piece on the origin"},
	{"the destination does not", "game_state.sv", "else if (|(to & own)) error_d = Destination;", "", "due: an own piece on the destination"},
	{"a king is no promotion", "game_state.sv", "(move_promotion_i <= piece_pkg::Queen)", "(move_promotion_i <= piece_pkg::King)", "due: wrong promotion"},
	{"a pawn is no promotion", "game_state.sv", "(move_promotion_i >= piece_pkg::Knight)", "(move_promotion_i >= piece_pkg::Pawn)", "due: wrong promotion"},
	{"what does not promote has no promotion", "game_state.sv", "promotes ? ~a_piece : |move_promotion_i", "promotes & ~a_piece", "due: wrong promotion"},
}

// Each mutant is found, and the report says where to look.
func TestMutants(t *testing.T) {
	const plies = 12 // so that the stack is full often
	// Always the same walk: that it shows all mutants is not left to chance.
	w := walks(t, rand.New(rand.NewPCG(1, 5)), plies, 12_000, 0.003)
	every(t, w)
	design := game.Design
	design.Params = map[string]string{"Plies": "12"}
	fault.FindAll(t, design, mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[game.In, game.Out](t, design, sim.Icarus)
		return sim.Compare(d, game.NewModel(plies), slices.Values(w.in))
	})
}
