package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
)

// runLiveBoard is cosimate live board: the sensing chess board, to be played on.
func runLiveBoard(ctx context.Context, f *liveFlags) (err error) {
	if err := f.only("the board", "rtl", "waves"); err != nil {
		return err
	}
	o := board.Options{Simulator: f.simulator, Seed: f.seed, Sim: []sim.Option{sim.WithSeed(f.seed)}}
	if f.waves != "" {
		if _, err := newOutput("--waves", f.waves); err != nil {
			return err
		}
		o.Sim = append(o.Sim, sim.WithWave(f.waves, 0, math.MaxUint64))
	}
	if f.rtl != "" {
		if o.RTL, err = board.Folder(os.DirFS(f.rtl)); err != nil {
			return &misuse{fmt.Sprintf("--rtl %s: %v", f.rtl, reason(err)), "give a copy of the folder rtl, with all or some of its files"}
		}
	}
	app := board.NewApp(ctx, o)
	defer func() { err = errors.Join(err, app.Close()) }()
	return f.serve(ctx, app, "board", app.Options(live.Options{}))
}
