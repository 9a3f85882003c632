package lanes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// What a fault does to a register that is not looked at then, or only through what hides it, is
// gone in the next cycle, or in the one after that. What stays somewhere is not.
func TestTransient(t *testing.T) {
	const body = `
  logic [5:0] first, second, held, third;
  logic [5:0] words [4];
  logic one, was_one;
  always_ff @(posedge clk_i) begin
    first <= {a_i, a_i[0], a_i[2:1]} ^ {6{fault_i && HIDDEN}} ^ {fault_i && UPPER, 5'd0};
    one <= a_i == 3'd1;
    second <= (one ? first : 6'd9) ^ {fault_i && LATE, 5'd0};
    was_one <= one;
    third <= second & {{3{!was_one}}, 3'd7};
    if (other_i) held <= {a_i, a_i} ^ {6{fault_i && HELD}};
    else held <= held ^ {6{fault_i && WHILE}};
    words[a_i[1:0]] <= {5'd0, one && first[0]};
    valid_o <= !rst_i;
  end
  assign y_o = {third[5], third[2:0] ^ (other_i ? held[2:0] : 3'd0) ^ words[a_i[1:0]][2:0]};
`
	for _, test := range []struct {
		name, at, when string
		answer         lanes.Answer
	}{
		{"where the next register does not look", "HIDDEN", "a_i != 3'd1", lanes.Equal},
		{"where it does", "HIDDEN", "a_i == 3'd1", lanes.Unknown},
		{"in a bit that goes through another register first", "UPPER", "a_i[0]", lanes.Equal},
		{"in a bit that is seen later", "LATE", "a_i[1]", lanes.Unknown},
		{"in a register that is held and seen", "HELD", "a_i == 3'd2", lanes.Unknown},
		{"while it is held", "WHILE", "a_i == 3'd2", lanes.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(body, test.at, test.when, 1)
			for _, at := range []string{"HIDDEN", "UPPER", "LATE", "HELD", "WHILE"} {
				text = strings.Replace(text, "&& "+at, "&& 0", 1)
			}
			m, err := lanes.Build(t.Context(), faulty(text), lanes.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			o := lanes.MiterOptions{On: "fault_i", Reset: 2}
			whole, err := m.Miter(o)
			if err != nil {
				t.Fatal(err)
			}
			o.Own = whole.MayDiffer
			proof, err := m.Transient(t.Context(), o, 10*time.Second)
			if err != nil || proof.Answer != test.answer {
				t.Errorf("%v by %s, %v", proof.Answer, proof.By, err)
			}
		})
	}
}
