// Package rv32i is an example: a small RISC-V core, its reference in Go, and how the two are
// compared. Its test vectors, beside it, need no Go.
package rv32i

import "math/bits"

// In and Out are the core's inputs and outputs.
type (
	In struct {
		Rst   bool   `port:"rst_i"`
		Ready bool   `port:"ready_i"`
		Data  uint32 `port:"data_i"`
	}
	Out struct {
		Valid   bool   `port:"valid_o"`
		Address uint32 `port:"address_o"`
		Data    uint32 `port:"data_o"`
		Strobe  uint8  `port:"strobe_o" bits:"4"`
		Retire  bool   `port:"retire_o"`
		PC      uint32 `port:"pc_o"`
		Rd      uint8  `port:"rd_o" bits:"5"`
		RdData  uint32 `port:"rd_data_o"`
		Halt    bool   `port:"halt_o"`
	}
)

// step is what the core does in a cycle.
type step uint8

const (
	fetch step = iota
	execute
	access
	halted
)

// Model is the reference, cycle by cycle. It is written from the unprivileged specification
// (version 20191213), chapter 2 and the table of opcodes in chapter 24.
type Model struct {
	step      step
	pc        uint32
	word      uint32 // the instruction
	registers [32]uint32
	retired   Out // Retire and what belongs to it, as registers show it in the next cycle
}

// Reset implements [sim.Model]. Registers keep what they have.
func (m *Model) Reset() {
	m.step, m.pc, m.word, m.retired = fetch, 0, 0, Out{}
}

// Step implements [sim.Model].
func (m *Model) Step(in In) Out {
	out := m.retired
	m.retired.Retire = false
	effect := m.effect(in.Data)
	switch m.step {
	case fetch:
		out.Valid, out.Address = true, m.pc
	case access:
		out.Valid, out.Address, out.Data, out.Strobe = true, effect.address&^3, effect.data, effect.strobe
	case halted:
		out.Halt = true
	}
	switch {
	case in.Rst:
		m.Reset()
	case m.step == fetch && in.Ready:
		m.word, m.step = in.Data, execute
	case m.step == execute && effect.fault:
		m.step = halted
	case m.step == execute && effect.memory:
		m.step = access
	case m.step == execute || m.step == access && in.Ready:
		m.retired = Out{Retire: true, PC: m.pc, Rd: effect.rd}
		if effect.rd != 0 {
			m.registers[effect.rd], m.retired.RdData = effect.result, effect.result
		}
		m.pc, m.step = effect.next, fetch
	}
	return out
}

// DontCare implements [sim.DontCarer]: addresses matter while valid, and of data what is written.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.Valid {
		mask.Address = ^uint32(0)
	}
	for lane := range 4 {
		if want.Strobe>>lane&1 == 0 {
			mask.Data |= 0xff << (8 * lane)
		}
	}
	return mask
}

// effect is what an instruction does.
type effect struct {
	fault   bool // it ends the program
	memory  bool // it is a load or a store
	address uint32
	data    uint32
	strobe  uint8
	rd      uint8
	result  uint32
	next    uint32
}

// sign returns the low bits of a number, as a number with a sign.
func sign(v uint32, width int) uint32 { return uint32(int32(v<<(32-width)) >> (32 - width)) }

// effect returns what the present instruction does, if a load reads this word.
func (m *Model) effect(loaded uint32) effect {
	field := func(high, low int) uint32 { return m.word << (31 - high) >> (31 - high + low) }
	kind, size := field(6, 0), field(14, 12)
	a, b := m.registers[field(19, 15)], m.registers[field(24, 20)]
	e := effect{rd: uint8(field(11, 7)), next: m.pc + 4}
	immediate := sign(field(31, 20), 12)
	switch kind {
	case 0x37: // LUI
		e.result = m.word &^ 0xfff
	case 0x17: // AUIPC
		e.result = m.pc + m.word&^0xfff
	case 0x6f: // JAL
		e.result = m.pc + 4
		e.next = m.pc + sign(field(31, 31)<<20|field(19, 12)<<12|field(20, 20)<<11|field(30, 21)<<1, 21)
	case 0x67: // JALR
		e.result, e.next, e.fault = m.pc+4, (a+immediate)&^1, size != 0
	case 0x63: // BEQ, BNE, BLT, BGE, BLTU, BGEU
		e.rd = 0
		taken := map[uint32]bool{0: a == b, 1: a != b, 4: int32(a) < int32(b), 5: int32(a) >= int32(b), 6: a < b, 7: a >= b}
		jump, known := taken[size]
		e.fault = !known
		if jump {
			e.next = m.pc + sign(field(31, 31)<<12|field(7, 7)<<11|field(30, 25)<<5|field(11, 8)<<1, 13)
		}
	case 0x03: // LB, LH, LW, LBU, LHU
		e.memory, e.address = true, a+immediate
		value := loaded >> (8 * (e.address & 3))
		switch size {
		case 0:
			e.result = sign(value, 8)
		case 1:
			e.result, e.fault = sign(value, 16), e.address&1 != 0
		case 2:
			e.result, e.fault = value, e.address&3 != 0
		case 4:
			e.result = value & 0xff
		case 5:
			e.result, e.fault = value&0xffff, e.address&1 != 0
		default:
			e.fault = true
		}
	case 0x23: // SB, SH, SW
		e.memory, e.rd, e.address = true, 0, a+sign(field(31, 25)<<5|field(11, 7), 12)
		bytes := uint32(1) << size
		e.fault = size > 2 || e.address%bytes != 0
		e.data, e.strobe = b<<(8*(e.address&3)), uint8((1<<bytes-1)<<(e.address&3)&15)
	case 0x13: // ADDI and its like
		e.fault = size == 1 && field(31, 25) != 0 || size == 5 && field(31, 25)&^0x20 != 0
		e.result = compute(size, size == 5 && field(30, 30) != 0, a, immediate)
	case 0x33: // ADD and its like
		e.fault = field(31, 25) != 0 && (field(31, 25) != 0x20 || size != 0 && size != 5)
		e.result = compute(size, field(30, 30) != 0, a, b)
	case 0x0f: // FENCE
		e.rd, e.fault = 0, size != 0
	default: // ECALL and EBREAK, too
		e.fault = true
	}
	if !e.memory && e.next%4 != 0 {
		e.fault = true
	}
	return e
}

// compute is an integer computation. other makes ADD a SUB, and SRL an SRA.
func compute(operation uint32, other bool, a, b uint32) uint32 {
	shift := b % 32
	switch operation {
	case 0:
		if other {
			b = -b
		}
		return a + b
	case 1:
		return a << shift
	case 2:
		if int32(a) < int32(b) {
			return 1
		}
		return 0
	case 3:
		_, borrow := bits.Sub32(a, b, 0)
		return borrow
	case 4:
		return a ^ b
	case 5:
		if other {
			return uint32(int32(a) >> shift)
		}
		return a >> shift
	case 6:
		return a | b
	}
	return a & b
}
