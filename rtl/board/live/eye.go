package live

// eyeParts is how many parts the eye's time has. With each of them the oldest light is forgotten.
const eyeParts = 16

// eye adds up the light of each LED over the last cycles, as a person's eye does. It knows of the
// LEDs what the pins say: which one is selected, and whether it is lit.
type eye struct {
	part   int // cycles of a part
	cycles int // of the present part
	now    [64]int32
	parts  [eyeParts][64]int32 // a ring
	next   int
	sum    [64]int32 // of all parts
}

func newEye(cycles int) *eye { return &eye{part: max(1, cycles/eyeParts)} }

// look takes a cycle.
func (e *eye) look(selected uint8, lit bool) {
	if lit {
		e.now[selected&63]++
	}
	if e.cycles++; e.cycles < e.part {
		return
	}
	old := &e.parts[e.next]
	for n := range e.sum {
		e.sum[n] += e.now[n] - old[n]
	}
	*old, e.now = e.now, [64]int32{}
	e.next, e.cycles = (e.next+1)%eyeParts, 0
}

// duty returns the share of the eye's time for which each LED was lit, 0 to 1.
func (e *eye) duty() (d [64]float64) {
	for n, sum := range e.sum {
		d[n] = float64(sum) / float64(e.part*eyeParts)
	}
	return d
}
