package tb

// Reset drives a reset, and reports whether it is active. A nil *Reset is never active.
type Reset struct {
	Bit       *bool // in Bench.In
	ActiveLow bool
	Cycles    int // for how many cycles Hold holds it; zero means 4

	released int // the cycle done last when it was released, plus 2; zero: never
}

// Active reports whether the reset is active. In a monitor that is, whether it was in the cycle
// just done.
func (r *Reset) Active() bool { return r != nil && *r.Bit != r.ActiveLow }

// Over reports whether a driver may begin: the reset is not active, and was not in the cycle done
// last.
func (r *Reset) Over(p *Process) bool {
	return r == nil || !r.Active() && r.released != p.cycle+2
}

// Hold makes the reset active, releases it, and returns after the first cycle without it.
// It is also released if the process is stopped.
func (r *Reset) Hold(p *Process) {
	n := r.Cycles
	if n == 0 {
		n = 4
	}
	r.hold(p, n)
	p.Next()
}

func (r *Reset) hold(p *Process, n int) {
	defer func() {
		*r.Bit = r.ActiveLow
		r.released = p.cycle + 2
	}()
	*r.Bit = !r.ActiveLow
	p.Wait(n)
}

// HoldAtRandom waits for fewer than n cycles, drawn from the process's random numbers, and then
// holds the reset.
func (r *Reset) HoldAtRandom(p *Process, n int) {
	p.Wait(p.Rand().IntN(max(n, 1)))
	r.Hold(p)
}
