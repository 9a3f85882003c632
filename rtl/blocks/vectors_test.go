package blocks_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

var deep = flag.Bool("vectors.deep", false, "all vectors of the whole board in Icarus, not one in eight")

// TestVectors runs all vectors of the blocks. Icarus plays only some 3000 cycles of the whole
// board a second, so it plays one in eight of the board's vectors, drawn by the seed, or all of
// them if asked for. Verilator plays all.
func TestVectors(t *testing.T) {
	files, err := vectors.Files("..")
	if err != nil {
		t.Fatal(err)
	}
	var both, fast []string
	for i, file := range files {
		if !*deep && strings.HasPrefix(file, "../board/") && i%8 != int(sim.Seed()%8) {
			fast = append(fast, file)
		} else {
			both = append(both, file)
		}
	}
	blocks.All().Test(t, vectors.Options{}, both...)
	if len(fast) > 0 {
		blocks.All().Test(t, vectors.Options{Simulators: []sim.Simulator{sim.Verilator}}, fast...)
	}
}
