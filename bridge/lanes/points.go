package lanes

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// pointCell begins the names of the assertions that stand for points until LUTs are made: each
// fails where its point is reached.
const pointCell = "cosimate_point_"

// smallRegister is how many bits a register has at most of which each value is a point: it may be
// the state of a machine.
const smallRegister = 4

// pointer adds points to a module.
type pointer struct {
	*words
	points int
	next   int // the next net's number
	seen   map[string]bool
}

// insertPoints adds points: for each bit that chooses between branches, and each bit of a register,
// that it is 0 and that it is 1; that none of several branches is taken; and each value of a small
// register.
func insertPoints(text []byte, top string) ([]byte, error) {
	d, m, err := parseWords(text, top)
	if err != nil {
		return nil, err
	}
	p := &pointer{words: m, next: m.free(), seen: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(m.Cells)) {
		c := m.Cells[name]
		switch s, q := c.Connections["S"], c.Connections["Q"]; {
		case c.Type == "$mux", c.Type == "$pmux":
			p.bits(s)
			if len(s) > 1 {
				p.point(p.cell("$logic_not", map[string]int{"A_SIGNED": 0, "A_WIDTH": len(s)}, map[string][]json.RawMessage{"A": s}))
			}
		case strings.Contains(c.Type, "dff"):
			p.bits(q)
			for v := 0; len(q) > 1 && len(q) <= smallRegister && v < 1<<len(q); v++ {
				var value []json.RawMessage
				for i := range q {
					value = append(value, p.constant(v>>i&1))
				}
				p.point(p.cell("$eq", map[string]int{"A_SIGNED": 0, "B_SIGNED": 0, "A_WIDTH": len(q), "B_WIDTH": len(q)},
					map[string][]json.RawMessage{"A": q, "B": value}))
			}
		}
	}
	return json.Marshal(d)
}

// constant is a bit that is always 0 or 1.
func (p *pointer) constant(v int) json.RawMessage {
	return json.RawMessage(strconv.Quote(strconv.Itoa(v)))
}

// bits adds two points for each of some nets, once.
func (p *pointer) bits(nets []json.RawMessage) {
	for _, net := range nets {
		if key := string(net); !p.seen[key] && !strings.HasPrefix(key, `"`) {
			p.seen[key] = true
			p.point(net)
			not := p.cell("$logic_not", map[string]int{"A_SIGNED": 0, "A_WIDTH": 1}, map[string][]json.RawMessage{"A": {net}})
			p.point(not)
		}
	}
}

// point adds a point that is reached where a net is 1.
func (p *pointer) point(is json.RawMessage) {
	p.Cells[pointCell+strconv.Itoa(p.points)] = &wordCell{Type: "$assert", Parameters: json.RawMessage("{}"), Attributes: json.RawMessage("{}"),
		Directions: map[string]string{"A": "input", "EN": "input"}, Connections: map[string][]json.RawMessage{"A": {p.constant(0)}, "EN": {is}}}
	p.points++
}

// cell adds a cell with one bit as its output, which it returns.
func (p *pointer) cell(kind string, parameters map[string]int, in map[string][]json.RawMessage) json.RawMessage {
	parameters["Y_WIDTH"] = 1
	text, _ := json.Marshal(parameters)
	c := &wordCell{Type: kind, Parameters: text, Attributes: json.RawMessage("{}"), Directions: map[string]string{"Y": "output"}, Connections: in}
	for pin := range in {
		c.Directions[pin] = "input"
	}
	out := number(p.next)
	p.next++
	in["Y"] = []json.RawMessage{out}
	p.Cells[fmt.Sprintf("%slogic_%s", pointCell, out)] = c
	return out
}

// Points is how many points the model has: see [BuildOptions].Points.
func (m *Model) Points() int { return len(m.program.c.Points) }
