package lockstep_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/lockstep"
)

const source = `module t (input clk, input rst, input [1:0] a, output reg [7:0] q);
  reg never;
  always @(posedge clk)
    if (rst) q <= 0;
    else if (a == 1) begin if (never) q <= 8'h55; else q <= 8'haa; end // X is an else
    else begin q <= q + 1; if (a == 2 && q == 9) $error("nine"); end
endmodule
`

func open(t *testing.T, seed uint64, sims ...sim.Simulator) *lockstep.Bench {
	t.Helper()
	d := sim.Design{Top: "t", FS: fstest.MapFS{"t.v": {Data: []byte(source)}}, Files: []string{"t.v"}, Clock: "clk", Reset: "rst"}
	b, err := lockstep.Open(t.Context(), d, sims, lockstep.Options{Seed: seed, Logger: hclog.NewNullLogger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// rows returns rows with these values of a and, in the first two, a reset.
func rows(b *lockstep.Bench, a ...byte) []byte {
	l := b.Layout()
	all := make([]byte, (2+len(a))*l.InSize)
	for i := range 2 + len(a) {
		for _, p := range l.Inputs {
			switch {
			case p.Name == "rst" && i < 2:
				all[i*l.InSize+p.Offset] = 1
			case p.Name == "a" && i >= 2:
				all[i*l.InSize+p.Offset] = a[i-2]
			}
		}
	}
	return all
}

// The first row in which the simulators differ is found, whether rows are played one by one or
// together, and rows before it are good.
func TestDifference(t *testing.T) {
	differ := false
	for seed := range uint64(8) { // at power-up, never is 1 for some of them
		var cycles []uint64
		for _, most := range []int{1, 100} {
			b := open(t, seed+1, sim.Simulators...)
			in := rows(b, 0, 0, 0, 1, 0, 0)
			size := b.Layout().InSize
			var err error
			for at := 0; at < len(in) && err == nil; {
				n := min(most, (len(in)-at)/size)
				var done int
				done, err = b.Play(in[at:], n)
				at += done * size
			}
			d, ok := errors.AsType[*lockstep.Difference](err)
			if err != nil && !ok {
				t.Fatal(err)
			}
			if ok {
				differ = true
				if !slices.Equal(d.Names, []string{"q"}) || d.Cycle != b.Cycle() || !strings.Contains(d.Error(), "aa         55") || d.Wave.Cycles[len(d.Wave.Cycles)-1] != d.Cycle {
					t.Errorf("%v in cycle %d:\n%v", d.Names, b.Cycle(), d)
				}
			}
			cycles = append(cycles, b.Cycle())
		}
		if cycles[0] != cycles[1] || cycles[0] != 6 && cycles[0] != 8 {
			t.Errorf("seed %d: %v", seed+1, cycles)
		}
	}
	if !differ {
		t.Error("no difference is found")
	}
}

// What the RTL reports ends a run in its cycle.
func TestMessage(t *testing.T) {
	for _, sims := range [][]sim.Simulator{sim.Simulators, {sim.Icarus}, {sim.Verilator}} {
		b := open(t, 1, sims...)
		in := rows(b, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
		done, err := b.Play(in, len(in)/b.Layout().InSize)
		m, ok := errors.AsType[*sim.MessageError](err)
		if !ok || m.Message.Text != "nine" || done != 11 || b.Cycle() != 11 {
			t.Errorf("%v: %d rows, %v", sims, done, err)
		}
	}
}
