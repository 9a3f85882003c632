package rv32i

import (
	"iter"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

var design = sim.Design{
	Top: "rv32i", FS: os.DirFS("."), Dir: "docs/examples/rv32i", Files: []string{"rv32i_decode.sv", "rv32i_alu.sv", "rv32i.sv"},
	Clock: "clk_i", Reset: "rst_i",
}

// instruction returns a random instruction, which RV32I mostly has and that mostly does not end the
// program.
func instruction(r *rand.Rand) uint32 {
	word := r.Uint32()
	kinds := []uint32{0x37, 0x17, 0x6f, 0x67, 0x63, 0x63, 0x03, 0x03, 0x23, 0x23, 0x13, 0x13, 0x33, 0x33, 0x33, 0x0f}
	kind := kinds[r.IntN(len(kinds))]
	if r.IntN(100) == 0 {
		kind = word & 0x7f
	}
	word = word&^0x7f | kind
	if r.IntN(50) == 0 {
		return word
	}
	switch kind {
	case 0x6f: // to an address that is a multiple of 4
		word &^= 1 << 21
	case 0x67: // x0 and a multiple of 4
		word = word&0xffcf_ffff&^0xff000 | kind
		word &^= 3 << 20
	case 0x63:
		word &^= 1 << 8
		if word>>13&3 == 1 {
			word ^= 1 << 14
		}
	case 0x03, 0x23:
		if r.IntN(2) == 0 { // of x0, aligned
			word &^= 0xf8000 | 3<<20 | 3<<7
		}
		size := []uint32{0, 1, 2, 4, 5}[r.IntN(5)]
		if kind == 0x23 {
			size %= 3
		}
		word = word&^0x7000 | size<<12
	case 0x13, 0x33:
		if size := word >> 12 & 7; kind == 0x33 || size == 1 || size == 5 {
			word &^= 0xfe00_0000
			if size == 5 || size == 0 && kind == 0x33 {
				word |= r.Uint32() & 1 << 30
			}
		}
	case 0x0f:
		word &^= 0x7000
	}
	return word
}

// stimulus gives each register a value first: 31 ADDI of two cycles each.
func stimulus(cycles int) iter.Seq[In] {
	return func(yield func(In) bool) {
		r := rand.New(rand.NewPCG(sim.Seed(), 0))
		for cycle := range uint32(62) {
			if !yield(In{Ready: true, Data: r.Uint32()&^0xfffff | (cycle/2+1)<<7 | 0x13}) {
				return
			}
		}
		for range cycles {
			if !yield(In{Rst: r.IntN(60) == 0, Ready: r.IntN(4) != 0, Data: instruction(r)}) {
				return
			}
		}
	}
}

func TestCore(t *testing.T) {
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[In, Out]) {
		cycles := 100_000
		if dut.Simulator() == sim.Icarus {
			cycles = 20_000
		}
		sim.Check(t, dut, &Model{}, stimulus(cycles))
	})
}

// The stimulus has every instruction retire, and every kind of fault end a program.
func TestStimulus(t *testing.T) {
	m := &Model{}
	retired, faults := map[uint32]int{}, map[uint32]int{}
	for in := range stimulus(100_000) {
		word, step := m.word, m.step
		m.Step(in)
		kind := word&0x7f | word&0x7000
		if k := word & 0x7f; k == 0x37 || k == 0x17 || k == 0x6f {
			kind = k
		}
		if word&0x7f == 0x33 || word&0x707f == 0x5013 {
			kind |= word & (1 << 30)
		}
		switch {
		case m.retired.Retire:
			retired[kind]++
		case step == execute && m.step == halted:
			faults[word&0x7f]++
		}
	}
	// LUI, AUIPC, JAL, JALR, FENCE; 6 branches, 5 loads, 3 stores, 9 with an immediate, 10 of two
	// registers.
	if len(retired) != 5+6+5+3+9+10 {
		t.Errorf("%d kinds of instructions were retired: %x", len(retired), retired)
	}
	for _, kind := range []uint32{0x73, 0x03, 0x23, 0x13, 0x33, 0x6f, 0x67, 0x63} {
		if faults[kind] == 0 {
			t.Errorf("no instruction of kind %#x ended a program", kind)
		}
	}
}
