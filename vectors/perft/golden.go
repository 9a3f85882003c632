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
func Suites() (all []engine.EPD) {
	for _, name := range []string{"perft-known.epd", "perft-random.epd"} {
		f, err := files.Open(name)
		if err != nil {
			panic(err) // cannot be: the files are embedded
		}
		suite, err := engine.ReadEPD(f, name)
		if err != nil {
			panic(err) // a mistake in the file, which every test of this package finds
		}
		all = append(all, suite...)
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
