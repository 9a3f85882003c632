// Integer computations (2.4): the operation is funct3; alternative_i makes an addition a
// subtraction, and a shift to the right arithmetic.

`default_nettype none

module rv32i_alu (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [2:0]  operation_i,
  input  logic        alternative_i,
  output logic [31:0] result_o
);

  always_comb begin
    case (operation_i)
      3'b000: result_o = alternative_i ? a_i - b_i : a_i + b_i;
      3'b001: result_o = a_i << b_i[4:0];
      3'b010: result_o = {31'd0, $signed(a_i) < $signed(b_i)};
      3'b011: result_o = {31'd0, a_i < b_i};
      3'b100: result_o = a_i ^ b_i;
      3'b101: result_o = alternative_i ? $unsigned($signed(a_i) >>> b_i[4:0]) : a_i >> b_i[4:0];
      3'b110: result_o = a_i | b_i;
      default: result_o = a_i & b_i;
    endcase
  end

endmodule

`default_nettype wire
