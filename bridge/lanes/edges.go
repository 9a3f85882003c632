package lanes

// edges finds what states become at a rising edge.
//
// Without an asynchronous reset that is what the flip-flop's D is before the edge. A reset that is
// active before the edge wins. One that becomes active by the edge also does, and the inputs change
// only later: neither the values before the edge nor those of the next cycle need say so. So it is
// computed once more, of the same inputs and of what states become.
type edges struct {
	*builder
	stateOf map[value]int   // the states that values are, of planes and behind resets
	next    []value         // what states become; 0 if it is not known yet
	after   map[value]value // what values are after the edge, with the inputs of before
}

// becomes returns what a state becomes.
func (e *edges) becomes(i int) (value, error) {
	if e.next[i] != 0 {
		return e.next[i], nil
	}
	f := e.netlist.Cells[e.flipFlops[i]]
	v := e.value(f.Connections["D"][0])
	if e.circuit.Rises > 0 {
		q := e.value(f.Connections["Q"][0])
		v = e.circuit.add(lut{[3]value{q, v, e.rise(e.circuit.States[i].Clock)}, chooser})
	}
	if f.resets() {
		before := e.value(f.Connections["R"][0])
		v = e.circuit.add(f.reset(v, before))
		after, err := e.afterEdge(before)
		if err != nil {
			return 0, err
		}
		if after != before {
			v = e.circuit.add(f.reset(v, after))
		}
	}
	if v != zero {
		e.next[i] = v
	}
	return v, nil
}

// unknown marks values in after that are being looked for.
const unknown value = -1

// afterEdge returns what a value is after the edge, with the inputs of before.
func (e *edges) afterEdge(v value) (value, error) {
	if known, ok := e.after[v]; ok {
		if known == unknown {
			return 0, errLoop
		}
		return known, nil
	}
	e.after[v] = unknown
	changed, err := e.change(v)
	if err != nil {
		return 0, err
	}
	e.after[v] = changed
	return changed, nil
}

func (e *edges) change(v value) (value, error) {
	if i, ok := e.stateOf[v]; ok {
		return e.becomes(i)
	}
	n := e.circuit.lutOf(v)
	if n < 0 {
		for _, m := range e.circuit.Memory {
			for _, r := range m.Reads {
				if len(r.Data) > 0 && v >= r.Data[0] && v <= r.Data[len(r.Data)-1] {
					return 0, &UnsupportedError{Top: e.design.Top, Construct: "memory " + m.Name,
						Reason: "an asynchronous reset follows from it, and it may be written at the same edge: make the reset synchronous, or register what is read"}
				}
			}
		}
		return v, nil
	}
	l := e.circuit.LUTs[n]
	same := true
	for k, in := range l.In {
		changed, err := e.afterEdge(in)
		if err != nil {
			return 0, err
		}
		same = same && changed == in
		l.In[k] = changed
	}
	if same {
		return v, nil
	}
	return e.circuit.add(l), nil
}

// resets reports whether a flip-flop has an asynchronous reset.
func (c cell) resets() bool { return c.Type != "$_DFF_P_" }

// reset returns the LUT that gives a value, or what the flip-flop is reset to where reset is 1.
func (c cell) reset(v, reset value) lut {
	if c.Type == "$_DFF_PP1_" {
		return lut{[3]value{v, reset, reset}, either}
	}
	return lut{[3]value{v, reset, reset}, without}
}
