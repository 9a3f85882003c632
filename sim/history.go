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

// history keeps the last cycles for reports, as raw rows.
type history struct {
	layout *bridge.Layout
	rows   []moment // oldest first, at most shown
}

// moment is one cycle.
type moment struct {
	cycle            uint64
	in, out, unknown []byte
}

func (h *history) init(l *bridge.Layout) { h.layout = l }

// keep takes over the last of the n rows at the front of a tape, the first of
// which was played in the given cycle.
func (h *history) keep(t *bridge.Tape, first uint64, n int) {
	for i := max(0, n-shown); i < n; i++ {
		var m moment
		if len(h.rows) == shown { // reuse the oldest: no garbage while stepping
			m = h.rows[0]
			copy(h.rows, h.rows[1:])
			h.rows = h.rows[:shown-1]
		}
		m.cycle = first + uint64(i)
		in, out := h.layout.InSize, h.layout.OutSize
		m.in = append(m.in[:0], t.In[i*in:(i+1)*in]...)
		m.out = append(m.out[:0], t.Out[i*out:(i+1)*out]...)
		if t.Unknown != nil {
			m.unknown = append(m.unknown[:0], t.Unknown[i*out:(i+1)*out]...)
		}
		h.rows = append(h.rows, m)
	}
}

// copy is a history of its own.
func (h *history) copy() history {
	c := history{layout: h.layout}
	for _, m := range h.rows {
		c.rows = append(c.rows, moment{m.cycle, slices.Clone(m.in), slices.Clone(m.out), slices.Clone(m.unknown)})
	}
	return c
}

// waveform prints the cycles as text: a line per port and a column per cycle.
// Single bits are drawn high and low, words are shown where they change.
func (h *history) waveform(b *strings.Builder) {
	if len(h.rows) == 0 {
		return
	}
	type line struct {
		name  string
		cells []string
	}
	var lines []line
	header := line{name: "cycle"}
	for i, m := range h.rows {
		text := fmt.Sprint(m.cycle)
		if i%4 != 0 && i != len(h.rows)-1 {
			text = ""
		}
		header.cells = append(header.cells, text)
	}
	lines = append(lines, header)
	add := func(p bridge.Port, row func(moment) (value, unknown []byte)) {
		l := line{name: p.Name}
		before := ""
		for i, m := range h.rows {
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
	for _, p := range h.layout.Inputs {
		add(p, func(m moment) ([]byte, []byte) { return m.in, nil })
	}
	for _, p := range h.layout.Outputs {
		add(p, func(m moment) ([]byte, []byte) { return m.out, m.unknown })
	}

	nameWidth := 0
	widths := make([]int, len(h.rows))
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
