package axi_test

import (
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// wires is a design between two sides of a bench.
var wires = sim.Design{Top: "wires", Clock: "clk_i", Reset: "rst_i", Files: []string{"wires.sv"}, FS: fstest.MapFS{"wires.sv": {Data: []byte(`
module wires(input wire clk_i, input wire rst_i,
    input wire s_awvalid, output wire s_awready, input wire [7:0] s_awaddr, input wire s_wvalid, output wire s_wready, input wire [31:0] s_wdata,
    input wire [3:0] s_wstrb, output wire s_bvalid, input wire s_bready, output wire [1:0] s_bresp,
    input wire s_arvalid, output wire s_arready, input wire [7:0] s_araddr, output wire s_rvalid, input wire s_rready, output wire [31:0] s_rdata, output wire [1:0] s_rresp,
    output wire m_awvalid, input wire m_awready, output wire [7:0] m_awaddr, output wire m_wvalid, input wire m_wready, output wire [31:0] m_wdata,
    output wire [3:0] m_wstrb, input wire m_bvalid, output wire m_bready, input wire [1:0] m_bresp,
    output wire m_arvalid, input wire m_arready, output wire [7:0] m_araddr, input wire m_rvalid, output wire m_rready, input wire [31:0] m_rdata, input wire [1:0] m_rresp);
  assign {m_awvalid, m_awaddr, m_wvalid, m_wdata, m_wstrb, m_bready, m_arvalid, m_araddr, m_rready} =
    {s_awvalid, s_awaddr, s_wvalid, s_wdata, s_wstrb, s_bready, s_arvalid, s_araddr, s_rready};
  assign {s_awready, s_wready, s_bvalid, s_bresp, s_arready, s_rvalid, s_rdata, s_rresp} =
    {m_awready, m_wready, m_bvalid, m_bresp, m_arready, m_rvalid, m_rdata, m_rresp};
endmodule`)}}}

type wiresIn struct {
	Rst                                           bool
	SAwvalid, SWvalid, SBready, SArvalid, SRready bool
	SAwaddr, SAraddr, SWstrb                      uint8
	SWdata                                        uint32
	MAwready, MWready, MBvalid, MArready, MRvalid bool
	MBresp, MRresp                                uint8
	MRdata                                        uint32
}

type wiresOut struct {
	SAwready, SWready, SBvalid, SArready, SRvalid bool
	SBresp, SRresp                                uint8
	SRdata                                        uint32
	MAwvalid, MWvalid, MBready, MArvalid, MRready bool
	MAwaddr, MAraddr, MWstrb                      uint8
	MWdata                                        uint32
}

// A subordinate answers a manager through wires, at all paces, with resets in between.
func TestSubordinate(t *testing.T) {
	dut := sim.OpenTest[wiresIn, wiresOut](t, wires, sim.Icarus)
	for seed, pace := range [][2]float64{{0, 0}, {0.5, 0}, {0, 0.5}, {0.3, 0.7}} {
		b := tb.New(dut)
		b.SetSeed(uint64(seed + 1))
		at, err := axi.BindLite(b, "s")
		if err != nil {
			t.Fatal(err)
		}
		of, err := axi.BindLite(b, "m")
		if err != nil {
			t.Fatal(err)
		}
		at.Reset = &tb.Reset{Bit: &b.In.Rst}
		of.Reset = at.Reset
		b.Monitor("rules", (&axi.LiteChecker{Lite: of, Bound: 80}).Run)
		mem := map[uint64]uint64{}
		s := &axi.Subordinate{Lite: of, Gap: pace[0], Busy: pace[1], Late: seed%2 == 1, Access: func(_ *tb.Process, a axi.Access) (uint64, axi.Resp) {
			if a.Addr >= 0x80 {
				return 0, axi.DECERR
			}
			if a.Write {
				mem[a.Addr] = a.Data
			}
			return mem[a.Addr], axi.OKAY
		}}
		b.Background("memory", s.Run)
		m := &axi.Manager{Lite: at, Gap: 0.2, Busy: 0.3}
		b.Go("software", func(p *tb.Process) {
			at.Reset.Hold(p)
			written, aborted := map[uint64]uint64{}, 0
			b.Background("reset", func(p *tb.Process) {
				for {
					at.Reset.HoldAtRandom(p, 200)
				}
			})
			for range 300 {
				addr, data := p.Rand().Uint64N(0x90), p.Rand().Uint64N(1<<32)
				was, known := written[addr]
				got, resp := data, axi.OKAY
				if write := p.Rand().IntN(2) == 0; write {
					resp, was, known = m.Write(p, addr, data), data, true
				} else {
					got, resp = m.Read(p, addr)
				}
				switch {
				case resp == axi.Aborted:
					aborted++
					clear(written)
				case (resp == axi.DECERR) != (addr >= 0x80):
					p.Failf("%#x: %v", addr, resp)
				case resp == axi.DECERR:
				case known && got != was:
					p.Failf("%#x: %#x, not %#x", addr, got, was)
				default:
					written[addr] = got
				}
			}
			if aborted == 0 || len(mem) < 50 {
				p.Failf("%d aborted, %d words written", aborted, len(mem))
			}
		})
		b.Check(t, 100_000)
	}
}
