package movelink_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[movelink.In, movelink.Out]

var small = movelink.Params{HoldCycles: 6, SyncStages: 2}

// traffic returns stimulus for all ports. Moves are sent to a UART that is busy at times. Lines
// change one after the other, with glitches, and are stable for about HoldCycles. Received moves
// are taken late at times.
func traffic(seed, stream uint64, hold, cycles int, resets float64) iter.Seq[movelink.In] {
	return func(yield func(movelink.In) bool) {
		r := rand.New(rand.NewPCG(seed, stream))
		in := movelink.In{}
		ready, half := 0.0, uint8(0)
		for i := 0; i < cycles; {
			next := in.Lines
			n := 1
			switch r.IntN(8) {
			case 0: // a glitch
				next ^= 1 << r.IntN(7)
				n = 1 + r.IntN(hold)
			case 1: // about as long as HoldCycles
				n = max(1, hold-1+r.IntN(3))
			case 2:
				next = uint8(r.IntN(128))
				n = 1 + r.IntN(3*hold)
			default: // the next half, line by line
				half ^= 1
				next = uint8(r.IntN(64))<<1 | half
				n = hold + r.IntN(hold+4)
			}
			for _, line := range r.Perm(7) {
				in.Lines ^= (in.Lines ^ next) & (1 << line)
				if in.Lines != next {
					n++
					if !step(r, &in, &ready, resets, yield) {
						return
					}
				}
			}
			for range n {
				if !step(r, &in, &ready, resets, yield) {
					return
				}
			}
			i += n
		}
	}
}

// step yields a cycle with random inputs for all ports but the lines.
func step(r *rand.Rand, in *movelink.In, ready *float64, resets float64, yield func(movelink.In) bool) bool {
	if r.IntN(100) == 0 {
		*ready = []float64{0, 0.01, 0.5, 1}[r.IntN(4)]
	}
	in.SendValid, in.SendFrom, in.SendTo = r.IntN(3) == 0, uint8(r.IntN(64)), uint8(r.IntN(64))
	in.TxReady, in.MoveReady, in.Rst = r.IntN(2) == 0, r.Float64() < *ready, r.Float64() < resets
	return yield(*in)
}

// Every output is compared with the model in every cycle of random traffic.
func TestTraffic(t *testing.T) {
	for _, p := range []movelink.Params{{HoldCycles: 1, SyncStages: 3}, small, movelink.Default} {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			cycles := 30_000 + 20*p.HoldCycles
			m := movelink.NewModel(p)
			sent, came, lost := 0, 0, 0
			for in := range traffic(sim.Seed(), 1, p.HoldCycles, cycles, 0.1/float64(p.HoldCycles)/float64(p.HoldCycles)) {
				out := m.Step(in)
				if in.SendValid && out.SendReady {
					sent++
				}
				if in.MoveReady && out.MoveValid {
					came++
				}
				if out.MoveLost {
					lost++
				}
			}
			t.Logf("%d moves sent, %d taken, %d lost", sent, came, lost)
			if sent < 100 || came < 2 || p == small && lost < 10 {
				t.Error("the stimulus is too poor")
			}
			sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
				sim.Check(t, d, movelink.NewModel(p), traffic(sim.Seed(), 1, p.HoldCycles, cycles, 0.1/float64(p.HoldCycles)/float64(p.HoldCycles)))
			})
		})
	}
}

// run resets the RTL and plays inputs to it.
func run(t *testing.T, d *dut, in []movelink.In) []movelink.Out {
	t.Helper()
	if err := d.Reset(small.SyncStages + 1); err != nil {
		t.Fatal(err)
	}
	out := make([]movelink.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// hold returns so many cycles in which the lines have this value and every move is taken.
func hold(lines uint8, cycles int) []movelink.In {
	return slices.Repeat([]movelink.In{{Lines: lines, MoveReady: true}}, cycles)
}

func moves(out []movelink.Out) (m []pair.Move) {
	for _, o := range out {
		if o.MoveValid {
			m = append(m, pair.Move{From: o.MoveFrom, To: o.MoveTo})
		}
	}
	return m
}

// Every move is sent both ways. Its code is that of package pair, and that written here.
func TestAllMoves(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		var in []movelink.In
		var want []pair.Move
		var bytes []byte
		for from := range uint8(64) {
			for to := range uint8(64) {
				m := pair.Move{From: from, To: to}
				want = append(want, m)
				bytes = append(bytes, 0b01<<6|from, 0b10<<6|to)
				at := len(in)
				in = append(in, hold(from<<1, small.HoldCycles)...)
				in = append(in, hold(to<<1|1, small.HoldCycles)...)
				in[at].SendValid, in[at].SendFrom, in[at].SendTo = true, from, to
				if m.Lines() != [2]uint8{from << 1, to<<1 | 1} {
					t.Fatalf("%+v as lines: %07b", m, m.Lines())
				}
			}
		}
		in = append(in, hold(0, 10)...)
		for i := range in {
			in[i].TxReady = true
		}
		out := run(t, d, in)
		if got := moves(out); !slices.Equal(got, want) {
			t.Errorf("%d moves over the lines, not all of the %d that were sent", len(got), len(want))
		}
		var sent []byte
		var decoder pair.Decoder
		var decoded []pair.Move
		for _, o := range out {
			if !o.TxValid {
				continue
			}
			sent = append(sent, o.TxData)
			if m, ok := decoder.Byte(o.TxData); ok {
				decoded = append(decoded, m)
			}
		}
		if !slices.Equal(sent, bytes) {
			t.Errorf("%d bytes were sent, not all of the %d due", len(sent), len(bytes))
		}
		if !slices.Equal(decoded, want) {
			t.Errorf("%d moves were decoded, not all of the %d that were sent", len(decoded), len(want))
		}
	})
}

// The published dialogue: the board sends c2c4, the PC answers d7d5.
func TestDialogue(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		in := slices.Concat(hold(0, 5), hold(51<<1, 40), hold(35<<1|1, 40))
		in[0].SendValid, in[0].SendFrom, in[0].SendTo = true, 10, 26
		in[20].TxReady, in[30].TxReady = true, true
		out := run(t, d, in)
		if out[20].TxData != 0b01_001010 || out[30].TxData != 0b10_011010 || out[31].TxValid {
			t.Errorf("c2c4 is sent as %08b, %08b", out[20].TxData, out[30].TxData)
		}
		if got := moves(out); !slices.Equal(got, []pair.Move{{From: 51, To: 35}}) {
			t.Errorf("d7d5 arrives as %v", got)
		}
	})
}

// A move arrives SyncStages + HoldCycles cycles after the lines' last change.
func TestLatency(t *testing.T) {
	for _, p := range []movelink.Params{small, movelink.Default} {
		d := sim.OpenTest[movelink.In, movelink.Out](t, p.Design(), sim.Verilator)
		in := slices.Concat(hold(0, p.HoldCycles+10), hold(3, p.HoldCycles+10))
		out := run(t, d, in)
		at := slices.IndexFunc(out, func(o movelink.Out) bool { return o.MoveValid })
		if want := p.HoldCycles + 10 + p.SyncStages + p.HoldCycles; at != want {
			t.Errorf("%+v: the move is there in cycle %d, want %d", p, at, want)
		}
	}
}

// No value that is stable for less than HoldCycles is taken: neither a glitch of a line, nor values
// of the lines while they change one after the other.
func TestGlitches(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		for mask := uint8(1); mask < 128; mask++ {
			for cycles := 1; cycles < small.HoldCycles; cycles++ {
				const from, to = 12 << 1, 28<<1 | 1
				in := slices.Concat(
					hold(from, 20), hold(from^mask, cycles), hold(from, 20), hold(from^mask, cycles),
					hold(to, 20), hold(to^mask, cycles), hold(to, 20))
				if got := moves(run(t, d, in)); !slices.Equal(got, []pair.Move{{From: 12, To: 28}}) {
					t.Fatalf("glitches of lines %07b for %d cycles: moves %v", mask, cycles, got)
				}
			}
		}
	})
}

// A destination counts once, and only after an origin. Of several origins the last one counts.
func TestHalves(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		from, to := func(n uint8) []movelink.In { return hold(n<<1, 10) }, func(n uint8) []movelink.In { return hold(n<<1|1, 10) }
		for _, c := range []struct {
			what string
			in   []movelink.In
			want []pair.Move
		}{
			{"a destination first", slices.Concat(to(5), to(6)), nil},
			{"two destinations", slices.Concat(from(1), to(5), to(6)), []pair.Move{{From: 1, To: 5}}},
			{"two origins", slices.Concat(from(1), from(2), to(5)), []pair.Move{{From: 2, To: 5}}},
			{"the same move twice", slices.Concat(from(1), to(5), from(1), to(5)), []pair.Move{{From: 1, To: 5}, {From: 1, To: 5}}},
			{"a destination that is an origin", slices.Concat(from(1), to(1)), []pair.Move{{From: 1, To: 1}}},
		} {
			if got := moves(run(t, d, append(c.in, hold(0, 10)...))); !slices.Equal(got, c.want) {
				t.Errorf("%s: moves %v, want %v", c.what, got, c.want)
			}
		}
	})
}

// An invalid parameter ends the simulation, with its name.
func TestParameters(t *testing.T) {
	for name, p := range map[string]movelink.Params{"HoldCycles": {HoldCycles: 0, SyncStages: 2}, "SyncStages": {HoldCycles: 5, SyncStages: 1}} {
		d := sim.OpenTest[movelink.In, movelink.Out](t, p.Design(), sim.Icarus)
		if _, err := d.Step(movelink.In{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func ExampleModel() {
	m := movelink.NewModel(movelink.Params{HoldCycles: 3, SyncStages: 2})
	e7, e5 := uint8(52), uint8(36)
	lines := pair.Move{From: e7, To: e5}.Lines()
	for i := range 16 {
		out := m.Step(movelink.In{Lines: lines[i/8], MoveReady: true})
		if out.MoveValid {
			fmt.Printf("cycle %d: from %d to %d\n", i, out.MoveFrom, out.MoveTo)
		}
	}
	// Output:
	// cycle 13: from 52 to 36
}
