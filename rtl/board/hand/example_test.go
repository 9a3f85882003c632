package hand_test

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board/hand"
)

// A capture can begin with either piece.
func Example() {
	for _, touches := range hand.Orders(engine.Move{From: 28, To: 35, Captured: engine.Pawn}) {
		fmt.Println(touches)
	}
	// Output:
	// [lift e4 lift d5 place d5]
	// [lift d5 lift e4 place d5]
}
