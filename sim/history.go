package sim

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosimate/cosimate/bridge"
)

// shown is how many cycles a report's waveform has.
const shown = 20

// history keeps the last cycles for reports, as raw rows in a ring.
type history struct {
	layout           *bridge.Layout
	inputs, outputs  []bridge.Port // in the order of the structs' fields
	next             int           // cycles kept so far; slot next%shown is the next to be written
	cycles           [shown]uint64
	in, out, unknown []byte // shown rows each; unknown is nil under Verilator
}

// moment is one cycle.
type moment struct {
	cycle            uint64
	in, out, unknown []byte
}

func (h *history) init(l *bridge.Layout, t *bridge.Tape, in, out *binding) {
	h.layout, h.inputs, h.outputs = l, in.ports(), out.ports()
	h.in, h.out = make([]byte, shown*l.InSize), make([]byte, shown*l.OutSize)
	if t.Unknown != nil {
		h.unknown = make([]byte, shown*l.OutSize)
	}
}

// keep takes over the last of the n rows at the front of a tape, the first of
// which was played in the given cycle.
func (h *history) keep(t *bridge.Tape, first uint64, n int) {
	in, out := h.layout.InSize, h.layout.OutSize
	for i := max(0, n-shown); i < n; i++ {
		slot := h.next % shown
		h.next++
		h.cycles[slot] = first + uint64(i)
		copy(h.in[slot*in:(slot+1)*in], t.In[i*in:])
		copy(h.out[slot*out:(slot+1)*out], t.Out[i*out:])
		if h.unknown != nil {
			copy(h.unknown[slot*out:(slot+1)*out], t.Unknown[i*out:])
		}
	}
}

// copy is a history of its own.
func (h *history) copy() history {
	c := *h
	c.in, c.out, c.unknown = slices.Clone(h.in), slices.Clone(h.out), slices.Clone(h.unknown)
	return c
}

// moments are the cycles kept, oldest first.
func (h *history) moments() []moment {
	var all []moment
	in, out := h.layout.InSize, h.layout.OutSize
	for i := max(0, h.next-shown); i < h.next; i++ {
		slot := i % shown
		m := moment{cycle: h.cycles[slot], in: h.in[slot*in : (slot+1)*in], out: h.out[slot*out : (slot+1)*out]}
		if h.unknown != nil {
			m.unknown = h.unknown[slot*out : (slot+1)*out]
		}
		all = append(all, m)
	}
	return all
}

// waveform prints the cycles as text: a line per port and a column per cycle.
// Single bits are drawn high and low, words are shown where they change.
func (h *history) waveform(b *strings.Builder) {
	moments := h.moments()
	type line struct {
		name  string
		cells []string
	}
	var lines []line
	header := line{name: "cycle"}
	for i, m := range moments {
		text := fmt.Sprint(m.cycle)
		if i%4 != 0 && i != len(moments)-1 {
			text = ""
		}
		header.cells = append(header.cells, text)
	}
	lines = append(lines, header)
	add := func(p bridge.Port, row func(moment) (value, unknown []byte)) {
		l := line{name: p.Name}
		before := ""
		for i, m := range moments {
			value, unknown := row(m)
			text := digits(portBits(value, p), portBits(unknown, p), p.Width)
			switch {
			case p.Width == 1 && text == "0":
				l.cells = append(l.cells, "▁")
			case p.Width == 1 && text == "1":
				l.cells = append(l.cells, "▔")
			case text == before && i > 0:
				l.cells = append(l.cells, ".")
			default:
				l.cells = append(l.cells, text)
			}
			before = text
		}
		lines = append(lines, l)
	}
	for _, p := range h.inputs {
		add(p, func(m moment) ([]byte, []byte) { return m.in, nil })
	}
	for _, p := range h.outputs {
		add(p, func(m moment) ([]byte, []byte) { return m.out, m.unknown })
	}

	nameWidth := 0
	widths := make([]int, len(moments))
	for _, l := range lines {
		nameWidth = max(nameWidth, len(l.name))
		for i, c := range l.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, l := range lines {
		fmt.Fprintf(b, "%-*s ", nameWidth, l.name)
		var text strings.Builder
		for i, c := range l.cells {
			fill := " "
			if c == "▁" || c == "▔" {
				fill = c
			}
			text.WriteString(c)
			text.WriteString(strings.Repeat(fill, widths[i]-utf8.RuneCountInString(c)+1))
		}
		fmt.Fprintln(b, strings.TrimRight(text.String(), " "))
	}
}
