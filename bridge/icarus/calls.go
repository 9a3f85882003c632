package icarus

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// events takes the events out of the arena and gives them to the handler. If question is set, the
// last of them is a question, which is returned instead.
func (c *instance) events(question bool) (asked bridge.Event, err error) {
	used := c.header.arenaUsed.Load()
	c.header.arenaUsed.Store(0)
	if int(used) > len(c.arena) {
		return asked, c.corrupt(fmt.Sprintf("%d bytes of events", used))
	}
	rest := c.arena[:used]
	for len(rest) > 0 {
		e, size, ok := parseEvent(rest)
		if !ok {
			return asked, c.corrupt("a damaged event")
		}
		rest = rest[size:]
		switch {
		case question && len(rest) == 0:
			return e, nil
		case c.opts.OnEvent != nil:
			// If the handler panics, vvp waits for an answer for ever: the instance has ended.
			c.err = c.callError(e, bridge.ErrNoReturn)
			c.opts.OnEvent(e)
			c.err = nil
		}
	}
	if question {
		return asked, c.corrupt("no question")
	}
	return asked, nil
}

// parseEvent reads the first event of some bytes, which may be anything.
func parseEvent(b []byte) (e bridge.Event, size int, ok bool) {
	const fixed = int(unsafe.Sizeof(eventEntry{}))
	if len(b) < fixed {
		return e, 0, false
	}
	entry := *(*eventEntry)(unsafe.Pointer(&b[0]))
	size, n := int(entry.size), int(entry.values)
	if size < fixed || size > len(b) || size%8 != 0 || n > len(entry.value) {
		return e, 0, false
	}
	scope, rest, ok := bytes.Cut(b[fixed:size], []byte{0})
	if !ok {
		return e, 0, false
	}
	name, _, ok := bytes.Cut(rest, []byte{0})
	if !ok {
		return e, 0, false
	}
	return bridge.Event{
		Cycle: entry.cycle, Scope: string(scope), Name: string(name), Values: entry.value[:n:n], Unknown: entry.unknown[:n:n],
	}, size, true
}

// ask gives a question to the handler, and its answer to vvp.
func (c *instance) ask(e bridge.Event) error {
	answer, err := uint64(0), bridge.ErrNoHandler
	if c.opts.OnAsk != nil {
		c.err = c.callError(e, bridge.ErrNoReturn)
		answer, err = c.opts.OnAsk(e)
		c.err = nil
	}
	if err != nil {
		return c.callError(e, err)
	}
	c.header.answer = answer
	return nil
}

func (c *instance) callError(e bridge.Event, err error) error {
	return &bridge.CallError{Simulator: "icarus", Top: c.top, Event: e, Err: err}
}
