package movegen_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// mutant is the RTL with one fault: a text that stands in one of its files exactly once is replaced.
type mutant struct {
	rule     string // what it breaks
	file     string
	old, new string
}

// design is the mutant's RTL. The files on disk stay as they are.
func (m mutant) design(t testing.TB) sim.Design {
	t.Helper()
	d := movegen.Design
	files := fstest.MapFS{}
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == m.file {
			if n := strings.Count(string(text), m.old); n != 1 {
				t.Fatalf("%q stands %d times in %s, not once: the mutant is out of date", m.old, n, name)
			}
			text = []byte(strings.Replace(string(text), m.old, m.new, 1))
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	d.FS = files
	return d
}

func compareMutant(t *testing.T, m mutant, fens []string) error {
	t.Helper()
	d := sim.OpenTest[movegen.In, movegen.Out](t, m.design(t), sim.Icarus)
	var in []movegen.In
	b := bench{r: seeded(300), busy: 0.3, afterward: 100}
	var requests []request
	for _, fen := range fens {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, request{p, true})
	}
	for i := range b.stimulus(requests) {
		in = append(in, i)
	}
	return movegen.Compare(d, in)
}
