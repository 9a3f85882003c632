// Stages 4 to 9: the list, one legal move a clock.
//
//   stage 4  what is left to do, class by class (movegen_targets)
//   stage 5  the next destination, one-hot; the words of the position it belongs to are copied here, so
//            that stage 3 is free for the next position while this one is listed
//   stage 6  all origins of that destination (movegen_origins), and which kinds of pieces are among
//            them by moves that pass the filter
//   stage 7  the origins of one kind, and one place in reserve
//   stage 8  the lowest of them, one-hot; sends one move each clock, a promotion up to four times
//   stage 9  output register with one place in reserve (movegen_skid)
//
// Order: by class, see movegen_targets; then ascending by destination; then by the piece that moves,
// from pawn to king, or from king to pawn; then ascending by origin; then queen, rook, bishop, knight.
// A stage takes its successor in the same cycle in which it finishes, so that there is no gap between
// two destinations, nor between the lists of two positions that wait behind one another, unless the
// first of these has fewer than three moves.
//
// Latency 6 from stage 3, one move a clock. A position without a move that passes is one beat with
// move_none_o.
// Cost: 3128 LUTs with movegen_targets and movegen_origins, 2786 flip-flops.

`default_nettype none

module movegen_list (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        valid_i,        // stage 3 holds a position to be listed, not yet taken
  output logic        take_o,         // it is copied at the end of this cycle

  input  logic [1:0]  order_i,        // see movegen_list_pkg
  input  logic        captures_i,     // the filter for captures and promotions
  input  logic [63:0] code0_i,        // from stage 3, see movegen_arrivals
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [63:0] to_n_i,
  input  logic [63:0] to_s_i,
  input  logic [63:0] to_e_i,
  input  logic [63:0] to_w_i,
  input  logic [63:0] to_ne_i,
  input  logic [63:0] to_sw_i,
  input  logic [63:0] to_nw_i,
  input  logic [63:0] to_se_i,
  input  logic [63:0] knights_i,
  input  logic [63:0] targets_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_i,
  input  logic [63:0] list_n_i,
  input  logic [63:0] list_ne_i,
  input  logic [63:0] list_nw_i,
  input  logic [63:0] list_knights_i,
  input  logic [63:0] list_bishops_i,
  input  logic [63:0] list_rooks_i,
  input  logic [63:0] list_queens_i,
  input  logic [63:0] list_king_i,
  input  logic [31:0] promote_list_n_i,
  input  logic [31:0] promote_list_ne_i,
  input  logic [31:0] promote_list_nw_i,
  input  logic [63:0] uncover_i,
  input  logic [63:0] knight_ok_i,
  input  logic [63:0] bishop_ok_i,
  input  logic [63:0] rook_ok_i,

  output logic        move_valid_o,
  input  logic        move_ready_i,
  output logic [5:0]  move_from_o,
  output logic [5:0]  move_to_o,
  output logic [2:0]  move_piece_o,
  output logic [2:0]  move_captured_o,
  output logic [2:0]  move_promotion_o,
  output logic [1:0]  move_castling_o,
  output logic        move_ep_o,
  output logic        move_last_o,
  output logic        move_none_o
);

  // Stage 4.
  logic valid4, last4, captures4, quiet4;
  logic [63:0] to4;

  // Stage 5: the destination, and the position it belongs to.
  logic valid5_q, last5_q, captures5_q, quiet5_q, load5;
  logic [63:0] to5_q, from5, exact5;
  logic [63:0] code0_q, code1_q, code2_q, occupied_q, knights_q, targets_q, uncover_q;
  logic [63:0] to_n_q, to_s_q, to_e_q, to_w_q, to_ne_q, to_sw_q, to_nw_q, to_se_q;
  logic [63:0] list_n_q, list_ne_q, list_nw_q, list_knights_q, list_bishops_q, list_rooks_q,
    list_queens_q, list_king_q, knight_ok_q, bishop_ok_q, rook_ok_q;
  logic [31:0] promote_list_n_q, promote_list_ne_q, promote_list_nw_q;
  logic [1:0] castling_q;
  logic [7:0] ep_q;
  logic most_q;                        // most valuable piece first
  logic pushed5, took5, occupied5, rank8_5, pieces5;
  logic [5:0] kinds5;                  // pawn, knight, bishop, rook, queen, king

  // Stage 6: the origins. From here on a stage keeps what it needs of the position for itself, as stage
  // 5 may hold the next one already.
  logic valid6_q, last6_q, none6_q, ep6_q, most6_q, load6, whole6, last_kind6;
  logic [63:0] from6_q, exact6_q, code0_6q, code1_6q, code2_6q, unit6;
  logic [5:0] kinds6_q, kind6, to6_q;
  logic [2:0] whole6_q;                // knights, bishops, rooks: all pass, not only those in exact6_q
  logic [2:0] captured6_q, piece6;
  logic [1:0] castling6_q;
  logic [11:0] promote6_q;             // promotions from ne, n, nw, four bits each: n b r q
  logic [28:0] about6;

  // Stage 7: origins of one kind.
  logic valid7_q, spare_valid7_q, ready7, free7, more7;
  logic [63:0] rest7_q, spare7_q, lowest7;
  logic [28:0] about7_q, spare_about7_q;
  logic [11:0] promote7;
  logic [3:0] turns7;

  // Stage 8: one origin.
  logic valid8_q, last8_q, load8, again8, ready9;
  logic [63:0] from8_q;
  logic [3:0] turns8_q, turn8;
  logic [15:0] about8_q;
  logic [2:0] promotion8;
  logic [25:0] move8;

  movegen_targets u_targets (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .take_o(take_o), .order_i(order_i),
    .captures_i(captures_i),
    .code0_i(code0_i), .code1_i(code1_i), .code2_i(code2_i), .ep_i(ep_i),
    .list_n_i(list_n_i), .list_ne_i(list_ne_i), .list_nw_i(list_nw_i),
    .list_knights_i(list_knights_i), .list_bishops_i(list_bishops_i),
    .list_rooks_i(list_rooks_i), .list_queens_i(list_queens_i), .list_king_i(list_king_i),
    .valid_o(valid4), .ready_i(load5), .to_o(to4), .last_o(last4), .captures_o(captures4),
    .quiet_o(quiet4)
  );

  assign load5 = ~valid5_q | load6;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid5_q <= 1'b0;
    end else if (load5) begin
      valid5_q <= valid4;
    end

    if (load5) begin
      to5_q <= to4;
      last5_q <= last4;
      captures5_q <= captures4;
      quiet5_q <= quiet4;
    end

    if (take_o) begin
      code0_q <= code0_i;
      code1_q <= code1_i;
      code2_q <= code2_i;
      occupied_q <= code0_i | code1_i | code2_i;
      to_n_q <= to_n_i;
      to_s_q <= to_s_i;
      to_e_q <= to_e_i;
      to_w_q <= to_w_i;
      to_ne_q <= to_ne_i;
      to_sw_q <= to_sw_i;
      to_nw_q <= to_nw_i;
      to_se_q <= to_se_i;
      knights_q <= knights_i;
      targets_q <= targets_i;
      castling_q <= castling_i;
      ep_q <= ep_i;
      list_n_q <= list_n_i;
      list_ne_q <= list_ne_i;
      list_nw_q <= list_nw_i;
      list_knights_q <= list_knights_i;
      list_bishops_q <= list_bishops_i;
      list_rooks_q <= list_rooks_i;
      list_queens_q <= list_queens_i;
      list_king_q <= list_king_i;
      promote_list_n_q <= promote_list_n_i;
      promote_list_ne_q <= promote_list_ne_i;
      promote_list_nw_q <= promote_list_nw_i;
      uncover_q <= uncover_i & (code1_i | code2_i);
      knight_ok_q <= knight_ok_i;
      bishop_ok_q <= bishop_ok_i;
      rook_ok_q <= rook_ok_i;
      most_q <= order_i == movegen_list_pkg::OrderVictimsMost;
    end
  end

  movegen_origins u_origins (
    .to_i(to5_q),
    .occupied_i(occupied_q),
    .to_n_i(to_n_q), .to_s_i(to_s_q), .to_e_i(to_e_q), .to_w_i(to_w_q),
    .to_ne_i(to_ne_q), .to_sw_i(to_sw_q), .to_nw_i(to_nw_q), .to_se_i(to_se_q),
    .knights_i(knights_q),
    .targets_i(targets_q),
    .castling_i(castling_q),
    .from_o(from5)
  );

  // Kinds of pieces among the origins, by moves of this class that pass.
  assign pushed5 = |(to5_q & list_n_q);
  assign took5 = |(to5_q & (list_ne_q | list_nw_q));
  assign occupied5 = |(to5_q & occupied_q);
  assign rank8_5 = |to5_q[63:56];
  assign pieces5 = ~captures5_q | occupied5;  // on an empty square only pawns capture or promote
  assign kinds5[0] = (pushed5 & ~(quiet5_q & rank8_5)) | (took5 & ~quiet5_q);
  assign kinds5[1] = |(to5_q & list_knights_q) & pieces5;
  assign kinds5[2] = |(to5_q & list_bishops_q) & pieces5;
  assign kinds5[3] = |(to5_q & list_rooks_q) & pieces5;
  assign kinds5[4] = |(to5_q & list_queens_q) & pieces5;
  assign kinds5[5] = |(to5_q & list_king_q) & pieces5;
  // Origins that pass one by one: pieces that uncover a check, and pawns. Of the two squares from which
  // a pawn may have been pushed, only one is an origin. Kings, and pawns not by direction, are left out.
  assign exact5 = uncover_q | ((to5_q & list_n_q) >> 8) | ((to5_q & list_n_q) >> 16) |
                  ((to5_q & list_ne_q) >> 9) | ((to5_q & list_nw_q) >> 7);

  // Promotions to that destination that pass, of an origin by direction.
  function automatic logic [3:0] promotions(input logic [7:0] to8, input logic [31:0] listed);
    promotions = {|(to8 & listed[31:24]), |(to8 & listed[23:16]), |(to8 & listed[15:8]),
                  |(to8 & listed[7:0])};
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid6_q <= 1'b0;
    end else if (load6) begin
      valid6_q <= valid5_q;
    end

    if (load6) begin
      from6_q <= from5;
      exact6_q <= exact5;
      whole6_q <= {|(to5_q & rook_ok_q), |(to5_q & bishop_ok_q), |(to5_q & knight_ok_q)};
      kinds6_q <= kinds5;
      most6_q <= most_q;
      code0_6q <= code0_q;
      code1_6q <= code1_q;
      code2_6q <= code2_q;
      to6_q <= movegen_pkg::index_of(to5_q);
      captured6_q <= {|(to5_q & code2_q), |(to5_q & code1_q), |(to5_q & code0_q)};
      castling6_q <= castling_q & {to5_q[2], to5_q[6]};
      ep6_q <= |(to5_q[47:40] & ep_q);
      promote6_q <= {promotions(to5_q[63:56], promote_list_nw_q),
                     promotions(to5_q[63:56], promote_list_n_q),
                     promotions(to5_q[63:56], promote_list_ne_q)};
      last6_q <= last5_q;
      none6_q <= ~(|to5_q);
    end else if (ready7) begin
      kinds6_q <= kinds6_q & ~kind6;
    end
  end

  // Of a word of kinds, the first and the last.
  function automatic logic [5:0] first_kind(input logic [5:0] kinds);
    first_kind = kinds & ~({kinds[4:0], 1'b0} | {kinds[3:0], 2'b0} | {kinds[2:0], 3'b0} |
                           {kinds[1:0], 4'b0} | {kinds[0], 5'b0});
  endfunction

  function automatic logic [5:0] last_kind(input logic [5:0] kinds);
    last_kind = kinds & ~({1'b0, kinds[5:1]} | {2'b0, kinds[5:2]} | {3'b0, kinds[5:3]} |
                          {4'b0, kinds[5:4]} | {5'b0, kinds[5]});
  endfunction

  // One kind after the other.
  assign kind6 = most6_q ? last_kind(kinds6_q) : first_kind(kinds6_q);
  assign last_kind6 = ~(|(kinds6_q & ~kind6));
  assign load6 = ~valid6_q | (ready7 & last_kind6);

  assign piece6 = ({3{kind6[0]}} & movegen_list_pkg::Pawn) | ({3{kind6[1]}} & movegen_list_pkg::Knight) |
                  ({3{kind6[2]}} & movegen_list_pkg::Bishop) | ({3{kind6[3]}} & movegen_list_pkg::Rook) |
                  ({3{kind6[4]}} & movegen_list_pkg::Queen) | ({3{kind6[5]}} & movegen_list_pkg::King);
  assign whole6 = |(kind6 & {2'b11, whole6_q, 1'b0});
  assign unit6 = from6_q & ~(code0_6q ^ {64{piece6[0]}}) & ~(code1_6q ^ {64{piece6[1]}}) &
                 ~(code2_6q ^ {64{piece6[2]}}) & (exact6_q | {64{whole6}});
  assign about6 = {promote6_q & {12{kind6[0]}}, to6_q, piece6,
                   ep6_q & kind6[0] ? movegen_list_pkg::Pawn : captured6_q,
                   castling6_q & {2{kind6[5]}}, ep6_q & kind6[0], last6_q & last_kind6, none6_q};

  // Stage 7, with one place in reserve, so that the search for the end of its origins does not reach
  // back into the stages before.
  assign lowest7 = movegen_pkg::lowest(rest7_q);
  assign more7 = movegen_pkg::two_or_more(rest7_q);
  assign ready7 = ~spare_valid7_q;
  assign free7 = ~valid7_q | (load8 & ~more7);

  // Promotions of the lowest origin: it is the one that went north-east, else north, else north-west.
  assign promote7 = about7_q[28:17];
  assign turns7 = |promote7[3:0] ? promote7[3:0] : |promote7[7:4] ? promote7[7:4] : promote7[11:8];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid7_q <= 1'b0;
      spare_valid7_q <= 1'b0;
    end else if (free7) begin
      valid7_q <= spare_valid7_q | valid6_q;
      spare_valid7_q <= 1'b0;
    end else if (valid6_q) begin
      spare_valid7_q <= 1'b1;
    end

    if (free7) begin
      rest7_q <= spare_valid7_q ? spare7_q : unit6;
      about7_q <= spare_valid7_q ? spare_about7_q : about6;
    end else if (load8) begin
      rest7_q <= rest7_q & ~lowest7;
      about7_q[20:17] <= 4'd0;
      about7_q[24:21] <= |promote7[3:0] ? promote7[7:4] : 4'd0;
    end
    if (ready7) begin
      spare7_q <= unit6;
      spare_about7_q <= about6;
    end
  end

  // Stage 8.
  assign again8 = |(turns8_q & ~turn8);
  assign load8 = ~valid8_q | (ready9 & ~again8);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid8_q <= 1'b0;
    end else if (load8) begin
      valid8_q <= valid7_q;
    end

    if (load8) begin
      from8_q <= lowest7;
      about8_q <= {about7_q[16:2], about7_q[0]};
      last8_q <= about7_q[1] & ~more7;
      turns8_q <= turns7;
    end else if (ready9) begin
      turns8_q <= turns8_q & ~turn8;
    end
  end

  assign turn8 = turns8_q & ~({turns8_q[2:0], 1'b0} | {turns8_q[1:0], 2'b0} | {turns8_q[0], 3'b0});
  assign promotion8 = ({3{turn8[0]}} & movegen_list_pkg::Queen) | ({3{turn8[1]}} & movegen_list_pkg::Rook) |
                      ({3{turn8[2]}} & movegen_list_pkg::Bishop) |
                      ({3{turn8[3]}} & movegen_list_pkg::Knight);
  // Destination, piece, captured piece; promotion; castling, en passant; last; none.
  assign move8 = {movegen_pkg::index_of(from8_q), about8_q[15:4], promotion8, about8_q[3:1],
                  last8_q & ~again8, about8_q[0]};

  movegen_skid #(.Width(26)) u_skid (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(valid8_q),
    .ready_o(ready9),
    .data_i(move8),
    .valid_o(move_valid_o),
    .ready_i(move_ready_i),
    .data_o({move_from_o, move_to_o, move_piece_o, move_captured_o, move_promotion_o,
             move_castling_o, move_ep_o, move_last_o, move_none_o})
  );

endmodule

`default_nettype wire
