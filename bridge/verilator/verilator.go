// Package verilator runs designs in Verilator: it compiles them to shared
// libraries and loads these into the process. See package bridge for what an
// instance is.
package verilator

import (
	"context"
	"embed"
	"fmt"
	"path"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
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
	coverage bool // coverage is compiled in
	wave     bool // waveforms are compiled in
	counters int  // how many counters coverage has
	loops    bool // the design has loops, which may have no end
	// places are the names of sources by base name, for Verilator prints only the base name. It is
	// "" if two sources share it.
	places map[string]string
}

// shim is the C++ side. Its contract with this package is api.h.
//
//go:embed shim
var shim embed.FS

// Build compiles a design, or finds it compiled in the cache. There are two steps, each with an
// entry in the cache. First Verilator makes C++ of the design (generate.go). Then the compiler
// makes a library of that, of the shim, and of the code that copies ports to and from rows
// (compile.go).
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

// Describe has Verilator elaborate a design, or finds that in the cache, and describes it. Nothing
// is compiled.
func Describe(ctx context.Context, d bridge.Design) (*bridge.Description, error) {
	d.Clock, d.Clocks, d.Internals = "", nil, nil
	sources, err := d.Sources()
	if err != nil {
		return nil, err
	}
	g, err := generate(ctx, &d, bridge.BuildOptions{Signs: true}, sources)
	if err != nil {
		return nil, err
	}
	l, err := bridge.LayoutOf(g.Ports, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("verilator: module %s: %w", d.Top, err)
	}
	return &bridge.Description{Ports: slices.Concat(l.Inputs, l.Outputs), Signals: g.Names}, nil
}

// Layout returns the shape of the rows of the model's instances.
func (m *Model) Layout() *bridge.Layout { return m.layout }

// Start makes an instance of the model.
func (m *Model) Start(opts bridge.Options) (bridge.Instance, error) {
	if err := build.MayStart(); err != nil {
		return nil, err
	}
	v, err := start(m, opts)
	if err != nil {
		return nil, err
	}
	if opts.Timed {
		return &timed{instance: v}, nil
	}
	return v, nil
}
