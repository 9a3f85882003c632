package lanes

import "slices"

// pressure moves LUTs forward to where they are computed without another register: right behind
// what they depend on, if that frees as many values as there are results. The fewer values wait for
// their readers, the fewer have to be kept in memory meanwhile.
type pressure struct {
	sinks   [][]int // by LUT, the roots that it is
	stage   []int   // by LUT, the stage it is placed in, or -1
	reads   [][]int // by LUT, the LUTs that it reads
	readers [][]int // by LUT, the LUTs that read it
	unread  []int   // by LUT, how many of the readers are not placed
	waits   []int   // by LUT, how many of those it reads are not placed
	placed  []bool
	order   []int // of the stage
}

// relieve returns the LUTs of each stage in another order.
func (o *orderer) relieve(stages [][]int) [][]int {
	n := len(o.c.LUTs)
	p := &pressure{
		sinks: o.sinks, stage: make([]int, n), reads: make([][]int, n), readers: make([][]int, n),
		unread: make([]int, n), waits: make([]int, n), placed: make([]bool, n),
	}
	for l := range o.c.LUTs {
		p.stage[l] = -1
		for _, v := range o.c.LUTs[l].In {
			if from := o.c.lutOf(v); from >= 0 && !slices.Contains(p.reads[l], from) {
				p.reads[l] = append(p.reads[l], from)
				p.readers[from] = append(p.readers[from], l)
			}
		}
		p.waits[l] = len(p.reads[l])
	}
	for l := range p.readers {
		p.unread[l] = len(p.readers[l])
	}
	for i, stage := range stages {
		for _, l := range stage {
			p.stage[l] = i
		}
	}
	relieved := make([][]int, len(stages))
	for i, stage := range stages {
		p.order = nil
		for _, l := range stage {
			p.place(l)
		}
		relieved[i] = p.order
	}
	return relieved
}

// place places a LUT, and then all that this makes free of charge.
func (p *pressure) place(l int) {
	if p.placed[l] {
		return
	}
	p.placed[l] = true
	p.order = append(p.order, l)
	for _, from := range p.reads[l] {
		p.unread[from]--
	}
	for _, r := range p.readers[l] {
		p.waits[r]--
	}
	p.placeReaders(l, l)
	for _, from := range p.reads[l] {
		p.placeReaders(from, l)
	}
}

// placeReaders places the readers of a LUT that are in the stage of another, wait for nothing and
// need no register more.
func (p *pressure) placeReaders(l, like int) {
	for _, r := range p.readers[l] {
		if p.stage[r] == p.stage[like] && p.waits[r] == 0 && !p.placed[r] && p.needs(r) <= 0 {
			p.place(r)
		}
	}
}

// needs returns by how many a LUT adds to the values that wait for readers.
func (p *pressure) needs(l int) int {
	n := min(1, len(p.readers[l]))
	for _, from := range p.reads[l] {
		if p.unread[from] == 1 && len(p.sinks[from]) == 0 {
			n--
		}
	}
	return n
}
