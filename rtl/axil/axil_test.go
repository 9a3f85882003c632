package axil_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
)

type dut = sim.DUT[axil.In, axil.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// pace has the shares of cycles in which the manager pauses, is not ready, the registers are not
// ready, and the reset is active.
type pace struct{ gap, busy, stall, reset float64 }

// stimulus returns the inputs from a manager that keeps the rules and from registers with random
// answers, and the model's outputs.
func stimulus(r *rand.Rand, cycles int, p pace) (in []axil.In, want []axil.Out) {
	var m axil.Alone
	var i axil.In
	start := func(valid *bool) bool {
		if *valid || r.Float64() < p.gap {
			return false
		}
		*valid = true
		return true
	}
	for range cycles {
		i.Rst = r.Float64() < p.reset
		if i.Rst {
			i = axil.In{Rst: true}
		} else {
			if start(&i.Awvalid) {
				i.Awaddr = uint16(r.IntN(1 << 12))
			}
			if start(&i.Wvalid) {
				i.Wdata, i.Wstrb = r.Uint32(), 15
				if r.IntN(4) == 0 {
					i.Wstrb = uint8(r.IntN(16))
				}
			}
			if start(&i.Arvalid) {
				i.Araddr = uint16(r.IntN(1 << 12))
			}
			i.Bready, i.Rready = r.Float64() >= p.busy, r.Float64() >= p.busy
		}
		i.WriteReady, i.ReadReady = r.Float64() >= p.stall, r.Float64() >= p.stall
		i.WriteError, i.ReadError, i.ReadData = r.IntN(3) == 0, r.IntN(3) == 0, r.Uint32()
		o := m.Step(i)
		in, want = append(in, i), append(want, o)
		i.Awvalid = i.Awvalid && !o.Awready
		i.Wvalid = i.Wvalid && !o.Wready
		i.Arvalid = i.Arvalid && !o.Arready
	}
	return in, want
}

var paces = []pace{{0, 0, 0, 0}, {0.5, 0, 0, 0.01}, {0, 0.7, 0.2, 0.01}, {0.4, 0.4, 0.4, 0.03}, {0.9, 0.1, 0.5, 0.1}}

func compare(d *dut, seed *rand.Rand, p pace, cycles int) error {
	if err := d.Reset(2); err != nil {
		return err
	}
	in, want := stimulus(seed, cycles, p)
	return d.Expect(in, want, new(axil.Alone).DontCare)
}

// Every output is compared with the model in every cycle, with stalls of the manager and of the
// registers, and resets at any time.
func TestModel(t *testing.T) {
	for n, p := range paces {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			sim.ForEach(t, axil.Design, func(t *testing.T, d *dut) {
				if err := compare(d, seeded(uint64(n)), p, 20_000); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// traffic writes and reads from two processes with axi.Manager, and checks the rules of the bus.
// Each transfer must be exactly one access, and get the registers' answer.
func traffic(d *dut, seed uint64, gap, busy, stall float64, transfers int) error {
	b := tb.New(d)
	b.SetSeed(seed)
	bus, err := axi.BindLite(b, "s_axil")
	if err != nil {
		return err
	}
	bus.Reset = &tb.Reset{Bit: &b.In.Rst}
	b.Monitor("rules", (&axi.LiteChecker{Lite: bus, Bound: 100}).Run)
	m := &axi.Manager{Lite: bus, Gap: gap, Busy: busy, Bound: 500}

	type write struct{ Address, Data uint32 }
	type read struct {
		Address, Data uint32
		Resp          axi.Resp
	}
	writes, reads := score.NewInOrder[write](b, "writes"), score.NewInOrder[read](b, "reads")
	answers := map[write]axi.Resp{}
	b.Background("registers", func(p *tb.Process) {
		for p.Next() {
			b.In.WriteReady, b.In.ReadReady = p.Rand().Float64() >= stall, p.Rand().Float64() >= stall
			b.In.WriteError, b.In.ReadError, b.In.ReadData = p.Rand().IntN(3) == 0, p.Rand().IntN(3) == 0, p.Rand().Uint32()
		}
	})
	b.Monitor("accesses", func(p *tb.Process) {
		for p.Next() {
			if b.In.Rst {
				continue
			}
			if b.Out.Write {
				w := write{uint32(b.Out.WriteAddress), b.Out.WriteData}
				writes.Got(p, w)
				answers[w] = axi.OKAY
				if b.In.WriteError {
					answers[w] = axi.SLVERR
				}
			}
			if b.Out.Read {
				g := read{uint32(b.Out.ReadAddress), b.In.ReadData, axi.OKAY}
				if b.In.ReadError {
					g.Data, g.Resp = 0, axi.SLVERR
				}
				reads.Expect(p, g)
			}
		}
	})
	var reset tb.Event
	b.Go("writer", func(p *tb.Process) {
		bus.Reset.Hold(p)
		reset.Set()
		for n := range transfers {
			w := write{uint32(p.Rand().IntN(1 << 10)), uint32(n)} // the data of each write differ
			strobe := uint8(15)
			if p.Rand().IntN(4) == 0 {
				strobe = uint8(p.Rand().IntN(15))
			}
			want := axi.SLVERR
			switch strobe {
			case 15:
				writes.Expect(p, w)
			case 0:
				want = axi.OKAY
			}
			resp := m.WriteStrobe(p, uint64(w.Address<<2)|uint64(p.Rand().IntN(4)), uint64(w.Data), strobe)
			if strobe == 15 {
				want = answers[w]
			}
			if resp != want {
				p.Failf("write %d, of %#x with strobes %04b at %#x, was answered %v, due is %v", n, w.Data, strobe, 4*w.Address, resp, want)
			}
		}
	})
	b.Go("reader", func(p *tb.Process) {
		p.Await(&reset)
		for range transfers {
			g := read{Address: uint32(p.Rand().IntN(1 << 10))}
			data, resp := m.Read(p, uint64(g.Address<<2)|uint64(p.Rand().IntN(4)))
			g.Data, g.Resp = uint32(data), resp
			reads.Got(p, g)
		}
	})
	return b.Run(1000 * transfers)
}

func TestTraffic(t *testing.T) {
	for n, p := range paces {
		t.Run(fmt.Sprintf("gap %v, busy %v, stall %v", p.gap, p.busy, p.stall), func(t *testing.T) {
			sim.ForEach(t, axil.Design, func(t *testing.T, d *dut) {
				if err := traffic(d, sim.Seed()+uint64(n), p.gap, p.busy, p.stall, 300); err != nil {
					d.Fail(t, err)
				}
			})
		})
	}
}

// interruptIn has the inputs of axil_interrupt.
type interruptIn struct {
	Rst    bool
	Event  uint8
	Enable bool
	Clear  bool
	Data   uint8
}

type interruptOut struct {
	Enable uint8 `port:"enable_o"`
	Status uint8 `port:"status_o"`
	Irq    bool  `port:"irq_o"`
}

func interrupts() sim.Design {
	d := axil.Design
	d.Top, d.Files, d.Params = "axil_interrupt", []string{"axil/axil_interrupt.sv"}, map[string]string{"Events": "3"}
	return d
}

func compareInterrupts(d *sim.DUT[interruptIn, interruptOut], r *rand.Rand) error {
	if err := d.Reset(2); err != nil {
		return err
	}
	var m axil.Interrupts
	var in []interruptIn
	var want []interruptOut
	for range 10_000 {
		i := interruptIn{
			Rst: r.IntN(100) == 0, Event: uint8(r.IntN(8) & r.IntN(8)), Enable: r.IntN(8) == 0, Clear: r.IntN(3) == 0,
			Data: uint8(r.IntN(8)),
		}
		in, want = append(in, i), append(want, interruptOut{uint8(m.Enable), uint8(m.Status), m.Line})
		m.Step(i.Rst, uint32(i.Event), i.Enable, i.Clear, uint32(i.Data))
	}
	return d.Expect(in, want, nil)
}

func TestInterrupt(t *testing.T) {
	sim.ForEach(t, interrupts(), func(t *testing.T, d *sim.DUT[interruptIn, interruptOut]) {
		if err := compareInterrupts(d, seeded(1)); err != nil {
			t.Fatal(err)
		}
	})
}

// mutants has faults that a designer might make. The traffic of a manager must find them, in which
// the model has no part. docs/mutants/axil.md says that the comparison with the model finds each
// single change.
var mutants = []struct{ rule, old, new, message string }{
	{"a write needs its address", "write_go = ~s_axil_awready_o & ~s_axil_wready_o", "write_go = ~s_axil_wready_o", "BVALID is 1 "},
	{"a write needs its data", "write_go = ~s_axil_awready_o & ~s_axil_wready_o", "write_go = ~s_axil_awready_o", "BVALID is 1 "},
	{"a torn write is none", "assign write_o = write_go & whole", "assign write_o = write_go", `"writes"`},
	{"a torn write is an error", "none | (whole & ~write_error_i)", "none | ~write_error_i", "was answered OKAY, due is SLVERR"},
	{"a write of nothing is none", "none | (whole & ~write_error_i)", "whole & ~write_error_i", "was answered SLVERR, due is OKAY"},
	{"a refused write is an error", "none | (whole & ~write_error_i)", "none | whole", "was answered OKAY, due is SLVERR"},
	{"a refused read is an error", "read_error_i ? SlvErr : Okay", "Okay", `"reads"`},
	{"a refused read gives nothing", "read_data_i & {32{~read_error_i}}", "read_data_i", `"reads"`},
	{"a response waits for its receiver", "s_axil_bvalid_o ? ~s_axil_bready_i : write_go", "write_go", "BVALID fell before BREADY"},
	{"data wait for their receiver", "s_axil_rvalid_o ? ~s_axil_rready_i : read_go", "read_go", "RVALID fell before RREADY"},
	{"a request is taken once", "s_axil_awready_o ? ~s_axil_awvalid_i : write_go", "s_axil_awready_o ? ~s_axil_awvalid_i : 1'b0", "BVALID is 1 "},
	{"reset forgets requests", "      s_axil_arready_o <= 1'b1;\n", "", "X or Z"},
	{"reset forgets responses", "      s_axil_bvalid_o <= 1'b0;\n", "", "X or Z"},
}

func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			design := fault.Plant(t, axil.Design, "axil.sv", m.old, m.new)
			var all []error
			for _, p := range paces {
				d := sim.OpenTest[axil.In, axil.Out](t, design, sim.Icarus)
				all = append(all, traffic(d, 1, p.gap, p.busy, p.stall, 100))
			}
			found(t, errors.Join(all...), m.message)
		})
	}
}

func TestInterruptMutants(t *testing.T) {
	for _, m := range []struct{ rule, old, new, message string }{
		{"an event is kept", "| event_i;", "& ~event_i | event_i & ~status_o;", "> status_o"},
		{"an event in the cycle of a clear is not lost", "{Events{clear_i}})) | event_i;", "{Events{clear_i}}) | event_i) & ~(data_i & {Events{clear_i}});", "> status_o"},
		{"a clear is one only if it is", "(data_i & {Events{clear_i}})", "data_i", "> status_o"},
		{"only enabled ones count", "|(status_o & enable_o)", "|status_o", "> irq_o"},
		{"enabled when written", "if (enable_i) enable_o", "if (enable_i | clear_i) enable_o", "> enable_o"},
		{"reset disables", "      enable_o <= '0;\n", "", "> enable_o"},
	} {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			d := sim.OpenTest[interruptIn, interruptOut](t, fault.Plant(t, interrupts(), "axil_interrupt.sv", m.old, m.new), sim.Icarus)
			found(t, compareInterrupts(d, rand.New(rand.NewPCG(1, 1))), m.message)
		})
	}
}

// found checks that a fault was found, and that its report has the message.
func found(t *testing.T, err error, message string) {
	t.Helper()
	if err == nil {
		t.Error("the mutant survives")
	} else if !strings.Contains(err.Error(), message) {
		t.Errorf("the report does not say %q:\n%v", message, err)
	}
}
