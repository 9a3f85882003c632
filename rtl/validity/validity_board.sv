// The position: a game (rtl/game) that starts from the start position or one that is loaded, and
// goes on by the moves made.
//
// Within, board words are in the view of the side to move; to the outside they are absolute.
// Nothing is taken back here, so after each move the position is loaded once more (keep_i), which
// empties game's stack.
//
// Cost: that of game; besides, some 500 LUTs to turn boards.

`default_nettype none

module validity_board (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        start_i,           // take the start position
  input  logic        load_i,            // take the one at load_*
  input  logic        make_i,            // make the move at move_*
  input  logic        keep_i,            // after it

  input  logic [63:0] load_white_i,      // absolute
  input  logic [63:0] load_pawns_i,
  input  logic [63:0] load_knights_i,
  input  logic [63:0] load_bishops_i,
  input  logic [63:0] load_rooks_i,
  input  logic [63:0] load_queens_i,
  input  logic [63:0] load_kings_i,
  input  logic [3:0]  load_castling_i,   // 0 K, 1 Q, 2 k, 3 q
  input  logic [7:0]  load_ep_i,
  input  logic        load_black_i,
  input  logic [15:0] load_halfmove_i,
  input  logic [15:0] load_fullmove_i,

  input  logic [5:0]  move_from_i,       // in the view of the side to move
  input  logic [5:0]  move_to_i,
  input  logic [2:0]  move_promotion_i,

  output logic [63:0] own_o,             // the position in the view of the side to move
  output logic [63:0] pawns_o,
  output logic [63:0] knights_o,
  output logic [63:0] bishops_o,
  output logic [63:0] rooks_o,
  output logic [63:0] queens_o,
  output logic [63:0] kings_o,
  output logic [63:0] occupied_o,
  output logic [3:0]  castling_o,        // 0, 1 its own rights; 2, 3 the opponent's
  output logic [7:0]  ep_o,
  output logic        black_o,
  output logic [15:0] halfmove_o,
  output logic [15:0] fullmove_o,

  output logic [63:0] pos_white_o,       // the same, absolute
  output logic [63:0] pos_pawns_o,
  output logic [63:0] pos_knights_o,
  output logic [63:0] pos_bishops_o,
  output logic [63:0] pos_rooks_o,
  output logic [63:0] pos_queens_o,
  output logic [63:0] pos_kings_o,
  output logic [63:0] pos_occupied_o,
  output logic [3:0]  pos_castling_o
);

  localparam logic [1:0] GameLoad = 2'd0, GameMake = 2'd1;

  logic [63:0] host_all, host_own, host_pawns, host_knights, host_bishops, host_rooks, host_queens,
    host_kings;
  logic [3:0] host_castling;
  logic [63:0] own, pawns, knights, bishops, rooks, queens, kings;
  logic [3:0] castling;
  logic [7:0] ep;
  logic black;
  logic [15:0] halfmove, fullmove;

  assign host_all = load_pawns_i | load_knights_i | load_bishops_i | load_rooks_i | load_queens_i |
                    load_kings_i;
  assign host_own = validity_pkg::turned(load_black_i ? host_all & ~load_white_i : load_white_i, load_black_i);
  assign host_pawns = validity_pkg::turned(load_pawns_i, load_black_i);
  assign host_knights = validity_pkg::turned(load_knights_i, load_black_i);
  assign host_bishops = validity_pkg::turned(load_bishops_i, load_black_i);
  assign host_rooks = validity_pkg::turned(load_rooks_i, load_black_i);
  assign host_queens = validity_pkg::turned(load_queens_i, load_black_i);
  assign host_kings = validity_pkg::turned(load_kings_i, load_black_i);
  assign host_castling = load_black_i ? {load_castling_i[1:0], load_castling_i[3:2]} : load_castling_i;

  always @* begin
    own = own_o;
    pawns = pawns_o;
    knights = knights_o;
    bishops = bishops_o;
    rooks = rooks_o;
    queens = queens_o;
    kings = kings_o;
    castling = castling_o;
    ep = ep_o;
    black = black_o;
    halfmove = halfmove_o;
    fullmove = fullmove_o;
    if (start_i) begin
      own = 64'h0000_0000_0000_ffff;
      pawns = 64'h00ff_0000_0000_ff00;
      knights = 64'h4200_0000_0000_0042;
      bishops = 64'h2400_0000_0000_0024;
      rooks = 64'h8100_0000_0000_0081;
      queens = 64'h0800_0000_0000_0008;
      kings = 64'h1000_0000_0000_0010;
      castling = 4'b1111;
      ep = 8'd0;
      black = 1'b0;
      halfmove = 16'd0;
      fullmove = 16'd1;
    end else if (load_i) begin
      own = host_own;
      pawns = host_pawns;
      knights = host_knights;
      bishops = host_bishops;
      rooks = host_rooks;
      queens = host_queens;
      kings = host_kings;
      castling = host_castling;
      ep = load_ep_i;
      black = load_black_i;
      halfmove = load_halfmove_i;
      fullmove = load_fullmove_i;
    end
  end

  game #(.Plies(2)) u_game (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_valid_i(start_i | load_i | make_i | keep_i), .cmd_i(make_i ? GameMake : GameLoad),
    .move_from_i(move_from_i), .move_to_i(move_to_i), .move_promotion_i(move_promotion_i),
    .load_own_i(own), .load_pawns_i(pawns), .load_knights_i(knights), .load_bishops_i(bishops),
    .load_rooks_i(rooks), .load_queens_i(queens), .load_kings_i(kings), .load_castling_i(castling),
    .load_ep_i(ep), .load_black_i(black), .load_halfmove_i(halfmove), .load_fullmove_i(fullmove),
    /* verilator lint_off PINCONNECTEMPTY */
    .error_o(), .depth_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .pos_own_o(own_o), .pos_pawns_o(pawns_o), .pos_knights_o(knights_o), .pos_bishops_o(bishops_o),
    .pos_rooks_o(rooks_o), .pos_queens_o(queens_o), .pos_kings_o(kings_o),
    .pos_castling_o(castling_o), .pos_ep_o(ep_o), .pos_black_o(black_o),
    .pos_halfmove_o(halfmove_o), .pos_fullmove_o(fullmove_o)
  );

  assign occupied_o = pawns_o | knights_o | bishops_o | rooks_o | queens_o | kings_o;
  assign pos_white_o = validity_pkg::turned(black_o ? occupied_o & ~own_o : own_o, black_o);
  assign pos_pawns_o = validity_pkg::turned(pawns_o, black_o);
  assign pos_knights_o = validity_pkg::turned(knights_o, black_o);
  assign pos_bishops_o = validity_pkg::turned(bishops_o, black_o);
  assign pos_rooks_o = validity_pkg::turned(rooks_o, black_o);
  assign pos_queens_o = validity_pkg::turned(queens_o, black_o);
  assign pos_kings_o = validity_pkg::turned(kings_o, black_o);
  assign pos_occupied_o = validity_pkg::turned(occupied_o, black_o);
  assign pos_castling_o = black_o ? {castling_o[1:0], castling_o[3:2]} : castling_o;

endmodule

`default_nettype wire
