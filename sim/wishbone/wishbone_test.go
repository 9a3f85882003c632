package wishbone_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/wishbone"
)

func design(top string) sim.Design {
	return sim.Design{Top: top, FS: os.DirFS("testdata"), Dir: "sim/wishbone/testdata", Files: []string{top + ".sv"}, Clock: "clk_i", Reset: "rst_i"}
}

var classic, pipelined = design("classic"), design("pipelined")

type in struct {
	Rst   bool
	WbCyc bool
	WbStb bool
	WbWe  bool
	WbAdr uint8
	WbSel uint8
	WbDat uint32 `port:"wb_dat_i"`
}

type classicOut struct {
	WbAck bool
	WbErr bool
	WbRty bool
	WbDat uint32 `port:"wb_dat_o"`
}

type pipelinedOut struct {
	WbStall bool
	WbAck   bool
	WbErr   bool
	WbDat   uint32 `port:"wb_dat_o"`
}

// bench returns a bench with the bus of a design, whose rules are checked.
func bench[O any](dut *sim.DUT[in, O], seed uint64) (*tb.Bench[in, O], *wishbone.Bus, error) {
	b := tb.New(dut)
	b.SetSeed(seed)
	bus, err := wishbone.Bind(b, "wb")
	if err != nil {
		return nil, nil, err
	}
	bus.Reset = &tb.Reset{Bit: &b.In.Rst}
	b.Monitor("rules", (&wishbone.Checker{Bus: bus, Bound: 50}).Run)
	return b, bus, nil
}

// exercise makes random requests in blocks of 1 to 5, with resets in between, and compares what is
// read with what was written.
func exercise[O any](dut *sim.DUT[in, O], blocks int, gap float64, resets bool, seed uint64) error {
	b, bus, err := bench(dut, seed)
	if err != nil {
		return err
	}
	m := &wishbone.Manager{Bus: bus, Gap: gap, Bound: 50}
	over, aborted := false, 0
	if resets {
		b.Go("reset", func(p *tb.Process) {
			bus.Reset.Hold(p)
			for !over {
				bus.Reset.HoldAtRandom(p, 60)
			}
		})
	}
	b.Go("software", func(p *tb.Process) {
		defer func() { over = true }()
		if !resets {
			bus.Reset.Hold(p)
		}
		r := p.Rand()
		var mem, known [16]uint32 // known has the bytes that were written
		for range blocks {
			requests := make([]wishbone.Request, 1+r.IntN(5))
			for i := range requests {
				requests[i] = wishbone.Request{Write: r.IntN(2) == 0, Addr: uint64(r.IntN(16)), Data: uint64(r.Uint32()), Sel: r.Uint64N(16)}
				if r.IntN(8) == 0 {
					requests[i].Addr = 16 + uint64(r.IntN(16))
				}
			}
			// What was not written reads as X.
			for i, q := range requests {
				if !q.Write && q.Addr < 16 {
					requests[i].Sel = selected(known[q.Addr])
				}
				if q.Write && q.Addr < 16 && q.Sel == 0 {
					requests[i].Sel = 0b1111
				}
			}
			for i, result := range m.Block(p, requests...) {
				q := requests[i]
				mask := bytesOf(q.Sel)
				switch {
				case result.Answer == wishbone.Aborted:
					aborted++
					known = [16]uint32{} // some writes were done, others not
				case q.Addr >= 16:
					if want := map[bool]wishbone.Answer{true: wishbone.ERR, false: wishbone.RTY}[q.Addr < 20 || dut.Design().Top == "pipelined"]; result.Answer != want {
						p.Failf("%v was answered by %v, not %v", q, result.Answer, want)
					}
				case result.Answer != wishbone.ACK:
					p.Failf("%v was answered by %v", q, result.Answer)
				case q.Write:
					mem[q.Addr] = mem[q.Addr]&^mask | uint32(q.Data)&mask
					known[q.Addr] |= mask
				case uint32(result.Data)&mask&known[q.Addr] != mem[q.Addr]&mask&known[q.Addr]:
					p.Failf("the read at %#x is %#x, not %#x", q.Addr, result.Data, mem[q.Addr])
				}
			}
		}
		if resets && aborted < 3 {
			p.Failf("resets aborted only %d requests", aborted)
		}
	})
	return b.Run(100 * blocks)
}

func bytesOf(sel uint64) (mask uint32) {
	for i := range 4 {
		if sel>>i&1 != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

func selected(known uint32) (sel uint64) {
	for i := range 4 {
		if known>>(8*i)&0xff == 0xff {
			sel |= 1 << i
		}
	}
	return sel
}

func TestManager(t *testing.T) {
	for _, gap := range []float64{0, 0.5} {
		for _, resets := range []bool{false, true} {
			t.Run(fmt.Sprintf("gap %v, resets %v", gap, resets), func(t *testing.T) {
				t.Run("classic", func(t *testing.T) {
					sim.ForEach(t, classic, func(t *testing.T, dut *sim.DUT[in, classicOut]) {
						if err := exercise(dut, 300, gap, resets, sim.Seed()); err != nil {
							t.Fatal(err)
						}
					})
				})
				t.Run("pipelined", func(t *testing.T) {
					sim.ForEach(t, pipelined, func(t *testing.T, dut *sim.DUT[in, pipelinedOut]) {
						if err := exercise(dut, 300, gap, resets, sim.Seed()); err != nil {
							t.Fatal(err)
						}
					})
				})
			})
		}
	}
}

// changed returns a design with a text of its source replaced.
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
	return d
}

// Each rule is broken by a device, and the error says which.
func TestFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	const ack, rty, busy = "wb_ack_o <= now &&", "wb_rty_o <= now &&", "&& !answer_q"
	for _, c := range []struct {
		name     string
		design   sim.Design
		old, new string
		want     string
	}{
		{"answers twice", classic, busy, "", "ACK is 1 while CYC is 0; rule: B.3 RULE 3.30 and 3.35"},
		{"answers without CYC", classic, ack, "wb_ack_o <= (now | random_q == 5'd9 & !wb_cyc_i) &&", "ACK is 1 while CYC is 0; rule: B.3 RULE 3.30 and 3.35"},
		{"answers between requests", classic, ack, "wb_ack_o <= (now | wb_cyc_i & ~wb_stb_i & random_q[1]) &&", "ACK is 1 while STB is 0; rule: B.3 RULE 3.50"},
		{"two answers", classic, "wb_err_o <= now && wb_adr_i[4] &&", "wb_err_o <= now &&", "ACK is one of 2 answers at the same time; rule: B.3 RULE 3.45"},
		{"never answers", classic, rty, "wb_rty_o <= 1'b0 &&", "ACK has been 0 for 51 cycles of a request; rule: each request is answered"},
		{"answer is X", classic, ack, "wb_ack_o <= (wb_adr_i == 5'd7 ? 1'bx : now) &&", "ACK is X or Z; rule: the testbench expects"},
		{"data are X", classic, "wb_dat_o <= mem_q[wb_adr_i[3:0]];", "wb_dat_o <= wb_adr_i == 5'd7 ? 32'h0x0 : mem_q[wb_adr_i[3:0]];", "DAT is X or Z in the bits 0xf0 of a read; rule: B.3 RULE 3.65"},
		{"writes unselected bytes", classic, "&& wb_sel_i[i]", "", "the read at"},
		{"wrong answer", classic, "(wb_adr_i[3:2] == 2'd0) && !rst_i", "(wb_adr_i[3] == 1'd0) && !rst_i", "answers at the same time"},
		{"surplus answer", pipelined, "wb_ack_o <= taken_q &&", "wb_ack_o <= (taken_q | wb_ack_o) &&", "ACK is 1, and all requests were answered before; rule: B4, pipelined mode"},
		{"answers without CYC, pipelined", pipelined, "wb_ack_o <= taken_q && !error_q && wb_cyc_i && !rst_i", "wb_ack_o <= taken_q && !error_q && wb_cyc_i && !rst_i || random_q[3:0] == 4'd9 && !wb_cyc_i", "ACK is 1 while CYC is 0; rule: B.3 RULE 3.30 and 3.35"},
		{"lost request", pipelined, "taken_q <= take &&", "taken_q <= take && (wb_adr_i != 5'd7) &&", "ACK has been 0 for 51 cycles of a request"},
		{"stalls for ever", pipelined, "wb_stall_o = random_q[1]", "wb_stall_o = random_q[1] | (wb_adr_i == 5'd7)", "STALL has been 1 for 51 cycles of a request"},
		{"stall is X", pipelined, "wb_stall_o = random_q[1]", "wb_stall_o = wb_adr_i == 5'd7 ? 1'bx : random_q[1]", "STALL is X or Z"},
		{"two answers, pipelined", pipelined, "wb_err_o <= taken_q && error_q &&", "wb_err_o <= taken_q &&", "ACK is one of 2 answers"},
		{"does not see STALL", pipelined, "wb_stb_i && !wb_stall_o", "wb_stb_i", "ACK is 1, and all requests were answered before"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var messages []string
			for run := range 8 {
				gap, seed := 0.5*float64(run%2), uint64(1+run/2)
				var err error
				if d := changed(t, c.design, c.old, c.new); c.design.Top == "classic" {
					err = exercise(sim.OpenTest[in, classicOut](t, d, sim.Icarus), 300, gap, false, seed)
				} else {
					err = exercise(sim.OpenTest[in, pipelinedOut](t, d, sim.Icarus), 300, gap, false, seed)
				}
				if err == nil {
					continue
				}
				if messages = append(messages, err.Error()); strings.Contains(err.Error(), c.want) {
					break
				}
			}
			if !strings.Contains(strings.Join(messages, "\n"), c.want) {
				t.Errorf("no report has %q:\n%s", c.want, strings.Join(messages, "\n"))
			}
		})
	}
}

// The other side's rules are checked, too: requests are made by hand here.
func TestManagerFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	set := func(i *in, cyc, stb bool, adr uint8) { i.WbCyc, i.WbStb, i.WbAdr = cyc, stb, adr }
	for _, c := range []struct {
		name  string
		drive func(i *in, p *tb.Process, again func())
		want  string
	}{
		{"STB without CYC", func(i *in, p *tb.Process, _ func()) { set(i, false, true, 0) }, "STB is 1 while CYC is 0; rule: B.3 RULE 3.25"},
		{"STB falls", func(i *in, p *tb.Process, again func()) { set(i, true, true, 20); again(); set(i, true, false, 20) }, "STB fell before the request was answered; rule: B.3 3.1.3"},
		{"CYC falls", func(i *in, p *tb.Process, again func()) { set(i, true, true, 20); again(); set(i, false, false, 20) }, "CYC fell before the request was answered; rule: B.3 RULE 3.25"},
		{"address changes", func(i *in, p *tb.Process, again func()) { set(i, true, true, 20); again(); set(i, true, true, 21) }, "ADR changed from 0x14 to 0x15 before the request was taken; rule: B.3 RULE 3.60"},
		{"data change", func(i *in, p *tb.Process, again func()) {
			set(i, true, true, 20)
			i.WbWe = true
			again()
			i.WbDat = 7
		}, "DAT changed from 0x0 to 0x7 before the request was taken"},
		{"CYC in reset", func(i *in, p *tb.Process, again func()) { i.Rst, i.WbCyc = true, true; again() }, "CYC is 1 in reset; rule: B.3 RULE 3.20"},
		{"STB in reset", func(i *in, p *tb.Process, again func()) { i.Rst, i.WbStb = true, true; again() }, "STB is 1 in reset; rule: B.3 RULE 3.20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// It never answers at address 20.
			d := changed(t, classic, "assign now = ", "assign now = (wb_adr_i != 5'd20) && ")
			dut := sim.OpenTest[in, classicOut](t, d, sim.Icarus)
			b, bus, err := bench(dut, 1)
			if err != nil {
				t.Fatal(err)
			}
			b.Go("manager", func(p *tb.Process) {
				bus.Reset.Hold(p)
				c.drive(&b.In, p, func() { p.Next() })
				p.Wait(2)
			})
			if err := b.Run(100); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant %q in it", err, c.want)
			}
		})
	}
	t.Run("STB falls, pipelined", func(t *testing.T) {
		d := changed(t, pipelined, "wb_stall_o = random_q[1]", "wb_stall_o = 1'b1")
		b, bus, err := bench(sim.OpenTest[in, pipelinedOut](t, d, sim.Icarus), 1)
		if err != nil {
			t.Fatal(err)
		}
		b.Go("manager", func(p *tb.Process) {
			bus.Reset.Hold(p)
			set(&b.In, true, true, 0)
			p.Next()
			set(&b.In, true, false, 0)
			p.Next()
		})
		if err := b.Run(100); err == nil || !strings.Contains(err.Error(), "STB fell while STALL was 1") {
			t.Errorf("error %v", err)
		}
	})
}

// A device without wait states may hold ACK (B.3 PERMISSION 3.35).
func TestHeldACK(t *testing.T) {
	d := sim.Design{Top: "held", Clock: "clk_i", Files: []string{"held.sv"}, FS: fstest.MapFS{"held.sv": {Data: []byte(`
module held(input wire clk_i, input wire wb_cyc_i, input wire wb_stb_i, input wire wb_we_i, input wire [7:0] wb_dat_i,
    output wire wb_ack_o, output reg [7:0] wb_dat_o);
  assign wb_ack_o = 1'b1;
  always @(posedge clk_i) if (wb_cyc_i & wb_stb_i & wb_we_i) wb_dat_o <= wb_dat_i;
endmodule`)}}}
	type in struct {
		WbCyc, WbStb, WbWe bool
		WbDat              uint8 `port:"wb_dat_i"`
	}
	type out struct {
		WbAck bool
		WbDat uint8 `port:"wb_dat_o"`
	}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[in, out]) {
		b := tb.New(dut)
		bus, err := wishbone.Bind(b, "wb_")
		if err != nil {
			t.Fatal(err)
		}
		b.Monitor("rules", (&wishbone.Checker{Bus: bus}).Run)
		m := &wishbone.Manager{Bus: bus, Gap: 0.5}
		b.Go("software", func(p *tb.Process) {
			for i := range uint64(20) {
				m.Write(p, 0, i)
				if data, answer := m.Read(p, 0); data != i || answer != wishbone.ACK {
					p.Failf("read %d, %v", data, answer)
				}
			}
		})
		b.Check(t, 1000)
	})
}

func TestBindErrors(t *testing.T) {
	dut := sim.OpenTest[in, classicOut](t, classic, sim.Verilator)
	b := tb.New(dut)
	if _, err := wishbone.Bind(b, "bus"); err == nil || err.Error() != `Wishbone bus with prefix "bus": no port for CYC; no port for ACK; no port begins so` {
		t.Error(err)
	}
	if _, err := wishbone.Bind(b, "w"); err == nil || !strings.Contains(err.Error(), "there are: wb_ack_o, wb_adr_i, wb_cyc_i, ") {
		t.Error(err)
	}
	bus, err := wishbone.Bind(b, "wb")
	if err != nil {
		t.Fatal(err)
	}
	m := &wishbone.Manager{Bus: bus}
	for _, c := range []struct {
		request wishbone.Request
		want    string
	}{
		{wishbone.Request{Addr: 32, Sel: 1}, "0x20 does not fit the 5 bits of ADR"},
		{wishbone.Request{Addr: 1, Sel: 16}, "0x10 does not fit the 4 bits of SEL"},
		{wishbone.Request{Write: true, Data: 1 << 32, Sel: 1}, "0x100000000 does not fit the 32 bits of DAT"},
	} {
		b.Go("wide", func(p *tb.Process) { m.Block(p, c.request) })
		if err := b.Run(10); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
