// Package matrix models what is beyond the pins of the sensing chess board, for testbenches: 64
// hall sensors under the pieces, and 64 LEDs that a player looks at. Both hang on the same six
// select lines. Square n is 8*rank + file, a1 = 0.
//
// A testbench lifts and places pieces on [Sensors], which answer on the sensor line with power-up
// times, bounces, glitches and defects drawn from a seed. It gives the LEDs of each cycle to an
// [Observer], which finds the squares that a person would see lit, and those that blink together.
//
//	sensors := matrix.NewSensors(matrix.Real, sim.Seed())
//	sensors.Place(12)
//	for { // a cycle
//		in.SenseN = sensors.Step(out.Select)
//		observer.Observe(out.Select, out.Led)
//	}
package matrix

import (
	"fmt"
	"math/bits"
	"strings"
)

// Board returns a drawing of a set of squares as a chess board, rank 8 on top.
func Board(squares uint64) string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, "%d", rank+1)
		for file := range 8 {
			if squares>>(8*rank+file)&1 != 0 {
				b.WriteString(" x")
			} else {
				b.WriteString(" .")
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + "  a b c d e f g h\n"
}

// Squares returns the names of a set of squares, such as "a1 e4", or "none" of the empty set.
func Squares(set uint64) string {
	if set == 0 {
		return "none"
	}
	var names []string
	for ; set != 0; set &= set - 1 {
		n := bits.TrailingZeros64(set)
		names = append(names, fmt.Sprintf("%c%d", 'a'+n%8, 1+n/8))
	}
	return strings.Join(names, " ")
}
