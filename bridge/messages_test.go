package bridge_test

import (
	"errors"
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

// Each message has its cycle, severity, place and scope, into whatever runs the cycles are divided.
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

// What is printed while a row settles belongs to that row, and so does a $fatal, which ends the run
// and is a message too.
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
		// How often combinational logic is evaluated depends on the simulator.
		text = slices.Compact(text)
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

const neighbours = `
module neighbours(input wire clk_i, input wire [3:0] n_i, output logic [7:0] q_o);
  initial q_o = 0;
  always @(posedge clk_i) begin
    q_o <= q_o + 1;
    if (n_i[0]) begin $display("one"); $error("two"); $display("three"); end
    if (n_i[1]) begin $write("four "); $warning("five"); $display("six\nseven"); end
    if (n_i[2]) begin $display("nine"); $info("ten"); $info("eleven"); $display("twelve"); end
    if (n_i[3]) begin $display("thirteen"); $fatal(1, "fourteen"); end
  end
endmodule`

// Messages of tasks that follow each other directly are kept apart, and each has its own severity.
func TestNeighbouringMessages(t *testing.T) {
	forEach(t, design("neighbours", neighbours), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for row := range 4 {
			d.set(row, "n_i", 1<<row)
		}
		n, err := d.Run(t.Context(), &d.rows, 4)
		stop, ok := err.(*bridge.StopError)
		if !ok || n != 4 || stop.Cycle != 3 || stop.Where != "hw/neighbours.sv:9" || stop.Message != "fourteen" {
			t.Errorf("Run gives %d, %+v", n, err)
		}
		var got []string
		for _, msg := range d.Messages() {
			got = append(got, fmt.Sprintf("%v %d %s %s", msg.Severity, msg.Cycle, msg.Where, msg.Text))
		}
		at := func(line int) string { return fmt.Sprintf("hw/neighbours.sv:%d", line) }
		want := []string{
			"display 0  one", "error 0 " + at(6) + " two", "display 0  three",
			"display 1  four ", "warning 1 " + at(7) + " five", "display 1  six", "display 1  seven",
			"display 2  nine", "info 2 " + at(8) + " ten", "info 2 " + at(8) + " eleven", "display 2  twelve",
			"display 3  thirteen", "fatal 3 " + at(9) + " fourteen",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

const spammer = `
module spammer(input wire clk_i, input wire [1:0] n_i, output logic [7:0] q_o);
  logic [16383:0] wide;
  initial wide = 1;
  assign q_o = n_i;
  always @(posedge clk_i) begin
    $display("%h", wide);
    if (n_i == 1) $error("lost?");
    if (n_i == 2) $fatal(1, "lost, too?");
  end
endmodule`

// If too much is printed, text is dropped, and a warning says so. No error or its place is lost.
func TestErrorsAmongMuchText(t *testing.T) {
	forEach(t, design("spammer", spammer), func(t *testing.T, m *model) {
		for how := range uint64(3) {
			d := m.start(bridge.Options{})
			d.set(400, "n_i", how)
			n, err := d.Run(t.Context(), &d.rows, 450) // some 2 MB
			var loud []bridge.Message
			dropped := false
			for _, msg := range d.Messages() {
				dropped = dropped || msg.Severity == bridge.Warning && strings.Contains(msg.Text, "dropped")
				if msg.Severity > bridge.Warning {
					loud = append(loud, msg)
				}
			}
			if dropped != (m.name == "verilator") {
				t.Errorf("there is a warning that text was dropped: %v", dropped)
			}
			switch stop, ok := errors.AsType[*bridge.StopError](err); how {
			case 0:
				if n != 450 || err != nil || len(loud) > 0 {
					t.Errorf("Run gives %d, %v, and the messages are %v", n, err, loud)
				}
			case 1:
				if n != 450 || err != nil || len(loud) != 1 || loud[0].Cycle != 400 || loud[0].Where != "hw/spammer.sv:8" || loud[0].Text != "lost?" {
					t.Errorf("Run gives %d, %v, and the messages are %v", n, err, loud)
				}
			case 2:
				if !ok || n != 401 || stop.Cycle != 400 || stop.Where != "hw/spammer.sv:9" || stop.Message != "lost, too?" || len(loud) != 1 {
					t.Errorf("Run gives %d, %v, and the messages are %v", n, err, loud)
				}
			}
		}
	})
}

// An assert that has no else is an error with a text and a place too.
func TestPlainAssert(t *testing.T) {
	d := design("asserts", `
module asserts(input wire clk_i, input wire ok_i);
  always @(posedge clk_i)
    assert (ok_i);
endmodule`)
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.set(0, "ok_i", 1)
		d.set(1, "ok_i", 0)
		d.run(2)
		all := d.Messages()
		if len(all) != 1 || all[0].Severity != bridge.Error || all[0].Cycle != 1 || all[0].Where != "hw/asserts.sv:4" || !strings.Contains(all[0].Text, "assert") {
			t.Errorf("an assert that fails in cycle 1 gives %v", all)
		}
	})
}

const last = `
module last(input wire clk_i, input wire finish_i, output logic [7:0] n_o);
  parameter FATAL = 0;
  initial n_o = 0;
  always @(posedge clk_i) begin
    n_o <= n_o + 1;
    if (finish_i) $finish;
  end
  final begin
    $display("last %0d", n_o);
    $error("left over");
    if (FATAL) $fatal(1, "too late");
  end
endmodule`

// After Close there is what final blocks have printed, and their errors. Close returns how they
// ended.
func TestFinalBlocks(t *testing.T) {
	texts := func(d *dut) (all []string) {
		for _, msg := range d.Messages() {
			all = append(all, fmt.Sprintf("%v %d %s %s", msg.Severity, msg.Cycle, msg.Where, msg.Text))
		}
		return all
	}
	forEach(t, design("last", last), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.run(5)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"display 5  last 5", "error 5 hw/last.sv:11 left over"}, texts(d)); diff != "" {
			t.Error(diff)
		}
		d = m.start(bridge.Options{})
		d.set(3, "finish_i", 1)
		if n, err := d.Run(t.Context(), &d.rows, 5); n != 4 || err == nil {
			t.Errorf("Run gives %d, %v", n, err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"display 3  last 4", "error 3 hw/last.sv:11 left over"}, texts(d)); diff != "" {
			t.Error(diff)
		}
	})
	fatal := design("last", last)
	fatal.Params = map[string]string{"FATAL": "1"}
	forEach(t, fatal, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.run(5)
		err := d.Close()
		stop, ok := errors.AsType[*bridge.StopError](err)
		if !ok || stop.Cycle != 5 || stop.Where != "hw/last.sv:12" || stop.Message != "too late" {
			t.Errorf("Close gives %v", err)
		}
		if err := d.Close(); err != nil {
			t.Errorf("Close gives %v the second time", err)
		}
	})
}

// warned counts the runs of TestCompilerWarnings.
var warned int

// The compilers' warnings are messages of the first instance in a process, with their places. Later
// instances do not repeat them.
func TestCompilerWarnings(t *testing.T) {
	name := fmt.Sprint("mistyped", warned) // the same warning would not come again
	warned++
	forEach(t, design(name, `
module last(input wire [3:0] a_i, output wire q_o);
  assign q_o = a_i[3];
endmodule
module `+name+`(input wire clk_i, input wire [3:0] a_i, output wire q_o);
  last u_last(.a_i, .q_o(q_0));
  assign q_o = q_0 ^ clk_i;
endmodule`), func(t *testing.T, m *model) {
		for i, want := range []int{1, 0} {
			d := m.start(bridge.Options{})
			d.run(1)
			var found []bridge.Message
			for _, msg := range d.Messages() {
				if msg.Severity == bridge.Warning && msg.Where == "hw/"+name+".sv:6" && strings.HasPrefix(msg.Text, "compiler: ") && strings.Contains(msg.Text, "q_0") {
					found = append(found, msg)
				} else {
					t.Errorf("instance %d printed %v", i, msg)
				}
			}
			if len(found) != want {
				t.Errorf("instance %d tells of %v", i, found)
			}
			d.Close()
		}
	})
}
