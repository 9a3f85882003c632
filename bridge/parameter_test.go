package bridge_test

import (
	"testing"

	"github.com/cosimate/cosimate/bridge"
)

// Both simulators take the same values of parameters, with all their bits.
func TestParameters(t *testing.T) {
	d := design("parameters", `
module parameters #(parameter int I = 9, N = 9, parameter [63:0] H = 9, B = 9, parameter U = 9, parameter real R = 9, parameter S = "no") (
    input wire clk_i, output wire [31:0] i_o, n_o, r_o, output wire [63:0] h_o, b_o, output wire [31:0] u_o, output wire s_o);
  localparam real R2 = R * 2;
  assign i_o = I; assign n_o = N; assign h_o = H; assign b_o = B; assign u_o = U; assign r_o = $rtoi(R2); assign s_o = S == "a b+c";
endmodule`)
	d.Params = map[string]string{
		"I": "+1_000", "N": "-3", "H": "64'hff_0000_0001_0000", "B": "8'b1010_1010", "U": "4_294_967_295", "R": "1_0.25e1", "S": `"a b+c"`,
	}
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.run(1)
		for name, want := range map[string]uint64{
			"i_o": 1000, "n_o": 0xffff_fffd, "h_o": 0xff_0000_0001_0000, "b_o": 0xaa, "u_o": 0xffff_ffff, "r_o": 205, "s_o": 1,
		} {
			if got := d.get(0, name); got != want {
				t.Errorf("%s is %d, not %d", name, got, want)
			}
		}
	})
}

// A value is refused if a simulator would take another in its place without an error.
func TestWrongParameters(t *testing.T) {
	for value, wrong := range map[string]bool{
		"12": false, "-3": false, "8'h1f": false, "8'shff": false, "'d10": false, "2.5": false, "-1e3": false, `""`: false,
		"": true, "1+2": true, "(1)": true, "-8'sd3": true, "'1": true, "8'b1x": true, "8 'h1": true, "name": true, "_1": true, "1.": true, `"a`: true, `"\n"`: true,
		"4294967295": false, "4294967296": true, "-2147483648": false, "-2147483649": true, "64'd4294967296": false,
	} {
		d := bridge.Design{Top: "m", Params: map[string]string{"P": value}}
		if all, err := d.Parameters(); (err != nil) != wrong {
			t.Errorf("the value %s gives %v, %v", value, all, err)
		}
	}
}
