package lanes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// builder makes a circuit of a netlist of LUTs, flip-flops and memories.
type builder struct {
	netlist   *netlist
	design    *bridge.Design
	circuit   *circuit
	clocks    []bridge.Clock
	clockOf   map[bit]int
	values    map[bit]value // of nets
	luts      []string      // names of cells
	flipFlops []string
	memories  []string
	checks    []string
	points    []string
	pins      []string
	edges     *edges
}

// newCircuit makes a circuit. Planes come first, so that all nets that they drive have values
// before those of LUTs are looked up. It returns the LUTs of each pin by the name of its cell, too.
func newCircuit(n *netlist, d *bridge.Design, clocks []bridge.Clock) (*circuit, map[string][]int, error) {
	b := &builder{netlist: n, design: d, circuit: &circuit{}, clocks: clocks, clockOf: map[bit]int{}, values: map[bit]value{low: zero, high: one}}
	n.plainChecks(clocks)
	for _, name := range n.sortedCells() {
		switch kind := n.Cells[name].Type; kind {
		case pinType:
			b.pins = append(b.pins, name)
			fallthrough
		case "$lut":
			b.luts = append(b.luts, name)
		case "$_DFF_P_", "$_DFF_PP0_", "$_DFF_PP1_":
			b.flipFlops = append(b.flipFlops, name)
		case "$mem_v2":
			b.memories = append(b.memories, name)
		case "$assert", "$assume":
			if strings.HasPrefix(name, pointCell) {
				b.points = append(b.points, name)
			} else {
				b.checks = append(b.checks, name)
			}
		default:
			return nil, nil, fmt.Errorf("lanes: module %s: Yosys has made a cell %s of it, which this package does not know", d.Top, kind)
		}
	}
	if err := b.ports(); err != nil {
		return nil, nil, err
	}
	b.states()
	for _, name := range b.memories {
		if err := b.memory(n.Cells[name]); err != nil {
			return nil, nil, err
		}
	}
	b.circuit.Planes = int(first) + b.planes()
	b.look()
	if err := b.next(); err != nil {
		return nil, nil, err
	}
	b.connectMemories()
	for _, name := range b.checks {
		b.circuit.Checks = append(b.circuit.Checks, b.check(name))
	}
	for _, name := range b.points {
		b.circuit.Points = append(b.circuit.Points, b.check(name))
	}
	for i := range b.circuit.Outputs {
		o := &b.circuit.Outputs[i]
		for _, net := range n.Ports[o.Name].Bits {
			o.Bits = append(o.Bits, b.value(net))
		}
	}
	return b.circuit, b.pinLUTs(), nil
}

// plane returns the next plane. All planes before it are known.
func (b *builder) plane() value { return first + value(b.planes()) }

// planes is how many planes there are so far.
func (b *builder) planes() int {
	n := int(b.circuit.firstState()-first) + len(b.circuit.States)
	for _, m := range b.circuit.Memory {
		for _, r := range m.Reads {
			n += len(r.Data)
		}
	}
	return n
}

// rise is the plane that says whether a clock rises.
func (b *builder) rise(clock int) value {
	at := first + value(clock)
	for _, p := range b.circuit.Inputs {
		at += value(len(p.Bits))
	}
	return at
}

// ports takes in the ports: inputs, outputs, clocks, and pairs of both that stand for signals that
// can be forced.
func (b *builder) ports() error {
	c := b.circuit
	for _, name := range slices.Sorted(maps.Keys(b.netlist.Ports)) {
		p := b.netlist.Ports[name]
		_, driver := b.netlist.Ports[name+forcedSuffix+"i"]
		if driver || strings.HasSuffix(name, forcedSuffix+"i") {
			continue
		}
		c.Ports = append(c.Ports, bridge.Port{Name: name, Dir: bridge.Direction(p.Direction), Width: len(p.Bits)})
	}
	data, err := bridge.CheckPorts(c.Ports, b.clocks)
	if err != nil {
		return fmt.Errorf("lanes: module %s: %w", b.design.Top, err)
	}
	for i, clock := range b.clocks {
		if clock.Port != "" {
			b.clockOf[b.netlist.Ports[clock.Port].Bits[0]] = i
		}
	}
	for _, p := range data {
		bits := portBits{Name: p.Name}
		if p.Dir == bridge.Output {
			c.Outputs = append(c.Outputs, bits)
			continue
		}
		at := b.plane()
		for i, net := range b.netlist.Ports[p.Name].Bits {
			bits.Bits = append(bits.Bits, at+value(i))
			b.values[net] = at + value(i)
		}
		c.Inputs = append(c.Inputs, bits)
	}
	if len(b.clocks) > 1 {
		c.Rises = len(b.clocks)
	}
	for _, name := range b.design.Internals {
		f := force{Name: name}
		width := len(b.netlist.Ports[name].Bits)
		at := b.plane()
		for i := range width {
			f.Mask = append(f.Mask, at+value(i))
			f.Forced = append(f.Forced, at+value(width+i))
		}
		c.Forces = append(c.Forces, f)
	}
	return nil
}

// states makes a state of each flip-flop, in their order, and then of each net that nothing drives.
func (b *builder) states() {
	initial, registers := b.initials(), b.registers()
	for _, name := range b.flipFlops {
		c := b.netlist.Cells[name]
		q := c.Connections["Q"][0]
		s := state{Initial: -1, Clock: b.clockOf[c.Connections["C"][0]]}
		if i, ok := initial[q]; ok {
			s.Initial = i
		}
		s.Register, s.Bit = registers[q].name, registers[q].bit
		b.values[q] = b.plane()
		b.circuit.States = append(b.circuit.States, s)
	}
	driven := map[bit]bool{}
	for net := range b.clockOf {
		driven[net] = true
	}
	for _, c := range b.netlist.Cells {
		for pin, bits := range c.Connections {
			if c.Directions[pin] == "output" {
				for _, net := range bits {
					driven[net] = true
				}
			}
		}
	}
	for _, f := range b.circuit.Forces {
		for _, net := range b.netlist.Ports[f.Name+forcedSuffix+"i"].Bits {
			driven[net] = true
		}
	}
	floating := func(nets []bit) {
		for _, net := range nets {
			if _, known := b.values[net]; !known && !driven[net] {
				v := b.plane()
				b.circuit.States = append(b.circuit.States, state{Next: v, Initial: -1})
				b.values[net] = v
			}
		}
	}
	for _, name := range b.netlist.sortedCells() {
		c := b.netlist.Cells[name]
		for _, pin := range slices.Sorted(maps.Keys(c.Connections)) {
			if c.Directions[pin] == "input" {
				floating(c.Connections[pin])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.netlist.Ports)) {
		if b.netlist.Ports[name].Direction == "output" {
			floating(b.netlist.Ports[name].Bits)
		}
	}
}

// signalBit is a bit of a signal of the source.
type signalBit struct {
	name string
	bit  int
}

// registers are the names of nets, and of those that pins stand before: readers of a flip-flop
// whose output is a pin read what is behind it. Of several names that in the highest module counts.
func (b *builder) registers() map[bit]signalBit {
	all := map[bit]signalBit{}
	for _, name := range slices.Sorted(maps.Keys(b.netlist.Netnames)) {
		n := b.netlist.Netnames[name]
		if n.Hidden != 0 {
			continue
		}
		for i, net := range n.Bits {
			if known, ok := all[net]; !ok || strings.Count(name, ".") < strings.Count(known.name, ".") {
				all[net] = signalBit{name, i}
			}
		}
	}
	for _, name := range b.pins {
		c := b.netlist.Cells[name]
		before, behind := c.Connections["A"][0], c.Connections["Y"][0]
		if s, ok := all[behind]; ok {
			if _, known := all[before]; !known {
				all[before] = s
			}
		}
	}
	return all
}

// alias adds names of registers. A name is left out if a bit of it is no state.
func (c *circuit) alias(names map[string][]signalBit) {
	number := map[signalBit]int{}
	for i, s := range c.States {
		if s.Register != "" {
			number[signalBit{s.Register, s.Bit}] = i
		}
	}
	for name, bits := range names {
		var states []int
		for _, s := range bits {
			if i, ok := number[s]; ok {
				states = append(states, i)
			}
		}
		if len(states) == len(bits) {
			if c.Aliases == nil {
				c.Aliases = map[string][]int{}
			}
			c.Aliases[name] = states
		}
	}
}

// initials are the bits with a value at power-up.
func (b *builder) initials() map[bit]int8 {
	all := map[bit]int8{}
	for _, n := range b.netlist.Netnames {
		text, _ := n.Attributes["init"].(string)
		text = strings.TrimRight(text, " ")
		for i, net := range n.Bits {
			if at := len(text) - 1 - i; at >= 0 && (text[at] == '0' || text[at] == '1') {
				all[net] = int8(text[at] - '0')
			}
		}
	}
	return all
}

// look gives the LUTs numbers. There are LUTs that are no cells: one behind each flip-flop with an
// asynchronous reset, and one for each bit that can be forced, which chooses between what drives
// the bit and what it is forced to.
func (b *builder) look() {
	c := b.circuit
	at := value(c.Planes)
	number := func(net bit) {
		b.values[net] = at
		at++
	}
	for _, name := range b.luts {
		number(b.netlist.Cells[name].Connections["Y"][0])
	}
	for _, name := range b.flipFlops {
		if f := b.netlist.Cells[name]; f.resets() {
			number(f.Connections["Q"][0])
		}
	}
	for _, f := range c.Forces {
		for _, net := range b.netlist.Ports[f.Name+forcedSuffix+"i"].Bits {
			number(net)
		}
	}
	for _, name := range b.luts {
		c.add(b.table(b.netlist.Cells[name]))
	}
	b.edges = &edges{builder: b, stateOf: map[value]int{}, next: make([]value, len(c.States)), after: map[value]value{}}
	for i, name := range b.flipFlops {
		q := c.firstState() + value(i)
		b.edges.stateOf[q] = i
		if f := b.netlist.Cells[name]; f.resets() {
			b.edges.stateOf[c.add(f.reset(q, b.value(f.Connections["R"][0])))] = i
		}
	}
	for i := range c.Forces {
		f := &c.Forces[i]
		for k, net := range b.netlist.Ports[f.Name].Bits {
			f.Driver = append(f.Driver, b.value(net))
			f.Bits = append(f.Bits, c.add(lut{[3]value{f.Driver[k], f.Forced[k], f.Mask[k]}, chooser}))
		}
	}
}

// table makes a LUT of three inputs of a cell, which can have fewer.
func (b *builder) table(c cell) lut {
	bits := c.Connections["A"]
	if c.Type == pinType {
		v := b.value(bits[0])
		return lut{[3]value{v, v, v}, buffer}
	}
	text := c.text("LUT")
	entry := func(i int) uint8 {
		if at := len(text) - 1 - i; at >= 0 && text[at] == '1' {
			return 1
		}
		return 0
	}
	var l lut
	for i := range l.In {
		l.In[i] = b.value(bits[min(i, len(bits)-1)])
	}
	for i := range 8 {
		l.Table |= entry(i&(1<<len(bits)-1)) << i
	}
	return l
}

// pinLUTs returns the LUTs of pins. Where an asynchronous reset depends on a pin there is another
// for what it is after the edge.
func (b *builder) pinLUTs() map[string][]int {
	all := map[string][]int{}
	for _, name := range b.pins {
		v := b.value(b.netlist.Cells[name].Connections["Y"][0])
		all[name] = []int{b.circuit.lutOf(v)}
		if after, ok := b.edges.after[v]; ok && after != v {
			all[name] = append(all[name], b.circuit.lutOf(after))
		}
	}
	return all
}

// check looks up what drives the pins of an assertion.
func (b *builder) check(name string) check {
	c := b.netlist.Cells[name]
	return check{where(c.Attributes), b.value(c.Connections["EN"][0]), b.value(c.Connections["A"][0]), c.Type == "$assume"}
}

// value returns the value of a net.
func (b *builder) value(net bit) value { return b.values[net] }

// next finds what states become at an edge.
func (b *builder) next() error {
	for i := range b.flipFlops {
		v, err := b.edges.becomes(i)
		if err != nil {
			return err
		}
		b.circuit.States[i].Next = v
	}
	return nil
}

func (b *builder) memory(c cell) error {
	m := memory{Name: strings.TrimPrefix(fmt.Sprint(c.Parameters["MEMID"]), `\`),
		Width: c.number("WIDTH"), Size: c.number("SIZE"), Offset: c.number("OFFSET"), Initial: c.text("INIT")}
	at := b.plane()
	reads, writes := c.number("RD_PORTS"), c.number("WR_PORTS")
	if reads > 0 && strings.Contains(c.text("RD_CLK_ENABLE"), "1") || writes > 0 && strings.Contains(c.text("WR_CLK_ENABLE"), "0") ||
		strings.Contains(c.text("RD_WIDE_CONTINUATION")+c.text("WR_WIDE_CONTINUATION"), "1") {
		return fmt.Errorf("lanes: module %s: memory %s has a kind of port that this package does not know", b.design.Top, m.Name)
	}
	for port := range reads {
		r := readPort{}
		for i, net := range c.Connections["RD_DATA"][port*m.Width:][:m.Width] {
			v := at + value(port*m.Width+i)
			r.Data = append(r.Data, v)
			b.values[net] = v
		}
		m.Reads = append(m.Reads, r)
	}
	b.circuit.Memory = append(b.circuit.Memory, m)
	return nil
}

// connectMemories looks up what drives the pins of memories.
func (b *builder) connectMemories() {
	for i, name := range b.memories {
		c, m := b.netlist.Cells[name], &b.circuit.Memory[i]
		address := c.number("ABITS")
		values := func(pin string, width, port int) (all []value) {
			for _, net := range c.Connections[pin][port*width:][:width] {
				all = append(all, b.value(net))
			}
			return all
		}
		for port := range m.Reads {
			m.Reads[port].Address = values("RD_ADDR", address, port)
		}
		for port := range c.number("WR_PORTS") {
			w := writePort{Address: values("WR_ADDR", address, port), Data: values("WR_DATA", m.Width, port), Enable: values("WR_EN", m.Width, port)}
			w.Clock = b.clockOf[c.Connections["WR_CLK"][port]]
			if b.circuit.Rises > 0 {
				enabled := map[value]value{}
				for i, e := range w.Enable {
					if _, known := enabled[e]; !known {
						enabled[e] = b.circuit.add(lut{[3]value{e, b.rise(w.Clock), e}, both})
					}
					w.Enable[i] = enabled[e]
				}
			}
			m.Writes = append(m.Writes, w)
		}
	}
}
