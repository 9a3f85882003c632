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

	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/rtl/zedboard"
	"github.com/cosimate/cosimate/vectors"
)

// All are all of them.
var All = sync.OnceValue(func() *vectors.Registry {
	r := []vectors.AnyBlock{debounce.Block, scanner.Block, leds.Block, clock.Block, uart.Block, movelink.Block,
		game.Block, movegen.Block, burst.Block, perftengine.Block, validity.Block,
		axil.Block, axi3.Block, core.Block, perftcore.Block, zedboard.Block, link.Block}
	sensingBoard(&r)
	return vectors.NewRegistry(r...)
})

// Names of values.
var (
	square = block.Square
	sides  = block.Sides
)

// named gives many ports the same names.
func named(m []vectors.PortNames, n vectors.Names, ports ...string) []vectors.PortNames {
	return append(m, n.At(ports...))
}
