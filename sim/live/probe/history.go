package probe

import (
	"bytes"
	"slices"

	"github.com/cosimate/cosimate/bridge"
)

// History is the rows of the last cycles, and the values of signals in them. Its memory does not
// grow.
type History struct {
	layout           *bridge.Layout
	most             uint64 // cycles that are kept
	next             uint64 // the cycle to come
	count            uint64 // cycles that are kept now, those before next
	in, out, unknown []byte // rows; cycle c is in row c % most
	watched          map[string]*watched
}

// watched is the values of an internal signal from a cycle on.
type watched struct {
	width  int
	from   uint64
	values []string // in binary digits; the one of cycle c is at c % most
}

// NewHistory returns a history that keeps so many cycles. unknown says whether the simulator has
// unknown values.
func NewHistory(l *bridge.Layout, cycles int, unknown bool) *History {
	h := &History{layout: l, most: uint64(cycles), in: make([]byte, cycles*l.InSize), out: make([]byte, cycles*l.OutSize), watched: map[string]*watched{}}
	if unknown {
		h.unknown = make([]byte, cycles*l.OutSize)
	}
	return h
}

// Cycles returns how many cycles it keeps.
func (h *History) Cycles() uint64 { return h.most }

// first returns the oldest cycle that is kept.
func (h *History) first() uint64 { return h.next - h.count }

// Keep keeps n cycles of a tape, of which the first is a cycle. That must be the one after those
// kept before.
func (h *History) Keep(cycle uint64, tape *bridge.Rows, n int) {
	most := int(h.most)
	for i := max(0, n-most); i < n; {
		at := int((cycle + uint64(i)) % h.most)
		k := min(n-i, most-at)
		copy(h.in[at*h.layout.InSize:(at+k)*h.layout.InSize], tape.In[i*h.layout.InSize:])
		copy(h.out[at*h.layout.OutSize:(at+k)*h.layout.OutSize], tape.Out[i*h.layout.OutSize:])
		if h.unknown != nil {
			copy(h.unknown[at*h.layout.OutSize:(at+k)*h.layout.OutSize], tape.Unknown[i*h.layout.OutSize:])
		}
		i += k
	}
	h.next = cycle + uint64(n)
	h.count = min(h.count+uint64(n), h.most)
}

// Watch reads signals in a cycle that is then kept.
func (h *History) Watch(cycle uint64, names []string, peek func(string) (bridge.Value, error)) error {
	for _, name := range names {
		v, err := peek(name)
		if err != nil {
			return err
		}
		w := h.watched[name]
		if w == nil {
			w = &watched{width: v.Width, from: cycle, values: make([]string, h.most)}
			h.watched[name] = w
		}
		text := peeked(v)
		if last := w.values[(cycle+h.most-1)%h.most]; last == text {
			text = last // one string for a value that stays
		}
		w.values[cycle%h.most] = text
	}
	return nil
}

// Forget forgets all signals but those that are still watched.
func (h *History) Forget(names []string) {
	for name := range h.watched {
		if !slices.Contains(names, name) {
			delete(h.watched, name)
		}
	}
}

// A point is a cycle from which on a signal has a value.
type point struct {
	cycle uint64
	value string
}

// points returns the values of a port or signal from a cycle on: the first, and all changes. It
// returns nil for one that is not kept.
func (h *History) points(name string, from uint64) (points []point) {
	from = max(from, h.first())
	if w := h.watched[name]; w != nil {
		for c := max(from, w.from); c < h.next; c++ {
			if value := w.values[c%h.most]; len(points) == 0 || points[len(points)-1].value != value {
				points = append(points, point{c, value})
			}
		}
		return points
	}
	scan := func(p bridge.Port, rows, unknown []byte, size int) {
		var last, lastUnknown []byte
		for c := from; c < h.next; c++ {
			at := int(c%h.most)*size + p.Offset
			bits := rows[at : at+p.Size]
			var hidden []byte
			if unknown != nil {
				hidden = unknown[at : at+p.Size]
			}
			if last == nil || !bytes.Equal(bits, last) || !bytes.Equal(hidden, lastUnknown) {
				last, lastUnknown = bits, hidden
				points = append(points, point{c, Digits(p.Width, bits, hidden)})
			}
		}
	}
	if p := Port(h.layout.Inputs, name); p != nil {
		scan(*p, h.in, nil, h.layout.InSize)
	}
	if p := Port(h.layout.Outputs, name); p != nil {
		scan(*p, h.out, h.unknown, h.layout.OutSize)
	}
	return points
}
