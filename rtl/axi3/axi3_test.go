package axi3_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[axi3.In, axi3.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// Beats returns the addresses of bursts that are written here.
func TestBeats(t *testing.T) {
	for _, c := range []struct {
		burst axi3.Address
		want  []uint32
	}{
		{axi3.Address{Addr: 0x200, Len: 3, Size: 2, Burst: axi3.Incr}, []uint32{0x200, 0x204, 0x208, 0x20c}},
		{axi3.Address{Addr: 0x202, Len: 2, Size: 2, Burst: axi3.Incr}, []uint32{0x202, 0x204, 0x208}},
		{axi3.Address{Addr: 0x208, Len: 3, Size: 2, Burst: axi3.Wrap}, []uint32{0x208, 0x20c, 0x200, 0x204}},
		{axi3.Address{Addr: 0x064, Len: 1, Size: 2, Burst: axi3.Fixed}, []uint32{0x064, 0x064}},
		{axi3.Address{Addr: 0x041, Len: 2, Size: 0, Burst: axi3.Incr}, []uint32{0x041, 0x042, 0x043}},
		{axi3.Address{Addr: 0x1e, Len: 7, Size: 1, Burst: axi3.Wrap}, []uint32{0x1e, 0x10, 0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c}},
	} {
		if diff := cmp.Diff(c.want, axi3.Beats(c.burst)); diff != "" {
			t.Errorf("%+v (- want, + got):\n%s", c.burst, diff)
		}
	}
}

// pace has the shares of cycles in which the manager pauses, is not ready, the windows do not
// answer, and the reset is active.
type pace struct{ gap, busy, slow, reset float64 }

var paces = []pace{{0, 0, 0, 0}, {0.5, 0, 0.3, 0.003}, {0, 0.7, 0.5, 0.003}, {0.4, 0.4, 0.7, 0.02}}

// pick returns a burst that keeps the rules: it stays within 4 KiB, and one that wraps is aligned
// and has 2, 4, 8 or 16 beats.
func pick(r *rand.Rand) axi3.Address {
	a := axi3.Address{ID: uint16(r.IntN(1 << 12)), Size: uint8(r.IntN(3)), Burst: uint8(r.IntN(3)), Len: uint8(r.IntN(16))}
	if r.IntN(2) == 0 {
		a.Size, a.Len = 2, uint8(r.IntN(2))
	}
	window := uint32(r.IntN(3)) // 2 does not exist
	if r.IntN(20) == 0 {
		window = uint32(r.IntN(16))
	}
	a.Addr = uint32(r.IntN(1<<16))<<16 | window<<12 | uint32(r.IntN(1<<12))
	switch a.Burst {
	case axi3.Wrap:
		a.Len = 2<<r.IntN(4) - 1
		a.Addr &^= 1<<a.Size - 1
	case axi3.Incr:
		if last := a.Addr&0xfff + uint32(a.Len+1)<<a.Size; last > 0xfff {
			a.Addr &^= 0xc00
		}
	}
	return a
}

// stimulus returns the inputs from a manager that keeps the rules and from windows with random
// answers at random times, and the model's outputs.
func stimulus(r *rand.Rand, cycles int, p pace) (in []axi3.In, want []axi3.Out) {
	m := axi3.NewModel(axi3.Windows)
	var i axi3.In
	owed := 0 // beats of data still to send
	var address, data, asked [axi3.Windows]bool
	start := func(valid *bool) bool {
		if *valid || r.Float64() < p.gap {
			return false
		}
		*valid = true
		return true
	}
	for range cycles {
		if i.Rst = r.Float64() < p.reset; i.Rst {
			i, owed = axi3.In{Rst: true}, 0
			address, data, asked = [axi3.Windows]bool{}, [axi3.Windows]bool{}, [axi3.Windows]bool{}
		} else {
			if start(&i.Awvalid) {
				a := pick(r)
				i.Awid, i.Awaddr, i.Awlen, i.Awsize, i.Awburst = a.ID, a.Addr, a.Len, a.Size, a.Burst
			}
			if owed > 0 && start(&i.Wvalid) {
				i.Wdata, i.Wstrb = r.Uint32(), uint8(r.IntN(16))
			}
			if start(&i.Arvalid) {
				a := pick(r)
				i.Arid, i.Araddr, i.Arlen, i.Arsize, i.Arburst = a.ID, a.Addr, a.Len, a.Size, a.Burst
			}
			i.Bready, i.Rready = r.Float64() >= p.busy, r.Float64() >= p.busy
		}
		// Each window answers each request once.
		i.LiteAwready, i.LiteWready, i.LiteArready = uint8(r.IntN(4)), uint8(r.IntN(4)), uint8(r.IntN(4))
		for n := range axi3.Windows {
			bit := uint8(1) << n
			if address[n] && data[n] && i.LiteBvalid&bit == 0 && r.Float64() >= p.slow {
				i.LiteBvalid |= bit
				i.LiteBresp = i.LiteBresp&^(3<<(2*n)) | []uint8{0, 0, 2, 3}[r.IntN(4)]<<(2*n)
			}
			if asked[n] && i.LiteRvalid&bit == 0 && r.Float64() >= p.slow {
				i.LiteRvalid |= bit
				i.LiteRresp = i.LiteRresp&^(3<<(2*n)) | []uint8{0, 0, 2, 3}[r.IntN(4)]<<(2*n)
				i.LiteRdata = i.LiteRdata&^(0xffffffff<<(32*n)) | uint64(r.Uint32())<<(32*n)
			}
		}
		o := m.Step(i)
		in, want = append(in, i), append(want, o)
		if i.Rst {
			continue
		}
		if i.Awvalid && o.Awready {
			i.Awvalid, owed = false, int(i.Awlen)+1
		}
		if i.Wvalid && o.Wready {
			i.Wvalid = false
			owed--
		}
		i.Arvalid = i.Arvalid && !o.Arready
		for n := range axi3.Windows {
			bit := uint8(1) << n
			if i.LiteBvalid&o.LiteBready&bit != 0 {
				i.LiteBvalid &^= bit
				address[n], data[n] = false, false
			}
			if i.LiteRvalid&o.LiteRready&bit != 0 {
				i.LiteRvalid &^= bit
				asked[n] = false
			}
			address[n] = address[n] || i.LiteAwready&o.LiteAwvalid&bit != 0
			data[n] = data[n] || i.LiteWready&o.LiteWvalid&bit != 0
			asked[n] = asked[n] || i.LiteArready&o.LiteArvalid&bit != 0
		}
	}
	return in, want
}

func compare(d *dut, r *rand.Rand, p pace, cycles int) error {
	if err := d.Reset(2); err != nil {
		return err
	}
	in, want := stimulus(r, cycles, p)
	return d.Expect(in, want, axi3.NewModel(axi3.Windows).DontCare)
}

// Every output is compared with the model in every cycle, for bursts of all kinds to windows that
// answer at random times, and resets.
func TestModel(t *testing.T) {
	for n, p := range paces {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			sim.ForEach(t, axi3.Design, func(t *testing.T, d *dut) {
				if err := compare(d, seeded(uint64(n)), p, 20_000); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// mutants has faults that the testbench must find.
var mutants = []struct{ rule, file, old, new, port string }{
	{"a burst that wraps", "axi3_pkg.sv", "2'd2: mask = {6'd0, bytes};", "2'd2: mask = 12'hfff;", "m_axil_"},
	{"at its length", "axi3_pkg.sv", "2'd1: bytes = {1'b0, len, 1'b1};", "2'd1: bytes = {2'b00, len};", "m_axil_"},
	{"a burst that stays", "axi3_pkg.sv", "2'd0: mask = 12'h000;", "2'd0: mask = 12'hfff;", "m_axil_"},
	{"the second beat is aligned", "axi3_next.sv", "further = aligned + ", "further = address_i + ", "m_axil_"},
	{"beats of one byte", "axi3_next.sv", "further = aligned + (12'd1 << size_i)", "further = aligned + 12'd4", "m_axil_"},
	{"one window is asked", "axi3.sv", "read_one = Windows'(1) << read_select_q", "read_one = '1", "m_axil_arvalid_o"},
	{"nothing is asked where there is no window", "axi3.sv", "m_axil_arvalid_o <= read_one & {Windows{read_here_q}};", "m_axil_arvalid_o <= read_one;", "m_axil_arvalid_o"},
	{"that is an error", "axi3.sv", "write_here_q ? m_axil_bresp_i[{write_select_q, 1'b0} +: 2] : DecErr", "m_axil_bresp_i[{write_select_q, 1'b0} +: 2]", "s_axi_bresp_o"},
	{"and gives nothing", "axi3.sv", " & {32{read_here_q}}", "", "s_axi_rdata_o"},
	{"the worst response counts", "axi3.sv", "if (write_resp > s_axi_bresp_o) s_axi_bresp_o", "s_axi_bresp_o", "s_axi_bresp_o"},
	{"of this burst", "axi3.sv", "      s_axi_bresp_o <= 2'b00;\n", "", "s_axi_bresp_o"},
	{"the response is that of the window asked", "axi3.sv", "read_here_q ? m_axil_rresp_i[{read_select_q, 1'b0} +: 2]", "read_here_q ? m_axil_rresp_i[1:0]", "s_axi_rresp_o"},
	{"the last beat is marked", "axi3.sv", "s_axi_rlast_o <= read_left_q == 4'd0", "s_axi_rlast_o <= read_left_q <= 4'd1", "s_axi_"},
	{"as many beats as AWLEN says", "axi3.sv", "if (write_left_q == 4'd0) begin", "if (write_left_q <= 4'd1) begin", "s_axi_"},
	{"an address is offered once", "axi3.sv", "m_axil_awvalid_o <= m_axil_awvalid_o & ~m_axil_awready_i", "m_axil_awvalid_o <= m_axil_awvalid_o", "m_axil_awvalid_o"},
	{"data stay until they are taken", "axi3.sv", "m_axil_wvalid_o <= m_axil_wvalid_o & ~m_axil_wready_i", "m_axil_wvalid_o <= '0", "m_axil_wvalid_o"},
	{"a response waits for its receiver", "axi3.sv", "default: if (s_axi_rready_i) begin\n          s_axi_rvalid_o <= 1'b0;", "default: begin\n          s_axi_rvalid_o <= 1'b0;", "s_axi_"},
	{"the response has the burst's ID", "axi3.sv", "if (s_axi_arready_o) begin\n      s_axi_rid_o", "if (s_axi_arvalid_i) begin\n      s_axi_rid_o", "s_axi_"},
	{"reset ends bursts", "axi3.sv", "      read_q <= ReadIdle;\n      s_axi_arready_o <= 1'b1;", "      s_axi_arready_o <= 1'b1;", ""},
	{"reset takes back requests", "axi3.sv", "      m_axil_arvalid_o <= '0;\n      m_axil_rready_o <= '0;\n    end else", "      m_axil_rready_o <= '0;\n    end else", "m_axil_arvalid_o"},
}

func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			design := fault.Plant(t, axi3.Design, m.file, m.old, m.new)
			for n, p := range paces {
				d := sim.OpenTest[axi3.In, axi3.Out](t, design, sim.Icarus)
				if err := compare(d, rand.New(rand.NewPCG(1, uint64(n))), p, 3000); err != nil {
					if !strings.Contains(err.Error(), "> "+m.port) {
						t.Errorf("the report does not name %s:\n%v", m.port, err)
					}
					return
				}
			}
			t.Error("the mutant survives")
		})
	}
}
