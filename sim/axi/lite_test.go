package axi_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

var regs = sim.Design{Top: "regs", FS: os.DirFS("testdata"), Dir: "sim/axi/testdata", Files: []string{"regs.sv"}, Clock: "aclk"}

type regsIn struct {
	Aresetn      bool
	SAxilAwaddr  uint8
	SAxilAwprot  uint8
	SAxilAwvalid bool
	SAxilWdata   uint32
	SAxilWstrb   uint8
	SAxilWvalid  bool
	SAxilBready  bool
	SAxilAraddr  uint8
	SAxilArprot  uint8
	SAxilArvalid bool
	SAxilRready  bool
}

type regsOut struct {
	SAxilAwready bool
	SAxilWready  bool
	SAxilBresp   uint8
	SAxilBvalid  bool
	SAxilArready bool
	SAxilRdata   uint32
	SAxilRresp   uint8
	SAxilRvalid  bool
}

// registers is the model of the register block.
type registers [4]uint32

func (r *registers) write(addr uint64, data uint32, strobe uint8) axi.Resp {
	r[3]++
	n := addr / 4
	if n == 3 {
		return axi.SLVERR
	}
	if n > 3 {
		return axi.DECERR
	}
	for i := range 4 {
		if strobe>>i&1 != 0 {
			r[n] = r[n]&^(0xff<<(8*i)) | data&(0xff<<(8*i))
		}
	}
	return axi.OKAY
}

func (r *registers) read(addr uint64) (uint32, axi.Resp) {
	if addr/4 > 3 {
		return 0, axi.DECERR
	}
	return r[addr/4], axi.OKAY
}

// pace is how often a manager pauses: see axi.Manager.
type pace struct{ gap, busy float64 }

// exercise writes and reads registers at random, compares with the model, and checks all rules.
func exercise(dut *sim.DUT[regsIn, regsOut], transactions int, pace pace, seed uint64) error {
	b := tb.New(dut)
	b.SetSeed(seed)
	bus, err := axi.BindLite(b, "s_axil")
	if err != nil {
		return err
	}
	bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
	b.Monitor("rules", (&axi.LiteChecker{Lite: bus, Bound: 50}).Run)
	m := &axi.Manager{Lite: bus, Gap: pace.gap, Busy: pace.busy, Bound: 200}
	b.Go("software", func(p *tb.Process) {
		for range 2 {
			bus.Reset.Hold(p)
			var want registers
			for range transactions / 2 {
				addr := 4 * uint64(p.Rand().IntN(5))
				if p.Rand().IntN(2) == 0 {
					data, strobe := p.Rand().Uint32(), uint8(p.Rand().IntN(16))
					if resp, w := m.WriteStrobe(p, addr, uint64(data), strobe), want.write(addr, data, strobe); resp != w {
						p.Failf("the write at %#x was answered %v, want %v", addr, resp, w)
					}
				} else {
					data, resp := m.Read(p, addr)
					if w, wresp := want.read(addr); uint32(data) != w || resp != wresp {
						p.Failf("the read at %#x gave %#x, %v; want %#x, %v", addr, data, resp, w, wresp)
					}
				}
			}
		}
	})
	return b.Run(200 * transactions)
}

var paces = []pace{{0, 0}, {0.5, 0}, {0, 0.7}, {0.4, 0.4}}

func TestLite(t *testing.T) {
	for _, pace := range paces {
		t.Run(fmt.Sprintf("gap %v, busy %v", pace.gap, pace.busy), func(t *testing.T) {
			sim.ForEach(t, regs, func(t *testing.T, dut *sim.DUT[regsIn, regsOut]) {
				if err := exercise(dut, 300, pace, sim.Seed()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// Each fault in the RTL is found, and the message names the rule and the signal.
func TestLiteFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	text, err := os.ReadFile("testdata/regs.sv")
	if err != nil {
		t.Fatal(err)
	}
	const dropB = "end else if (s_axil_bready) begin\n      s_axil_bvalid <= 1'b0;"
	const dropR = "end else if (s_axil_rready) begin\n      s_axil_rvalid <= 1'b0;"
	const initB = "s_axil_bvalid  <= 1'b0;"
	for _, fault := range []struct{ name, old, new, want string }{
		{"BVALID does not wait", dropB, strings.Replace(dropB, "if (s_axil_bready) ", "", 1), "BVALID fell before BREADY was 1; rule: IHI 0022E A3.2.1"},
		{"RVALID does not wait", dropR, strings.Replace(dropR, "if (s_axil_rready) ", "", 1), "RVALID fell before RREADY was 1; rule: IHI 0022E A3.2.1"},
		{"BRESP changes", dropB, "end else if (~s_axil_bready) begin s_axil_bresp <= SlvErr;\n end else begin s_axil_bvalid <= 1'b0;", "BRESP changed from 0x0 to 0x2 while BVALID waited for BREADY; rule: IHI 0022E A3.2.1"},
		{"RDATA changes", dropR, "end else if (~s_axil_rready) begin s_axil_rdata <= s_axil_rdata + 32'd1;\n end else begin s_axil_rvalid <= 1'b0;", "RDATA changed from 0x"},
		{"RVALID without request", dropR, strings.Replace(dropR, "end else", "end else if (s_axil_awvalid & s_axil_awaddr == 8'd8) s_axil_rvalid <= 1'b1; else", 1), "RVALID is 1 without a request; rule: IHI 0022E A3.3.1"},
		{"BVALID before the data", dropB, strings.Replace(dropB, "end else", "end else if (s_axil_awvalid & ~s_axil_wvalid) s_axil_bvalid <= 1'b1; else", 1), "BVALID is 1 after 0 addresses and 0 data that had no response yet; rule: IHI 0022E A3.3.1"},
		{"BVALID in reset", initB, "s_axil_bvalid  <= 1'b1;", "BVALID is 1 in reset, or in the first cycle after it; rule: IHI 0022E A3.1.2"},
		{"no reset of RVALID", "if (~aresetn) begin\n      s_axil_rvalid <= 1'b0;", "if (1'b0) begin\n      s_axil_rvalid <= 1'b0;", "RVALID is X or Z; rule: the testbench expects"},
		{"EXOKAY", "s_axil_rresp  <= Okay;", "s_axil_rresp  <= 2'b01;", "RRESP is EXOKAY; rule: IHI 0022E B1.1.1"},
		{"unknown response", "6'd3: s_axil_bresp <= SlvErr;", "6'd3: s_axil_bresp <= 2'bx0;", "BRESP is X or Z while BVALID is 1; rule: IHI 0022E A3.4.4"},
		{"never AWREADY", "s_axil_awready <= s_axil_awvalid &", "s_axil_awready <= s_axil_awaddr != 8'd4 & s_axil_awvalid &", "AWREADY has been 0 for 51 cycles in which AWVALID was 1; rule: IHI 0022E A3.3.1"},
		{"AWREADY waits for BREADY before BVALID", "s_axil_awready <= s_axil_awvalid &", "s_axil_awready <= s_axil_bready & ~s_axil_wvalid & s_axil_awvalid &", "rule: IHI 0022E A3.3.1"},
		{"never BVALID", "s_axil_bvalid <= 1'b1;", "s_axil_bvalid <= s_axil_awaddr != 8'd8;", "BVALID has been 0 for 51 cycles after address and data; rule: IHI 0022E A3.3.1"},
		{"never RVALID", "s_axil_rvalid <= 1'b1;", "s_axil_rvalid <= s_axil_araddr != 8'd8;", "RVALID has been 0 for 51 cycles after the address; rule: IHI 0022E A3.3.1"},
		{"unknown ARREADY", "s_axil_arready = ~s_axil_rvalid", "s_axil_arready = s_axil_araddr == 8'd8 ? 1'bx : ~s_axil_rvalid", "ARREADY is X or Z while ARVALID is 1"},
		{"strobes ignored", "{8{s_axil_wstrb[i]}}", "{8{|s_axil_wstrb}}", "the read at 0x"},
		{"wrong register", "6'd1: s_axil_rdata <= reg1_q;", "6'd1: s_axil_rdata <= reg0_q;", "the read at 0x4 gave"},
		{"wrong response", "default: s_axil_bresp <= DecErr;", "default: s_axil_bresp <= SlvErr;", "the write at 0x10 was answered SLVERR, want DECERR"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			if n := strings.Count(string(text), fault.old); n != 1 {
				t.Fatalf("%q stands %d times in regs.sv, not once", fault.old, n)
			}
			d := regs
			d.FS = fstest.MapFS{"regs.sv": {Data: []byte(strings.Replace(string(text), fault.old, fault.new, 1))}}
			var messages []string
			for _, pace := range paces {
				dut := sim.OpenTest[regsIn, regsOut](t, d, sim.Icarus)
				if err := exercise(dut, 300, pace, 1); err != nil {
					messages = append(messages, err.Error())
				}
			}
			if all := strings.Join(messages, "\n"); !strings.Contains(all, fault.want) {
				t.Errorf("no report has %q:\n%s", fault.want, all)
			}
		})
	}
}

// A protocol error is found in both simulators, in the same cycle.
func TestLiteInjectedError(t *testing.T) {
	text, err := os.ReadFile("testdata/regs.sv")
	if err != nil {
		t.Fatal(err)
	}
	d := regs
	d.FS = fstest.MapFS{"regs.sv": {Data: dropOneReady(text)}}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[regsIn, regsOut]) {
		err := exercise(dut, 300, pace{0, 0.7}, 1)
		var v *stream.Violation
		if !errors.As(err, &v) {
			t.Fatalf("error %v, want a violation", err)
		}
		want := fmt.Sprintf(`process "rules" failed in cycle 7 (85ns) of regs on %s: AXI4-Lite: cycle 7: RVALID fell before RREADY was 1; `+
			`rule: IHI 0022E A3.2.1: VALID, once asserted, remains asserted until the handshake`, dut.Simulator())
		if err.Error() != want {
			t.Errorf("the report is\n%v\nwant\n%s", err, want)
		}
	})
}

// dropOneReady returns the source with RVALID falling after a cycle, whether or not RREADY was 1.
func dropOneReady(text []byte) []byte {
	return []byte(strings.Replace(string(text), "else if (s_axil_rready)", "else", 1))
}

// A manager that breaks the rules is found, too. The test drives the bus itself, cycle by cycle.
func TestLiteManagerFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	for _, c := range []struct {
		name  string
		drive func(b *tb.Bench[regsIn, regsOut], p *tb.Process)
		want  string
	}{
		{"VALID falls", func(b *tb.Bench[regsIn, regsOut], p *tb.Process) {
			b.In.SAxilAwvalid = true
			p.Next()
			b.In.SAxilAwvalid = false
			p.Next()
		}, "AWVALID fell before AWREADY was 1"},
		{"address changes", func(b *tb.Bench[regsIn, regsOut], p *tb.Process) {
			b.In.SAxilAwvalid, b.In.SAxilAwaddr = true, 4
			p.Next()
			b.In.SAxilAwaddr = 8
			p.Next()
		}, "AWADDR changed from 0x4 to 0x8 while AWVALID waited for AWREADY"},
		{"strobe changes", func(b *tb.Bench[regsIn, regsOut], p *tb.Process) {
			b.In.SAxilWvalid, b.In.SAxilWstrb = true, 1
			p.Next()
			b.In.SAxilWstrb = 3
			p.Next()
		}, "WSTRB changed from 0x1 to 0x3"},
		{"VALID in reset", func(b *tb.Bench[regsIn, regsOut], p *tb.Process) {
			b.In.Aresetn = false
			p.Next()
			b.In.SAxilArvalid = true
			p.Next()
		}, "ARVALID is 1 in reset, or in the first cycle after it; rule: IHI 0022E A3.1.2"},
		{"VALID right after reset", func(b *tb.Bench[regsIn, regsOut], p *tb.Process) {
			b.In.Aresetn = false
			p.Next()
			b.In.Aresetn, b.In.SAxilArvalid = true, true
			p.Next()
		}, "ARVALID is 1 in reset, or in the first cycle after it; rule: IHI 0022E A3.1.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim.ForEach(t, regs, func(t *testing.T, dut *sim.DUT[regsIn, regsOut]) {
				b := tb.New(dut)
				bus, err := axi.BindLite(b, "s_axil")
				if err != nil {
					t.Fatal(err)
				}
				bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
				b.Monitor("rules", (&axi.LiteChecker{Lite: bus}).Run)
				b.Go("manager", func(p *tb.Process) {
					bus.Reset.Hold(p)
					c.drive(b, p)
				})
				if err := b.Run(100); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v\nwant %q in it", err, c.want)
				}
			})
		})
	}
}

// A reset aborts the transactions under way without breaking a rule, and transactions after it
// pass. Writer and reader share a manager.
func TestLiteResetInBetween(t *testing.T) {
	sim.ForEach(t, regs, func(t *testing.T, dut *sim.DUT[regsIn, regsOut]) {
		b := tb.New(dut)
		bus, err := axi.BindLite(b, "s_axil")
		if err != nil {
			t.Fatal(err)
		}
		bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true, Cycles: 3}
		b.Monitor("rules", (&axi.LiteChecker{Lite: bus}).Run)
		m := &axi.Manager{Lite: bus, Gap: 0.3, Busy: 0.5}
		aborted := 0
		b.Go("reset", func(p *tb.Process) {
			for range 50 {
				bus.Reset.HoldAtRandom(p, 20)
			}
		})
		b.Background("writer", func(p *tb.Process) {
			for {
				if m.Write(p, 0, 0xffffffff) == axi.Aborted {
					aborted++
				}
			}
		})
		for i := range 2 {
			b.Background(fmt.Sprint("reader", i), func(p *tb.Process) {
				for {
					data, resp := m.Read(p, 0)
					if resp == axi.Aborted {
						aborted++
					} else if data != 0 && data != 0xffffffff {
						p.Failf("read %#x", data)
					}
				}
			})
		}
		b.Check(t, 2000)
		if aborted < 50 {
			t.Errorf("50 resets aborted %d transactions", aborted)
		}
	})
}

func TestBindErrors(t *testing.T) {
	sim.ForEach(t, regs, func(t *testing.T, dut *sim.DUT[regsIn, regsOut]) {
		b := tb.New(dut)
		_, err := axi.BindLite(b, "m_axil")
		if err == nil || !strings.Contains(err.Error(), "no port for AWVALID; no port for AWREADY") {
			t.Errorf("error %v, want that there is no AWVALID", err)
		}
		_, err = axi.BindLite(b, "s_axi")
		if err == nil || !strings.Contains(err.Error(), "there are: s_axil_araddr, s_axil_arprot, ") {
			t.Errorf("error %v, want the names that there are", err)
		}
		bus, err := axi.BindLite(b, "s_axil")
		if err != nil {
			t.Fatal(err)
		}
		m := &axi.Manager{Lite: bus}
		b.Go("wide", func(p *tb.Process) { m.Read(p, 0x100) })
		if err := b.Run(10); err == nil || !strings.Contains(err.Error(), "0x100 does not fit the 8 bits of ARADDR") {
			t.Errorf("error %v, want that the address does not fit", err)
		}
	})
}
