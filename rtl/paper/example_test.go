package paper_test

import (
	"context"
	"fmt"

	"github.com/cosimate/cosimate/rtl/paper"
	"github.com/cosimate/cosimate/sim"
)

func Example() {
	figures, err := paper.Measure(context.Background(), sim.Verilator, paper.Options{Depth: 4, SearchDepth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range figures.Positions {
		fmt.Printf("%s: %d cycles published, %d in an ordered list, a burst is faster: %v\n",
			p.Published.Name, p.Published.Cycles, p.List, p.Burst < p.Published.Cycles)
	}
	kiwi := figures.Perft[1]
	fmt.Printf("perft %d: %.2f cycles for each position that is counted\n", kiwi.Depth, float64(kiwi.Cycles)/float64(kiwi.Counted))
	// Output:
	// Petrovic: 197 cycles published, 226 in an ordered list, a burst is faster: true
	// Deep Blue - Kasparov: 15 cycles published, 42 in an ordered list, a burst is faster: true
	// middle game: 22 cycles published, 62 in an ordered list, a burst is faster: true
	// endgame: 18 cycles published, 43 in an ordered list, a burst is faster: true
	// perft 4: 1.04 cycles for each position that is counted
}
