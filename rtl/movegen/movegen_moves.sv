// Stage 3: all legal moves, as sets of arrivals, and for the list those that pass the filter.
//
// For each of the eight directions the squares on which one of our pieces can legally arrive by
// travelling that way: sliders, king's steps, pawn pushes and captures, en passant. From one
// direction at most one piece can arrive on a square, so the bits of these words are the legal moves.
// Knights: the knights that may move and the squares they may enter.
// Promotion arrivals are given once more, as each of them stands for four moves.
//
// For the list, by kind of piece, the squares on which one can arrive by a move that passes (see
// movegen_checks): because of the square, or because it uncovers a check. Pawns by direction, and for
// arrivals on rank 8 the promotions that pass. Two rays a direction tell three kinds of sliders: the
// first is that of rooks or bishops that uncover nothing, the second that of those that do, and both
// are those of queens. Who only counts needs one (movegen_arrivals).
//
// Latency 1, one position a clock.
// Cost: 3335 LUTs, 1595 flip-flops.

`default_nettype none

module movegen_moves (
  input  logic        clk_i,
  input  logic        advance_i,      // 1: take the inputs; 0: hold

  input  logic [63:0] code0_i,        // from stage 2, see movegen_safety
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [63:0] opp_i,
  input  logic [63:0] king_i,
  input  logic [63:0] king_to_i,
  input  logic [63:0] targets_i,
  input  logic [63:0] movers_ns_i,
  input  logic [63:0] movers_ew_i,
  input  logic [63:0] movers_nesw_i,
  input  logic [63:0] movers_nwse_i,
  input  logic [63:0] pushers_i,
  input  logic [63:0] takers_ne_i,
  input  logic [63:0] takers_nw_i,
  input  logic [63:0] knights_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_i,
  input  logic [7:0]  ep_ne_i,
  input  logic [7:0]  ep_nw_i,
  input  logic        check_i,

  input  logic [63:0] knight_ok_i,    // from stage 2, see movegen_checks
  input  logic [63:0] bishop_ok_i,
  input  logic [63:0] rook_ok_i,
  input  logic [63:0] pawn_ok_i,
  input  logic [63:0] uncover_i,
  input  logic [63:0] uncover_n_i,
  input  logic [6:0]  uncover_ep_ne_i,
  input  logic [6:0]  uncover_ep_nw_i,
  input  logic [7:0]  ortho8_i,
  input  logic [7:0]  diag8_i,
  input  logic [7:0]  knight8_i,
  input  logic [7:0]  through_n_i,
  input  logic [7:0]  through_ne_i,
  input  logic [7:0]  through_nw_i,
  input  logic        king_ns_i,
  input  logic        king_ew_i,
  input  logic        king_nesw_i,
  input  logic        king_nwse_i,
  input  logic [1:0]  castling_ok_i,
  input  logic [7:0]  ep_ok_i,
  input  logic [6:0]  ep_bared_i,

  output logic [63:0] code0_o,
  output logic [63:0] code1_o,
  output logic [63:0] code2_o,
  output logic [63:0] to_n_o,         // legal arrivals by direction of travel
  output logic [63:0] to_s_o,
  output logic [63:0] to_e_o,
  output logic [63:0] to_w_o,
  output logic [63:0] to_ne_o,
  output logic [63:0] to_sw_o,
  output logic [63:0] to_nw_o,
  output logic [63:0] to_se_o,
  output logic [63:0] knights_o,      // knights that may move
  output logic [63:0] targets_o,      // squares that pieces other than the king may enter
  output logic [7:0]  promote_n_o,    // arrivals of pawns on rank 8
  output logic [7:0]  promote_ne_o,
  output logic [7:0]  promote_nw_o,
  output logic [1:0]  castling_o,     // castling moves
  output logic [7:0]  ep_o,           // file of the en passant target square, whether legal or not
  output logic        check_o,        // our king is in check

  output logic [63:0] list_n_o,       // arrivals that pass: pawns by direction
  output logic [63:0] list_ne_o,
  output logic [63:0] list_nw_o,
  output logic [63:0] list_knights_o, // and the others
  output logic [63:0] list_bishops_o,
  output logic [63:0] list_rooks_o,
  output logic [63:0] list_queens_o,
  output logic [63:0] list_king_o,    // castling too
  output logic [31:0] promote_list_n_o,   // promotions that pass, by file of arrival: queens in the
  output logic [31:0] promote_list_ne_o,  // low byte, then rooks, bishops, knights
  output logic [31:0] promote_list_nw_o,
  output logic [63:0] uncover_o,      // as uncover_i
  output logic [63:0] knight_ok_o,    // as knight_ok_i, bishop_ok_i, rook_ok_i
  output logic [63:0] bishop_ok_o,
  output logic [63:0] rook_ok_o
);

  logic [63:0] empty, push, double_push, take_ne, take_nw;
  logic [63:0] to_n_d, to_s_d, to_e_d, to_w_d, to_ne_d, to_sw_d, to_nw_d, to_se_d;
  logic [63:0] first_ns, first_ew, first_nesw, first_nwse;
  logic [63:0] second_ns, second_ew, second_nesw, second_nwse;
  logic [63:0] first_n, first_s, first_e, first_w, first_ne, first_sw, first_nw, first_se;
  logic [63:0] second_n, second_s, second_e, second_w, second_ne, second_sw, second_nw, second_se;
  logic [63:0] king_n, king_s, king_e, king_w, king_ne, king_sw, king_nw, king_se, king_steps;
  logic [63:0] rooks, bishops, queens;
  logic [63:0] list_n_d, list_ne_d, list_nw_d;
  logic [7:0] promote_n, promote_ne, promote_nw, queen8, ep_list_ne, ep_list_nw;
  logic [7:0] promote_any_n, promote_any_ne, promote_any_nw;
  logic [31:0] promote_list_n_d, promote_list_ne_d, promote_list_nw_d;
  logic [1:0] castling_listed;

  always_comb begin
    empty = ~(code0_i | code1_i | code2_i);
    push = (pushers_i << 8) & empty & targets_i;
    double_push = (((pushers_i << 8) & empty & movegen_pkg::Rank3) << 8) & empty & targets_i;
    take_ne = (takers_ne_i << 9) & movegen_pkg::NotFileA & opp_i & targets_i;
    take_nw = (takers_nw_i << 7) & movegen_pkg::NotFileH & opp_i & targets_i;

    // Among those that move along ranks and files, queens are told by code bit 0, on diagonals by 2.
    first_ns = movers_ns_i & (code0_i | ~uncover_i);
    first_ew = movers_ew_i & (code0_i | ~uncover_i);
    first_nesw = movers_nesw_i & (code2_i | ~uncover_i);
    first_nwse = movers_nwse_i & (code2_i | ~uncover_i);
    second_ns = movers_ns_i & (code0_i | uncover_i);
    second_ew = movers_ew_i & (code0_i | uncover_i);
    second_nesw = movers_nesw_i & (code2_i | uncover_i);
    second_nwse = movers_nwse_i & (code2_i | uncover_i);

    first_n = movegen_pkg::flood_up(first_ns, empty, movegen_pkg::All, 8);
    second_n = movegen_pkg::flood_up(second_ns, empty, movegen_pkg::All, 8);
    first_e = movegen_pkg::flood_up(first_ew, empty, movegen_pkg::NotFileA, 1);
    second_e = movegen_pkg::flood_up(second_ew, empty, movegen_pkg::NotFileA, 1);
    first_ne = movegen_pkg::flood_up(first_nesw, empty, movegen_pkg::NotFileA, 9);
    second_ne = movegen_pkg::flood_up(second_nesw, empty, movegen_pkg::NotFileA, 9);
    first_nw = movegen_pkg::flood_up(first_nwse, empty, movegen_pkg::NotFileH, 7);
    second_nw = movegen_pkg::flood_up(second_nwse, empty, movegen_pkg::NotFileH, 7);
    first_s = movegen_pkg::flood_down(first_ns, empty, movegen_pkg::All, 8);
    second_s = movegen_pkg::flood_down(second_ns, empty, movegen_pkg::All, 8);
    first_w = movegen_pkg::flood_down(first_ew, empty, movegen_pkg::NotFileH, 1);
    second_w = movegen_pkg::flood_down(second_ew, empty, movegen_pkg::NotFileH, 1);
    first_sw = movegen_pkg::flood_down(first_nesw, empty, movegen_pkg::NotFileH, 9);
    second_sw = movegen_pkg::flood_down(second_nesw, empty, movegen_pkg::NotFileH, 9);
    first_se = movegen_pkg::flood_down(first_nwse, empty, movegen_pkg::NotFileA, 7);
    second_se = movegen_pkg::flood_down(second_nwse, empty, movegen_pkg::NotFileA, 7);

    king_n = (king_i << 8) & king_to_i;
    king_ne = (king_i << 9) & movegen_pkg::NotFileA & king_to_i;
    king_nw = (king_i << 7) & movegen_pkg::NotFileH & king_to_i;
    king_e = (king_i << 1) & movegen_pkg::NotFileA & king_to_i;
    king_w = (king_i >> 1) & movegen_pkg::NotFileH & king_to_i;
    king_s = (king_i >> 8) & king_to_i;
    king_sw = (king_i >> 9) & movegen_pkg::NotFileH & king_to_i;
    king_se = (king_i >> 7) & movegen_pkg::NotFileA & king_to_i;

    to_n_d = ((first_n | second_n) & targets_i) | push | double_push | king_n;
    to_ne_d = ((first_ne | second_ne) & targets_i) | take_ne | king_ne | {16'h0, ep_ne_i, 40'h0};
    to_nw_d = ((first_nw | second_nw) & targets_i) | take_nw | king_nw | {16'h0, ep_nw_i, 40'h0};
    to_e_d = ((first_e | second_e) & targets_i) | king_e;
    to_w_d = ((first_w | second_w) & targets_i) | king_w;
    to_s_d = ((first_s | second_s) & targets_i) | king_s;
    to_sw_d = ((first_sw | second_sw) & targets_i) | king_sw;
    to_se_d = ((first_se | second_se) & targets_i) | king_se;
  end

  // What the list gets: pieces that arrive on a square that passes, or leave one that does.
  always_comb begin
    rooks = ((first_n ^ second_n) & (rook_ok_i | second_n)) |
            ((first_s ^ second_s) & (rook_ok_i | second_s)) |
            ((first_e ^ second_e) & (rook_ok_i | second_e)) |
            ((first_w ^ second_w) & (rook_ok_i | second_w));
    bishops = ((first_ne ^ second_ne) & (bishop_ok_i | second_ne)) |
              ((first_sw ^ second_sw) & (bishop_ok_i | second_sw)) |
              ((first_nw ^ second_nw) & (bishop_ok_i | second_nw)) |
              ((first_se ^ second_se) & (bishop_ok_i | second_se));
    queens = ((first_n & second_n) | (first_s & second_s) | (first_e & second_e) |
              (first_w & second_w) | (first_ne & second_ne) | (first_sw & second_sw) |
              (first_nw & second_nw) | (first_se & second_se)) & (rook_ok_i | bishop_ok_i);

    king_steps = ((king_n | king_s) & {64{king_ns_i}}) | ((king_e | king_w) & {64{king_ew_i}}) |
                 ((king_ne | king_sw) & {64{king_nesw_i}}) |
                 ((king_nw | king_se) & {64{king_nwse_i}});
    castling_listed = castling_i & castling_ok_i;

    list_n_d = (push & (pawn_ok_i | (uncover_n_i << 8))) |
               (double_push & (pawn_ok_i | (uncover_n_i << 16)));
    list_ne_d = (take_ne & (pawn_ok_i | (uncover_i << 9))) | {16'h0, ep_list_ne, 40'h0};
    list_nw_d = (take_nw & (pawn_ok_i | (uncover_i << 7))) | {16'h0, ep_list_nw, 40'h0};
    list_n_d = (list_n_d & movegen_list_pkg::NotRank8) | {promote_any_n, 56'h0};
    list_ne_d = (list_ne_d & movegen_list_pkg::NotRank8) | {promote_any_ne, 56'h0};
    list_nw_d = (list_nw_d & movegen_list_pkg::NotRank8) | {promote_any_nw, 56'h0};
  end

  assign ep_list_ne = ep_ne_i & (ep_ok_i | {ep_bared_i | uncover_ep_ne_i, 1'b0});
  assign ep_list_nw = ep_nw_i & (ep_ok_i | {1'b0, ep_bared_i | uncover_ep_nw_i});

  assign promote_n = push[63:56];
  assign promote_ne = take_ne[63:56];
  assign promote_nw = take_nw[63:56];
  assign queen8 = ortho8_i | diag8_i;
  assign promote_list_n_d = {4{promote_n}} &
    ({knight8_i, diag8_i, ortho8_i | through_n_i, queen8 | through_n_i} | {4{uncover_n_i[55:48]}});
  assign promote_list_ne_d = {4{promote_ne}} &
    ({knight8_i, diag8_i | through_ne_i, ortho8_i, queen8 | through_ne_i} |
     {4{uncover_i[54:48], 1'b0}});
  assign promote_list_nw_d = {4{promote_nw}} &
    ({knight8_i, diag8_i | through_nw_i, ortho8_i, queen8 | through_nw_i} |
     {4{1'b0, uncover_i[55:49]}});
  assign promote_any_n = promote_list_n_d[7:0] | promote_list_n_d[15:8] | promote_list_n_d[23:16] |
                         promote_list_n_d[31:24];
  assign promote_any_ne = promote_list_ne_d[7:0] | promote_list_ne_d[15:8] |
                          promote_list_ne_d[23:16] | promote_list_ne_d[31:24];
  assign promote_any_nw = promote_list_nw_d[7:0] | promote_list_nw_d[15:8] |
                          promote_list_nw_d[23:16] | promote_list_nw_d[31:24];

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      code0_o <= code0_i;
      code1_o <= code1_i;
      code2_o <= code2_i;
      to_n_o <= to_n_d;
      to_s_o <= to_s_d;
      to_e_o <= to_e_d;
      to_w_o <= to_w_d;
      to_ne_o <= to_ne_d;
      to_sw_o <= to_sw_d;
      to_nw_o <= to_nw_d;
      to_se_o <= to_se_d;
      knights_o <= knights_i;
      targets_o <= targets_i;
      promote_n_o <= promote_n;
      promote_ne_o <= promote_ne;
      promote_nw_o <= promote_nw;
      castling_o <= castling_i;
      ep_o <= ep_i;
      check_o <= check_i;

      list_n_o <= list_n_d;
      list_ne_o <= list_ne_d;
      list_nw_o <= list_nw_d;
      list_knights_o <= ((movegen_pkg::knight_attacks(knights_i) & knight_ok_i) |
                         movegen_pkg::knight_attacks(knights_i & uncover_i)) & targets_i;
      list_bishops_o <= bishops & targets_i;
      list_rooks_o <= rooks & targets_i;
      list_queens_o <= queens & targets_i;
      list_king_o <= king_steps | {57'h0, castling_listed[0], 3'h0, castling_listed[1], 2'h0};
      promote_list_n_o <= promote_list_n_d;
      promote_list_ne_o <= promote_list_ne_d;
      promote_list_nw_o <= promote_list_nw_d;
      uncover_o <= uncover_i;
      knight_ok_o <= knight_ok_i;
      bishop_ok_o <= bishop_ok_i;
      rook_ok_o <= rook_ok_i;
    end
  end

endmodule

`default_nettype wire
