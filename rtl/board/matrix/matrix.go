// Package matrix is the sensing chess board as physics: what lies between the FPGA's pins and a
// person's hand and eye, for testbenches. 64 hall sensors and 64 LEDs hang on the same six select
// lines; square n is 8*rank + file, a1 = 0.
//
// [Sensors] is what a hand changes: it lifts and places pieces, and the sensor line answers, with
// power-up times, bounces, glitches and defects drawn from a seed. [Eye] is what a person sees: it
// is shown the LEDs in each cycle and tells which squares are lit, and which blink together.
//
//	board := matrix.NewSensors(matrix.Real, sim.Seed())
//	board.Place(12)
//	for { // a cycle
//		in.SenseN = board.Step(out.Select)
//		eye.See(out.Select, out.Led)
//	}
package matrix

import (
	"fmt"
	"math/bits"
	"strings"
)

// Board draws a set of squares as a chess board, rank 8 on top.
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

// Squares names a set of squares, "a1 e4"; the empty one is "none".
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
