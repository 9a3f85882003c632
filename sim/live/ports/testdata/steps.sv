// A counter of a width, with a load port, a register that no reset clears, and a module inside:
// what the tests of the page drive.
`default_nettype none
module steps #(
    parameter int Width = 8
) (
    input  wire              clk_i,
    input  wire              rst_ni,
    input  wire              enable_i,
    input  wire              load_i,
    input  wire  [Width-1:0] value_i,
    input  wire  [95:0]      wide_i,
    output logic [Width-1:0] count_o,
    output logic             odd_o,
    output logic             never_o,  // X until load_i was 1
    output logic [95:0]      wide_o
);
  logic [Width-1:0] count_q;
  logic             never_q;
  logic [3:0]       twice;

  doubler u_doubler (.clk_i, .low_i(count_q[2:0]), .twice_o(twice));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else if (load_i) count_q <= value_i;
    else if (enable_i) count_q <= count_q + 1'b1;
    if (load_i) never_q <= 1'b1;
    if (load_i && value_i == '1) $display("loaded the largest: %0d", value_i);
    if (load_i && value_i == 8'hee) $finish;
  end

  assign count_o = count_q;
  assign odd_o   = count_q[0];
  assign never_o = never_q;
  assign wide_o  = ~wide_i ^ {92'd0, twice};
endmodule

module doubler (
    input  wire        clk_i,
    input  wire  [2:0] low_i,
    output logic [3:0] twice_o
);
  logic [2:0] past_q;
  logic [7:0] seen[0:3];
  always_ff @(posedge clk_i) begin
    past_q <= low_i;
    seen[low_i[1:0]] <= {5'd0, low_i};
  end
  assign twice_o = {low_i, 1'b0};
endmodule
`default_nettype wire
