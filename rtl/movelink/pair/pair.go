// Package pair has the host's side of the published board's link. Moves from the board are pairs of
// bytes ([Decoder]), and moves to it are values of seven parallel lines ([Move.Lines]).
//
//	var d pair.Decoder
//	if m, ok := d.Byte(b); ok {
//		fmt.Println(m.From, m.To)
//	}
//
// README.md of rtl/movelink describes the bits. The bytes have no check. If a byte is lost or
// changed, halves of two moves can make a third one. So programs must refuse moves of a [Decoder]
// that are not legal.
package pair

// Move is a move from one square to another: a1 = 0, b1 = 1, h8 = 63. Castling is the king's move.
// The piece that a pawn becomes is not part of the protocol.
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

// Lines returns the two values of the lines that give the move to the board, with line 0 in bit 0.
// Hold the first for at least the board's HoldCycles, and the second until the next move.
func (m Move) Lines() [2]uint8 {
	return [2]uint8{m.From & square << 1, m.To&square<<1 | 1}
}

// Decoder decodes bytes to moves. Its zero value is ready to use.
type Decoder struct {
	from  uint8
	begun bool
}

// Byte takes the next byte, and reports whether it completes a move. A byte that is neither half
// ends a move that was begun. A second origin replaces the first, and a destination without an
// origin is dropped.
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
