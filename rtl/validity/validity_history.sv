// How often the position has been on the board: the positions since the last irreversible move,
// whole, in a block RAM, and a comparison with each that had the same side to move (FIDE articles
// 9.2, 9.6.1).
//
// A position is the word of its board, the rights to castle and the pawn that can be taken en
// passant, if it can. begin_i says that a new one is at entry_i, fresh_i that none before it
// counts. repeats_o is right after 4 + n / 2 cycles, with n positions since the last irreversible
// move; then store_i keeps this one. There are 151 of them at most, as 75 moves without capture or
// pawn's move end a game.
//
// Whether a pawn can be taken en passant may become known after begin_i: only a position right
// after an irreversible move can have one, and there is none to compare it with.
//
// Cost: 213 LUTs, 28 flip-flops, 4 RAMB36.

`default_nettype none

module validity_history #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             begin_i,
  input  logic             fresh_i,
  input  logic             store_i,
  input  logic [Width-1:0] entry_i,

  output logic [7:0]       repeats_o   // 1: it is there for the first time
);

  logic [Width-1:0] positions_q [256];
  logic [Width-1:0] read_q;
  logic [7:0] place_q, next_place, at_q;
  logic reading_q, compare_q, compared_q, same_q;

  assign next_place = fresh_i ? 8'd0 : place_q + 8'd1;

  always_ff @(posedge clk_i) begin
    if (store_i) begin
      positions_q[place_q] <= entry_i;
    end
    read_q <= positions_q[at_q];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      place_q <= 8'd0;
      reading_q <= 1'b0;
      compare_q <= 1'b0;
      compared_q <= 1'b0;
      repeats_o <= 8'd0;
    end else begin
      compare_q <= reading_q;
      compared_q <= compare_q;
      if (begin_i) begin
        place_q <= next_place;
        at_q <= next_place - 8'd2;
        reading_q <= next_place >= 8'd2;
        repeats_o <= 8'd1;
      end else begin
        at_q <= at_q - 8'd2;
        if (at_q < 8'd2) reading_q <= 1'b0;
        if (compared_q & same_q) repeats_o <= repeats_o + 8'd1;
      end
    end
    same_q <= read_q == entry_i;
  end

endmodule

`default_nettype wire
