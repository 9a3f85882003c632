package ports

import (
	"context"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/internal/serve"
	"github.com/cosimate/cosimate/sim/live"
)

// Tests that import this package can be run with -sim.live.
func init() {
	serve.Page = func(ctx context.Context, d bridge.Design, simulator string, seed uint64, ready func(string)) error {
		app, err := Open(ctx, d, sim.Simulator(simulator), Options{Seed: seed, Notes: []string{"This is the DUT of a test. The test itself is not run."}})
		if err != nil {
			return err
		}
		defer app.Close()
		return live.Serve(ctx, app, live.Options{Title: d.Top + " - Cosimate", NoClock: !app.Clocked(), Ready: ready})
	}
}
