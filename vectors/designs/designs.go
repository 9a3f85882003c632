// Package designs is what the vectors of this module can be for: the blocks of rtl/, with names for
// the values of their ports and statements for scripts.
//
//	results := designs.All().Run(ctx, files, vectors.Options{})
//
// A new block is one call of vectors.Add, and a run of `go test ./vectors/designs -update`, which
// notes its ports.
package designs

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// All are all of them.
var All = sync.OnceValue(func() *vectors.Registry {
	r := &vectors.Registry{}
	board(r)
	sensingBoard(r)
	chess(r)
	bus(r)
	zed(r)
	return r
})

// ports.txt has the ports of all designs with the parameters' defaults, so that vectors can be
// checked without a simulator: a line "design direction [msb:0] name" each.
//
//go:embed ports.txt
var portList string

// ports are those of a design.
func ports(design string) (list []sim.Port) {
	for line := range strings.Lines(portList) {
		f := strings.Fields(line)
		if f[0] != design {
			continue
		}
		p := sim.Port{Name: f[len(f)-1], Width: 1}
		if len(f) == 4 {
			msb, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(f[2], "["), ":0]"))
			if err != nil {
				panic(fmt.Sprintf("ports.txt: %s", line)) // a test writes and reads it
			}
			p.Width = msb + 1
		}
		list = append(list, p)
	}
	return list
}

// squares are a1 = 0 to h8 = 63.
func squares() (list []string) {
	for i := range 64 {
		list = append(list, fmt.Sprintf("%c%d", 'a'+i%8, 1+i/8))
	}
	return list
}

// Names of values.
var (
	square = vectors.Names{List: squares()}            // of 6 bits
	set    = vectors.Names{List: squares(), Set: true} // of 64: one a square
	piece  = vectors.Names{List: []string{"none", "pawn", "knight", "bishop", "rook", "queen", "king"}}
	files  = vectors.Names{List: strings.Split("a b c d e f g h", " "), Set: true}
	sides  = vectors.Names{List: []string{"white", "black"}, Set: true}
	wings  = vectors.Names{List: []string{"king-side", "queen-side"}, Set: true}
	rights = vectors.Names{List: []string{"K", "Q", "k", "q"}, Set: true} // White's and Black's
	view   = vectors.Names{List: []string{"own-king-side", "own-queen-side", "their-king-side", "their-queen-side"}, Set: true}
	side   = vectors.Names{List: []string{"white", "black"}}
)

// named gives many ports the same names.
func named(m map[string]vectors.Names, n vectors.Names, ports ...string) map[string]vectors.Names {
	if m == nil {
		m = map[string]vectors.Names{}
	}
	for _, p := range ports {
		m[p] = n
	}
	return m
}
