package lanes

import "slices"

// program is a circuit as a sequence of operations on planes.
type program struct {
	c      *circuit
	stages [][]op
	reads  [][]readOf // the memories' ports that are read at the end of each stage

	// copies is how many planes lie behind those of the circuit. They have what is looked at after
	// the cycle, or by memories.
	copies    int
	copyOf    map[value]int
	constants map[int]bool // the copies that never change
}

// op computes a LUT, or stores a value in a plane, or the next values of guarded registers.
type op struct {
	guarded *guarded
	store   bool
	lut     int   // the number of the LUT
	from    value // what is stored: the result of a LUT, or a constant
	to      int   // the number of the plane
}

// newProgram puts the operations of a circuit in order. It adds LUTs to it: what is stored is
// always the result of one, or constant.
func newProgram(c *circuit) *program {
	p := &program{c: c, copyOf: map[value]int{}, constants: map[int]bool{}}
	buffers := map[value]value{}
	computed := func(v value) value {
		if c.lutOf(v) >= 0 || v == zero || v == one {
			return v
		}
		if _, known := buffers[v]; !known {
			buffers[v] = c.add(lut{[3]value{v, v, v}, buffer})
		}
		return buffers[v]
	}
	o := &orderer{program: p, firstState: c.firstState()}
	keep := func(all ...value) {
		for _, v := range all {
			if _, known := p.copyOf[v]; known {
				continue
			}
			at := c.planes() + p.copies
			p.copies++
			p.copyOf[v] = at
			if v == zero || v == one {
				p.constants[at] = v == one
			} else {
				o.copies = append(o.copies, op{store: true, from: computed(v), to: at})
			}
		}
	}
	for _, out := range c.Outputs {
		keep(out.Bits...)
	}
	for _, f := range c.Forces {
		keep(f.Bits...)
	}
	for _, k := range slices.Concat(c.Checks, c.Points) {
		keep(k.Enable, k.Holds)
	}
	for _, m := range c.Memory {
		for _, r := range m.Reads {
			keep(r.Address...)
		}
		for _, w := range m.Writes {
			keep(w.Address...)
			keep(w.Data...)
			keep(w.Enable...)
		}
	}
	for i := range c.States {
		if s := &c.States[i]; s.Next != o.firstState+value(i) {
			s.Next = computed(s.Next)
		}
	}
	s := newStages(c)
	p.reads = s.reads
	o.order(s)
	return p
}

// copied returns the planes of the copies of values.
func (p *program) copied(all []value) []int {
	planes := make([]int, len(all))
	for i, v := range all {
		planes[i] = p.copyOf[v]
	}
	return planes
}
