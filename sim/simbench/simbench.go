// Package simbench measures the cost of co-simulation. It plays the same recorded vectors through a
// design with package sim and with the bare simulators (package bridge/bare) in turn, and reports
// the ratios of their speeds.
//
//	func BenchmarkCounter(b *testing.B) {
//		simbench.Run[In, Out](b, counter, sim.Verilator, inputs)
//	}
//
// Compare ratios of one run. Absolute speeds depend on the machine and on what else it does.
package simbench

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"gonum.org/v1/gonum/stat"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/bare"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
	"github.com/cosimate/cosimate/sim"
)

// Warmup is the number of cycles at the start of the vectors that are played but not compared. In
// them the design is reset, and every output gets its first value.
const Warmup = 128

const rounds = 15

// Run benchmarks a design with the given inputs. The first [Warmup] of them must bring all outputs
// to known values.
//
// Run reports the speeds of tapes and of single steps, relative to the bare simulator's own loop.
// All inputs are driven and all outputs compared in every cycle. It also reports the speed of
// package sim relative to that of package bridge, which plays rows without comparing.
func Run[I any, O comparable](b *testing.B, d sim.Design, s sim.Simulator, in []I) {
	if len(in) <= Warmup {
		b.Fatalf("%d inputs: a benchmark needs more than the first %d, which are not compared", len(in), Warmup)
	}
	open := func() *sim.DUT[I, O] {
		dut, err := sim.Open[I, O](b.Context(), d, s)
		if err != nil {
			b.Fatal(err)
		}
		return dut
	}
	dut := open()
	out := make([]O, len(in))
	err := dut.Run(in, out)
	if err != nil {
		b.Fatal(err)
	}
	v := &bare.Vectors{Skip: Warmup}
	v.Layout, v.In, v.Out, err = dut.Rows(in, out)
	dut.Close()
	if err != nil {
		b.Fatal(err)
	}
	var baseline bare.Runner
	what := "C++ testbench"
	if s == sim.Icarus {
		what = "Verilog testbench"
		baseline, err = bare.Icarus(b.Context(), b.TempDir(), d, v)
	} else {
		baseline, err = bare.Verilator(b.Context(), b.TempDir(), d, verilator.Flags, v)
	}
	if err != nil {
		b.Fatal(err)
	}

	cycles := float64(len(in) - Warmup)
	clock := now
	if s == sim.Verilator {
		clock = cpuTime
	}
	tape := func() float64 {
		dut := open()
		defer dut.Close()
		if err := dut.Run(in[:Warmup], out[:Warmup]); err != nil {
			b.Fatal(err)
		}
		start := clock()
		if err := dut.Expect(in[Warmup:], out[Warmup:], nil); err != nil {
			b.Fatal(err)
		}
		return cycles / (clock() - start).Seconds()
	}
	step := func() float64 {
		dut := open()
		defer dut.Close()
		if err := dut.Run(in[:Warmup], out[:Warmup]); err != nil {
			b.Fatal(err)
		}
		start := clock()
		for i := Warmup; i < len(in); i++ {
			got, err := dut.Step(in[i])
			if err != nil {
				b.Fatal(err)
			}
			if got != out[i] {
				b.Fatalf("cycle %d: %+v, not %+v", i, got, out[i])
			}
		}
		return cycles / (clock() - start).Seconds()
	}
	raw := func() float64 {
		m, err := build(b, d, s, v.Layout)
		if err != nil {
			b.Fatal(err)
		}
		instance, err := m.Start(bridge.Options{Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		defer instance.Close()
		n := bridge.MaxRows(v.Layout)
		got, unknown := make([]byte, n*v.Layout.OutSize), make([]byte, n*v.Layout.OutSize)
		start := clock()
		for rest := v.In; len(rest) > 0; {
			n := min(n, len(rest)/v.Layout.InSize)
			if _, err := instance.Run(b.Context(), &bridge.Rows{In: rest, Out: got, Unknown: unknown}, n); err != nil {
				b.Fatal(err)
			}
			rest = rest[n*v.Layout.InSize:]
		}
		return float64(len(in)) / (clock() - start).Seconds()
	}
	yardstick := func() float64 {
		t, err := baseline(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		return float64(len(in)) / t.Seconds()
	}
	for b.Loop() {
		var bares, tapes, steps, tapeRatios, stepRatios, bindRatios []float64
		for range rounds {
			y, t, s, r := yardstick(), tape(), step(), raw()
			bares, tapes, steps = append(bares, y), append(tapes, t), append(steps, s)
			tapeRatios, stepRatios, bindRatios = append(tapeRatios, t/y), append(stepRatios, s/y), append(bindRatios, t/r)
		}
		b.ReportMetric(median(bindRatios), "tape/bridge")
		b.ReportMetric(median(tapeRatios), "tape/bare")
		b.ReportMetric(median(stepRatios), "step/bare")
		b.ReportMetric(0, "ns/op")
		fmt.Printf("%s on %s, cycles/s: %s %.4g, tape %.4g (ratio %.2f, %.2f to %.2f; %.2f of the bridge's), single step %.4g (ratio %.2f, %.2f to %.2f)\n",
			d.Top, s, what, median(bares), median(tapes), median(tapeRatios), slices.Min(tapeRatios), slices.Max(tapeRatios), median(bindRatios),
			median(steps), median(stepRatios), slices.Min(stepRatios), slices.Max(stepRatios))
	}
}

// build compiles a design for rows of the given layout.
func build(b *testing.B, d sim.Design, s sim.Simulator, l *bridge.Layout) (bridge.Model, error) {
	o := bridge.BuildOptions{Shape: func([]bridge.Port) (*bridge.Layout, error) { return l, nil }}
	if s == sim.Icarus {
		return icarus.Build(b.Context(), d, o)
	}
	return verilator.Build(b.Context(), d, o)
}

var began = time.Now()

func now() time.Duration { return time.Since(began) }

// cpuTime returns the CPU time of this process, in which Verilator runs. Other programs on the
// machine disturb it less than the wall clock. Icarus runs in a process of its own, so that this
// time would not be its own.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return stat.Quantile(0.5, stat.Empirical, v, nil)
}
