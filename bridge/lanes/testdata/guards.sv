// Registers that are seldom written, in every relation to each other: words of a FIFO, that shift,
// that read words of other conditions, that change places, that keep while a condition is 1.
module guards (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [11:0] when_i,
  input  logic [1:0]  at_i,
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [31:0] word_o,
  output logic [15:0] shift_o,
  output logic [15:0] next_o,
  output logic [15:0] swap_o,
  output logic [15:0] kept_o
);

  logic [31:0] words_q [4];
  logic [15:0] shift_q [3];
  logic [15:0] chain_q [3];
  logic [15:0] kept_q;
  logic [15:0] x_q = 16'h1234, y_q = 16'h89ab;

  // Each is 1 in one of 1 024 cycles of a lane: in about half of the cycles, no lane has a 1.
  logic write, shift, first, second, third, there, back, hold;
  assign write  = &when_i[9:0];
  assign shift  = rst_i || &(when_i[9:0] ^ 10'h155);
  assign first  = rst_i || &(when_i[9:0] ^ 10'h2aa);
  assign second = rst_i || &(when_i[9:0] ^ 10'h0f0);
  assign third  = rst_i || second && when_i[10];
  assign there  = rst_i || &(when_i[9:0] ^ 10'h30f);
  assign back   = rst_i || &(when_i[9:0] ^ 10'h0ff);
  assign hold   = !rst_i && |(when_i[9:0] ^ 10'h111);

  logic [31:0] product;
  assign product = a_i * b_i;

  // A reset writes, too: so each register is behind one condition.
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      if (rst_i || write && at_i == 2'(i)) words_q[i] <= product;
    end
    if (shift) begin
      shift_q[0] <= a_i;
      shift_q[1] <= shift_q[0];
      shift_q[2] <= shift_q[1];
    end
    // In an order in which no register may be stored before the next has read it.
    if (first)  chain_q[0] <= b_i;
    if (second) chain_q[1] <= chain_q[0];
    if (third)  chain_q[2] <= chain_q[1];
    if (there)  x_q <= y_q;
    if (back)   y_q <= x_q;
    if (!hold)  kept_q <= a_i ^ b_i;
  end

  assign word_o  = words_q[when_i[11:10]];
  assign shift_o = shift_q[2] ^ shift_q[1];
  assign next_o  = chain_q[2] ^ chain_q[1];
  assign swap_o  = x_q ^ {y_q[7:0], y_q[15:8]};
  assign kept_o  = kept_q;

endmodule
