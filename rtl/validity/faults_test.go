package validity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// The faults of the published FSM, one test each: none of them is in this one.

// absent plays the scenes about a fault.
func absent(t *testing.T, fault string) {
	t.Helper()
	var about []scene
	for _, s := range scenes(t, "known-faults.txt") {
		if strings.HasPrefix(s.name, fault) {
			about = append(about, s)
		}
	}
	if len(about) == 0 {
		t.Fatalf("no scene about %s", fault)
	}
	act(t, about, 4)
}

// It never saw square 0 change.
func TestKnownFaultSquareZero(t *testing.T) { absent(t, "square zero") }

// It got a rook's path wrong on the first rank, and elsewhere.
func TestKnownFaultRookPath(t *testing.T) { absent(t, "rook path") }

// It looked beyond a bishop's destination.
func TestKnownFaultBishopRay(t *testing.T) { absent(t, "bishop ray") }

// It let a pawn go onto an occupied square, and through one.
func TestKnownFaultPawnPush(t *testing.T) { absent(t, "pawn push") }

// It knew no en passant.
func TestKnownFaultEnPassant(t *testing.T) { absent(t, "en passant") }

// Promotion was not finished.
func TestKnownFaultPromotion(t *testing.T) { absent(t, "promotion") }

// It let a king castle out of, through and into check.
func TestKnownFaultCastlingAttacked(t *testing.T) { absent(t, "castling attacked") }

// It let a king castle with a rook that had moved.
func TestKnownFaultCastlingAfterRookMoved(t *testing.T) {
	absent(t, "castling after a rook")
	absent(t, "castling with a rook")
}

// It let a king castle that had moved.
func TestKnownFaultCastlingAfterKingMoved(t *testing.T) { absent(t, "castling after the king") }

// It took the own pawns' direction for the other side's.
func TestKnownFaultPawnCheckDirection(t *testing.T) { absent(t, "pawn check direction") }

// It never found the end of a game.
func TestKnownFaultEndOfGame(t *testing.T) { absent(t, "end of game") }

// It had no states for the opponent's moves.
func TestKnownFaultOpponentHalf(t *testing.T) { absent(t, "opponent half") }

// There was no way back after something illegal.
func TestKnownFaultNoWayBack(t *testing.T) { absent(t, "way back") }

// It took the state of its game for what stands on the board.
func TestKnownFaultGameStateForBoardState(t *testing.T) { absent(t, "game state for board state") }

// Rooks, bishops and queens from every square to every square of their lines: legal with nothing
// between and with a piece right behind the destination; blocked by a piece anywhere between.
func TestKnownFaultPathsEverywhere(t *testing.T) {
	// Two kings and a pawn, where they are in nobody's way.
	others := [][3]int{{0, 2, 15}, {7, 5, 8}, {56, 58, 15}, {63, 61, 8}, {24, 40, 15}, {31, 47, 8}, {27, 43, 8}, {10, 26, 15}, {45, 61, 9}}
	at := func(pieces map[int]byte, line []int) (p engine.Position, ok bool) {
		for _, k := range others {
			setup := engine.Setup{Fullmove: 1}
			put := func(letter byte, s int) { // upper case is White's
				side := engine.White
				if letter >= 'a' {
					side = engine.Black
				}
				setup.Put(engine.Piece(1+strings.IndexByte("PNBRQK", letter&^0x20)), side, engine.Square(s))
			}
			for s, letter := range pieces {
				put(letter, s)
			}
			free := true
			for i, s := range k {
				free = free && pieces[s] == 0 && !slices.Contains(line, s)
				put("KkP"[i], s)
			}
			if p, err := setup.Position(); err == nil && free && !p.InCheck() {
				return p, true
			}
		}
		return p, false
	}
	b := newBench(times)
	cases := 0
	ask := func(p engine.Position, from, to int, want string) {
		b.load(&p)
		b.levels.Remote = 1
		b.events = nil
		b.remote(engine.Move{From: engine.Square(from), To: engine.Square(to)}, false)
		if len(b.events) != 1 || b.events[0] != want {
			t.Errorf("%s: %v%v: %q, want %s", p.FEN(), engine.Square(from), engine.Square(to), b.events, want)
		}
		cases++
	}
	pieces := []byte("RBQ")
	turn := 0
	for from := range 64 {
		for _, way := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			straight := way[0] == 0 || way[1] == 0
			piece := pieces[turn%3]
			if turn++; piece == 'R' && !straight || piece == 'B' && straight {
				piece = 'Q'
			}
			rank, file := from/8, from%8
			var line []int
			for r, f := rank+way[0], file+way[1]; r >= 0 && r < 8 && f >= 0 && f < 8; r, f = r+way[0], f+way[1] {
				line = append(line, 8*r+f)
			}
			for i, to := range line {
				board := map[int]byte{from: piece}
				if i+1 < len(line) && line[i+1]/8 != 0 && line[i+1]/8 != 7 {
					board[line[i+1]] = 'p'
				}
				if p, ok := at(board, line); ok {
					ask(p, from, to, "accepted")
				}
				if i > 0 {
					if p, ok := at(map[int]byte{from: piece, line[(from+i)%i]: 'n'}, line); ok {
						ask(p, from, to, "answer blocked")
					}
				}
			}
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	if cases < 2000 {
		t.Fatalf("only %d cases", cases)
	}
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
		cycles := b.n
		if d.Simulator() == sim.Icarus {
			cycles = 10_000
		}
		playFirst(t, d, b, cycles, "paths")
	})
}
