package verilator

import (
	"context"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// timed is an instance with Options.Timed.
type timed struct {
	*instance
	elapsed time.Duration // in runs
}

func (t *timed) Run(ctx context.Context, rows *bridge.Rows, n int) (int, error) {
	start := time.Now()
	n, err := t.instance.Run(ctx, rows, n)
	t.elapsed += time.Since(start)
	return n, err
}

// Spent returns the time spent in runs.
func (t *timed) Spent() bridge.Spent {
	s := bridge.Spent{Simulator: t.simulator}
	if !t.closed {
		s.Simulator = time.Duration(t.host.end.simulator)
	}
	s.Bridge = max(t.elapsed-s.Simulator, 0)
	return s
}

// Spent returns zeros, for this instance counts nothing.
func (v *instance) Spent() bridge.Spent { return bridge.Spent{} }
