package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
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
	d, err := designOf(f.args, f.includes)
	if err != nil {
		return err
	}
	d.Top = f.top
	if d.Top == "" {
		last := filepath.Base(d.Files[len(d.Files)-1])
		d.Top = strings.TrimSuffix(last, filepath.Ext(last))
	}
	if d.Params, err = assignments(nil, "--param", f.params); err != nil {
		return err
	}
	if d.Defines, err = assignments(d.Defines, "--define", f.defines); err != nil {
		return err
	}
	s := f.simulator
	if s == "" {
		s = sim.Icarus
	}
	description, err := sim.Describe(ctx, d, s)
	if modules := declaredModules(d); err != nil && len(modules) > 0 && !slices.Contains(modules, d.Top) {
		what := fmt.Sprintf("%s has no module %s, which is its name", d.Files[len(d.Files)-1], d.Top)
		if f.top != "" {
			what = fmt.Sprintf("%s has no module %s", d.Files[len(d.Files)-1], d.Top)
		}
		return &misuse{what, "--top takes another one; it has " + strings.Join(modules, ", ")}
	}
	if err != nil {
		return err
	}
	notes, err := f.clocksAndReset(&d, description.Ports)
	if err != nil {
		return err
	}
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

// clocksAndReset sets the clocks and the reset of a design: those of the flags, or else by their
// names. It returns what it has taken for what.
func (f *liveFlags) clocksAndReset(d *sim.Design, all []sim.Port) ([]string, error) {
	const hint = "--clock NAME and --reset NAME say otherwise, --clock none and --reset none that there is none."
	for _, text := range f.clocks {
		name, period, given := strings.Cut(text, "=")
		if name == "none" && !given {
			continue
		}
		if !hasInput(all, name) {
			return nil, &misuse{fmt.Sprintf("--clock %s: module %s has no input %s of one bit", text, d.Top, name), "it has " + bridge.Names(all)}
		}
		c := sim.Clock{Port: name}
		if given {
			t, err := time.ParseDuration(period)
			if err != nil || t <= 0 {
				return nil, &misuse{fmt.Sprintf("--clock %s: %s is not a period", text, period), "for example --clock clk_i=8ns"}
			}
			c.Period = t
		}
		d.Clocks = append(d.Clocks, c)
	}
	if len(d.Clocks) == 1 {
		d.Clock, d.Period, d.Clocks = d.Clocks[0].Port, d.Clocks[0].Period, nil
	}
	if name, low := strings.CutPrefix(f.reset, "!"); name != "" && name != "none" {
		if !hasInput(all, name) {
			return nil, &misuse{fmt.Sprintf("--reset %s: module %s has no input %s of one bit", f.reset, d.Top, name), "it has " + bridge.Names(all)}
		}
		d.Reset, d.ResetActiveLow = name, low
	}
	taken := *d
	if len(f.clocks) > 0 && d.Clock == "" && len(d.Clocks) == 0 {
		taken.Clock = "none"
	}
	if f.reset == "none" || taken.Clock == "none" && f.reset == "" {
		taken.Reset = "none"
	}
	notes, err := ports.Guess(&taken, all, hint)
	if err != nil {
		return nil, &misuse{strings.TrimSuffix(err.Error(), ". "+hint), hint}
	}
	if taken.Clock != "none" {
		d.Clock = taken.Clock
	}
	if taken.Reset != "none" {
		d.Reset, d.ResetActiveLow = taken.Reset, taken.ResetActiveLow
	}
	return notes, nil
}
