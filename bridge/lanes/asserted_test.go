package lanes_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// Assertions are proved where they hold whatever comes in, some only together.
func TestUnproved(t *testing.T) {
	const body = `
  logic [3:0] q, p;
  always_ff @(posedge clk_i) begin
    q <= rst_i || q == 9 ? 4'd0 : q + {1'b0, a_i};
    p <= rst_i ? 4'd0 : q;
  end
  assign y_o = p;
  assign valid_o = 0;
  always @(posedge clk_i) if (!rst_i) begin
    assume (a_i < 2);
    assert (p <= 9);       // follows from the next
    assert (q <= 9);
    assert (q <= 8);       // line 14: does not hold
    assert (valid_o == 0); // holds by itself
  end
`
	d := faulty(body)
	m, err := lanes.Build(t.Context(), d, lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Unproved(t.Context(), lanes.MiterOptions{Reset: 2}, 10*time.Second)
	if want := []string{"faulty.sv:14"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("not proved: %v, %v, not %v", got, err, want)
	}
}
