// The state of a game of chess: a position that is loaded once and then follows the moves made and
// taken back, so that what is next to it (the move generator, a search, a bus) never has to send or
// rebuild one.
//
// A command a clock; the state after it is at the outputs in the next cycle. The outputs feed the
// move generator as they are: board words are in the view of the side to move, whose pawns move up
// (with black to move square n is n ^ 56 and the colours swap). Making a move turns the board,
// which is wiring. Before each move the whole state goes on a stack, a RAM, from which taking back
// a move (or a null move) gets it again.
//
//   cycle     0      1      2      3
//   cmd_i     make   make   unmake
//   state     P0     P1     P2     P1
//   depth_o   0      1      2      1
//   error_o   0      0      0      0      (of the command of the cycle before)
//
// A command that cannot be carried out leaves the state as it was and is answered by error_o. That
// a move is otherwise legal is trusted, and so are the position loaded and that a null move is not
// made in check. After reset the board is empty and the stack too.
//
// The work is done by game_state, which blocks of this repository take; here are a port for each
// kind of piece.
//
// Cost: 1691 LUTs, 101 RAM64M, 311 flip-flops; routed at 104 MHz (docs/pnr/game.md).

`default_nettype none

module game #(
  parameter int Plies = 64,                       // moves that can be taken back
  localparam int DepthWidth = $clog2(Plies + 1)
) (
  input  logic        clk_i,
  input  logic        rst_i,              // synchronous

  input  logic        cmd_valid_i,
  input  logic [1:0]  cmd_i,              // 0 load, 1 make, 2 null move, 3 unmake
  input  logic [5:0]  move_from_i,        // make: squares in the view of the side to move
  input  logic [5:0]  move_to_i,
  input  logic [2:0]  move_promotion_i,   // 2 knight, 3 bishop, 4 rook, 5 queen; 0 unless a pawn
                                          // arrives on rank 8

  input  logic [63:0] load_own_i,         // load: what the outputs will show
  input  logic [63:0] load_pawns_i,
  input  logic [63:0] load_knights_i,
  input  logic [63:0] load_bishops_i,
  input  logic [63:0] load_rooks_i,
  input  logic [63:0] load_queens_i,
  input  logic [63:0] load_kings_i,
  input  logic [3:0]  load_castling_i,
  input  logic [7:0]  load_ep_i,
  input  logic        load_black_i,
  input  logic [15:0] load_halfmove_i,
  input  logic [15:0] load_fullmove_i,

  // why the last cycle's command was refused; 0: it was not, or there was none
  output logic [2:0]  error_o,
                                          // 1 make, null move: the stack is full
                                          // 2 unmake: the stack is empty
                                          // 3 make: the origin holds no piece of the side to move
                                          // 4 make: the destination holds one
                                          // 5 make: a pawn on rank 8 does not become a knight,
                                          //   bishop, rook or queen, or something else becomes one
  output logic [DepthWidth-1:0] depth_o,  // moves that can be taken back now

  output logic [63:0] pos_own_o,          // the side to move's pieces
  output logic [63:0] pos_pawns_o,        // pieces by kind, both colours
  output logic [63:0] pos_knights_o,
  output logic [63:0] pos_bishops_o,
  output logic [63:0] pos_rooks_o,
  output logic [63:0] pos_queens_o,
  output logic [63:0] pos_kings_o,
  output logic [3:0]  pos_castling_o,     // rights: 0 king side, 1 queen side; 2, 3 the opponent's
  // file of an opponent's pawn that just made a double step, one-hot (0 = a); 0: none
  output logic [7:0]  pos_ep_o,
  output logic        pos_black_o,        // black is to move
  // plies since the last capture or pawn's move, up to 65535
  output logic [15:0] pos_halfmove_o,
  output logic [15:0] pos_fullmove_o      // number of the move, up to 65535
);

  movegen_position_t load, position;
  movegen_coded_t load_coded;
  game_state_t load_state, state;

  assign load = {
    load_castling_i, load_ep_i, load_own_i, load_pawns_i, load_knights_i, load_bishops_i,
    load_rooks_i, load_queens_i, load_kings_i
  };
  assign load_state = {load_fullmove_i, load_halfmove_i, load_black_i, load_coded};

  movegen_encode u_encode (.position_i(load), .coded_o(load_coded));

  game_state #(.Plies(Plies)) u_state (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_valid_i(cmd_valid_i), .cmd_i(cmd_i), .move_from_i(move_from_i), .move_to_i(move_to_i),
    .move_promotion_i(move_promotion_i), .load_i(load_state),
    .error_o(error_o), .depth_o(depth_o), .state_o(state)
  );

  movegen_decode u_decode (.coded_i(state.position), .position_o(position));

`ifndef SYNTHESIS
  // What is trusted: a position that is loaded is legal. A move that is made is legal, and leads to
  // a legal position.
  logic load_legal, legal, move_legal;
  logic begun_q = 1'b0; // the first reset has

  game_legal u_load_legal (.position_i(load), .legal_o(load_legal));
  game_legal u_legal (.position_i(position), .legal_o(legal));
  game_move_legal u_move_legal (
    .position_i(position), .from_i(move_from_i), .to_i(move_to_i), .legal_o(move_legal)
  );

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q) assume (legal !== 1'b0); // X is a fault, and shows at the outputs
    if (begun_q & cmd_valid_i & (cmd_i == 2'd0)) assume (load_legal);
    if (begun_q & cmd_valid_i & (cmd_i == 2'd1)) assume (move_legal !== 1'b0);
  end
`endif

  assign pos_own_o = position.own;
  assign pos_pawns_o = position.pawns;
  assign pos_knights_o = position.knights;
  assign pos_bishops_o = position.bishops;
  assign pos_rooks_o = position.rooks;
  assign pos_queens_o = position.queens;
  assign pos_kings_o = position.kings;
  assign pos_castling_o = position.castling;
  assign pos_ep_o = position.ep;
  assign pos_black_o = state.black;
  assign pos_halfmove_o = state.halfmove;
  assign pos_fullmove_o = state.fullmove;

endmodule

`default_nettype wire
