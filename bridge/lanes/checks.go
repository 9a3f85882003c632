package lanes

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/source"
)

// lowerChecks leaves assertions and assumptions of a design's checks. Properties that only formal
// tools look at go, and newer Yosys' cells for what is printed.
const lowerChecks = "chformal -live -fair -cover -remove\ndelete t:$print\n"

// Older Yosys make of an assertion at an edge two flip-flops, for whether it is looked at and for
// whether it holds, and a cell $assert. Newer ones make a cell $check, which waits for the edges of
// TRG by itself. Assumptions are made the same, with $assume.

// isCheck reports whether a cell is an assertion or an assumption as older Yosys make them.
func (c *cell) isCheck() bool { return c.Type == "$assert" || c.Type == "$assume" }

// check returns an error for an assertion that lanes cannot look at.
func (x *examination) check(place string, c cell) error {
	const what = "assertion"
	clocked, others := 0, 0
	for i, b := range c.Connections["TRG"] {
		_, isClock := x.clockOf[b]
		switch {
		case !isClock:
			others++
		case !c.rises(i):
			return x.cannot(place, what, "it acts at the falling edge of its clock, and a cycle of a lane has the rising edge only")
		default:
			clocked++
		}
	}
	switch {
	case c.number("TRG_ENABLE") == 0:
	case clocked+others == 0:
		return x.cannot(place, what, "it is looked at once, at the beginning, which is for formal tools only")
	case clocked != 1 || others > 1:
		return x.cannot(place, what, "it acts at other edges than those of a clock of the design and of one asynchronous reset")
	case others > 0 && c.Connections["EN"][0] == low:
		return x.cannot(place, what, "Yosys leaves it out, as it is in the branch of an asynchronous reset: write it in an always_ff of its own")
	}
	for _, pin := range []string{"A", "EN"} {
		if i, isClock := x.clockOf[c.Connections[pin][0]]; isClock {
			return x.cannot(place, what, "it reads the clock "+x.clocks[i].Port+", which has no value in a cycle")
		}
	}
	return nil
}

// rises reports whether a bit of TRG is waited for at its rising edge.
func (c *cell) rises(i int) bool {
	text := c.text("TRG_POLARITY")
	at := len(text) - 1 - i
	return at >= 0 && text[at] == '1'
}

// plainChecks makes of newer Yosys' assertions what older ones make of them.
func (n *netlist) plainChecks(clocks []bridge.Clock) {
	isClock := map[bit]bool{}
	for _, c := range clocks {
		if p, ok := n.Ports[c.Port]; ok {
			isClock[p.Bits[0]] = true
		}
	}
	last := high
	for _, name := range n.sortedCells() {
		for _, bits := range n.Cells[name].Connections {
			for _, b := range bits {
				last = max(last, b)
			}
		}
	}
	for _, p := range n.Ports {
		for _, b := range p.Bits {
			last = max(last, b)
		}
	}
	// add adds a cell, and returns the net that it drives.
	add := func(name, kind, out string, params map[string]any, in map[string]bit) bit {
		last++
		c := cell{Type: kind, Parameters: params, Directions: map[string]string{out: "output"}, Connections: map[string][]bit{out: {last}}}
		for pin, b := range in {
			c.Directions[pin], c.Connections[pin] = "input", []bit{b}
		}
		n.Cells[name] = c
		return last
	}
	for _, name := range n.sortedCells() {
		c := n.Cells[name]
		if c.Type != "$check" {
			continue
		}
		a, enable := c.Connections["A"][0], c.Connections["EN"][0]
		if c.number("TRG_ENABLE") == 1 {
			// EN does not say that an asynchronous reset is not active.
			holds, enabled, kind := map[string]bit{"D": a}, map[string]bit{"D": enable}, "$_DFF_P_"
			for i, b := range c.Connections["TRG"] {
				if isClock[b] {
					holds["C"], enabled["C"] = b, b
					continue
				}
				if !c.rises(i) {
					b = add(name+".not", "$lut", "Y", map[string]any{"LUT": "01"}, map[string]bit{"A": b})
				}
				enabled["R"], kind = b, "$_DFF_PP0_"
			}
			a = add(name+".holds", "$_DFF_P_", "Q", nil, holds)
			enable = add(name+".enable", kind, "Q", nil, enabled)
			n.Netnames[name+".enable"] = netName{Hidden: 1, Bits: []bit{enable}, Attributes: map[string]any{"init": "0"}}
		}
		n.Cells[name] = cell{Type: "$" + c.text("FLAVOR"), Attributes: c.Attributes, Directions: map[string]string{"A": "input", "EN": "input"},
			Connections: map[string][]bit{"A": {a}, "EN": {enable}}}
	}
}

// placeChecks corrects the places of assertions in a netlist: those of older Yosys begin where the
// word before the assertion ends, which may be lines above.
func (y *run) placeChecks(n *netlist) {
	for _, c := range n.Cells {
		if !c.isCheck() {
			continue
		}
		src, _ := c.Attributes["src"].(string)
		file, position, _ := cutLast(src[strings.LastIndexByte(src, '|')+1:], ":")
		var line, column int
		if found, _ := fmt.Sscanf(position, "%d.%d-", &line, &column); found != 2 || line < 1 || column < 1 {
			continue
		}
		for _, s := range y.sources {
			if s.Name != file {
				continue
			}
			lines := strings.Split(string(source.WithoutComments(s.Data)), "\n")
			if at := lines[:min(line, len(lines))]; len(at) == line && strings.TrimSpace(at[line-1][min(column-1, len(at[line-1])):]) == "" {
				for line++; line < len(lines) && strings.TrimSpace(lines[line-1]) == ""; line++ {
				}
				c.Attributes["src"] = fmt.Sprintf("%s:%d", file, line)
			}
		}
	}
}
