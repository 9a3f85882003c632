package bridge_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/bridge"
)

// A value that its port cannot hold ends a run before its row, with an error that names it. The
// instance goes on.
func TestInputsThatDoNotFit(t *testing.T) {
	forEachWith(t, design("widths", widths(shapeWidths)), bridge.BuildOptions{Shape: oddShape}, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		const rows, at = 10, 7
		for _, w := range shapeWidths {
			port := d.port(fmt.Sprintf("in_%d_i", w))
			value := d.in(at, port.Name)
			refused := func(err error, row int) {
				t.Helper()
				misfit, ok := errors.AsType[*bridge.InputError](err)
				if !ok || misfit.Row != row || misfit.Port != port || misfit.Top != "widths" || misfit.Fault == "" {
					t.Fatalf("%v = %x gives %v", port, value, err)
				}
			}
			first := w
			if port.Signed && w < 8*port.Size {
				first = w - 1 // a sign without its copies
			}
			for bit := first; bit < 8*port.Size; bit++ {
				value[bit/8] ^= 1 << (bit % 8)
				n, err := d.Run(t.Context(), &d.rows, rows)
				if n != at {
					t.Errorf("%d rows are played", n)
				}
				refused(err, at)
				one := bridge.Rows{In: d.rows.In[at*d.Layout().InSize:], Out: d.rows.Out, Unknown: d.rows.Unknown}
				refused(d.Settle(t.Context(), &one), 0)
				n, err = d.Run(t.Context(), &one, 1)
				if n != 0 {
					t.Errorf("%d rows are played", n)
				}
				refused(err, 0)
				value[bit/8] ^= 1 << (bit % 8)
			}
			for i := range d.rows.Out {
				d.rows.Out[i] = 0xa5
			}
			d.run(rows)
			for row := range rows {
				if got := d.out(row, fmt.Sprintf("out__%d_o", w))[0]; got&1 != 1 {
					t.Fatalf("row %d after runs that were refused: of a zero, the output is %#x", row, got)
				}
			}
		}
	})
}

// Above its width a negative input has copies of its sign. These do not reach the logic, where they
// would make comparisons and sums wrong.
func TestSignsAreCut(t *testing.T) {
	all := []int{1, 5, 13, 27, 31, 40, 63}
	source := "module cut(input wire clk_i"
	for _, w := range all {
		source += fmt.Sprintf(", input wire [%d:0] in_%d_i, output wire all_%d_o, output wire [%d:0] sum_%d_o", w-1, w, w, w, w)
	}
	source += ");\n"
	for _, w := range all {
		source += fmt.Sprintf("  assign all_%d_o = in_%d_i == {%d{1'b1}}; assign sum_%d_o = {1'b0, in_%d_i} + 1;\n", w, w, w, w, w)
	}
	signed := func(ports []bridge.Port) (*bridge.Layout, error) {
		l := bridge.NewLayout(slices.Clone(ports))
		for i := range l.Inputs {
			l.Inputs[i].Signed = true
		}
		return l, nil
	}
	forEachWith(t, design("cut", source+"endmodule\n"), bridge.BuildOptions{Shape: signed}, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for _, w := range all {
			in := d.in(0, fmt.Sprintf("in_%d_i", w))
			for i := range in {
				in[i] = 0xff // -1
			}
		}
		d.run(1)
		for _, w := range all {
			ones, sum := d.get(0, fmt.Sprintf("all_%d_o", w)), d.get(0, fmt.Sprintf("sum_%d_o", w))
			if ones != 1 || sum != 1<<w {
				t.Errorf("-1 on an input of %d bits: all of them are set: %d, with 1 added it is %#x", w, ones, sum)
			}
		}
	})
}
