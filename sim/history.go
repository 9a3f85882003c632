package sim

import (
	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/report"
)

// shown is how many cycles a report's waveform has.
const shown = 20

// kept is how many cycles the history has room for: a power of two, no less than shown.
const kept = 32

// history keeps the last cycles for reports.
type history struct {
	n    uint64  // cycles kept so far
	next *moment // the slot to be written next
	ring [kept]moment
}

// advance keeps the next slot, which has been written.
func (h *history) advance() {
	h.n++
	h.next = &h.ring[h.n%kept]
}

// moment is one cycle.
type moment struct {
	cycle       uint64
	bridge.Rows // one of each
}

// keep adds the last of n cycles to the history. The first of these has the number first. unknown
// is nil under Verilator.
func (d *device) keep(first uint64, in, out, unknown []byte, n int) {
	for i := max(0, n-shown); i < n; i++ {
		m := d.past.next
		m.cycle = first + uint64(i)
		copy(m.In, row(in, i, d.layout.InSize))
		copy(m.Out, row(out, i, d.layout.OutSize))
		if unknown != nil {
			copy(m.Unknown, row(unknown, i, d.layout.OutSize))
		}
		d.past.advance()
	}
}

// Recent returns the last 20 cycles as a waveform, the newest last, for reports of one's own.
func (d *DUT[I, O]) Recent() report.Wave { return d.device.wave() }

// wave returns the last cycles.
func (d *device) wave() report.Wave {
	h := &d.past
	w := report.Wave{Column: string(d.simulator)}
	var moments []moment
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
	trace := func(f *field, value func(m *moment) report.Value) {
		t := report.Trace{Signal: f.signal()}
		for i := range moments {
			t.Values = append(t.Values, value(&moments[i]))
		}
		w.Traces = append(w.Traces, t)
	}
	for i := range d.in.fields {
		f := &d.in.fields[i]
		trace(f, func(m *moment) report.Value { return valueOf(f.port, m.In, nil) })
	}
	for i := range d.out.fields {
		f := &d.out.fields[i]
		trace(f, func(m *moment) report.Value { return valueOf(f.port, m.Out, m.Unknown) })
	}
	return w
}

// rises returns in which of the moments a clock rises; nil: in each.
func (d *device) rises(clock int, moments []moment) []bool {
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
