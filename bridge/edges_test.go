package bridge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// Each clock falls half a period after it has risen, to the nanosecond, whatever the others do meanwhile: seen
// in the next row.
func TestFallingEdges(t *testing.T) {
	for _, periods := range [][2]time.Duration{{10, 26}, {26, 10}, {7, 15}, {3, 1000}, {10, 15}} {
		d := design("clocks", twoClocks)
		d.Clock = ""
		d.Clocks = []bridge.Clock{{Port: "fast_i", Period: periods[0]}, {Port: "slow_i", Period: periods[1], Phase: 3}}
		forEach(t, d, func(t *testing.T, m *model) {
			const rows = 300
			dut := m.start(bridge.Options{})
			dut.run(rows)
			clocks, err := d.AllClocks()
			if err != nil {
				t.Fatal(err)
			}
			schedule := bridge.NewSchedule(clocks)
			high := clocks[1].Period - clocks[1].Period/2
			var rises []time.Duration
			for row := range rows {
				at, rising := schedule.Next()
				falls, last := 0, time.Duration(0)
				for _, rise := range rises {
					if rise+high < at {
						falls, last = falls+1, rise+high
					}
				}
				if got := dut.get(row, "falls_o"); got != uint64(falls) {
					t.Fatalf("%v row %d at %v: the slow clock has fallen %d times, not %d", periods, row, at, got, falls)
				}
				if got := time.Duration(dut.get(row, "fall_time_o")); got != last {
					t.Fatalf("%v row %d at %v: the slow clock fell at %v, not at %v", periods, row, at, got, last)
				}
				if rising&2 != 0 {
					rises = append(rises, at)
				}
			}
		})
	}
}

// Bits of an input above its width do not count, also where logic would see them: in comparisons, sums and
// reductions.
func TestInputsAreCut(t *testing.T) {
	all := []int{1, 5, 13, 27, 40, 63, 65, 100}
	source := "module cut(input wire clk_i"
	for _, w := range all {
		source += fmt.Sprintf(", input wire [%d:0] in_%d_i, output wire is_zero_%d_o, output wire any_%d_o, output wire [%d:0] sum_%d_o", w-1, w, w, w, w, w)
	}
	source += ");\n"
	for _, w := range all {
		source += fmt.Sprintf("  assign is_zero_%d_o = in_%d_i == 0; assign any_%d_o = |in_%d_i; assign sum_%d_o = {1'b0, in_%d_i} + 1;\n", w, w, w, w, w, w)
	}
	forEach(t, design("cut", source+"endmodule\n"), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for _, w := range all {
			in := d.in(0, fmt.Sprintf("in_%d_i", w))
			for bit := w; bit < 8*len(in); bit++ {
				in[bit/8] |= 1 << (bit % 8)
			}
		}
		d.run(1)
		for _, w := range all {
			zero, some := d.get(0, fmt.Sprintf("is_zero_%d_o", w)), d.get(0, fmt.Sprintf("any_%d_o", w))
			sum := fmt.Sprintf("%x", d.out(0, fmt.Sprintf("sum_%d_o", w)))
			if zero != 1 || some != 0 || sum != "01"+strings.Repeat("0", len(sum)-2) {
				t.Errorf("an input of %d bits that are 0, with others above it: it is 0: %d, one is set: %d, with 1 added it is %s", w, zero, some, sum)
			}
		}
	})
}
