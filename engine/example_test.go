package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

func Example() {
	p := engine.StartPosition()
	for _, uci := range []string{"e2e4", "c7c5", "g1f3"} {
		moves := p.AppendMoves(nil)
		i := slices.IndexFunc(moves, func(m engine.Move) bool { return m.String() == uci })
		p = p.Make(moves[i])
	}
	fmt.Print(p.Board())
	fmt.Println(p.FEN())
	fmt.Println(p.Count(), "moves for", p.SideToMove())
	// Output:
	// 8 r n b q k b n r
	// 7 p p . p p p p p
	// 6 . . . . . . . .
	// 5 . . p . . . . .
	// 4 . . . . P . . .
	// 3 . . . . . N . .
	// 2 P P P P . P P P
	// 1 R N B Q K B . R
	//   a b c d e f g h
	// rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
	// 22 moves for black
}

func ExampleParseFEN() {
	_, err := engine.ParseFEN("r3k3/8/8/8/8/8/8/4K2R w Kk - 0 1")
	fmt.Println(err)
	// Output: FEN castling rights, byte 25: 'k' needs a black rook on h8; drop the right or put the rook there
}

func ExamplePerft() {
	p := engine.StartPosition()
	for depth := range 6 {
		fmt.Println(depth, engine.Perft(&p, depth))
	}
	// Output:
	// 0 1
	// 1 20
	// 2 400
	// 3 8902
	// 4 197281
	// 5 4865609
}

func ExampleDivide() {
	p, err := engine.ParseFEN("7k/5P2/8/8/8/8/8/K7 w - - 0 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	counts, err := engine.Divide(context.Background(), &p, 4, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	var nodes uint64
	for _, c := range counts {
		fmt.Printf("%s: %d\n", c.Move, c.Nodes)
		nodes += c.Nodes
	}
	fmt.Printf("\nNodes searched: %d\n", nodes)
	// Output:
	// a1a2: 86
	// a1b1: 86
	// a1b2: 119
	// f7f8b: 79
	// f7f8n: 69
	// f7f8q: 72
	// f7f8r: 141
	//
	// Nodes searched: 652
}

func ExampleReadEPD() {
	suite := `# the start, too high by one at depth 3
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8903
`
	entries, err := engine.ReadEPD(strings.NewReader(suite), "suite.epd")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range entries {
		for _, c := range e.Counts {
			if n := engine.Perft(&e.Position, c.Depth); n != c.Nodes {
				fmt.Printf("line %d, depth %d: %d, not %d\n", e.Line, c.Depth, n, c.Nodes)
			}
		}
	}
	// Output: line 2, depth 3: 8902, not 8903
}
