// A question is not asked before the last move of the one before has come, and so movegen takes its
// position at once. See validity_asserted.sv for what this is for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module validity_ask_asserted (
  input wire clk_i,
  input wire rst_i,
  input wire ask_i,
  input wire valid_q,
  input wire ready,
  input wire beat_valid,
  input wire beat_last,
  input wire busy_q,
  input wire ended_q,
  input wire move_valid_o
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun
  logic under_q = 1'b0;  // movegen has a position

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (rst_i) under_q <= 1'b0;
    else if (valid_q & ready) under_q <= 1'b1;
    else if (beat_valid & beat_last) under_q <= 1'b0;
    if (begun_q & ask_i) assert (~busy_q);
    if (begun_q & valid_q) assert (ready & ~under_q);
    if (begun_q & (valid_q | under_q)) assert (busy_q & ~ended_q);
    if (begun_q & beat_valid) assert (under_q);
    if (begun_q & move_valid_o) assert (busy_q);
  end
`endif

endmodule

bind validity_ask validity_ask_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
