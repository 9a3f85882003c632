package axi_test

import (
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// The checkers find errors after a reset that was before the bench. A checker that has checked
// nothing is an error.
func TestResetBeforeTheBench(t *testing.T) {
	const nothing = ": checked nothing: the reset was not active in any of the 8 cycles"
	for _, c := range []struct {
		reset        bool
		lite, stream string
	}{
		{true, "RVALID fell before RREADY was 1", "TVALID fell before TREADY was 1"},
		{false, "AXI4-Lite" + nothing, "AXI4-Stream m" + nothing},
	} {
		sim.ForEach(t, changed(t, regs, "else if (s_axil_rready)", "else"), func(t *testing.T, dut *sim.DUT[regsIn, regsOut]) {
			b := start(t, dut, c.reset)
			bus, err := axi.BindLite(b, "s_axil")
			if err != nil {
				t.Fatal(err)
			}
			b.In.Aresetn = true
			bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
			b.Monitor("rules", (&axi.LiteChecker{Lite: bus}).Run)
			b.Go("reader", func(p *tb.Process) {
				b.In.SAxilArvalid = true
				p.Next()
				b.In.SAxilArvalid = false
				p.Wait(7)
			})
			wantError(t, b.Run(100), c.lite)
		})
		sim.ForEach(t, changed(t, slice, "if (~m_tvalid | m_tready) begin", "if (1'b1) begin"), func(t *testing.T, dut *sim.DUT[sliceIn, sliceOut]) {
			b := start(t, dut, c.reset)
			bus, err := axi.BindStream(b, "m")
			if err != nil {
				t.Fatal(err)
			}
			b.In.Aresetn = true
			bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
			b.Monitor("rules", (&axi.StreamChecker{Stream: bus}).Run)
			b.Go("source", func(p *tb.Process) {
				b.In.STvalid, b.In.STkeep = true, 15
				p.Next()
				b.In.STvalid = false
				p.Wait(7)
			})
			wantError(t, b.Run(100), c.stream)
		})
	}
}

// start returns a bench whose design has had its reset, or not.
func start[I, O any](t *testing.T, dut *sim.DUT[I, O], reset bool) *tb.Bench[I, O] {
	t.Helper()
	if reset {
		if err := dut.Reset(3); err != nil {
			t.Fatal(err)
		}
	}
	return tb.New(dut)
}

// wantError checks that err has the text in it, or is nil if the text is empty.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("error %v\nwant %q in it", err, want)
	}
}
