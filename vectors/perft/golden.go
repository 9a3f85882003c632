// Package perft has the golden positions: chess positions with published counts of their move
// trees.
//
//	for _, e := range perft.Suites() {
//		fmt.Println(e.FEN, e.Counts[0].Nodes)
//	}
//
// README.md says where they are from.
package perft

import (
	"embed"

	"github.com/cosimate/cosimate/engine"
)

//go:embed *.epd
var files embed.FS

// Suites returns the positions of both files with their counts: perft-known.epd first, then
// perft-random.epd.
func Suites() []engine.EPD { return append(suite("perft-known.epd"), Random()...) }

// Random returns the positions of perft-random.epd with their counts.
func Random() []engine.EPD { return suite("perft-random.epd") }

func suite(name string) []engine.EPD {
	f, err := files.Open(name)
	if err != nil {
		panic(err) // cannot be: the files are embedded
	}
	all, err := engine.ReadEPD(f, name)
	if err != nil {
		panic(err) // a mistake in the file, which every test of this package finds
	}
	return all
}

// Positions returns the positions of [Suites].
func Positions() (all []engine.Position) {
	for _, e := range Suites() {
		all = append(all, e.Position)
	}
	return all
}
