// Stages 5 to 9: the list, one legal move a clock.
//
//   stage 5  what is left to do, class by class (movegen_targets)
//   stage 6  the next destination, one-hot; what is known of the position it belongs to is copied
//            here, so that stage 4 is free for the next position while this one is listed
//   stage 7  all origins of that destination (movegen_origins), and which kinds of pieces are among
//            them by moves that pass the filter
//   stage 8  the origins of one kind, and one place in reserve; sends the lowest of them each clock,
//            a promotion up to four times
//   stage 9  output register with one place in reserve (movegen_skid)
//
// Order: by class, see movegen_targets; then ascending by destination; then by the piece that
// moves, from pawn to king, or from king to pawn; then ascending by origin; then queen, rook,
// bishop, knight. A stage takes its successor in the same cycle in which it finishes, so that there
// is no gap between two destinations, nor between the lists of two positions that wait behind one
// another, unless the first of these has fewer than three moves.
//
// Latency 5 from stage 4, one move a clock. A position without a move that passes is one beat with
// move_none_o.
// Cost: 2642 LUTs with movegen_targets and movegen_origins, 2646 flip-flops.

`default_nettype none

module movegen_list (
  input  logic        clk_i,
  input  logic        rst_i,

  // stage 4 holds a position, whose first destination was not yet taken
  input  logic        valid_i,
  output logic        take_o,          // it is taken at the end of this cycle
  input  logic [1:0]  order_i,
  input  logic        captures_i,
  input  logic [63:0] code0_i,
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [7:0]  ep_i,
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
  input  logic [63:0] knight_ok_i,
  input  logic [63:0] bishop_ok_i,
  input  logic [63:0] rook_ok_i,
  input  logic [63:0] uncover_i,
  input  logic [7:0]  uncover7_n_i,
  input  logic [7:0]  through_n_i,
  input  logic [7:0]  through_ne_i,
  input  logic [7:0]  through_nw_i,
  input  logic [63:0] list_n_i,
  input  logic [63:0] list_ne_i,
  input  logic [63:0] list_nw_i,
  input  logic [63:0] list_knights_i,
  input  logic [63:0] list_bishops_i,
  input  logic [63:0] list_rooks_i,
  input  logic [63:0] list_queens_i,
  input  logic [63:0] list_king_i,
  input  logic [63:0] todo_i,

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

  // Stage 5.
  logic valid5, last5, captures5, quiet5;
  logic [63:0] to5;

  // Stage 6: the destination, and the position it belongs to.
  logic valid6_q, last6_q, captures6_q, quiet6_q, load6;
  logic [63:0] to6_q, from6;
  logic [63:0] code0_6q, code1_6q, code2_6q, occupied_q, knights_q, targets_q, uncover_q;
  logic [63:0] to_n_q, to_s_q, to_e_q, to_w_q, to_ne_q, to_sw_q, to_nw_q, to_se_q;
  logic [63:0] list_n_q, list_ne_q, list_nw_q, list_knights_q, list_bishops_q, list_rooks_q,
    list_queens_q, list_king_q, knight_ok_q, bishop_ok_q, rook_ok_q;
  logic [7:0] through_n_q, through_ne_q, through_nw_q, uncover7_n_q, ep_q;
  logic [1:0] castling_q;
  logic most_q;                        // most valuable piece first
  logic pushed6, took_ne6, took_nw6, occupied6, rank8_6, pieces6;
  // knights, bishops, rooks: all pass, not only those that uncover
  logic [2:0] whole6;
  logic [7:0] file6, files6;           // of the destination; of pawns that pass
  logic [5:0] kinds6;                  // pawn, knight, bishop, rook, queen, king
  logic [3:0] promote_n6, promote_ne6, promote_nw6;

  // Stage 7: the origins. From here on a stage keeps what it needs of the position for itself, as
  // stage 6 may hold the next one already.
  logic valid7_q, last7_q, none7_q, ep7_q, most7_q, load7, whole7, last_kind7_q;
  logic [63:0] from7_q, uncover7_q, code0_7q, code1_7q, code2_7q, unit7;
  logic [5:0] kinds7_q, next_kinds7, kind7, to7_q;
  logic [7:0] files7_q, pass7;
  logic [2:0] whole7_q, captured7_q, piece7;
  logic [1:0] castling7_q;
  logic [11:0] promote7_q;             // promotions from ne, n, nw, four bits each: n b r q
  logic [28:0] about7;

  // Stage 8: origins of one kind.
  logic valid8_q, spare_valid8_q, ready8, free8, more8, again8, ready9;
  logic [63:0] rest8_q, spare8_q, lowest8;
  logic [28:0] about8_q, spare_about8_q;
  logic [11:0] promote8, left8;
  logic [3:0] turns8, turn8;
  logic [2:0] promotion8;
  logic [25:0] move8;

  movegen_targets u_targets (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .take_o(take_o), .order_i(order_i),
    .captures_i(captures_i), .code0_i(code0_i), .code1_i(code1_i), .code2_i(code2_i),
    .ep_i(ep_i), .todo_i(todo_i), .promote_n_i(list_n_i[63:56]), .ep_ne_i(list_ne_i[47:40]),
    .ep_nw_i(list_nw_i[47:40]), .valid_o(valid5), .ready_i(load6), .to_o(to5), .last_o(last5),
    .captures_o(captures5), .quiet_o(quiet5)
  );

  assign load6 = ~valid6_q | load7;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid6_q <= 1'b0;
    end else if (load6) begin
      valid6_q <= valid5;
    end

    if (load6) begin
      to6_q <= to5;
      last6_q <= last5;
      captures6_q <= captures5;
      quiet6_q <= quiet5;
    end

    if (take_o) begin
      code0_6q <= code0_i;
      code1_6q <= code1_i;
      code2_6q <= code2_i;
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
      through_n_q <= through_n_i;
      through_ne_q <= through_ne_i;
      through_nw_q <= through_nw_i;
      uncover7_n_q <= uncover7_n_i;
      uncover_q <= uncover_i;
      knight_ok_q <= knight_ok_i;
      bishop_ok_q <= bishop_ok_i;
      rook_ok_q <= rook_ok_i;
      most_q <= order_i == movegen_list_pkg::OrderVictimsMost;
    end
  end

  movegen_origins u_origins (
    .to_i(to6_q),
    .occupied_i(occupied_q),
    .to_n_i(to_n_q), .to_s_i(to_s_q), .to_e_i(to_e_q), .to_w_i(to_w_q),
    .to_ne_i(to_ne_q), .to_sw_i(to_sw_q), .to_nw_i(to_nw_q), .to_se_i(to_se_q),
    .knights_i(knights_q),
    .targets_i(targets_q),
    .castling_i(castling_q),
    .from_o(from6)
  );

  // Kinds of pieces among the origins, by moves of this class that pass.
  assign pushed6 = |(to6_q & list_n_q);
  assign took_ne6 = |(to6_q & list_ne_q);
  assign took_nw6 = |(to6_q & list_nw_q);
  assign occupied6 = |(to6_q & occupied_q);
  assign rank8_6 = |to6_q[63:56];
  assign pieces6 = ~captures6_q | occupied6;  // on an empty square only pawns capture or promote
  assign kinds6[0] = (pushed6 & ~(quiet6_q & rank8_6)) | ((took_ne6 | took_nw6) & ~quiet6_q);
  assign kinds6[1] = |(to6_q & list_knights_q) & pieces6;
  assign kinds6[2] = |(to6_q & list_bishops_q) & pieces6;
  assign kinds6[3] = |(to6_q & list_rooks_q) & pieces6;
  assign kinds6[4] = |(to6_q & list_queens_q) & pieces6;
  assign kinds6[5] = |(to6_q & list_king_q) & pieces6;
  assign whole6 = {|(to6_q & rook_ok_q), |(to6_q & bishop_ok_q), |(to6_q & knight_ok_q)};
  // Pawns pass by direction, and each direction has a file of its own.
  assign file6 = to6_q[63:56] | to6_q[55:48] | to6_q[47:40] | to6_q[39:32] | to6_q[31:24] |
                 to6_q[23:16] | to6_q[15:8] | to6_q[7:0];
  assign files6 = ({8{pushed6}} & file6) | ({8{took_ne6}} & {1'b0, file6[7:1]}) |
                  ({8{took_nw6}} & {file6[6:0], 1'b0});

  // What pawns may become on that destination, queen in the lowest bit, then rook, bishop, knight:
  // all if the origin uncovers a check; also what passes by the ray back through the origin.
  assign promote_n6 = {4{rank8_6 & pushed6}} &
    ({whole6[0], whole6[1], whole6[2], |whole6[2:1]} |
     {2'b0, {2{|(to6_q[63:56] & through_n_q)}}} | {4{|(to6_q[63:56] & uncover7_n_q)}});
  assign promote_ne6 = {4{rank8_6 & took_ne6}} &
    ({whole6[0], whole6[1], whole6[2], |whole6[2:1]} |
     ({4{|(to6_q[63:56] & through_ne_q)}} & 4'b0101) | {4{|(to6_q[63:57] & uncover_q[54:48])}});
  assign promote_nw6 = {4{rank8_6 & took_nw6}} &
    ({whole6[0], whole6[1], whole6[2], |whole6[2:1]} |
     ({4{|(to6_q[63:56] & through_nw_q)}} & 4'b0101) | {4{|(to6_q[62:56] & uncover_q[55:49])}});

  // Of a word of kinds, the first and the last.
  function automatic logic [5:0] first_kind(input logic [5:0] kinds);
    first_kind = kinds & ~({kinds[4:0], 1'b0} | {kinds[3:0], 2'b0} | {kinds[2:0], 3'b0} |
                           {kinds[1:0], 4'b0} | {kinds[0], 5'b0});
  endfunction

  function automatic logic [5:0] last_kind(input logic [5:0] kinds);
    last_kind = kinds & ~({1'b0, kinds[5:1]} | {2'b0, kinds[5:2]} | {3'b0, kinds[5:3]} |
                          {4'b0, kinds[5:4]} | {5'b0, kinds[5]});
  endfunction

  // Not more than one.
  function automatic logic one_kind(input logic [5:0] kinds);
    one_kind = ~(|(kinds & ~first_kind(kinds)));
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid7_q <= 1'b0;
    end else if (load7) begin
      valid7_q <= valid6_q;
    end

    if (load7) begin
      from7_q <= from6;
      uncover7_q <= uncover_q;
      files7_q <= files6;
      whole7_q <= whole6;
      most7_q <= most_q;
      code0_7q <= code0_6q;
      code1_7q <= code1_6q;
      code2_7q <= code2_6q;
      to7_q <= movegen_pkg::index_of(to6_q);
      captured7_q <= {|(to6_q & code2_6q), |(to6_q & code1_6q), |(to6_q & code0_6q)};
      castling7_q <= castling_q & {to6_q[2], to6_q[6]};
      ep7_q <= |(to6_q[47:40] & ep_q);
      promote7_q <= {promote_nw6, promote_n6, promote_ne6};
      last7_q <= last6_q;
      none7_q <= ~(|to6_q);
    end
    if (~valid7_q | ready8) begin
      kinds7_q <= next_kinds7;
      last_kind7_q <= one_kind(next_kinds7);
    end
  end

  // One kind after the other. Whether it is the last is known from a register, so that the stages
  // before know early whether they move.
  assign kind7 = most7_q ? last_kind(kinds7_q) : first_kind(kinds7_q);
  assign next_kinds7 = ~valid7_q | last_kind7_q ? kinds6 : kinds7_q & ~kind7;
  assign load7 = ~valid7_q | (ready8 & last_kind7_q);

  assign piece7 = ({3{kind7[0]}} & piece_pkg::Pawn) | ({3{kind7[1]}} & piece_pkg::Knight) |
                  ({3{kind7[2]}} & piece_pkg::Bishop) | ({3{kind7[3]}} & piece_pkg::Rook) |
                  ({3{kind7[4]}} & piece_pkg::Queen) | ({3{kind7[5]}} & piece_pkg::King);
  // All of a kind pass, or those that uncover a check do; of pawns, those of some files.
  assign whole7 = |(kind7 & {2'b11, whole7_q, 1'b0});
  assign pass7 = {8{whole7}} | (files7_q & {8{kind7[0]}});
  assign unit7 = from7_q & ~(code0_7q ^ {64{piece7[0]}}) & ~(code1_7q ^ {64{piece7[1]}}) &
                 ~(code2_7q ^ {64{piece7[2]}}) & ({8{pass7}} | (uncover7_q & {64{~kind7[0]}}));
  assign about7 = {promote7_q & {12{kind7[0]}}, to7_q, piece7,
                   ep7_q & kind7[0] ? piece_pkg::Pawn : captured7_q,
                   castling7_q & {2{kind7[5]}}, ep7_q & kind7[0], last7_q & last_kind7_q, none7_q};

  // Stage 8 has a place in reserve, so that the search for the end of its origins does not reach
  // back into the stages before. Of origins of promotions the lowest is the one that went
  // north-east, else north, else north-west.
  assign lowest8 = movegen_pkg::lowest(rest8_q);
  assign promote8 = about8_q[28:17];
  assign turns8 = |promote8[3:0] ? promote8[3:0] : |promote8[7:4] ? promote8[7:4] : promote8[11:8];
  assign turn8 = turns8 & ~({turns8[2:0], 1'b0} | {turns8[1:0], 2'b0} | {turns8[0], 3'b0});
  assign again8 = |(turns8 & ~turn8);
  assign left8 = |promote8[3:0] ? {promote8[11:4], promote8[3:0] & ~turn8} :
                 |promote8[7:4] ? {promote8[11:8], promote8[7:4] & ~turn8, 4'd0} :
                 {promote8[11:8] & ~turn8, 8'd0};
  assign more8 = movegen_pkg::two_or_more(rest8_q) | again8;
  assign ready8 = ~spare_valid8_q;
  assign free8 = ~valid8_q | (ready9 & ~more8);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid8_q <= 1'b0;
      spare_valid8_q <= 1'b0;
    end else if (free8) begin
      valid8_q <= spare_valid8_q | valid7_q;
      spare_valid8_q <= 1'b0;
    end else if (valid7_q) begin
      spare_valid8_q <= 1'b1;
    end

    if (~valid8_q | ready9) begin
      if (~valid8_q | ~more8) begin
        rest8_q <= spare_valid8_q ? spare8_q : unit7;
        about8_q <= spare_valid8_q ? spare_about8_q : about7;
      end else begin
        rest8_q <= rest8_q & ~(lowest8 & {64{~again8}});
        about8_q[28:17] <= left8;
      end
    end
    if (ready8) begin
      spare8_q <= unit7;
      spare_about8_q <= about7;
    end
  end

  assign promotion8 = ({3{turn8[0]}} & piece_pkg::Queen) | ({3{turn8[1]}} & piece_pkg::Rook) |
                      ({3{turn8[2]}} & piece_pkg::Bishop) |
                      ({3{turn8[3]}} & piece_pkg::Knight);
  // Origin; destination, piece, captured piece; promotion; castling, en passant; last; none.
  assign move8 = {movegen_pkg::index_of(lowest8), about8_q[16:5], promotion8, about8_q[4:2],
                  about8_q[1] & ~more8, about8_q[0]};

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
