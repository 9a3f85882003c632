package wishbone_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/wishbone"
)

// wires is a design between two sides of a bench.
var wires = sim.Design{Top: "wires", Clock: "clk_i", Reset: "rst_i", Files: []string{"wires.sv"}, FS: fstest.MapFS{"wires.sv": {Data: []byte(`
module wires(input wire clk_i, input wire rst_i,
    input wire s_cyc_i, input wire s_stb_i, input wire s_we_i, input wire [7:0] s_adr_i, input wire [31:0] s_dat_i, input wire [3:0] s_sel_i,
    output wire s_stall_o, output wire s_ack_o, output wire s_err_o, output wire [31:0] s_dat_o,
    output wire m_cyc_o, output wire m_stb_o, output wire m_we_o, output wire [7:0] m_adr_o, output wire [31:0] m_dat_o, output wire [3:0] m_sel_o,
    input wire m_stall_i, input wire m_ack_i, input wire m_err_i, input wire [31:0] m_dat_i);
  assign {m_cyc_o, m_stb_o, m_we_o, m_adr_o, m_dat_o, m_sel_o} = {s_cyc_i, s_stb_i, s_we_i, s_adr_i, s_dat_i, s_sel_i};
  assign {s_stall_o, s_ack_o, s_err_o, s_dat_o} = {m_stall_i, m_ack_i, m_err_i, m_dat_i};
endmodule`)}}}

type wiresIn struct {
	Rst                bool
	SCyc, SStb, SWe    bool
	SAdr, SSel         uint8
	SDat               uint32
	MStall, MAck, MErr bool
	MDat               uint32
}

type wiresOut struct {
	SStall, SAck, SErr bool
	SDat               uint32
	MCyc, MStb, MWe    bool
	MAdr, MSel         uint8
	MDat               uint32
}

// A subordinate answers a manager through wires, at all paces, with resets in between.
func TestSubordinate(t *testing.T) {
	dut := sim.OpenTest[wiresIn, wiresOut](t, wires, sim.Icarus)
	for seed, pace := range [][2]float64{{0, 0}, {0.5, 0}, {0, 0.5}, {0.3, 0.7}} {
		for _, pipelined := range []bool{true, false} {
			b := tb.New(dut)
			b.SetSeed(uint64(seed + 1))
			at, err := wishbone.Bind(b, "s")
			if err != nil {
				t.Fatal(err)
			}
			of, err := wishbone.Bind(b, "m")
			if err != nil {
				t.Fatal(err)
			}
			at.Reset = &tb.Reset{Bit: &b.In.Rst}
			of.Reset, at.Pipelined, of.Pipelined = at.Reset, pipelined, pipelined
			b.Monitor("rules", (&wishbone.Checker{Bus: of, Bound: 50}).Run)
			mem := map[uint64]uint64{}
			s := &wishbone.Subordinate{Bus: of, Gap: pace[0], Busy: pace[1], Access: func(_ *tb.Process, r wishbone.Request) wishbone.Result {
				if r.Addr >= 0x80 {
					return wishbone.Result{Answer: wishbone.ERR}
				}
				if r.Write {
					mem[r.Addr] = r.Data
				}
				return wishbone.Result{Data: mem[r.Addr]}
			}}
			b.Background("memory", s.Run)
			m := &wishbone.Manager{Bus: at, Gap: 0.2}
			b.Go("software", func(p *tb.Process) {
				at.Reset.Hold(p)
				written, aborted := map[uint64]uint64{}, 0
				b.Background("reset", func(p *tb.Process) {
					for {
						at.Reset.HoldAtRandom(p, 200)
					}
				})
				for range 100 {
					var block []wishbone.Request
					for range 1 + p.Rand().IntN(6) {
						block = append(block, wishbone.Request{Write: p.Rand().IntN(2) == 0, Addr: p.Rand().Uint64N(0x90), Data: p.Rand().Uint64N(1 << 32), Sel: wishbone.AllBytes})
					}
					for i, r := range m.Block(p, block...) {
						q := block[i]
						was, known := written[q.Addr]
						switch {
						case r.Answer == wishbone.Aborted:
							aborted++
							clear(written)
						case (r.Answer == wishbone.ERR) != (q.Addr >= 0x80):
							p.Failf("%v: %v", q, r.Answer)
						case r.Answer == wishbone.ERR:
						case q.Write:
							written[q.Addr] = q.Data
						case known && r.Data != was:
							p.Failf("%v: %#x, not %#x", q, r.Data, was)
						}
					}
				}
				if aborted == 0 || len(mem) < 50 {
					p.Failf("%d aborted, %d words written", aborted, len(mem))
				}
			})
			b.Check(t, 100_000)
		}
	}
}

// What cannot be is an error.
func TestSubordinateErrors(t *testing.T) {
	dut := sim.OpenTest[wiresIn, wiresOut](t, wires, sim.Icarus)
	for _, c := range []struct {
		prefix string
		answer wishbone.Answer
		want   string
	}{
		{"s", wishbone.ACK, "the design does not drive CYC: it is a subordinate itself"},
		{"m", wishbone.RTY, "the answer to 0x3 is RTY, but the bus does not have it"},
	} {
		b := tb.New(dut)
		bus, err := wishbone.Bind(b, c.prefix)
		if err != nil {
			t.Fatal(err)
		}
		s := &wishbone.Subordinate{Bus: bus, Access: func(*tb.Process, wishbone.Request) wishbone.Result { return wishbone.Result{Answer: c.answer} }}
		b.Background("memory", s.Run)
		b.Go("software", func(p *tb.Process) {
			b.In.SCyc, b.In.SStb, b.In.SAdr = true, true, 3
			p.Wait(5)
		})
		if err := b.Run(20); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
