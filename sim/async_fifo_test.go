package sim_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
)

// Two unrelated clocks: a model whose step is told which of them rise.

var asyncFIFO = sim.Design{
	Top: "async_fifo", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"async_fifo.sv"},
	Clocks: []sim.Clock{{Port: "wr_clk_i", Period: 10 * time.Nanosecond}, {Port: "rd_clk_i", Period: 13 * time.Nanosecond, Phase: 4 * time.Nanosecond}},
}

type fifoIn struct {
	WrRst, WrValid bool
	WrData         uint8
	RdRst, RdReady bool
}

type fifoOut struct {
	WrReady, RdValid bool
	RdData           uint8
}

// fifoModel is a queue, and for each side what it knows of the other: counts that
// arrive two of its own clocks late.
type fifoModel struct {
	data             [4]uint8
	written, read    uint64
	seenRead, seenWr [2]uint64 // by the writer, by the reader; [1] is the older
}

func (m *fifoModel) Reset() { *m = fifoModel{} }

func (m *fifoModel) Step(in fifoIn, rises uint16) fifoOut {
	out := fifoOut{WrReady: m.written-m.seenRead[1] < 4, RdValid: m.seenWr[1] > m.read, RdData: m.data[m.read%4]}
	before := *m
	if rises&1 != 0 {
		m.seenRead = [2]uint64{before.read, before.seenRead[0]}
		if in.WrValid && out.WrReady {
			m.data[m.written%4] = in.WrData
			m.written++
		}
	}
	if rises&2 != 0 {
		m.seenWr = [2]uint64{before.written, before.seenWr[0]}
		if in.RdReady && out.RdValid {
			m.read++
		}
	}
	return out
}

// DontCare: the memory holds nothing of interest when nothing is valid.
func (m *fifoModel) DontCare(want fifoOut) (mask fifoOut) {
	if !want.RdValid {
		mask.RdData = 0xff
	}
	return mask
}

func checkFIFO(dut *sim.DUT[fifoIn, fifoOut]) error {
	// Both sides are reset for a while: neither clock waits for the other.
	for range 20 {
		if _, err := dut.Step(fifoIn{WrRst: true, RdRst: true}); err != nil {
			return err
		}
	}
	r := rand.New(rand.NewPCG(sim.Seed(), 7))
	return sim.Compare(dut, sim.Clocked(&fifoModel{}), func(yield func(fifoIn) bool) {
		for i := range 20_000 {
			// Long stretches in which one side is faster fill and empty it.
			writer, reader := 2+i/500%3*3, 8-i/500%3*3
			if !yield(fifoIn{WrValid: r.IntN(10) < writer, WrData: uint8(r.Uint32()), RdReady: r.IntN(10) < reader}) {
				return
			}
		}
	})
}

func TestAsyncFIFO(t *testing.T) {
	sim.ForEach(t, asyncFIFO, func(t *testing.T, dut *sim.DUT[fifoIn, fifoOut]) {
		if err := checkFIFO(dut); err != nil {
			t.Fatal(err)
		}
		if want := dut.Time(); want < 100*time.Microsecond {
			t.Errorf("20 020 instants of 10 ns and 13 ns clocks took %v", want)
		}
	})
}

func TestAsyncFIFOFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	for _, fault := range []struct{ name, old, new string }{
		{"one synchroniser flip-flop too few", "wr_gray2_q <= rd_rst_i ? '0 : wr_gray1_q", "wr_gray2_q <= rd_rst_i ? '0 : wr_gray_q"},
		{"full one entry late", "assign push       = wr_valid_i & wr_ready_o", "assign push       = wr_valid_i"},
		{"written on the wrong clock", "always_ff @(posedge wr_clk_i) begin", "always_ff @(posedge rd_clk_i) begin"},
		{"reads while empty", "assign pop        = rd_valid_o & rd_ready_i", "assign pop        = rd_ready_i"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			d := asyncFIFO
			d.FS = patched(t, "async_fifo.sv", fault.old, fault.new)
			sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[fifoIn, fifoOut]) {
				var diff *sim.Difference
				if err := checkFIFO(dut); !errors.As(err, &diff) {
					t.Errorf("the fault was not found: %v", err)
				}
			})
		})
	}
}
