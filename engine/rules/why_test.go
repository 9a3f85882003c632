package rules

import (
	"os"
	"testing"

	"github.com/cosimate/cosimate/engine"
)

// The rules in why.go, square by square, are those of the engine: in every golden position the
// moves that a piece's rule allows and after which the own king is not attacked are the legal ones,
// castling apart; and castling is legal where no reason against it is found.
func TestRulesAreTheEngines(t *testing.T) {
	for _, name := range []string{"../../vectors/perft/perft-known.epd", "../../vectors/perft/perft-random.epd"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		suite, err := engine.ReadEPD(f, name)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(suite); i += 4 {
			rulesAreTheEngines(t, &suite[i].Position)
		}
	}
}

func rulesAreTheEngines(t *testing.T, p *engine.Position) {
	t.Helper()
	side := p.SideToMove()
	var legal [64]uint64 // destinations by origin
	for _, m := range p.AppendMoves(nil) {
		legal[m.From] |= 1 << m.To
		if m.Castling {
			for _, c := range Castlings(side) {
				kingSide, queenSide := p.Castling(side)
				right := c.KingTo > c.King && kingSide || c.KingTo < c.King && queenSide
				if m.To == c.KingTo && (!c.Stands(p) || !right || p.InCheck() || attacked(p, c.RookTo) || attacked(p, c.KingTo)) {
					t.Fatalf("%s: %v is legal, but not by the rules written down here", p.FEN(), m)
				}
			}
			legal[m.From] &^= 1 << m.To
		}
	}
	for from := range engine.Square(64) {
		if _, c := p.PieceAt(from); p.Pieces(side)>>from&1 == 0 || c != side {
			continue
		}
		for to := range engine.Square(64) {
			want := legal[from]>>to&1 != 0
			if got := goes(p, from, to) && !exposes(p, from, to); got != want {
				t.Fatalf("%s: %v%v: the rules written down here say legal: %v, the engine %v\n%s", p.FEN(), from, to, got, want, p.Board())
			}
		}
	}
}

// exposes reports whether a move that a piece's rule allows leaves the own king attacked, by
// looking at the board after it.
func exposes(p *engine.Position, from, to engine.Square) bool {
	side := p.SideToMove()
	var board [64]byte // as in FEN
	letters := " PNBRQK"
	for s := range engine.Square(64) {
		if k, c := p.PieceAt(s); k != engine.NoPiece {
			board[s] = letters[k]
			if c == engine.Black {
				board[s] += 'a' - 'A'
			}
		}
	}
	if passed, ok := p.EnPassant(); ok && passed == to && (board[from] == 'P' || board[from] == 'p') {
		board[int(to)-8*forward(side)] = 0
	}
	board[to], board[from] = board[from], 0
	king := byte('K')
	if side == engine.Black {
		king = 'k'
	}
	at := engine.Square(0)
	for s := range engine.Square(64) {
		if board[s] == king {
			at = s
		}
	}
	mine := func(c byte) bool { return c != 0 && (c < 'a') == (side == engine.White) }
	empty := func(a, b engine.Square) bool { // between
		r, f := sign(int(b>>3)-int(a>>3)), sign(int(b&7)-int(a&7))
		for s := int(a) + 8*r + f; s != int(b); s += 8*r + f {
			if board[s] != 0 {
				return false
			}
		}
		return true
	}
	for s := range engine.Square(64) {
		c := board[s]
		if c == 0 || mine(c) {
			continue
		}
		ranks, files := int(at>>3)-int(s>>3), abs(int(at&7)-int(s&7))
		straight, diagonal := ranks == 0 || files == 0, abs(ranks) == files
		switch c | 0x20 {
		case 'p':
			if files == 1 && ranks == -forward(side) {
				return true
			}
		case 'n':
			if abs(ranks)*files == 2 {
				return true
			}
		case 'k':
			if max(abs(ranks), files) == 1 {
				return true
			}
		case 'b', 'r', 'q':
			if (straight && c|0x20 != 'b' || diagonal && c|0x20 != 'r') && empty(s, at) {
				return true
			}
		}
	}
	return false
}

// A mate is none without material: what CanMate says of some known balances.
func TestMaterial(t *testing.T) {
	for _, c := range []struct {
		board        string
		white, black bool
	}{
		{"4k3/8/8/8/8/8/8/4K3", false, false},
		{"4k3/8/8/8/8/8/8/4KB2", false, false},
		{"4k3/8/8/8/8/8/8/4KN2", false, false},
		{"4k3/8/8/8/8/8/8/4KNN1", true, false},
		{"4k3/8/8/8/8/8/8/3NKB2", true, false},
		{"4kn2/8/8/8/8/8/8/4KN2", true, true},
		{"4kb2/8/8/8/8/8/8/4KN2", true, true},
		{"4kq2/8/8/8/8/8/8/4KN2", false, true},
		{"4kr2/8/8/8/8/8/8/4KN2", true, true},
		{"4k3/4p3/8/8/8/8/8/4KN2", true, true},
		{"4kb2/8/8/8/8/8/8/2B1K3", false, false}, // c1 and f8: dark both
		{"2b1k3/8/8/8/8/8/8/2B1K3", true, true},  // c8 is light
		{"4kr2/8/8/8/8/8/8/4KB2", false, true},
		{"4k3/4p3/8/8/8/8/8/4KB2", true, true},
		{"4k3/8/8/8/8/8/8/4KR2", true, false},
		{"4k3/8/8/8/8/8/4P3/4K3", true, false},
		{"4k3/8/8/8/8/8/8/2B1KB2", true, false},
	} {
		p, err := engine.ParseFEN(c.board + " w - - 0 1")
		if err != nil {
			t.Fatal(err)
		}
		if white, black := CanMate(&p, engine.White), CanMate(&p, engine.Black); white != c.white || black != c.black {
			t.Errorf("%s: %v, %v; want %v, %v", c.board, white, black, c.white, c.black)
		}
	}
}
