package lanes_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// A pipeline that waits takes what comes, valid or not. What a fault does to words that are not
// valid is no difference, in whatever stage they are. Nor is it while a sequence is in a step in
// which nobody looks.
func TestFlagged(t *testing.T) {
	const body = `
  logic valid1, valid2, mode, begun = 0;
  logic [2:0] words [32];
  logic [2:0] data1, data2, data3, taken;
  logic [1:0] step;
  logic early;
  wire move = !valid_o || other_i;
  always_ff @(posedge clk_i) begin
    if (move) begin
      data1 <= a_i ^ {3{fault_i && IN}};
      data2 <= {2'b0, ^data1} + data1;
      data3 <= data2 * data2 + (data2 >> 1);
    end else data3 <= data3 ^ {3{fault_i && HELD}};
    if (step == 1) taken <= a_i ^ {3{fault_i && TAKEN}};
    else taken <= taken ^ {3{fault_i && LATER}};
    step <= rst_i || step == 2 ? 0 : step + 1;
    if (!begun) early <= fault_i && EARLY;
    begun <= 1;
    if (!begun) mode <= fault_i && RESET;
    if (!begun || valid1) words[{2'd0, a_i}] <= !begun ? {3{fault_i && WRITTEN}} : data1;
    if (rst_i) {valid1, valid2, valid_o} <= 0;
    else if (move) {valid1, valid2, valid_o} <= {a_i[0], valid1, valid2};
  end
  assign y_o = {mode, data3 ^ words[{2'd0, a_i}] ^ (step == 2 ? taken : 3'd0) ^ {2'd0, step == 0 && early} ^ {2'd0, spare69}};
`
	var spare strings.Builder // many flags that have nothing to do with the rest
	after := "a_i[0]"
	for n := range 70 {
		fmt.Fprintf(&spare, "  logic spare%d;\n  always_ff @(posedge clk_i) spare%[1]d <= !rst_i && %s;\n", n, after)
		after = fmt.Sprintf("spare%d", n)
	}
	for _, test := range []struct {
		name, at, when string
		answer         lanes.Answer
	}{
		{"while what comes is not valid", "IN", "!a_i[0]", lanes.Equal},
		{"while what comes is valid", "IN", "a_i == 3'd3", lanes.Unknown},
		{"never", "HELD", "valid1 && !valid1", lanes.Equal},
		{"while the last stage waits", "HELD", "valid1", lanes.Unknown},
		{"while it waits and holds nothing", "HELD", "!valid_o", lanes.Equal},
		{"in a step before the word is taken", "LATER", "step == 0", lanes.Equal},
		{"in the step in which it is", "TAKEN", "other_i", lanes.Unknown},
		{"in the reset, while a step lasts", "EARLY", "1", lanes.Unknown},
		{"in the reset", "RESET", "1", lanes.Unknown},
		{"what is written in the reset", "WRITTEN", "1", lanes.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(body+spare.String(), test.at, test.when, 1)
			for _, at := range []string{"IN", "HELD", "TAKEN", "LATER", "EARLY", "RESET", "WRITTEN"} {
				text = strings.Replace(text, "&& "+at, "&& 0", 1)
			}
			m, err := lanes.Build(t.Context(), faulty(text), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			o := lanes.MiterOptions{On: "fault_i", Reset: 2, Valid: map[string]string{"y_o": "valid_o"}}
			if o.Hints, err = m.Hints(o, randomRun(200)); err != nil {
				t.Fatal(err)
			}
			if err := m.ProveHints(t.Context(), o.Hints, o, none, 10*time.Second); err != nil {
				t.Fatal(err)
			}
			// Runs leave out most of what does not hold, and so all that is wrong in what follows.
			for runs, seq := range map[string]iter.Seq[*lanes.Runs]{"with runs": further(t, m, o, 200), "without": none} {
				proof, err := m.Flagged(t.Context(), o, seq, 10*time.Second)
				if err != nil || proof.Answer != test.answer {
					t.Errorf("%s: %v by %s, %v", runs, proof.Answer, proof.By, err)
				}
			}
		})
	}
}
