// Package wishbone has testbench processes for Wishbone buses: [Manager] reads and writes,
// [Subordinate] answers a design that does so, [Checker] checks the rules of both sides. Cycles are
// classic or pipelined.
//
// The signals are found by name among the ports of a bench. With prefix "wb", CYC_I is the port
// wb_cyc_i or i_wb_cyc, or a field with such a name.
//
//	bus, err := wishbone.Bind(b, "wb")
//	bus.Reset = &tb.Reset{Bit: &b.In.Rst}
//	b.Monitor("rules", (&wishbone.Checker{Bus: bus}).Run)
//	m := &wishbone.Manager{Bus: bus, Gap: 0.3}
//	b.Go("test", func(p *tb.Process) {
//		bus.Reset.Hold(p)
//		m.Write(p, 1, 0xcafe)
//		data, answer := m.Read(p, 1)
//	})
//
// Rules are cited from the WISHBONE System-on-Chip Interconnection Architecture, revision B.3;
// revision B4 keeps them for classic cycles, and adds pipelined ones. An address is a value of
// ADR: whether that is one of bytes or of words is the design's.
package wishbone

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/internal/pins"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Answer is how a request was terminated.
type Answer uint8

const (
	ACK Answer = iota // done
	ERR               // an error
	RTY               // the subordinate is busy: try again
	// Aborted says that there was no answer, because a reset came before it.
	Aborted
)

func (a Answer) String() string {
	if int(a) < len(answerNames) {
		return answerNames[a]
	}
	return fmt.Sprintf("Answer(%d)", uint8(a))
}

var answerNames = [...]string{"ACK", "ERR", "RTY", "aborted by a reset"}

// Bus is a Wishbone bus between a bench and its design.
type Bus struct {
	// Reset drives RST. Set it if the design has a reset.
	Reset *tb.Reset
	// Pipelined says that a request is taken in each cycle with STB 1 and STALL 0, and answered in
	// that cycle or later. In classic cycles the answer ends a request. Bind sets it if there is a
	// STALL.
	Pipelined bool
	// AnyData allows data that are read to have bits that are X or Z: see Result.Unknown.
	AnyData bool

	cyc, stb, we, ack, err, rty, stall pins.Bit
	adr, sel, write, read              pins.Word
	drives                             []string
}

// Bind returns the bus of a bench whose signals' names begin with the prefix. CYC and ACK must be
// there. The error names those of them that are not. Without STB, CYC is both.
func Bind(b tb.Pinned, prefix string) (*Bus, error) {
	s := pins.New(b, prefix)
	manager, subordinate := pins.Bench, pins.Design
	if s.Has(pins.Design, "CYC") {
		manager, subordinate = subordinate, manager
	}
	w := &Bus{
		cyc: s.Bit(manager, false, "CYC"), stb: s.Bit(manager, true, "STB"), we: s.Bit(manager, true, "WE"),
		ack: s.Bit(subordinate, false, "ACK"), err: s.Bit(subordinate, true, "ERR"), rty: s.Bit(subordinate, true, "RTY"),
		stall: s.Bit(subordinate, true, "STALL"),
		adr:   s.Word(manager, true, "ADR", "ADDR"), sel: s.Word(manager, true, "SEL"),
		write: s.Word(manager, true, "DAT_W", "DAT", "DATA", "WDATA", "WDAT", "ODAT", "DAT_MOSI"),
		read:  s.Word(subordinate, true, "DAT_R", "DAT", "DATA", "RDATA", "RDAT", "IDAT", "RDT", "DAT_MISO"),
	}
	if w.stb.Value == nil {
		w.stb = w.cyc
	}
	w.write.Name, w.read.Name = "DAT", "DAT"
	w.Pipelined = w.stall.Value != nil
	for _, d := range []pins.Word{w.write, w.read} {
		if d.Width > 64 {
			s.Fault("DAT has %d bits, more than 64", d.Width)
		}
	}
	w.drives = s.Drives()
	return w, s.Done("Wishbone bus")
}

// Drives returns the names of the design's ports that the bench drives.
func (w *Bus) Drives() []string { return w.drives }

// Widths returns the bits of an address, of data, and of SEL.
func (w *Bus) Widths() (address, data, sel int) {
	return w.adr.Width, max(w.write.Width, w.read.Width), w.sel.Width
}

// HasStall reports whether there is a STALL.
func (w *Bus) HasStall() bool { return w.stall.Value != nil }

// IsManager reports whether the design drives the requests.
func (w *Bus) IsManager() bool { return w.cyc.Value != nil && !w.cyc.Driven }

// answer returns the answer in the cycle just done, if there is one.
func (w *Bus) answer() (Answer, bool) {
	switch {
	case w.ack.Is():
		return ACK, true
	case w.err.Is():
		return ERR, true
	case w.rty.Is():
		return RTY, true
	}
	return 0, false
}

// unknown returns the name of a signal of the handshake that is X or Z, or "".
func (w *Bus) unknown() string {
	for _, s := range []pins.Bit{w.cyc, w.stb, w.ack, w.err, w.rty, w.stall} {
		if s.IsUnknown() {
			return s.Name
		}
	}
	return ""
}

// unknownData returns which bits of the data that are read, in the bytes that are selected, are X
// or Z.
func (w *Bus) unknownData(sel uint64) uint64 {
	x := w.read.UnknownBits()
	if w.sel.Bytes == nil || w.sel.Width*8 != w.read.Width {
		return x
	}
	for i := range w.sel.Width {
		if sel>>i&1 == 0 {
			x &^= 0xff << (8 * i)
		}
	}
	return x
}

func violation(p *tb.Process, signal, rule, format string, args ...any) error {
	return &stream.Violation{Stream: "Wishbone", Signal: signal, Cycle: p.Cycle(), What: fmt.Sprintf(format, args...), Rule: rule}
}

const (
	ruleReset     = "B.3 RULE 3.20: CYC and STB are negated in reset"
	ruleCycle     = "B.3 RULE 3.25: CYC is asserted for the duration of a transfer"
	ruleNoCycle   = "B.3 RULE 3.30 and 3.35: answers come in response to CYC and STB"
	rulePipelined = "B4, pipelined mode: each answer is one to a request, which was taken with STB 1 and STALL 0"
	ruleOneAnswer = "B.3 RULE 3.45: only one of ACK, ERR and RTY is asserted at any time"
	ruleNegated   = "B.3 RULE 3.50: answers are asserted and negated in response to STB"
	ruleHold      = "B.3 3.1.3: STB remains asserted until the answer"
	ruleHoldStall = "B4, pipelined mode: STB remains asserted while STALL is 1"
	ruleQualified = "B.3 RULE 3.60: ADR, DAT, SEL and WE are valid while STB is 1, and so do not change until the request is taken"
	ruleWait      = "each request is answered (within the testbench's bound)"
	ruleUnknown   = "the testbench expects CYC, STB, ACK, ERR, RTY and STALL to be 0 or 1 outside of reset"
	ruleDataKnown = "B.3 RULE 3.65: data are valid with ACK (the testbench expects the bytes that are selected to be 0 or 1: write what no reset sets before it is read)"
)

// defaultBound is the number of cycles that managers and checkers without a Bound wait.
const defaultBound = 1000
