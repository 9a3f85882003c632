// Whole-board operations on 64-bit words: bit n is square n, a1 = bit 0, h8 = bit 63.
//
// Compass names are those of the side to move: north is towards the opponent. A step "up" raises
// the square's number (n 8, e 1, ne 9, nw 7), a step "down" lowers it (s 8, w 1, sw 9, se 7).
// Squares reached across the edge of the board are removed by the mask of squares that such a step
// can enter: eastward steps never enter file a, westward ones never file h.

`default_nettype none

package movegen_pkg;

  typedef logic [63:0] board_t;

  localparam board_t All        = 64'hffff_ffff_ffff_ffff;
  localparam board_t NotFileA   = 64'hfefe_fefe_fefe_fefe;
  localparam board_t NotFileH   = 64'h7f7f_7f7f_7f7f_7f7f;
  localparam board_t NotFilesAB = 64'hfcfc_fcfc_fcfc_fcfc;
  localparam board_t NotFilesGH = 64'h3f3f_3f3f_3f3f_3f3f;
  localparam board_t Rank3      = 64'h0000_0000_00ff_0000;

  // Squares that sliders on `from` reach by steps of `step` upwards: through `open` squares, up to
  // and including the first square that is not open. Parallel prefix: distances 1, 2, 4.
  function automatic logic [63:0] ray_up(input board_t from, input board_t open, input board_t enter,
                                    input int step);
    board_t reached, through;
    through = open & enter;
    reached = from | (through & (from << step));
    through = through & (through << step);
    reached = reached | (through & (reached << (2 * step)));
    through = through & (through << (2 * step));
    reached = reached | (through & (reached << (4 * step)));
    ray_up = (reached << step) & enter;
  endfunction

  // As ray_up, by steps that lower the square's number.
  function automatic logic [63:0] ray_down(input board_t from, input board_t open, input board_t enter,
                                      input int step);
    board_t reached, through;
    through = open & enter;
    reached = from | (through & (from >> step));
    through = through & (through >> step);
    reached = reached | (through & (reached >> (2 * step)));
    through = through & (through >> (2 * step));
    reached = reached | (through & (reached >> (4 * step)));
    ray_down = (reached >> step) & enter;
  endfunction

  // As ray_up, step by step: fewer LUTs, one more level.
  function automatic logic [63:0] flood_up(input board_t from, input board_t open, input board_t enter,
                                      input int step);
    board_t reached;
    reached = from;
    for (int k = 0; k < 6; k++) begin
      reached = from | (open & enter & (reached << step));
    end
    flood_up = (reached << step) & enter;
  endfunction

  // As ray_down, step by step: fewer LUTs, one more level.
  function automatic logic [63:0] flood_down(input board_t from, input board_t open, input board_t enter,
                                      input int step);
    board_t reached;
    reached = from;
    for (int k = 0; k < 6; k++) begin
      reached = from | (open & enter & (reached >> step));
    end
    flood_down = (reached >> step) & enter;
  endfunction

  // Squares one king's step away.
  function automatic logic [63:0] king_attacks(input board_t from);
    board_t row;
    row = ((from << 1) & NotFileA) | ((from >> 1) & NotFileH);
    king_attacks = row | ((row | from) << 8) | ((row | from) >> 8);
  endfunction

  // Squares a knight's move away.
  function automatic logic [63:0] knight_attacks(input board_t from);
    board_t one, two;
    one = ((from << 1) & NotFileA) | ((from >> 1) & NotFileH);
    two = ((from << 2) & NotFilesAB) | ((from >> 2) & NotFilesGH);
    knight_attacks = (one << 16) | (one >> 16) | (two << 8) | (two >> 8);
  endfunction

  // The lowest bit set, alone; 0 for an empty word.
  function automatic logic [63:0] lowest(input board_t b);
    lowest = b & (~b + 64'd1);
  endfunction

  // Whether at least two bits are set: pairs are folded together, `any` and `many` side by side;
  // bit 0 collects them.
  function automatic logic two_or_more(input board_t b);
    board_t any, many;
    any = b | (b >> 32);
    many = b & (b >> 32);
    many = many | (many >> 16) | (any & (any >> 16));
    any = any | (any >> 16);
    many = many | (many >> 8) | (any & (any >> 8));
    any = any | (any >> 8);
    many = many | (many >> 4) | (any & (any >> 4));
    any = any | (any >> 4);
    many = many | (many >> 2) | (any & (any >> 2));
    any = any | (any >> 2);
    two_or_more = |((many | (many >> 1) | (any & (any >> 1))) & 64'd1);
  endfunction

  // The number of the square set in a one-hot word; 0 for an empty word.
  function automatic logic [5:0] index_of(input board_t one_hot);
    index_of[0] = |(one_hot & 64'haaaa_aaaa_aaaa_aaaa);
    index_of[1] = |(one_hot & 64'hcccc_cccc_cccc_cccc);
    index_of[2] = |(one_hot & 64'hf0f0_f0f0_f0f0_f0f0);
    index_of[3] = |(one_hot & 64'hff00_ff00_ff00_ff00);
    index_of[4] = |(one_hot & 64'hffff_0000_ffff_0000);
    index_of[5] = |(one_hot & 64'hffff_ffff_0000_0000);
  endfunction

endpackage

`default_nettype wire
