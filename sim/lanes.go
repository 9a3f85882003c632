package sim

import (
	"context"
	"fmt"
	"reflect"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// Lanes is 512 copies of a design that run at once, with inputs I and outputs O as in [DUT]. What
// lanes can do and cannot, package bridge/lanes says. Lanes are not safe for concurrent use.
type Lanes[I, O any] struct {
	*lanes.Batch
	design Design
	model  *lanes.Model
	ports
}

// OpenLanes makes lanes of a design, or finds them in the cache, and starts them. Close must be
// called. Of the options, [WithSeed] counts: each lane has its own values at power-up.
func OpenLanes[I, O any](ctx context.Context, d Design, opts ...Option) (*Lanes[I, O], error) {
	var o options
	o.Seed = 1
	for _, opt := range opts {
		opt(&o)
	}
	return openLanes[I, O](ctx, d, lanes.Options{Seed: o.Seed})
}

func openLanes[I, O any](ctx context.Context, d Design, o lanes.Options) (*Lanes[I, O], error) {
	l := &Lanes[I, O]{design: d}
	var err error
	if l.model, err = lanes.Build(ctx, d, lanes.BuildOptions{Shape: l.binder(d, reflect.TypeFor[I](), reflect.TypeFor[O]())}); err != nil {
		return nil, err
	}
	l.Batch, err = l.model.Start(o)
	return l, err
}

// Set gives a lane inputs, which stay until they are set again.
func (l *Lanes[I, O]) Set(lane int, in *I) error {
	err := l.Batch.Set(lane, rowOf(in))
	if misfit := l.in.misfit(rowOf(in)); err != nil && misfit != nil {
		return fmt.Errorf("lane %d of %s: %w", lane, l.design.Top, misfit)
	}
	return err
}

// Get returns the outputs of a lane as they were sampled in the last cycle.
func (l *Lanes[I, O]) Get(lane int, out *O) error { return l.Batch.Get(lane, rowOf(out)) }

// Play plays n cycles with the inputs as they are.
func (l *Lanes[I, O]) Play(ctx context.Context, n int) error {
	_, err := l.Batch.Run(ctx, lanes.Rows{}, n)
	return err
}
