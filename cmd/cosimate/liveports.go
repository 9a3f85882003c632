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
	if err := f.only("files", "top", "clock", "reset", "power-up", "param", "define", "include", "waves"); err != nil {
		return err
	}
	g, err := f.design.given(f.args)
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
