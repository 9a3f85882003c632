// Package published has the figures of the hardware move generator with which this project's is
// compared. It is a thesis project on the same board (Zedboard, xc7z020clg484-1), of which there is
// a report. [Positions] has the report's figures. [Generate] is a model of the generator's timing,
// for any position:
//
//	start := engine.StartPosition()
//	fmt.Println(published.Generate(&start).Cycles) // 26
//
// The package has nothing of the design itself.
//
// # The generator
//
// Six units, one for each kind of piece, work at the same time. Each takes the pieces of its kind
// one by one: it isolates a piece, looks up its destinations, and writes one of them in each cycle
// to its own memory. Moves are pseudo-legal: software discards those that leave the king in check.
//
// # The model
//
// A unit needs 2 cycles for each piece, or 1 for a pawn, and one cycle for each destination. The
// generator is done 2 cycles after its slowest unit:
//
//	cycles = 2 + max over units (sum over pieces (2, of pawns 1, + destinations))
//
// Two of the four published times are those of known positions, and determine the model. In both
// positions the queens are slowest: nine queens with 177 destinations take 197 cycles, and one with
// 11 destinations takes 15. So a queen takes 2 cycles besides its destinations, and the overhead is
// 2 cycles. The second position also has six pawns with 5 destinations. They would take 19 cycles
// at 2 cycles a pawn, so that a pawn takes 1 cycle at most. That agrees with the report:
// destinations are read from a table, which takes a cycle, but those of pawns are computed by
// shifts. The model gives both times exactly.
//
// What the two positions do not determine is chosen in favour of the published design, or has no
// effect on its times. A promotion takes one cycle and not four: the pawns' memory has 32 places,
// too few for four. Castling is a destination of the king, which is never the slowest piece.
//
// Of positions 3 and 4 only the times were published, and of position 3 that White has 54 moves and
// every kind of piece. The positions here were chosen from games so that the number of moves and
// the model's cycles are the published ones: see [Position].
package published

import (
	"fmt"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// The size and speed of the published design on the part, after place and route.
const (
	Part      = "xc7z020clg484-1"
	Cycle     = 12 * time.Nanosecond // the period of its clock, 83.3 MHz
	LUTs      = 14241
	FlipFlops = 3962
)

// Places returns how many moves the published FIFO of a kind of piece holds: table 4.3.
func Places(kind engine.Piece) int {
	return [...]int{engine.Pawn: 32, engine.Knight: 128, engine.Bishop: 128, engine.Rook: 256, engine.Queen: 256, engine.King: 8}[kind]
}

// The numbers of cycles in the model.
const (
	lookupCycles   = 2 // a piece other than a pawn
	pawnCycles     = 1 // a pawn
	overheadCycles = 2 // start and end of a position
)

// Position is one of the four positions of the report, with its figures.
type Position struct {
	Name string
	FEN  string
	// Source says where the position is from, and for a stand-in why it was chosen.
	Source string
	// StandIn says that the report's position was not published, and this one was chosen instead.
	StandIn bool

	Moves      int           // number of pseudo-legal moves
	Cycles     int           // cycles to generate them
	Generation time.Duration // the time to generate them
	Transfer   time.Duration // the time to generate and transfer them, two AXI4-Lite reads a move
	// Software is the time of the chess program Faile 1.4.4 on the same board's processor.
	Software time.Duration

	// The times of the program's search to depth 6, with the hardware and without.
	Search, SoftwareSearch time.Duration
}

// Parse returns the position as one of package engine.
func (p *Position) Parse() (engine.Position, error) {
	q, err := engine.ParseFEN(p.FEN)
	if err != nil {
		return q, fmt.Errorf("published position %q: %w", p.Name, err)
	}
	return q, nil
}

// Positions returns the four positions of the report, in its order.
//
// The number of moves of position 4 was not published either. In the other three the transfer of a
// move takes 0.37 to 0.39 us, so that the 16.0 us of position 4 are 35 moves.
func Positions() []Position {
	us := func(n float64) time.Duration { return time.Duration(n*1000) * time.Nanosecond }
	return []Position{
		{
			Name:   "Petrovic",
			FEN:    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
			Source: "composed by N. Petrovic, 1964: no reachable position is known to have more moves",
			Moves:  218, Cycles: 197, Generation: us(2.36), Transfer: us(85.7), Software: us(27.5),
			Search: 1484 * time.Millisecond, SoftwareSearch: 681 * time.Millisecond,
		},
		{
			Name:   "Deep Blue - Kasparov",
			FEN:    "2rr2k1/1p3p1p/1pn1pq2/1N1P1p2/8/P3Q2P/1P3PP1/2RR2K1 b - - 0 23",
			Source: "Deep Blue - Kasparov, Philadelphia 1996, game 1, after 23.d5",
			Moves:  34, Cycles: 15, Generation: us(0.180), Transfer: us(15.9), Software: us(7.96),
			Search: 1536 * time.Millisecond, SoftwareSearch: 726 * time.Millisecond,
		},
		{
			Name: "middle game",
			FEN:  "r1bqkb1r/p2pn1pp/1pn2p2/2pQ4/P3P3/2N2N2/1PP2PPP/R1B1KB1R w KQkq - 1 10",
			Source: "a game of package search against itself, for the author's middle game: 54 moves for white, " +
				"all of them legal, by every kind of piece, 22 cycles in the model; material is even",
			StandIn: true,
			Moves:   54, Cycles: 22, Generation: us(0.264), Transfer: us(23.7), Software: us(11.5),
			Search: 3595 * time.Millisecond, SoftwareSearch: 2375 * time.Millisecond,
		},
		{
			Name: "endgame",
			FEN:  "4r3/pkp4p/1p1b4/8/8/8/P1PR1BPP/5K2 b - - 0 33",
			Source: "lichess.org/4Aqg4xj2 after 33.Rxd2, for the author's endgame: 35 moves, all of " +
				"them legal, 18 cycles in the model; rook, bishop and four pawns a side",
			StandIn: true,
			Moves:   35, Cycles: 18, Generation: us(0.216), Transfer: us(16.2), Software: us(6.29),
			Search: 299 * time.Millisecond, SoftwareSearch: 158 * time.Millisecond,
		},
	}
}

// Timing is the model's timing for a position.
type Timing struct {
	Units  [6]Unit // pawns, knights, bishops, rooks, queens, king
	Moves  int     // number of pseudo-legal moves; a promotion counts once
	Cycles int
}

// Unit is the timing of one of the six units.
type Unit struct {
	Piece         engine.Piece
	Pieces, Moves int
	Cycles        int // without the overhead
}

// Generate returns the model's timing for a position.
func Generate(p *engine.Position) Timing {
	t := Timing{Cycles: overheadCycles}
	for i := range t.Units {
		u := &t.Units[i]
		u.Piece = engine.Pawn + engine.Piece(i)
		lookup := lookupCycles
		if u.Piece == engine.Pawn {
			lookup = pawnCycles
		}
		for from := range engine.Square(64) {
			if k, side := p.PieceAt(from); k == u.Piece && side == p.SideToMove() {
				n := len(destinations(p, from))
				u.Pieces++
				u.Moves += n
				u.Cycles += lookup + n
			}
		}
		t.Moves += u.Moves
		t.Cycles = max(t.Cycles, overheadCycles+u.Cycles)
	}
	return t
}
