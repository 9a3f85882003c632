package lanes

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/cosimate/cosimate/bridge"
)

// insertedFault is a fault that is made of cells. With Control it is there only where that input,
// which is added, is 1.
type insertedFault struct {
	*Fault
	Control string
}

// Faulty returns commands of Yosys, as of [BuildOptions].Edit, that put a netlist with a fault in
// the place of the design: of the design after commands, with a cell for the fault. With control
// the fault is there where that input, which is added, is 1. Nothing of it is how [Pins.Model]
// makes faults, so that one can be held against the other.
func Faulty(ctx context.Context, d bridge.Design, commands []string, f *Fault, control string) ([]string, error) {
	files, err := Script(ctx, d, append(commands[:len(commands):len(commands)], "write_json words.json"), "words.json")
	if err != nil {
		return nil, err
	}
	text := files["words.json"]
	var pins []Pin
	if f != nil {
		pins = append(pins, f.Pin)
	}
	if text, _, err = insertPins(text, d.Top, pins, &insertedFault{f, control}); err != nil {
		return nil, err
	}
	return []string{"design -reset", freshNames + "read_json <<EOT\n" + string(text) + "\nEOT", "hierarchy -top " + d.Top}, nil
}

func number(n int) json.RawMessage { return json.RawMessage(strconv.Itoa(n)) }

// insert adds the cells of a fault between two nets, and returns their names. Nets are free from
// next on.
func (m *words) insert(f *insertedFault, before, other, after json.RawMessage, next int) (names []string) {
	add := func(kind string, pins map[string]json.RawMessage) {
		c := &wordCell{Type: kind, Parameters: json.RawMessage("{}"), Attributes: json.RawMessage("{}"),
			Directions: map[string]string{}, Connections: map[string][]json.RawMessage{}}
		for pin, net := range pins {
			c.Connections[pin], c.Directions[pin] = []json.RawMessage{net}, "input"
		}
		c.Directions["Y"] = "output"
		names = append(names, "cosimate_fault_"+strconv.Itoa(len(names)))
		m.Cells[names[len(names)-1]] = c
	}
	to := after
	if f.Control != "" {
		to = number(next)
	}
	switch f.Kind {
	case StuckAt0, StuckAt1:
		constant := json.RawMessage(`"0"`)
		if f.Kind == StuckAt1 {
			constant = json.RawMessage(`"1"`)
		}
		add("$_BUF_", map[string]json.RawMessage{"A": constant, "Y": to})
	case Inverted:
		add("$_NOT_", map[string]json.RawMessage{"A": before, "Y": to})
	case InvertedIf0:
		add("$_XNOR_", map[string]json.RawMessage{"A": before, "B": other, "Y": to})
	case InvertedIf1:
		add("$_XOR_", map[string]json.RawMessage{"A": before, "B": other, "Y": to})
	}
	if f.Control != "" {
		control := number(next + 1)
		m.Ports[f.Control] = wordPort{Direction: "input", Bits: []json.RawMessage{control}}
		m.Names[f.Control] = &wordNames{Bits: []json.RawMessage{control}, Attributes: map[string]json.RawMessage{}}
		add("$_MUX_", map[string]json.RawMessage{"A": before, "B": to, "S": control, "Y": after})
	}
	return names
}
