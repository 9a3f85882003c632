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

  output movegen_position_t position_o,  // the position in the view of the side to move
  output movegen_coded_t    coded_o,
  output logic [63:0] occupied_o,
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
  movegen_position_t host, load;
  movegen_coded_t load_coded;
  game_state_t load_state, state;
  logic [63:0] own, pawns, knights, bishops, rooks, queens, kings;
  logic [3:0] castling;

  // Rights, en passant, and pieces of the start position.
  localparam logic [4 + 8 + 7 * 64 - 1:0] Start = {
    4'b1111, 8'd0, 64'h0000_0000_0000_ffff, 64'h00ff_0000_0000_ff00, 64'h4200_0000_0000_0042,
    64'h2400_0000_0000_0024, 64'h8100_0000_0000_0081, 64'h0800_0000_0000_0008,
    64'h1000_0000_0000_0010
  };

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

  assign host = {
    host_castling, load_ep_i, host_own, host_pawns, host_knights, host_bishops, host_rooks,
    host_queens, host_kings
  };
  assign load = start_i ? Start : host;

  movegen_encode u_encode (.position_i(load), .coded_o(load_coded));

  // Started, loaded, or what it is.
  assign load_state = start_i ? {16'd1, 16'd0, 1'b0, load_coded} :
                      load_i ? {load_fullmove_i, load_halfmove_i, load_black_i, load_coded} : state;

  game_state #(.Plies(2)) u_game (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_valid_i(start_i | load_i | make_i | keep_i), .cmd_i(make_i ? GameMake : GameLoad),
    .move_from_i(move_from_i), .move_to_i(move_to_i), .move_promotion_i(move_promotion_i),
    .load_i(load_state),
    /* verilator lint_off PINCONNECTEMPTY */
    .error_o(), .depth_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .state_o(state)
  );

  assign {fullmove_o, halfmove_o, black_o, coded_o} = state;

  movegen_decode u_decode (.coded_i(coded_o), .position_o(position_o));

  assign castling = position_o.castling;
  assign own = position_o.own;
  assign pawns = position_o.pawns;
  assign knights = position_o.knights;
  assign bishops = position_o.bishops;
  assign rooks = position_o.rooks;
  assign queens = position_o.queens;
  assign kings = position_o.kings;
  assign occupied_o = pawns | knights | bishops | rooks | queens | kings;
  assign pos_white_o = validity_pkg::turned(black_o ? occupied_o & ~own : own, black_o);
  assign pos_pawns_o = validity_pkg::turned(pawns, black_o);
  assign pos_knights_o = validity_pkg::turned(knights, black_o);
  assign pos_bishops_o = validity_pkg::turned(bishops, black_o);
  assign pos_rooks_o = validity_pkg::turned(rooks, black_o);
  assign pos_queens_o = validity_pkg::turned(queens, black_o);
  assign pos_kings_o = validity_pkg::turned(kings, black_o);
  assign pos_occupied_o = validity_pkg::turned(occupied_o, black_o);
  assign pos_castling_o = black_o ? {castling[1:0], castling[3:2]} : castling;

endmodule

`default_nettype wire
