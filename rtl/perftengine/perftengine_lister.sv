// All legal moves of a position, one a clock, in whatever order is cheapest.
//
//   stage 4  node: what analysis (stages 1 to 3) found; kept until stage 6 has copied it
//   stage 5  destinations not taken yet
//   stage 6  one of them, and a copy of what is known of its position
//   stage 7  all origins of that destination (movegen_origins)
//   stage 8  one of them, and those that are left; whether there are any is known from a register
//   stage 9  a move, and one place in reserve (movegen_skid)
//
// The next position is analysed while this one is listed: stage 4 is free again (take_o) as soon as
// the first destination of its position is in stage 6. A stage takes its successor in the same
// cycle in which it finishes: no gap between destinations, nor between positions if the next is
// there in time. A position without a legal move is one beat with none_o.
//
// Latency 6 from node_i to beat_valid_o; one move a clock.
// Cost: 1778 LUTs with movegen_origins, 1733 flip-flops.

`default_nettype none

module perftengine_lister (
  input  logic        clk_i,
  input  logic        clear_i,

  // stage 3 holds a position to be listed; the one before was taken
  input  logic        node_i,
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
  output logic        take_o,         // the position is copied at the end of this cycle

  output logic        beat_valid_o,
  input  logic        beat_ready_i,
  output logic [5:0]  beat_from_o,
  output logic [5:0]  beat_to_o,
  output logic [2:0]  beat_promotion_o,
  output logic        beat_last_o,
  output logic        beat_none_o
);

  // Stage 4: the position.
  logic valid4_q;
  logic [63:0] occupied4_q, knights4_q, targets4_q, all4;
  logic [63:0] to_n4_q, to_s4_q, to_e4_q, to_w4_q, to_ne4_q, to_sw4_q, to_nw4_q, to_se4_q;
  logic [1:0] castling4_q;
  logic [7:0] pawns4_q;               // on rank 7

  // Stage 5: destinations.
  // fresh: none has been taken yet, stage 4 holds their position
  logic valid5_q, fresh5_q;
  logic [63:0] todo5_q, lowest5;
  logic more5, load5, done5;

  // Stage 6: a destination and its position.
  logic valid6_q, last6_q, load6;
  logic [63:0] to6_q, occupied6_q, knights6_q, targets6_q, from6;
  logic [63:0] to_n6_q, to_s6_q, to_e6_q, to_w6_q, to_ne6_q, to_sw6_q, to_nw6_q, to_se6_q;
  logic [1:0] castling6_q;
  logic [7:0] pawns6_q;

  // Stage 7: its origins.
  logic valid7_q, last7_q, none7_q, load7, more7;
  logic [63:0] from7_q, lowest7;
  logic [7:0] promoters7_q;
  logic [5:0] to7_q;

  // Stage 8: one of them, and the rest.
  logic valid8_q, last8_q, none8_q, more8_q, promotes8_q, load8, send8, done8, again8, ready9;
  logic [63:0] from8_q, rest8_q, lowest8;
  logic [7:0] promoters8_q;
  logic [5:0] to8_q;
  logic [2:0] promotion8;
  logic [1:0] turn8_q;

  // Castling adds no destination: where the king may castle, its rook may go to that square too.
  assign all4 = to_n4_q | to_s4_q | to_e4_q | to_w4_q | to_ne4_q | to_sw4_q | to_nw4_q | to_se4_q |
                (movegen_pkg::knight_attacks(knights4_q) & targets4_q);

  assign again8 = promotes8_q & (turn8_q != 2'd3);
  assign send8 = valid8_q & ready9;
  assign done8 = send8 & ~more8_q & ~again8;
  assign load8 = ~valid8_q | done8;
  assign load7 = ~valid7_q | load8;
  assign load6 = ~valid6_q | load7;
  assign done5 = valid5_q & load6 & ~more5;
  assign load5 = valid4_q & (~valid5_q | (done5 & ~fresh5_q));
  assign take_o = valid5_q & fresh5_q & load6;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      valid4_q <= 1'b0;
    end else if (node_i) begin
      valid4_q <= 1'b1;
    end else if (take_o) begin
      valid4_q <= 1'b0;
    end

    if (node_i) begin
      occupied4_q <= code0_i | code1_i | code2_i;
      pawns4_q <= code0_i[55:48] & ~code1_i[55:48] & ~code2_i[55:48];
      to_n4_q <= to_n_i;
      to_s4_q <= to_s_i;
      to_e4_q <= to_e_i;
      to_w4_q <= to_w_i;
      to_ne4_q <= to_ne_i;
      to_sw4_q <= to_sw_i;
      to_nw4_q <= to_nw_i;
      to_se4_q <= to_se_i;
      knights4_q <= knights_i;
      targets4_q <= targets_i;
      castling4_q <= castling_i;
    end
  end

  assign lowest5 = movegen_pkg::lowest(todo5_q);
  assign more5 = movegen_pkg::two_or_more(todo5_q);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      valid5_q <= 1'b0;
    end else if (load5) begin
      valid5_q <= 1'b1;
    end else if (done5) begin
      valid5_q <= 1'b0;
    end

    if (load5) begin
      todo5_q <= all4;
      fresh5_q <= 1'b1;
    end else if (load6) begin
      todo5_q <= todo5_q & ~lowest5;
      fresh5_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      valid6_q <= 1'b0;
    end else if (load6) begin
      valid6_q <= valid5_q;
    end

    if (load6) begin
      to6_q <= lowest5;
      last6_q <= ~more5;
    end

    if (take_o) begin
      occupied6_q <= occupied4_q;
      pawns6_q <= pawns4_q;
      to_n6_q <= to_n4_q;
      to_s6_q <= to_s4_q;
      to_e6_q <= to_e4_q;
      to_w6_q <= to_w4_q;
      to_ne6_q <= to_ne4_q;
      to_sw6_q <= to_sw4_q;
      to_nw6_q <= to_nw4_q;
      to_se6_q <= to_se4_q;
      knights6_q <= knights4_q;
      targets6_q <= targets4_q;
      castling6_q <= castling4_q;
    end
  end

  movegen_origins u_origins (
    .to_i(to6_q),
    .occupied_i(occupied6_q),
    .to_n_i(to_n6_q), .to_s_i(to_s6_q), .to_e_i(to_e6_q), .to_w_i(to_w6_q),
    .to_ne_i(to_ne6_q), .to_sw_i(to_sw6_q), .to_nw_i(to_nw6_q), .to_se_i(to_se6_q),
    .knights_i(knights6_q),
    .targets_i(targets6_q),
    .castling_i(castling6_q),
    .from_o(from6)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      valid7_q <= 1'b0;
    end else if (load7) begin
      valid7_q <= valid6_q;
    end

    if (load7) begin
      from7_q <= from6;
      promoters7_q <= pawns6_q & {8{|to6_q[63:56]}};
      to7_q <= movegen_pkg::index_of(to6_q);
      last7_q <= last6_q;
      none7_q <= ~(|to6_q);
    end
  end

  // The next origin comes from stage 7 or from the rest of this destination; both are made ready,
  // so that only a choice remains when it is known which.
  assign lowest7 = movegen_pkg::lowest(from7_q);
  assign lowest8 = movegen_pkg::lowest(rest8_q);
  assign more7 = movegen_pkg::two_or_more(from7_q);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      valid8_q <= 1'b0;
    end else if (load8) begin
      valid8_q <= valid7_q;
    end

    if (load8) begin
      from8_q <= lowest7;
      rest8_q <= from7_q & ~lowest7;
      more8_q <= more7;
      promotes8_q <= |(lowest7[55:48] & promoters7_q);
      promoters8_q <= promoters7_q;
      turn8_q <= 2'd0;
      to8_q <= to7_q;
      last8_q <= last7_q;
      none8_q <= none7_q;
    end else if (send8) begin
      turn8_q <= turn8_q + 2'd1;
      if (~again8) begin
        from8_q <= lowest8;
        rest8_q <= rest8_q & ~lowest8;
        more8_q <= movegen_pkg::two_or_more(rest8_q);
        promotes8_q <= |(lowest8[55:48] & promoters8_q);
        turn8_q <= 2'd0;
      end
    end
  end

  assign promotion8 = promotes8_q ? piece_pkg::Queen - {1'b0, turn8_q} : piece_pkg::None;

  movegen_skid #(.Width(17)) u_skid (
    .clk_i(clk_i), .rst_i(clear_i),
    .valid_i(valid8_q), .ready_o(ready9),
    .data_i({movegen_pkg::index_of(from8_q), to8_q, promotion8,
             last8_q & ~more8_q & ~again8, none8_q}),
    .valid_o(beat_valid_o), .ready_i(beat_ready_i),
    .data_o({beat_from_o, beat_to_o, beat_promotion_o, beat_last_o, beat_none_o})
  );

endmodule

`default_nettype wire
