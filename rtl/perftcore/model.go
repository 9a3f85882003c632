package perftcore

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim/axi"
)

// Model is the reference for the RTL: which outputs in which cycle. What is counted when comes from
// the model of perftengine; what lies between it and the bus is here. Make one with [NewModel].
type Model struct {
	bus      axil.Model
	position core.Position // for the next job
	engine   *perftengine.Model
	job      engine.Position // the job's
	start    uint32          // the register
	offered  bool            // the job is offered to the engine in this cycle
	abort    bool            // Abort was written in the cycle before
	take     bool            // the root move's count was read in the cycle before
	cycles   uint64
	error    uint32 // the register
	irq      axil.Interrupts
	trusted  error
}

// NewModel returns a model in the state after power-up.
func NewModel() *Model { return &Model{engine: perftengine.NewModel()} }

// Reset puts the model in the state after power-up and a reset.
func (m *Model) Reset() { *m = *NewModel() }

// reset is what a reset does to the RTL: the position that was written stays.
func (m *Model) reset() {
	m.engine.Step(perftengine.In{Rst: true})
	m.position.Reset()
	*m = Model{position: m.position, engine: m.engine, trusted: m.trusted}
}

// SetCounts makes the cycles of the job and the counts of its engine something else, as a test does
// to the RTL by [sim.DUT.Poke] of u_registers.cycles_q and of those that
// [perftengine.Model.SetCounts] names.
func (m *Model) SetCounts(cycles, total, root uint64) {
	m.cycles = cycles
	m.engine.SetCounts(total, root)
}

// Err tells of the first thing that the RTL trusts not to be done and that was: a job for a
// position that is none.
func (m *Model) Err() error {
	if m.trusted != nil {
		return m.trusted
	}
	return m.engine.Err()
}

// Step is one cycle.
func (m *Model) Step(in In) Out {
	q := axil.Request{
		Awvalid: in.Awvalid, Wvalid: in.Wvalid, Bready: in.Bready, Arvalid: in.Arvalid, Rready: in.Rready,
		Awaddr: uint32(in.Awaddr), Wdata: in.Wdata, Araddr: uint32(in.Araddr), Wstrb: in.Wstrb,
	}
	r := m.bus.Response()
	out := Out{
		Awready: r.Awready, Wready: r.Wready, Bresp: uint8(r.Bresp), Bvalid: r.Bvalid,
		Arready: r.Arready, Rdata: r.Rdata, Rresp: uint8(r.Rresp), Rvalid: r.Rvalid, Irq: m.irq.Line,
	}
	if in.Rst {
		m.reset()
		return out
	}

	// The engine, whose outputs do not depend on its inputs of the same cycle.
	var work perftengine.In
	if m.offered {
		work = perftengine.Job(&m.job, int(regmap.PerftStartDepth.Of(m.start)), regmap.PerftStartDivide.Is(m.start))
	}
	work.Abort, work.DivReady = m.abort, m.take
	state := m.engine.Step(work)

	// What the registers answer.
	ready := axil.Ready{Write: !m.position.Busy(), Read: !m.position.Busy()}
	access := m.bus.Access(ready)
	var answer axil.Answer
	m.take = false
	if access.Read {
		answer.ReadData, answer.ReadError = m.read(4*access.ReadAddress, state)
		m.take = 4*access.ReadAddress == regmap.PerftRootCountHigh && state.DivValid
	}
	if m.offered || state.Busy {
		m.cycles++
	}
	m.offered, m.abort = m.position.Step(), false
	address := uint32(regmap.Window) // none
	if access.Write {
		address = 4 * access.WriteAddress
		reg := regmap.Perft.Find(address)
		if answer.WriteError = reg == nil || reg.Access == regmap.ReadOnly; answer.WriteError {
			address = regmap.Window
		}
	}
	m.write(address, access.WriteData, state)
	m.bus.Step(false, q, ready, answer)
	return out
}

// read is what a read of a register gives.
func (m *Model) read(address uint32, state perftengine.Out) (data uint32, refused bool) {
	r := regmap.Perft.Find(address)
	if r == nil || r.Access == regmap.WriteOnly {
		return 0, true
	}
	flag := func(b bool, f regmap.Bits) uint32 {
		if b {
			return uint32(f)
		}
		return 0
	}
	var root engine.RootCount
	if state.DivValid {
		root = perftengine.Decode(state, m.job.SideToMove())
	}
	switch address {
	case regmap.PerftIdentity, regmap.PerftVersion:
		return *r.Reads, false
	case regmap.PerftConfig:
		return regmap.PerftConfigDepth.Put(perftengine.MaxDepth), false
	case regmap.PerftStatus:
		return flag(state.Busy, regmap.PerftStatusBusy) | flag(state.DivValid, regmap.PerftStatusRoot), false
	case regmap.PerftError:
		return m.error, false
	case regmap.PerftInterruptEnable:
		return m.irq.Enable, false
	case regmap.PerftInterruptStatus:
		return m.irq.Status, false
	case regmap.PerftStart:
		return m.start, false
	case regmap.PerftCountLow:
		return uint32(state.Count), false
	case regmap.PerftCountHigh:
		return uint32(state.Count >> 32), false
	case regmap.PerftCyclesLow:
		return uint32(m.cycles), false
	case regmap.PerftCyclesHigh:
		return uint32(m.cycles >> 32), false
	case regmap.PerftRootMove:
		return flag(state.DivValid, regmap.PerftMoveValid) | regmap.PerftMoveFrom.Put(uint32(root.Move.From)) |
			regmap.PerftMoveTo.Put(uint32(root.Move.To)) | regmap.PerftMovePromotion.Put(uint32(root.Move.Promotion)), false
	case regmap.PerftRootCountLow:
		return uint32(root.Nodes), false
	case regmap.PerftRootCountHigh:
		return uint32(root.Nodes >> 32), false
	}
	return 0, true
}

// write does what a write of a register does, at the end of a cycle in which the engine was in this
// state.
func (m *Model) write(address, data uint32, state perftengine.Out) {
	events := uint32(0)
	if state.Done {
		events |= uint32(regmap.PerftInterruptsDone)
	}
	if state.DivValid {
		events |= uint32(regmap.PerftInterruptsRoot)
	}
	switch address {
	case regmap.PerftError:
		m.error = 0
	case regmap.PerftAbort:
		m.abort = true
	case regmap.PerftStart:
		if state.Busy {
			events |= uint32(regmap.PerftInterruptsRefused)
			m.error = regmap.PerftErrorReason.Put(regmap.PerftErrorReasonBusy)
			break
		}
		m.start = data & uint32(regmap.PerftStartDepth|regmap.PerftStartDivide)
		m.cycles = 0
		m.position.Start()
		var err error
		if m.job, err = m.position.Position(); err != nil && m.trusted == nil {
			m.trusted = fmt.Errorf("model of perftcore: the position of a job is none: %w", err)
		}
	default:
		m.position.Write(address, data)
	}
	mask := uint32(regmap.PerftInterruptsDone | regmap.PerftInterruptsRoot | regmap.PerftInterruptsRefused)
	m.irq.Step(false, events, address == regmap.PerftInterruptEnable, address == regmap.PerftInterruptStatus, data&mask)
}

// DontCare masks what has no meaning while its valid is 0.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.Bvalid {
		mask.Bresp = uint8(axi.EXOKAY | axi.SLVERR)
	}
	if !want.Rvalid {
		mask.Rdata, mask.Rresp = 1<<32-1, uint8(axi.EXOKAY|axi.SLVERR)
	}
	return mask
}
