package axi

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Subordinate answers what a design reads and writes over an AXI4-Lite bus. It takes up to four
// requests of each kind before it answers, and answers them in their order. Addresses and data of
// writes come in any order. A request that is X or Z ends the bench with a *[stream.Violation].
type Subordinate struct {
	*Lite
	// Access does a read or a write.
	Access func(*tb.Process, Access) (data uint64, resp Resp)

	Gap  float64 // the probability in each cycle in which an answer is due that it does not come yet
	Busy float64 // the probability in each cycle and channel that it is not READY
	Late bool    // it is READY only for what has been VALID in the cycle before

	writes, reads []Access // taken, not answered
	data          []Access // of writes whose addresses have not come
	addresses     []uint64 // of writes whose data have not come
}

// Access is a read or a write that a design asks for.
type Access struct {
	Write   bool
	Addr    uint64
	Data    uint64 // to write
	Strobe  uint8  // the bytes that are written, bit 0 for the least significant
	Unknown uint64 // the bits of Data that are X or Z, in bytes that are written
}

func (a Access) String() string {
	if a.Write {
		return fmt.Sprintf("%#x at %#x", a.Data, a.Addr)
	}
	return fmt.Sprintf("%#x", a.Addr)
}

const ruleAddressKnown = "the testbench expects the address and the strobes of a request to be 0 or 1"

// subordinateDepth is how many requests it takes before the first is answered.
const subordinateDepth = 4

// Responses returns those that the bus can carry: OKAY alone without BRESP and RRESP.
func (l *Lite) Responses() []Resp {
	if l.bresp.Bytes == nil || l.rresp.Bytes == nil {
		return []Resp{OKAY}
	}
	return []Resp{OKAY, SLVERR, DECERR}
}

// Run is a process for Bench.Background.
func (s *Subordinate) Run(p *tb.Process) {
	if !s.IsManager() {
		p.Failf("AXI4-Lite: the design does not drive AWVALID and ARVALID: it is a subordinate itself")
	}
	ready := func(c channel, waiting int) {
		*c.ready.Value = waiting < subordinateDepth && !(s.Busy > 0 && p.Rand().Float64() < s.Busy) && !(s.Late && !*c.valid.Value)
	}
	for {
		if !s.Reset.Over(p) {
			s.rest()
			p.Next()
			continue
		}
		ready(s.aw, len(s.addresses)+len(s.writes))
		ready(s.w, len(s.data)+len(s.writes))
		ready(s.ar, len(s.reads))
		s.respond(p, s.b, s.bresp, &s.writes)
		s.respond(p, s.r, s.rresp, &s.reads)
		p.Next()
		if s.Reset.Active() {
			continue
		}
		s.take(p)
	}
}

// rest drives nothing.
func (s *Subordinate) rest() {
	s.writes, s.reads, s.data, s.addresses = nil, nil, nil, nil
	for _, ready := range []pins.Bit{s.aw.ready, s.w.ready, s.ar.ready, s.b.valid, s.r.valid} {
		ready.Set(false)
	}
	for _, w := range []pins.Word{s.bresp, s.rresp, s.rdata} {
		clear(w.Bytes)
	}
}

// respond offers the answer to the first request that has none, if it is not offered already.
func (s *Subordinate) respond(p *tb.Process, c channel, code pins.Word, taken *[]Access) {
	if *c.valid.Value || len(*taken) == 0 || s.Gap > 0 && p.Rand().Float64() < s.Gap {
		return
	}
	a := (*taken)[0]
	data, resp := s.Access(p, a)
	p.Begin(map[bool]string{true: "writes", false: "reads"}[a.Write], a).End()
	if code.Bytes != nil {
		code.Set(uint64(resp))
	} else if resp != OKAY {
		p.Failf("AXI4-Lite: the answer to %v is %v, but the bus has no %s", a, resp, code.Name)
	}
	if !a.Write {
		s.rdata.Set(data)
	}
	*c.valid.Value = true
}

// take takes what was transferred in the cycle just done.
func (s *Subordinate) take(p *tb.Process) {
	if s.b.transfer() {
		s.writes = s.writes[1:]
		*s.b.valid.Value = false
		clear(s.bresp.Bytes)
	}
	if s.r.transfer() {
		s.reads = s.reads[1:]
		*s.r.valid.Value = false
		clear(s.rresp.Bytes)
		clear(s.rdata.Bytes)
	}
	known := func(w pins.Word, valid string) {
		if w.IsUnknown() {
			p.Fail(&stream.Violation{Stream: "AXI4-Lite", Signal: w.Name, Cycle: p.Cycle(), What: fmt.Sprintf("is X or Z while %s is 1", valid), Rule: ruleAddressKnown})
		}
	}
	if s.aw.transfer() {
		known(s.awaddr, "AWVALID")
		s.addresses = append(s.addresses, s.awaddr.Get())
	}
	if s.w.transfer() {
		a := Access{Write: true, Data: s.wdata.Get(), Strobe: uint8(1<<len(s.wdata.Bytes) - 1)}
		if s.wstrb.Bytes != nil {
			known(s.wstrb, "WVALID")
			a.Strobe = uint8(s.wstrb.Get())
		}
		a.Unknown = s.wdata.UnknownBits() & pins.Mask(uint64(a.Strobe))
		s.data = append(s.data, a)
	}
	for range min(len(s.addresses), len(s.data)) {
		a := s.data[0]
		a.Addr = s.addresses[0]
		s.addresses, s.data = s.addresses[1:], s.data[1:]
		s.writes = append(s.writes, a)
	}
	if s.ar.transfer() {
		known(s.araddr, "ARVALID")
		s.reads = append(s.reads, Access{Addr: s.araddr.Get()})
	}
}
