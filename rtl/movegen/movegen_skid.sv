// Registered valid/ready output with one place in reserve.
//
// The sender may always send while ready_o is 1, which is a register: whether the receiver is ready
// does not reach back into the sender's logic in the same cycle. Once valid_o is 1, it and data_o
// hold until ready_i. One item a clock; latency 1.
// Cost: about one LUT and two flip-flops a bit.

`default_nettype none

module movegen_skid #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic spare_valid_q;
  logic [Width-1:0] spare_q;

  assign ready_o = ~spare_valid_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_o <= 1'b0;
      spare_valid_q <= 1'b0;
    end else if (~valid_o | ready_i) begin
      valid_o <= spare_valid_q | valid_i;
      spare_valid_q <= 1'b0;
    end else if (valid_i) begin
      spare_valid_q <= 1'b1;
    end

    if (~valid_o | ready_i) begin
      data_o <= spare_valid_q ? spare_q : data_i;
    end
    if (~spare_valid_q) begin
      spare_q <= data_i;
    end
  end

endmodule

`default_nettype wire
