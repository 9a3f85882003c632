package axi

import (
	"fmt"
	"math"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// forever is a bound for waits that the bench's own bound ends.
const forever = math.MaxInt

// Manager writes and reads over an AXI4-Lite bus. One write and one read may be under way at a
// time, in processes of their own. Each channel draws its own gaps, so that data may come before
// the address. It never waits for READY before it sets VALID. A response that is X or Z ends the
// bench with a *[stream.Violation], and so do data with such bits that are read without error.
type Manager struct {
	*Lite
	Gap   float64 // the probability in each cycle and channel that VALID is not set yet
	Busy  float64 // the probability in each cycle that it is not READY for a response
	Prot  uint8   // AWPROT and ARPROT (IHI 0022E A4.7)
	Bound int     // cycles for a transaction before the bench fails; zero means 1000

	// Unknown has the bits of the last read that are X or Z, if AnyData allows them.
	Unknown uint64

	writing, reading bool
}

// Write writes all bytes of the word at an address, and returns the response.
func (m *Manager) Write(p *tb.Process, addr, data uint64) Resp {
	return m.WriteStrobe(p, addr, data, 1<<len(m.wdata.Bytes)-1)
}

// WriteStrobe writes the bytes of a word whose strobe bits are set, bit 0 for the least significant
// byte, and returns the response.
func (m *Manager) WriteStrobe(p *tb.Process, addr, data uint64, strobe uint8) Resp {
	m.take(p, &m.writing)
	written := p.Begin("writes", access{addr, data})
	resp := m.write(p, addr, data, strobe)
	written.End()
	return resp
}

// access is a write, for the page of a failure.
type access struct{ addr, data uint64 }

func (a access) String() string { return fmt.Sprintf("%#x at %#x", a.data, a.addr) }

func (m *Manager) write(p *tb.Process, addr, data uint64, strobe uint8) Resp {
	defer func() {
		m.writing = false
		m.idle(m.aw, m.awaddr, m.awprot)
		m.idle(m.w, m.wdata, m.wstrb)
		*m.b.ready.Value = false
	}()
	if m.wstrb.Bytes == nil && strobe != 1<<len(m.wdata.Bytes)-1 {
		p.Failf("AXI4-Lite: strobe %#b at address %#x, but the bus has no WSTRB", strobe, addr)
	}
	m.mustFit(p, m.awaddr, addr)
	m.mustFit(p, m.wdata, data)
	address, written := false, false
	for range m.bound() {
		if !m.hold(p) && !address && !*m.aw.valid.Value {
			m.request(m.aw, m.awaddr, addr, m.awprot, uint64(m.Prot))
		}
		if !m.hold(p) && !written && !*m.w.valid.Value {
			m.request(m.w, m.wdata, data, m.wstrb, uint64(strobe))
		}
		*m.b.ready.Value = !m.busy(p)
		p.Next()
		if m.Reset.Active() {
			return Aborted
		}
		early := !(address || m.SameCycle && m.aw.transfer()) || !(written || m.SameCycle && m.w.transfer())
		if m.b.transfer() && early {
			p.Fail(&stream.Violation{Stream: "AXI4-Lite", Signal: "BVALID", Cycle: p.Cycle(), What: "is 1 before the write is complete", Rule: ruleWriteResponse})
		}
		if m.b.transfer() {
			return m.response(p, m.b, m.bresp)
		}
		if m.aw.transfer() {
			address = true
			m.idle(m.aw, m.awaddr, m.awprot)
		}
		if m.w.transfer() {
			written = true
			m.idle(m.w, m.wdata, m.wstrb)
		}
	}
	missing := "BVALID"
	switch {
	case !address && *m.aw.valid.Value:
		missing = "AWREADY"
	case !written && *m.w.valid.Value:
		missing = "WREADY"
	}
	return m.tooLate(p, missing, "write", addr)
}

// Read reads the word at an address. The data are 0 if the read was aborted by a reset.
func (m *Manager) Read(p *tb.Process, addr uint64) (data uint64, resp Resp) {
	m.take(p, &m.reading)
	reading := p.Begin("reads at", addr)
	data, resp = m.read(p, addr)
	reading.End()
	return data, resp
}

func (m *Manager) read(p *tb.Process, addr uint64) (data uint64, resp Resp) {
	defer func() {
		m.reading = false
		m.idle(m.ar, m.araddr, m.arprot)
		*m.r.ready.Value = false
	}()
	m.mustFit(p, m.araddr, addr)
	address := false
	for range m.bound() {
		if !m.hold(p) && !address && !*m.ar.valid.Value {
			m.request(m.ar, m.araddr, addr, m.arprot, uint64(m.Prot))
		}
		*m.r.ready.Value = !m.busy(p)
		p.Next()
		if m.Reset.Active() {
			return 0, Aborted
		}
		if m.r.transfer() {
			if !address && !(m.SameCycle && m.ar.transfer()) {
				p.Fail(&stream.Violation{Stream: "AXI4-Lite", Signal: "RVALID", Cycle: p.Cycle(), What: "is 1 before the address was taken", Rule: ruleReadResponse})
			}
			resp = m.response(p, m.r, m.rresp)
			m.Unknown = m.rdata.UnknownBits()
			if m.rdata.IsUnknown() && !m.AnyData && resp != SLVERR && resp != DECERR {
				p.Fail(&stream.Violation{Stream: "AXI4-Lite", Signal: "RDATA", Cycle: p.Cycle(), Rule: ruleDataKnown,
					What: fmt.Sprintf("of the read at %#x is X or Z in the bits %#x", addr, m.rdata.UnknownBits())})
			}
			return m.rdata.Get(), resp
		}
		if m.ar.transfer() {
			address = true
			m.idle(m.ar, m.araddr, m.arprot)
		}
	}
	missing := "RVALID"
	if !address {
		missing = "ARREADY"
	}
	return 0, m.tooLate(p, missing, "read", addr)
}

// response returns the response of the present transfer.
func (m *Manager) response(p *tb.Process, c channel, code pins.Word) Resp {
	for _, s := range []struct {
		name    string
		unknown bool
		rule    string
	}{{c.valid.Name, c.valid.IsUnknown(), liteRules.Unknown}, {code.Name, code.IsUnknown(), ruleResponseKnown}} {
		if s.unknown {
			p.Fail(&stream.Violation{Stream: "AXI4-Lite", Signal: s.name, Cycle: p.Cycle(), What: "of a response is X or Z", Rule: s.rule})
		}
	}
	return Resp(code.Get())
}

// take waits until no other process uses this half of the manager and the reset is over.
func (m *Manager) take(p *tb.Process, used *bool) {
	if m.IsManager() {
		p.Failf("AXI4-Lite: the design drives AWVALID: it is a manager itself")
	}
	for !m.Reset.Over(p) || *used {
		p.Next()
	}
	*used = true
}

func (m *Manager) hold(p *tb.Process) bool { return m.Gap > 0 && p.Rand().Float64() < m.Gap }
func (m *Manager) busy(p *tb.Process) bool { return m.Busy > 0 && p.Rand().Float64() < m.Busy }

func (m *Manager) bound() int {
	if m.Bound == 0 {
		return defaultBound
	}
	return m.Bound
}

func (m *Manager) mustFit(p *tb.Process, w pins.Word, v uint64) {
	if !w.Fits(v) {
		p.Failf("AXI4-Lite: %#x does not fit the %d bits of %s", v, w.Width, w.Name)
	}
}

// request offers a payload on a channel.
func (m *Manager) request(c channel, w pins.Word, v uint64, with pins.Word, value uint64) {
	*c.valid.Value = true
	w.Set(v)
	if with.Bytes != nil {
		with.Set(value)
	}
}

// idle takes the payload off the channel.
func (m *Manager) idle(c channel, w, with pins.Word) {
	*c.valid.Value = false
	w.Set(0)
	if with.Bytes != nil {
		with.Set(0)
	}
}

func (m *Manager) tooLate(p *tb.Process, missing, what string, addr uint64) Resp {
	p.Fail(&stream.Violation{
		Stream: "AXI4-Lite", Signal: missing, Cycle: p.Cycle(), Rule: liteRules.Wait,
		What: fmt.Sprintf("did not come within %d cycles of the %s at %#x", m.bound(), what, addr),
	})
	return Aborted
}
