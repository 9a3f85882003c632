package core

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// Position is the reference for core_position and the registers around it: what was written to be
// loaded, and how far loading has come. The zero Position is that after power-up: an empty board.
type Position struct {
	board            [8]uint32
	position, clocks uint32
	loading          int // cycles to go
}

// loadCycles is how long loading keeps the bus waiting: eight ranks, and the command to who takes
// them.
const loadCycles = 9

// Reset ends loading; what was written stays.
func (w *Position) Reset() { w.loading = 0 }

// Start begins loading, at the end of a cycle.
func (w *Position) Start() { w.loading = loadCycles }

// Busy tells whether the bus has to wait in this cycle.
func (w *Position) Busy() bool { return w.loading > 0 }

// Step ends a cycle, and tells whether the position is handed over in the next one.
func (w *Position) Step() bool {
	if w.loading == 0 {
		return false
	}
	w.loading--
	return w.loading == 1
}

// Write takes what is written to a register, at the end of a cycle, if it is one for a position.
func (w *Position) Write(address, data uint32) {
	switch {
	case address == regmap.CorePosition:
		w.position = data & 0xffff
	case address == regmap.CoreClocks:
		w.clocks = data
	case address >= regmap.CoreBoard && address < regmap.CoreBoard+4*8:
		w.board[(address-regmap.CoreBoard)/4] = data
	}
}

// Position returns the position that was written, or why it is none. An empty board is the zero
// engine.Position.
func (w *Position) Position() (engine.Position, error) {
	if *w == (Position{loading: w.loading}) {
		return engine.Position{}, nil
	}
	return engine.ParseFEN(w.fen())
}

// fen is what was written as a FEN record, whether or not it is a position.
func (w *Position) fen() string {
	var b strings.Builder
	for n := 7; n >= 0; n-- {
		empty := 0
		for file := range 8 {
			square := w.board[n] >> (4 * file) & 15
			if square&7 == 0 {
				empty++
				continue
			}
			if empty > 0 {
				fmt.Fprint(&b, empty)
			}
			empty = 0
			b.WriteByte(" PNBRQK??pnbrqk?"[square])
		}
		if empty > 0 {
			fmt.Fprint(&b, empty)
		}
		if n > 0 {
			b.WriteByte('/')
		}
	}
	side, target := "w", byte('6')
	if regmap.CorePositionBlack.Is(w.position) {
		side, target = "b", '3'
	}
	rights := ""
	for i, letter := range "KQkq" {
		if w.position>>i&1 != 0 {
			rights += string(letter)
		}
	}
	if rights == "" {
		rights = "-"
	}
	ep := "-"
	if files := regmap.CorePositionEnPassant.Of(w.position); files != 0 {
		ep = string([]byte{'a' + byte(bits.TrailingZeros32(files)), target})
	}
	return fmt.Sprintf("%s %s %s %s %d %d", b.String(), side, rights, ep,
		regmap.CoreClocksHalfmove.Of(w.clocks), max(1, regmap.CoreClocksFullmove.Of(w.clocks)))
}
