package bridge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cosimate/cosimate/bridge"
)

const talker = `
module sub(input wire clk_i, input wire [7:0] n_i);
  always @(posedge clk_i) begin
    if (n_i[0]) $display("plain %0d", n_i);
    if (n_i[1]) begin $write("two "); $write("parts\n"); end
    if (n_i[2]) $info("info %0d", n_i);
    if (n_i[3]) $warning("warning %0d", n_i);
    if (n_i[4]) $error("error %0d", n_i);
    if (n_i[5]) $display("first\nsecond");
    if (n_i[6]) $fatal(1, "fatal %0d", n_i);
  end
endmodule
module talker(input wire clk_i, input wire [7:0] n_i, output logic [7:0] q_o);
  sub u_sub(.clk_i, .n_i);
  initial $display("power-up");
  always_comb begin
    q_o = n_i;
    if (n_i[7]) $display("settling %0d", n_i);
  end
endmodule`

// Each message has its cycle, however the run is cut, its severity, its place and its scope.
func TestMessageFields(t *testing.T) {
	rows := []uint64{0, 1, 2, 4, 8, 0, 0x10, 0x20, 0, 0x1f, 0, 0, 1}
	forEach(t, design("talker", talker), func(t *testing.T, m *model) {
		for _, cut := range []int{1, 5, len(rows)} {
			d := m.start(bridge.Options{})
			var got []bridge.Message
			for from := 0; from < len(rows); from += cut {
				n := min(cut, len(rows)-from)
				for i := range n {
					d.set(i, "n_i", rows[from+i])
				}
				d.run(n)
				got = append(got, d.Messages()...)
			}
			at := func(line int) string { return fmt.Sprintf("hw/talker.sv:%d", line) }
			want := []bridge.Message{
				{Text: "power-up"},
				{Cycle: 1, Text: "plain 1"},
				{Cycle: 2, Text: "two parts"},
				{Severity: bridge.Info, Cycle: 3, Where: at(6), Text: "info 4"},
				{Severity: bridge.Warning, Cycle: 4, Where: at(7), Text: "warning 8"},
				{Severity: bridge.Error, Cycle: 6, Where: at(8), Text: "error 16"},
				{Cycle: 7, Text: "first"},
				{Cycle: 7, Text: "second"},
				{Cycle: 9, Text: "plain 31"},
				{Cycle: 9, Text: "two parts"},
				{Severity: bridge.Info, Cycle: 9, Where: at(6), Text: "info 31"},
				{Severity: bridge.Warning, Cycle: 9, Where: at(7), Text: "warning 31"},
				{Severity: bridge.Error, Cycle: 9, Where: at(8), Text: "error 31"},
				{Cycle: 12, Text: "plain 1"},
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(bridge.Message{}, "Scope")); diff != "" {
				t.Errorf("runs of %d:\n%s", cut, diff)
			}
			for _, msg := range got {
				if msg.Severity >= bridge.Info && msg.Scope != "talker.u_sub" {
					t.Errorf("the scope of %v is %q", msg, msg.Scope)
				}
			}
		}
	})
}

// What is printed while a row settles belongs to that row, and so does a $fatal, which ends the run and
// is a message too.
func TestMessagesOfSettling(t *testing.T) {
	forEach(t, design("talker", talker), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.set(3, "n_i", 0x80)
		d.set(5, "n_i", 0x40)
		n, err := d.Run(t.Context(), &d.rows, 8)
		stop, ok := err.(*bridge.StopError)
		if !ok || n != 6 || stop.Cycle != 5 || stop.Where != "hw/talker.sv:10" || stop.Message != "fatal 64" || !strings.HasPrefix(stop.Task, "$fatal") {
			t.Errorf("Run gives %d, %+v", n, err)
		}
		var text []string
		for _, msg := range d.Messages() {
			text = append(text, fmt.Sprintf("%v %d %s", msg.Severity, msg.Cycle, msg.Text))
		}
		text = slices.Compact(text) // how often combinational logic is evaluated is the simulator's business
		if diff := cmp.Diff([]string{"display 0 power-up", "display 3 settling 128", "fatal 5 fatal 64"}, text); diff != "" {
			t.Error(diff)
		}
	})
}

// A $finish while a row settles: the row's outputs are sampled, and the cycle is that row's.
func TestFinishWhileSettling(t *testing.T) {
	d := design("quitter", "module quitter(input wire clk_i, input wire [7:0] n_i, output logic [7:0] q_o);\n  always_comb begin\n    q_o = n_i + 1;\n    if (n_i == 5) $finish;\n  end\nendmodule")
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for row := range 8 {
			d.set(row, "n_i", uint64(row))
		}
		n, err := d.Run(t.Context(), &d.rows, 8)
		if stop, ok := err.(*bridge.StopError); !ok || n != 6 || stop.Cycle != 5 || d.get(5, "q_o") != 6 {
			t.Errorf("Run gives %d, %v, and q_o %d in the last row", n, err, d.get(5, "q_o"))
		}
	})
}
