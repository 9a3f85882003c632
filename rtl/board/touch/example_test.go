package touch_test

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board/touch"
)

// A capture can begin with either piece.
func Example() {
	for _, actions := range touch.Orders(engine.Move{From: 28, To: 35, Captured: engine.Pawn}) {
		fmt.Println(actions)
	}
	// Output:
	// [lift e4 lift d5 place d5]
	// [lift d5 lift e4 place d5]
}
