package lanes

// NoEffect is the class of faults that change nothing: see [Pins.Classes].
const NoEffect = -1

// Classes tells which faults do the same, so that one of them can stand for all. It returns for
// each fault the number of the first that does the same, or [NoEffect] if no output, register or
// memory depends on it. Not all that do the same are found: only those that come to the same where
// a single LUT reads what they change.
//
// A stuck input of an and-gate is the stuck output of the gate, for example, if nothing else reads
// either. Tests of chips have used that since the sixties ("fault collapsing").
func (p *Pins) Classes(faults []Fault) []int {
	s := newSimplifier(p, nil, nil)
	if s.run() {
		panic("lanes: a circuit without faults has a combinational loop")
	}
	x := newCollapser(s)
	known := map[effect]int{}
	classes := make([]int, len(faults))
	for i, f := range faults {
		classes[i] = i
		luts := p.lutsOf[f.Pin]
		if len(luts) != 1 {
			continue
		}
		e, ok := x.effect(luts[0], &f)
		if !ok {
			classes[i] = NoEffect
			continue
		}
		if first, ok := known[e]; ok {
			classes[i] = first
		} else {
			known[e] = i
		}
	}
	return classes
}

// effect is what a fault comes to: a LUT of the circuit has another value.
type effect struct {
	lut int
	is  value // in the simplified circuit
	// beside is what a fault depends on that is not followed.
	beside value
	kind   Kind
}

// collapser finds out what faults come to.
type collapser struct {
	*simplifier
	readers []int // of each LUT the only LUT that reads it, or one of the marks below
	// levels are how many LUTs lie one behind the other up to each, or more than deep if a memory
	// does; 0 if nothing depends on it.
	levels []int
	read   map[value]bool // what memories read, which depends on their addresses
}

// Marks in readers.
const (
	noReader    = -1
	manyReaders = -2 // or something else than a LUT
)

// deep is more than the level of any LUT.
const deep = 1 << 30

func newCollapser(s *simplifier) *collapser {
	x := &collapser{s, make([]int, len(s.old.LUTs)), make([]int, len(s.old.LUTs)), map[value]bool{}}
	for i := range x.readers {
		x.readers[i] = noReader
	}
	for _, m := range s.old.Memory {
		for _, r := range m.Reads {
			for _, v := range r.Data {
				x.read[v] = true
			}
		}
	}
	s.old.each(func(v *value) { x.reach(*v, manyReaders) })
	return x
}

// reach notes what reads a value, and returns the value's level.
func (x *collapser) reach(v value, reader int) int {
	n := x.old.lutOf(v)
	switch {
	case x.read[v]:
		return deep
	case n < 0:
		return 0
	}
	if x.readers[n] == noReader {
		x.readers[n] = reader
	} else if x.readers[n] != reader {
		x.readers[n] = manyReaders
	}
	if x.levels[n] == 0 {
		level := 0
		for _, v := range x.old.LUTs[n].inputs() {
			level = max(level, x.reach(v, n))
		}
		x.levels[n] = level + 1
	}
	return x.levels[n]
}

// effect follows a fault from its pin on, as long as a single LUT reads what it changes. It reports
// whether anything changes.
func (x *collapser) effect(n int, f *Fault) (e effect, changes bool) {
	if x.levels[n] == 0 {
		return e, false
	}
	is := x.memo[n]
	if f.conditional() {
		other := x.other(*f)
		if !x.before(other, n) { // it may depend on what is changed
			return effect{n, is, x.value(other), f.Kind}, true
		}
		is = x.lut(f.Kind.lut(is, x.value(other), one))
	} else {
		is = x.lut(lut{[3]value{is, is, is}, f.Kind.table()})
	}
	for is != x.memo[n] && x.readers[n] >= 0 {
		reader := x.readers[n]
		l := x.old.LUTs[reader]
		for i, v := range l.In {
			if v == x.old.result(n) {
				l.In[i] = is
			} else {
				l.In[i] = x.value(v)
			}
		}
		n, is = reader, x.lut(l)
	}
	return effect{lut: n, is: is}, is != x.memo[n]
}

// before reports whether a value is known not to depend on a LUT in the same cycle.
func (x *collapser) before(v value, n int) bool {
	level := 0
	if k := x.old.lutOf(v); k >= 0 {
		level = x.levels[k]
		if level == 0 || k == n {
			return false
		}
	}
	return level <= x.levels[n] && level < deep && !x.read[v]
}
