package icarus_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/bare"
	"github.com/cosimate/cosimate/bridge/icarus"
)

// BenchmarkPipe measures the cost of the bridge in the worst case: a block of 12 ports that takes
// hardly any time to simulate, with every output read in every cycle. It plays runs of many rows
// (tape) and of one row (step), and the bare Verilog testbench, in turn. It reports the ratios of
// their speeds, each the median of the rounds.
func BenchmarkPipe(b *testing.B) {
	const warmup, cycles = 128, 50_000
	d := bridge.Design{Top: "pipe", FS: os.DirFS("../../sim/testdata"), Files: []string{"pipe.sv"}, Clock: "clk_i"}
	m, err := icarus.Build(b.Context(), d, bridge.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	l := m.Layout()
	rows := bridge.Rows{In: make([]byte, cycles*l.InSize), Out: make([]byte, cycles*l.OutSize), Unknown: make([]byte, cycles*l.OutSize)}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range rows.In {
		rows.In[i] = byte(r.Uint32())
	}
	for _, p := range l.Inputs {
		for i := range cycles {
			value := &rows.In[i*l.InSize+p.Offset]
			switch {
			case p.Name == "rst_i" && i < 4:
				*value = 1
			case p.Name == "rst_i":
				*value = 0
			case p.Width < 8:
				*value &= 1<<p.Width - 1
			}
		}
	}
	play := func(step int) time.Duration {
		i, err := m.Start(bridge.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer i.Close()
		run := func(from, n int) {
			part := bridge.Rows{In: rows.In[from*l.InSize:], Out: rows.Out[from*l.OutSize:], Unknown: rows.Unknown[from*l.OutSize:]}
			if _, err := i.Run(context.Background(), &part, n); err != nil {
				b.Fatal(err)
			}
		}
		run(0, warmup)
		start := time.Now()
		for c := warmup; c < cycles; c += step {
			run(c, min(step, cycles-c))
		}
		return time.Since(start)
	}
	play(1000)
	if slices.Max(rows.Unknown[warmup*l.OutSize:]) != 0 {
		b.Fatal("outputs are unknown after the warm-up")
	}
	testbench, err := bare.Icarus(b.Context(), b.TempDir(), d, &bare.Vectors{Layout: l, In: rows.In, Out: slices.Clone(rows.Out), Skip: warmup})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var tape, step, yardstick []float64
		for range 7 {
			t, err := testbench(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			per := t.Seconds() / cycles
			yardstick = append(yardstick, per*1e9)
			tape = append(tape, per/(play(bridge.MaxRows(l)).Seconds()/(cycles-warmup)))
			step = append(step, per/(play(1).Seconds()/(cycles-warmup)))
		}
		for unit, v := range map[string][]float64{"bare-ns/cycle": yardstick, "tape/bare": tape, "step/bare": step} {
			slices.Sort(v)
			b.ReportMetric(v[len(v)/2], unit)
		}
		b.ReportMetric(0, "ns/op")
	}
}
