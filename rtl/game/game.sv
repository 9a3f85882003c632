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

  // why the last cycle's command was refused; 0: it was not,
  output logic [2:0]  error_o,
                                          // or there was none
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
  // file of an opponent's pawn that just made a double step,
  output logic [7:0]  pos_ep_o,
                                          // one-hot (0 = a); 0: none
  output logic        pos_black_o,        // black is to move
  // plies since the last capture or pawn's move, up to 65535
  output logic [15:0] pos_halfmove_o,
  output logic [15:0] pos_fullmove_o      // number of the move, up to 65535
);

  localparam logic [1:0] Load = 2'd0, Make = 2'd1, Null = 2'd2, Unmake = 2'd3;
  localparam logic [2:0] None = 3'd0, Full = 3'd1, Empty = 3'd2, Origin = 3'd3, Destination = 3'd4,
    Promotion = 3'd5;
  localparam int StateWidth = 4 * 64 + 4 + 8 + 1 + 16 + 16;
  localparam int AddressWidth = Plies > 1 ? $clog2(Plies) : 1;

  logic [63:0] own_q, code0_q, code1_q, code2_q;
  logic [3:0] castling_q;
  logic [7:0] ep_q;
  logic black_q;
  logic [15:0] halfmove_q, fullmove_q;
  logic [StateWidth-1:0] state_q, loaded, moved, undone, state_d;
  logic [StateWidth-1:0] stack_q [Plies];
  logic [DepthWidth-1:0] depth_q;
  logic [AddressWidth-1:0] top, below;
  logic [2:0] error_d;
  logic push, load, unmake;

  assign {own_q, code0_q, code1_q, code2_q, castling_q, ep_q, black_q, halfmove_q, fullmove_q} = state_q;

  // Load.
  assign loaded = {
    load_own_i,
    load_pawns_i | load_bishops_i | load_queens_i,
    load_knights_i | load_bishops_i | load_kings_i,
    load_rooks_i | load_queens_i | load_kings_i,
    load_castling_i, load_ep_i, load_black_i, load_halfmove_i, load_fullmove_i
  };

  // Make, and null move: the same without a piece.
  logic [63:0] from, to, own_d, code0_d, code1_d, code2_d;
  logic [3:0] castling_d;
  logic [7:0] ep_d;
  logic promotes, irreversible, a_piece;
  logic [15:0] halfmove_d, fullmove_d;

  assign from = {63'd0, cmd_i == Make} << move_from_i;
  assign to = {63'd0, cmd_i == Make} << move_to_i;

  game_make u_make (
    .own_i(own_q), .code0_i(code0_q), .code1_i(code1_q), .code2_i(code2_q),
    .castling_i(castling_q), .ep_i(ep_q),
    .from_i(from), .to_i(to), .promotion_i(move_promotion_i),
    .own_o(own_d), .code0_o(code0_d), .code1_o(code1_d), .code2_o(code2_d),
    .castling_o(castling_d), .ep_o(ep_d),
    .promotes_o(promotes), .irreversible_o(irreversible)
  );

  assign halfmove_d = irreversible ? 16'd0 : halfmove_q + {15'd0, ~(&halfmove_q)};
  assign fullmove_d = fullmove_q + {15'd0, black_q & ~(&fullmove_q)};
  assign moved = {own_d, code0_d, code1_d, code2_d, castling_d, ep_d, ~black_q, halfmove_d, fullmove_d};

  // What is wrong, and what is done.
  assign a_piece = (move_promotion_i >= 3'd2) & (move_promotion_i <= 3'd5);

  always_comb begin
    error_d = None;
    if (cmd_valid_i) begin
      case (cmd_i)
        Make: begin
          if (depth_q == DepthWidth'(Plies)) error_d = Full;
          else if (~(|(from & own_q))) error_d = Origin;
          else if (|(to & own_q)) error_d = Destination;
          else if (promotes ? ~a_piece : |move_promotion_i) error_d = Promotion;
        end
        Null: if (depth_q == DepthWidth'(Plies)) error_d = Full;
        Unmake: if (depth_q == '0) error_d = Empty;
        default: ;
      endcase
    end
  end

  assign load = cmd_valid_i & (cmd_i == Load);
  assign push = cmd_valid_i & ((cmd_i == Make) | (cmd_i == Null)) & (error_d == None);
  assign unmake = cmd_valid_i & (cmd_i == Unmake) & (error_d == None);

  // The stack. The place of the next state is that of its depth; the last one is below it.
  assign top = depth_q[AddressWidth-1:0];
  assign below = top - AddressWidth'(1);
  assign undone = stack_q[below];

  always_ff @(posedge clk_i) begin
    if (push) begin
      stack_q[top] <= state_q;
    end
  end

  always_comb begin
    state_d = state_q;
    if (load) state_d = loaded;
    else if (push) state_d = moved;
    else if (unmake) state_d = undone;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= '0;
      depth_q <= '0;
      error_o <= None;
    end else begin
      state_q <= state_d;
      error_o <= error_d;
      if (load) depth_q <= '0;
      else if (push) depth_q <= depth_q + DepthWidth'(1);
      else if (unmake) depth_q <= depth_q - DepthWidth'(1);
    end
  end

  assign depth_o = depth_q;
  assign pos_own_o = own_q;
  assign pos_pawns_o = code0_q & ~code1_q & ~code2_q;
  assign pos_knights_o = ~code0_q & code1_q & ~code2_q;
  assign pos_bishops_o = code0_q & code1_q;
  assign pos_rooks_o = ~code0_q & ~code1_q & code2_q;
  assign pos_queens_o = code0_q & code2_q;
  assign pos_kings_o = code1_q & code2_q;
  assign pos_castling_o = castling_q;
  assign pos_ep_o = ep_q;
  assign pos_black_o = black_q;
  assign pos_halfmove_o = halfmove_q;
  assign pos_fullmove_o = fullmove_q;

endmodule

`default_nettype wire
