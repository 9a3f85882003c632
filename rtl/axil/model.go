package axil

import "github.com/cosimate/cosimate/sim/axi"

// Model is the reference for the RTL. The zero Model is in the state after reset.
//
// In each cycle call [Model.Response], [Model.Pending] and [Model.Access], which return what the
// block does in it. Let the model of the registers answer the access, and call [Model.Step] with
// the answer, which ends the cycle.
type Model struct {
	address, data, read held // requests that wait: of a write, its data, of a read
	strobes             uint8
	response            Response
}

type held struct {
	full  bool
	value uint32
}

// Request is what a manager drives in a cycle. Addresses are in bytes.
type Request struct {
	Awvalid, Wvalid, Bready, Arvalid, Rready bool
	Awaddr, Wdata, Araddr                    uint32
	Wstrb                                    uint8
}

// Response is what the block drives. Bresp, Rresp and Rdata mean nothing while their valid is
// false.
type Response struct {
	Awready, Wready, Bvalid, Arready, Rvalid bool
	Bresp, Rresp                             axi.Resp
	Rdata                                    uint32
}

// Access is the access to the registers in a cycle. Addresses are in words.
type Access struct {
	Write                   bool
	WriteAddress, WriteData uint32 // meaningful with Write
	Read                    bool
	ReadAddress             uint32 // meaningful with Read
}

// Answer is the answer of the registers to an access.
type Answer struct {
	WriteError bool
	ReadData   uint32
	ReadError  bool
}

// Response returns the outputs of this cycle to the bus.
func (m *Model) Response() Response {
	r := m.response
	r.Awready, r.Wready, r.Arready = !m.address.full, !m.data.full, !m.read.full
	return r
}

// Ready says for which accesses the registers are ready in a cycle.
type Ready struct{ Write, Read bool }

// Pending returns the access of this cycle if the registers are ready for it.
func (m *Model) Pending() Access { return m.Access(Ready{true, true}) }

// Access returns the access to the registers in this cycle.
func (m *Model) Access(ready Ready) (a Access) {
	if m.writes(ready) && m.strobes == 15 {
		a.Write, a.WriteAddress, a.WriteData = true, m.address.value>>2, m.data.value
	}
	if m.reads(ready) {
		a.Read, a.ReadAddress = true, m.read.value>>2
	}
	return a
}

func (m *Model) writes(ready Ready) bool {
	return ready.Write && m.address.full && m.data.full && !m.response.Bvalid
}

func (m *Model) reads(ready Ready) bool { return ready.Read && m.read.full && !m.response.Rvalid }

// Step ends a cycle with these inputs.
func (m *Model) Step(reset bool, q Request, ready Ready, a Answer) {
	if reset {
		*m = Model{}
		return
	}
	writes, reads, before := m.writes(ready), m.reads(ready), m.Response()
	if before.Bvalid && q.Bready {
		m.response.Bvalid = false
	}
	if writes {
		m.response.Bvalid, m.response.Bresp = true, axi.OKAY
		if m.strobes != 0 && (m.strobes != 15 || a.WriteError) {
			m.response.Bresp = axi.SLVERR
		}
		m.address.full, m.data.full = false, false
	}
	if before.Rvalid && q.Rready {
		m.response.Rvalid = false
	}
	if reads {
		m.response.Rvalid, m.response.Rresp, m.response.Rdata = true, axi.OKAY, a.ReadData
		if a.ReadError {
			m.response.Rresp, m.response.Rdata = axi.SLVERR, 0
		}
		m.read.full = false
	}
	if before.Awready && q.Awvalid {
		m.address = held{true, q.Awaddr}
	}
	if before.Wready && q.Wvalid {
		m.data, m.strobes = held{true, q.Wdata}, q.Wstrb
	}
	if before.Arready && q.Arvalid {
		m.read = held{true, q.Araddr}
	}
}

// Alone is the reference for the RTL by itself: a [Model] whose registers are at the ports. The
// zero Alone is in the state after reset.
type Alone struct{ bus Model }

// Reset puts the model in the state after reset.
func (m *Alone) Reset() { m.bus = Model{} }

// Step plays one cycle and returns its outputs.
func (m *Alone) Step(in In) Out {
	ready := Ready{Write: in.WriteReady, Read: in.ReadReady}
	r, a := m.bus.Response(), m.bus.Access(ready)
	m.bus.Step(in.Rst, Request{
		Awvalid: in.Awvalid, Wvalid: in.Wvalid, Bready: in.Bready, Arvalid: in.Arvalid, Rready: in.Rready,
		Awaddr: uint32(in.Awaddr), Wdata: in.Wdata, Araddr: uint32(in.Araddr), Wstrb: in.Wstrb,
	}, ready, Answer{WriteError: in.WriteError, ReadData: in.ReadData, ReadError: in.ReadError})
	return Out{
		Awready: r.Awready, Wready: r.Wready, Bresp: uint8(r.Bresp), Bvalid: r.Bvalid, Arready: r.Arready,
		Rdata: r.Rdata, Rresp: uint8(r.Rresp), Rvalid: r.Rvalid,
		Write: a.Write, WriteAddress: uint16(a.WriteAddress), WriteData: a.WriteData,
		Read: a.Read, ReadAddress: uint16(a.ReadAddress),
	}
}

// DontCare returns a mask of outputs that have no meaning while their valid is 0.
func (m *Alone) DontCare(want Out) (mask Out) {
	if !want.Bvalid {
		mask.Bresp = 3
	}
	if !want.Rvalid {
		mask.Rdata, mask.Rresp = 1<<32-1, 3
	}
	if !want.Write {
		mask.WriteAddress, mask.WriteData = 1<<10-1, 1<<32-1
	}
	if !want.Read {
		mask.ReadAddress = 1<<10 - 1
	}
	return mask
}

// Interrupts is the reference for axil_interrupt: status bits, enable bits, and the line. The zero
// value is in the state after reset.
type Interrupts struct {
	Enable, Status uint32
	Line           bool
}

// Step ends a cycle with these events. In the cycle, data was written to the enable bits, or to the
// status bits to clear them, or to neither.
func (i *Interrupts) Step(reset bool, events uint32, enable, clear bool, data uint32) {
	if reset {
		*i = Interrupts{}
		return
	}
	i.Line = i.Enable&i.Status != 0
	if clear {
		i.Status &^= data
	}
	i.Status |= events
	if enable {
		i.Enable = data
	}
}
