package cover_test

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/cover"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// In a test, t is its *testing.T, and the counts are written into the folder of -sim.cover.
func Example() {
	type Beat struct {
		Write bool
		Size  uint8
	}
	var t cover.T = &recorder{}
	g := cover.NewGroup[Beat](t, "beats")
	write := cover.Bool(g, "write", func(b Beat) bool { return b.Write })
	write.Transition("true", "false") // a read right after a write
	size := cover.Point(g, "size", func(b Beat) uint8 { return b.Size })
	size.Bin("one", 1)
	size.Bin("burst").Range(2, 16)
	size.Illegal("too long").Range(17, 255)
	g.Cross("write x size", write, size)

	for _, b := range []Beat{{true, 1}, {true, 8}, {false, 1}} {
		g.Sample(b)
	}
	d := g.Data()
	for _, b := range d.SortedBins() {
		if b.Kind == coverdb.Goal && !d.Bins[b].Covered() {
			fmt.Println("not hit:", b.Item, b.Name)
		}
	}
	// Output:
	// not hit: write x size <false,burst>
}
