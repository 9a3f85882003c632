package driver

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// The published core's scheme on the same core, so that both can be compared: moves as 64-bit
// records in two reads each, made and taken back by words in 12x12 numbering, and the list begun by
// each command.

// Published turns the published scheme on: lists of a filter begin by themselves after each command
// from now on, and are read with [Core.PublishedMoves].
func (c *Core) Published(f Filter) error {
	return c.start(list(Plain, f) | uint32(regmap.CoreListAuto))
}

// PublishedMake makes a legal move by a word of the published table.
func (c *Core) PublishedMake(m engine.Move) error {
	next, err := c.next(m)
	if err != nil {
		return err
	}
	return c.push(next, regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandMake)|c.publishedWord(m))
}

// PublishedUnmake takes back the last move by a word of the published table.
func (c *Core) PublishedUnmake(m engine.Move) error {
	return c.pop(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandUnmake)|c.publishedWord(m))
}

// publishedWord is the published word of a move but for what is to be done with it. What the
// hardware does not look at is left out.
func (c *Core) publishedWord(m engine.Move) uint32 {
	number := func(s engine.Square) uint32 { return 12*(uint32(s)/8+2) + uint32(s)%8 + 2 }
	return regmap.CorePublishedCommandOrigin.Put(number(m.From)) | regmap.CorePublishedCommandDestination.Put(number(m.To)) |
		regmap.CorePublishedCommandPromotion.Put(uint32(m.Promotion))
}

// PublishedMoves returns the moves of a list that is under way, read as published records.
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

// unpackRecord is the move of a published record. What moves is not in it: it stands on the board.
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
