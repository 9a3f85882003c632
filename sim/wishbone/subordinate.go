package wishbone

import (
	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/tb"
)

// Subordinate answers what a design reads and writes over a Wishbone bus, one clock cycle after the
// request at the earliest. In pipelined mode it takes up to four requests before it answers. A
// request whose address is X or Z ends the bench with a
// *[github.com/cosimate/cosimate/sim/stream.Violation].
type Subordinate struct {
	*Bus
	// Access does what a request asks for. Request.Unknown has the bits of data, in selected bytes,
	// that are X or Z.
	Access func(*tb.Process, Request) Result

	Gap  float64 // the probability in each cycle in which an answer is due that it does not come yet
	Busy float64 // the probability in each cycle of STALL

	taken []Request // not answered
}

const (
	ruleAddressKnown = "the testbench expects WE, ADR and SEL of a request to be 0 or 1"
	// subordinateDepth is how many requests it takes in pipelined mode before the first is
	// answered.
	subordinateDepth = 4
)

// Answers returns those that the bus can carry.
func (w *Bus) Answers() (all []Answer) {
	for a, b := range []pins.Bit{ACK: w.ack, ERR: w.err, RTY: w.rty} {
		if b.Value != nil {
			all = append(all, Answer(a))
		}
	}
	return all
}

// Run is a process for Bench.Background.
func (s *Subordinate) Run(p *tb.Process) {
	if !s.IsManager() {
		p.Failf("Wishbone: the design does not drive CYC: it is a subordinate itself")
	}
	for {
		answers := []pins.Bit{ACK: s.ack, ERR: s.err, RTY: s.rty}
		for _, b := range answers {
			b.Set(false)
		}
		clear(s.read.Bytes)
		switch {
		case !s.Reset.Over(p):
			s.taken = nil
			s.stall.Set(false)
			p.Next()
			continue
		case len(s.taken) > 0 && !(s.Gap > 0 && p.Rand().Float64() < s.Gap):
			s.answerTo(p, s.taken[0], answers)
			s.taken = s.taken[1:]
		}
		_, answering := s.answer()
		s.stall.Set(s.Pipelined && (len(s.taken) >= subordinateDepth || s.Busy > 0 && p.Rand().Float64() < s.Busy))
		p.Next()
		switch {
		case s.Reset.Active():
		case !s.cyc.Is():
			s.taken = nil
		case s.stb.Is() && (s.Pipelined && !s.stall.Is() || !s.Pipelined && !answering && len(s.taken) == 0):
			s.taken = append(s.taken, s.asked(p))
		}
	}
}

// answerTo gives the answer to a request in the coming cycle.
func (s *Subordinate) answerTo(p *tb.Process, r Request, answers []pins.Bit) {
	result := s.Access(p, r)
	p.Begin(map[bool]string{true: "writes", false: "reads"}[r.Write], r).End()
	if int(result.Answer) >= len(answers) || answers[result.Answer].Value == nil {
		p.Failf("Wishbone: the answer to %v is %v, but the bus does not have it", r, result.Answer)
	}
	answers[result.Answer].Set(true)
	if !r.Write && s.read.Bytes != nil {
		s.read.Set(result.Data)
	}
}

// asked returns the request of the cycle just done.
func (s *Subordinate) asked(p *tb.Process) Request {
	if s.we.IsUnknown() {
		p.Fail(violation(p, "WE", ruleAddressKnown, "is X or Z while STB is 1"))
	}
	for _, w := range []pins.Word{s.adr, s.sel} {
		if w.IsUnknown() {
			p.Fail(violation(p, w.Name, ruleAddressKnown, "is X or Z in the bits %#x while STB is 1", w.UnknownBits()))
		}
	}
	r := Request{Write: s.we.Is(), Addr: s.adr.Get(), Sel: AllBytes}
	if s.sel.Bytes != nil {
		r.Sel = s.sel.Get()
	}
	if r.Write {
		r.Data = s.write.Get()
		r.Unknown = s.write.UnknownBits()
		if s.sel.Bytes != nil && s.sel.Width*8 == s.write.Width {
			r.Unknown &= pins.Mask(r.Sel)
		}
	}
	return r
}
