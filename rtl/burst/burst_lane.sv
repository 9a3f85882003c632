// Stages 3 to 6 of half a direction: one move a clock.
//
// Stage 3 holds what is left of its half of the word. Halves are such that the squares of a ray
// alternate between them, so that both lanes of a direction are busy: by the colour of the square
// on ranks and files, by rank on diagonals (whose squares are of one colour).
//
// Stage 4 is the lowest arrival of these. A square is a line, along which the lane's pieces travel,
// and a place on it: its rank, or its file if they travel sideways.
//
// Stage 5 has looked up all pieces of the arrival's line at once, and which squares behind the
// arrival are not empty. In stage 6 the origin is known: the nearest of these; and what stands at
// the arrival is captured. As the arrival is legal, nothing else is in the way.
//
// Latency 4 with advance_i, one move a clock.

`default_nettype none

module burst_lane #(
  parameter int Direction = 0,  // see burst_pkg
  // 0: dark squares, on diagonals ranks 1, 3, ...; 1: light ones, ranks 2, 4, ...
  parameter int Half      = 0,
  parameter int Ranks     = 8   // of the word: 8, or 11 with ranks for promotions
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic               advance_i,     // 0: hold

  input  logic               load_i,        // stage 3 takes this word, see burst_words;
  /* verilator lint_off UNUSEDSIGNAL */       // half of it is the other lane's
  input  logic [8*Ranks-1:0] word_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // otherwise, what it holds is of a position being listed
  input  logic               valid_i,
  output logic               more_o,        // of which something is left beyond the next move

  // of the position in stage 4: codes of the pieces, by lines
  input  logic [63:0]        code0_i,
  input  logic [63:0]        code1_i,
  input  logic [63:0]        code2_i,

  output logic [31:0]        move_o         // see burst
);

  localparam bit Diagonal = Direction >= burst_pkg::NorthEast;
  localparam bit Rising = (Direction == burst_pkg::NorthEast) | (Direction == burst_pkg::SouthWest);
  localparam bit Sideways = (Direction == burst_pkg::East) | (Direction == burst_pkg::West);
  localparam bit Down = (Direction % 2) == 1;  // places descend
  localparam int Width = Diagonal ? 8 * ((Ranks + 1 - Half) / 2) : 4 * Ranks;

  // Square of the board on a line and at a place.
  function automatic logic [5:0] square(input logic [2:0] line, input logic [2:0] place);
    if (Sideways) square = {line, place};
    else if (!Diagonal) square = {place, line};
    else if (Rising) square = {place, line + place};
    else square = {place, line - place};
  endfunction

  // Stages 3 and 4.
  logic valid4_q;
  logic [Width-1:0] lowest, rest3_q;
  logic [2:0] line4_q, place4_q, under4_q;  // under: promotion to rook, bishop, knight

  logic [Width-1:0] half;

  for (genvar i = 0; i < Ranks; i++) begin : g_half
    if (!Diagonal) begin : g_colour
      localparam int File = (i + Half) % 2;
      assign half[4*i +: 4] = {word_i[8*i+6+File], word_i[8*i+4+File], word_i[8*i+2+File], word_i[8*i+File]};
    end else if (i % 2 == Half) begin : g_rank
      assign half[4*(i-Half) +: 8] = word_i[8*i +: 8];
    end
  end

  // Of each bit of the half its line, its place, and which promotion. Where such travel cannot end,
  // at the edge that it leaves, the half is 0: said by reach, so that there are no flip-flops for
  // it.
  logic [Width-1:0] reach, line0, line1, line2, place0, place1, place2, rank9, rank10, rank11;

  for (genvar i = 0; i < Width; i++) begin : g_square
    // rank, which may be beyond the board
    localparam int Beyond = Diagonal ? 2 * (i / 8) + Half : i / 4;
    localparam int File = Diagonal ? i % 8 : 2 * (i % 4) + (Beyond + Half) % 2;
    localparam int Rank = Beyond > 7 ? 7 : Beyond;
    localparam int Line = Sideways ? Rank : !Diagonal ? File : Rising ? File + 8 - Rank : File + Rank;
    localparam bit FromRank = Sideways | (Down ? Rank < 7 : Rank > 0);
    localparam bit FromFile = (Direction == burst_pkg::North) | (Direction == burst_pkg::South) |
                              (Rising | Sideways ? (Down ? File < 7 : File > 0) : (Down ? File > 0 : File < 7));

    assign reach[i] = FromRank & FromFile;
    assign {line2[i], line1[i], line0[i]} = 3'(Line);
    assign {place2[i], place1[i], place0[i]} = 3'(Sideways ? File : Rank);
    assign {rank11[i], rank10[i], rank9[i]} = {Beyond == 10, Beyond == 9, Beyond == 8};
  end

  /* verilator lint_off UNUSEDSIGNAL */  // beyond the half it is 0
  logic [63:0] lowest64;
  /* verilator lint_on UNUSEDSIGNAL */

  assign lowest64 = movegen_pkg::lowest(64'(rest3_q));
  assign lowest = lowest64[Width-1:0];
  assign more_o = burst_pkg::two_or_more(48'(rest3_q));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid4_q <= 1'b0;
    end else if (advance_i) begin
      valid4_q <= valid_i & (|rest3_q);
    end

    if (advance_i) begin
      rest3_q <= load_i ? half & reach : rest3_q & ~lowest;
      line4_q <= {|(lowest & line2), |(lowest & line1), |(lowest & line0)};
      place4_q <= {|(lowest & place2), |(lowest & place1), |(lowest & place0)};
      under4_q <= {|(lowest & rank11), |(lowest & rank10), |(lowest & rank9)};
    end
  end

  // Stage 5.
  logic valid5_q;
  logic [2:0] line5_q, place5_q, under5_q;
  logic [7:0] here4, places4, on0_q, on1_q, on2_q, behind_q;
  logic [63:0] occupied;

  assign occupied = code0_i | code1_i | code2_i;
  assign here4 = 8'd1 << place4_q;
  assign places4 = Down ? ~(here4 | (here4 - 8'd1)) : here4 - 8'd1;  // behind the arrival

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid5_q <= 1'b0;
    end else if (advance_i) begin
      valid5_q <= valid4_q;
    end

    if (advance_i) begin
      line5_q <= line4_q;
      place5_q <= place4_q;
      under5_q <= under4_q;
      on0_q <= code0_i[{line4_q, 3'd0} +: 8];
      on1_q <= code1_i[{line4_q, 3'd0} +: 8];
      on2_q <= code2_i[{line4_q, 3'd0} +: 8];
      behind_q <= occupied[{line4_q, 3'd0} +: 8] & places4;
    end
  end

  // Stage 6.
  logic [7:0] here, hidden, nearest;
  logic [2:0] origin, piece, captured, promotion;
  logic [5:0] from, to;
  logic ep, castling, valid6_q;
  logic [22:0] move6_q;

  always_comb begin
    here = 8'd1 << place5_q;
    if (Down) begin
      hidden = (behind_q << 1) | (behind_q << 2) | (behind_q << 3) | (behind_q << 4) | (behind_q << 5) |
               (behind_q << 6) | (behind_q << 7);
    end else begin
      hidden = (behind_q >> 1) | (behind_q >> 2) | (behind_q >> 3) | (behind_q >> 4) | (behind_q >> 5) |
               (behind_q >> 6) | (behind_q >> 7);
    end
  end

  assign nearest = behind_q & ~hidden;
  assign origin = {|(nearest & 8'hf0), |(nearest & 8'hcc), |(nearest & 8'haa)};
  assign piece = {|(nearest & on2_q), |(nearest & on1_q), |(nearest & on0_q)};
  assign captured = {|(here & on2_q), |(here & on1_q), |(here & on0_q)};
  assign from = square(line5_q, origin);
  assign to = square(line5_q, place5_q);

  // A pawn that travels along a diagonal to an empty square captures in passing.
  assign ep = Diagonal & (piece == piece_pkg::Pawn) & (captured == piece_pkg::None);

  // A pawn's arrival on rank 8 is its promotion to a queen.
  assign promotion = under5_q[0] ? piece_pkg::Rook :
                     under5_q[1] ? piece_pkg::Bishop :
                     under5_q[2] ? piece_pkg::Knight :
                     (Ranks > 8) & (piece == piece_pkg::Pawn) & (place5_q == 3'd7) ? piece_pkg::Queen :
                     piece_pkg::None;

  // The king travels by two.
  assign castling = Sideways & (piece == piece_pkg::King) & (from[0] == to[0]);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid6_q <= 1'b0;
    end else if (advance_i) begin
      valid6_q <= valid5_q;
    end

    if (advance_i) begin
      move6_q <= {castling, ep ? piece_pkg::Pawn : captured, ep, piece, promotion, to, from};
    end
  end

  assign move_o = {valid6_q, 3'd0, move6_q[22:15], 1'b0, move6_q[14:12], 2'd0, move6_q[11:6], 2'd0,
                   move6_q[5:0]};

endmodule

`default_nettype wire
