// Package verilator runs designs in Verilator: it compiles them to shared
// libraries and loads these into the process. See package bridge for what an
// instance is.
package verilator

import (
	"context"
	"embed"
	"fmt"
	"path"

	"github.com/cosimate/cosimate/bridge"
)

// Model is a compiled design, from which any number of instances can be made.
type Model struct {
	layout  *bridge.Layout
	clocks  []bridge.Clock
	library string // the shared library
	design  bridge.Design
	signals []signal
	scopes  []string
	// feedback are the signals that depend on themselves.
	feedback []string
	warnings []bridge.Message
	// Coverage and waves are compiled in; counters are those of coverage.
	coverage, wave bool
	counters       int
	loops          bool // of the design's, which may have no end
	// of sources by base name, which is all that Verilator prints; "" if two share it
	places map[string]string
}

// The C++ side: api.h is the contract.
//
//go:embed shim
var shim embed.FS

// Build compiles a design, or finds it compiled in the cache. It is done in two steps with an entry
// of the cache for each: Verilator makes C++ of the design (generate.go), and the compiler a
// library of that and the copying of the ports, in the shape asked for, and the shim (compile.go).
func Build(ctx context.Context, d bridge.Design, o bridge.BuildOptions) (*Model, error) {
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	sources, err := d.Sources()
	if err != nil {
		return nil, err
	}
	g, err := generate(ctx, &d, o, sources)
	if err != nil {
		return nil, err
	}
	layout, err := bridge.LayoutOf(g.Ports, clocks, o.Shape)
	if err != nil {
		return nil, fmt.Errorf("verilator: module %s: %w", d.Top, err)
	}
	library, err := compile(ctx, &d, g, portCopies(layout, clocks, g.Members)+resetPort(&d, layout, g.Members)+fatalTable(g.Fatal)+signalTable(g.Signals)+coverageTable(g))
	if err != nil {
		return nil, err
	}
	m := &Model{layout: layout, clocks: clocks, library: library, design: d, signals: g.Signals, scopes: g.Scopes, feedback: g.Feedback, warnings: g.Warnings, counters: g.Counters, loops: g.Loops, coverage: o.Coverage, wave: o.Wave, places: map[string]string{}}
	for _, s := range sources {
		base := path.Base(s.Name)
		if _, twice := m.places[base]; twice {
			m.places[base] = ""
		} else {
			m.places[base] = s.Name
		}
	}
	return m, nil
}

// Layout is where the ports lie in the rows of instances.
func (m *Model) Layout() *bridge.Layout { return m.layout }

// Start makes an instance of the model.
func (m *Model) Start(opts bridge.Options) (bridge.Instance, error) {
	v, err := start(m, opts)
	if err != nil {
		return nil, err
	}
	if opts.Timed {
		return &timed{instance: v}, nil
	}
	return v, nil
}
