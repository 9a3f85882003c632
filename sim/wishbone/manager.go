package wishbone

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/tb"
)

// Manager reads and writes over a Wishbone bus. An answer, or data that are read with ACK, with
// bits that are X or Z ends the bench with a *[stream.Violation]. An answer to no request is
// ignored: a [Checker] reports it.
type Manager struct {
	*Bus
	Gap   float64 // the probability in each cycle before a request that STB is not set yet
	Bound int     // cycles for an answer before the bench fails; zero means 1000

	busy bool
}

// Request is a read or a write.
type Request struct {
	Write bool
	Addr  uint64
	Data  uint64 // to write
	Sel   uint64 // the bytes, bit 0 for the least significant; AllBytes stands for all
	// Unknown has the bits of Data that are X or Z, in a request that a Subordinate was given.
	Unknown uint64
}

// AllBytes selects all bytes.
const AllBytes = ^uint64(0)

func (r Request) String() string {
	if r.Write {
		return fmt.Sprintf("%#x at %#x", r.Data, r.Addr)
	}
	return fmt.Sprintf("%#x", r.Addr)
}

// Result is what came of a request.
type Result struct {
	Answer Answer
	Data   uint64 // that were read
	// Unknown has their bits that are X or Z, if Bus.AnyData allows them.
	Unknown uint64
}

// Write writes all bytes of a word.
func (m *Manager) Write(p *tb.Process, addr, data uint64) Answer {
	return m.Block(p, Request{Write: true, Addr: addr, Data: data, Sel: AllBytes})[0].Answer
}

// Read reads all bytes of a word.
func (m *Manager) Read(p *tb.Process, addr uint64) (uint64, Answer) {
	r := m.Block(p, Request{Addr: addr, Sel: AllBytes})[0]
	return r.Data, r.Answer
}

// Block makes requests during one bus cycle: CYC stays 1 from the first to the last answer. In
// pipelined mode requests do not wait for answers to others. All that a reset has left without an
// answer are aborted.
func (m *Manager) Block(p *tb.Process, requests ...Request) []Result {
	if m.IsManager() {
		p.Failf("Wishbone: the design drives CYC: it is a manager itself")
	}
	for i := range requests {
		m.check(p, &requests[i])
	}
	for !m.Reset.Over(p) || m.busy {
		p.Next()
	}
	m.busy = true
	defer func() {
		m.busy = false
		m.idle()
		m.cyc.Set(false)
	}()
	results := make([]Result, len(requests))
	for i := range results {
		results[i].Answer = Aborted
	}
	bound := m.Bound
	if bound == 0 {
		bound = defaultBound
	}
	var under []tb.Transaction
	taken, answered, waited := 0, 0, 0
	for answered < len(requests) {
		if taken < len(requests) && (m.Pipelined || taken == answered) && (m.stb.Is() || m.Gap == 0 || p.Rand().Float64() >= m.Gap) {
			if !m.stb.Is() {
				r := requests[taken]
				under = append(under, p.Begin(map[bool]string{true: "writes", false: "reads"}[r.Write], r))
				m.request(r)
				waited = 0
			}
		}
		p.Next()
		if m.Reset.Active() {
			return results
		}
		if s := m.unknown(); s != "" {
			p.Fail(violation(p, s, ruleUnknown, "is X or Z"))
		}
		answer, answers := m.answer()
		if m.stb.Is() && (m.Pipelined && !m.stall.Is() || !m.Pipelined && answers) {
			taken++
			m.idle()
		}
		switch waited++; {
		case answers && answered < taken:
			r := requests[answered]
			x := m.unknownData(r.Sel)
			results[answered] = Result{Answer: answer, Data: m.read.Get(), Unknown: x}
			if x != 0 && !m.AnyData && answer == ACK && !r.Write {
				p.Fail(violation(p, "DAT", ruleDataKnown, "of the read at %#x is X or Z in the bits %#x", r.Addr, x))
			}
			under[answered].End()
			answered++
			waited = 0
		case waited > bound && len(under) > answered:
			p.Fail(violation(p, m.missing(), ruleWait, "did not come within %d cycles of the request for %v", bound, requests[answered]))
		}
	}
	return results
}

// missing names the answers that the design can give.
func (m *Manager) missing() string {
	names := "ACK"
	for _, s := range []pins.Bit{m.err, m.rty} {
		if s.Value != nil {
			names += " or " + s.Name
		}
	}
	return names
}

// check ends the bench if the design cannot be given a request.
func (m *Manager) check(p *tb.Process, r *Request) {
	if r.Sel == AllBytes {
		r.Sel = 1<<m.sel.Width - 1
	} else if m.sel.Bytes == nil {
		p.Failf("Wishbone: SEL %#b at address %#x, but the bus has no SEL", r.Sel, r.Addr)
	}
	if r.Write && m.we.Value == nil {
		p.Failf("Wishbone: a write at %#x, but the bus has no WE", r.Addr)
	}
	for _, f := range []struct {
		w pins.Word
		v uint64
	}{{m.adr, r.Addr}, {m.sel, r.Sel}, {m.write, r.Data}} {
		if !f.w.Fits(f.v) {
			p.Failf("Wishbone: %#x does not fit the %d bits of %s", f.v, f.w.Width, f.w.Name)
		}
	}
}

func (m *Manager) request(r Request) {
	m.cyc.Set(true)
	m.stb.Set(true)
	m.we.Set(r.Write)
	for _, f := range []struct {
		w pins.Word
		v uint64
	}{{m.adr, r.Addr}, {m.sel, r.Sel}, {m.write, r.Data}} {
		if f.w.Bytes != nil {
			f.w.Set(f.v)
		}
	}
}

// idle takes the request off the bus.
func (m *Manager) idle() {
	m.stb.Set(false)
	m.we.Set(false)
	for _, w := range []pins.Word{m.adr, m.sel, m.write} {
		clear(w.Bytes)
	}
}
