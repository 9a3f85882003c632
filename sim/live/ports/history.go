package ports

import (
	"bytes"
	"slices"

	"github.com/cosimate/cosimate/bridge"
)

// historyCycles are how many cycles are kept for waves.
const historyCycles = 4096

// history is the rows of the last cycles, and the values of watched signals in them. Its memory
// does not grow.
type history struct {
	layout           *bridge.Layout
	next             uint64 // the cycle to come
	count            int    // cycles that are kept, those before next
	in, out, unknown []byte // rows; cycle c is in row c % historyCycles
	watched          map[string]*watched
}

// watched is the values of an internal signal from a cycle on.
type watched struct {
	width  int
	from   uint64
	values []string // in binary digits; the one of cycle c is at c % historyCycles
}

func newHistory(l *bridge.Layout, unknown bool) *history {
	h := &history{layout: l, in: make([]byte, historyCycles*l.InSize), out: make([]byte, historyCycles*l.OutSize), watched: map[string]*watched{}}
	if unknown {
		h.unknown = make([]byte, historyCycles*l.OutSize)
	}
	return h
}

// first returns the oldest cycle that is kept.
func (h *history) first() uint64 { return h.next - uint64(h.count) }

// keep keeps n cycles of a tape, of which the first is a cycle.
func (h *history) keep(cycle uint64, tape *bridge.Rows, n int) {
	from := max(0, n-historyCycles)
	for i := from; i < n; {
		at := int((cycle + uint64(i)) % historyCycles)
		k := min(n-i, historyCycles-at)
		place := func(to, of []byte, size int) { copy(to[at*size:(at+k)*size], of[i*size:]) }
		place(h.in, tape.In, h.layout.InSize)
		place(h.out, tape.Out, h.layout.OutSize)
		if h.unknown != nil {
			place(h.unknown, tape.Unknown, h.layout.OutSize)
		}
		i += k
	}
	h.next = cycle + uint64(n)
	h.count = min(h.count+n, historyCycles)
}

// watch reads the watched signals in a cycle.
func (h *history) watch(cycle uint64, names []string, peek func(string) (bridge.Value, error)) error {
	for _, name := range names {
		v, err := peek(name)
		if err != nil {
			return err
		}
		w := h.watched[name]
		if w == nil {
			w = &watched{width: v.Width, from: cycle, values: make([]string, historyCycles)}
			h.watched[name] = w
		}
		text := peeked(v)
		if last := w.values[(cycle+historyCycles-1)%historyCycles]; last == text {
			text = last // one string for a value that stays
		}
		w.values[cycle%historyCycles] = text
	}
	return nil
}

// forget forgets signals that are watched no more.
func (h *history) forget(names []string) {
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

// points returns the values of a signal from a cycle on: the first, and all changes. It returns nil
// for a signal that is not kept.
func (h *history) points(name string, from uint64) (points []point) {
	from = max(from, h.first())
	add := func(cycle uint64, value string) {
		if len(points) == 0 || points[len(points)-1].value != value {
			points = append(points, point{cycle, value})
		}
	}
	if w := h.watched[name]; w != nil {
		for c := max(from, w.from); c < h.next; c++ {
			add(c, w.values[c%historyCycles])
		}
		return points
	}
	scan := func(p bridge.Port, rows, unknown []byte, size int) {
		var last, lastUnknown []byte
		for c := from; c < h.next; c++ {
			at := int(c%historyCycles)*size + p.Offset
			bits := rows[at : at+p.Size]
			var hidden []byte
			if unknown != nil {
				hidden = unknown[at : at+p.Size]
			}
			if last == nil || !bytes.Equal(bits, last) || !bytes.Equal(hidden, lastUnknown) {
				last, lastUnknown = bits, hidden
				add(c, digits(p.Width, bits, hidden))
			}
		}
	}
	for _, p := range h.layout.Inputs {
		if p.Name == name {
			scan(p, h.in, nil, h.layout.InSize)
		}
	}
	for _, p := range h.layout.Outputs {
		if p.Name == name {
			scan(p, h.out, h.unknown, h.layout.OutSize)
		}
	}
	return points
}
