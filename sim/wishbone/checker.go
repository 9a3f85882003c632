package wishbone

import (
	"errors"
	"math"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Checker checks both sides of a Wishbone bus. If the bus has a reset, it begins when the reset has
// been active, or at once if the design has run before.
type Checker struct {
	*Bus
	Bound int // cycles that a request may wait for its answer; zero means 1000

	started, reset bool
	checked        int
	open           []request // taken and not answered, in pipelined mode
	waiting        bool      // STB was 1 in the last cycle, and the request was not taken
	waited         int       // cycles without progress
	payload        []stream.Signal
	quiet          bool // there was a cycle without an answer: it is not one that is held
}

// request is what a checker remembers of a request.
type request struct {
	write bool
	sel   uint64
}

// Run is a process for Bench.Monitor. It fails with a *[stream.Violation].
func (c *Checker) Run(p *tb.Process) {
	*c = Checker{Bus: c.Bus, Bound: c.Bound, payload: pins.Signals(c.adr, c.sel)}
	if c.Bound == 0 {
		c.Bound = defaultBound
	}
	if c.we.Value != nil {
		c.payload = append(c.payload, stream.Field("WE", c.we.Value))
	}
	first := true
	p.AtEnd(func() error {
		if c.checked == 0 {
			return errors.New("wishbone: checked nothing: hold the reset first and end it (tb.Reset.Hold, sim.DUT.Reset), or do without it in the checker")
		}
		return nil
	})
	var err error
	p.Until(math.MaxInt, func() bool {
		if first {
			c.started, first = c.Reset == nil || p.Cycle() > 0, false
		}
		err = c.check(p)
		return err != nil
	})
	p.Fail(err)
}

func (c *Checker) check(p *tb.Process) error {
	active, was := c.Reset.Active(), c.reset
	c.reset = active
	c.started = c.started || was
	switch {
	case active && was && (c.cyc.Is() || c.stb.Is()):
		return violation(p, map[bool]string{true: "CYC", false: "STB"}[c.cyc.Is()], ruleReset, "is 1 in reset")
	case active || !c.started:
		c.open, c.waiting, c.waited = nil, false, 0
		return nil
	}
	c.checked++
	if s := c.unknown(); s != "" {
		return violation(p, s, ruleUnknown, "is X or Z")
	}
	if err := c.manager(p); err != nil {
		return err
	}
	return c.subordinate(p)
}

// manager checks the side that makes requests.
func (c *Checker) manager(p *tb.Process) error {
	stb, cyc := c.stb.Is(), c.cyc.Is()
	switch {
	case stb && !cyc:
		return violation(p, "STB", ruleCycle, "is 1 while CYC is 0")
	case c.waiting && !cyc && !c.Pipelined:
		return violation(p, "CYC", ruleCycle, "fell before the request was answered")
	case c.waiting && cyc && !stb && c.Pipelined:
		return violation(p, "STB", ruleHoldStall, "fell while STALL was 1")
	case c.waiting && cyc && !stb:
		return violation(p, "STB", ruleHold, "fell before the request was answered")
	case c.waiting && cyc:
		for _, s := range c.payload {
			if change := stream.Changed(s, p); change != "" {
				return violation(p, stream.NameOf(s), ruleQualified, "%s before the request was taken", change)
			}
		}
		if c.we.Is() && c.write.Bytes != nil {
			if change := stream.Changed(pins.Signals(c.write)[0], p); change != "" {
				return violation(p, "DAT", ruleQualified, "%s before the request was taken", change)
			}
		}
	}
	return nil
}

// subordinate checks the side that answers, and counts the requests.
func (c *Checker) subordinate(p *tb.Process) error {
	stb, cyc := c.stb.Is() && c.cyc.Is(), c.cyc.Is()
	answer, answered := c.answer()
	if n := count(c.ack, c.err, c.rty); n > 1 {
		return violation(p, answer.String(), ruleOneAnswer, "is one of %d answers at the same time", n)
	}
	now := request{c.we.Is(), c.sel.Get()}
	// The answer of a testbench is that of a register, which does not know CYC yet.
	late := c.IsManager() && len(c.open) > 0
	if !cyc {
		c.open = nil // the manager has given them up
	}
	if c.Pipelined && stb && !c.stall.Is() {
		c.open = append(c.open, now)
	}
	held := answer == ACK && !c.quiet // B.3 PERMISSION 3.35: no wait states, ACK is always 1
	if !answered {
		c.quiet = true
	}
	switch {
	case !answered || held && !stb || late && !cyc:
	case c.Pipelined && len(c.open) == 0 && !cyc:
		return violation(p, answer.String(), ruleNoCycle, "is 1 while CYC is 0")
	case c.Pipelined && len(c.open) == 0:
		return violation(p, answer.String(), rulePipelined, "is 1, and all requests were answered before")
	case !c.Pipelined && !cyc:
		return violation(p, answer.String(), ruleNoCycle, "is 1 while CYC is 0")
	case !c.Pipelined && !stb:
		return violation(p, answer.String(), ruleNegated, "is 1 while STB is 0")
	}
	if answered && c.Pipelined && len(c.open) > 0 {
		now, c.open = c.open[0], c.open[1:]
	}
	if x := c.unknownData(now.sel); answered && answer == ACK && !now.write && x != 0 && !c.AnyData && (c.Pipelined || stb) {
		return violation(p, "DAT", ruleDataKnown, "is X or Z in the bits %#x of a read", x)
	}
	c.waiting = stb && (c.Pipelined && c.stall.Is() || !c.Pipelined && !answered)
	if c.waiting {
		for _, s := range append(c.payload, pins.Signals(c.write)...) {
			stream.Keep(s, p)
		}
	}
	c.waited++
	if answered || !c.waiting && len(c.open) == 0 {
		c.waited = 0
	}
	if c.waited > c.Bound {
		signal := "ACK"
		if c.Pipelined && len(c.open) == 0 {
			signal = "STALL"
		}
		return violation(p, signal, ruleWait, "has been %d for %d cycles of a request", map[string]int{"STALL": 1}[signal], c.waited)
	}
	return nil
}

func count(bits ...pins.Bit) (n int) {
	for _, b := range bits {
		if b.Is() {
			n++
		}
	}
	return n
}
