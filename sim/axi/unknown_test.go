package axi_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// changed returns a design with one text of its source replaced, and with the reset aresetn.
func changed(t *testing.T, d sim.Design, old, new string) sim.Design {
	t.Helper()
	text, err := os.ReadFile("testdata/" + d.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), old); n != 1 {
		t.Fatalf("%q stands %d times in %s, not once", old, n, d.Files[0])
	}
	d.FS = fstest.MapFS{d.Files[0]: {Data: []byte(strings.Replace(string(text), old, new, 1))}}
	d.Reset, d.ResetActiveLow = "aresetn", true
	return d
}

// A response or data with bits that are X or Z is an error, not a number.
func TestUnknownResponses(t *testing.T) {
	for _, c := range []struct {
		name, old, new, want string // "": no error
	}{
		{"RDATA", "      reg1_q <= '0;\n", "", "RDATA of the read at 0x4 is X or Z in the bits 0xffffff00; rule: the testbench expects"},
		{"RDATA of an error", "s_axil_rdata <= '0;", "s_axil_rdata <= 'x;", ""},
		{"RRESP", "s_axil_rresp  <= Okay;", "s_axil_rresp  <= 2'b0x;", "RRESP of a response is X or Z; rule: IHI 0022E A3.4.4"},
		{"BRESP", "s_axil_bresp  <= Okay;", "s_axil_bresp  <= 2'bx0;", "BRESP of a response is X or Z; rule: IHI 0022E A3.4.4"},
		{"RVALID", "s_axil_rvalid <= 1'b1;", "s_axil_rvalid <= 1'bz;", "RVALID of a response is X or Z; rule: the testbench expects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := start(t, sim.OpenTest[regsIn, regsOut](t, changed(t, regs, c.old, c.new), sim.Icarus), true)
			bus, err := axi.BindLite(b, "s_axil")
			if err != nil {
				t.Fatal(err)
			}
			b.In.Aresetn = true
			m := &axi.Manager{Lite: bus}
			b.Go("software", func(p *tb.Process) {
				m.WriteStrobe(p, 4, 0, 1)
				m.Read(p, 4)
				if data, resp := m.Read(p, 0x40); resp != axi.DECERR {
					p.Failf("read %#x, %v", data, resp)
				}
			})
			wantError(t, b.Run(100), c.want)
		})
	}
}

// So is a byte of a stream with such bits, and so are TKEEP, TSTRB and TLAST.
func TestUnknownTransfers(t *testing.T) {
	const out = "{m_tlast, m_tkeep, m_tdata} = out_q"
	const strobe = "m_tstrb = m_tkeep"
	const spoilt = out + " ^ {5'd0, 32'h00x00000}" // byte 2
	for _, c := range []struct {
		name, old, new, want string // "": no error
	}{
		{"TKEEP", out, out + " ^ {5'b000x0, 32'd0}", "TKEEP is X or Z while TVALID is 1; rule: the testbench expects"},
		{"TLAST", out, out + " ^ {5'bx0000, 32'd0}", "TLAST is X or Z while TVALID is 1; rule: the testbench expects"},
		{"TSTRB", strobe, strobe + " ^ 4'b000x", "TSTRB is X or Z while TVALID is 1; rule: the testbench expects"},
		{"TDATA", out, spoilt, "TDATA is X or Z in the bits 0xf0 of byte 2 while TVALID is 1; rule: the testbench expects"},
		{"TDATA of a null byte", out, out + " ^ {5'd0, 32'hxx000000}", ""},
		{"TDATA of a position byte", out + ";\n  assign " + strobe, spoilt + ";\n  assign " + strobe + " & 4'b1011", ""},
	} {
		for _, watch := range []string{"checker", "packets"} {
			t.Run(c.name+"/"+watch, func(t *testing.T) {
				b := start(t, sim.OpenTest[sliceIn, sliceOut](t, changed(t, slice, c.old, c.new), sim.Icarus), true)
				from, to := ends(t, b)
				b.In.Aresetn, b.In.MTready = true, true
				packets := 0
				if watch == "checker" {
					b.Monitor("rules", (&axi.StreamChecker{Stream: to}).Run)
				} else {
					b.Monitor("packets", (&axi.Packets{Stream: to, Each: func(*tb.Process, []byte) { packets++ }}).Run)
				}
				b.Go("source", func(p *tb.Process) {
					(&axi.Source{Stream: from}).Send(p, []byte{0, 0, 0})
					p.Wait(2)
				})
				wantError(t, b.Run(100), c.want)
				if c.want == "" && watch == "packets" && packets != 1 {
					t.Errorf("%d packets came", packets)
				}
			})
		}
	}
}
