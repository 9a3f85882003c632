// Package blocks has the list of the blocks in rtl, for which there can be test vectors.
//
//	results := blocks.All().Run(ctx, files, vectors.Options{})
//
// A block describes itself in its own folder, in a variable Block. To add one, see
// docs/guide/add-a-block.md.
package blocks

import (
	"sync"

	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/game"
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

// All returns the registry of all blocks.
var All = sync.OnceValue(func() *vectors.Registry {
	return vectors.NewRegistry(
		axi3.Block,
		axil.Block,
		board.Block,
		burst.Block,
		clock.Block,
		core.Block,
		debounce.Block,
		game.Block,
		leds.Block,
		link.Block,
		movegen.Block,
		movelink.Block,
		perftcore.Block,
		perftengine.Block,
		scanner.Block,
		uart.Block,
		validity.Block,
		zedboard.Block,
	)
})
