package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/ports"
)

// runLivePorts serves the page of a design that is named by its files.
func runLivePorts(ctx context.Context, f *liveFlags) error {
	if len(f.args) == 0 {
		return &misuse{"no file", "name the SystemVerilog files, packages first, or a file list (.f)"}
	}
	if err := f.only("files", "top", "clock", "reset", "power-up", "param", "define", "include", "waves"); err != nil {
		return err
	}
	g, err := f.given()
	if err != nil {
		return err
	}
	s := f.simulator
	if s == "" {
		s = sim.Icarus
	}
	found, err := convention.Complete(ctx, g, s)
	if err != nil {
		return misused(err)
	}
	d, notes := found.Design, convention.Texts(found.Notes)
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, n)
	}
	if f.waves != "" {
		if _, err := newOutput("--waves", f.waves); err != nil {
			return err
		}
	}
	app, err := ports.Open(ctx, d, s, ports.Options{Seed: f.seed, Wave: f.waves, NoReset: f.noReset, Notes: notes})
	if err != nil {
		return err
	}
	defer app.Close()
	return f.serve(ctx, app, fmt.Sprintf("%s-%s", d.Top, s), live.Options{Title: d.Top + " - Cosimate", NoClock: !app.Clocked()})
}

// given returns what the flags say of a design.
func (f *liveFlags) given() (g convention.Given, err error) {
	g = convention.Given{Files: f.args, Include: f.includes, Top: f.top}
	if g.Params, err = assignments("--param", f.params); err != nil {
		return g, err
	}
	if g.Defines, err = assignments("--define", f.defines); err != nil {
		return g, err
	}
	for _, text := range f.clocks {
		c, none, err := convention.ParseClock(text)
		if err != nil {
			return g, &misuse{"--clock " + err.Error(), "for example --clock clk_i=8ns"}
		}
		if none {
			g.NoClock = true
		} else {
			g.Clocks = append(g.Clocks, c)
		}
	}
	g.Reset, g.ResetActiveLow, g.NoReset = convention.ParseReset(f.reset)
	return g, nil
}
