package sim

import (
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/report"
)

// shown is how many cycles a report's waveform has.
const shown = 20

// kept is how many cycles the history has room for: a power of two, no less than shown.
const kept = 32

// history keeps the last cycles for reports.
type history[I, O any] struct {
	n    uint64        // cycles kept so far
	next *moment[I, O] // the slot to be written next
	ring [kept]moment[I, O]
}

// advance keeps the next slot, which has been written.
func (h *history[I, O]) advance() {
	h.n++
	h.next = &h.ring[h.n%kept]
}

// moment is one cycle.
type moment[I, O any] struct {
	cycle        uint64
	in           I
	out, unknown O
	rows         bridge.Rows // the memory of in, out and unknown
}

// keep adds the last of some cycles. The first of these has the number first. unknown may be nil.
func (h *history[I, O]) keep(first uint64, in []I, out, unknown []O) {
	for i := max(0, len(in)-shown); i < len(in); i++ {
		m := h.next
		m.cycle, m.in, m.out = first+uint64(i), in[i], out[i]
		if unknown != nil {
			m.unknown = unknown[i]
		}
		h.advance()
	}
}

// Recent returns the last 20 cycles as a waveform, the newest last, for reports of one's own.
func (d *DUT[I, O]) Recent() report.Wave { return d.wave() }

// wave returns the last cycles.
func (d *DUT[I, O]) wave() report.Wave {
	h := &d.past
	w := report.Wave{Column: string(d.simulator)}
	var moments []moment[I, O]
	for i := h.n - min(h.n, shown); i < h.n; i++ {
		m := h.ring[i%kept]
		if n := len(moments); n > 0 && m.cycle != moments[n-1].cycle+1 {
			moments = moments[:0] // the cycles of a tape after an error are missing
		}
		moments = append(moments, m)
	}
	for i, c := range d.clocks {
		if c.Port != "" {
			w.Clocks = append(w.Clocks, report.Clock{Name: c.Port, Rises: d.rises(i, moments)})
		}
	}
	for i := range moments {
		w.Cycles = append(w.Cycles, moments[i].cycle)
		w.Times = append(w.Times, bridge.NewSchedule(d.clocks).Instant(moments[i].cycle))
	}
	trace := func(f *field, value func(m *moment[I, O]) report.Value) {
		t := report.Trace{Signal: f.signal()}
		for i := range moments {
			t.Values = append(t.Values, value(&moments[i]))
		}
		w.Traces = append(w.Traces, t)
	}
	for i := range d.in.fields {
		f := &d.in.fields[i]
		trace(f, func(m *moment[I, O]) report.Value { return valueOf(f.port, rowsOf(unsafe.Slice(&m.in, 1)), nil) })
	}
	for i := range d.out.fields {
		f := &d.out.fields[i]
		trace(f, func(m *moment[I, O]) report.Value {
			return valueOf(f.port, rowsOf(unsafe.Slice(&m.out, 1)), rowsOf(unsafe.Slice(&m.unknown, 1)))
		})
	}
	return w
}

// rises returns in which of the moments a clock rises; nil: in each.
func (d *DUT[I, O]) rises(clock int, moments []moment[I, O]) []bool {
	if len(d.clocks) == 1 || len(moments) == 0 {
		return nil
	}
	s := bridge.NewSchedule(d.clocks)
	for range moments[0].cycle {
		s.Next()
	}
	rises := make([]bool, len(moments))
	for i := range rises {
		_, mask := s.Next()
		rises[i] = mask>>clock&1 != 0
	}
	return rises
}
