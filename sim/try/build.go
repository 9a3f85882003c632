package try

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// build compiles the design in all ways that are needed.
func (t *trial) build() error {
	refused := map[string]error{}
	var group errgroup.Group
	var plainErr, icarusErr error
	group.Go(func() error {
		var m *icarus.Model
		if m, icarusErr = t.buildIcarus(); icarusErr == nil {
			t.icarus = m
		}
		return nil
	})
	group.Go(func() error {
		var m *verilator.Model
		if m, plainErr = verilator.Build(t.ctx, t.design, bridge.BuildOptions{}); plainErr == nil {
			t.plain = m
		}
		return nil
	})
	group.Go(func() error {
		// If this fails and the other does not, there is no coverage. Its error is the other's.
		if m, err := verilator.Build(t.ctx, t.design, bridge.BuildOptions{Coverage: true, Toggles: true}); err == nil {
			t.counted = m
		}
		return nil
	})
	group.Wait()
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	for name, err := range map[string]error{"Icarus": icarusErr, "Verilator": plainErr} {
		if err == nil {
			continue
		}
		if _, ok := errors.AsType[*bridge.CompileError](err); !ok {
			return err
		}
		refused[name] = err
	}
	if len(refused) == 2 {
		return errors.Join(icarusErr, plainErr)
	}
	for name, err := range refused {
		t.report.add(Wrong, name+" does not take the design", firstLines(err.Error(), 6)...)
	}
	return nil
}

// buildIcarus compiles a model in which all signals can be reached, which costs nothing in Icarus.
func (t *trial) buildIcarus() (*icarus.Model, error) {
	described, err := icarus.Describe(t.ctx, t.design)
	if err != nil {
		return nil, err
	}
	all := t.design
	all.Internals = described.Signals
	m, err := icarus.Build(t.ctx, all, bridge.BuildOptions{})
	if err != nil { // some are of a kind that cannot be reached
		return icarus.Build(t.ctx, t.design, bridge.BuildOptions{})
	}
	t.signals, t.named = described.Signals, true
	return m, nil
}
