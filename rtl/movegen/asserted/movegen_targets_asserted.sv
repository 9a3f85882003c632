// What holds of the class whose turn it is in movegen_targets. See movegen_asserted.sv for what
// this is for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module movegen_targets_asserted (
  input wire        clk_i,
  input wire        rst_i,
  input wire        valid_i,
  input wire        valid_q,
  input wire        fresh_q,
  input wire        take_o,
  input wire        plain_q,
  input wire        by_victim_q,
  input wire        taken_q,
  input wire [63:0] todo_q,
  input wire [63:0] code0_q,
  input wire [63:0] code1_q,
  input wire [63:0] code2_q,
  input wire [63:0] occupied_q,
  input wire [7:0]  ep_q,
  input wire [6:0]  class_q,
  input wire [6:0]  left_q,
  input wire [2:0]  code_q,
  input wire        more,
  input wire [63:0] current,
  input wire [63:0] lowest,
  input wire        ep_on_q,
  input wire        promotions_on_q
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun
  logic position_q = 1'b0;  // a position has been taken over since
  logic [4:0] victims;   // queens, rooks, bishops, knights, pawns: those left on todo_q
  logic [2:0] code;      // the code of the class's victims

  assign victims[0] = |(todo_q & code2_q & code0_q);
  assign victims[1] = |(todo_q & code2_q & ~code1_q & ~code0_q);
  assign victims[2] = |(todo_q & ~code2_q & code1_q & code0_q);
  assign victims[3] = |(todo_q & ~code2_q & code1_q & ~code0_q);
  assign victims[4] = |(todo_q & ~code2_q & ~code1_q & code0_q);

  assign code = ({3{class_q[0]}} & piece_pkg::Queen) | ({3{class_q[1]}} & piece_pkg::Rook) |
                ({3{class_q[2]}} & piece_pkg::Bishop) | ({3{class_q[3]}} & piece_pkg::Knight) |
                ({3{class_q[4]}} & piece_pkg::Pawn);

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    position_q <= begun_q & (position_q | take_o);
    if (begun_q & valid_q & ~fresh_q) assert (position_q);
    if (begun_q & valid_q & fresh_q) assert (valid_i);  // stage 4 still holds it
    // No square has the code 7, which is no piece's.
    if (begun_q & valid_q) assert (~|(code0_q & code1_q & code2_q));
    if (begun_q & valid_q) assert (occupied_q == (code0_q | code1_q | code2_q));
    if (begun_q & valid_q) assert (~|(ep_q & occupied_q[47:40]));
    assert (more | ~|(current & ~lowest));
    if (begun_q & valid_q & ~plain_q) assert (~|(class_q & (class_q - 7'd1)));
    // En passant has its turn with pawns that are captured, promotions have one of their own.
    if (begun_q & valid_q & ~plain_q) assert (ep_on_q == class_q[4] && promotions_on_q == class_q[5]);
    if (begun_q & valid_q & ~plain_q & promotions_on_q) assert (code_q == 3'd7);
    if (begun_q & valid_q & ~plain_q & (|class_q[4:0])) assert (code_q == code);
    // If victims matter, each that is left has its turn or will have it.
    if (begun_q & valid_q & ~plain_q & by_victim_q) begin
      assert (~|(victims & ~(class_q[4:0] | left_q[4:0])));
    end
    // If victims do not matter, captures are one class, the first. After it no square with a piece
    // is left.
    if (begun_q & valid_q & ~plain_q & ~by_victim_q) begin
      assert (~|class_q[3:0] & ~|left_q[4:0]);
      assert (taken_q == class_q[4]);
      assert (class_q[4] | ~|(todo_q & occupied_q));
    end
  end
`endif

endmodule

bind movegen_targets movegen_targets_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
