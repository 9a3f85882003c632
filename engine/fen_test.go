package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/google/go-cmp/cmp"
)

// fenFaults holds a record for every fault that ParseFEN names.
var fenFaults = []struct{ name, fen, want string }{
	{"empty", "", "FEN record, byte 0: it is empty; write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"five fields", "4k3/8/8/8/8/8/8/4K3 w - - 0", "FEN record, byte 27: the record ends before the fullmove number (field 6 of 6); write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"one field", "4k3/8/8/8/8/8/8/4K3", "FEN record, byte 19: the record ends before the side to move (field 2 of 6); write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"five fields and a space", "4k3/8/8/8/8/8/8/4K3 w - - 0 ", "FEN record, byte 28: the record ends before the fullmove number (field 6 of 6); write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"seven fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "FEN record, byte 29: \" x\" follows the sixth field; end the record after the fullmove number"},
	{"space at the end", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", "FEN record, byte 29: \" \" follows the sixth field; end the record after the fullmove number"},
	{"space in front", " 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "FEN record, byte 0: there is a space too many; write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"two spaces", "4k3/8/8/8/8/8/8/4K3  w - - 0 1", "FEN record, byte 20: there is a space too many; write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"tab", "4k3/8/8/8/8/8/8/4K3\tw - - 0 1", "FEN record, byte 19: '\\t' is in the record; write one line with spaces only between the fields"},
	{"bad letter", "4k3/8/8/2x5/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 9: 'x' is no piece; use PNBRQK for White, pnbrqk for Black, 1 to 8 for empty squares and /"},
	{"nine", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 4: '9' is no piece; use PNBRQK for White, pnbrqk for Black, 1 to 8 for empty squares and /"},
	{"zero", "4k3/80/8/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 5: '0' is no piece; use PNBRQK for White, pnbrqk for Black, 1 to 8 for empty squares and /"},
	{"not ASCII", "4k3/8/8/8/8/8/8/4♔3 w - - 0 1", "FEN piece placement, byte 17: '♔' is no piece; use PNBRQK for White, pnbrqk for Black, 1 to 8 for empty squares and /"},
	{"rank too short", "4k3/8/7/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 7: rank 6 has 7 of 8 squares; make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"},
	{"first rank too short", "4k3/8/8/8/8/8/8/4K2 w - - 0 1", "FEN piece placement, byte 19: rank 1 has 7 of 8 squares; make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"},
	{"rank too long by a digit", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "FEN piece placement, byte 18: rank 1 has more than 8 squares; make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"},
	{"rank too long by a piece", "4k3/8P/8/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 5: rank 7 has more than 8 squares; make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"},
	{"digits side by side", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 5: digits 4 and 4 side by side; write their sum as one digit"},
	{"seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 17: there are only 7 ranks; make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"},
	{"nine ranks", "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "FEN piece placement, byte 19: there are more than 8 ranks; make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"},
	{"no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "FEN piece placement, byte 17: white has no king; give each side one king"},
	{"no black king", "8/8/8/8/8/8/8/4K3 b - - 0 1", "FEN piece placement, byte 17: black has no king; give each side one king"},
	{"two kings", "4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "FEN piece placement, byte 19: white has 2 kings; give each side one king"},
	{"pawn on rank 1", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "FEN piece placement, byte 16: white pawn on a1; put pawns on ranks 2 to 7 only"},
	{"pawn on rank 8", "4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "FEN piece placement, byte 3: black pawn on h8; put pawns on ranks 2 to 7 only"},
	{"nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "FEN piece placement, byte 22: white has 9 pawns; a side has at most 8"},
	{"seventeen pieces", "4k3/8/8/8/8/RRRRRRRR/RRRRRRRR/4K3 w - - 0 1", "FEN piece placement, byte 31: white has 17 pieces; a side has at most 16"},
	{"more promoted than pawns allow", "4k3/8/8/8/8/Q7/PPPPPPPP/Q3K3 w - - 0 1", "FEN piece placement, byte 24: white has 8 pawns and at least 1 promoted pieces, more than its 8 pawns allow; take away pieces or pawns"},
	{"bishops on one colour", "4k3/pppppppp/8/8/8/8/8/B1B1K3 w - - 0 1", ""},
	{"bishops on one colour, all pawns left", "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", "FEN piece placement, byte 25: white has 8 pawns and at least 1 promoted pieces, more than its 8 pawns allow; take away pieces or pawns"},
	{"side", "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "FEN side to move, byte 20: \"W\" is no side; write w or b"},
	{"castling letter", "4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "FEN castling rights, byte 24: 'X' is no castling right; write - or some of KQkq, in this order"},
	{"castling order", "r3k2r/8/8/8/8/8/8/R3K2R w kK - 0 1", "FEN castling rights, byte 27: 'K' is repeated or out of order; write - or some of KQkq, in this order"},
	{"castling twice", "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "FEN castling rights, byte 27: 'K' is repeated or out of order; write - or some of KQkq, in this order"},
	{"castling and none", "r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1", "FEN castling rights, byte 27: '-' is no castling right; write - or some of KQkq, in this order"},
	{"castling without king", "4k3/8/8/8/8/8/8/5K1R w K - 0 1", "FEN castling rights, byte 23: 'K' needs the white king on e1; drop the right or move the king"},
	{"castling without rook", "4k2r/8/8/8/8/8/8/4K3 b q - 0 1", "FEN castling rights, byte 23: 'q' needs a black rook on a8; drop the right or put the rook there"},
	{"castling with the opponent's rook", "4k3/8/8/8/8/8/8/r2NK3 w Q - 0 1", "FEN castling rights, byte 24: 'Q' needs a white rook on a1; drop the right or put the rook there"},
	{"en passant no square", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "FEN en passant square, byte 24: \"e9\" is no square; write - unless a pawn has just made a double step over the square"},
	{"en passant rank", "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "FEN en passant square, byte 27: with white to move the square is on rank 6, not 3; write - unless a pawn has just made a double step over the square"},
	{"en passant rank, black to move", "4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", "FEN en passant square, byte 27: with black to move the square is on rank 3, not 4; write - unless a pawn has just made a double step over the square"},
	{"en passant without pawn", "4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1", "FEN en passant square, byte 26: no black pawn on e5 can have passed over e6; write - unless a pawn has just made a double step over the square"},
	{"en passant with an own pawn", "4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "FEN en passant square, byte 26: no black pawn on e5 can have passed over e6; write - unless a pawn has just made a double step over the square"},
	{"en passant square occupied", "3k4/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "FEN en passant square, byte 28: the black pawn on e5 came through e6, which is occupied; write - unless a pawn has just made a double step over the square"},
	{"en passant origin occupied", "4k3/8/8/8/4P3/8/4R3/3K4 b - e3 0 1", "FEN en passant square, byte 28: the white pawn on e4 came through e2, which is occupied; write - unless a pawn has just made a double step over the square"},
	{"halfmove clock", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "FEN halfmove clock, byte 26: \"x\" is no such number; write a number from 0 to 65535"},
	{"halfmove clock negative", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "FEN halfmove clock, byte 26: \"-1\" is no such number; write a number from 0 to 65535"},
	{"halfmove clock with sign", "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "FEN halfmove clock, byte 26: \"+1\" is no such number; write a number from 0 to 65535"},
	{"halfmove clock overflow", "4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "FEN halfmove clock, byte 26: 65536 is out of range; write a number from 0 to 65535"},
	{"halfmove clock leading zero", "4k3/8/8/8/8/8/8/4K3 w - - 00 1", "FEN halfmove clock, byte 26: 00 has a leading zero; write a number from 0 to 65535"},
	{"halfmove clock after a double step", "4k3/8/8/8/4P3/8/8/4K3 b - e3 1 1", "FEN halfmove clock, byte 29: the clock is at 1 just after a pawn's double step; write 0, or - as the en passant square"},
	{"fullmove number zero", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "FEN fullmove number, byte 28: 0 is out of range; write a number from 1 to 65535"},
	{"fullmove number overflow", "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999999", "FEN fullmove number, byte 28: 99999999999999999999 is out of range; write a number from 1 to 65535"},
	{"fullmove number", "4k3/8/8/8/8/8/8/4K3 w - - 0 1.", "FEN fullmove number, byte 28: \"1.\" is no such number; write a number from 1 to 65535"},
	{"side not to move in check", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "FEN side to move, byte 21: white is to move but black is in check from e1; give the move to the side in check, or end the check"},
	{"side not to move in check, black to move", "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "FEN side to move, byte 22: black is to move but white is in check from d2; give the move to the side in check, or end the check"},
	{"kings side by side", "8/8/8/8/8/8/3k4/4K3 w - - 0 1", "FEN side to move, byte 20: white is to move but black is in check from e1; give the move to the side in check, or end the check"},
	{"three checkers", "4k3/8/8/8/4r3/8/2n3n1/4K3 w - - 0 1", "FEN piece placement, byte 19: 3 pieces give check to the white king; a move gives check with two at most"},
}

func TestFENFaults(t *testing.T) {
	for _, c := range fenFaults {
		t.Run(c.name, func(t *testing.T) {
			p, err := engine.ParseFEN(c.fen)
			if c.want == "" {
				if err != nil || p.FEN() != c.fen {
					t.Errorf("%v, want %s accepted", err, c.fen)
				}
				return
			}
			if err == nil {
				t.Fatalf("accepted as\n%s", p.Board())
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			var fault *engine.FENError
			if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(c.fen) {
				t.Errorf("%#v", err)
			}
			if p != (engine.Position{}) {
				t.Error("a position came with the error")
			}
		})
	}
}

// TestCounters: they count, and stay at their limit.
func TestCounters(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/4K2N b - - 65535 65535")
	for _, want := range []string{"w - - 65535 65535", "b - - 65535 65535"} {
		moves := p.AppendMoves(nil)
		p = p.Make(moves[len(moves)-1])
		if got := p.FEN(); !strings.HasSuffix(got, want) {
			t.Errorf("%s, want it to end with %s", got, want)
		}
	}
}

func FuzzParseFEN(f *testing.F) {
	for _, c := range fenFaults {
		f.Add(c.fen)
	}
	for _, c := range wellKnown {
		f.Add(c.fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			var fault *engine.FENError
			if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(fen) {
				t.Fatalf("%q: %#v", fen, err)
			}
			if msg := err.Error(); strings.ContainsAny(msg, "\n\r\x00") || len(msg) > 400 {
				t.Fatalf("%q: message %q", fen, msg)
			}
			return
		}
		if got := p.FEN(); got != fen {
			t.Fatalf("%q became %q", fen, got)
		}
		moves := p.AppendMoves(nil)
		if len(moves) != p.Count() || len(moves) > 218 {
			t.Fatalf("%q: %d moves, count %d", fen, len(moves), p.Count())
		}
		for _, m := range moves {
			next := p.Make(m)
			if again, err := engine.ParseFEN(next.FEN()); err != nil || again != next {
				t.Fatalf("%q after %s: %q: %v", fen, m, next.FEN(), err)
			}
		}
		if a, b := engine.Perft(&p, 2), engine.PerftPlain(&p, 2); a != b {
			t.Fatalf("%q: perft 2 is %d batched, %d plain", fen, a, b)
		}
	})
}
