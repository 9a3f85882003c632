package core_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

// mutants are faults that the testbench must find, one that a designer might make for each rule.
// The report must name the port.
var mutants = []struct{ rule, file, old, new, port string }{
	// The position to be loaded.
	{"ranks come as the side to move sees them", "core_position.sv", "step_q ^ {3{black_i}}", "step_q", "s_axil_rdata_o"},
	{"own pieces are those of the side to move", "core_position.sv", "(rank[4*i + 3] == black_i)", "~rank[4*i + 3]", ""},
	{"an empty square is nobody's", "core_position.sv", "(|rank[4*i +: 3]) & ", "", ""},
	{"eight ranks", "core_position.sv", "step_q == 3'd7", "step_q == 3'd6", ""},
	{"rights go with their side", "core_registers.sv", "load_black_o ? {load_castling_q[1:0], load_castling_q[3:2]} : load_castling_q", "load_castling_q", ""},
	{"clocks are loaded", "core_registers.sv", "load_fullmove_o <= write_data_i[core_regs_pkg::ClocksFullmove +: 16]", "load_fullmove_o <= load_fullmove_o", "s_axil_rdata_o"},
	{"the bus waits for a load", "core_registers.sv", "loading_q <= write_load | (loading_q & ~load_done_q)", "loading_q <= write_load | (loading_q & ~load_done_i)", ""},
	{"so do reads", "core_registers.sv", "read_ready_o = ~loading_q & ~", "read_ready_o = ~", ""},
	// Commands.
	{"squares are those of the board", "core_registers.sv", "move_to_o <= to ^ {{3{game_black}}, 3'd0}", "move_to_o <= to", ""},
	{"a published square by its file", "core_published_pkg.sv", "{(file4[1] & number[1]) | file4[2],", "{(file4[1] & number[1]),", ""},
	{"a published square by its rank", "core_published_pkg.sv", "square[5:3] = 3'(rank)", "square[5:3] = 3'(rank) | 3'd1", ""},
	{"squares off the board are none", "core_published_pkg.sv", "(file4[2] & ~number[1])", "file4[2]", "s_axil_rdata_o"},
	{"make and unmake is neither", "core_registers.sv", "(published_make ^ published_unmake)", "(published_make | published_unmake)", ""},
	{"a published unmake needs no squares", "core_registers.sv", "(published_unmake | (published_from[6] & published_to[6]))", "(published_from[6] & published_to[6])", ""},
	{"a published promotion", "core_registers.sv", "PublishedCommandPromotion +: 3]", "PublishedCommandCaptured +: 3]", ""},
	{"an error is kept until it is cleared", "core_registers.sv", "refused & (write_error | (reason_q == core_regs_pkg::ErrorReasonNone))", "refused", "s_axil_rdata_o"},
	{"an error can be cleared", "core_registers.sv", "end else if (write_error) begin\n      reason_q <= core_regs_pkg::ErrorReasonNone;", "end else if (write_error) begin", "s_axil_rdata_o"},
	{"the command that was refused", "core_registers.sv", "command = {1'b0, cmd_o};", "command = core_regs_pkg::ErrorCommandMake;", "s_axil_rdata_o"},
	{"a write to where nothing is, is an error", "core_registers.sv", "write_error_o = ~at_board;", "write_error_o = 1'b0;", "s_axil_bresp_o"},
	{"a read where nothing is, is an error", "core_registers.sv", "else read_error_o = 1'b1;", "else read_error_o = 1'b0;", "s_axil_rresp_o"},
	// Lists.
	{"a list follows a command only if it was carried out", "core_registers.sv", "auto_q & (game_error_i == 3'd0)", "auto_q", ""},
	{"and only if that was asked for", "core_registers.sv", "cmd_done_q & auto_q &", "cmd_done_q &", ""},
	{"a list to the stream is not cut short", "core_list.sv", "assign go = start_i & ~streaming_o;", "assign go = start_i;", ""},
	{"an aborted packet is ended", "core_list.sv", "(abort_i & streaming_o & ~ending_q)", "1'b0", ""},
	{"once", "core_list.sv", "ending_q <= (ending_q & ~stream_ready) |", "ending_q <= ending_q |", ""},
	{"not while it sends", "core_list.sv", "(move_valid & to_stream_q & ~abort_i)", "(move_valid & to_stream_q)", ""},
	{"whose moves they are stays with the list", "core_list.sv", "if (pos_valid_q) begin", "begin", ""},
	{"moves are those of the board", "core_list.sv", "assign from = move_from ^ {{3{list_black_q}}, 3'd0};", "assign from = move_from;", ""},
	{"a list without move is a word without fields", "core_list.sv", "(word_fields & {32{~move_none}})", "word_fields", ""},
	{"a new list ends the old one", "core_list.sv", ".rst_i(rst_i | restart),", ".rst_i(rst_i | abort_i),", ""},
	{"and empties the FIFO", "core_list.sv", ".clear_i(rst_i | restart)", ".clear_i(rst_i | abort_i)", ""},
	{"a full FIFO holds the list", "core_list.sv", "assign move_ready = to_stream_q ? stream_ready : ~fifo_full;", "assign move_ready = ~to_stream_q | stream_ready;", ""},
	{"a receiver that is not ready holds the list", "core_list.sv", "assign move_ready = to_stream_q ? stream_ready : ~fifo_full;", "assign move_ready = to_stream_q | ~fifo_full;", ""},
	{"the count is that of the new list", "core_list.sv", "count_valid_o <= ~go & (count_valid_o | count_valid)", "count_valid_o <= count_valid_o | count_valid", ""},
	{"a read waits for what is in the FIFO", "core_list.sv", "((words_o != '0) | (listing_q", "((listing_q", ""},
	{"a read waits for what is listed", "core_list.sv", "((words_o != '0) | (listing_q & ~to_stream_q & ~quiet_q[QuietWidth-1]))", "(words_o != '0)", ""},
	{"a read waits for the count", "core_registers.sv", "~(counting_i & (read_address_i == core_regs_pkg::Count))", "1'b1", ""},
	{"no read waits for the stream", "core_list.sv", "(listing_q & ~to_stream_q & ~quiet_q", "(listing_q & ~quiet_q", ""},
	{"an item shows when it can be read", "core_fifo.sv", "valid_o <= count_o > (AddressWidth+1)'(take_i)", "valid_o <= count_o + (AddressWidth+1)'(put_i) > (AddressWidth+1)'(take_i)", ""},
	{"an item is taken once", "core_fifo.sv", "take_q <= take_d;", "take_q <= take_q;", ""},
	{"a read takes a word only if there is one", "core_registers.sv", "word_take_o = read_i & word_valid_i &", "word_take_o = read_i &", ""},
	{"a packet's last word is marked", "core_list.sv", ".data_i({stream_word[core_regs_pkg::MoveLast], stream_word})", ".data_i({move_last, stream_word})", "m_axis_tlast_o"},
	// Published records.
	{"a record goes in two reads", "core_registers.sv", "(reads_moves | (reads_published & half_q))", "(reads_moves | reads_published)", ""},
	{"its high half is 0", "core_registers.sv", "record_word & {32{~half_q}}", "record_word", "s_axil_rdata_o"},
	{"with its move the half is forgotten", "core_registers.sv", "list_abort_o | word_take_o) half_q", "list_abort_o) half_q", "s_axil_rdata_o"},
	{"with its list the half is forgotten", "core_registers.sv", "if (rst_i | list_start_o | list_abort_o | word_take_o) half_q", "if (rst_i | list_abort_o | word_take_o) half_q", "s_axil_rdata_o"},
	{"colours of what is captured", "core_registers.sv", "{captures & ~black, captured}", "{captures & black, captured}", "s_axil_rdata_o"},
	{"sides of castling", "core_registers.sv", "queen_side = ~word_i[core_regs_pkg::MoveTo + 2]", "queen_side = word_i[core_regs_pkg::MoveTo + 2]", "s_axil_rdata_o"},
	// What is read of the game.
	{"the board as it is", "core_registers.sv", "assign rank = read_address_i[2:0] ^ {3{game_black}}", "assign rank = read_address_i[2:0]", "s_axil_rdata_o"},
	{"colours as they are", "core_registers.sv", "(own[i] == game_black) & (code0[i]", "own[i] & (code0[i]", "s_axil_rdata_o"},
	{"rights as they are", "core_registers.sv", "game_black ? {game_castling[1:0], game_castling[3:2]} : game_castling", "game_castling", "s_axil_rdata_o"},
	// Interrupts.
	{"a list that is cut short has not been listed", "core_list.sv", "move_ready & move_last & ~restart", "move_ready & move_last", ""},
	{"a command that is refused interrupts", "core_registers.sv", "(2'(refused) << core_regs_pkg::InterruptsRefused)", "(2'(game_refuses) << core_regs_pkg::InterruptsRefused)", ""},
}

// Mutants have a short stack and a short FIFO, so that they are full often.
const (
	mutantPlies = 3
	mutantFifo  = 4
)

func mutantDesign() sim.Design {
	design := core.Design
	design.Params = map[string]string{"Plies": "3", "Fifo": "4"}
	return design
}

// mutantTapes always are the same: that they show all mutants is not left to chance.
func mutantTapes(t testing.TB) (tapes [][]core.In) {
	for n, p := range []pace{{0, 0, 0.3, 0.001}, {0.5, 0.3, 0.6, 0.001}} {
		s := newSoftware(t, rand.New(rand.NewPCG(1, uint64(n))), mutantPlies, mutantFifo, p)
		if n == 0 {
			s.script(t)
		}
		tapes = append(tapes, s.run(6000))
		if err := s.model.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return tapes
}

// Each mutant is found, and the report names the port.
func TestMutants(t *testing.T) {
	tapes := mutantTapes(t)
	run := func(t *testing.T, design sim.Design) error {
		for _, tape := range tapes {
			d := sim.OpenTest[core.In, core.Out](t, design, sim.Icarus)
			if err := sim.Compare(d, core.NewModel(mutantPlies, mutantFifo), slices.Values(tape)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			err := run(t, fault.Plant(t, mutantDesign(), m.file, m.old, m.new))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, "> "+m.port) || !strings.Contains(report, "what was done last") {
				t.Errorf("the report does not name %q, or not what was done:\n%s", m.port, report)
			}
		})
	}
}
