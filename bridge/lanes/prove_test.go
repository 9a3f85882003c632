package lanes_test

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// faulty is a module with an input that changes something in it: by the first line of its body that
// says what.
func faulty(body string) bridge.Design {
	text := `module faulty (input logic clk_i, input logic rst_i, input logic [2:0] a_i, input logic fault_i, input logic other_i,
              output logic [3:0] y_o, output logic valid_o);` + body + "\nendmodule\n"
	return bridge.Design{Top: "faulty", Files: []string{"faulty.sv"}, Clock: "clk_i", Reset: "rst_i", FS: fstest.MapFS{"faulty.sv": {Data: []byte(text)}}}
}

const ring = `
  logic [3:0] q;
  always_ff @(posedge clk_i) q <= rst_i ? 4'd1 : {q[2:0], q[3]};
`

// counted has outputs that are 0 until it has counted to 8.
const counted = `
  logic [3:0] q;
  always_ff @(posedge clk_i) q <= rst_i ? '0 : q + 1;
  assign y_o = {1'b0, q[3], 2'd0};
`

const counter = `
  logic [3:0] q;
  always_ff @(posedge clk_i) if (rst_i) q <= '0; else if (a_i == 3'd5) q <= q + 4'd1;
  assign valid_o = q == 4'd3;
`

const memory = `
  logic [3:0] mem [32];
  always_ff @(posedge clk_i) if (valid_o) mem[{2'd0, a_i}] <= {1'b0, a_i} + WRITTEN;
  always_ff @(posedge clk_i) valid_o <= !rst_i && a_i[0];
  assign y_o = mem[{2'd0, a_i} + READ];
`

// words is an output in which one bit says when the others count.
const words = `assign y_o = {q[3:2] == 2'b11, {3{fault_i && q == 4'd4}}};`

// What is proved holds, what is not is shown by inputs, and by the fewest that there are.
func TestProve(t *testing.T) {
	for _, test := range []struct {
		name, body string
		valid      map[string]string
		answer     lanes.Answer
		by         string
		cycles     int // that it takes after the reset of three
	}{
		{"nothing depends on it", `assign y_o = {1'b0, a_i} + (fault_i & ~fault_i); assign valid_o = 0;`, nil, lanes.Equal, "structure: no output depends on it", 0},
		{"it is logically the same", `assign y_o = fault_i ? {a_i, 1'b0} : {1'b0, a_i} + a_i; assign valid_o = a_i[0];`, nil, lanes.Equal, "", 0},
		{"it shows at once", `assign y_o = {1'b0, a_i} + {3'b0, fault_i & (a_i == 6)}; assign valid_o = 1;`, nil, lanes.Different, "", 1},
		{"in states that are never reached", ring + `assign y_o = q ^ {4{fault_i && q[0] && q[2]}}; assign valid_o = 0;`, nil, lanes.Equal, "", 0},
		{"in states that are reached late", counter + `assign y_o = {3'b0, q == (fault_i ? 4'd11 : 4'd12)};`, nil, lanes.Different, "", 12},
		{"where it does not count", counter + `assign y_o = {3'b0, valid_o} ^ {4{fault_i && q == 4'd4}};`, map[string]string{"y_o": "valid_o"}, lanes.Equal, "", 0},
		{"where it counts if not", counter + `assign y_o = {3'b0, valid_o} ^ {4{fault_i && q == 4'd4}};`, map[string]string{"y_o": "!valid_o"}, lanes.Different, "", 5},
		{"where an output of several bits is 0", counted + `assign valid_o = fault_i && q == 4'd4;`, map[string]string{"valid_o": "y_o"}, lanes.Equal, "", 0},
		{"where one of its bits is 1", counted + `assign valid_o = fault_i && q == 4'd8;`, map[string]string{"valid_o": "y_o"}, lanes.Different, "", 9},
		{"where it counts if it is 0", counted + `assign valid_o = fault_i && q == 4'd4;`, map[string]string{"valid_o": "!y_o"}, lanes.Different, "", 5},
		{"where a bit of the same output is 0", counter + words, map[string]string{"y_o[2:0]": "y_o[3]"}, lanes.Equal, "", 0},
		{"where it is 0, in a bit that always counts", counter + words, map[string]string{"y_o[1:0]": "y_o[3]"}, lanes.Different, "", 5},
		{"where it is 0 and counts then", counter + words, map[string]string{"y_o[2:0]": "!y_o[3]"}, lanes.Different, "", 5},
		{"a reset that is missing", "logic [3:0] q; always_ff @(posedge clk_i) if (rst_i && !fault_i) q <= '0; else q <= q + {1'b0, a_i}; assign y_o = q; assign valid_o = 0;",
			nil, lanes.Different, "", 1},
		{"values at power-up are the same in both", "logic [3:0] q; always_ff @(posedge clk_i) if (fault_i & !fault_i) q <= '0; assign y_o = q; assign valid_o = q[1];",
			nil, lanes.Equal, "", 0},
		{"memories are read and written alike", "localparam int READ = 0; wire [3:0] WRITTEN = fault_i && a_i[1] && !a_i[1] ? 1 : 0;" + memory, nil, lanes.Equal, "", 0},
		{"a memory is written otherwise", "localparam int READ = 0; wire [3:0] WRITTEN = fault_i && a_i == 3 ? 1 : 0;" + memory, nil, lanes.Different, "", 0},
		{"a memory is read elsewhere", "wire [4:0] READ = fault_i && a_i == 3 ? 1 : 0; localparam logic [3:0] WRITTEN = 0;" + memory, nil, lanes.Different, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := lanes.Build(t.Context(), faulty(test.body), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := m.Miter(lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3, Valid: test.valid})
			if err != nil {
				t.Fatal(err)
			}
			p, err := x.Prove(t.Context(), 10*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if p.Answer != test.answer || test.by != "" && p.By != test.by {
				t.Errorf("%v by %s", p.Answer, p.By)
			}
			if test.cycles > 0 && (!p.Shortest || len(p.Inputs) != 3+test.cycles) {
				t.Errorf("%d cycles, shortest %v: %d are enough", len(p.Inputs), p.Shortest, 3+test.cycles)
			}
			local, err := m.Miter(lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3, Valid: test.valid, Local: true})
			if err != nil {
				t.Fatal(err)
			}
			l, err := local.Prove(t.Context(), 10*time.Second)
			if err != nil || l.Answer == lanes.Equal && test.answer != lanes.Equal {
				t.Errorf("register by register: %v, %v", l.Answer, err)
			}
			if l.Answer == lanes.Different {
				states, output, cycles := local.Changed(l.Inputs)
				if output && local.Exact && test.answer != lanes.Different || !output && len(states) == 0 || cycles > len(l.Inputs) {
					t.Errorf("register by register: after %d cycles states %v and an output: %v", cycles, states, output)
				}
			}
			step, err := m.Step(t.Context(), []string{"other_i", "fault_i"}, lanes.MiterOptions{Reset: 3, Valid: test.valid}, 10*time.Second)
			if err != nil || step[0] == "" || step[1] != "" && test.answer != lanes.Equal {
				t.Errorf("two faults in one cycle: %q, %v", step, err)
			}
			b, err := x.Shortest(t.Context(), time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if b.Answer == lanes.Equal || test.cycles > 0 && len(b.Inputs) != 3+test.cycles {
				t.Errorf("a bounded search answers %v after %d cycles", b.Answer, len(b.Inputs))
			}
		})
	}
}

// late has a register that may be anything until it is written, while a_i is 3. It is read in the
// cycle after that only.
const late = `
  logic written;
  logic [3:0] q;
  always_ff @(posedge clk_i) begin
    written <= !rst_i && a_i == 3'd3;
    q <= a_i == 3'd3 ? {3'd0, other_i} : q ^ {4{CHANGED}};
  end
  assign y_o = written ? q : 4'd0;
  assign valid_o = 1'b0;
`

// Faults that may be there or not in each cycle are proved to change nothing at once. That they do
// together says nothing of a single one.
func TestAny(t *testing.T) {
	for _, test := range []struct {
		name, body string
		of         []string
		answer     lanes.Answer
	}{
		{"behind what is read", "wire CHANGED = fault_i;" + late, []string{"fault_i"}, lanes.Equal},
		{"two of them", strings.ReplaceAll("wire CHANGED = fault_i || other_i;"+late, "{3'd0, other_i}", "{3'd0, a_i[0]}"), []string{"fault_i", "other_i"}, lanes.Equal},
		{"in what is read", strings.ReplaceAll("wire CHANGED = fault_i;"+late, "a_i == 3'd3 ?", "a_i == 3'd3 && !fault_i ?"), []string{"fault_i"}, lanes.Different},
		{"one of the two", strings.ReplaceAll("wire CHANGED = fault_i;"+late, "y_o = ", "y_o = other_i ? 4'd7 :"), []string{"fault_i", "other_i"}, lanes.Different},
		{"only if it comes and goes", "logic q; always_ff @(posedge clk_i) q <= !rst_i && fault_i; assign y_o = {3'd0, q && !fault_i}; assign valid_o = 0;", []string{"fault_i"}, lanes.Different},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := lanes.Build(t.Context(), faulty(test.body), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			o := lanes.MiterOptions{Any: test.of, Reset: 3}
			if len(test.of) == 1 {
				o.Off = []string{"other_i"}
			}
			x, err := m.Miter(o)
			if err != nil {
				t.Fatal(err)
			}
			if p, err := x.Prove(t.Context(), 10*time.Second); err != nil || p.Answer != test.answer {
				t.Errorf("%v, %v: %v", p.Answer, p.By, err)
			}
		})
	}
}

// stack pushes what is at a_i while that is odd, and pops while a_i is 2. WRITES says when the word
// behind the last one is written, WRITTEN what, and TOP which one is shown.
const stack = `
  logic [5:0] n;
  logic [3:0] mem [32];
  wire push = a_i[0] && n != 6'd32, pop = a_i == 3'd2 && n != 6'd0;
  always_ff @(posedge clk_i) if (rst_i) n <= '0; else if (push) n <= n + 6'd1; else if (pop) n <= n - 6'd1;
  always_ff @(posedge clk_i) if (WRITES) mem[n[4:0]] <= WRITTEN;
  wire [4:0] last = n[4:0] - 5'd1;
  assign y_o = SHOWN ? mem[last] : 4'd0;
  assign valid_o = n != 6'd0;
`

// moved has a word that is not shown where it is written, but when it was moved six times.
const moved = `
  logic [4:0] at;
  logic [3:0] mem [32];
  wire [3:0] read = mem[at];
  always_ff @(posedge clk_i) at <= rst_i ? '0 : at + 5'd1;
  always_ff @(posedge clk_i)
    if (a_i == 3'd1) mem[at] <= fault_i && at == 5'd3 ? 4'd5 : 4'd4;
    else if (a_i == 3'd2) mem[at + 5'd1] <= read;
  assign y_o = at == 5'd9 ? read : 4'd0;
  assign valid_o = 1'b0;
`

// With registers that are shared what copies write may differ, up to where it is read.
func TestWords(t *testing.T) {
	for _, test := range []struct {
		name, body string
		answer     lanes.Answer
	}{
		{"behind the last word", "wire WRITES = push || fault_i && n != 32, SHOWN = n != 0; wire [3:0] WRITTEN = {1'b0, a_i};" + stack, lanes.Equal},
		{"nothing is read before it is written", "wire WRITES = push, SHOWN = n != 0; wire [3:0] WRITTEN = {fault_i && !push, a_i};" + stack, lanes.Equal},
		{"the first word, when it is full", "wire WRITES = push || fault_i, SHOWN = n != 0; wire [3:0] WRITTEN = {1'b0, a_i};" + stack, lanes.Different},
		{"a word that is read later", "wire WRITES = push, SHOWN = n != 0; wire [3:0] WRITTEN = {fault_i && n == 2, a_i};" + stack, lanes.Different},
		{"a word that is shown when there is none", "wire WRITES = push || fault_i && n == 31, SHOWN = 1; wire [3:0] WRITTEN = {1'b0, a_i};" + stack, lanes.Different},
		{"a bit that the next push leaves", "wire SHOWN = n != 0; logic [5:0] n; logic [3:0] mem [32];" + `
  wire push = a_i[0] && n != 6'd32, pop = a_i == 3'd2 && n != 6'd0;
  always_ff @(posedge clk_i) if (rst_i) n <= '0; else if (push) n <= n + 6'd1; else if (pop) n <= n - 6'd1;
  always_ff @(posedge clk_i) begin
    if (push) mem[n[4:0]][2:0] <= a_i;
    if (fault_i && n == 6'd1 && a_i == 3'd4) mem[n[4:0]][3] <= n[0];
  end
  wire [4:0] last = n[4:0] - 5'd1;
  assign y_o = SHOWN ? mem[last] : 4'd0;
  assign valid_o = 1'b0;`, lanes.Different},
		{"moved to another word", moved, lanes.Different},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := lanes.Build(t.Context(), faulty(test.body), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := m.Miter(lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3, Local: true})
			if err != nil {
				t.Fatal(err)
			}
			if p, err := x.Prove(t.Context(), 10*time.Second); err != nil || p.Answer != test.answer {
				t.Errorf("%v, %v: %v", p.Answer, p.By, err)
			}
		})
	}
}

// An input that the design does not have is an error.
func TestMiterOf(t *testing.T) {
	m, err := lanes.Build(t.Context(), smallDesign(), lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Miter(lanes.MiterOptions{On: "mutant_i"}); err == nil || err.Error() != "lanes: module small has no input mutant_i" {
		t.Error(err)
	}
}

// What no run shows of registers is proved with the rest, by induction. Of a digit that is below
// ten bits 3 and 2 are not both 1, which follows only if bits 3 and 1 are not either. A counter has
// no value behind its last one, and others while it is slow. What only short runs have not shown is
// no proof.
func TestHints(t *testing.T) {
	const digit = `
  logic [3:0] q;
  always_ff @(posedge clk_i) if (rst_i || a_i[0] && q == 9) q <= '0; else if (a_i[0]) q <= q + 1;
  assign valid_o = 0;
`
	const count = `
  logic [5:0] q;
  logic slow;
  always_ff @(posedge clk_i)
    if (rst_i || q == (slow ? 6'd36 : 6'd20)) begin
      q <= '0;
      slow <= a_i[0] && !rst_i;
    end else q <= q + 1;
  assign valid_o = 0;
`
	const jump = `
  logic [5:0] q;
  always_ff @(posedge clk_i) if (rst_i || q == 40) q <= '0; else q <= q == 11 ? 6'd15 : q + 1;
  assign valid_o = 0;
`
	const wide = `
  logic [11:0] q;
  always_ff @(posedge clk_i) if (rst_i || q == 2100) q <= '0; else q <= q + 1;
  assign valid_o = 0;
`
	const shift = `
  logic [11:0] q, p;
  always_ff @(posedge clk_i) begin
    p <= rst_i ? 12'd1 : q;
    q <= rst_i ? 12'd1 : {q[10:0], q[11] ^ q[10] ^ q[9] ^ q[3]};
  end
  assign valid_o = 0;
`
	const frame = `
  logic bad;
  logic [3:0] recent, index, q;
  always_ff @(posedge clk_i) begin
    recent <= {recent[2:0], a_i[0]};
    index <= index == 4'd15 ? index : index + 4'd1;
    if (index == 0) begin
      q <= recent;
      bad <= recent > 9;
    end
    if (a_i[2:1] == 3) {index, bad} <= 0;
    if (rst_i) {recent, index, q, bad} <= 0;
  end
  assign valid_o = 0;
`
	const modules = `
  logic idle;
  logic [3:0] recent, q;
  if (1) begin : other
    logic bad;
  end
  always_ff @(posedge clk_i) begin
    recent <= {recent[2:0], a_i[0]};
    if (a_i[2:1] == 3) begin
      idle <= 0;
      q <= recent;
      other.bad <= recent > 9;
    end
    if (a_i[2:1] == 2) {idle, other.bad} <= 2'b10;
    if (rst_i) {idle, other.bad, recent, q} <= 10'b10_0000_0000;
  end
  assign valid_o = 0;
`
	const ring = `
  logic a, b, c;
  wire [3:0] q = {1'b0, a, b, c};
  always_ff @(posedge clk_i) {a, b, c} <= rst_i ? 3'b100 : {c, a, b};
  assign valid_o = 0;
`
	// In phases 1, 6 and 4 the flag is 1, if the sort is. No bit of the phase says so.
	const flag = `
  logic [2:0] phase, sort;
  if (1) begin : other
    logic flag;
  end
  wire [3:0] q = {other.flag, phase} ^ {a_i, a_i[0]}; // no other name of registers
  always_ff @(posedge clk_i) begin
    case (phase)
      0: {phase, sort} <= {3'd3, a_i};
      3: {phase, other.flag} <= {3'd5, a_i[0]};
      5: if (a_i[0]) {phase, other.flag} <= {3'd1, sort == 1 || a_i[1]};
      1: if (a_i[0]) phase <= 6;
      6: if (a_i[0]) phase <= 4;
      default: {phase, other.flag} <= {3'd0, a_i[0]};
    endcase
    if (rst_i) {phase, sort, other.flag} <= 0;
  end
  assign valid_o = 0;
`
	for _, test := range []struct {
		name, body, fault string
		cycles            int // of the run
		equal             bool
	}{
		{"without a run", digit, "q[3] && q[2]", 0, false},
		{"with one", digit, "q[3] && q[2]", 100, true},
		{"that is too short", digit, "q[3] && q[0]", 14, false},
		{"of what there is", digit, "q[3] && q[0]", 100, false},
		{"two registers", ring, "a && b", 100, true},
		{"two registers without a run", ring, "a && b", 0, false},
		{"values", count, "q == 38", 2000, true},
		{"values without a run", count, "q == 38", 0, false},
		{"values that it jumps over", jump, "q == 14", 200, true},
		{"values that it jumps over without a run", jump, "q == 14", 0, false},
		{"values while another register has one", count, "!slow && q == 22", 2000, true},
		{"values that are too few", count, "!slow && q == 22", 10, false},
		{"values that there are", count, "slow && q == 22", 2000, false},
		{"values while another register is not 0", strings.ReplaceAll(frame, "bad <=", "if (recent > 9) index <= 0; bad <="), "index != 0 && q == 12", 2000, true},
		{"values while another register is 0", strings.ReplaceAll(frame, "bad <=", "if (recent > 9) index <= 0; bad <="), "index == 0 && q == 12", 2000, false},
		{"values while two registers are something", frame, "!bad && index != 0 && q == 12", 2000, true},
		{"values while another two registers are something", frame, "bad && index != 0 && q == 12", 2000, false},
		{"values while flags of two modules are something", modules, "!idle && !other.bad && q == 12", 2000, true},
		{"values while other flags of two modules are", modules, "!idle && other.bad && q == 12", 2000, false},
		{"a flag while two registers are something", flag, "phase == 4 && sort == 1 && !other.flag", 2000, true},
		{"a flag while another two registers are something", flag, "phase == 4 && sort == 2 && !other.flag", 2000, false},
		{"the greatest", wide, "q == 2103", 2200, true},
		{"the greatest without a run", wide, "q == 2103", 0, false},
		{"the greatest that there is", wide, "q == 2100", 2200, false},
		{"the least", shift, "p == 0", 4200, true},
		{"the least without a run", shift, "p == 0", 0, false},
		{"the least that there is", shift, "p == 1", 4200, false},
		{"never 0, and the least was seen by chance", strings.ReplaceAll(shift, "12'd1", "12'd5"), "p == 0", 5, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.body != digit && test.body != ring {
				t.Skip("takes long: go test without -short runs it, as make nightly does")
			}
			m, err := lanes.Build(t.Context(), faulty(test.body+"assign y_o = q[3:0] ^ {4{fault_i && "+test.fault+"}};"), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
			if test.cycles > 0 {
				if o.Hints, err = m.Hints(o, randomRun(3+test.cycles)); err != nil {
					t.Fatal(err)
				}
			}
			step, err := m.Step(t.Context(), []string{"fault_i"}, o, 10*time.Second)
			if err != nil || step[0] != "" {
				t.Errorf("in one cycle from any state: %q, %v", step, err)
			}
			// byInduction reports whether it is proved by induction alone that nothing changes.
			byInduction := func(taken bool) bool {
				t.Helper()
				local := o
				local.Local, local.Taken = true, taken
				x, err := m.Miter(local)
				if err != nil {
					t.Fatal(err)
				}
				alone, err := x.Prove(t.Context(), 10*time.Second)
				if err != nil {
					t.Fatal(err)
				}
				return alone.By == "induction over equal signals (abc scorr)"
			}
			if byInduction(false) != test.equal {
				t.Errorf("with what may hold it should be %t", test.equal)
			}
			if byInduction(true) && !test.equal {
				t.Error("what may hold is taken to hold")
			}
			more := none // so that what is wrong comes to the proof
			if test.equal {
				more = further(t, m, o, test.cycles)
			}
			if err := m.ProveHints(t.Context(), o.Hints, o, more, 10*time.Second); err != nil {
				t.Fatal(err)
			}
			if step, err = m.Step(t.Context(), []string{"fault_i"}, o, 10*time.Second); err != nil || (step[0] != "") != test.equal {
				t.Errorf("in one cycle, with what is proved of the design: %q, %v", step, err)
			}
			for _, taken := range []bool{false, true} {
				if byInduction(taken) != test.equal {
					t.Errorf("with what is proved of the design, taken to hold %t, it should be %t", taken, test.equal)
				}
			}
		})
	}
}

// What a bit without a reset is at power-up only, until its register takes something, is known even
// where a design has too many registers to prove what all pairs of them never are.
func TestPowerUpOnly(t *testing.T) {
	const body = `
  logic [329:0] ring; // which two bits are never both 1 is too much to prove
  logic valid, full, loaded, kept, other;
  always_ff @(posedge clk_i) begin
    ring <= rst_i ? 330'd1 : {ring[328:0], ring[329]};
    valid <= !rst_i && a_i[0];
    full <= !rst_i && a_i[1];
    if (a_i[0]) loaded <= other_i;
    if (!full) kept <= other_i;
    if (a_i == 5 && !rst_i) other <= other_i;
  end
  assign valid_o = ring[17];
  assign y_o = {2'd0, kept, other} ^ {4{fault_i && (`
	for _, test := range []struct {
		name, shown string
		equal       bool
	}{
		{"as soon as it is loaded", "valid && loaded", true},
		{"before it is loaded", "!valid && loaded", false},
		{"after the reset, in which it is loaded", "kept", true},
		{"after a reset that it is not loaded in", "other", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := lanes.Build(t.Context(), faulty(body+test.shown+")}};"), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
			if o.Hints, err = m.Hints(o, randomRun(400)); err != nil {
				t.Fatal(err)
			}
			if err := m.ProveHints(t.Context(), o.Hints, o, none, 10*time.Second); err != nil {
				t.Fatal(err)
			}
			step, err := m.Step(t.Context(), []string{"fault_i"}, o, 10*time.Second)
			if err != nil || (step[0] != "") != test.equal {
				t.Errorf("in one cycle from any state: %q, %v; equal should be %t", step, err, test.equal)
			}
		})
	}
}

// A number that changes while nobody uses it is of no account. Induction needs to be told while
// which states it may differ: no signal of the design says that.
func TestApart(t *testing.T) {
	const body = `
  logic [1:0] state;
  logic [3:0] n, m;
  wire start = state == 0 && a_i[0];
  always_ff @(posedge clk_i) begin
    state <= start ? 2'd1 : state == 1 ? 2'd2 : 2'd0;
    n <= start ? {2'd0, a_i} : n + {3'd0, fault_i && state == 0};
    m <= n;
    if (rst_i) begin
      state <= 0;
      n <= 0;
      m <= 0;
    end
  end
  assign y_o = state == 2 || SHOWN && state == 1 ? m : 0;
  assign valid_o = state != 0;
`
	for _, shown := range []string{"1'b0", "1'b1"} {
		m, err := lanes.Build(t.Context(), faulty("localparam SHOWN = "+shown+";"+body), lanes.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
		whole, err := m.Miter(o)
		if err != nil {
			t.Fatal(err)
		}
		apart := whole.Apart(nil)
		differ := apart.See(randomRun(100)(whole.Inputs))
		own := apart.States
		if len(own) != 8 && shown == "1'b0" || (differ != nil) != (shown == "1'b1") {
			t.Errorf("shown %s: %d states differ, not 8, and outputs after %d cycles", shown, len(own), len(differ))
		}
		o.Local, o.Own = true, own
		x, err := m.Miter(o)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := x.Prove(t.Context(), 10*time.Second)
		if err != nil || (proof.By == "induction over equal signals (abc scorr)") != (shown == "1'b0") {
			t.Errorf("shown %s: %v by %s, %v", shown, proof.Answer, proof.By, err)
		}
	}
}

// seenApart returns a design with a fault, the options of its miters, with what is proved of it,
// and what inputs show: which registers differ, and the inputs with which outputs do.
func seenApart(t *testing.T, body string, run func([]lanes.MiterInput) *lanes.Runs) (*lanes.Model, lanes.MiterOptions, *lanes.Apart, [][]bool) {
	t.Helper()
	m, err := lanes.Build(t.Context(), faulty(body), lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
	if o.Hints, err = m.Hints(o, run); err != nil {
		t.Fatal(err)
	}
	if err := m.ProveHints(t.Context(), o.Hints, o, none, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	whole, err := m.Miter(o)
	if err != nil {
		t.Fatal(err)
	}
	apart := whole.Apart(o.Hints)
	differ := apart.See(run(whole.Inputs))
	return m, o, apart, differ
}

// provedApart has it proved by induction that a fault changes no output, by what is seen of the
// registers that differ.
func provedApart(t *testing.T, name, body string, run func([]lanes.MiterInput) *lanes.Runs) {
	t.Helper()
	m, o, apart, differ := seenApart(t, body, run)
	if len(apart.States) == 0 || differ != nil {
		t.Errorf("%s: %d states differ, and outputs after %d cycles", name, len(apart.States), len(differ))
	}
	o.Local, o.Own, o.Apart, o.Conditions = true, apart.States, apart, 3
	x, err := m.Miter(o)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := x.Prove(t.Context(), 10*time.Second)
	if err != nil || proof.By != "induction over equal signals (abc scorr)" {
		t.Errorf("%s: %v by %s, %v", name, proof.Answer, proof.By, err)
	}
}

// With the fault a refused frame leaves wrong values in registers. They stay until the next frame
// overwrites them. Induction needs to be told up to which index that is: no signal of the design
// says that.
func TestApartWhile(t *testing.T) {
	const body = `
  logic bad;
  logic [3:0] index;
  logic [1:0] first, second;
  wire [1:0] data = a_i[1:0] ^ {1'b0, fault_i && a_i[2]};
  always_ff @(posedge clk_i) begin
    if (a_i == 7 || rst_i) begin
      index <= 0;
      bad <= 0;
    end else begin
      if (index != 15) index <= index + 1;
      if (a_i[2]) bad <= 1;
      if (index == 6) first <= data;
      if (index == 9) second <= data;
    end
    if (rst_i) {first, second} <= 0;
  end
  assign y_o = bad || index <= LAST ? 0 : {second, first};
  assign valid_o = 0;
`
	for _, last := range []string{"9", "8"} {
		m, o, apart, differ := seenApart(t, "localparam LAST = "+last+";"+body, randomRun(5000))
		if len(apart.States) != 4 && last == "9" || (differ != nil) != (last == "8") {
			t.Errorf("shown from %s on: %d states differ, not 4, and outputs after %d cycles", last, len(apart.States), len(differ))
		}
		o.Local, o.Own, o.Conditions = true, apart.States, 3
		for _, o.Apart = range []*lanes.Apart{nil, apart} {
			x, err := m.Miter(o)
			if err != nil {
				t.Fatal(err)
			}
			proof, err := x.Prove(t.Context(), 10*time.Second)
			if want := o.Apart != nil && last == "9"; err != nil || (proof.By == "induction over equal signals (abc scorr)") != want {
				t.Errorf("shown from %s on, %t: %v by %s, %v", last, o.Apart != nil, proof.Answer, proof.By, err)
			}
		}
	}
}

// A word comes byte by byte, and what differs in it goes byte by byte. That is proved of each byte.
func TestApartParts(t *testing.T) {
	const body = `
  logic bad;
  logic [3:0] index;
  logic [5:0] before;
  wire last = a_i == 7, wrong = a_i == 6;
  wire [7:0] data = {before, a_i[1:0]} ^ {6'd0, fault_i && wrong, 1'b0};
  always_ff @(posedge clk_i) begin
    before <= rst_i ? 0 : {before[3:0], a_i[1:0]};
    if (last || rst_i) begin
      index <= 0;
      bad <= 0;
    end else begin
      if (index != 15) index <= index + 1;
      if (wrong) bad <= 1;
    end
  end
  assign valid_o = 0;
  logic [15:0] word;
  always_ff @(posedge clk_i) begin
    if (index == 6 && !last) word[7:0] <= data;
    if (index == 9 && !last) word[15:8] <= data;
    if (rst_i) word <= 0;
  end
  assign y_o = bad || index <= 9 ? 0 : {^word[15:12], ^word[11:8], ^word[7:4], ^word[3:0]};
`
	provedApart(t, "a word that comes in two bytes", body, randomRun(20000))
}

// With the fault, a refused byte does not count in its frame, or those behind it do. So what a
// refused frame leaves in registers differs, until the next frame overwrites it, and is not seen: a
// word is only shown once a frame has come that is not refused. That rests on what holds while two
// or three conditions do, of registers of the same module, whose outputs have the names of wires
// outside, and on what holds in the copy with the fault, too. The first frame is very long.
func TestApartTogether(t *testing.T) {
	const body = `
  logic [1:0] word;
  logic full;
  assign y_o = full ? {2'b10, word} : 0;
  assign valid_o = 0;
  if (1) begin : u
    logic bad, stored, frame;
    logic [3:0] index;
    logic [1:0] length;
    wire flag = a_i == 7, refused = a_i == 6;
    always_ff @(posedge clk_i) begin
      frame <= flag && !bad && stored && length != 0 && index > 3;
      if (flag) {bad, index} <= 0;
      else if (refused || index == 9) bad <= 1;
      if (PART && !flag) begin
        index <= index + 1;
        if (index == 0) begin
          length <= a_i[1:0];
          stored <= !full && !frame;
        end
        if (index == 3 && stored && length != 0) word <= a_i[1:0];
      end
      if (rst_i) {bad, index, frame} <= 0;
    end
  end
  always_ff @(posedge clk_i) full <= !rst_i && (u.frame || full && a_i != 5);
`
	run := func(inputs []lanes.MiterInput) *lanes.Runs {
		const long, cycles = 20_000, 70_000
		r := rand.New(rand.NewPCG(1, 1))
		var run [][]uint64
		for n := range cycles {
			row := make([]bool, len(inputs))
			for i, in := range inputs {
				row[i] = in.Port != "rst_i" && r.IntN(2) == 0 && !(n < long && in.Port == "a_i" && in.Bit == 0)
			}
			run = append(run, lanes.Pack(row))
		}
		return lanes.NewRuns(len(inputs), [][][]uint64{run})
	}
	for name, part := range map[string]string{
		"a refused byte":         "!bad && !(fault_i && refused)",
		"those behind a refused": "!(bad && !fault_i)",
	} {
		provedApart(t, name, strings.Replace(body, "PART", part, 1), run)
	}
}

// While the copies differ a register is 2 or 7, and no number between, or in one of them 9, 10
// or 12. Induction needs to be told so: it goes from 6 to 3, and from 13 to 11.
func TestApartValues(t *testing.T) {
	provedApart(t, "one of two values", `
  logic [3:0] index;
  logic m;
  always_ff @(posedge clk_i) begin
    index <= a_i[0] ? index ^ 5 : index + 1;
    m <= a_i[0] && (m || fault_i && (index == 2 || index == 7));
    if (rst_i) {index, m} <= 0;
  end
  assign y_o = {4{m && index == 3}};
  assign valid_o = 0;
`, randomRun(5000))
	provedApart(t, "one of three values in the other copy", `
  logic [3:0] index;
  logic m;
  wire begins = fault_i && !m && (index == 2 || index == 7);
  always_ff @(posedge clk_i) begin
    index <= !a_i[0] ? {1'b0, a_i[3:1]} : begins ? 9 : m ? {1'b1, index[1:0], index[2]} : index ^ 5;
    m <= a_i[0] && (m || begins);
    if (rst_i) {index, m} <= 0;
  end
  assign y_o = {4{m && index == 11}};
  assign valid_o = 0;
`, randomRun(5000))
}

// A register without a reset differs from power-up on. What others are then holds in the reset,
// too, and follows from what they were in the cycle before.
func TestApartInReset(t *testing.T) {
	provedApart(t, "a bit while others differ", `
  logic [3:0] kept;
  logic shown;
  always_ff @(posedge clk_i) begin
    kept <= a_i[0] ? {a_i[1], a_i} : kept ^ {3'd0, fault_i && !kept[3]};
    shown <= !rst_i && a_i == 4 && kept[3];
  end
  assign y_o = {4{shown && kept[0]}};
  assign valid_o = 0;
`, randomRun(5000))
}

// A difference is none from the first cycle on in which something is not as the design assumes it
// to be, and not before. With Unassumed it is one.
func TestAssumed(t *testing.T) {
	const body = `
  logic five, never;
  always_ff @(posedge clk_i) begin
    five <= !rst_i && (five || a_i == 5);
    never <= !rst_i && never;
  end
  assign y_o = {3'd0, SHOWN && fault_i && !rst_i};
  assign valid_o = 0;
`
	const seven = "a_i == 7"
	for _, test := range []struct {
		name, shown, assume string
		equal               bool
	}{
		{"nothing", seven, "", false},
		{"at each edge", seven, "always @(posedge clk_i) if (!rst_i) assume (a_i != 7);", true},
		{"at all times", seven, "always_comb assume (rst_i || a_i != 7);", true},
		{"something else", seven, "always @(posedge clk_i) if (!rst_i) assume (a_i != 6);", false},
		{"only later", seven, "always @(posedge clk_i) if (!rst_i && five) assume (a_i != 7);", false},
		{"what is asserted", seven, "always @(posedge clk_i) if (!rst_i) assert (a_i != 7);", false},
		{"before", "five", "always @(posedge clk_i) if (!rst_i) assume (a_i != 5);", true},
		{"what does not matter", "never", "always_comb assume (rst_i || a_i != 7);", true},
	} {
		m, err := lanes.Build(t.Context(), faulty(strings.Replace(body, "SHOWN", test.shown, 1)+test.assume), lanes.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(m.Assumptions()); got != strings.Count(test.assume, "assume") {
			t.Errorf("%s: %d assumptions", test.name, got)
		}
		o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
		for _, o.Local = range []bool{false, true} {
			x, err := m.Miter(o)
			if err != nil {
				t.Fatal(err)
			}
			proof, err := x.Prove(t.Context(), 10*time.Second)
			if err != nil || (proof.Answer == lanes.Equal) != test.equal {
				t.Errorf("with %s assumed, local %t: %v by %s, %v", test.name, o.Local, proof.Answer, proof.By, err)
			}
		}
		o.Unassumed = true
		x, err := m.Miter(o)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := x.Prove(t.Context(), 10*time.Second)
		if want := test.shown == "never"; err != nil || (proof.Answer == lanes.Equal) != want {
			t.Errorf("with %s assumed, and told not to assume it: %v by %s, %v", test.name, proof.Answer, proof.By, err)
		}
		o.Unassumed = false
		step, err := m.Step(t.Context(), []string{"fault_i"}, o, 10*time.Second)
		if want := test.equal && test.shown == seven; err != nil || (step[0] != "") != want {
			t.Errorf("with %s assumed, in one cycle: %q, %v", test.name, step, err)
		}
	}
}

// Two counts are alike if both come to 0 at the same time, be the other registers what they may.
// What these never are is only left out if that is proved.
func TestOpen(t *testing.T) {
	const body = `
  logic [2:0] r, q;
  always_ff @(posedge clk_i) begin
    r <= (rst_i || r == 5) ? 0 : r + 1;
    q <= rst_i ? 0 : r == 5 ? 4 : q == 0 ? 0 : (q - 1) ^ {1'b0, fault_i, 1'b0};
  end
  assign valid_o = 0;
`
	for _, test := range []struct {
		name, output  string
		without, with bool // hints that are proved: equal
	}{
		{"both are 0", "{3'd0, q == 0}", true, true},
		{"what is never reached", "{3'd0, q == 0} ^ {4{fault_i && r == 7}}", false, true},
		{"what is reached", "{3'd0, q == 0} ^ {4{fault_i && r == 4}}", false, false},
		{"what only the copy with the fault reaches", "{3'd0, r == 1 && q == 1}", false, false},
		{"the count itself", "{1'b0, q}", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			without, with := provedOpen(t, body+"assign y_o = "+test.output+";", lanes.Keep{})
			if without != test.without || with != test.with {
				t.Errorf("equal should be %v, and %v with what is proved: %v, %v", test.without, test.with, without, with)
			}
		})
	}
}

// Registers of few bits may be what they are while others are anything: the nearest ones first.
func TestOpenKeep(t *testing.T) {
	const body = `
  logic [2:0] r, q;
  logic [4:0] count;
  logic [7:0] wide;
  logic after_r, after_count, after_wide;
  always_ff @(posedge clk_i) begin
    r <= (rst_i || r == 5) ? 0 : r + 1;
    q <= rst_i ? 0 : r == 5 ? 4 : q == 0 ? 0 : (q - 1) ^ {1'b0, fault_i, 1'b0};
    count <= (rst_i || count == 29) ? 0 : count + 1;
    wide <= (rst_i || wide == 150) ? 0 : wide + 1;
    after_count <= !rst_i && count == 29;
    after_r <= !rst_i && r == 5;
    after_wide <= !rst_i && wide == 150;
  end
  assign valid_o = 0;
  assign y_o = {3'd0, q == 0} ^ {4{fault_i && `
	for _, test := range []struct {
		keep  lanes.Keep
		shown string // with the fault, what is never so
		equal bool
	}{
		{lanes.Keep{Bits: 0, Few: 5}, "after_r && r == 2", false},
		{lanes.Keep{Bits: 1, Few: 5}, "after_r && r == 2", false},
		{lanes.Keep{Bits: 4, Few: 5}, "after_r && r == 2", true},
		{lanes.Keep{Bits: 64, Few: 5}, "after_r && r == 2", true},
		{lanes.Keep{Bits: 64, Few: 5}, "after_r && r == 0", false},
		{lanes.Keep{Bits: 64, Few: 5}, "after_count && count == 2", true},
		{lanes.Keep{Bits: 64, Few: 5}, "after_wide && wide == 2", false},
		{lanes.Keep{Bits: 64, Few: 8}, "after_wide && wide == 2", true},
	} {
		if equal, _ := provedOpen(t, body+test.shown+"}};", test.keep); equal != test.equal {
			t.Errorf("%s, with %v kept: proved to be equal: %v", test.shown, test.keep, equal)
		}
	}
}

// Of a queue of 16 words one bit never changes. It is of no account that it is written when nothing
// is put in, or read as what it always is: a word that is taken was put in before. That is proved
// where all that may differ is followed, whatever puts words in and takes them. It needs that bit
// of all words, the places and the count, of 4 and 5 bits. Of the other bit the oldest word is
// lost.
func TestOpenQueue(t *testing.T) {
	const body = `
  logic [7:0] words_q [16];
  logic [3:0] put_q, take_q, take_d;
  logic [4:0] count_q;
  logic [7:0] word_q;
  logic [9:0] wide_q;
  logic valid_q, one_q, put, take;
  assign put = (wide_q[0] ^ a_i[0]) && !count_q[4];
  assign take = a_i[1] && valid_q;
  assign take_d = take_q + 4'(take);
  always_ff @(posedge clk_i) begin
    wide_q <= rst_i ? 1 : {wide_q[8:0], wide_q[9] ^ wide_q[6]};
    one_q <= rst_i || one_q;
    if (put || fault_i && FAULT == 1) words_q[put_q][7] <= one_q;
    if (put || fault_i && FAULT == 0) words_q[put_q][0] <= a_i[2];
    if (put) words_q[put_q][6:1] <= wide_q[6:1];
    word_q <= words_q[take_d] | (fault_i && FAULT == 2 ? 8'd128 : 8'd0);
    put_q <= rst_i ? '0 : put_q + 4'(put);
    take_q <= rst_i ? '0 : take_d;
    count_q <= rst_i ? '0 : count_q + 5'(put) - 5'(take);
    valid_q <= !rst_i && count_q > 5'(take);
  end
  assign valid_o = valid_q;
  assign y_o = {^word_q[6:4], ^word_q[3:1], word_q[7] & valid_q, word_q[0] & valid_q};
`
	for _, test := range []struct {
		fault  string
		differ int // states
		keep   int
		equal  bool
	}{
		{"1", 17, 64, true},
		{"1", 17, 8, false},
		{"2", 1, 64, true},
		{"0", 17, 64, false},
	} {
		m, err := lanes.Build(t.Context(), faulty(strings.ReplaceAll(body, "FAULT", test.fault)), lanes.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
		whole, err := m.Miter(o)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole.MayDiffer) != test.differ {
			t.Errorf("fault %s: %d states may differ, not %d", test.fault, len(whole.MayDiffer), test.differ)
		}
		o.Local, o.Open, o.Own, o.Keep = true, true, whole.MayDiffer, lanes.Keep{Bits: test.keep, Few: 5}
		x, err := m.Miter(o)
		if err != nil {
			t.Fatal(err)
		}
		b := time.Now()
		proof, err := x.Prove(t.Context(), 5*time.Second)
		if err != nil || (proof.Answer == lanes.Equal) != test.equal {
			t.Errorf("fault %s, with %d bits kept: %v by %s, %v", test.fault, test.keep, proof.Answer, proof.By, err)
		}
		t.Log(proof.By, proof.Took, time.Since(b))
	}
}

// provedOpen reports whether copies of a design are proved equal whatever the registers are that
// they share, but for a few bits, and whether they are once it is proved what these never are.
func provedOpen(t *testing.T, body string, keep lanes.Keep) (without, with bool) {
	t.Helper()
	m, err := lanes.Build(t.Context(), faulty(body), lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := lanes.MiterOptions{On: "fault_i", Off: []string{"other_i"}, Reset: 3}
	whole, err := m.Miter(o)
	if err != nil {
		t.Fatal(err)
	}
	if o.Hints, err = m.Hints(o, randomRun(1000)); err != nil {
		t.Fatal(err)
	}
	apart := whole.Apart(nil)
	apart.See(randomRun(1000)(whole.Inputs))
	o.Own = apart.States
	o.Local, o.Open, o.Keep = true, true, keep
	for _, equal := range []*bool{&without, &with} {
		x, err := m.Miter(o)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := x.Prove(t.Context(), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		*equal = proof.Answer == lanes.Equal
		if err := m.ProveHints(t.Context(), o.Hints, o, none, 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	return without, with
}

// What a design asserts is proved with the rest, and then helps: that an index never goes beyond a
// length says nothing of single values. It is not believed.
func TestAsserted(t *testing.T) {
	const body = `
  logic [2:0] r, q;
  logic [4:0] index, length;
  always_ff @(posedge clk_i) begin
    r <= (rst_i || r == 5) ? 0 : r + 1;
    q <= rst_i ? 0 : r == 5 ? 4 : q == 0 ? 0 : (q - 1) ^ {1'b0, fault_i, 1'b0};
    if (rst_i || index == length) begin
      index <= 0;
      length <= rst_i ? 0 : {a_i, a_i[1:0]};
    end else index <= index + 1;
  end
  assign valid_o = 0;
  assign y_o = {3'd0, q == 0} ^ {4{fault_i && !rst_i && index > length}};
`
	for _, test := range []struct {
		asserts string
		equal   bool
	}{
		{"", false},
		{"always @(posedge clk_i) if (!rst_i) assert (index <= length);", true},
		{"always @(posedge clk_i) if (!rst_i) assert (index < length || index == 0);", false},
	} {
		if without, with := provedOpen(t, body+test.asserts, lanes.Keep{}); without || with != test.equal {
			t.Errorf("equal should be false, and %v with %q proved: %v, %v", test.equal, test.asserts, without, with)
		}
	}
}

// randomRun returns random inputs without a reset.
func randomRun(cycles int) func(inputs []lanes.MiterInput) *lanes.Runs {
	return func(inputs []lanes.MiterInput) *lanes.Runs {
		r := rand.New(rand.NewPCG(1, 1))
		var run [][]uint64
		for range cycles {
			row := make([]bool, len(inputs))
			for i := range row {
				row[i] = inputs[i].Port != "rst_i" && r.IntN(2) == 0
			}
			run = append(run, lanes.Pack(row))
		}
		short := [][]uint64{lanes.Pack(make([]bool, len(inputs)))} // beside it
		return lanes.NewRuns(len(inputs), [][][]uint64{short, run})
	}
}

// none are no more runs.
var none iter.Seq[*lanes.Runs] = func(func(*lanes.Runs) bool) {}

// further returns a run that goes on where one of so many cycles has ended.
func further(t *testing.T, m *lanes.Model, o lanes.MiterOptions, cycles int) iter.Seq[*lanes.Runs] {
	t.Helper()
	x, err := m.Miter(o)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Values([]*lanes.Runs{randomRun(3 + 2*cycles)(x.Inputs)})
}
