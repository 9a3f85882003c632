package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

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
	// Another design of the same name is another one.
	hash := sha256.New()
	for _, name := range f.args {
		if full, err := filepath.Abs(name); err == nil {
			name = full
		}
		fmt.Fprintln(hash, name)
	}
	return f.serve(ctx, app, fmt.Sprintf("%s-%s-%x", d.Top, s, hash.Sum(nil)[:4]), live.Options{Title: d.Top + " - Cosimate", NoClock: !app.Clocked()})
}
