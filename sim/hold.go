package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Force holds an internal signal, or a word of a memory, at a value, whatever the RTL assigns.
//
// The simulator holds a signal. Neither simulator can hold a word of a memory: the value is written
// to it again after each edge of the clock, rising and falling, before outputs are sampled. Tapes
// are played row by row then. A word that the RTL also writes between edges, in a latch, cannot be
// held: Step, Run and Settle return a *[bridge.SignalError].
func (d *DUT[I, O]) Force(name string, v Value) error { return d.device.force(name, v) }

func (d *device) force(name string, v Value) error {
	d.broken("the test forces internal signals")
	err := d.instance.Force(name, v)
	if !d.isWord(name, err) {
		return err
	}
	if err := d.instance.Poke(name, v); err != nil {
		return err
	}
	h, ok := d.instance.(*holding)
	if !ok {
		h = &holding{Instance: d.instance, layout: d.layout, simulator: d.simulator, top: d.design.Top, words: map[string]Value{}}
		d.instance = h
	}
	h.words[name], err = d.instance.Peek(name) // what the simulator makes of unknown bits
	return err
}

// Release ends Force.
func (d *DUT[I, O]) Release(name string) error { return d.device.release(name) }

func (d *device) release(name string) error {
	err := d.instance.Release(name)
	if !d.isWord(name, err) {
		return err
	}
	if h, ok := d.instance.(*holding); ok {
		if delete(h.words, name); len(h.words) == 0 {
			d.instance = h.Instance
		}
	}
	return nil
}

// isWord reports whether err says that the simulator cannot force a signal, and the signal is a
// word of a memory.
func (d *device) isWord(name string, err error) bool {
	if _, refused := errors.AsType[*bridge.SignalError](err); !refused || !strings.HasSuffix(name, "]") {
		return false
	}
	_, err = d.instance.Peek(name)
	return err == nil
}

// holding is an instance in which words of memories are forced.
type holding struct {
	bridge.Instance
	layout    *bridge.Layout
	simulator Simulator
	top       string
	words     map[string]Value
}

// Settle writes the words again after the falling edge, and fails if logic changes them.
func (h *holding) Settle(ctx context.Context, rows *bridge.Rows) error {
	if err := h.Instance.Settle(ctx, rows); err != nil {
		return err
	}
	if err := h.writeBack(); err != nil {
		return err
	}
	if err := h.Instance.Settle(ctx, rows); err != nil {
		return err
	}
	for name, v := range h.words {
		if got, err := h.Peek(name); err != nil {
			return err
		} else if got.String() != v.String() {
			return &bridge.SignalError{Simulator: string(h.simulator), Top: h.top, Name: name, Reason: fmt.Sprintf(
				"it is forced to %v, but is %v as soon as logic settles: a latch, or combinational logic, writes it; force what it is written from", v, got)}
		}
	}
	return nil
}

func (h *holding) writeBack() error {
	for name, v := range h.words {
		if err := h.Poke(name, v); err != nil {
			return err
		}
	}
	return nil
}

func (h *holding) Run(ctx context.Context, rows *bridge.Rows, n int) (int, error) {
	r := *rows
	for i := range n {
		if err := h.Settle(ctx, &r); err != nil {
			return i, err
		}
		if done, err := h.Instance.Run(ctx, &r, 1); err != nil {
			return i + done, err
		}
		if err := h.writeBack(); err != nil {
			return i + 1, err
		}
		r.In, r.Out = r.In[h.layout.InSize:], r.Out[h.layout.OutSize:]
		if r.Unknown != nil {
			r.Unknown = r.Unknown[h.layout.OutSize:]
		}
	}
	return n, nil
}
