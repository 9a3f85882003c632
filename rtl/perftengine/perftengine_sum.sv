// Adds up what is counted: all of it, and by root move.
//
// Root moves come one after the other, each with a mark where it begins. Its count is complete
// where the next one begins or at the end; then it goes to a queue. Whoever sends the marks sees to
// it that no more than Moves of them are on their way or in the queue (marked_i starts, div_* taken
// ends).
//
// Cost: 81 LUTs, 154 flip-flops, 14 RAM32M.

`default_nettype none

module perftengine_sum #(
  parameter int Moves = 16              // places in the queue; a power of two
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        clear_i,          // forget the queue
  input  logic        start_i,          // a new job: count from 0

  input  logic [7:0]  add_i,
  input  logic        mark_i,           // a root move begins, with add_i
  input  logic [14:0] mark_move_i,
  input  logic        end_i,            // all has been counted

  output logic [63:0] total_o,

  output logic        div_valid_o,
  input  logic        div_ready_i,
  output logic [14:0] div_move_o,
  output logic [63:0] div_count_o
);

  logic [63:0] count_q;
  logic [14:0] move_q;
  logic open_q, empty;
  /* verilator lint_off UNUSED */ // those who mark see to it
  logic full;
  /* verilator lint_on UNUSED */

  always_ff @(posedge clk_i) begin
    if (rst_i | start_i) total_o <= 64'd0;
    else total_o <= total_o + {56'd0, add_i};

    if (clear_i | end_i) open_q <= 1'b0;
    else if (mark_i) open_q <= 1'b1;

    count_q <= (mark_i ? 64'd0 : count_q) + {56'd0, add_i};
    if (mark_i) move_q <= mark_move_i;
  end

  perftengine_fifo #(.Width(79), .Depth(Moves)) u_queue (
    .clk_i(clk_i), .clear_i(clear_i),
    .put_i(open_q & (mark_i | end_i)), .data_i({move_q, count_q}),
    .take_i(div_valid_o & div_ready_i), .data_o({div_move_o, div_count_o}),
    .empty_o(empty), .full_o(full)
  );

  assign div_valid_o = ~empty;

endmodule

`default_nettype wire
