// Stages 4 to 8: the list, one legal move a clock.
//
//   stage 4  todo: destinations not yet taken, loaded from stage 3 (all arrivals together)
//   stage 5  the lowest of them, one-hot; the arrival words it belongs to are copied here, so that
//            stage 3 is free for the next position while this one is listed
//   stage 6  all origins of that destination (movegen_origins)
//   stage 7  the lowest of them, one-hot, and the rest; sends one move each clock, a promotion
//            four times; whether it is the last one is known from a register
//   stage 8  output register with one place in reserve (movegen_skid)
//
// Order: ascending by destination, then origin, then queen, rook, bishop, knight. A stage takes its
// successor in the same cycle in which it finishes, so that there is no gap between two destinations,
// nor between the lists of two positions that wait behind one another, unless the first of
// these has fewer than three moves.
//
// Latency 5 from stage 3, one move a clock. A position without a legal move is one beat with
// move_none_o.
// Cost: 1951 LUTs with movegen_origins, 1626 flip-flops, 9 LUT levels.

`default_nettype none

module movegen_list (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        valid_i,        // stage 3 holds a position to be listed, not yet taken
  output logic        take_o,         // it is copied at the end of this cycle

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

  localparam logic [2:0] Pawn  = 3'd1;
  localparam logic [2:0] Queen = 3'd5;

  // Stage 4: what is left to do.
  logic todo_valid_q, todo_fresh_q;   // fresh: its position is still in stage 3
  logic [63:0] todo_q, all_arrivals, lowest4;
  logic more4, load4, done4;

  // Stage 5: the destination, and the position it belongs to.
  logic valid5_q, last5_q, load5;
  logic [63:0] to5_q, from5;
  logic [63:0] code0_q, code1_q, code2_q, occupied_q, knights_q, targets_q;
  logic [63:0] to_n_q, to_s_q, to_e_q, to_w_q, to_ne_q, to_sw_q, to_nw_q, to_se_q;
  logic [1:0] castling_q;
  logic [7:0] ep_q, promoters5;

  // Stage 6: the origins. From here on a stage keeps the piece codes for itself, as stage 5 may hold
  // the next position already.
  logic valid6_q, last6_q, none6_q, ep6_q, load6;
  logic [63:0] from6_q, code0_6q, code1_6q, code2_6q;
  logic [7:0] promoters6_q;                   // origins on rank 7 that promote
  logic [5:0] to6_q;
  logic [2:0] captured6_q;
  logic [1:0] castling6_q;

  // Stage 7: the moves to that destination.
  logic valid7_q, last7_q, none7_q, ep7_q, more7_q, promotes7_q, load7, done7, send7, again7, ready8;
  logic [63:0] from7_q, rest7_q, code0_7q, code1_7q, code2_7q, lowest6, lowest7;
  logic [7:0] promoters7_q;
  logic [5:0] to7_q;
  logic [2:0] captured7_q, piece7, captured7, promotion7;
  logic [1:0] castling7_q, turn7_q;
  logic more6, more7, castles7, takes_ep7;
  logic [25:0] move7;

  assign all_arrivals = to_n_i | to_s_i | to_e_i | to_w_i | to_ne_i | to_sw_i | to_nw_i | to_se_i |
                        (movegen_pkg::knight_attacks(knights_i) & targets_i) |
                        {57'h0, castling_i[0], 3'h0, castling_i[1], 2'h0};
  assign lowest4 = movegen_pkg::lowest(todo_q);
  assign more4 = movegen_pkg::two_or_more(todo_q);
  assign load7 = ~valid7_q | done7;
  assign load6 = ~valid6_q | load7;
  assign load5 = ~valid5_q | load6;
  assign done4 = todo_valid_q & load5 & ~more4;
  // A fresh position is loaded once: it is still in stage 3 until it is taken.
  assign load4 = valid_i & (~todo_valid_q | (done4 & ~todo_fresh_q));
  assign take_o = todo_valid_q & todo_fresh_q & load5;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      todo_valid_q <= 1'b0;
    end else if (load4) begin
      todo_valid_q <= 1'b1;
    end else if (done4) begin
      todo_valid_q <= 1'b0;
    end

    if (load4) begin
      todo_q <= all_arrivals;
      todo_fresh_q <= 1'b1;
    end else if (load5) begin
      todo_q <= todo_q & ~lowest4;
      todo_fresh_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid5_q <= 1'b0;
    end else if (load5) begin
      valid5_q <= todo_valid_q;
    end

    if (load5) begin
      to5_q <= lowest4;
      last5_q <= ~more4;
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

  // Pawns on rank 7 that arrive on rank 8.
  assign promoters5 = code0_q[55:48] & ~code1_q[55:48] & ~code2_q[55:48] & {8{|to5_q[63:56]}};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid6_q <= 1'b0;
    end else if (load6) begin
      valid6_q <= valid5_q;
    end

    if (load6) begin
      from6_q <= from5;
      code0_6q <= code0_q;
      code1_6q <= code1_q;
      code2_6q <= code2_q;
      promoters6_q <= promoters5;
      to6_q <= movegen_pkg::index_of(to5_q);
      captured6_q <= {|(to5_q & code2_q), |(to5_q & code1_q), |(to5_q & code0_q)};
      castling6_q <= castling_q & {to5_q[2], to5_q[6]};
      ep6_q <= |(to5_q[47:40] & ep_q);
      last6_q <= last5_q;
      none6_q <= ~(|to5_q);
    end
  end

  // The next origin comes from stage 6 or from the rest of this destination; both are made ready, so
  // that only a choice remains when it is known which.
  assign lowest6 = movegen_pkg::lowest(from6_q);
  assign lowest7 = movegen_pkg::lowest(rest7_q);
  assign more6 = movegen_pkg::two_or_more(from6_q);
  assign more7 = movegen_pkg::two_or_more(rest7_q);
  assign send7 = valid7_q & ready8;
  assign again7 = promotes7_q & (turn7_q != 2'd3);
  assign done7 = send7 & ~more7_q & ~again7;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid7_q <= 1'b0;
    end else if (load7) begin
      valid7_q <= valid6_q;
    end

    if (load7) begin
      from7_q <= lowest6;
      rest7_q <= from6_q & ~lowest6;
      more7_q <= more6;
      promotes7_q <= |(lowest6[55:48] & promoters6_q);
      promoters7_q <= promoters6_q;
      turn7_q <= 2'd0;
      code0_7q <= code0_6q;
      code1_7q <= code1_6q;
      code2_7q <= code2_6q;
      to7_q <= to6_q;
      captured7_q <= captured6_q;
      castling7_q <= castling6_q;
      ep7_q <= ep6_q;
      last7_q <= last6_q;
      none7_q <= none6_q;
    end else if (send7) begin
      turn7_q <= turn7_q + 2'd1;
      if (~again7) begin
        from7_q <= lowest7;
        rest7_q <= rest7_q & ~lowest7;
        more7_q <= more7;
        promotes7_q <= |(lowest7[55:48] & promoters7_q);
        turn7_q <= 2'd0;
      end
    end
  end

  assign piece7 = {|(from7_q & code2_7q), |(from7_q & code1_7q), |(from7_q & code0_7q)};
  assign takes_ep7 = ep7_q & (piece7 == Pawn);
  assign captured7 = takes_ep7 ? Pawn : captured7_q;
  assign promotion7 = promotes7_q ? Queen - {1'b0, turn7_q} : 3'd0;
  assign castles7 = from7_q[4];
  assign move7 = {movegen_pkg::index_of(from7_q), to7_q, piece7, captured7, promotion7,
                  castling7_q & {2{castles7}}, takes_ep7, last7_q & ~more7_q & ~again7, none7_q};

  movegen_skid #(.Width(26)) u_skid (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(valid7_q),
    .ready_o(ready8),
    .data_i(move7),
    .valid_o(move_valid_o),
    .ready_i(move_ready_i),
    .data_o({move_from_o, move_to_o, move_piece_o, move_captured_o, move_promotion_o,
             move_castling_o, move_ep_o, move_last_o, move_none_o})
  );

endmodule

`default_nettype wire
