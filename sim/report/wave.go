package report

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Wave is the values of signals in a simulator over some cycles.
type Wave struct {
	Column string          // the simulator, one of the Failure's columns
	Cycles []uint64        // the cycles' numbers, oldest first
	Times  []time.Duration // times of their rising edges; may be nil
	Clocks []Clock
	Traces []Trace // in the order in which they are shown

	failed    int    // index of the cycle that failed, or -1; set by Failure.wave
	reference string // the column with the expected values; set by Failure.wave
}

// Clock is a clock of the design.
type Clock struct {
	Name string
	// Rises is true for the cycles of the wave at whose ends this clock rises. Nil means all.
	Rises []bool
}

// Trace is a signal over the cycles of a [Wave].
type Trace struct {
	Signal
	Values []Value // one for each cycle
	// Others are the values of the model or of other simulators, which are drawn below where they
	// differ. If Others is nil, a Failure's ports are used for its cycle.
	Others []Series
}

// Series is the values of a signal in one column.
type Series struct {
	Column string
	Values []Value // one for each cycle; no value for cycles that are not compared
}

// at returns the value in a cycle, or none.
func (t *Trace) at(i int) Value {
	if i < len(t.Values) {
		return t.Values[i]
	}
	return Value{}
}

func (s *Series) differs(t *Trace, i int) bool {
	return i < len(s.Values) && s.Values[i].Bits != nil && t.Text(s.Values[i]) != t.Text(t.at(i))
}

func (s *Series) differsAnywhere(t *Trace) bool {
	for i := range s.Values {
		if s.differs(t, i) {
			return true
		}
	}
	return false
}

// wrong reports whether the reference has another value in a cycle.
func (t *Trace) wrong(i int, reference string) bool {
	return slices.ContainsFunc(t.Others, func(s Series) bool { return s.Column == reference && s.differs(t, i) })
}

// wave returns the failure's wave, with the values of the other columns in the cycle that failed.
func (f *Failure) wave() *Wave {
	w := f.Wave
	w.Traces = slices.Clone(w.Traces)
	at := slices.Index(w.Cycles, f.Cycle)
	w.failed = at
	if len(f.Columns) > 0 {
		w.reference = f.Columns[0]
	}
	column := slices.Index(f.Columns, w.Column)
	if column < 0 {
		column = min(1, len(f.Columns)-1)
	}
	for i := range w.Traces {
		t := &w.Traces[i]
		p := slices.IndexFunc(f.Ports, func(p Port) bool { return p.Name == t.Name })
		if at < 0 || p < 0 || t.Others != nil || t.Dir == Input {
			continue
		}
		port := &f.Ports[p]
		for c, name := range f.Columns {
			if c == column || c == 0 && port.Differ(column).Sign() == 0 || c > 0 && port.Differ(c).Sign() == 0 {
				continue
			}
			values := make([]Value, len(w.Cycles))
			values[at] = port.value(c)
			t.Others = append(t.Others, Series{name, values})
		}
	}
	return &w
}

// cellWidth is how many characters a value may have in a waveform in text.
const cellWidth = 20

// Text returns the waveform as text: a line for each signal and a column for each cycle. Single
// bits are drawn high and low, and words are written where they change. If there are several
// clocks, the cycles in which each rises are marked.
func (w *Wave) Text() string {
	var b strings.Builder
	unmarked := *w
	unmarked.failed = -1
	unmarked.text(&b, palette{})
	return b.String()
}

func (w *Wave) text(b *strings.Builder, colour palette) {
	if len(w.Cycles) == 0 {
		return
	}
	type line struct {
		name  string
		cells []string
		bad   []bool // cells that differ
	}
	header := line{name: "cycle"}
	for i, cycle := range w.Cycles {
		text := fmt.Sprint(cycle)
		if i%4 != 0 && i != len(w.Cycles)-1 && i != w.failed {
			text = ""
		}
		header.cells = append(header.cells, text)
		header.bad = append(header.bad, i == w.failed)
	}
	lines := []line{header}
	if len(w.Clocks) > 1 {
		for _, c := range w.Clocks {
			l := line{name: cleanLine(c.Name)}
			for i := range w.Cycles {
				mark := ""
				if c.rises(i) {
					mark = "^"
				}
				l.cells = append(l.cells, mark)
			}
			lines = append(lines, l)
		}
	}
	for i := range w.Traces {
		t := &w.Traces[i]
		l := line{name: cleanLine(t.Name)}
		before := ""
		for i := range w.Cycles {
			text := shorten(cleanLine(t.Text(t.at(i))), cellWidth)
			cell := text
			switch {
			case t.width() == 1 && text == "0":
				cell = "▁"
			case t.width() == 1 && text == "1":
				cell = "▔"
			case text == before && i > 0:
				cell = "."
			}
			l.cells = append(l.cells, cell)
			l.bad = append(l.bad, t.wrong(i, w.reference))
			before = text
		}
		lines = append(lines, l)
	}

	names := 0
	widths := make([]int, len(w.Cycles))
	for _, l := range lines {
		names = max(names, utf8.RuneCountInString(l.name))
		for i, c := range l.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, l := range lines {
		var text strings.Builder
		text.WriteString(pad(l.name, -names))
		gap := " "
		for i, c := range l.cells {
			fill := " "
			if c == "▁" || c == "▔" {
				fill = c
			}
			text.WriteString(gap)
			gap = fill
			whole := c + strings.Repeat(fill, widths[i]-utf8.RuneCountInString(c))
			if l.bad != nil && l.bad[i] {
				whole = colour.bad(whole)
			}
			text.WriteString(whole)
		}
		if strings.HasSuffix(gap, "▁") || strings.HasSuffix(gap, "▔") {
			text.WriteString(gap)
		}
		fmt.Fprintln(b, strings.TrimRight(text.String(), " "))
	}
}

func (c *Clock) rises(i int) bool { return c.Rises == nil || i < len(c.Rises) && c.Rises[i] }
