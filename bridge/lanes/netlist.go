package lanes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// netlist is a module as Yosys' write_json has it.
type netlist struct {
	Ports    map[string]netPort `json:"ports"`
	Cells    map[string]cell    `json:"cells"`
	Netnames map[string]netName `json:"netnames"`
}

type netPort struct {
	Direction string `json:"direction"`
	Bits      []bit  `json:"bits"`
}

type cell struct {
	Type        string            `json:"type"`
	Parameters  map[string]any    `json:"parameters"`
	Attributes  map[string]any    `json:"attributes"`
	Directions  map[string]string `json:"port_directions"`
	Connections map[string][]bit  `json:"connections"`
}

type netName struct {
	Hidden     int            `json:"hide_name"`
	Bits       []bit          `json:"bits"`
	Attributes map[string]any `json:"attributes"`
}

// bit is a bit of a netlist: the number of a net, from 2 on, or one of the following.
type bit int32

const (
	low       bit = 0
	high      bit = 1
	undefined bit = -1 // x or z
)

// UnmarshalJSON reads a number, or "0", "1", "x" or "z".
func (b *bit) UnmarshalJSON(text []byte) error {
	if text[0] != '"' {
		n, err := strconv.ParseInt(string(text), 10, 32)
		*b = bit(n)
		return err
	}
	switch string(text) {
	case `"0"`:
		*b = low
	case `"1"`:
		*b = high
	default:
		*b = undefined
	}
	return nil
}

// parseNetlist returns the top module of a design.
func parseNetlist(data []byte, top string) (*netlist, error) {
	var d struct {
		Modules map[string]*netlist `json:"modules"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("what Yosys has written is not understood: %w", err)
	}
	if d.Modules[top] == nil {
		return nil, fmt.Errorf("there is no module %s in what Yosys has written", top)
	}
	return d.Modules[top], nil
}

// number returns a parameter that is a number. Yosys writes it in binary, and with fewer than 32
// bits sometimes as it likes.
func (c *cell) number(name string) int {
	n, _ := strconv.ParseUint(c.text(name), 2, 63)
	return int(n)
}

// text returns a parameter of bits, most significant first.
func (c *cell) text(name string) string {
	switch v := c.Parameters[name].(type) {
	case string:
		return strings.TrimRight(v, " ") // Yosys adds one to text that looks like bits
	case float64:
		return strconv.FormatInt(int64(v), 2)
	}
	return ""
}

// where returns the place of a cell or a net in the sources, or "".
func where(attributes map[string]any) string {
	src, _ := attributes["src"].(string)
	src = src[strings.LastIndexByte(src, '|')+1:]
	file, position, ok := cutLast(src, ":")
	line, _, _ := strings.Cut(position, ".")
	line, _, _ = strings.Cut(line, "-")
	if !ok || line == "" || line == "0" {
		return ""
	}
	return file + ":" + line
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// sortedCells are the names of the cells, so that the same netlist always gives the same circuit.
func (n *netlist) sortedCells() []string {
	names := make([]string, 0, len(n.Cells))
	for name := range n.Cells {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// nameOf returns the best name for a net, and where it is declared: one that a person has given, in
// the highest module, if there is one.
func (n *netlist) nameOf(b bit) (name, place string) {
	better := func(a, b string) bool { // than b
		if b == "" {
			return true
		}
		da, db := strings.Count(a, "."), strings.Count(b, ".")
		return da < db || da == db && a < b
	}
	for candidate, net := range n.Netnames {
		if net.Hidden == 0 && slices.Contains(net.Bits, b) && better(candidate, name) {
			name, place = candidate, where(net.Attributes)
		}
	}
	return name, place
}
