// Logic of all kinds that Yosys maps to LUTs, with registers in every relation to each other: that
// change places, that shift, that hold, that are counted by others.
module logic_zoo (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic         en_i,
  input  logic  [2:0]  sel_i,
  input  logic  [15:0] a_i,
  input  logic  [15:0] b_i,
  input  logic  [599:0] wide_i,
  input  logic  [6:0]  s_i,
  output logic  [31:0] product_o,
  output logic  [15:0] mixed_o,
  output logic  [15:0] through_o,
  output logic  [7:0]  constant_o,
  output logic  [599:0] wide_o,
  output logic         parity_o,
  output logic  [6:0]  s_o,
  output logic  [15:0] left_o,
  output logic  [15:0] right_o,
  output logic  [15:0] line_o,
  output logic  [15:0] held_o,
  output logic  [15:0] count_o,
  output logic  [15:0] initial_o,
  output logic  [15:0] popcount_o
);

  logic [15:0] left_q, right_q, held_q, count_q;
  logic [15:0] line_q [4];
  logic [15:0] initial_q = 16'h5aa5;
  logic [31:0] product_q;
  logic [599:0] wide_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q    <= 16'h1234;
      right_q   <= 16'habcd;
      held_q    <= '0;
      count_q   <= '0;
      product_q <= '0;
      wide_q    <= '0;
      for (int i = 0; i < 4; i++) line_q[i] <= '0;
    end else begin
      // Two registers change places.
      left_q  <= en_i ? right_q : left_q;
      right_q <= en_i ? left_q : right_q ^ b_i;
      line_q[0] <= a_i;
      for (int i = 1; i < 4; i++) line_q[i] <= line_q[i - 1];
      if (en_i && sel_i == 3'd5) held_q <= a_i;
      count_q <= count_q + {15'b0, held_q[0] ^ line_q[3][2]};
      product_q <= a_i * b_i;
      wide_q <= wide_q ^ {wide_i[299:0], wide_i[599:300]};
    end
  end

  // No reset: known from power-up on. It is an LFSR, so that a bit that is lost is seen for ever.
  always_ff @(posedge clk_i) initial_q <= {initial_q[14:0], initial_q[15] ^ initial_q[13] ^ initial_q[12] ^ initial_q[10]};

  always_comb begin
    case (sel_i)
      3'd0: mixed_o = a_i + b_i;
      3'd1: mixed_o = a_i - b_i;
      3'd2: mixed_o = a_i << b_i[3:0];
      3'd3: mixed_o = $signed(a_i) >>> b_i[3:0];
      3'd4: mixed_o = {15'b0, a_i < b_i};
      3'd5: mixed_o = {15'b0, $signed(a_i) < $signed(b_i)};
      3'd6: mixed_o = a_i & ~b_i;
      3'd7: mixed_o = count_q;
    endcase
    popcount_o = '0;
    for (int i = 0; i < 16; i++) popcount_o = popcount_o + {15'b0, a_i[i] ^ line_q[1][i]};
  end

  assign product_o  = product_q;
  assign through_o  = a_i;
  assign constant_o = 8'h6c;
  assign wide_o     = wide_q;
  assign parity_o   = ^wide_q ^ rst_i;
  assign s_o        = -s_i;
  assign left_o     = left_q;
  assign right_o    = right_q;
  assign line_o     = line_q[3];
  assign held_o     = held_q;
  assign count_o    = count_q;
  assign initial_o  = initial_q;

endmodule
