package sim_test

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stim"
)

// Ports of 2 048 bits. In Go they are arrays of words, least significant first; stimulus, model,
// masks and reports treat them as any other port.

var line = sim.Design{Top: "line", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"line.sv"}, Clock: "clk_i", Reset: "rst_i"}

type lineIn struct {
	Rst     bool `rand:"p=0.01"`
	Valid   bool `rand:"p=0.8"`
	Reverse bool
	Line    [32]uint64 `rand:"bits=2048"` // of the draws, some are a single one bit, or a single zero
}

type lineOut struct {
	Valid bool
	Line  [32]uint64
	Sum   uint64
}

// lineModel has slices of bytes where the circuit has selections of bits.
type lineModel struct{ next lineOut }

func (m *lineModel) Reset() { m.next = lineOut{} }

func (m *lineModel) Step(in lineIn) lineOut {
	out := m.next
	m.next.Valid = in.Valid && !in.Rst
	if in.Valid {
		bytes, err := binary.Append(nil, binary.LittleEndian, in.Line)
		if err != nil {
			panic(err)
		}
		if in.Reverse {
			slices.Reverse(bytes)
		}
		if _, err := binary.Decode(bytes, binary.LittleEndian, &m.next.Line); err != nil {
			panic(err)
		}
		m.next.Sum = 0
		for _, word := range m.next.Line {
			m.next.Sum += word
		}
	}
	return out
}

// DontCare: what is not valid is not compared. It may be X.
func (m *lineModel) DontCare(want lineOut) (mask lineOut) {
	if !want.Valid {
		for i := range mask.Line {
			mask.Line[i] = ^uint64(0)
		}
		mask.Sum = ^uint64(0)
	}
	return mask
}

func lineStimulus(t *testing.T) *stim.Generator[lineIn] {
	g, err := stim.New[lineIn](sim.Seed())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestWidePort(t *testing.T) {
	sim.ForEach(t, line, func(t *testing.T, dut *sim.DUT[lineIn, lineOut]) {
		sim.Check(t, dut, &lineModel{}, lineStimulus(t).Cycles(t, 200))
	})
}

// One bit is lost, far up: the report names it.
func TestWidePortFaultIsFound(t *testing.T) {
	d := line
	d.FS = patched(t, "line.sv", "line_o <= line_d;", "line_o <= line_d & ~(2048'd1 << 1700);")
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[lineIn, lineOut]) {
		err := sim.Compare(dut, &lineModel{}, lineStimulus(t).Cycles(t, 200))
		var diff *sim.Difference
		if !errors.As(err, &diff) {
			t.Fatalf("the fault was not found: %v", err)
		}
		if got := diff.Differing(); !slices.Equal(got, []string{"line_o"}) || !strings.Contains(err.Error(), " [1700]\n") {
			t.Errorf("of %q the report does not say that bit 1700 differs:\n%v", got, err)
		}
	})
}
