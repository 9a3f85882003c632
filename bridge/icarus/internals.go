package icarus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/signals"
)

// refusal is the reason why the VPI module did not carry out a command.
type refusal string

func (r refusal) Error() string { return string(r) }

// reach carries out a command on an internal signal.
func (c *instance) reach(command uint32, name string) error {
	if c.err != nil {
		return c.err
	}
	fault := func(reason string) error {
		return &bridge.SignalError{Simulator: "icarus", Top: c.top, Name: name, Reason: reason}
	}
	i, word, reason := signals.Find(name, c.design.Internals, func(i int) signals.Ranges { return c.memories[c.design.Internals[i]] })
	if reason != "" {
		return fault(reason)
	}
	h := c.header
	h.signal, h.hasWord = uint32(i), 0
	if r := c.memories[c.design.Internals[i]]; len(r) > 0 {
		h.hasWord, h.word = 1, int64(word)
		if len(r) == 1 { // the words of a memory with several indices are counted from 0 by vvp
			h.word += int64(min(r[0][0], r[0][1]))
		}
	}
	err := c.command(context.Background(), command)
	if r, ok := errors.AsType[refusal](err); ok {
		return fault(string(r))
	}
	c.err = err
	return err
}

// words returns the arena as words of 64 bits.
func (c *instance) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(&c.arena[0])), len(c.arena)/8)
}

func (c *instance) Peek(name string) (bridge.Value, error) {
	if err := c.reach(commandPeek, name); err != nil {
		return bridge.Value{}, err
	}
	width := int(c.header.width)
	n := (width + 63) / 64
	if n < 1 || 2*n > len(c.words()) {
		c.err = c.corrupt(fmt.Sprintf("a width of %d", width))
		return bridge.Value{}, c.err
	}
	return bridge.Value{Width: width, Bits: slices.Clone(c.words()[:n]), Unknown: slices.Clone(c.words()[n : 2*n])}, nil
}

func (c *instance) Poke(name string, v bridge.Value) error  { return c.put(commandPoke, name, v) }
func (c *instance) Force(name string, v bridge.Value) error { return c.put(commandForce, name, v) }
func (c *instance) Release(name string) error               { return c.reach(commandRelease, name) }

// put sends a value into a signal.
func (c *instance) put(command uint32, name string, v bridge.Value) error {
	if c.err != nil {
		return c.err
	}
	n := (v.Width + 63) / 64
	if n < 1 || 2*n > len(c.words()) || len(v.Bits) < n || v.Unknown != nil && len(v.Unknown) < n {
		return &bridge.SignalError{Simulator: "icarus", Top: c.top, Name: name, Reason: fmt.Sprintf(
			"the value says that it has %d bits and brings %d words of bits and %d of unknown ones", v.Width, len(v.Bits), len(v.Unknown))}
	}
	// Until vvp has started, the arena holds the names of the signals.
	if err := c.started(context.Background()); err != nil {
		return err
	}
	copy(c.words(), v.Bits[:n])
	clear(c.words()[n : 2*n])
	if v.Unknown != nil {
		copy(c.words()[n:], v.Unknown[:n])
	}
	c.header.width = uint32(v.Width)
	return c.reach(command, name)
}
