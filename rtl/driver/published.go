package driver

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// The published core's scheme on the same core, to compare the two. Moves are 64-bit records of two
// reads each. Words in 12x12 numbering make moves and take them back. Each command begins a list.

// Published turns the published scheme on: from now on each command begins a list of a filter,
// which [Core.PublishedMoves] reads.
func (c *Core) Published(f Filter) error {
	return c.start(list(Plain, f) | uint32(regmap.CoreListAuto))
}

// PublishedMake makes a legal move by a published command word.
func (c *Core) PublishedMake(m engine.Move) error {
	next, err := c.next(m)
	if err != nil {
		return err
	}
	return c.push(next, regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandMake)|c.publishedWord(m))
}

// PublishedUnmake takes back the last move by a published command word.
func (c *Core) PublishedUnmake(m engine.Move) error {
	return c.pop(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandUnmake)|c.publishedWord(m))
}

// publishedWord returns the published command word of a move, without the bits for make and unmake
// and the fields that the hardware ignores.
func (c *Core) publishedWord(m engine.Move) uint32 {
	number := func(s engine.Square) uint32 { return 12*(uint32(s)/8+2) + uint32(s)%8 + 2 }
	return regmap.CorePublishedCommandOrigin.Put(number(m.From)) | regmap.CorePublishedCommandDestination.Put(number(m.To)) |
		regmap.CorePublishedCommandPromotion.Put(uint32(m.Promotion))
}

// PublishedMoves reads the list under way as published records.
func (c *Core) PublishedMoves() ([]engine.Move, error) {
	moves := []engine.Move{}
	for {
		low, err := c.word(regmap.CorePublishedMoves)
		if err != nil {
			return moves, err
		}
		if _, err := c.bus.Read32(regmap.CorePublishedMoves); err != nil { // the high half
			return moves, err
		}
		if !regmap.CoreRecordNone.Is(low) {
			moves = append(moves, c.unpackRecord(low))
		}
		if regmap.CoreRecordLast.Is(low) {
			return moves, nil
		}
	}
}

// unpackRecord returns the move of a published record. The piece that moves is not in it, but on
// the board.
func (c *Core) unpackRecord(low uint32) engine.Move {
	m := engine.Move{
		From: engine.Square(regmap.CoreRecordFrom.Of(low)), To: engine.Square(regmap.CoreRecordTo.Of(low)),
		Captured: engine.Piece(regmap.CoreRecordCaptured.Of(low) & 7), Promotion: engine.Piece(regmap.CoreRecordPromotion.Of(low) & 7),
		Castling: regmap.CoreRecordCastling.Of(low) != regmap.CoreRecordCastlingNo, EnPassant: regmap.CoreRecordEnPassant.Is(low),
	}
	if p, err := c.Position(); err == nil {
		m.Piece, _ = p.PieceAt(m.From)
	}
	return m
}
