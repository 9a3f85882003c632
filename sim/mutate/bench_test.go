package mutate

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

// BenchmarkReplay measures mutants of the UART that a recorded test decides in lanes, a second of
// processor time, beside what runs of the plain RTL in Verilator, one for each mutant, would
// decide. Each of these ends with the cycle that finds the mutant. Compiling is not counted.
func BenchmarkReplay(b *testing.B) {
	p := uart.Params{Divisor: 4, RxDepth: 4, TxDepth: 4, SyncStages: 2}
	in := traffic(p, 100_000)
	dir := b.TempDir()
	d, err := sim.Open[uart.In, uart.Out](b.Context(), p.Design(), sim.Verilator, sim.WithTape(dir, "BenchmarkReplay"))
	if err == nil {
		err = sim.Compare(d, uart.NewModel(p), slices.Values(in))
	}
	if err != nil {
		b.Fatal(err)
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	rec, err := read([]Source{{Dir: dir}}, "")
	if err != nil {
		b.Fatal(err)
	}
	c := rec.configurations[0]
	all, err := List(b.Context(), c.design)
	if err != nil {
		b.Fatal(err)
	}
	if c.pins, err = pins(b.Context(), all); err != nil {
		b.Fatal(err)
	}
	plain, err := sim.Open[uart.In, uart.Out](b.Context(), p.Design(), sim.Verilator)
	if err != nil {
		b.Fatal(err)
	}
	defer plain.Close()
	out := make([]uart.Out, len(in))
	x := c.all[0]
	for b.Loop() {
		r := &runner{o: Options{Seed: 1}, report: &Report{}, results: make([]Result, len(all))}
		inLanes, cycles := 0.0, 0
		var perCycle []float64
		for _, span := range spans { // as in replay
			var left []int
			for i := range r.results {
				if r.results[i].Verdict == "" {
					left = append(left, i)
				}
			}
			for of := range slices.Chunk(left, chunk) {
				inLanes += playTime(b, r, c, span, all, of)
				perCycle = append(perCycle, processorTime(b, func() error { return plain.Run(in, out) })/float64(len(in)))
			}
			if span >= x.cycles {
				break
			}
		}
		found := 0
		for i := range r.results {
			if m := &r.results[i]; m.Verdict == Found {
				found++
				cycles += int(m.By.Cycle) + 1
			} else {
				cycles += x.cycles
			}
		}
		slices.Sort(perCycle)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(found)/float64(len(all)), "found")
		b.ReportMetric(float64(len(all))/inLanes, "mutants/s")
		b.ReportMetric(float64(cycles)*perCycle[len(perCycle)/2]/inLanes, "mutants/verilator")
	}
}

// playTime plays what was recorded to some mutants, and returns the processor time without that of
// making the model.
func playTime(b *testing.B, r *runner, c *configuration, span int, all []Mutant, of []int) float64 {
	b.Helper()
	var list []Mutant
	todo := map[int]int{}
	for lane, i := range of {
		list = append(list, all[i])
		todo[lane] = lane + 1
	}
	m, loops, err := c.pins.Model(b.Context(), faults(list), lanes.BuildOptions{Shape: c.all[0].shape})
	if err != nil || len(loops) > 0 {
		b.Fatal(err, loops)
	}
	return processorTime(b, func() error {
		return r.playOne(b.Context(), c, m, c.all[0], span, lanes.Options{Seed: r.o.Seed, Alike: true}, list, todo, of)
	})
}

// traffic is a UART whose line comes back, now and then disturbed, at a host that sends and takes
// bytes at random times.
func traffic(p uart.Params, cycles int) (in []uart.In) {
	r := rand.New(rand.NewPCG(1, 2))
	m := uart.NewModel(p)
	last := uart.Out{Tx: true}
	for i := range cycles {
		now := uart.In{
			Rst: r.IntN(2000) == 0, Rx: last.Tx != (r.IntN(60) == 0),
			TxValid: r.IntN(50) == 0, TxData: byte(r.Uint32()), RxReady: r.IntN(60) == 0,
		}
		if i/10_000%2 == 1 {
			now.TxValid, now.RxReady = r.IntN(3) == 0, r.IntN(2) == 0
		}
		last = m.Step(now)
		in = append(in, now)
	}
	return in
}

// processorTime returns the processor time of this process for what f does.
func processorTime(b *testing.B, f func() error) float64 {
	b.Helper()
	now := func() time.Duration {
		var t unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
			b.Fatal(err)
		}
		return time.Duration(t.Nano())
	}
	begin := now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return (now() - begin).Seconds()
}
