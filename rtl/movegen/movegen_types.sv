// How chess blocks carry a position, and what the analysis finds out about one.
//
// The types are in no package: Icarus 11 crashes on a port whose type is a package's. So this file
// comes before the modules that use it, in the same compilation (lists of sources see to that).
//
// They are for wires. Make one by a concatenation in the order of its fields (Yosys 0.23 has no
// assignment patterns) and take it apart by an assignment to one, or to a word each: Verilator then
// sees through it, and simulates as if there were words alone. Registers and memories are a word
// each: to read or write fields within a process is slower, by 7 % in perftengine, and to write
// them one by one by a half in Icarus.

`default_nettype none

// A position by kinds of pieces, in the view of the side to move.
typedef struct packed {
  logic [3:0]  castling;  // rights: 0 king side, 1 queen side; 2, 3 the opponent's
  // file of an opponent's pawn that just made a double step, one-hot (0 = a); 0: none
  logic [7:0]  ep;
  logic [63:0] own;       // the side to move's pieces
  logic [63:0] pawns;     // pieces by kind, both colours
  logic [63:0] knights;
  logic [63:0] bishops;
  logic [63:0] rooks;
  logic [63:0] queens;
  logic [63:0] kings;
} movegen_position_t;

// The same in fewer bits: how positions are stored.
typedef struct packed {
  logic [3:0]  castling;
  logic [7:0]  ep;
  logic [63:0] own;
  logic [63:0] code2;     // piece code of every square (either colour), bit by bit: see piece_pkg
  logic [63:0] code1;
  logic [63:0] code0;
} movegen_coded_t;

// Stage 1, see movegen_rays.
typedef struct packed {
  logic [1:0]  castling;    // the side to move's rights
  logic [7:0]  ep;
  // of the king that is analysed, with again_i the opponent's:
  logic [6:0]  bared;       // rank 5: only the pieces on files f, f + 1 shield it
  logic [7:0]  king7_n;     // its rays to the north on rank 7
  logic [6:0]  king7_ne;
  logic [6:0]  king7_nw;
  logic [1:0]  king1;       // its rays on rank 1: that to the east on e1, that to the west on e1
  // of the position, whatever again_i was:
  logic [63:0] own;
  logic [63:0] pawns;
  logic [63:0] knights;
  logic [63:0] ortho;       // rooks and queens
  logic [63:0] diag;        // bishops and queens
  logic [63:0] kings;
  logic [63:0] empty;       // squares without a piece
  logic [63:0] attacked;    // by the opponent once our king has left; without meaning after again_i
  // of the king that is analysed:
  logic [63:0] king;
  logic [63:0] see_ortho;   // squares from which a rook, a bishop, a knight attacks it
  logic [63:0] see_diag;
  logic [63:0] see_knight;
  logic [63:0] line_ns;     // overlaps of its rays with rays of the other side, by axis
  logic [63:0] line_ew;
  logic [63:0] line_nesw;
  logic [63:0] line_nwse;
} movegen_rays_t;

// Stage 2, see movegen_safety.
typedef struct packed {
  logic [1:0]  castling;    // castling moves
  logic [7:0]  ep;          // as that of the position
  logic [7:0]  ep_ne;       // en passant arrivals on rank 6, by direction
  logic [7:0]  ep_nw;
  logic        check;       // our king is in check
  logic [63:0] code0;       // piece code of every square (either colour), bit by bit
  logic [63:0] code1;
  logic [63:0] code2;
  logic [63:0] empty;       // squares without a piece
  logic [63:0] king;        // our king
  logic [63:0] king_to;     // squares that it may enter, if it can reach them
  logic [63:0] targets;     // squares that our other pieces may enter
  logic [63:0] movers_ns;   // sliders that may move along an axis
  logic [63:0] movers_ew;
  logic [63:0] movers_nesw;
  logic [63:0] movers_nwse;
  logic [63:0] pushers;     // pawns that may be pushed, may capture north-east, north-west
  logic [63:0] takers_ne;
  logic [63:0] takers_nw;
  logic [63:0] knights;     // knights that may move
} movegen_safety_t;

`default_nettype wire
