// Names of the values at validity's ports and between its modules, and what is asked of one-hot
// words.

`default_nettype none

package validity_pkg;

  // State of the board.
  // the pieces are to be put as the position has them
  localparam logic [2:0] StateSetUp     = 3'd0;
  localparam logic [2:0] StateTurn      = 3'd1;  // they stand so; a move is due
  localparam logic [2:0] StateMoving    = 3'd2;  // something is in hand
  localparam logic [2:0] StatePromotion = 3'd3;  // a pawn stands on its last rank; a choice is due
  localparam logic [2:0] StateIllegal   = 3'd4;  // what was done must be put back
  localparam logic [2:0] StateOver      = 3'd5;  // the game has ended

  // Why an action, a remote move or a claim is refused (README.md has the exact definitions).
  localparam logic [4:0] ReasonNone            = 5'd0;
  localparam logic [4:0] ReasonBlocked         = 5'd1;
  localparam logic [4:0] ReasonOwnPiece        = 5'd2;
  localparam logic [4:0] ReasonKingIntoCheck   = 5'd3;
  localparam logic [4:0] ReasonPinned          = 5'd4;
  localparam logic [4:0] ReasonStillInCheck    = 5'd5;
  localparam logic [4:0] ReasonCastlingRights  = 5'd6;
  localparam logic [4:0] ReasonCastlingBlocked = 5'd7;
  localparam logic [4:0] ReasonCastlingOut     = 5'd8;
  localparam logic [4:0] ReasonCastlingThrough = 5'd9;
  localparam logic [4:0] ReasonEnPassant       = 5'd10;
  localparam logic [4:0] ReasonPawnCapture     = 5'd11;
  localparam logic [4:0] ReasonPawnForward     = 5'd12;
  localparam logic [4:0] ReasonNotYourTurn     = 5'd13;
  localparam logic [4:0] ReasonTwoPieces       = 5'd14;
  localparam logic [4:0] ReasonNotAMove        = 5'd15;
  localparam logic [4:0] ReasonNotShown        = 5'd16;
  localparam logic [4:0] ReasonUnclear         = 5'd17;
  localparam logic [4:0] ReasonNoPiece         = 5'd18;
  localparam logic [4:0] ReasonPromotion       = 5'd19;
  localparam logic [4:0] ReasonGameOver        = 5'd20;

  // What the LEDs are to show: leds' patterns.
  localparam logic [3:0] ShowNone      = 4'd0;
  localparam logic [3:0] ShowMove      = 4'd1;
  localparam logic [3:0] ShowIllegal   = 4'd2;
  localparam logic [3:0] ShowRestore   = 4'd3;
  localparam logic [3:0] ShowWhiteWins = 4'd4;
  localparam logic [3:0] ShowBlackWins = 4'd5;
  localparam logic [3:0] ShowCheck     = 4'd6;
  localparam logic [3:0] ShowDraw      = 4'd7;
  localparam logic [3:0] ShowPromotion = 4'd8;

  // Result, and its cause.
  localparam logic [1:0] ResultNone  = 2'd0;
  localparam logic [1:0] ResultWhite = 2'd1;
  localparam logic [1:0] ResultBlack = 2'd2;
  localparam logic [1:0] ResultDraw  = 2'd3;

  localparam logic [3:0] CauseNone         = 4'd0;
  localparam logic [3:0] CauseMate         = 4'd1;
  localparam logic [3:0] CauseStalemate    = 4'd2;
  localparam logic [3:0] CauseInsufficient = 4'd3;
  localparam logic [3:0] CauseThreefold    = 4'd4;
  localparam logic [3:0] CauseFivefold     = 4'd5;
  localparam logic [3:0] CauseFifty        = 4'd6;
  localparam logic [3:0] CauseSeventyFive  = 4'd7;
  localparam logic [3:0] CauseResignation  = 4'd8;
  localparam logic [3:0] CauseAgreement    = 4'd9;
  localparam logic [3:0] CauseTime         = 4'd10;
  localparam logic [3:0] CauseTimeNoMate   = 4'd11;

  // What the move generator is asked: the moves of the position as it is, or of one made up.
  localparam logic [2:0] AskReal      = 3'd0;
  localparam logic [2:0] AskFrozen    = 3'd1;  // the opponent's pieces only stand in the way
  localparam logic [2:0] AskCleared   = 3'd2;  // nothing stands in the way
  localparam logic [2:0] AskEnPassant = 3'd3;  // the opponent's pawn has just made a double step
  localparam logic [2:0] AskVictim    = 3'd4;  // there is something to capture

  // Number of the bit that is set in a word with one.
  function automatic logic [5:0] index(input logic [63:0] b);
    index = {
      |(b & 64'hffff_ffff_0000_0000), |(b & 64'hffff_0000_ffff_0000),
      |(b & 64'hff00_ff00_ff00_ff00), |(b & 64'hf0f0_f0f0_f0f0_f0f0),
      |(b & 64'hcccc_cccc_cccc_cccc), |(b & 64'haaaa_aaaa_aaaa_aaaa)
    };
  endfunction

  // Exactly one bit is set.
  function automatic logic one(input logic [63:0] b);
    // All bits that are set agree on each bit of their numbers.
    one = &(index(b) ^ {
      |(b & 64'h0000_0000_ffff_ffff), |(b & 64'h0000_ffff_0000_ffff), |(b & 64'h00ff_00ff_00ff_00ff),
      |(b & 64'h0f0f_0f0f_0f0f_0f0f), |(b & 64'h3333_3333_3333_3333), |(b & 64'h5555_5555_5555_5555)
    });
  endfunction

  // A board word from one side's view to the absolute one, or back.
  function automatic logic [63:0] turned(input logic [63:0] b, input logic black);
    turned = black ? game_pkg::mirror(b) : b;
  endfunction

endpackage

`default_nettype wire
