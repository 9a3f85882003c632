// Package axi has testbench processes for AMBA buses: AXI4-Lite ([Lite], [Manager], [Subordinate],
// [LiteChecker]) and AXI4-Stream ([Stream], [Source], [Receiver], [StreamChecker]).
//
// The signals are found by name among the ports of a bench. With prefix "s_axil",
// AWVALID is the port s_axil_awvalid or s_axil_awvalid_i, or a field with such a name.
//
//	bus, err := axi.BindLite(b, "s_axil")
//	bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
//	b.Monitor("rules", (&axi.LiteChecker{Lite: bus}).Run)
//	m := &axi.Manager{Lite: bus, Gap: 0.3, Busy: 0.3}
//	b.Go("test", func(p *tb.Process) {
//		bus.Reset.Hold(p)
//		m.Write(p, 0x10, 0xcafe)
//		data, resp := m.Read(p, 0x10)
//	})
//
// Rules are cited from the AMBA AXI and ACE Protocol Specification, ARM IHI 0022 issue E (A3.1.1
// Clock, A3.1.2 Reset, A3.2.1 Handshake process, A3.3.1 Dependencies between channel handshake
// signals, A3.4.4 Read and write response structure, A4.7 Access permissions, B1.1.1 Signal list,
// B1.1.2 Bus width), and the AMBA 4 AXI4-Stream Protocol Specification, ARM IHI 0051 issue A (2.2.1
// Handshake process, 2.4.3 TKEEP and TSTRB combinations, 2.7.2 Reset, 3.1 Default value signaling).
// Later issues have the same rules under other numbers.
package axi

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Resp is a response as BRESP and RRESP code it (IHI 0022E A3.4.4).
type Resp uint8

const (
	OKAY   Resp = 0 // done
	EXOKAY Resp = 1 // not in AXI4-Lite
	SLVERR Resp = 2 // the subordinate refuses
	DECERR Resp = 3 // there is nothing at this address
	// Aborted says that there was no response, because a reset came before it.
	Aborted Resp = 4
)

func (r Resp) String() string {
	if int(r) < len(respNames) {
		return respNames[r]
	}
	return fmt.Sprintf("Resp(%d)", uint8(r))
}

var respNames = [...]string{"OKAY", "EXOKAY", "SLVERR", "DECERR", "aborted by a reset"}

// Lite is an AXI4-Lite bus between a bench and its design.
type Lite struct {
	// Reset drives ARESETn. Set it if the design has a reset.
	Reset *tb.Reset
	// SameCycle allows a response in the cycle of the handshakes that it answers. IHI 0022E A3.3.1
	// has BVALID and RVALID wait for these, but some subordinates, whose READY are registers, set
	// both at once.
	SameCycle bool
	// AnyData allows data that are read to have bits that are X or Z: see Manager.Unknown.
	AnyData bool

	aw, w, b, ar, r channel

	awaddr, awprot, wdata, wstrb, bresp, araddr, arprot, rdata, rresp pins.Word
	drives                                                            []string
}

// channel is the handshake of one of the bus's five channels.
type channel struct{ valid, ready pins.Bit }

func (c channel) transfer() bool { return *c.valid.Value && *c.ready.Value }

func bindChannel(b *pins.Bus, name string) channel {
	return channel{b.Bit(pins.Either, false, name+"VALID"), b.Bit(pins.Either, false, name+"READY")}
}

// BindLite returns the AXI4-Lite bus of a bench whose signals' names begin with the prefix. AWPROT,
// ARPROT and WSTRB may be missing, and BRESP and RRESP of a design that makes the requests. The
// error names each other signal that is, and wrong widths.
func BindLite(b tb.Pinned, prefix string) (*Lite, error) {
	s := pins.New(b, prefix)
	word := func(name string, optional bool) pins.Word { return s.Word(pins.Either, optional, name) }
	manager := s.Has(pins.Design, "AWVALID") || s.Has(pins.Design, "ARVALID")
	l := &Lite{
		aw: bindChannel(s, "AW"), w: bindChannel(s, "W"), b: bindChannel(s, "B"), ar: bindChannel(s, "AR"), r: bindChannel(s, "R"),
		awaddr: word("AWADDR", false), awprot: word("AWPROT", true),
		wdata: word("WDATA", false), wstrb: word("WSTRB", true), bresp: word("BRESP", manager),
		araddr: word("ARADDR", false), arprot: word("ARPROT", true),
		rdata: word("RDATA", false), rresp: word("RRESP", manager),
	}
	if n := l.wdata.Width; n != 0 && (n != 32 && n != 64 || n != l.rdata.Width) {
		s.Fault("WDATA has %d bits and RDATA %d: both must have 32, or both 64 (IHI 0022E B1.1.2)", n, l.rdata.Width)
	}
	l.drives = s.Drives()
	return l, s.Done("AXI4-Lite bus")
}

// Drives returns the names of the design's ports that the bench drives.
func (l *Lite) Drives() []string { return l.drives }

// IsManager reports whether the design drives the requests.
func (l *Lite) IsManager() bool { return !l.aw.valid.Driven || !l.ar.valid.Driven }

// Widths returns the bits of an address and of data.
func (l *Lite) Widths() (address, data int) { return l.araddr.Width, l.rdata.Width }

// liteRules are the rules of the handshake, with the sections that demand them.
var liteRules = stream.Rules{
	Hold:    "IHI 0022E A3.2.1: VALID, once asserted, remains asserted until the handshake",
	Stable:  "IHI 0022E A3.2.1: the source keeps its information stable until the handshake",
	Reset:   "IHI 0022E A3.1.2: VALID is low in reset, and until a clock edge has seen ARESETn high",
	Wait:    "IHI 0022E A3.3.1: each handshake completes without waiting for others that wait for it (within the testbench's bound)",
	Unknown: "the testbench expects VALID and READY to be 0 or 1 outside of reset",
}

const (
	ruleWriteResponse = "IHI 0022E A3.3.1: BVALID waits for the handshakes of address and data"
	ruleReadResponse  = "IHI 0022E A3.3.1: RVALID waits for the handshake of the address"
	ruleExclusive     = "IHI 0022E B1.1.1: there is no EXOKAY in AXI4-Lite"
	ruleDataKnown     = "the testbench expects data that are read without error to be 0 or 1: write what no reset sets before it is read"
	ruleResponseKnown = "IHI 0022E A3.4.4: a response is OKAY, SLVERR or DECERR"
)

// LiteChecker checks both sides of an AXI4-Lite bus.
type LiteChecker struct {
	*Lite
	// Bound is how many cycles a VALID may wait for its READY, and a request for its response.
	// Zero means 1000.
	Bound int

	channels [5]*stream.Checker
	aw, w    int // handshakes without a response so far
	ar       int
	bWait    int // cycles for which a response has been due
	rWait    int
}

// defaultBound is the number of cycles that checkers, managers and sources without a Bound wait
// for a handshake or a response.
const defaultBound = 1000

// Run is a process for Bench.Monitor. It fails with a *[stream.Violation].
func (c *LiteChecker) Run(p *tb.Process) {
	if c.Bound == 0 {
		c.Bound = defaultBound
	}
	l := c.Lite
	for i, ch := range []struct {
		channel
		payload []stream.Signal
	}{
		{l.aw, pins.Signals(l.awaddr, l.awprot)}, {l.w, pins.Signals(l.wdata, l.wstrb)}, {l.b, pins.Signals(l.bresp)},
		{l.ar, pins.Signals(l.araddr, l.arprot)}, {l.r, pins.Signals(l.rdata, l.rresp)},
	} {
		c.channels[i] = ch.checker("AXI4-Lite", ch.payload, l.Reset, c.Bound, liteRules)
	}
	*c = LiteChecker{Lite: l, Bound: c.Bound, channels: c.channels}
	var err error
	p.Until(forever, func() bool {
		err = c.check(p)
		return err != nil
	})
	p.Fail(err)
}

func (c channel) checker(bus string, payload []stream.Signal, reset *tb.Reset, bound int, rules stream.Rules) *stream.Checker {
	var inReset func() bool
	if reset != nil {
		inReset = reset.Active
	}
	return &stream.Checker{
		Name: bus, Valid: c.valid.Value, Ready: c.ready.Value, ValidName: c.valid.Name, ReadyName: c.ready.Name,
		Payload: payload, InReset: inReset, Bound: bound, Rules: rules,
	}
}

func (c *LiteChecker) check(p *tb.Process) error {
	for _, ch := range c.channels {
		if err := ch.Check(p); err != nil {
			return err
		}
	}
	l := c.Lite
	if l.Reset.Active() || !c.channels[0].Started() {
		c.aw, c.w, c.ar, c.bWait, c.rWait = 0, 0, 0, 0, 0
		return nil
	}
	violation := func(signal, rule, format string, args ...any) error {
		return &stream.Violation{Stream: "AXI4-Lite", Signal: signal, Cycle: p.Cycle(), What: fmt.Sprintf(format, args...), Rule: rule}
	}
	// Handshakes of this very cycle do not count: A3.3.1 has the response wait for them.
	if l.SameCycle {
		c.requests()
	}
	if *l.b.valid.Value && min(c.aw, c.w) == 0 {
		return violation("BVALID", ruleWriteResponse, "is 1 after %d addresses and %d data that had no response yet", c.aw, c.w)
	}
	if *l.r.valid.Value && c.ar == 0 {
		return violation("RVALID", ruleReadResponse, "is 1 without a request")
	}
	for _, resp := range []struct {
		channel
		code pins.Word
	}{{l.b, l.bresp}, {l.r, l.rresp}} {
		if *resp.valid.Value {
			if resp.code.IsUnknown() {
				return violation(resp.code.Name, ruleResponseKnown, "is X or Z while %s is 1", resp.valid.Name)
			}
			if Resp(resp.code.Get()) == EXOKAY {
				return violation(resp.code.Name, ruleExclusive, "is EXOKAY")
			}
		}
	}
	c.bWait, c.rWait = due(c.bWait, min(c.aw, c.w) > 0 && !*l.b.valid.Value), due(c.rWait, c.ar > 0 && !*l.r.valid.Value)
	if c.bWait > c.Bound {
		return violation("BVALID", liteRules.Wait, "has been 0 for %d cycles after address and data", c.bWait)
	}
	if c.rWait > c.Bound {
		return violation("RVALID", liteRules.Wait, "has been 0 for %d cycles after the address", c.rWait)
	}
	if !l.SameCycle {
		c.requests()
	}
	if l.b.transfer() {
		c.aw--
		c.w--
	}
	count(&c.ar, l.r, -1)
	return nil
}

// requests counts the handshakes of requests in the present cycle.
func (c *LiteChecker) requests() {
	count(&c.aw, c.Lite.aw, 1)
	count(&c.w, c.Lite.w, 1)
	count(&c.ar, c.Lite.ar, 1)
}

func count(n *int, c channel, by int) {
	if c.transfer() {
		*n += by
	}
}

// due returns n+1 while a response is due, and otherwise 0.
func due(n int, isDue bool) int {
	if isDue {
		return n + 1
	}
	return 0
}
