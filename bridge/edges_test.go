package bridge_test

import (
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// Each clock falls half a period after it has risen, to the nanosecond, no matter what the other
// clocks do meanwhile. The next row shows it.
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
