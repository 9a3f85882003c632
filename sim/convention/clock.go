package convention

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

var (
	// What people call clocks: clk, clk_i, i_clk, clock, aclk, wb_clk_i, sys_clk, clk_a_i, clk0,
	// wclk.
	clockName = regexp.MustCompile(`(?i)^(i_)?(\w+_)?(a|h|p|w|r|tx|rx|sys)?(clk|clock)(_?[a-z0-9])?(_i|_in)?$`)
	// And resets: rst, rst_ni, reset, i_rst_n, aresetn, nreset, sys_rst_l, rstb.
	resetName = regexp.MustCompile(`(?i)^(i_)?(\w+_)?(n)?(a|h|p|sys|s)?(rst|reset)(_?n|_?b|_l)?(_i|_in|i)?$`)
)

// ClockAndReset sets the clock and the reset of a design: those that are given, or else by the
// names of its ports. If several inputs have the name of a clock, and none is given, that is an
// error.
func ClockAndReset(d *sim.Design, g Given, ports []sim.Port) (notes []Note, err error) {
	var clocks, resets []string
	for _, p := range ports {
		if p.Dir != bridge.Input || p.Width != 1 {
			continue
		}
		if clockName.MatchString(p.Name) {
			clocks = append(clocks, p.Name)
		} else if resetName.MatchString(p.Name) {
			resets = append(resets, p.Name)
		}
	}
	clockWhy := "its name"
	if len(clocks) == 0 && !g.NoClock && len(g.Clocks) == 0 {
		clocks = atEdges(*d, ports, resets)
		clockWhy = "the edges in " + d.Top
	}
	how := g.hints()
	for _, c := range g.Clocks {
		if err := isBit(d, ports, Clock, c.Port); err != nil {
			return nil, err
		}
	}
	switch {
	case g.NoClock:
	case len(g.Clocks) == 1 && g.Clocks[0].Phase == 0 && g.Clocks[0].PeriodPs == 0:
		d.Clock, d.Period = g.Clocks[0].Port, g.Clocks[0].Period
	case len(g.Clocks) > 0:
		d.Clocks = slices.Clone(g.Clocks)
	case len(clocks) == 1:
		d.Clock = clocks[0]
		notes = append(notes, Note{Clock, fmt.Sprintf("Clock: %s, by %s.", d.Clock, clockWhy), how.Clock + " takes another one."})
	case len(clocks) > 1:
		return nil, &Error{Clock, "", fmt.Sprintf("%s has several inputs that are clocks by %s: %s", d.Top, strings.Replace(clockWhy, "its name", "their names", 1), list(clocks)), how.Clock + " says which of them are clocks"}
	default:
		notes = append(notes, Note{Clock, "No input has the name of a clock, so the design is taken to be combinational: each change of an input is one cycle.", how.Clock + " names a clock."})
	}
	switch {
	case g.Reset != "":
		if err := isBit(d, ports, Reset, g.Reset); err != nil {
			return nil, err
		}
		if d.Clock == g.Reset || slices.ContainsFunc(d.Clocks, func(c sim.Clock) bool { return c.Port == g.Reset }) {
			return nil, &Error{Reset, g.Reset, g.Reset + " is a clock, and cannot be the reset", how.NoReset + " says that there is none"}
		}
		d.Reset, d.ResetActiveLow = g.Reset, g.ResetActiveLow
		if g.ResetByUse {
			d.ResetActiveLow, _ = polarity(*d)
		}
	case g.NoReset || d.Clock == "" && len(d.Clocks) == 0:
	case len(resets) == 1:
		d.Reset = resets[0]
		low, why := polarity(*d)
		d.ResetActiveLow = low
		level := "high"
		if low {
			level = "low"
		}
		notes = append(notes, Note{Reset, fmt.Sprintf("Reset: %s, active %s, by %s.", d.Reset, level, why), how.Reset + " takes another one."})
	case len(resets) > 1:
		notes = append(notes, Note{Reset, fmt.Sprintf("Several inputs have the name of a reset: %s. None is taken.", list(resets)), how.Reset + " takes one of them."})
	default:
		notes = append(notes, Note{Reset, "No input has the name of a reset.", how.Reset + " names one."})
	}
	return notes, nil
}

// edge matches a signal at whose edges something happens.
var edge = regexp.MustCompile(`\b(?:posedge|negedge)\s*\(?\s*([A-Za-z_]\w*)`)

// atEdges returns the inputs of one bit at whose edges something happens in the top module, without
// resets.
func atEdges(d sim.Design, ports []sim.Port, resets []string) (names []string) {
	for _, text := range sources(d) {
		for _, m := range modules(text) {
			if m.name != d.Top {
				continue
			}
			for _, e := range edge.FindAllStringSubmatch(m.body, -1) {
				input := slices.ContainsFunc(ports, func(p sim.Port) bool { return p.Name == e[1] && p.Dir == bridge.Input && p.Width == 1 })
				if input && !slices.Contains(resets, e[1]) && !slices.Contains(names, e[1]) {
					names = append(names, e[1])
				}
			}
		}
	}
	return names
}

// ParseClock reads a clock: PORT, PORT=PERIOD, or none, which reports that there is none.
func ParseClock(text string) (c sim.Clock, none bool, err error) {
	name, period, given := strings.Cut(text, "=")
	if !given {
		return sim.Clock{Port: name}, name == "none", nil
	}
	t, err := time.ParseDuration(period)
	if err != nil || t <= 0 || name == "" {
		return c, false, fmt.Errorf("%s: %s is not a period", text, period)
	}
	return sim.Clock{Port: name, Period: t}, false, nil
}

// ParseReset reads a reset: PORT, !PORT if it is active low, or none. "" says nothing.
func ParseReset(text string) (port string, low, none bool) {
	port, low = strings.CutPrefix(text, "!")
	if port == "none" {
		return "", false, true
	}
	return port, low, false
}

// isBit returns an error if a module has no input of this name and one bit.
func isBit(d *sim.Design, ports []sim.Port, part Part, name string) error {
	var bits []string
	for _, p := range ports {
		if p.Dir == bridge.Input && p.Width == 1 {
			if p.Name == name {
				return nil
			}
			bits = append(bits, p.Name)
		}
	}
	help := "it has none"
	if len(bits) > 0 {
		help = "it has " + list(bits)
	}
	return &Error{part, name, fmt.Sprintf("module %s has no input %s of one bit to be a %s", d.Top, name, part), help}
}

// ActiveLow reports whether the name of a reset says that it is active low.
func ActiveLow(reset string) bool {
	m := resetName.FindStringSubmatch(reset)
	return m != nil && (m[3] != "" || m[6] != "")
}

// polarity reports whether a design's reset is active low. A name that does not say so can belong
// to a reset that the sources use as one: always @(negedge rst), or if (!rst).
func polarity(d sim.Design) (low bool, why string) {
	if ActiveLow(d.Reset) {
		return true, "its name"
	}
	name := `\s*\(?\s*` + regexp.QuoteMeta(d.Reset) + `\b`
	asLow := regexp.MustCompile(`\bnegedge` + name + `|\bif\s*\(\s*[!~]` + name)
	asHigh := regexp.MustCompile(`\bposedge` + name + `|\bif\s*\(` + name + `|` + name + `\s*\?`)
	// An assertion that holds but in a reset says the opposite.
	asserted := regexp.MustCompile(`\bif\s*\(\s*[!~]` + name + `\s*\)\s*(begin\s*)?(assert|assume|cover)\b`)
	for _, text := range sources(d) {
		for _, m := range modules(text) {
			if m.name == d.Top && asLow.MatchString(asserted.ReplaceAllString(m.body, "")) && !asHigh.MatchString(m.body) {
				return true, "how " + d.Top + " uses it"
			}
		}
	}
	return false, "its name"
}

// hasPort reports whether the header of a module has any port, as far as can be seen in its text.
func hasPort(body string) bool {
	header, _, _ := strings.Cut(body, ";")
	header = strings.TrimSpace(header)
	if rest, ok := strings.CutPrefix(header, "#"); ok { // parameters
		depth := 0
		for i, c := range rest {
			switch c {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					header = rest[i+1:]
				}
			}
			if depth == 0 && c == ')' {
				break
			}
		}
	}
	return strings.Trim(header, " \t\r\n()") != ""
}
