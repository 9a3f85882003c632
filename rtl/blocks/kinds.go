package blocks

import (
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/vectors"
)

// kinds are the arguments of all statements.
var kinds = []vectors.Kind{
	block.ArgSquare, block.ArgSquares, block.ArgPiece, block.ArgMove, block.ArgFEN, block.ArgSide, block.ArgByte, block.ArgN, block.ArgCycles, block.ArgDepth,
	clock.ArgControl, clock.ArgTime, clock.ArgSeconds,
	but(vectors.OneOf("RESULT", "how a game ends", vectors.NamesOf[rules.Result]().List...)),
	but(vectors.OneOf("CAUSE", "what ends a game", vectors.NamesOf[rules.Cause]().List...)),
	vectors.OneOf("SIDES", "white, black, both or none", "none", "white", "black", "both"), // as bits: White is bit 0
	validity.ArgReason,
}

func but(k vectors.Kind) vectors.Kind {
	k.Names = k.Names[1:]
	return k
}
