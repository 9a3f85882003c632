package lanes

// orderer finds the order of a program.
//
// A state is overwritten in place: its store comes after all that reads it. Where its next value is
// computed before, that has to be kept meanwhile. So the roots, the values that are stored, are
// ordered such that the readers of a state come before the root of that state, as far as there are
// no circles. From there the LUTs are placed depth first, so that results are used soon, and moved
// forward where that needs no register more.
type orderer struct {
	*program
	firstState value
	copies     []op // the stores of copies
	guarded    []*guarded
	groupOf    map[int]int // by state, the number of its group in guarded

	readers [][]int // by state, the LUTs that read it
	fanout  [][]int // by LUT, the LUTs that read it
	sinks   [][]int // by LUT, the roots that it is

	// Roots: first the states, then the copies. The states of a guarded group are one root, the
	// first of them.
	roots   []int
	done    []bool // by root
	visited []bool // by LUT, from inputs to roots
	placed  []bool // by LUT
}

// state returns the number of the state that a value is, or -1.
func (o *orderer) state(v value) int {
	if n := int(v - o.firstState); n >= 0 && n < len(o.c.States) {
		return n
	}
	return -1
}

// next returns what is stored in a root, and whether anything is: a state may stay as it is.
func (o *orderer) next(root int) (op, bool) {
	states := len(o.c.States)
	if root >= states {
		return o.copies[root-states], true
	}
	q := o.firstState + value(root)
	next := o.c.States[root].Next
	return op{store: true, from: next, to: planeOf(q)}, next != q
}

func (o *orderer) order(s *stages) {
	c := o.c
	roots := len(c.States) + len(o.copies)
	o.readers, o.fanout, o.sinks = make([][]int, len(c.States)), make([][]int, len(c.LUTs)), make([][]int, len(c.LUTs))
	o.done, o.visited, o.placed = make([]bool, roots), make([]bool, len(c.LUTs)), make([]bool, len(c.LUTs))
	for l := range c.LUTs {
		for _, v := range c.LUTs[l].In {
			if n := o.state(v); n >= 0 {
				o.readers[n] = append(o.readers[n], l)
			} else if from := c.lutOf(v); from >= 0 {
				o.fanout[from] = append(o.fanout[from], l)
			}
		}
	}
	for r := range roots {
		if next, stored := o.next(r); stored {
			if l := c.lutOf(next.from); l >= 0 {
				o.sinks[l] = append(o.sinks[l], r)
			}
		}
	}
	o.guarded, o.groupOf = o.guards(s), map[int]int{}
	for i, g := range o.guarded {
		for k, n := range g.states {
			o.groupOf[n] = i
			o.placed[g.luts[k]] = true
		}
	}
	for r := range roots {
		o.root(r)
	}
	o.sequence(s)
}

// root puts a root in the order, after those that depend on the state that it is.
func (o *orderer) root(r int) {
	if o.done[r] {
		return
	}
	o.done[r] = true
	var states []int
	if group, ok := o.groupOf[r]; ok {
		states = o.guarded[group].states
	} else if r < len(o.c.States) {
		states = []int{r}
	}
	for _, n := range states {
		o.done[n] = true
	}
	for _, n := range states {
		for _, l := range o.readers[n] {
			o.forward(l)
		}
	}
	o.roots = append(o.roots, r)
}

// forward puts all roots in the order that depend on a LUT.
func (o *orderer) forward(l int) {
	if o.visited[l] {
		return
	}
	o.visited[l] = true
	for _, reader := range o.fanout[l] {
		o.forward(reader)
	}
	for _, r := range o.sinks[l] {
		o.root(r)
	}
}

// sequence places LUTs, and the stores after them.
func (o *orderer) sequence(s *stages) {
	c := o.c
	luts := make([][]int, len(s.reads))
	var place func(v value)
	place = func(v value) {
		l := c.lutOf(v)
		if l < 0 || o.placed[l] {
			return
		}
		o.placed[l] = true
		for _, from := range c.LUTs[l].In {
			place(from)
		}
		luts[s.of[l]] = append(luts[s.of[l]], l)
	}
	for _, r := range o.roots {
		if group, ok := o.groupOf[r]; ok {
			for _, v := range o.guarded[group].inputs(o) {
				place(v)
			}
		} else if next, stored := o.next(r); stored {
			place(next.from)
		}
	}
	luts = o.relieve(luts)
	position, n := make([]int, len(c.LUTs)), 0
	for _, stage := range luts {
		for _, l := range stage {
			position[l] = n
			n++
		}
	}
	// What is stored after each LUT. Constants are stored first of all if nothing reads the state.
	stores := make([][]op, n+1)
	for _, g := range o.guarded {
		at := -1
		for _, v := range g.inputs(o) {
			if l := c.lutOf(v); l >= 0 {
				at = max(at, position[l])
			}
		}
		for _, state := range g.states {
			at = o.after(state, at, position)
		}
		for _, l := range g.luts {
			position[l] = at // what it reads is stored later
		}
		stores[at+1] = append(stores[at+1], op{guarded: g})
	}
	for _, r := range o.roots {
		next, stored := o.next(r)
		if _, guarded := o.groupOf[r]; guarded || !stored {
			continue
		}
		at := -1
		if l := c.lutOf(next.from); l >= 0 {
			at = position[l]
		}
		if r < len(o.readers) {
			at = o.after(r, at, position)
		}
		stores[at+1] = append(stores[at+1], next)
	}
	n = 0
	for i, stage := range luts {
		var ops []op
		if i == 0 {
			ops = append(ops, stores[0]...)
		}
		for _, l := range stage {
			ops = append(ops, op{lut: l})
			n++
			ops = append(ops, stores[n]...)
		}
		o.stages = append(o.stages, ops)
	}
}

// after returns the later of a position and that of the last LUT that reads a state.
func (o *orderer) after(state, at int, position []int) int {
	for _, l := range o.readers[state] {
		if o.placed[l] {
			at = max(at, position[l])
		}
	}
	return at
}
