package lanes

// followed is a word of a memory for a read port of a miter whose copies share all registers. What
// the copies write may differ; then the words do, until both write the same over all of one.
//
// Which word it is, is any, and stays the same. That is enough: take the first cycle in which a
// register or an output would differ, and for each read port the word that it reads then. Up to
// there all registers were the same, and so all that was written follows from them alone, if no
// memory is written with what one reads. So the words that are followed differ in the circuit
// wherever they do in the design.
type followed struct {
	address []literal // latches; in the first cycle any
	differs literal   // a latch: the copies have different words there
}

// followWords makes the latches for the words that are followed, or none if a memory is written
// with what one reads.
func (x *miter) followWords() {
	if !x.c.writesFromRegisters() {
		return
	}
	for _, m := range x.c.Memory {
		for _, r := range m.Reads {
			f := &followed{differs: x.a.latch()}
			for range r.Address {
				f.address = append(f.address, x.a.latch())
			}
			x.follow = append(x.follow, f)
		}
	}
}

// begunWords says where the words are that are followed.
func (x *miter) begunWords() {
	if x.follow == nil {
		return
	}
	if x.writes() == 0 { // no word ever differs
		x.follow = nil
		return
	}
	n := 0
	for _, f := range x.follow {
		for i, l := range f.address {
			f.address[i] = x.a.choose(x.first, l, x.places[n])
			x.a.become(l, f.address[i])
			n++
		}
	}
}

// differingWords says when words differ that are followed.
func (x *miter) differingWords() {
	n := 0
	for _, m := range x.c.Memory {
		for range m.Reads {
			if x.follow == nil {
				return
			}
			f := x.follow[n]
			n++
			var differs, same literal // what is written there; all of it is, in both copies
			for _, w := range m.Writes {
				at := [2]literal{x.is(0, w.Address, f.address), x.is(1, w.Address, f.address)}
				all := literal(1)
				for i, e := range w.Enable {
					first, second := x.a.and(at[0], x.value(0, e)), x.a.and(at[1], x.value(1, e))
					other := x.a.and(first, x.differ([]value{w.Data[i]}))
					differs = x.a.or(differs, x.a.or(x.a.xor(first, second), other))
					all = x.a.and(all, first)
				}
				same = x.a.or(same, all)
			}
			x.a.become(f.differs, x.a.or(differs, x.a.and(f.differs, same.not())))
		}
	}
}

// is says that an address is a certain one. If one of them is longer, the rest of it is 0.
func (x *miter) is(side int, address []value, certain []literal) literal {
	equal := literal(1)
	for i := range max(len(address), len(certain)) {
		var a, b literal
		if i < len(address) {
			a = x.value(side, address[i])
		}
		if i < len(certain) {
			b = certain[i]
		}
		equal = x.a.and(equal, x.a.xor(a, b).not())
	}
	return equal
}

// writesFromRegisters reports whether what is written to memories follows from registers and inputs
// alone, in the cycle in which it is.
func (c *circuit) writesFromRegisters() bool {
	firstData := c.firstState() + value(len(c.States)) // behind the states are what memories read
	seen := make([]bool, len(c.LUTs))
	var reads func(all []value) bool
	reads = func(all []value) bool {
		for _, v := range all {
			n := c.lutOf(v)
			if n < 0 && v >= firstData {
				return true
			}
			if n >= 0 && !seen[n] {
				seen[n] = true
				if in := c.LUTs[n].In; reads(in[:]) {
					return true
				}
			}
		}
		return false
	}
	for _, m := range c.Memory {
		for _, w := range m.Writes {
			if reads(w.Address) || reads(w.Data) || reads(w.Enable) {
				return false
			}
		}
	}
	return true
}
