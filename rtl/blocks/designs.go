// Package designs is what the vectors of this module can be for: the blocks of rtl/, with names for
// the values of their ports and statements for scripts.
//
//	results := blocks.All().Run(ctx, files, vectors.Options{})
//
// A new block is one call of vectors.Add, and a run of `go test ./vectors/designs -update`, which
// notes its ports.
package blocks

import (
	"sync"

	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/vectors"
)

// All are all of them.
var All = sync.OnceValue(func() *vectors.Registry {
	r := []vectors.AnyBlock{debounce.Block, scanner.Block, leds.Block, clock.Block, uart.Block, movelink.Block}
	sensingBoard(&r)
	chess(&r)
	bus(&r)
	zed(&r)
	return vectors.NewRegistry(r...)
})

// Names of values.
var (
	square = block.Square
	set    = block.Squares
	piece  = block.Piece
	files  = block.Files
	sides  = block.Sides
	wings  = block.Castling
	rights = block.Rights
	view   = block.OwnRights
	side   = block.Side
)

// named gives many ports the same names.
func named(m []vectors.PortNames, n vectors.Names, ports ...string) []vectors.PortNames {
	return append(m, n.At(ports...))
}
