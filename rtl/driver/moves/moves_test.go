package moves

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/driver"
)

// forgetful is a source that lists in order but leaves out moves that capture.
type forgetful struct{ search.Generator }

func (f *forgetful) List(dst []engine.Move, o search.Order, filter search.Filter) ([]engine.Move, error) {
	f.Ordered = true
	list, err := f.Generator.List(nil, o, filter)
	for _, m := range list {
		if m.Captured == engine.NoPiece {
			dst = append(dst, m)
		}
	}
	return dst, err
}

// A search whose source of moves leaves one out ends with an error that says where. What a core
// does is tested where there is one: in package simcore.
func TestChecked(t *testing.T) {
	e, err := search.New(search.Options{Order: search.CapturesFirst, Source: func() (search.Moves, error) {
		return &Checked{Moves: &forgetful{}, Scheme: FIFO}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Search(t.Context(), search.Game{Start: engine.StartPosition()}, search.Limits{Depth: 4}, nil)
	var d *Difference
	if !errors.As(err, &d) || !errors.Is(err, driver.ErrMismatch) {
		t.Fatalf("%v", err)
	}
	text := err.Error()
	for _, want := range []string{"of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, at the node ", "order captures first, scheme FIFO", " is missing"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	// The node is where the move is missing.
	p := d.Root
	for _, m := range d.Path {
		p = p.Make(m)
	}
	if p != d.Position || len(d.Path) == 0 {
		t.Errorf("the path %v leads to %s", d.Path, p.FEN())
	}
}

// It can be built for the board, without the simulators.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if name == "runtime/cgo" || strings.Contains(name, "cosimate/sim") || strings.Contains(name, "cosimate/bridge") {
			t.Errorf("it depends on %s", name)
		}
	}
}
