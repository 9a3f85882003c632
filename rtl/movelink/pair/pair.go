// Package pair is the host's side of the published board's link: moves as pairs of bytes from the
// board ([Decoder]), and as values of seven parallel lines to it ([Move.Lines]). What the bits are
// is in README.md of rtl/movelink.
//
// The bytes carry no check. A byte that is lost, or that changes on its way, can make a move of two
// others' halves: whoever takes moves from a [Decoder] must refuse those that are not legal.
package pair

// Move is from where to where a piece goes: squares, a1 = 0, b1 = 1, h8 = 63. Castling is the
// king's move; the piece that a pawn becomes is not part of the protocol.
type Move struct{ From, To uint8 }

// The upper two bits of a byte say which half of a move it is.
const (
	fromTag = 0x40
	toTag   = 0x80
	tagMask = 0xc0
	square  = 0x3f
)

// Append appends the two bytes of a move as the board sends them.
func (m Move) Append(dst []byte) []byte {
	return append(dst, fromTag|m.From&square, toTag|m.To&square)
}

// Lines are the two values of the lines that give a move to the board, line 0 in bit 0. The first
// one is to be held for the board's HoldCycles at least, the second until the next move.
func (m Move) Lines() [2]uint8 {
	return [2]uint8{m.From & square << 1, m.To&square<<1 | 1}
}

// Decoder makes moves of bytes. Its zero value is ready.
type Decoder struct {
	from  uint8
	begun bool
}

// Byte takes the next byte. ok tells that it completes a move. A byte that is neither half ends the
// move begun, a second origin replaces the first, and a destination without an origin is dropped.
func (d *Decoder) Byte(b byte) (m Move, ok bool) {
	switch b & tagMask {
	case fromTag:
		d.from, d.begun = b&square, true
		return Move{}, false
	case toTag:
		m, ok = Move{d.from, b & square}, d.begun
	}
	d.begun = false
	if !ok {
		return Move{}, false
	}
	return m, true
}
