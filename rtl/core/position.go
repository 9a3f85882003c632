package core

import (
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

// Busy reports whether the bus has to wait in this cycle.
func (w *Position) Busy() bool { return w.loading > 0 }

// Step ends a cycle, and reports whether the position is handed over in the next one.
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
	return w.setup().Position()
}

// setup returns what was written, whether or not it is a position.
func (w *Position) setup() engine.Setup {
	s := engine.Setup{
		Castling:  uint8(w.position & 15),
		EnPassant: uint64(regmap.CorePositionEnPassant.Of(w.position)) << 40,
		Halfmove:  int(regmap.CoreClocksHalfmove.Of(w.clocks)),
		Fullmove:  int(max(1, regmap.CoreClocksFullmove.Of(w.clocks))),
	}
	if regmap.CorePositionBlack.Is(w.position) {
		s.SideToMove, s.EnPassant = engine.Black, s.EnPassant>>24
	}
	for rank, word := range w.board {
		for file := range 8 {
			if code := word >> (4 * file) & 15; code&7 != 0 {
				s.Put(engine.Piece(code&7), engine.Color(code>>3), engine.Square(8*rank+file))
			}
		}
	}
	return s
}
