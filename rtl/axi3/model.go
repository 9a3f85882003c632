package axi3

import "github.com/cosimate/cosimate/sim/axi"

// Model is the reference for the RTL. Make one with [NewModel].
type Model struct {
	windows     int
	write, read direction
	data        uint32
	strobe      uint8
}

// direction is the burst of writes, or of reads, that is under way.
type direction struct {
	phase   phase
	id      uint16
	beats   []uint32 // the addresses of the beats left, the present one first
	here    bool     // the address has a window
	window  int
	address uint8 // to which windows the address of a transfer is offered
	payload uint8 // to which windows the data are offered
	resp    axi.Resp
	word    uint32
	last    bool
}

// phase is the phase of a burst.
type phase uint8

const (
	idle     phase = iota // an address is taken
	beat                  // the data of a beat are taken, or a beat of a read begins
	transfer              // the beat's transfer goes on
	response              // a response is offered
)

// NewModel returns a model in the state after reset, for so many windows.
func NewModel(windows int) *Model { return &Model{windows: windows} }

// Reset puts the model in the state after reset.
func (m *Model) Reset() { *m = Model{windows: m.windows} }

// Beats returns the addresses of a burst's beats (IHI 0022E A3.4.1). Of a burst that the rules
// forbid it returns what README.md says.
func Beats(a Address) (all []uint32) {
	bytes, beats := uint32(1)<<a.Size, uint32(a.Len)+1
	if a.Burst == Wrap && (a.Size > 2 || beats&(beats-1) != 0) {
		return forbidden(a)
	}
	aligned := a.Addr / bytes * bytes
	for n := range beats {
		address := aligned + n*bytes
		switch {
		case n == 0 || a.Burst == Fixed:
			address = a.Addr
		case a.Burst == Wrap:
			total := bytes * beats
			lowest := a.Addr / total * total
			address = lowest + (address-lowest)%total
		}
		all = append(all, address)
	}
	return all
}

// forbidden returns the addresses of the beats of a burst that wraps, but is not of 2, 4, 8 or 16
// beats, or whose beats are of 8 bytes.
func forbidden(a Address) (all []uint32) {
	bytes := uint32(1) << a.Size
	size := min(a.Size, 2)
	mask := uint32(a.Len)<<size | (1<<size - 1)
	for address := a.Addr; len(all) <= int(a.Len); {
		all = append(all, address)
		address = address&^mask | (address/bytes*bytes+bytes)&mask
	}
	return all
}

// take begins a burst.
func (d *direction) take(a Address, windows int) {
	d.id, d.beats, d.phase, d.resp = a.ID, Beats(a), beat, axi.OKAY
	d.window = int(a.Addr >> 12 & 15)
	d.here = d.window < windows
}

// bit returns the window's bit in a signal of all windows if b is true, and otherwise 0.
func (d *direction) bit(b bool) uint8 {
	if b && d.here {
		return 1 << d.window
	}
	return 0
}

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	w, r := &m.write, &m.read
	out := Out{
		Awready: w.phase == idle, Wready: w.phase == beat, Bvalid: w.phase == response, Bid: w.id, Bresp: uint8(w.resp),
		Arready: r.phase == idle, Rvalid: r.phase == response, Rid: r.id, Rresp: uint8(r.resp), Rdata: r.word, Rlast: r.last,
		LiteAwvalid: w.address, LiteWvalid: w.payload, LiteBready: w.bit(w.phase == transfer),
		LiteArvalid: r.address, LiteRready: r.bit(r.phase == transfer),
		LiteWdata: m.data, LiteWstrb: m.strobe,
	}
	if len(w.beats) > 0 {
		out.LiteAwaddr = uint16(w.beats[0] & 0xfff)
	}
	if len(r.beats) > 0 {
		out.LiteAraddr = uint16(r.beats[0] & 0xfff)
	}
	if in.Rst {
		m.Reset()
		return out
	}
	m.stepWrite(&in)
	m.stepRead(&in)
	return out
}

func (m *Model) stepWrite(in *In) {
	w := &m.write
	w.address &^= in.LiteAwready
	w.payload &^= in.LiteWready
	switch w.phase {
	case idle:
		if in.Awvalid {
			w.take(Address{in.Awid, in.Awaddr, in.Awlen, in.Awsize, in.Awburst}, m.windows)
		}
	case beat:
		if in.Wvalid {
			m.data, m.strobe = in.Wdata, in.Wstrb
			w.phase, w.address, w.payload = transfer, w.bit(true), w.bit(true)
		}
	case transfer:
		resp := axi.DECERR
		if w.here {
			if in.LiteBvalid&w.bit(true) == 0 {
				break
			}
			resp = axi.Resp(in.LiteBresp >> (2 * w.window) & 3)
		}
		w.resp = max(w.resp, resp)
		w.beats = w.beats[1:]
		w.phase = beat
		if len(w.beats) == 0 {
			w.phase = response
		}
	case response:
		if in.Bready {
			w.phase = idle
		}
	}
}

func (m *Model) stepRead(in *In) {
	r := &m.read
	r.address &^= in.LiteArready
	switch r.phase {
	case idle:
		if in.Arvalid {
			r.take(Address{in.Arid, in.Araddr, in.Arlen, in.Arsize, in.Arburst}, m.windows)
		}
	case beat:
		r.phase, r.address = transfer, r.bit(true)
	case transfer:
		r.resp, r.word = axi.DECERR, 0
		if r.here {
			if in.LiteRvalid&r.bit(true) == 0 {
				break
			}
			r.resp = axi.Resp(in.LiteRresp >> (2 * r.window) & 3)
			r.word = uint32(in.LiteRdata >> (32 * r.window))
		}
		r.beats = r.beats[1:]
		r.phase, r.last = response, len(r.beats) == 0
	case response:
		if in.Rready {
			r.phase = beat
			if r.last {
				r.phase = idle
			}
		}
	}
}

// DontCare returns the bits that are not compared: those of a response that is not offered, and
// those of a transfer that is none. A transfer ends with its response, also if a window that breaks
// the rules answers before it has taken the address or the data.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.Bvalid {
		mask.Bid, mask.Bresp = 1<<12-1, 3
	}
	if !want.Rvalid {
		mask.Rid, mask.Rresp, mask.Rdata, mask.Rlast = 1<<12-1, 3, 1<<32-1, true
	}
	if want.LiteBready == 0 {
		mask.LiteAwaddr, mask.LiteWdata, mask.LiteWstrb = 1<<12-1, 1<<32-1, 15
	}
	if want.LiteRready == 0 {
		mask.LiteAraddr = 1<<12 - 1
	}
	return mask
}
