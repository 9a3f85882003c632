// The end of a game: found on the board after each move (judge_i), or brought about by resignation,
// a drawn game agreed or claimed, or the fall of a flag.
//
// What comes from outside is kept until act_i, in which nothing else happens on the board; several
// things at once are taken in the order flag, resignation, draw, claim. A draw that a side offers
// stands until the other side offers one too, which is agreement, or moves, which rejects it.
//
// Cost: 71 LUTs, 19 flip-flops.

`default_nettype none

module validity_end (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        clear_i,         // a new game

  input  logic        judge_i,         // the position has been judged
  input  logic        none_i,          // there is no legal move
  input  logic        check_i,         // the side to move is in check
  input  logic [7:0]  repeats_i,       // how often this position has been on the board
  input  logic [15:0] halfmove_i,      // plies since the last capture or pawn's move
  input  logic        black_i,         // black is to move
  input  logic [1:0]  can_mate_i,      // 0 white, 1 black, as in all below
  input  logic        moved_i,         // with judge_i: the opponent of the side to move has moved

  input  logic [1:0]  flag_i,
  input  logic [1:0]  resign_i,
  input  logic [1:0]  draw_i,
  input  logic [1:0]  claim_i,
  input  logic        act_i,
  output logic        pending_o,       // act_i is wanted

  output logic [1:0]  result_o,        // validity_pkg::Result*
  output logic [3:0]  cause_o,         // validity_pkg::Cause*
  output logic [1:0]  offer_o,         // a draw is offered
  output logic        threefold_o,     // a draw can be claimed
  output logic        fifty_o,
  output logic        refused_o        // a claim was refused: one cycle
);

  localparam logic [15:0] FiftyMoves = 16'd100, SeventyFiveMoves = 16'd150;

  logic [1:0] flag_q, resign_q, draw_q, claim_q, offer_q, drawing, loser;
  logic threefold_q, fifty_q, over, claimed;

  assign over = result_o != validity_pkg::ResultNone;
  assign pending_o = |{flag_q, resign_q, draw_q, claim_q};
  assign drawing = offer_q | draw_q;
  assign claimed = claim_q[black_i] & (threefold_q | fifty_q);
  assign offer_o = offer_q & {2{~over}};
  assign threefold_o = threefold_q & ~over;
  assign fifty_o = fifty_q & ~over;

  // Who loses by a flag or by resignation: of both at once, White.
  assign loser = (|flag_q) ? {flag_q[1] & ~flag_q[0], flag_q[0]} : {resign_q[1] & ~resign_q[0], resign_q[0]};

  always_ff @(posedge clk_i) begin
    if (rst_i | clear_i) begin
      flag_q <= 2'b00;
      resign_q <= 2'b00;
      draw_q <= 2'b00;
      claim_q <= 2'b00;
      offer_q <= 2'b00;
      threefold_q <= 1'b0;
      fifty_q <= 1'b0;
      refused_o <= 1'b0;
      result_o <= validity_pkg::ResultNone;
      cause_o <= validity_pkg::CauseNone;
    end else begin
      refused_o <= 1'b0;
      // A flag may stay up, so it is not kept once the game is over.
      flag_q <= (flag_i | (flag_q & {2{~act_i}})) & {2{~over}};
      resign_q <= resign_i | (resign_q & {2{~act_i}});
      draw_q <= draw_i | (draw_q & {2{~act_i}});
      claim_q <= claim_i | (claim_q & {2{~act_i}});

      if (judge_i & ~over) begin
        if (moved_i) offer_q[black_i] <= 1'b0;
        threefold_q <= repeats_i >= 8'd3;
        fifty_q <= halfmove_i >= FiftyMoves;
        if (none_i & check_i) begin
          result_o <= black_i ? validity_pkg::ResultWhite : validity_pkg::ResultBlack;
          cause_o <= validity_pkg::CauseMate;
        end else begin
          if (none_i | (can_mate_i == 2'b00) | (repeats_i >= 8'd5) | (halfmove_i >= SeventyFiveMoves)) begin
            result_o <= validity_pkg::ResultDraw;
          end
          if (none_i) cause_o <= validity_pkg::CauseStalemate;
          else if (can_mate_i == 2'b00) cause_o <= validity_pkg::CauseInsufficient;
          else if (repeats_i >= 8'd5) cause_o <= validity_pkg::CauseFivefold;
          else if (halfmove_i >= SeventyFiveMoves) cause_o <= validity_pkg::CauseSeventyFive;
        end
      end else if (act_i & over) begin
        refused_o <= |claim_q;
      end else if (act_i) begin
        if (|loser) begin
          result_o <= loser[0] ? validity_pkg::ResultBlack : validity_pkg::ResultWhite;
          cause_o <= validity_pkg::CauseResignation;
          if (|flag_q) begin
            cause_o <= validity_pkg::CauseTime;
            if (~(|(can_mate_i & ~loser))) begin
              result_o <= validity_pkg::ResultDraw;
              cause_o <= validity_pkg::CauseTimeNoMate;
            end
          end
        end else if (drawing == 2'b11) begin
          result_o <= validity_pkg::ResultDraw;
          cause_o <= validity_pkg::CauseAgreement;
        end else if (claimed) begin
          result_o <= validity_pkg::ResultDraw;
          cause_o <= threefold_q ? validity_pkg::CauseThreefold : validity_pkg::CauseFifty;
        end else begin
          offer_q <= drawing;
          refused_o <= |claim_q;
        end
      end
    end
  end

endmodule

`default_nettype wire
