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

  // Squares that sliders on `from` reach by steps of `step` upwards: through `open` squares, up to
  // and including the first square that is not open. Two steps at a time, as that is what a 6-input
  // LUT can do: one LUT a square, four levels. (Written out, as loops are slow in Icarus.)
  function automatic logic [63:0] ray_up(input board_t from, input board_t open, input board_t enter,
                                    input int step);
    board_t through, one, reached;
    through = open & enter;
    one = from | (through & (from << step));
    through = through & (through << step);
    reached = one | (through & (one << (2 * step)));
    reached = one | (through & (reached << (2 * step)));
    reached = one | (through & (reached << (2 * step)));
    ray_up = (reached << step) & enter;
  endfunction

  // As ray_up, by steps that lower the square's number.
  function automatic logic [63:0] ray_down(input board_t from, input board_t open, input board_t enter,
                                      input int step);
    board_t through, one, reached;
    through = open & enter;
    one = from | (through & (from >> step));
    through = through & (through >> step);
    reached = one | (through & (one >> (2 * step)));
    reached = one | (through & (reached >> (2 * step)));
    reached = one | (through & (reached >> (2 * step)));
    ray_down = (reached >> step) & enter;
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

  // The lowest bit set, alone; 0 for an empty word. Within each rank by parallel prefix, then rank
  // by rank (a subtraction would be a carry chain of 64 bits).
  function automatic logic [63:0] lowest(input board_t b);
    board_t upto;
    logic [7:0] below;
    upto = b | ((b << 1) & NotFileA);
    upto = upto | ((upto << 2) & NotFilesAB);
    upto = upto | ((upto << 4) & 64'hf0f0_f0f0_f0f0_f0f0);
    below = {upto[55], upto[47], upto[39], upto[31], upto[23], upto[15], upto[7], 1'b0};
    below = below | (below << 1);
    below = below | (below << 2);
    below = below | (below << 4);
    lowest = b & ~((upto << 1) & NotFileA) &
             ~{{8{below[7]}}, {8{below[6]}}, {8{below[5]}}, {8{below[4]}},
               {8{below[3]}}, {8{below[2]}}, {8{below[1]}}, {8{below[0]}}};
  endfunction

  // Where at least two of six words have a bit set.
  function automatic logic [10:0] two_of_six(input logic [10:0] a, input logic [10:0] b,
                                             input logic [10:0] c, input logic [10:0] d,
                                             input logic [10:0] e, input logic [10:0] f);
    two_of_six = (a & b) | ((a | b) & c) | ((a | b | c) & d) | ((a | b | c | d) & e) |
                 ((a | b | c | d | e) & f);
  endfunction

  // Whether at least two bits are set: six by six, as that is what a LUT can do.
  function automatic logic two_or_more(input board_t b);
    logic [10:0] any, many;
    any = b[10:0] | b[21:11] | b[32:22] | b[43:33] | b[54:44] | {2'b0, b[63:55]};
    many = two_of_six(b[10:0], b[21:11], b[32:22], b[43:33], b[54:44], {2'b0, b[63:55]}) |
           two_of_six({9'b0, any[1:0]}, {9'b0, any[3:2]}, {9'b0, any[5:4]}, {9'b0, any[7:6]},
                      {9'b0, any[9:8]}, {10'b0, any[10]});
    two_or_more = (|many) | (|(any & 11'h555) & (|(any & 11'h2aa)));
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
