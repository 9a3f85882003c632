package tb

// Reset drives a reset, and knows about it. A nil *Reset is one that is never active.
type Reset struct {
	Bit       *bool // in Bench.In
	ActiveLow bool
	Cycles    int // how long it is held; zero means 4

	released int // the cycle done last when it was released, plus 2; zero: never
}

// Active tells whether the reset is active, and for a monitor, whether it was in the cycle
// just done.
func (r *Reset) Active() bool { return r != nil && *r.Bit != r.ActiveLow }

// Over tells a driver whether it may begin: whether the reset is not active, and was not
// in the cycle done last.
func (r *Reset) Over(p *Process) bool {
	return r == nil || !r.Active() && r.released != p.cycle+2
}

// Hold makes the reset active, releases it, and returns after the first cycle without it.
// It is released too if the process is stopped.
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

// HoldAtRandom waits for less than n cycles, drawn from the process's random numbers, and
// then holds the reset.
func (r *Reset) HoldAtRandom(p *Process, n int) {
	p.Wait(p.Rand().IntN(max(n, 1)))
	r.Hold(p)
}
