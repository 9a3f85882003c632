package axi3_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/rtl/axi3"
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

// anything returns inputs of a manager and of windows that keep no rule: bursts of any kind are
// offered and taken back, windows answer what they were not asked, and before they have taken it.
func anything(r *rand.Rand, cycles int) (in []axi3.In) {
	often := func(share float64) bool { return r.Float64() < share }
	mask := func(share float64) (bits uint8) {
		for n := range axi3.Windows {
			if often(share) {
				bits |= 1 << n
			}
		}
		return bits
	}
	address := func() axi3.Address {
		a := axi3.Address{ID: uint16(r.IntN(1 << 12)), Addr: r.Uint32(), Len: uint8(r.IntN(16)), Size: uint8(r.IntN(4)), Burst: uint8(r.IntN(4))}
		if often(0.9) { // there are as many windows as addresses that have none
			a.Addr = a.Addr&^0xf000 | uint32(r.IntN(2*axi3.Windows))<<12
		}
		if often(0.1) { // a carry into the highest bits
			a.Addr |= 0x7f0
		}
		return a
	}
	valid, ready, taken, answered := 0.0, 0.0, 0.0, 0.0
	for range cycles {
		if often(0.005) {
			valid, ready, taken, answered = r.Float64(), r.Float64(), r.Float64(), r.Float64()
		}
		w, a := address(), address()
		in = append(in, axi3.In{
			Rst: often(0.001), Awid: w.ID, Awaddr: w.Addr, Awlen: w.Len, Awsize: w.Size, Awburst: w.Burst, Awvalid: often(valid),
			Wdata: r.Uint32(), Wstrb: uint8(r.IntN(16)), Wvalid: often(valid), Bready: often(ready),
			Arid: a.ID, Araddr: a.Addr, Arlen: a.Len, Arsize: a.Size, Arburst: a.Burst, Arvalid: often(valid), Rready: often(ready),
			LiteAwready: mask(taken), LiteWready: mask(taken), LiteArready: mask(taken), LiteBvalid: mask(answered), LiteRvalid: mask(answered),
			LiteBresp: uint8(r.IntN(16)), LiteRresp: uint8(r.IntN(16)), LiteRdata: r.Uint64(),
		})
	}
	return in
}

// Every output is compared with the model in every cycle, for inputs that break the rules, too.
func TestAnything(t *testing.T) {
	in := anything(seeded(100), 60_000)
	sim.ForEach(t, axi3.Design, func(t *testing.T, d *dut) {
		in := in
		if d.Simulator() == sim.Icarus {
			in = in[:10_000]
		}
		sim.Check(t, d, axi3.NewModel(axi3.Windows), slices.Values(in))
	})
}
