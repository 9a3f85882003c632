package sim_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// What does not fit is never cut: Poke and Force refuse it. A negative number fits with its sign.
func TestBits(t *testing.T) {
	design := sim.Design{Top: "word_table", FS: os.DirFS("testdata"), Files: []string{"word_table.sv"}, Clock: "clk_i", Reset: "rst_i", Internals: []string{"mem", "count_q"}}
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[tableIn, tableOut]) {
		if err := dut.Reset(2); err != nil {
			t.Fatal(err)
		}
		negative := func(n int64) uint64 { return uint64(n) }
		for _, name := range []string{"count_q", "mem[1]"} {
			for _, v := range []uint64{256, 300, 1 << 63, negative(-129), negative(-300)} {
				for what, put := range map[string]func(string, sim.Value) error{"Poke": dut.Poke, "Force": dut.Force} {
					if err := put(name, sim.Bits(8, v)); err == nil || !strings.Contains(err.Error(), "it has 8 bits") {
						t.Errorf("%s %s, %#x: the error is %v", what, name, v, err)
					}
				}
			}
			for v, want := range map[uint64]string{0: "8'h00", 127: "8'h7f", 255: "8'hff", negative(-1): "8'hff", negative(-3): "8'hfd", negative(-128): "8'h80"} {
				if err := dut.Poke(name, sim.Bits(8, v)); err != nil {
					t.Errorf("%s, %#x: %v", name, v, err)
				}
				got, err := dut.Peek(name)
				got.Unknown = nil
				if err != nil || got.String() != want || sim.Bits(8, v).String() != want {
					t.Errorf("%s, %#x: it is %v, not %s (%v)", name, v, got, want, err)
				}
			}
		}
	})
	for width, v := range map[int]uint64{1: 1, 63: 1<<63 - 1, 64: 1<<64 - 1} {
		if b := sim.Bits(width, v); b.Width != width || b.Uint64() != v {
			t.Errorf("%d bits are %v, not %#x", width, b, v)
		}
	}
}
