package main

import (
	"context"
	"errors"
	"math"

	movegen "github.com/cosimate/cosimate/rtl/movegen/live"
	"github.com/cosimate/cosimate/sim"
)

// runLiveMovegen is cosimate live movegen: the move generator's list beat by beat, and its stages.
func runLiveMovegen(ctx context.Context, f *liveFlags) (err error) {
	if err := f.only("the move generator", "rtl", "waves"); err != nil {
		return err
	}
	o := movegen.Options{Simulator: f.simulator, Sim: []sim.Option{sim.WithSeed(f.seed)}}
	if f.rtl != "" {
		if o.Design, err = designFrom(f.rtl); err != nil {
			return err
		}
	}
	if f.waves != "" {
		if _, err := newOutput("--waves", f.waves); err != nil {
			return err
		}
		o.Sim = append(o.Sim, sim.WithWave(f.waves, 0, math.MaxUint64))
	}
	app, err := movegen.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, app.Close()) }()
	return f.serve(ctx, app, "movegen", app.Options())
}
