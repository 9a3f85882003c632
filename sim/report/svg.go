package report

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Sizes in the picture, in pixels.
const (
	charWidth  = 7.3 // of the font of 12 pixels, rounded up
	rowHeight  = 28
	traceHigh  = 5  // from a row's top to the high level
	traceLow   = 23 // from a row's top to the low level
	traceMid   = (traceHigh + traceLow) / 2
	otherRow   = 24 // height of the row below with another column's values
	headHeight = 30 // of the title
	axisHeight = 40 // of the cycles' numbers and times
	margin     = 14
	slope      = 3 // half the width of a transition
)

//go:embed wave.css
var waveStyle string

// SVG returns the failure's waveform as a picture for a browser or a page, light or dark, which
// loads nothing. A column of the picture is a cycle, from one rising edge to the next, with its
// number above. Inputs are applied in the cycle and outputs are sampled at its end. The failure's
// cycle is marked. Below a signal that differs are the values of the other columns.
func (f *Failure) SVG() string {
	w := f.wave()
	d := drawing{wave: w}
	d.measure()
	d.draw(f.Title())
	return d.b.String()
}

// drawing draws an SVG.
type drawing struct {
	wave *Wave
	b    strings.Builder

	// widths of the columns of names, of values at the mark, of a cycle
	names, values, cycle float64
	left, width, height  float64 // where the waves begin; size of the picture
}

// measure makes cycles as wide as their values need, within limits.
func (d *drawing) measure() {
	names, values, cells := len("outputs"), len("at 12345"), 4
	for _, c := range d.wave.Clocks {
		names = max(names, len([]rune(d.name(c.Name, ""))))
	}
	for i := range d.wave.Traces {
		t := &d.wave.Traces[i]
		names = max(names, len([]rune(d.name(t.Name, t.span()))))
		for i := range d.wave.Cycles {
			n := utf8.RuneCountInString(d.text(t, t.at(i)))
			if t.width() > 1 {
				cells = max(cells, n)
			}
			if i == d.mark() {
				values = max(values, min(n, cellWidth))
			}
		}
		for _, o := range t.Others {
			names = max(names, 2+utf8.RuneCountInString(cleanLine(o.Column)))
		}
	}
	d.names = charWidth*float64(min(names, 34)) + 8
	d.values = charWidth*float64(values) + 12
	d.cycle = min(max(charWidth*float64(cells)+14, 44), 64)
	d.left = margin + d.names + d.values + 8
	d.width = d.left + d.cycle*float64(len(d.wave.Cycles)) + margin
	d.width = max(d.width, 480)
}

// mark returns the cycle whose values are beside the names: the one that failed, or the last.
func (d *drawing) mark() int {
	if d.wave.failed >= 0 {
		return d.wave.failed
	}
	return len(d.wave.Cycles) - 1
}

func (d *drawing) name(name, span string) string { return shorten(cleanLine(name)+span, 34) }

func (d *drawing) text(t *Trace, v Value) string { return cleanLine(t.Text(v)) }

func (d *drawing) x(cycle int) float64 { return d.left + d.cycle*float64(cycle) }

// escape returns a text with XML's special characters escaped.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}

func (d *drawing) put(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case float64:
			args[i] = number(a)
		case string:
			args[i] = escape(a)
		}
	}
	fmt.Fprintf(&d.b, format+"\n", args...)
}

// number returns a coordinate as text, with one decimal if it needs one.
func number(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// row is a line of the picture.
type row struct {
	y      float64
	height float64
	draw   func(y float64)
}

func (d *drawing) draw(title string) {
	var rows []row
	y := float64(headHeight + axisHeight)
	add := func(height float64, draw func(float64)) {
		rows = append(rows, row{y, height, draw})
		y += height
	}
	for i := range d.wave.Clocks {
		c := &d.wave.Clocks[i]
		add(rowHeight, func(y float64) { d.clock(c, y) })
	}
	dir := Direction("")
	for i := range d.wave.Traces {
		t := &d.wave.Traces[i]
		if t.Dir != dir && t.Dir != "" {
			add(20, func(y float64) {
				d.put(`<text class="wv-head" x="%s" y="%s">%s</text>`, float64(margin), y+15, t.Dir.heading())
			})
		}
		dir = t.Dir
		add(rowHeight, func(y float64) { d.trace(t, y) })
		for i := range t.Others {
			o := &t.Others[i]
			if !o.differsAnywhere(t) {
				continue
			}
			add(otherRow, func(y float64) { d.other(t, o, y) })
		}
	}
	d.height = y + margin/2

	d.put(`<svg xmlns="http://www.w3.org/2000/svg" class="wv" width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="wv-title wv-desc">`,
		d.width, d.height, d.width, d.height)
	d.put(`<title id="wv-title">%s</title>`, title)
	d.put(`<desc id="wv-desc">%s</desc>`, d.describe())
	d.b.WriteString("<style>\n" + waveStyle + "</style>\n")
	d.put(`<defs><pattern id="wv-x" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="wv-hatch-back" width="6" height="6"/><rect class="wv-hatch" width="2" height="6"/></pattern></defs>`)
	d.put(`<rect class="wv-back" x="0.5" y="0.5" width="%s" height="%s" rx="6"/>`, d.width-1, d.height-1)
	d.put(`<text class="wv-title" x="%d" y="21">%s</text>`, margin, shorten(title, int((d.width-2*margin)/7.8)))
	d.axis(y)
	for _, r := range rows {
		r.draw(r.y)
	}
	d.b.WriteString("</svg>\n")
}

// describe returns in words what the picture shows.
func (d *drawing) describe() string {
	n := len(d.wave.Cycles)
	if n == 0 {
		return "No cycle was recorded."
	}
	text := fmt.Sprintf("Waveform of %d signals in cycles %d to %d", len(d.wave.Traces), d.wave.Cycles[0], d.wave.Cycles[n-1])
	if d.wave.Column != "" {
		text += ", from " + cleanLine(d.wave.Column)
	}
	text += "."
	if d.wave.failed < 0 {
		return text
	}
	text += fmt.Sprintf(" Cycle %d is marked.", d.wave.Cycles[d.wave.failed])
	for i := range d.wave.Traces {
		t := &d.wave.Traces[i]
		for _, o := range t.Others {
			if o.differs(t, d.wave.failed) {
				text += fmt.Sprintf(" There %s is %s and %s has %s.", cleanLine(t.Name), d.text(t, t.at(d.wave.failed)), cleanLine(o.Column), d.text(t, o.Values[d.wave.failed]))
			}
		}
	}
	return text
}

// axis draws the cycles' numbers and times, the grid, and the mark, down to y.
func (d *drawing) axis(bottom float64) {
	n := len(d.wave.Cycles)
	top := float64(headHeight)
	mark := d.mark()
	if d.wave.failed >= 0 {
		d.put(`<rect class="wv-mark" x="%s" y="%s" width="%s" height="%s"/>`, d.x(d.wave.failed), top, d.cycle, bottom-top)
	}
	for i := 0; i <= n; i++ {
		class := "wv-grid"
		if d.wave.failed >= 0 && i == d.wave.failed+1 {
			class = "wv-edge"
		}
		d.put(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, d.x(i), top+axisHeight-4, d.x(i), bottom)
	}
	d.put(`<text class="wv-head" x="%d" y="%s">cycle</text>`, margin, top+14)
	if n > 0 {
		d.put(`<text class="wv-head wv-end" x="%s" y="%s">at %d</text>`, d.left-14, top+14, d.wave.Cycles[mark])
	}
	d.labels(top+14, "wv-tick", charWidth, func(i int) string { return fmt.Sprint(d.wave.Cycles[i]) })
	if len(d.wave.Times) == n && n > 0 {
		d.put(`<text class="wv-head" x="%d" y="%s">rising edge at its end</text>`, margin, top+29)
		d.labels(top+29, "wv-time", charWidth*10/12, func(i int) string { return d.wave.Times[i].String() })
	}
}

// labels writes a text for as many cycles as there is room for. The marked cycle is one of them.
func (d *drawing) labels(y float64, class string, charWidth float64, text func(int) string) {
	longest := 0
	for i := range d.wave.Cycles {
		longest = max(longest, utf8.RuneCountInString(text(i)))
	}
	each := 1
	for float64(each)*d.cycle < float64(longest)*charWidth+8 {
		each++
	}
	for i := range d.wave.Cycles {
		if (d.mark()-i)%each != 0 {
			continue
		}
		bad := ""
		if i == d.wave.failed {
			bad = " wv-bad"
		}
		d.put(`<text class="%s wv-mid%s" x="%s" y="%s">%s</text>`, class, bad, d.x(i)+d.cycle/2, y, text(i))
	}
}

// label writes a row's name, and its value at the mark.
func (d *drawing) label(name, value, class string, y float64) {
	d.put(`<text class="wv-name" x="%d" y="%s">%s</text>`, margin, y+traceMid+4, name)
	if value != "" {
		d.put(`<text class="wv-value wv-end%s" x="%s" y="%s">%s</text>`, class, d.left-14, y+traceMid+4, shorten(value, cellWidth))
	}
}

// clock draws a pulse after each rising edge. The edge at the end of a cycle is the beginning of
// the next one.
func (d *drawing) clock(c *Clock, y float64) {
	d.label(d.name(c.Name, ""), "", "", y)
	var path strings.Builder
	low, high := y+traceLow, y+traceHigh
	fmt.Fprintf(&path, "M%s %s", number(d.left), number(low))
	for i := range d.wave.Cycles {
		// The cycle before the first one is not known. A single clock rises in it as in every
		// cycle.
		if i == 0 && c.Rises == nil || i > 0 && c.rises(i-1) {
			x := d.x(i)
			fmt.Fprintf(&path, "H%sV%sH%sV%s", number(x), number(high), number(x+d.cycle/2), number(low))
		}
	}
	fmt.Fprintf(&path, "H%s", number(d.x(len(d.wave.Cycles))))
	if n := len(d.wave.Cycles); n > 0 && c.rises(n-1) {
		fmt.Fprintf(&path, "V%s", number(high))
	}
	d.put(`<path class="wv-clock" d="%s"/>`, path.String())
}

// trace draws a signal.
func (d *drawing) trace(t *Trace, y float64) {
	value, class := "", ""
	if m := d.mark(); m >= 0 {
		value = d.text(t, t.at(m))
		if t.wrong(m, d.wave.reference) {
			class = " wv-bad"
		}
	}
	d.b.WriteString("<g>")
	d.put(`<title>%s</title>`, cleanLine(t.Name)+t.span())
	d.label(d.name(t.Name, t.span()), value, class, y)
	for i := range d.wave.Cycles {
		if t.wrong(i, d.wave.reference) {
			d.put(`<rect class="wv-differs" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, d.x(i), y+2, d.cycle, float64(rowHeight-4))
		}
	}
	d.series(t, func(i int) Value { return t.at(i) }, y, "")
	d.b.WriteString("</g>\n")
}

// other draws the values of another column in the cycles in which they differ.
func (d *drawing) other(t *Trace, o *Series, y float64) {
	d.b.WriteString("<g>")
	d.put(`<title>%s of %s</title>`, cleanLine(t.Name), cleanLine(o.Column))
	value, class, kind := "", " wv-bad", " wv-seen"
	if o.Column == d.wave.reference {
		class, kind = " wv-good", " wv-want"
	}
	if m := d.mark(); m >= 0 && o.differs(t, m) {
		value = d.text(t, o.Values[m])
	}
	d.put(`<text class="wv-other" x="%d" y="%s">%s</text>`, margin+14, y+traceMid+1, shorten(cleanLine(o.Column), 32))
	d.put(`<text class="wv-value wv-end%s" x="%s" y="%s">%s</text>`, class, d.left-14, y+traceMid+1, shorten(value, cellWidth))
	d.series(t, func(i int) Value {
		if !o.differs(t, i) {
			return Value{}
		}
		return o.Values[i]
	}, y-3, kind)
	d.b.WriteString("</g>\n")
}

// series draws values: a single bit as a line, words as lozenges from change to change. Cycles
// without a value stay empty.
func (d *drawing) series(t *Trace, at func(int) Value, y float64, kind string) {
	n := len(d.wave.Cycles)
	if t.width() == 1 && len(t.Names) == 0 {
		d.bits(t, at, y, kind)
		return
	}
	for from := 0; from < n; {
		text := d.text(t, at(from))
		to := from + 1
		for to < n && d.text(t, at(to)) == text {
			to++
		}
		if bits, unknown := t.fit(at(from)); bits != nil {
			class := "wv-bus" + kind
			switch all := low(big.NewInt(-1), t.width()); {
			case unknown.Cmp(all) == 0 && bits.Cmp(all) == 0:
				d.floating(from, to, y, kind)
				from = to
				continue
			case unknown.Sign() != 0:
				class += " wv-unknown"
			}
			d.lozenge(class, text, from, to, y)
			// A cycle that is wrong gets a lozenge of its own, even if the value has not changed.
			for part := from; part < to; {
				end := part + 1
				for end < to && t.wrong(end, d.wave.reference) == t.wrong(part, d.wave.reference) {
					end++
				}
				d.inside(class, text, part, end, y)
				part = end
			}
		}
		from = to
	}
}

// lozenge draws a word from the beginning of cycle from to that of cycle to, with the whole value
// as a tooltip.
func (d *drawing) lozenge(class, text string, from, to int, y float64) {
	x1, x2 := d.x(from), d.x(to)
	high, mid, low := y+traceHigh, y+traceMid, y+traceLow
	d.put(`<path class="%s" d="M%s %sL%s %sH%sL%s %sL%s %sH%sZ"><title>%s</title></path>`, class,
		x1, mid, x1+slope, high, x2-slope, x2, mid, x2-slope, low, x1+slope, text)
}

// inside writes a word's value between two cycles, as far as there is room.
func (d *drawing) inside(class, text string, from, to int, y float64) {
	x1, x2 := d.x(from), d.x(to)
	if room := int((x2 - x1 - 2*slope - 4) / charWidth); room > 0 {
		d.put(`<text class="wv-mid %s" x="%s" y="%s">%s</text>`, strings.Replace(class, "wv-bus", "wv-text", 1), (x1+x2)/2, y+traceMid+4, shorten(text, room))
	}
}

// floating draws Z: a line at half the height.
func (d *drawing) floating(from, to int, y float64, kind string) {
	d.put(`<path class="wv-z%s" d="M%s %sH%s"><title>z</title></path>`, kind, d.x(from), y+traceMid, d.x(to))
}

// bits draws a single bit: a line that is high or low, in the middle for Z, and a hatched area for
// X.
func (d *drawing) bits(t *Trace, at func(int) Value, y float64, kind string) {
	n := len(d.wave.Cycles)
	level := map[string]float64{"0": y + traceLow, "1": y + traceHigh}
	state := func(i int) string {
		if i < 0 || i >= n {
			return "-"
		}
		return t.Text(at(i))
	}
	run := func(i int) int { // returns the end of the state that begins at i
		end := i + 1
		for end < n && state(end) == state(i) {
			end++
		}
		return end
	}
	var path, fill strings.Builder
	for i := range n {
		now, before := state(i), state(i-1)
		x1, x2 := d.x(i), d.x(i+1)
		switch now {
		case "0", "1":
			if last, ok := level[before]; !ok {
				fmt.Fprintf(&path, "M%s %s", number(x1), number(level[now]))
			} else if last != level[now] {
				fmt.Fprintf(&path, "H%sL%s %s", number(x1), number(x1+slope), number(level[now]))
			}
			fmt.Fprintf(&path, "H%s", number(x2))
			if now == "1" && before != "1" {
				from := x1
				if before == "0" {
					from += slope
				}
				fmt.Fprintf(&fill, "M%s %sV%sH%sV%sZ", number(from), number(y+traceLow), number(y+traceHigh), number(d.x(run(i))), number(y+traceLow))
			}
		case before: // an X or Z goes on
		case "x":
			d.put(`<rect class="wv-bit-x%s" x="%s" y="%s" width="%s" height="%d"><title>x</title></rect>`, kind, x1, y+traceHigh, d.x(run(i))-x1, traceLow-traceHigh)
		case "z":
			d.floating(i, run(i), y, kind)
		}
	}
	if fill.Len() > 0 && kind == "" {
		d.put(`<path class="wv-fill" d="%s"/>`, fill.String())
	}
	if path.Len() > 0 {
		d.put(`<path class="wv-bit%s" d="%s"/>`, kind, path.String())
	}
}
