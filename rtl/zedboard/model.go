package zedboard

import (
	"errors"

	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/perftcore"
)

// Model is the reference for the [System]: the models of the blocks, connected as the blocks are,
// and the LEDs. Make one with [NewModel].
type Model struct {
	bridge              axi3.Model
	core                *core.Model
	perft               *perftcore.Model
	blinkBits, busyBits int
	blink, busy         uint64
	led                 uint8
}

// NewModel returns a model in the state after power-up and a reset. LD0 is the highest bit of a
// counter of cycles with blinkBits bits. LD3 is lit for 1<<busyBits - 1 cycles after a transfer.
func NewModel(blinkBits, busyBits int) *Model {
	return &Model{
		bridge: *axi3.NewModel(axi3.Windows), core: core.NewModel(core.Plies, core.Fifo), perft: perftcore.NewModel(),
		blinkBits: blinkBits, busyBits: busyBits,
	}
}

// Reset puts the model in the state after power-up and a reset.
func (m *Model) Reset() { *m = *NewModel(m.blinkBits, m.busyBits) }

// Err returns an error if the inputs were such that the blocks' outputs are not defined.
func (m *Model) Err() error { return errors.Join(m.core.Err(), m.perft.Err()) }

// both returns a bit for each window.
func both(core, perft bool) (bits uint8) {
	if core {
		bits |= 1
	}
	if perft {
		bits |= 2
	}
	return bits
}

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	// The bridge's outputs to the blocks depend on its state alone.
	probe := m.bridge
	b := probe.Step(axi3.In{})
	c := m.core.Step(core.In{
		Rst: in.Rst, Awaddr: b.LiteAwaddr, Awvalid: b.LiteAwvalid&1 != 0, Wdata: b.LiteWdata, Wstrb: b.LiteWstrb, Wvalid: b.LiteWvalid&1 != 0,
		Bready: b.LiteBready&1 != 0, Araddr: b.LiteAraddr, Arvalid: b.LiteArvalid&1 != 0, Rready: b.LiteRready&1 != 0,
	})
	p := m.perft.Step(perftcore.In{
		Rst: in.Rst, Awaddr: b.LiteAwaddr, Awvalid: b.LiteAwvalid&2 != 0, Wdata: b.LiteWdata, Wstrb: b.LiteWstrb, Wvalid: b.LiteWvalid&2 != 0,
		Bready: b.LiteBready&2 != 0, Araddr: b.LiteAraddr, Arvalid: b.LiteArvalid&2 != 0, Rready: b.LiteRready&2 != 0,
	})
	b = m.bridge.Step(axi3.In{
		Rst: in.Rst, Awid: in.Awid, Awaddr: in.Awaddr, Awlen: in.Awlen, Awsize: in.Awsize, Awburst: in.Awburst, Awvalid: in.Awvalid,
		Wdata: in.Wdata, Wstrb: in.Wstrb, Wvalid: in.Wvalid, Bready: in.Bready,
		Arid: in.Arid, Araddr: in.Araddr, Arlen: in.Arlen, Arsize: in.Arsize, Arburst: in.Arburst, Arvalid: in.Arvalid, Rready: in.Rready,
		LiteAwready: both(c.Awready, p.Awready), LiteWready: both(c.Wready, p.Wready),
		LiteBresp: c.Bresp | p.Bresp<<2, LiteBvalid: both(c.Bvalid, p.Bvalid), LiteArready: both(c.Arready, p.Arready),
		LiteRdata: uint64(c.Rdata) | uint64(p.Rdata)<<32, LiteRresp: c.Rresp | p.Rresp<<2, LiteRvalid: both(c.Rvalid, p.Rvalid),
	})
	out := Out{
		Awready: b.Awready, Wready: b.Wready, Bid: b.Bid, Bresp: b.Bresp, Bvalid: b.Bvalid,
		Arready: b.Arready, Rid: b.Rid, Rdata: b.Rdata, Rresp: b.Rresp, Rlast: b.Rlast, Rvalid: b.Rvalid,
		Irq: both(c.Irq, p.Irq), Led: m.led,
	}
	if in.Rst {
		m.blink, m.busy, m.led = 0, 0, 0
		return out
	}
	m.led = out.Irq<<1 | uint8(m.blink>>(m.blinkBits-1))
	if m.busy > 0 {
		m.led |= 8
		m.busy--
	}
	m.blink = (m.blink + 1) & (1<<m.blinkBits - 1)
	if b.Rvalid && in.Rready || b.Bvalid && in.Bready {
		m.busy = 1<<m.busyBits - 1
	}
	return out
}

// DontCare returns a mask of outputs that have no meaning while their valid is 0.
func (m *Model) DontCare(want Out) (mask Out) {
	b := m.bridge.DontCare(axi3.Out{Bvalid: want.Bvalid, Rvalid: want.Rvalid})
	return Out{Bid: b.Bid, Bresp: b.Bresp, Rid: b.Rid, Rdata: b.Rdata, Rresp: b.Rresp, Rlast: b.Rlast}
}
