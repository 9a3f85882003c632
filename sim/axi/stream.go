package axi

import (
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Stream is an AXI4-Stream between a bench and its design. Its packets are slices of bytes; the
// least significant byte of TDATA comes first (IHI 0051A, Data signaling).
type Stream struct {
	// Reset drives ARESETn. Set it if the design has a reset.
	Reset *tb.Reset
	Width int // the number of bytes of TDATA

	name           string
	handshake      channel
	data           pins.Word
	keep, strb     pins.Word
	last           pins.Bit
	id, dest, user pins.Word
	drives         []string
}

// BindStream returns the AXI4-Stream of a bench whose signals' names begin with the prefix. TDATA
// and TVALID must be there. Without TREADY the receiver is always ready, without TLAST each
// transfer is a packet, and without TKEEP all its bytes count (IHI 0051A 3.1).
func BindStream(b tb.Pinned, prefix string) (*Stream, error) {
	s := pins.New(b, prefix)
	bit := func(name string, optional bool) pins.Bit { return s.Bit(pins.Either, optional, name) }
	word := func(name string) pins.Word { return s.Word(pins.Either, name != "TDATA", name) }
	t := &Stream{
		name: prefix, handshake: channel{bit("TVALID", false), bit("TREADY", true)},
		data: word("TDATA"), keep: word("TKEEP"), strb: word("TSTRB"), last: bit("TLAST", true),
		id: word("TID"), dest: word("TDEST"), user: word("TUSER"),
	}
	if t.handshake.ready.Value == nil {
		always := true
		t.handshake.ready = pins.Bit{Name: "TREADY", Value: &always, Driven: true}
	}
	t.Width = t.data.Width / 8
	if t.data.Width%8 != 0 {
		s.Fault("TDATA has %d bits, which are not whole bytes (IHI 0051A 2.1)", t.data.Width)
	}
	for _, w := range []pins.Word{t.keep, t.strb} {
		if w.Bytes != nil && w.Width != t.Width {
			s.Fault("%s has %d bits for the %d bytes of TDATA (IHI 0051A 2.1)", w.Name, w.Width, t.Width)
		}
	}
	t.drives = s.Drives()
	return t, s.Done("AXI4-Stream")
}

// Drives returns the names of the design's ports that the bench drives.
func (s *Stream) Drives() []string { return s.drives }

// Into reports whether the stream is one into the design, whose TVALID the bench drives.
func (s *Stream) Into() bool { return s.handshake.valid.Driven }

// kept reports whether TKEEP is 1 for byte i of the present transfer.
func (s *Stream) kept(i int) bool { return s.keep.Bytes == nil || s.keep.Bytes[i/8]>>(i%8)&1 != 0 }

// counts reports whether byte i, if it is kept, has data. With TSTRB 0 it holds a place only
// (IHI 0051A 2.4.3).
func (s *Stream) counts(i int) bool { return s.strb.Bytes == nil || s.strb.Bytes[i/8]>>(i%8)&1 != 0 }

// unknown returns an error if a part of the present transfer that counts is X or Z.
func (s *Stream) unknown(cycle int) error {
	for _, q := range []struct {
		name    string
		unknown bool
	}{{"TVALID", s.handshake.valid.IsUnknown()}, {"TKEEP", s.keep.IsUnknown()}, {"TSTRB", s.strb.IsUnknown()}, {"TLAST", s.last.IsUnknown()}} {
		if q.unknown {
			return s.violation(cycle, q.name, "is X or Z while TVALID is 1", ruleQualifiers)
		}
	}
	for i, x := range s.data.Unknown[:min(s.Width, len(s.data.Unknown))] {
		if x != 0 && s.kept(i) && s.counts(i) {
			return s.violation(cycle, "TDATA", fmt.Sprintf("is X or Z in the bits %#x of byte %d while TVALID is 1", x, i), ruleBytes)
		}
	}
	return nil
}

func (s *Stream) violation(cycle int, signal, what, rule string) error {
	return &stream.Violation{Stream: "AXI4-Stream " + s.name, Signal: signal, Cycle: cycle, What: what, Rule: rule}
}

// ends reports whether the present transfer is the last of its packet.
func (s *Stream) ends() bool { return s.last.Value == nil || *s.last.Value }

// Sendable says why a packet of n bytes cannot be sent into the design, or "".
func (s *Stream) Sendable(n int) string {
	switch {
	case !s.handshake.valid.Driven:
		return "the design drives TVALID: it is a source itself"
	case n == 0:
		return "a packet must have a byte"
	case s.keep.Bytes == nil && n%s.Width != 0:
		return fmt.Sprintf("a packet of %d bytes does not fill transfers of %d, and there is no TKEEP", n, s.Width)
	case s.last.Value == nil && n > s.Width:
		return fmt.Sprintf("a packet of %d bytes needs several transfers, and there is no TLAST", n)
	}
	return ""
}

// Source sends packets into a design.
type Source struct {
	*Stream
	Gap   float64 // the probability in each cycle before a transfer that it waits for another
	Bound int     // cycles to wait for TREADY before the bench fails; zero means 1000
}

// Send sends a packet of at least one byte. It returns true after the cycle of the last transfer,
// or false as soon as a reset has come in between. TLAST marks the last transfer; TKEEP and TSTRB
// are 0 for the bytes of it that the packet does not fill.
func (s *Source) Send(p *tb.Process, packet []byte) bool {
	if problem := s.Sendable(len(packet)); problem != "" {
		p.Failf("AXI4-Stream %s: %s", s.name, problem)
	}
	for !s.Reset.Over(p) {
		p.Next()
	}
	bound := s.Bound
	if bound == 0 {
		bound = defaultBound
	}
	defer s.idle()
	sent := p.Begin("sends", packet)
	for len(packet) > 0 {
		for s.Gap > 0 && p.Rand().Float64() < s.Gap {
			p.Next()
		}
		n := min(s.Width, len(packet))
		s.offer(packet[:n], n == len(packet))
		taken := false
		p.Until(bound, func() bool {
			taken = *s.handshake.ready.Value && !s.Reset.Active()
			return taken || s.Reset.Active()
		})
		s.idle()
		if !taken {
			sent.End()
			return false
		}
		packet = packet[n:]
	}
	sent.End()
	return true
}

func (s *Source) offer(data []byte, last bool) {
	*s.handshake.valid.Value = true
	clear(s.data.Bytes[copy(s.data.Bytes, data):])
	for _, w := range []pins.Word{s.keep, s.strb} {
		for i := range data {
			if w.Bytes != nil {
				w.Bytes[i/8] |= 1 << (i % 8)
			}
		}
	}
	if s.last.Value != nil {
		*s.last.Value = last
	}
}

func (s *Source) idle() {
	*s.handshake.valid.Value = false
	for _, w := range []pins.Word{s.data, s.keep, s.strb} {
		clear(w.Bytes)
	}
	if s.last.Value != nil {
		*s.last.Value = false
	}
}

// Receiver drives TREADY for what a design sends, as a [stream.Sink] does. To see the packets, add
// [Packets].
type Receiver struct {
	*Stream
	Busy float64 // the probability in each cycle that it is not ready
	Late bool    // ready only after TVALID was seen
}

// Run is a process for Bench.Background.
func (r *Receiver) Run(p *tb.Process) {
	if !r.handshake.ready.Driven || r.handshake.valid.Driven {
		p.Failf("AXI4-Stream %s: the design receives this one itself", r.name)
	}
	(&stream.Sink{Valid: r.handshake.valid.Value, Ready: r.handshake.ready.Value, Busy: r.Busy, Late: r.Late}).Run(p)
}

// Packets is a monitor that assembles packets. Bytes whose TKEEP is 0 are left out. If TKEEP,
// TSTRB, TLAST or a byte with data is X or Z, the bench ends with a *[stream.Violation].
type Packets struct {
	*Stream
	Each func(p *tb.Process, packet []byte) // is called after a packet's last transfer
}

// Run is a process for Bench.Monitor. A packet that a reset interrupts is dropped.
func (m *Packets) Run(p *tb.Process) {
	var packet []byte
	start := 0 // the cycle of its first transfer
	for {
		p.Until(forever, func() bool { return m.handshake.transfer() || m.Reset.Active() })
		if m.Reset.Active() {
			packet = nil
			continue
		}
		if err := m.unknown(p.Cycle()); err != nil {
			p.Fail(err)
		}
		if packet == nil {
			start = p.Cycle()
		}
		for i := range m.Width {
			if m.kept(i) {
				packet = append(packet, m.data.Bytes[i])
			}
		}
		if m.ends() {
			p.Note(tb.Item{What: "saw", Value: packet, From: start})
			m.Each(p, packet)
			packet = nil
		}
	}
}

// streamRules are the rules of the handshake, with the sections that demand them.
var streamRules = stream.Rules{
	Hold:    "IHI 0051A 2.2.1: TVALID, once asserted, remains asserted until the handshake",
	Stable:  "IHI 0051A 2.2.1: data and control information stay unchanged until the handshake",
	Reset:   "IHI 0051A 2.7.2: TVALID is low in reset, and until a clock edge has seen ARESETn high",
	Wait:    "TREADY comes within the testbench's bound",
	Unknown: "the testbench expects TVALID and TREADY to be 0 or 1 outside of reset",
}

const (
	ruleReserved   = "IHI 0051A 2.4.3: TSTRB high with TKEEP low is reserved"
	ruleQualifiers = "the testbench expects TVALID, TKEEP, TSTRB and TLAST of a transfer to be 0 or 1"
	ruleBytes      = "the testbench expects the bytes that TKEEP and TSTRB say to have data to be 0 or 1"
	rulePacked     = "the testbench expects a packed stream: null bytes only at the end of a packet"
)

// StreamChecker checks the rules of an AXI4-Stream. As [Packets] does, it also checks that
// transfers are neither X nor Z.
type StreamChecker struct {
	*Stream
	Bound  int  // cycles that TVALID may wait for TREADY; zero: any number
	Packed bool // TKEEP may be 0 for the last bytes of a packet only
}

// Run is a process for Bench.Monitor. It fails with a *[stream.Violation].
func (c *StreamChecker) Run(p *tb.Process) {
	rules := c.handshake.checker("AXI4-Stream "+c.name, pins.Signals(c.data, c.keep, c.strb, c.id, c.dest, c.user), c.Reset, c.Bound, streamRules)
	if c.last.Value != nil {
		rules.Payload = append(rules.Payload, stream.Field("TLAST", c.last.Value))
	}
	var err error
	p.Until(forever, func() bool {
		err = rules.Check(p)
		if err == nil && *c.handshake.valid.Value && !c.Reset.Active() && rules.Started() {
			err = c.qualifiers(p.Cycle())
		}
		return err != nil
	})
	p.Fail(err)
}

// qualifiers checks TKEEP, TSTRB and TLAST of the present transfer, and that no bit that counts is
// X or Z.
func (c *StreamChecker) qualifiers(cycle int) error {
	if err := c.unknown(cycle); err != nil {
		return err
	}
	gap := false
	for i := range c.Width {
		kept := c.kept(i)
		if !kept && c.strb.Bytes != nil && c.strb.Bytes[i/8]>>(i%8)&1 != 0 {
			return c.violation(cycle, "TSTRB", fmt.Sprintf("is 1 for byte %d, TKEEP is 0", i), ruleReserved)
		}
		if c.Packed && kept && gap {
			return c.violation(cycle, "TKEEP", fmt.Sprintf("is 0 for a byte before byte %d", i), rulePacked)
		}
		gap = gap || !kept
	}
	if c.Packed && gap && !c.ends() {
		return c.violation(cycle, "TKEEP", fmt.Sprintf("is 1 for %d bytes only, and TLAST is 0", ones(c.keep.Bytes)), rulePacked)
	}
	return nil
}

func ones(b []byte) (n int) {
	for _, v := range b {
		n += bits.OnesCount8(v)
	}
	return n
}
