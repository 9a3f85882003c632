package published

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/vectors/perft"
)

// The model gives the published cycles of every position, and each position has the published
// number of moves. In the stand-ins all pseudo-legal moves are legal, so that it does not matter
// which of them the report counts.
func TestPositions(t *testing.T) {
	for _, p := range Positions() {
		q, err := p.Parse()
		if err != nil {
			t.Fatal(err)
		}
		got := Generate(&q)
		if got.Cycles != p.Cycles || got.Moves != p.Moves {
			t.Errorf("%s: the model says %d cycles for %d moves, published are %d for %d: %+v", p.Name, got.Cycles, got.Moves, p.Cycles, p.Moves, got.Units)
		}
		if n := q.Count(); p.StandIn && n != p.Moves {
			t.Errorf("%s: %d of %d moves are legal, want all", p.Name, n, p.Moves)
		}
		if want := time.Duration(p.Cycles) * Cycle; math.Abs(float64(p.Generation-want)) > 0.005*float64(want) {
			t.Errorf("%s: generated in %v, but %d cycles are %v", p.Name, p.Generation, p.Cycles, want)
		}
	}
}

// The two known positions determine the model. With other cycles for a piece or another overhead it
// gives other times, and pawns with the cycles of pieces would be slowest in the second position.
func TestPositionsDetermineTheModel(t *testing.T) {
	type unit struct{ pieces, moves int }
	queens := func(p Position) unit {
		q, err := p.Parse()
		if err != nil {
			t.Fatal(err)
		}
		u := Generate(&q).Units[engine.Queen-engine.Pawn]
		return unit{u.Pieces, u.Moves}
	}
	known := Positions()[:2]
	a, b := queens(known[0]), queens(known[1])
	if a != (unit{9, 177}) || b != (unit{1, 11}) {
		t.Fatalf("queens and their moves are %v and %v", a, b)
	}
	for lookup := range 20 {
		for overhead := range 20 {
			fits := a.moves+lookup*a.pieces+overhead == known[0].Cycles && b.moves+lookup*b.pieces+overhead == known[1].Cycles
			if want := lookup == lookupCycles && overhead == overheadCycles; fits != want {
				t.Errorf("%d cycles a queen and %d besides: fits is %v, want %v", lookup, overhead, fits, want)
			}
		}
	}
	q, _ := known[1].Parse()
	if u := Generate(&q).Units[0]; u.Moves+lookupCycles*u.Pieces+overheadCycles <= known[1].Cycles {
		t.Errorf("%d pawns with %d moves could cost as much as pieces", u.Pieces, u.Moves)
	}
}

// The number of moves of position 4 follows from its transfer time and the other positions'
// transfer times a move.
func TestMovesOfTheEndgame(t *testing.T) {
	ps := Positions()
	handover := func(p Position) float64 { return float64(p.Transfer - p.Generation) }
	for _, pair := range [][2]int{{1, 0}, {1, 2}} {
		a, b := ps[pair[0]], ps[pair[1]]
		each := (handover(b) - handover(a)) / float64(b.Moves-a.Moves)
		moves := float64(a.Moves) + (handover(ps[3])-handover(a))/each
		if math.Round(moves) != float64(ps[3].Moves) {
			t.Errorf("by the times of %s and %s, %.0f ns a move, position 4 has %.1f moves, not %d", a.Name, b.Name, each, moves, ps[3].Moves)
		}
	}
}

// Every legal move is among the destinations. Every other destination leaves the king in check, or
// is castling out of or through check.
func TestDestinations(t *testing.T) {
	for _, e := range perft.Suites() {
		p := e.Position
		legal := map[[2]engine.Square]bool{}
		for _, m := range p.AppendMoves(nil) {
			legal[[2]engine.Square{m.From, m.To}] = true
		}
		seen := 0
		for from := range engine.Square(64) {
			kind, side := p.PieceAt(from)
			if kind == engine.NoPiece || side != p.SideToMove() {
				continue
			}
			to := destinations(&p, from)
			for i, s := range to {
				if slices.Contains(to[:i], s) {
					t.Fatalf("%s: %v%v comes twice", e.FEN, from, s)
				}
				if legal[[2]engine.Square{from, s}] {
					seen++
					continue
				}
				captured, _ := p.PieceAt(s)
				m := engine.Move{From: from, To: s, Piece: kind, Captured: captured}
				switch target, ok := p.EnPassant(); {
				case kind == engine.King && (s == from+2 || s+2 == from):
					// The number of legal castlings is checked elsewhere, and the engine checks the
					// squares that the king passes.
					continue
				case kind == engine.Pawn && ok && s == target && from&7 != s&7:
					m.EnPassant, m.Captured = true, engine.Pawn
				case kind == engine.Pawn && (s < 8 || s >= 56):
					m.Promotion = engine.Queen
				}
				next := p.Make(m)
				if _, err := engine.ParseFEN(next.FEN()); err == nil {
					t.Fatalf("%s: %v%v is not legal, yet does not lose the king", e.FEN, from, s)
				}
			}
		}
		if seen != len(legal) {
			t.Fatalf("%s: of %d legal moves %d are among the destinations", e.FEN, len(legal), seen)
		}
	}
}

func Example() {
	for _, p := range Positions() {
		q, err := p.Parse()
		if err != nil {
			fmt.Println(err)
			return
		}
		t := Generate(&q)
		fmt.Printf("%-20s %3d moves in %3d cycles, %v; handed over after %v\n", p.Name, t.Moves, t.Cycles, p.Generation, p.Transfer)
	}
	// Output:
	// Petrovic             218 moves in 197 cycles, 2.36µs; handed over after 85.7µs
	// Deep Blue - Kasparov  34 moves in  15 cycles, 180ns; handed over after 15.9µs
	// middle game           54 moves in  22 cycles, 264ns; handed over after 23.7µs
	// endgame               35 moves in  18 cycles, 216ns; handed over after 16.2µs
}

func ExampleGenerate() {
	p := engine.StartPosition()
	t := Generate(&p)
	for _, u := range t.Units {
		fmt.Printf("%v: %d pieces, %d moves, %d cycles\n", u.Piece, u.Pieces, u.Moves, u.Cycles)
	}
	fmt.Println(t.Moves, "moves in", t.Cycles, "cycles")
	// Output:
	// pawn: 8 pieces, 16 moves, 24 cycles
	// knight: 2 pieces, 4 moves, 8 cycles
	// bishop: 2 pieces, 0 moves, 4 cycles
	// rook: 2 pieces, 0 moves, 4 cycles
	// queen: 1 pieces, 0 moves, 2 cycles
	// king: 1 pieces, 0 moves, 2 cycles
	// 20 moves in 26 cycles
}
