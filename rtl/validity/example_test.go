package validity_test

import (
	"fmt"

	"github.com/cosimate/cosimate/rtl/validity"
)

// A person sets up the pieces and plays e2-e4; each change of the board is scanned a few times.
func ExampleModel() {
	m := validity.NewModel(validity.DefaultTimes)
	squares := uint64(0xffff_0000_0000_ffff)
	const e2, e4 = 1 << 12, 1 << 28
	for _, change := range []uint64{0, e2, e4} {
		squares ^= change
		for range 10 {
			out := m.Step(validity.In{ScanValid: true, Occupied: squares})
			for range 1000 { // clocks from scan to scan: fewer than in fact
				if out.MoveValid {
					fmt.Println("move", out.Move())
				}
				out = m.Step(validity.In{})
			}
		}
		out := m.Step(validity.In{})
		fmt.Println(out.State)
	}
	out := m.Step(validity.In{})
	fmt.Println(out.FEN())
	// Output:
	// turn
	// moving
	// move e2e4
	// turn
	// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
}
