package burst_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

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

// mutant is the RTL with one fault: a text that stands in one of its files exactly once is
// replaced. Those of the analysis are with movegen.
type mutant struct {
	rule     string // what it breaks
	file     string
	old, new string
	fen      string // a position that shows it; empty: any will do, see handshakes
	message  string // what the report of the difference must say: a move, or a port
}

// mutants are the faults that the testbench must find: one that a designer might make for each
// rule.
var mutants = []mutant{
	// Arrivals.
	{
		rule: "a pinned rook stays on its line", file: "burst_arrivals.sv",
		old: "movers_ns = ortho & ~(line_ew_i | line_nesw_i | line_nwse_i)",
		new: "movers_ns = ortho & ~(line_nesw_i | line_nwse_i)",
		fen: "7k/8/8/8/8/8/8/K1R4r w - - 0 1", message: "c1c2 (rook)",
	},
	{
		rule: "a pinned bishop stays on its line", file: "burst_arrivals.sv",
		old: "movers_nwse = diag & ~(line_ns_i | line_ew_i | line_nesw_i)",
		new: "movers_nwse = diag & ~(line_ns_i | line_ew_i)",
		fen: "7k/8/8/8/7b/8/5B2/4K3 w - - 0 1", message: "f2e3 (bishop)",
	},
	{
		rule: "a pinned piece moves along its line", file: "burst_arrivals.sv",
		old: "movers_ew = ortho & ~(line_ns_i | line_nesw_i | line_nwse_i)",
		new: "movers_ew = ortho & ~(line_ns_i | line_ew_i | line_nesw_i | line_nwse_i)",
		fen: "7k/8/8/8/8/8/8/K1R4r w - - 0 1", message: "missing: c1b1 (rook)",
	},
	{
		rule: "a pinned pawn is not pushed", file: "burst_arrivals.sv",
		old: "push = ((pawns & ~(line_ew_i | line_nesw_i | line_nwse_i)) << 8)",
		new: "push = ((pawns & ~(line_ew_i | line_nwse_i)) << 8)",
		fen: "7k/8/8/8/7b/8/5P2/4K3 w - - 0 1", message: "f2f3 (pawn)",
	},
	{
		rule: "a pinned pawn does not leave its line by capturing", file: "burst_arrivals.sv",
		old: "((pawns & ~(line_ns_i | line_ew_i | line_nwse_i)) << 9)",
		new: "((pawns & ~(line_ew_i | line_nwse_i)) << 9)",
		fen: "4r2k/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1", message: "surplus: e2f3 (pawn takes pawn)",
	},
	{
		rule: "a pawn captures pieces only", file: "burst_arrivals.sv",
		old: "<< 7) & movegen_pkg::NotFileH & opp;",
		new: "<< 7) & movegen_pkg::NotFileH;",
		fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", message: "e2d3",
	},
	{
		rule: "a pawn is not pushed onto a piece", file: "burst_arrivals.sv",
		old: "line_nwse_i)) << 8) & empty_i;",
		new: "line_nwse_i)) << 8);",
		fen: "4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", message: "e3e4",
	},
	{
		rule: "a double step does not pass through a piece", file: "burst_arrivals.sv",
		old: "((push & burst_pkg::Rank3) << 8)",
		new: "(((pawns << 8) & burst_pkg::Rank3) << 8)",
		fen: "4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", message: "e4",
	},
	{
		rule: "a double step starts on rank 2", file: "burst_arrivals.sv",
		old: "((push & burst_pkg::Rank3) << 8)",
		new: "(push << 8)",
		fen: "4k3/8/8/8/8/4P3/8/K7 w - - 0 1", message: "e3e5 (pawn)",
	},
	{
		rule: "a slider's ray does not wrap around the edge", file: "burst_arrivals.sv",
		old: "ray_up(movers_ew, empty_i, movegen_pkg::NotFileA, 1)",
		new: "ray_up(movers_ew, empty_i, movegen_pkg::All, 1)",
		fen: "4k3/8/8/8/7R/8/8/4K3 w - - 0 1", message: "b5",
	},
	// Words.
	{
		rule: "pieces do not capture their own", file: "burst_words.sv",
		old: "word_n_o = (to_n_i & targets_i)",
		new: "word_n_o = to_n_i",
		fen: "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1", message: "surplus: a1a3 (rook takes pawn)",
	},
	{
		rule: "a check is answered by pushes", file: "burst_words.sv",
		old: "word_push_o[63:0] = push_i & targets_i",
		new: "word_push_o[63:0] = push_i",
		fen: "4r2k/8/8/8/8/8/P7/4K3 w - - 0 1", message: "a2a3 (pawn)",
	},
	{
		rule: "the king does not enter an attacked square", file: "burst_words.sv",
		old: "((king_i >> 8) & king_to_i)",
		new: "(king_i >> 8)",
		fen: "4k3/8/8/8/8/8/4K3/r7 w - - 0 1", message: "e2e1 (king)",
	},
	{
		rule: "castling is listed", file: "burst_words.sv",
		old: "{61'h0, castling_i[1], 2'h0}",
		new: "64'h0",
		fen: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", message: "missing: e1c1 (king, castling)",
	},
	{
		rule: "en passant is listed", file: "burst_words.sv",
		old: "{16'h0, ep_ne_i, 40'h0}",
		new: "64'h0",
		fen: "7k/8/8/2Pp4/8/8/8/K7 w - d6 0 1", message: "missing: c5d6 (pawn takes pawn, en passant)",
	},
	{
		rule: "promotion by a push is four moves", file: "burst_words.sv",
		old: "word_push_o[87:64] = {3{promote_n}}",
		new: "word_push_o[87:64] = {16'h0, promote_n}",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8n (pawn)",
	},
	{
		rule: "promotion by a capture is four moves", file: "burst_words.sv",
		old: "word_nw_o[87:64] = {3{promote_nw}}",
		new: "word_nw_o[87:64] = 24'h0",
		fen: "n6k/1P6/8/8/8/8/8/4K3 w - - 0 1", message: "missing: b7a8r (pawn takes knight), b7a8b (pawn takes knight), b7a8n (pawn takes knight)",
	},
	{
		rule: "promotions answer a check too", file: "burst_words.sv",
		old: "promote_n = push_i[63:56] & targets_i[63:56]",
		new: "promote_n = push_i[63:56]",
		fen: "4r2k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "surplus: a7a8r (pawn), a7a8b (pawn), a7a8n (pawn)",
	},
	{
		rule: "a knight without moves does not take a beat", file: "burst_words.sv",
		old: "knights_i & movegen_pkg::knight_attacks(targets_i)",
		new: "knights_i",
		fen: "4k3/8/8/8/1N5N/6P1/5P2/4K2N w - - 0 1", message: "has none, but due is b4",
	},
	// Lanes.
	{
		rule: "a lane's moves come one by one", file: "burst_lane.sv",
		old: "half & reach : rest3_q & ~lowest",
		new: "half & reach : '0",
		fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", message: "missing: e1f1 (king), e1e2 (king), a1d1 (rook)",
	},
	{
		rule: "the lowest comes first", file: "burst_lane.sv",
		old: "lowest = lowest64[Width-1:0]",
		new: "lowest = rest3_q & ~(rest3_q >> 1) & ~(rest3_q >> 8)",
		fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", message: "lane 0 (N, dark)",
	},
	{
		rule: "halves are of one colour", file: "burst_lane.sv",
		old: "localparam int File = (i + Half) % 2",
		new: "localparam int File = Half",
		fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", message: "lane 0 (N, dark)",
	},
	{
		rule: "the origin is the nearest piece", file: "burst_lane.sv",
		old: "hidden = (behind_q >> 1)",
		new: "hidden = (behind_q << 1)",
		fen: "4k3/8/8/8/R7/R7/8/4K3 w - - 0 1", message: "has a3a5 (rook), but due is a4a5 (rook)",
	},
	{
		rule: "what is looked up is before the arrival", file: "burst_lane.sv",
		old: "Down ? ~(here4 | (here4 - 8'd1)) : here4 - 8'd1",
		new: "Down ? ~(here4 | (here4 - 8'd1)) : ~here4",
		fen: "4k3/8/8/8/8/8/8/R2K3R w - - 0 1", message: "a1b1 (rook)",
	},
	{
		rule: "behind is above when it goes down", file: "burst_lane.sv",
		old: "Down ? ~(here4 | (here4 - 8'd1)) : here4 - 8'd1",
		new: "Down ? ~here4 : here4 - 8'd1",
		fen: "4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", message: "has a1a2 (rook), but due is a4a2 (rook)",
	},
	{
		rule: "a diagonal goes on at the other side of the board", file: "burst_lines.sv",
		old: "word_i[56 + (i + 7 * Slope) % 8]",
		new: "word_i[56 + (i + 6 * Slope) % 8]",
		fen: "4k2r/8/8/8/8/8/8/B3K3 w - - 0 1", message: "has a1h8 (bishop), but due is a1h8 (bishop takes rook)",
	},
	{
		rule: "a lane goes on while something is left", file: "burst_pkg.sv",
		old: "for (int k = 1; k < 6; k++)",
		new: "for (int k = 1; k < 3; k++)",
		fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", message: "missing: a1a8 (rook)",
	},
	{
		rule: "the captured piece is what stands there", file: "burst_lane.sv",
		old: "|(here & on1_q), |(here & on0_q)}",
		new: "|(here & on0_q), |(here & on0_q)}",
		fen: "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", message: "d1d5 (rook), but due is d1d5 (rook takes knight)",
	},
	{
		rule: "on a rising diagonal files rise with ranks", file: "burst_lane.sv",
		old: "if (Rising) square = {place, line + place}",
		new: "if (Rising) square = {place, line - place}",
		fen: "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", message: "a1b2 (bishop)",
	},
	{
		rule: "only the king castles", file: "burst_lane.sv",
		old: "Sideways & (piece == piece_pkg::King) & (from[0] == to[0])",
		new: "Sideways & (from[0] == to[0])",
		fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", message: "a1c1 (rook, castling), but due is a1c1 (rook)",
	},
	{
		rule: "it castles by two squares", file: "burst_lane.sv",
		old: "Sideways & (piece == piece_pkg::King) & (from[0] == to[0])",
		new: "Sideways & (piece == piece_pkg::King)",
		fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", message: "e1f1 (king, castling), but due is e1f1 (king)",
	},
	{
		rule: "the pawn taken en passant is reported", file: "burst_lane.sv",
		old: "ep ? piece_pkg::Pawn : captured",
		new: "captured",
		fen: "7k/8/8/2Pp4/8/8/8/K7 w - d6 0 1", message: "c5d6 (pawn, en passant), but due is c5d6 (pawn takes pawn, en passant)",
	},
	{
		rule: "only a pawn takes en passant", file: "burst_lane.sv",
		old: "ep = Diagonal & (piece == piece_pkg::Pawn) & (captured == piece_pkg::None)",
		new: "ep = Diagonal & (captured == piece_pkg::None)",
		fen: "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", message: "a1b2 (bishop takes pawn, en passant)",
	},
	{
		rule: "en passant ends on an empty square", file: "burst_lane.sv",
		old: "ep = Diagonal & (piece == piece_pkg::Pawn) & (captured == piece_pkg::None)",
		new: "ep = Diagonal & (piece == piece_pkg::Pawn)",
		fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", message: "e4d5 (pawn takes pawn, en passant), but due is e4d5 (pawn takes pawn)",
	},
	{
		rule: "only a pawn promotes", file: "burst_lane.sv",
		old: "(piece == piece_pkg::Pawn) & (place5_q == 3'd7)",
		new: "(place5_q == 3'd7)",
		fen: "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", message: "a1h8q (bishop), but due is a1h8 (bishop)",
	},
	{
		rule: "it promotes on rank 8", file: "burst_lane.sv",
		old: "(piece == piece_pkg::Pawn) & (place5_q == 3'd7)",
		new: "(piece == piece_pkg::Pawn)",
		fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", message: "e2e3q (pawn), but due is e2e3 (pawn)",
	},
	{
		rule: "promotions on ranks 9, 10, 11 are to rook, bishop, knight", file: "burst_lane.sv",
		old: "{|(lowest & rank11), |(lowest & rank10), |(lowest & rank9)}",
		new: "{|(lowest & rank11), |(lowest & rank9), |(lowest & rank10)}",
		fen: "7k/P7/8/8/8/8/8/4K3 w - - 0 1", message: "a7a8b (pawn), but due is a7a8r (pawn)",
	},
	// Knights.
	{
		rule: "a knight's leap does not wrap around the edge", file: "burst_knights.sv",
		old: "(knight4_q >> 6) & movegen_pkg::NotFilesAB",
		new: "(knight4_q >> 6) & movegen_pkg::NotFileA",
		fen: "4k3/8/8/8/7N/8/8/4K3 w - - 0 1", message: "h4b4 (knight)",
	},
	{
		rule: "a knight's leap answers a check", file: "burst_knights.sv",
		old: "(|(leap[i] & targets_i))",
		new: "(|leap[i])",
		fen: "4r2k/8/8/8/8/8/8/3NK3 w - - 0 1", message: "surplus: d1b2 (knight), d1f2 (knight), d1c3 (knight)",
	},
	{
		rule: "what a knight captures is what stands there", file: "burst_knights.sv",
		old: "{|(leap[i] & code2_i),",
		new: "{|(leap[i] & code1_i),",
		fen: "4k3/8/8/8/8/5r2/8/4K1N1 w - - 0 1", message: "g1f3 (knight), but due is g1f3 (knight takes rook)",
	},
	{
		rule: "each knight has its turn", file: "burst_knights.sv",
		old: "knights_i : rest3_q & ~lowest",
		new: "knights_i : 64'd0",
		fen: "4k3/8/8/8/N7/N7/8/4K3 w - - 0 1", message: "missing: a4",
	},
	// Control.
	{
		rule: "a list ends when all lanes are through, knights too", file: "burst.sv",
		old: "free3 = ~valid3_q | ~(|more)",
		new: "free3 = ~valid3_q | ~(|more[17:0])",
		fen: "N1N1N1N1/8/8/Nk5N/8/8/N1N1N3/KN6 w - - 0 1", message: "> beat_last_o",
	},
	{
		rule: "the last beat is said to be it", file: "burst.sv",
		old:     "last4_q <= free3",
		new:     "last4_q <= free3 & ~wait2",
		message: "> beat_last_o",
	},
	{
		rule: "a position is listed once", file: "burst.sv",
		old:     "wait2 = valid2_q & ~taken2_q",
		new:     "wait2 = valid2_q",
		message: "> pos_ready_o",
	},
	{
		rule: "a position is taken over by a beat that goes on", file: "burst.sv",
		old:     "take2 = advance36 & free3 & wait2",
		new:     "take2 = free3 & wait2",
		message: "> ",
	},
	{
		rule: "a position waits for the end of the list before", file: "burst.sv",
		old:     "take2 = advance36 & free3 & wait2",
		new:     "take2 = advance36 & wait2",
		message: "> ",
	},
	{
		rule: "a position that waits stops those behind it", file: "burst.sv",
		old:     "pos_ready_o = advance12",
		new:     "pos_ready_o = 1'b1",
		message: "> pos_ready_o",
	},
	{
		rule: "a beat waits for its receiver", file: "burst.sv",
		old:     "advance36 = ~beat_valid_o | beat_ready_i",
		new:     "advance36 = 1'b1",
		message: "> ",
	},
	{
		rule: "a free place is filled without the receiver", file: "burst.sv",
		old:     "advance36 = ~beat_valid_o | beat_ready_i",
		new:     "advance36 = beat_ready_i",
		message: "> ",
	},
	{
		rule: "pieces are looked up in their own position", file: "burst.sv",
		old:     "    if (take2) begin\n      code0_3q",
		new:     "    if (advance36) begin\n      code0_3q",
		message: "> move_o",
	},
	{
		rule: "no moves without a beat", file: "burst_lane.sv",
		old:     "valid4_q <= valid_i & (|rest3_q)",
		new:     "valid4_q <= |rest3_q",
		message: "> move_o",
	},
	{
		rule: "reset forgets a position in stage 1", file: "burst.sv",
		old:     "      valid1_q <= 1'b0;\n",
		new:     "      valid1_q <= valid1_q;\n",
		message: "> ",
	},
	{
		rule: "reset forgets a position in stage 2", file: "burst.sv",
		old:     "      valid2_q <= 1'b0;\n",
		new:     "      valid2_q <= valid2_q;\n",
		message: "> ",
	},
	{
		rule: "reset ends a list", file: "burst.sv",
		old:     "      valid3_q <= 1'b0;\n",
		new:     "      valid3_q <= valid3_q;\n",
		message: "> ",
	},
	{
		rule: "reset forgets a beat on its way", file: "burst.sv",
		old:     "      valid5_q <= 1'b0;\n",
		new:     "      valid5_q <= valid5_q;\n",
		message: "> ",
	},
	{
		rule: "what is looked up follows its beat", file: "burst.sv",
		old:     "code0_4q <= code0_3q",
		new:     "code0_4q <= code0_s2",
		message: "> move_o",
	},
	{
		rule: "reset takes back the moves of a beat", file: "burst_lane.sv",
		old:     "      valid6_q <= 1'b0;\n",
		new:     "      valid6_q <= valid6_q;\n",
		message: "> move_o",
	},
}

// design is the mutant's RTL. The files on disk stay as they are.
func (m mutant) design(t testing.TB) sim.Design {
	t.Helper()
	return fault.Plant(t, burst.Design, m.file, m.old, m.new)
}

// positions are those that are to show the mutant.
func (m mutant) positions(t testing.TB) (positions []engine.Position) {
	t.Helper()
	fens := handshakes
	if m.fen != "" {
		fens = []string{m.fen}
	}
	for _, fen := range fens {
		positions = append(positions, parse(t, fen))
	}
	return positions
}

// compare gives the positions to the design: back to back; after a reset in the middle of the last
// list, one by one with time between them, to receivers that are more and more busy; then with all
// at random, resets too.
func compare(d *dut, positions []engine.Position) error {
	collect := func(b bench) []burst.In { return slices.Collect(b.stimulus(positions)) }
	in := collect(bench{r: seeded(300), afterward: burst.Latency + 1})
	in = append(in, burst.In{Rst: true})
	for i, busy := range []float64{0, 0.3, 0.5, 0.7} {
		in = append(in, collect(bench{r: seeded(301 + uint64(i)), gap: 0.9, busy: busy, afterward: 40})...)
	}
	for i := range uint64(5) {
		in = append(in, burst.In{Rst: true})
		in = append(in, collect(bench{r: seeded(310 + i), gap: 0.1, busy: 0.3, resets: 0.1, afterward: 40})...)
	}
	return sim.Compare(d, burst.NewModel(), slices.Values(in))
}

// Each mutant is found, and the report of the difference names the position and the move, or the
// cycle and the port.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			d := sim.OpenTest[burst.In, burst.Out](t, m.design(t), sim.Icarus)
			err := compare(d, m.positions(t))
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

// The RTL as it is passes where its mutants fail.
func TestMutantsWithoutFault(t *testing.T) {
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		seen := map[string]bool{}
		for _, m := range mutants {
			if seen[m.fen] {
				continue
			}
			seen[m.fen] = true
			if err := compare(d, m.positions(t)); err != nil {
				t.Errorf("%s: %v", m.rule, err)
			}
		}
	})
}
