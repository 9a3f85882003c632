// What is still to be visited: moves, each with the ply of the position in which it is made, on one
// stack for the whole tree. The positions themselves are kept by ply, elsewhere: what
// is taken from the top is always a move in the position last listed at its ply.
//
// A ply is named by its remaining depth: a move of a position with remaining depth r leads to one
// with r - 1. The moves of positions with r = 2 are made as they are listed and never come here;
// those of r = 3 lead to such positions ("parents"); those of r > 3 to positions that are listed
// onto the stack in their turn.
//
// entry_o is taken from the stack ahead of time. For the order to be depth first, nothing is taken
// while a list comes in, except from this list itself, if its moves lead to parents: so the first
// parent is under way while the list is still growing.
//
// The moves of one position of each ply are on the stack at most, and no position has more than
// 218: 4096 places are enough for depth 15 (13 plies with r >= 3).
//
// Cost: 44 LUTs, 30 flip-flops, two RAMB36.

`default_nettype none

module perftengine_stack (
  input  logic        clk_i,
  input  logic        clear_i,

  // a job begins: the root is listed, with start_rem_i plies to go
  input  logic        start_i,
  input  logic [3:0]  start_rem_i,

  input  logic        push_i,         // a move of the list that comes in
  input  logic [3:0]  push_rem_i,     // remaining depth of the position in which it is made
  input  logic [13:0] push_move_i,
  input  logic        push_end_i,     // the list ends (with this move, or without one)

  output logic        entry_valid_o,
  output logic [3:0]  entry_rem_o,
  output logic [13:0] entry_move_o,
  output logic        entry_listed_o, // it leads to a position that is listed onto the stack
  input  logic        entry_take_i,

  output logic        empty_o         // nothing is left, entry_o included
);

  localparam int AddressWidth = 12;

  logic [17:0] moves_q [1 << AddressWidth];
  logic [AddressWidth-1:0] height_q, base_q, top, place;
  logic [3:0] list_rem_q;
  logic listing_q, valid_q, pop, may_pop;
  logic [17:0] entry_q;

  assign {entry_rem_o, entry_move_o} = entry_q;
  assign entry_valid_o = valid_q;
  assign entry_listed_o = entry_rem_o > 4'd3;
  assign empty_o = ~valid_q & (height_q == '0);

  assign may_pop = listing_q ? (list_rem_q == 4'd3) & (height_q != base_q) : height_q != '0;
  assign pop = may_pop & (~valid_q | (entry_take_i & ~entry_listed_o));
  assign top = height_q - AddressWidth'(1);
  assign place = pop ? top : height_q;   // a move that comes in takes the place of one that goes

  always_ff @(posedge clk_i) begin
    if (pop) begin
      entry_q <= moves_q[place];
    end
    if (push_i) begin
      moves_q[place] <= {push_rem_i, push_move_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      height_q <= '0;
      valid_q <= 1'b0;
      listing_q <= 1'b0;
    end else begin
      if (push_i & ~pop) height_q <= height_q + AddressWidth'(1);
      else if (pop & ~push_i) height_q <= top;
      if (pop) valid_q <= 1'b1;
      else if (entry_take_i) valid_q <= 1'b0;
      if (start_i | (entry_take_i & entry_listed_o)) listing_q <= 1'b1;
      else if (push_end_i) listing_q <= 1'b0;
    end
    if (start_i) begin
      base_q <= '0;
      list_rem_q <= start_rem_i;
    end else if (entry_take_i & entry_listed_o) begin
      base_q <= height_q;
      list_rem_q <= entry_rem_o - 4'd1;
    end
  end

endmodule

`default_nettype wire
