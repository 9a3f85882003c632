package bridge_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
)

// Each option with which a design is built gives a model of its own: a model in the cache that was
// built with other options is not used.
func TestEveryOptionIsBuilt(t *testing.T) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			d := design("lane", strings.Split(inner, "module inner")[0])
			built := func(d bridge.Design, o bridge.BuildOptions) *model {
				t.Helper()
				b, err := s.build(t.Context(), d, o)
				if err != nil {
					t.Fatal(err)
				}
				return &model{t, s.name, b}
			}
			reversed := func(ports []bridge.Port) (*bridge.Layout, error) {
				l := bridge.NewLayout(ports)
				at := 0
				for i := len(l.Outputs) - 1; i >= 0; i-- {
					at += 8
					l.Outputs[i].Offset, l.OutSize = at, at+8
				}
				return l, nil
			}
			for _, o := range []bridge.BuildOptions{{}, {Shape: reversed}, {}} {
				i := built(d, o).start(bridge.Options{})
				i.set(0, "a_i", 200)
				i.run(1)
				if got := i.get(0, "q_o"); got != 200 {
					t.Errorf("in a row of another shape q_o is %d, not 200", got)
				}
			}
			for _, name := range []string{"count_q", "sum"} {
				d := d
				d.Internals = []string{name}
				i := built(d, bridge.BuildOptions{}).start(bridge.Options{})
				i.set(2, "a_i", 100)
				i.run(3)
				if got, want := i.peek(name).Uint64(), map[string]uint64{"count_q": 3, "sum": 103}[name]; got != want {
					t.Errorf("%s is peeked as %d, not %d", name, got, want)
				}
			}
			path := filepath.Join(t.TempDir(), "wave.fst")
			i := built(d, bridge.BuildOptions{Wave: true}).start(bridge.Options{Wave: bridge.Wave{Path: path, To: 5}})
			i.run(3)
			i.Close()
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("there is no waveform: %v", err)
			}
		})
	}
}

// A run may have more rows than the bridge hands over at once. This is so in the first run, and in
// later ones, when it is known how long a row takes.
func TestLongTape(t *testing.T) {
	forEach(t, design("timing", timing), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		l := d.Layout()
		n := 2*bridge.MaxRows(l) + 77
		d.long(n)
		value := func(row int) uint64 { return uint64(row*7+row/255) & 0xff }
		for row := range n {
			d.set(row, "a_i", value(row))
		}
		for round := range 3 {
			d.run(n)
			for row := 1; row < n; row++ {
				if got := d.get(row, "reg_o"); got != value(row-1) {
					t.Fatalf("run %d, row %d of %d: reg_o = %#x, not %#x", round, row, n, got, value(row-1))
				}
				if got := d.get(row, "edge_o"); got != uint64(round*n+row)*10+5 {
					t.Fatalf("run %d, row %d of %d: the last rising edge was at %d ns", round, row, n, got)
				}
			}
		}
	})
}

// A long run that ends early reports how many rows were sampled.
func TestLongTapeEnds(t *testing.T) {
	const source = `
module ends(input wire clk_i, input wire [4:0] in_i, output logic [31:0] count_o);
  initial count_o = 0;
  always @(posedge clk_i) begin
    count_o <= count_o + 1;
    if (in_i == 9) $finish;
  end
endmodule
`
	forEach(t, design("ends", source), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		n := 2*bridge.MaxRows(d.Layout()) + 77
		d.long(n)
		d.run(n)
		last := n - 5
		d.in(last, "in_i")[0] = 0x20
		done, err := d.Run(t.Context(), &d.rows, n)
		if misfit, ok := errors.AsType[*bridge.InputError](err); !ok || misfit.Row != last || done != last {
			t.Fatalf("of %d rows, the %dth of which does not fit, %d are played, with %v", n, last, done, err)
		}
		d.in(last, "in_i")[0] = 9
		done, err = d.Run(t.Context(), &d.rows, n)
		if stop, ok := errors.AsType[*bridge.StopError](err); !ok || stop.Cycle != uint64(n+2*last) || done != last+1 {
			t.Fatalf("of %d rows, in the %dth of which the model finishes (cycle %d), %d are played, with %v", n, last, n+2*last, done, err)
		}
		if got := d.get(last, "count_o"); got != uint64(n+2*last) {
			t.Errorf("the last row's count is %d, not %d", got, n+2*last)
		}
	})
}

// long makes room for n rows.
func (d *dut) long(n int) {
	l := d.Layout()
	d.rows = bridge.Rows{In: make([]byte, n*l.InSize), Out: make([]byte, n*l.OutSize), Unknown: make([]byte, n*l.OutSize)}
}

// Values arrive complete whatever their bytes are: even if some are 0, and if there are more bits
// than a floating-point number can hold.
func TestBytesOfValues(t *testing.T) {
	all := []int{24, 40, 53, 54, 56, 63, 64}
	forEach(t, design("widths", widths(all)), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		r := rand.New(rand.NewPCG(8, 9))
		value := func(row, w int) uint64 {
			r := rand.New(rand.NewPCG(uint64(row), uint64(w)))
			v := uint64(1)<<(w-1) | 1 // the highest bit and the lowest
			for i := range 8 {
				if r.IntN(2) == 0 {
					v |= uint64(r.IntN(256)) << (8 * i)
				}
			}
			return v & (^uint64(0) >> (64 - w))
		}
		const rows = 200
		for row := range rows {
			for _, w := range all {
				d.set(row, fmt.Sprintf("in_%d_i", w), value(row, w))
			}
		}
		for row := 0; row < rows; {
			n := min(1+r.IntN(50), rows-row)
			part := *d
			l := d.Layout()
			part.rows = bridge.Rows{In: d.rows.In[row*l.InSize:], Out: d.rows.Out[row*l.OutSize:], Unknown: d.rows.Unknown[row*l.OutSize:]}
			part.run(n)
			row += n
		}
		for row := 1; row < rows; row++ {
			for _, w := range all {
				want := ^value(row-1, w) & (^uint64(0) >> (64 - w))
				if got := d.get(row, fmt.Sprintf("out__%d_o", w)); got != want {
					t.Errorf("row %d, %d bits: %#x, not %#x", row, w, got, want)
				}
			}
		}
	})
}

// A value is known if no bit is X or Z, in any word.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		unknown []uint64
		known   bool
	}{{nil, true}, {[]uint64{0, 0}, true}, {[]uint64{1, 0}, false}, {[]uint64{0, 1 << 63}, false}} {
		if got := (bridge.Value{Width: 128, Bits: []uint64{0, 0}, Unknown: c.unknown}).Known(); got != c.known {
			t.Errorf("with the unknown bits %x it is known: %v", c.unknown, got)
		}
	}
}

// A design may differ from one that was built before only in a source, an included file, a
// parameter, a define or its top module. It is not given the other's model.
func TestEveryVariantIsBuilt(t *testing.T) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			for _, v := range []struct{ source, include, parameter, define uint64 }{{}, {source: 1}, {include: 1}, {parameter: 1}, {define: 1}, {}} {
				d := bridge.Design{
					Top: "variant", Files: []string{"variant.sv"}, Include: []string{"inc"}, Clock: "clk_i",
					Params: map[string]string{"P": fmt.Sprint(v.parameter)}, Defines: map[string]string{"DEFINED": fmt.Sprint(v.define)},
					FS: fstest.MapFS{
						"variant.sv": {Data: fmt.Appendf(nil, "`include \"value.svh\"\nmodule variant #(parameter int P = 9) (input wire clk_i, output wire [31:0] q_o);\n"+
							"  assign q_o = %d + 10 * `INCLUDED + 100 * P + 1000 * `DEFINED;\nendmodule\n", v.source)},
						"inc/value.svh": {Data: fmt.Appendf(nil, "`define INCLUDED %d\n", v.include)},
					},
				}
				built, err := s.build(t.Context(), d, bridge.BuildOptions{})
				if err != nil {
					t.Fatal(err)
				}
				i := (&model{t, s.name, built}).start(bridge.Options{})
				i.run(1)
				if got, want := i.get(0, "q_o"), v.source+10*v.include+100*v.parameter+1000*v.define; got != want {
					t.Errorf("%+v: q_o is %d, not %d: this is another's model", v, got, want)
				}
			}
		})
	}
}

// What a list within a list defines is also defined after it. Of two definitions the later holds.
func TestFileListWithinDefines(t *testing.T) {
	d := bridge.Design{FS: fstest.MapFS{
		"all.f":   {Data: []byte("-D A=1 -D B=1\n-f inner.f\n-D C=3\n")},
		"inner.f": {Data: []byte("+define+B=2\n+define+D=4 x.sv\n")},
	}}
	if err := d.AddFileList("all.f"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"A": "1", "B": "2", "C": "3", "D": "4"}, d.Defines); diff != "" {
		t.Errorf("the defines are others:\n%s", diff)
	}
}
