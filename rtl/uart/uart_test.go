package uart_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
	serial "github.com/cosimate/cosimate/sim/uart"
)

type dut = sim.DUT[uart.In, uart.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// wire is the levels of a line, cycle by cycle. Bits need not last for whole cycles, as the other
// side has its own clock.
type wire struct {
	levels []bool
	time   float64 // the time up to which the line is known, in cycles
}

func (w *wire) hold(level bool, cycles float64) {
	w.time += cycles
	for float64(len(w.levels)) < math.Round(w.time) {
		w.levels = append(w.levels, level)
	}
}

// frame appends a byte at so many cycles a bit.
func (w *wire) frame(data byte, bit float64, stop bool) {
	w.hold(false, bit)
	for i := range 8 {
		w.hold(data>>i&1 != 0, bit)
	}
	w.hold(stop, bit)
}

// disturb inverts so many cycles of the line.
func (w *wire) disturb(from, cycles int) {
	for i := from; i < min(from+cycles, len(w.levels)); i++ {
		w.levels[i] = !w.levels[i]
	}
}

// noisyLine returns a line with bytes at clocks a little off, with and without pauses, framing
// errors, breaks, glitches and noise.
func noisyLine(r *rand.Rand, divisor, cycles int) []bool {
	w := &wire{}
	d := float64(divisor)
	idle := func(bits float64) { w.hold(true, r.Float64()*bits*d) }
	w.hold(r.IntN(2) == 0, 3*d)
	for len(w.levels) < cycles {
		at := len(w.levels)
		bit := d * (1 + (r.Float64()-0.5)/10)
		switch r.IntN(14) {
		case 0:
			w.frame(byte(r.Uint32()), bit, false)
			idle(2)
		case 1:
			w.hold(false, (9+r.Float64()*20)*d)
			idle(2)
		case 2:
			w.hold(false, 1+r.Float64()*d)
			idle(12)
		case 3, 12, 13:
			w.frame(byte(r.Uint32()), bit, true)
			around := 1 + divisor/8 // the cycles around the samples
			for range 1 + r.IntN(8) {
				w.disturb(at+r.IntN(10)*divisor+divisor/2-around+r.IntN(2*around), 1+r.IntN(around))
			}
			w.disturb(at+r.IntN(40*divisor), 1+r.IntN(divisor))
		case 4:
			idle(20)
		case 5: // a stop bit that is 0, or 1 for a part of it
			w.frame(byte(r.Uint32())*byte(r.IntN(2)), bit, false)
			w.disturb(at+9*divisor+r.IntN(divisor), 1+r.IntN(divisor))
			idle(2)
		default:
			w.frame(byte(r.Uint32()), bit, true)
			if r.IntN(3) == 0 {
				idle(2)
			}
		}
	}
	return w.levels[:cycles]
}

// traffic returns stimulus for all ports: a noisy line, both queues used at changing rates, and a
// reset now and then.
func traffic(r *rand.Rand, p uart.Params, cycles int, resets float64) []uart.In {
	line := noisyLine(r, p.Divisor, cycles)
	in := make([]uart.In, cycles)
	send, take := 0.0, 0.0
	frames := func(n int) int { return 1 + r.IntN(10*n*p.Divisor) }
	sendLeft, takeLeft := 0, 80*p.RxDepth*p.Divisor // enough for an overrun
	for i := range in {
		if sendLeft--; sendLeft < 0 {
			send, sendLeft = []float64{0, 0, 0.05 / float64(p.Divisor), 0.3, 1}[r.IntN(5)], frames(p.TxDepth)
		}
		if takeLeft--; takeLeft < 0 {
			take, takeLeft = []float64{0, 0.05 / float64(p.Divisor), 0.5, 1}[r.IntN(4)], frames(4*p.RxDepth)
		}
		in[i] = uart.In{
			Rst: r.Float64() < resets, Rx: line[i],
			TxValid: r.Float64() < send, TxData: byte(r.Uint32()), RxReady: r.Float64() < take,
		}
	}
	in[cycles/2].Rst = true
	return in
}

// seen counts the events in a stimulus, and fails the test if one is missing.
func seen(t *testing.T, p uart.Params, in []uart.In) {
	t.Helper()
	m := uart.NewModel(p)
	count := map[string]int{}
	var last uart.Out
	for _, i := range in {
		out := m.Step(i)
		for what, is := range map[string]bool{
			"bytes received": out.RxValid && i.RxReady, "bytes sent": out.TxReady && i.TxValid, "framing errors": out.RxFraming,
			"breaks": out.RxBreak && !last.RxBreak, "overruns": out.RxOverrun, "full queue to send": !out.TxReady && i.TxValid,
			"resets": i.Rst,
		} {
			if is {
				count[what]++
			}
		}
		last = out
	}
	t.Log(count)
	for _, what := range []string{"bytes received", "bytes sent", "framing errors", "breaks", "overruns", "full queue to send", "resets"} {
		if count[what] == 0 {
			t.Errorf("%s: none in the stimulus", what)
		}
	}
}

// Every output is compared with the model in every cycle, for random traffic with all kinds of
// errors.
func TestTraffic(t *testing.T) {
	for i, p := range []uart.Params{
		{Divisor: 3, RxDepth: 2, TxDepth: 8, SyncStages: 4}, at(4), at(16), at(87), uart.Default,
	} {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			r := seeded(uint64(i))
			cycles := 40_000 + 3000*p.Divisor
			in := traffic(r, p, cycles, 0.001/float64(p.Divisor))
			seen(t, p, in)
			sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
				in := in
				if d.Simulator() == sim.Icarus {
					in = in[:min(len(in), 200_000)]
				}
				sim.Check(t, d, uart.NewModel(p), slices.Values(in))
			})
		})
	}
}

// at returns the UART with another divisor and short queues.
func at(divisor int) uart.Params {
	return uart.Params{Divisor: divisor, RxDepth: 4, TxDepth: 4, SyncStages: 2}
}

var small = at(16)

// idle returns so many cycles in which nothing happens.
func idle(cycles int) []uart.In {
	in := make([]uart.In, cycles)
	for i := range in {
		in[i] = uart.In{Rx: true, RxReady: true}
	}
	return in
}

// run resets the RTL and plays inputs to it.
func run(t *testing.T, d *dut, in []uart.In) []uart.Out {
	t.Helper()
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	out := make([]uart.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// receive plays some idle cycles and then a line to the RTL, and returns the bytes received.
func receive(t *testing.T, d *dut, w *wire) (data []byte, out []uart.Out) {
	t.Helper()
	const before, after = 40, 40
	in := idle(before + len(w.levels) + after)
	for i, level := range w.levels {
		in[before+i].Rx = level
	}
	out = run(t, d, in)
	for i := range out {
		if out[i].RxValid && in[i].RxReady {
			data = append(data, out[i].RxData)
		}
	}
	return data, out
}

// count returns in how many cycles a condition is true.
func count(out []uart.Out, is func(uart.Out) bool) (n int) {
	for _, o := range out {
		if is(o) {
			n++
		}
	}
	return n
}

// The published transmitter shifted 8 of its 10 bits. Here each byte has a start bit of 0, its
// eight bits with the least significant first, and a stop bit of 1. Each bit lasts for Divisor
// cycles, and the next byte follows at once.
func TestKnownFaultEightOfTenBitsAreSent(t *testing.T) {
	for _, p := range []uart.Params{at(4), small, uart.Default} {
		t.Run(fmt.Sprint("divisor ", p.Divisor), func(t *testing.T) {
			sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
				data := []byte{0x00, 0xff, 0x55, 0x81}
				in := idle(5 + 10*len(data)*p.Divisor + 20)
				for i, b := range data {
					in[1+i].TxValid, in[1+i].TxData = true, b
				}
				out := run(t, d, in)
				want := &wire{}
				want.hold(true, 3) // taken in cycle 1, on the line in cycle 3
				for _, b := range data {
					want.frame(b, float64(p.Divisor), true)
				}
				want.hold(true, 20)
				for i, level := range want.levels {
					if out[i].Tx != level {
						at := i - 3
						t.Fatalf("cycle %d: tx_o is %v in cycle %d of bit %d of byte %d (%#02x), want %v",
							i, out[i].Tx, at%p.Divisor, at/p.Divisor%10, at/p.Divisor/10, data[min(at/p.Divisor/10, len(data)-1)], level)
					}
				}
			})
		})
	}
}

// All bytes go both ways at the same time. They are driven and read by processes of package
// sim/uart.
func TestAllBytes(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		b := tb.New(d)
		line := serial.NewTransmitter(&b.In.Rx, small.Divisor)
		sent, received := score.NewInOrder[serial.Frame](b, "sent"), score.NewInOrder[byte](b, "received")
		b.Monitor("line", (&serial.Receiver{Line: &b.Out.Tx, Divisor: small.Divisor, Each: sent.Got}).Run)
		b.Monitor("bytes", func(p *tb.Process) {
			p.Until(math.MaxInt, func() bool { return b.In.Rst })
			for p.Next() {
				if b.Out.RxValid && b.In.RxReady {
					received.Got(p, b.Out.RxData)
				}
				if b.Out.RxFraming || b.Out.RxBreak || b.Out.RxOverrun {
					p.Failf("a healthy line, and %+v", b.Out)
				}
			}
		})
		b.Background("take", func(p *tb.Process) {
			for {
				b.In.RxReady = p.Rand().IntN(10) == 0
				p.Next()
			}
		})
		ready := make(chan struct{}, 1)
		start := func(p *tb.Process) {
			if len(ready) == 0 {
				ready <- struct{}{}
				(&tb.Reset{Bit: &b.In.Rst}).Hold(p)
			}
			p.Wait(8)
		}
		b.Go("send", func(p *tb.Process) {
			start(p)
			for i := range 256 {
				sent.Expect(p, serial.Frame{Data: byte(i)})
				b.In.TxValid, b.In.TxData = true, byte(i)
				p.Until(11*small.Divisor, func() bool { return b.Out.TxReady })
				b.In.TxValid = false
			}
			p.Until(100*small.Divisor, func() bool { return sent.Pending() == 0 })
		})
		b.Go("line", func(p *tb.Process) {
			start(p)
			for i := range 256 {
				received.Expect(p, byte(i))
				line.Send(p, byte(i))
			}
			p.Until(100*small.Divisor, func() bool { return received.Pending() == 0 })
		})
		b.Check(t, 300*10*small.Divisor)
	})
}

// The latencies are those in README.md.
func TestLatency(t *testing.T) {
	for _, p := range []uart.Params{small, uart.Default} {
		d := sim.OpenTest[uart.In, uart.Out](t, p.Design(), sim.Verilator)
		const begin = 50
		in := idle(begin + p.Latency() + 20)
		w := &wire{}
		w.frame(0xa5, float64(p.Divisor), true)
		for i, level := range w.levels[:min(len(w.levels), len(in)-begin)] {
			in[begin+i].Rx = level
		}
		out := run(t, d, in)
		at := slices.IndexFunc(out, func(o uart.Out) bool { return o.RxValid })
		if at != begin+p.Latency() {
			t.Errorf("divisor %d: a frame that begins in cycle %d is at the output in cycle %d, want %d", p.Divisor, begin, at, begin+p.Latency())
		}
	}
}

// tolerated has the limits in README.md: by how many percent the other side's bits may be longer or
// shorter.
var tolerated = []struct {
	divisor   int
	low, high float64
}{{4, -2, 2}, {8, -3, 3.5}, {16, -3.5, 4}, {87, -4, 5}, {868, -4, 5}}

// Bytes without a pause, from a clock that is off within the limits, all arrive, for every pattern
// and phase. The actual limits are measured and printed. They must not be far from those.
func TestTolerance(t *testing.T) {
	for _, limit := range tolerated {
		t.Run(fmt.Sprint("divisor ", limit.divisor), func(t *testing.T) {
			p := at(limit.divisor)
			if p.Divisor == uart.Default.Divisor {
				p = uart.Default
			}
			d := sim.OpenTest[uart.In, uart.Out](t, p.Design(), sim.Verilator)
			r := seeded(100)
			understood := func(percent float64) bool {
				w := &wire{}
				data := []byte{0x00, 0xff, 0x55, 0xaa, 0x80, 0x7f, 0x01, 0xfe}
				for range 8 + 4000/p.Divisor {
					data = append(data, byte(r.Uint32()))
				}
				w.hold(true, 10+r.Float64())
				for _, b := range data {
					w.frame(b, float64(p.Divisor)*(1+percent/100), true)
				}
				w.hold(true, float64(p.Divisor))
				got, _ := receive(t, d, w)
				return bytes.Equal(got, data)
			}
			for percent := limit.low; percent <= limit.high; percent += (limit.high - limit.low) / 12 {
				if !understood(percent) {
					t.Errorf("not understood at bits that are %+.2f %% longer", percent)
				}
			}
			// end returns the last deviation beyond a limit at which all bytes arrive.
			end := func(percent, step float64) float64 {
				for beyond := percent + step; understood(beyond); beyond += step {
					percent = beyond
				}
				return percent
			}
			low, high := end(limit.low, -0.25), end(limit.high, 0.25)
			t.Logf("understood from %+.2f %% to %+.2f %% of bit length", low, high)
			if low < limit.low-1 || high > limit.high+1 {
				t.Errorf("README.md promises %+.2f %% to %+.2f %%, which is too modest", limit.low, limit.high)
			}
		})
	}
}

// A disturbance of at most Spread cycles changes no byte, wherever it begins within the frame.
func TestDisturbance(t *testing.T) {
	p := at(87)
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		step := 1
		if d.Simulator() == sim.Icarus {
			step = 37
		}
		for _, b := range []byte{0x00, 0xff, 0x5a} {
			for at := 1; at < 10*p.Divisor-p.Spread(); at += step {
				w := &wire{}
				w.frame(b, float64(p.Divisor), true)
				// A disturbance at the end of the stop bit may look like a start bit.
				w.hold(true, 3*float64(p.Divisor))
				w.disturb(at, p.Spread())
				if got, out := receive(t, d, w); !bytes.Equal(got, []byte{b}) || count(out, func(o uart.Out) bool { return o.RxFraming || o.RxBreak }) > 0 {
					t.Fatalf("%#02x with a disturbance of %d cycles from cycle %d on: received %#02x", b, p.Spread(), at, got)
				}
			}
		}
		// The bound is exact: a disturbance one cycle longer changes two samples of a bit.
		w := &wire{}
		w.frame(0xff, float64(p.Divisor), true)
		w.disturb(4*p.Divisor+(p.Divisor-1)/2-p.Spread(), p.Spread()+1)
		if got, _ := receive(t, d, w); !bytes.Equal(got, []byte{0xff &^ 8}) {
			t.Errorf("a disturbance of %d cycles over two samples of bit 4: received %#02x", p.Spread()+1, got)
		}
	})
}

// A glitch shorter than half a bit is no start bit, and the byte after it arrives.
func TestGlitch(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		for cycles := 1; cycles <= (small.Divisor-1)/2; cycles++ {
			w := &wire{}
			w.hold(false, float64(cycles))
			w.hold(true, float64(small.Divisor))
			w.frame(0x3c, float64(small.Divisor), true)
			if got, _ := receive(t, d, w); !bytes.Equal(got, []byte{0x3c}) {
				t.Errorf("a glitch of %d cycles, then 0x3c: received %#02x", cycles, got)
			}
		}
	})
}

// A stop bit of 0 costs the byte and raises rx_framing_o for one cycle; the byte after it arrives.
func TestFramingError(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		w := &wire{}
		bit := float64(small.Divisor)
		w.frame(0x11, bit, true)
		w.frame(0x22, bit, false)
		w.hold(false, 7*bit) // no frame can begin before the line was 1
		w.hold(true, 2)
		w.frame(0x33, bit, true)
		got, out := receive(t, d, w)
		if !bytes.Equal(got, []byte{0x11, 0x33}) {
			t.Errorf("received %#02x", got)
		}
		if n := count(out, func(o uart.Out) bool { return o.RxFraming }); n != 1 {
			t.Errorf("rx_framing_o is 1 in %d cycles", n)
		}
		if n := count(out, func(o uart.Out) bool { return o.RxBreak }); n != 0 {
			t.Errorf("rx_break_o is 1 in %d cycles", n)
		}
	})
}

// During a break rx_break_o is 1 from the tenth bit to the end of the break, however long it lasts.
// No byte and no other error is reported.
func TestBreak(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		for _, bits := range []int{10, 11, 500} {
			w := &wire{}
			bit := float64(small.Divisor)
			w.hold(false, float64(bits)*bit)
			w.hold(true, 2)
			w.frame(0x44, bit, true)
			got, out := receive(t, d, w)
			if !bytes.Equal(got, []byte{0x44}) {
				t.Errorf("%d bits: received %#02x", bits, got)
			}
			if n := count(out, func(o uart.Out) bool { return o.RxFraming }); n != 0 {
				t.Errorf("%d bits: rx_framing_o is 1 in %d cycles", bits, n)
			}
			first := slices.IndexFunc(out, func(o uart.Out) bool { return o.RxBreak })
			cycles := count(out, func(o uart.Out) bool { return o.RxBreak })
			begin, end := 40+small.Latency()-1, 40+bits*small.Divisor+small.SyncStages+1
			if first != begin || cycles != end-begin {
				t.Errorf("%d bits: rx_break_o is 1 for %d cycles from cycle %d on, want from %d to %d", bits, cycles, first, begin, end)
			}
		}
	})
}

// A full queue keeps its bytes. Each further byte is lost and reported.
func TestOverrun(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		w := &wire{}
		w.hold(true, 20)
		for i := range small.RxDepth + 3 {
			w.frame(byte(i), float64(small.Divisor), true)
		}
		in := idle(len(w.levels) + 40)
		for i, level := range w.levels {
			in[i].Rx, in[i].RxReady = level, false
		}
		out := run(t, d, in)
		var got []byte
		for i := range out {
			if out[i].RxValid && in[i].RxReady {
				got = append(got, out[i].RxData)
			}
		}
		if !bytes.Equal(got, []byte{0, 1, 2, 3}) {
			t.Errorf("received %#02x", got)
		}
		if n := count(out, func(o uart.Out) bool { return o.RxOverrun }); n != 3 {
			t.Errorf("rx_overrun_o is 1 in %d cycles", n)
		}
	})
}

// A line that is 0 when the reset ends begins no frame.
func TestLineLowAfterReset(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		in := idle(60 * small.Divisor)
		for i := range 20 * small.Divisor {
			in[i].Rx = false
		}
		if n := count(run(t, d, in), func(o uart.Out) bool { return o.RxValid || o.RxFraming || o.RxBreak }); n != 0 {
			t.Errorf("something came in %d cycles", n)
		}
	})
}

// An invalid parameter ends the simulation, with its name.
func TestParameters(t *testing.T) {
	for name, p := range map[string]uart.Params{
		"Divisor": {Divisor: 2, RxDepth: 2, TxDepth: 2, SyncStages: 2}, "SyncStages": {Divisor: 8, RxDepth: 2, TxDepth: 2, SyncStages: 1},
		"depth": {Divisor: 8, RxDepth: 6, TxDepth: 2, SyncStages: 2}, "a FIFO's": {Divisor: 8, RxDepth: 2, TxDepth: 1, SyncStages: 2},
	} {
		d := sim.OpenTest[uart.In, uart.Out](t, p.Design(), sim.Icarus)
		if _, err := d.Step(uart.In{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func ExampleModel() {
	m := uart.NewModel(uart.Params{Divisor: 3, RxDepth: 2, TxDepth: 2, SyncStages: 2})
	m.Step(uart.In{Rx: true, TxValid: true, TxData: 'A'}) // 0100 0001
	for range 32 {
		if m.Step(uart.In{Rx: true}).Tx {
			fmt.Print("~")
		} else {
			fmt.Print("_")
		}
	}
	// Output:
	// ~___~~~_______________~~~___~~~~
}
