// The state of a game: what game says of commands, times and errors, with the position in one word.
//
// Cost: 1691 LUTs, 101 RAM64M, 311 flip-flops with game's ports.

`default_nettype none

module game_state #(
  parameter int Plies = 64,                       // moves that can be taken back
  localparam int DepthWidth = $clog2(Plies + 1)
) (
  input  logic        clk_i,
  input  logic        rst_i,              // synchronous

  input  logic        cmd_valid_i,
  input  logic [1:0]  cmd_i,              // 0 load, 1 make, 2 null move, 3 unmake
  input  logic [5:0]  move_from_i,        // make: squares in the view of the side to move
  input  logic [5:0]  move_to_i,
  input  logic [2:0]  move_promotion_i,

  input  game_state_t load_i,             // load: what state_o will show

  output logic [2:0]  error_o,            // see game
  output logic [DepthWidth-1:0] depth_o,  // moves that can be taken back now

  output game_state_t state_o
);

  localparam logic [1:0] Load = 2'd0, Make = 2'd1, Null = 2'd2, Unmake = 2'd3;
  localparam logic [2:0] None = 3'd0, Full = 3'd1, Empty = 3'd2, Origin = 3'd3, Destination = 3'd4,
    Promotion = 3'd5;
  localparam int StateWidth = 16 + 16 + 1 + 4 + 8 + 4 * 64; // of game_state_t
  localparam int AddressWidth = Plies > 1 ? $clog2(Plies) : 1;

  game_state_t state_q, state_d, moved, undone;
  logic [StateWidth-1:0] stack_q [Plies];
  logic [DepthWidth-1:0] depth_q;
  logic [AddressWidth-1:0] top, below;
  logic [2:0] error_d;
  logic push, load, unmake;

  // Make, and null move: the same without a piece.
  movegen_coded_t after;
  logic [63:0] own, from, to;
  logic promotes, irreversible, a_piece;
  logic [15:0] halfmove_d, fullmove_d;

  assign own = state_q.position.own;
  assign from = {63'd0, cmd_i == Make} << move_from_i;
  assign to = {63'd0, cmd_i == Make} << move_to_i;

  game_make u_make (
    .position_i(state_q.position), .from_i(from), .to_i(to), .promotion_i(move_promotion_i),
    .position_o(after), .promotes_o(promotes), .irreversible_o(irreversible)
  );

  assign halfmove_d = irreversible ? 16'd0 : state_q.halfmove + {15'd0, ~(&state_q.halfmove)};
  assign fullmove_d = state_q.fullmove + {15'd0, state_q.black & ~(&state_q.fullmove)};
  assign moved = {fullmove_d, halfmove_d, ~state_q.black, after};

  // What is wrong, and what is done.
  assign a_piece = (move_promotion_i >= piece_pkg::Knight) &
                   (move_promotion_i <= piece_pkg::Queen);

  always_comb begin
    error_d = None;
    if (cmd_valid_i) begin
      case (cmd_i)
        Make: begin
          if (depth_q == DepthWidth'(Plies)) error_d = Full;
          else if (~(|(from & own))) error_d = Origin;
          else if (|(to & own)) error_d = Destination;
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
    if (load) state_d = load_i;
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
  assign state_o = state_q;

endmodule

`default_nettype wire
