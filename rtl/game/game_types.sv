// The state of a game. The type is in no package, for the reason that movegen_types has.

`default_nettype none

typedef struct packed {
  logic [15:0]    fullmove;  // number of the move, up to 65535
  logic [15:0]    halfmove;  // plies since the last capture or pawn's move, up to 65535
  logic           black;     // black is to move
  movegen_coded_t position;  // in the view of the side to move
} game_state_t;

`default_nettype wire
