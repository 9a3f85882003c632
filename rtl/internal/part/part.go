// Package part has what tests of modules of the chess blocks share. Such a test has a module by
// itself, with words of squares that no position gives.
package part

import (
	"math/rand/v2"

	"github.com/cosimate/cosimate/sim"
)

// Of returns a module of a design by itself. Its sources are named as in d.Files; reset is the port
// that resets it, "" if there is none.
func Of(d sim.Design, top, reset string, params map[string]string, files ...string) sim.Design {
	d.Top, d.Reset, d.Params, d.Files = top, reset, params, files
	return d
}

// Fewer returns how many cycles a simulator does of those that Verilator does.
func Fewer(s sim.Simulator, cycles int) int {
	if s == sim.Icarus {
		return cycles / 20
	}
	return cycles
}

// Has reports whether a word of squares has one: a1 is 0, h8 is 63.
func Has(word uint64, square int) bool { return word>>square&1 != 0 }

// Word returns a word with few of all squares, or many, or hardly any.
func Word(r *rand.Rand) (w uint64) {
	share := []float64{0.02, 0.1, 0.5, 0.9}[r.IntN(4)]
	for i := range 64 {
		if r.Float64() < share {
			w |= 1 << i
		}
	}
	return w
}

// Direction is a way of travel, as files and ranks of a step.
type Direction struct{ X, Y int }

// Directions are the eight ways, each beside its opposite.
var Directions = [8]Direction{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}

// Diagonal reports whether it is a bishop's.
func (d Direction) Diagonal() bool { return d.X != 0 && d.Y != 0 }

// Step returns the square n steps further; ok reports whether that is on the board.
func (d Direction) Step(square, n int) (to int, ok bool) {
	x, y := square%8+n*d.X, square/8+n*d.Y
	return y*8 + x, x >= 0 && x < 8 && y >= 0 && y < 8
}
