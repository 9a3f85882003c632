package blocks

import (
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/vectors"
)

// kinds are the arguments of all statements.
var kinds = []vectors.Kind{
	block.ArgSquare, block.ArgSquares, block.ArgPiece, block.ArgMove, block.ArgFEN, block.ArgSide, block.ArgByte, block.ArgN, block.ArgCycles, block.ArgDepth,
	clock.ArgControl, clock.ArgTime, clock.ArgSeconds,
	vectors.Number("SEQ", "a number of a message, 0 to 7", 0, 7),
	vectors.OneOf("ORDER", "an order of a list", "plain", "captures-first", "mvv/lva", "mvv/mva"),
	vectors.OneOf("FILTER", "which moves a list has", "all-moves", "captures-and-promotions", "checks"),
	vectors.OneOf("ERROR", "why a command is refused", vectors.NamesOf[game.Error]().List...),
	but(vectors.OneOf("RESULT", "how a game ends", vectors.NamesOf[validity.Result]().List...)),
	but(vectors.OneOf("CAUSE", "what ends a game", vectors.NamesOf[validity.Cause]().List...)),
	vectors.OneOf("SIDES", "white, black, both or none", "none", "white", "black", "both"), // as bits: White is bit 0
	vectors.OneOf("REASON", "why an action is refused", vectors.NamesOf[validity.Reason]().List...),
}

func but(k vectors.Kind) vectors.Kind {
	k.Names = k.Names[1:]
	return k
}
