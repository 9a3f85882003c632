package lanes

// stages are the parts of a cycle: first, what depends on no memory; then, after these have been
// read, what depends on memories whose addresses are known so far, and so on.
type stages struct {
	c *circuit
	// of is the stage of each LUT.
	of []int
	// reads are the read ports that are read at the end of each stage. The last stage has none.
	reads [][]readOf
	data  map[value]readOf // the ports that planes are the data of
	after map[readOf]int   // the stages at whose ends ports are read
}

// readOf is a read port of a memory.
type readOf struct{ memory, port int }

// newStages finds the stages of a circuit without loops.
func newStages(c *circuit) *stages {
	s := &stages{c: c, of: make([]int, len(c.LUTs)), data: map[value]readOf{}, after: map[readOf]int{}}
	for i := range s.of {
		s.of[i] = -1
	}
	for m := range c.Memory {
		for r := range c.Memory[m].Reads {
			for _, v := range c.Memory[m].Reads[r].Data {
				s.data[v] = readOf{m, r}
			}
		}
	}
	s.reads = [][]readOf{nil}
	for m := range c.Memory {
		for r := range c.Memory[m].Reads {
			s.port(readOf{m, r})
		}
	}
	for l := range c.LUTs {
		s.lut(l)
	}
	return s
}

// lut returns the stage of a LUT.
func (s *stages) lut(l int) int {
	if s.of[l] < 0 {
		s.of[l] = s.latest(s.c.LUTs[l].In[:])
	}
	return s.of[l]
}

// latest returns the first stage in which all of some values are known.
func (s *stages) latest(all []value) int {
	n := 0
	for _, v := range all {
		if l := s.c.lutOf(v); l >= 0 {
			n = max(n, s.lut(l))
		} else if at, ok := s.data[v]; ok {
			n = max(n, s.port(at)+1)
		}
	}
	return n
}

// port returns the stage at whose end a port is read.
func (s *stages) port(at readOf) int {
	n, known := s.after[at]
	if !known {
		n = s.latest(s.c.Memory[at.memory].Reads[at.port].Address)
		s.after[at] = n
		for len(s.reads) < n+2 {
			s.reads = append(s.reads, nil)
		}
		s.reads[n] = append(s.reads[n], at)
	}
	return n
}

// readsMemory reports whether a LUT reads what a memory has read, itself.
func (s *stages) readsMemory(l int) bool {
	for _, v := range s.c.LUTs[l].In {
		if _, ok := s.data[v]; ok {
			return true
		}
	}
	return false
}
