package lanes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// Pin is a bit of a port of a cell of a design's word-level netlist.
type Pin struct {
	Cell, Port string
	Bit        int
}

// Pins is a design that was synthesised so that some pins of its word-level netlist are still
// there. Models with faults in them are made of it without another synthesis.
type Pins struct {
	design bridge.Design
	clocks []bridge.Clock
	entry  string
	made   *pinned
	lutsOf map[Pin][]int
}

// pinned is what is kept of a synthesis.
type pinned struct {
	Circuit *circuit
	Pins    []Pin
	LUTs    [][]int // the LUTs that are each pin
}

// pinType is the cell that stands for a pin until LUTs are made.
const pinType = "cosimate_pin"

// pinModule tells Yosys of these cells: it neither looks into them nor past them.
const pinModule = `read_verilog <<EOT
(* blackbox *)
module ` + pinType + ` (input A, output Y);
endmodule
EOT
`

// mappingKeepsX is mapping that leaves a register what it may be at power-up: any value. Without
// -keepdc Yosys makes a register a constant if nothing else is ever put into it. Then a fault that
// leaves it as it was at power-up would be proved to change nothing.
var mappingKeepsX = strings.ReplaceAll(mapping, "\nopt ", "\nopt -keepdc ")

// freshNames makes Yosys number what it names from there on. A netlist in JSON does not say how far
// the numbers in its own names go, and Yosys ends if it gives a name again.
const freshNames = `read_rtlil <<EOT
autoidx 100000000
EOT
`

// BuildPins synthesises a design, or finds it in the cache. The commands of Yosys are run on the
// elaborated, flattened design before; the pins are of cells that there are then.
func BuildPins(ctx context.Context, d bridge.Design, commands []string, pins []Pin) (*Pins, error) {
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	y, key, data, err := newRun(&d, clocks)
	if err != nil {
		return nil, err
	}
	key.Add("aliases", "those of outputs too")
	for _, command := range commands {
		key.Add("command", command)
	}
	for _, p := range pins {
		key.Add("pin", fmt.Sprintf("%q %q %d", p.Cell, p.Port, p.Bit))
	}
	dir, err := build.Entry(ctx, d.Top+"-pins", key, []string{"pins.json"}, func(ctx context.Context, dir string) error {
		y.work = filepath.Join(dir, "work")
		if err := y.prepare(data); err != nil {
			return err
		}
		made, err := y.pins(ctx, clocks, commands, pins)
		if err != nil {
			return err
		}
		if err := build.Write(dir, "pins.json", made); err != nil {
			return err
		}
		return os.RemoveAll(y.work)
	})
	if err != nil {
		return nil, err
	}
	p := &Pins{design: d, clocks: clocks, entry: dir, made: &pinned{}, lutsOf: map[Pin][]int{}}
	if err := build.Read(dir, "pins.json", p.made); err != nil {
		return nil, err
	}
	for i, pin := range p.made.Pins {
		p.lutsOf[pin] = p.made.LUTs[i]
	}
	return p, nil
}

// pins runs Yosys: on the design, and again with cells in place of the pins.
func (y *run) pins(ctx context.Context, clocks []bridge.Clock, commands []string, pins []Pin) (*pinned, error) {
	if _, err := y.elaborate(ctx, clocks, y.read); err != nil {
		return nil, err
	}
	if err := y.execute(ctx, "words.ys", "read_rtlil elaborated.il\n"+strings.Join(commands, "\n")+"\nwrite_json words.json\n"); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(y.work, "words.json"))
	if err != nil {
		return nil, err
	}
	text, aliases, err := insertPins(text, y.design.Top, pins, nil)
	if err != nil {
		return nil, err
	}
	if err := build.WriteFile(y.work, "pinned.json", text); err != nil {
		return nil, err
	}
	if err := y.execute(ctx, "map.ys", pinModule+freshNames+"read_json pinned.json\nhierarchy -top "+y.design.Top+mappingKeepsX+"write_json mapped.json\n"); err != nil {
		return nil, err
	}
	mapped, err := y.netlist("mapped.json")
	if err != nil {
		return nil, err
	}
	y.placeChecks(mapped)
	c, luts, err := newCircuit(mapped, y.design, clocks)
	if err != nil {
		return nil, err
	}
	c.alias(aliases)
	made := &pinned{Circuit: c, Pins: pins}
	for i := range pins {
		made.LUTs = append(made.LUTs, luts[pinCell(i)])
	}
	return made, nil
}

// pinCell is the name of the cell that stands for a pin.
func pinCell(i int) string { return "cosimate_pin_" + strconv.Itoa(i) }

// words is a module of a word-level netlist, of which only connections are changed.
type words struct {
	Attributes json.RawMessage       `json:"attributes,omitempty"`
	Parameters json.RawMessage       `json:"parameter_default_values,omitempty"`
	Ports      map[string]wordPort   `json:"ports"`
	Cells      map[string]*wordCell  `json:"cells"`
	Memories   json.RawMessage       `json:"memories,omitempty"`
	Names      map[string]*wordNames `json:"netnames"`
}

type wordPort struct {
	Direction string            `json:"direction"`
	Offset    json.RawMessage   `json:"offset,omitempty"`
	UpTo      json.RawMessage   `json:"upto,omitempty"`
	Signed    json.RawMessage   `json:"signed,omitempty"`
	Bits      []json.RawMessage `json:"bits"`
}

type wordCell struct {
	Hidden      int                          `json:"hide_name"`
	Type        string                       `json:"type"`
	Parameters  json.RawMessage              `json:"parameters"`
	Attributes  json.RawMessage              `json:"attributes"`
	Directions  map[string]string            `json:"port_directions"`
	Connections map[string][]json.RawMessage `json:"connections"`
}

type wordNames struct {
	Hidden     int                        `json:"hide_name"`
	Bits       []json.RawMessage          `json:"bits"`
	Offset     json.RawMessage            `json:"offset,omitempty"`
	UpTo       json.RawMessage            `json:"upto,omitempty"`
	Signed     json.RawMessage            `json:"signed,omitempty"`
	Attributes map[string]json.RawMessage `json:"attributes"`
}

// define makes what Yosys leaves open 0. A select that another one hides has x for some of its
// cases, which a fault may choose. Then it would do something else in each model and simulator. Of
// two cases of which one is open it takes the other for both: a write to a memory has no address
// and no data where it has no enable, and a fault that enables it must find these, as in RTL that
// writes always.
func (m *words) define() {
	zero := func(bits []json.RawMessage) {
		for i, b := range bits {
			if string(b) == `"x"` {
				bits[i] = json.RawMessage(`"0"`)
			}
		}
	}
	for _, c := range m.Cells {
		if c.Type == "$mux" {
			a, b := c.Connections["A"], c.Connections["B"]
			for i := range a {
				if string(a[i]) == `"x"` {
					a[i] = b[i]
				} else if string(b[i]) == `"x"` {
					b[i] = a[i]
				}
			}
		}
		if strings.HasPrefix(c.Type, "$mem") {
			continue // Yosys says with x that a port has no enable
		}
		for port, bits := range c.Connections {
			if c.Directions[port] == "input" {
				zero(bits)
			}
		}
	}
	for _, p := range m.Ports {
		zero(p.Bits)
	}
}

// insertPins puts a cell between each of these pins and its net: one that stands for the pin, or if
// there is a fault of a single pin, cells that make it. It also returns what nameRegisters does.
func insertPins(text []byte, top string, pins []Pin, fault *insertedFault) ([]byte, map[string][]signalBit, error) {
	d, m, err := parseWords(text, top)
	if err != nil {
		return nil, nil, err
	}
	next := m.free()
	aliases := m.nameRegisters()
	m.initials()
	m.define()
	behind := map[string]json.RawMessage{} // what readers of a net read, whose driver is a pin
	inserted := map[string]bool{}          // cells: of pins that are outputs?
	for i, p := range pins {
		c := m.Cells[p.Cell]
		if c == nil || p.Bit >= len(c.Connections[p.Port]) {
			return nil, nil, fmt.Errorf("lanes: module %s has no pin %s[%d] of a cell %s", top, p.Port, p.Bit, p.Cell)
		}
		at := &c.Connections[p.Port][p.Bit]
		before, net := *at, number(next)
		next++
		driver := c.Directions[p.Port] == "output"
		if fault == nil {
			// Kept, for what another pin is inverted while this is 1 may have no other reader.
			m.Cells[pinCell(i)] = &wordCell{Type: pinType, Parameters: json.RawMessage("{}"), Attributes: json.RawMessage(`{"keep": "1"}`),
				Directions: map[string]string{"A": "input", "Y": "output"}, Connections: map[string][]json.RawMessage{"A": {before}, "Y": {net}}}
			inserted[pinCell(i)] = driver
		} else {
			if fault.conditional() && fault.Other >= len(c.Connections[p.Port]) {
				return nil, nil, fmt.Errorf("lanes: module %s has no pin %s[%d] of a cell %s", top, p.Port, fault.Other, p.Cell)
			}
			var other json.RawMessage
			if fault.conditional() {
				other = c.Connections[p.Port][fault.Other]
			}
			for _, name := range m.insert(fault, before, other, net, next) {
				inserted[name] = driver
			}
		}
		if driver {
			behind[string(before)] = net
		} else {
			*at = net
		}
	}
	read := func(bits []json.RawMessage) {
		for i, b := range bits {
			if net, ok := behind[string(b)]; ok {
				bits[i] = net
			}
		}
	}
	for name, c := range m.Cells {
		for port, bits := range c.Connections {
			if c.Directions[port] == "input" && !inserted[name] {
				read(bits)
			}
		}
	}
	for _, p := range m.Ports {
		read(p.Bits)
	}
	for name, n := range m.Names {
		if !strings.HasPrefix(name, initialPrefix) {
			read(n.Bits)
		}
	}
	text, err = json.Marshal(d)
	return text, aliases, err
}

// wordDesign is a word-level netlist as Yosys' write_json has it.
type wordDesign struct {
	Creator string            `json:"creator"`
	Modules map[string]*words `json:"modules"`
}

// parseWords returns a design and its top module.
func parseWords(text []byte, top string) (*wordDesign, *words, error) {
	var d wordDesign
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, nil, fmt.Errorf("what Yosys has written is not understood: %w", err)
	}
	if d.Modules[top] == nil {
		return nil, nil, fmt.Errorf("there is no module %s in what Yosys has written", top)
	}
	return &d, d.Modules[top], nil
}

// free returns a number from which on no net has one.
func (m *words) free() int {
	next := 2
	each := func(bits []json.RawMessage) {
		for _, b := range bits {
			if n, err := strconv.Atoi(string(b)); err == nil {
				next = max(next, n+1)
			}
		}
	}
	for _, c := range m.Cells {
		for _, bits := range c.Connections {
			each(bits)
		}
	}
	for _, n := range m.Names {
		each(n.Bits)
	}
	return next
}

// nameRegisters leaves flip-flops the names of registers. Other names of the same bits go: behind a
// pin Yosys cannot tell which is a register's, and keeps only one. A name in the instance that the
// flip-flop is in comes first. Then comes one that has bits of flip-flops only, unlike a header,
// then that in the highest instance, and the narrowest. It returns what the bits of the names that
// go are called from there on, if all of them are bits of flip-flops. If a register is an
// output, Yosys keeps the output's name later on, so that the register's own name is returned too.
func (m *words) nameRegisters() (aliases map[string][]signalBit) {
	at := map[string]string{} // the instance of a flip-flop, by net
	for name, c := range m.Cells {
		if strings.Contains(strings.ToLower(c.Type), "dff") {
			for _, b := range c.Connections["Q"] {
				at[string(b)] = InstanceOf(name)
			}
		}
	}
	type rank struct{ elsewhere, others, depth, width int }
	type named struct {
		signalBit
		rank
	}
	best := map[string]named{} // by net
	for _, name := range slices.Sorted(maps.Keys(m.Names)) {
		n := m.Names[name]
		if n.Hidden != 0 {
			continue
		}
		r := rank{depth: strings.Count(name, "."), width: len(n.Bits)}
		for _, b := range n.Bits {
			if _, is := at[string(b)]; !is {
				r.others = 1
			}
		}
		for i, b := range n.Bits {
			r.elsewhere = 0
			if at[string(b)] != moduleOf(name) {
				r.elsewhere = 1
			}
			k, ok := best[string(b)]
			if !ok || cmp.Or(r.elsewhere-k.elsewhere, r.others-k.others, r.depth-k.depth, r.width-k.width) < 0 {
				best[string(b)] = named{signalBit{name, i}, r}
			}
		}
	}
	ports := map[string]signalBit{} // by net
	for _, name := range slices.Sorted(maps.Keys(m.Ports)) {
		if n := m.Names[name]; n != nil {
			for i, b := range n.Bits {
				ports[string(b)] = signalBit{name, i}
			}
		}
	}
	aliases = map[string][]signalBit{}
	for name, n := range m.Names {
		own, others := 0, 0
		var bits, output []signalBit
		for _, b := range n.Bits {
			bits = append(bits, best[string(b)].signalBit)
			if _, is := at[string(b)]; is && best[string(b)].name == name {
				own++
			} else if is {
				others++
			}
			if p, ok := ports[string(b)]; ok {
				output = append(output, p)
			}
		}
		if n.Hidden == 0 && own > 0 && len(output) == len(n.Bits) {
			aliases[name] = output
		}
		if _, port := m.Ports[name]; n.Hidden == 0 && !port && own == 0 && others > 0 {
			delete(m.Names, name)
			if others == len(n.Bits) {
				aliases[name] = bits
			}
		}
	}
	return aliases
}

// InstanceOf returns the instance that a cell of the flattened design is in, as it begins the names
// of its signals: "u_rx.", or "".
func InstanceOf(cell string) string {
	if original, ok := strings.CutPrefix(cell, "$techmap"); ok { // and what it has become
		if i := strings.LastIndex(original, ".$"); i >= 0 {
			cell = original[:i]
		}
	}
	if rest, ok := strings.CutPrefix(cell, `$flatten\`); ok {
		if i := strings.LastIndex(rest, ".$"); i >= 0 {
			return strings.ReplaceAll(rest[:i+1], `\`, "")
		}
	}
	return ""
}

// initialPrefix begins the names of nets that have a value at power-up.
const initialPrefix = "$cosimate$initial$"

// initials gives each bit with a value at power-up a name of its own. A net's name goes with what
// its readers see; the value at power-up is that of the flip-flop before a pin.
func (m *words) initials() {
	bits := map[string]string{}
	for _, n := range m.Names {
		var text string
		if json.Unmarshal(n.Attributes["init"], &text) != nil {
			continue
		}
		delete(n.Attributes, "init")
		text = strings.TrimRight(text, " ")
		for i, b := range n.Bits {
			if at := len(text) - 1 - i; at >= 0 && (text[at] == '0' || text[at] == '1') {
				bits[string(b)] = text[at : at+1]
			}
		}
	}
	for b, value := range bits {
		m.Names[initialPrefix+b] = &wordNames{Hidden: 1, Bits: []json.RawMessage{json.RawMessage(b)},
			Attributes: map[string]json.RawMessage{"init": json.RawMessage(strconv.Quote(value))}}
	}
}

// Kind is what a fault does to a pin.
type Kind string

// The kinds of faults.
const (
	Inverted    Kind = "inv"
	StuckAt0    Kind = "const0"
	StuckAt1    Kind = "const1"
	InvertedIf0 Kind = "cnot0" // while another bit of the same port is 0
	InvertedIf1 Kind = "cnot1"
)

// Fault is a change of a pin.
type Fault struct {
	Pin
	Kind  Kind
	Other int // the other bit
}

// conditional reports whether the fault depends on another bit.
func (f *Fault) conditional() bool { return f.Kind == InvertedIf0 || f.Kind == InvertedIf1 }

// FaultInput is the name of the input that switches the fault with this number on.
func FaultInput(i int) string { return "cosimate_fault_" + strconv.Itoa(i) }

// Model makes a model with faults in it, each of them in the lanes where its input is 1. Nothing is
// synthesised. Faults that make logic depend on itself within a cycle are left out, and returned.
func (p *Pins) Model(ctx context.Context, faults []Fault, o BuildOptions) (m *Model, loops []int, err error) {
	code, err := o.Code.choose()
	if err != nil {
		return nil, nil, err
	}
	c, loops, err := p.circuit(faults)
	if err != nil {
		return nil, nil, err
	}
	layout, err := bridge.LayoutOf(p.made.Circuit.Ports, p.clocks, o.Shape)
	if err != nil {
		return nil, nil, fmt.Errorf("lanes: module %s: %w", p.design.Top, err)
	}
	m = &Model{design: p.design, clocks: p.clocks, layout: layout, code: code, program: newProgram(c)}
	m.library, err = compile(ctx, &p.design, m.program, p.entry, layout, code, true)
	return m, loops, err
}

// Size describes the circuit without faults.
func (p *Pins) Size(ctx context.Context) string {
	c, _, err := p.circuit(nil)
	if err != nil {
		return ""
	}
	return c.String()
}

// ErrLoops says that two faults together make logic depend on itself within a cycle, while neither
// does alone. They belong into models of their own.
var ErrLoops = errors.New("two faults together make a combinational loop")

// circuit makes a circuit with faults.
func (p *Pins) circuit(faults []Fault) (c *circuit, loops []int, err error) {
	at := map[int][]int{} // faults by LUT
	for i, f := range faults {
		luts, ok := p.lutsOf[f.Pin]
		if !ok {
			return nil, nil, fmt.Errorf("lanes: module %s was not built with pin %s[%d] of %s", p.design.Top, f.Port, f.Bit, f.Cell)
		}
		other := f.Pin
		if other.Bit = f.Other; f.conditional() && len(p.lutsOf[other]) == 0 {
			return nil, nil, fmt.Errorf("lanes: module %s was not built with pin %s[%d] of %s", p.design.Top, f.Port, f.Other, f.Cell)
		}
		for _, n := range luts {
			at[n] = append(at[n], i)
		}
	}
	s := newSimplifier(p, faults, at)
	if s.run() {
		// Which of them? Only a bit that is inverted for another can be.
		for i, f := range faults {
			if !f.conditional() {
				continue
			}
			alone := map[int][]int{}
			for _, n := range p.lutsOf[f.Pin] {
				alone[n] = []int{i}
			}
			if !newSimplifier(p, faults, alone).run() {
				continue
			}
			loops = append(loops, i)
			for n := range alone {
				at[n] = slices.DeleteFunc(at[n], func(k int) bool { return k == i })
			}
		}
		if s = newSimplifier(p, faults, at); s.run() {
			// Two together make one, though they are never in the same lane.
			return nil, nil, fmt.Errorf("lanes: module %s: %w", p.design.Top, ErrLoops)
		}
	}
	return s.finish(), loops, nil
}

// Key stands for the design and for how it was synthesised: for the same key faults do the same.
func (p *Pins) Key() string { return filepath.Base(p.entry) }

// Layout is the layout of rows that a model has without BuildOptions.Shape.
func (p *Pins) Layout() (*bridge.Layout, error) {
	return bridge.LayoutOf(p.made.Circuit.Ports, p.clocks, nil)
}
