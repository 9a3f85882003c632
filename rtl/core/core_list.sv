// Lists of moves: takes the game's position to the move generator, and its moves to a FIFO or to an
// AXI4-Stream, packed into words of 32 bits.
//
// start_i begins a list, in place of one to the FIFO that is under way or has not been read. One
// that goes to the stream is not to be cut short by it: the start is refused. abort_i ends either;
// on the stream a last word without move closes the packet. start_i and abort_i do not come
// together.
//
//   cycle            0     1     2    ...  11      12      13
//   start_i          1
//   to movegen             taken
//   listing_o              1     1    ...  1       ...
//   move_valid                             10...           (10 cycles after start_i: move 1)
//   stream                                 .. one cycle later: move 1
//   FIFO                                   .. two cycles later: move 1
//
// Between this block's inputs, movegen and the outputs lie registers.
// Cost: about 150 LUTs and 400 flip-flops beside movegen.

`default_nettype none

module core_list #(
  parameter int Fifo = 256               // moves in the FIFO; a power of two
) (
  input  logic        clk_i,
  input  logic        rst_i,             // synchronous

  input  logic        start_i,
  input  logic        abort_i,
  // of the list that begins; as movegen's. To hold, as the two below,
  input  logic [1:0]  order_i,
  input  logic [1:0]  filter_i,          // in the cycle after start_i
  input  logic        stream_i,          // to the stream
  output logic        refused_o,         // start_i is
  // the list's last word has not come to the FIFO or the stream
  output logic        listing_o,
  output logic        streaming_o,       // and it goes to the stream
  output logic        listed_o,          // its last word comes there

  input  movegen_coded_t position_i,     // in the cycle of start_i
  input  logic        black_i,           // black is to move in it

  output logic        count_valid_o,     // count and check are those of the list begun last
  output logic [7:0]  count_o,
  output logic        check_o,

  // the FIFO's next word, its bit Valid included; 0 without one
  output logic        word_valid_o,
  output logic [31:0] word_o,
  input  logic        take_i,            // take it; only with word_valid_o
  output logic [$clog2(Fifo):0] words_o, // in the FIFO
  output logic        soon_o,            // none is at the output, but one is on its way
  output logic        counting_o,        // the count is on its way

  output logic        m_axis_tvalid_o,
  input  logic        m_axis_tready_i,
  output logic [31:0] m_axis_tdata_o,
  output logic        m_axis_tlast_o
);

  localparam int QuietWidth = 6;         // a word that is on its way comes within 32 cycles

  // The position, held for movegen in the cycle after start_i.
  logic [63:0] own_d, code2_d, code1_d, code0_d, own_q, code2_q, code1_q, code0_q;
  logic [3:0] castling_d, castling_q;
  logic [7:0] ep_d, ep_q;
  movegen_coded_t coded;
  /* verilator lint_off UNUSEDSIGNAL */   // the opponent's rights do not matter
  movegen_position_t position;
  /* verilator lint_on UNUSEDSIGNAL */
  logic black_q, pos_valid_q, go, restart;
  logic listing_q, to_stream_q, list_black_q, ending_q, counting_q;
  logic [QuietWidth-1:0] quiet_q;
  logic count_valid, count_check;
  logic [7:0] count;
  logic move_valid, move_ready, move_last, move_none, move_ep, last_comes, end_comes;
  logic [5:0] move_from, move_to;
  logic [2:0] move_piece, move_captured, move_promotion;
  logic [1:0] move_castling;
  logic fifo_put, fifo_full, stream_valid, stream_ready;
  logic [5:0] from, to;
  logic [31:0] word_fields, word_common, word, end_word, stream_word, fifo_word;
  /* verilator lint_off UNUSED */ // ready after each restart
  logic pos_ready;
  /* verilator lint_on UNUSED */

  assign streaming_o = listing_q & to_stream_q;
  assign listing_o = listing_q;
  assign refused_o = start_i & streaming_o;
  assign go = start_i & ~streaming_o;
  assign restart = go | abort_i;

  assign {castling_d, ep_d, own_d, code2_d, code1_d, code0_d} = position_i;

  always_ff @(posedge clk_i) begin
    own_q <= own_d;
    code2_q <= code2_d;
    code1_q <= code1_d;
    code0_q <= code0_d;
    castling_q <= castling_d;
    ep_q <= ep_d;
    black_q <= black_i;
    if (pos_valid_q) begin
      list_black_q <= black_q;
    end
  end

  assign coded = {castling_q, ep_q, own_q, code2_q, code1_q, code0_q};

  movegen_decode u_decode (.coded_i(coded), .position_o(position));

  movegen u_movegen (
    .clk_i(clk_i), .rst_i(rst_i | restart),
    .pos_valid_i(pos_valid_q), .pos_ready_o(pos_ready), .pos_list_i(1'b1),
    .pos_order_i(order_i), .pos_filter_i(filter_i),
    .pos_own_i(position.own), .pos_pawns_i(position.pawns), .pos_knights_i(position.knights),
    .pos_bishops_i(position.bishops), .pos_rooks_i(position.rooks),
    .pos_queens_i(position.queens), .pos_kings_i(position.kings),
    .pos_castling_i(position.castling[1:0]), .pos_ep_i(position.ep),
    .count_valid_o(count_valid), .count_o(count), .count_check_o(count_check),
    .move_valid_o(move_valid), .move_ready_i(move_ready), .move_from_o(move_from),
    .move_to_o(move_to), .move_piece_o(move_piece), .move_captured_o(move_captured),
    .move_promotion_o(move_promotion), .move_castling_o(move_castling), .move_ep_o(move_ep),
    .move_last_o(move_last), .move_none_o(move_none)
  );

  // A move's word, in board coordinates.
  assign from = move_from ^ {{3{list_black_q}}, 3'd0};
  assign to = move_to ^ {{3{list_black_q}}, 3'd0};
  assign word_fields = (32'(from) << core_regs_pkg::MoveFrom) |
                       (32'(to) << core_regs_pkg::MoveTo) |
                       (32'(move_promotion) << core_regs_pkg::MovePromotion) |
                       (32'(move_piece) << core_regs_pkg::MovePiece) |
                       (32'(move_captured) << core_regs_pkg::MoveCaptured) |
                       (32'(move_ep) << core_regs_pkg::MoveEnPassant) |
                       (32'(|move_castling) << core_regs_pkg::MoveCastling);
  assign word_common = (32'(list_black_q) << core_regs_pkg::MoveBlack) |
                       (32'd1 << core_regs_pkg::MoveValid);
  assign word = (word_fields & {32{~move_none}}) | word_common |
                (32'(move_none) << core_regs_pkg::MoveNone) |
                (32'(move_last) << core_regs_pkg::MoveLast);

  // Where it goes. An aborted packet is ended by a word of its own.
  assign move_ready = to_stream_q ? stream_ready : ~fifo_full;
  assign fifo_put = move_valid & ~to_stream_q & ~fifo_full;
  assign stream_valid = (move_valid & to_stream_q & ~abort_i) | ending_q;
  assign last_comes = move_valid & move_ready & move_last & ~restart;
  assign end_comes = ending_q & stream_ready;
  assign listed_o = last_comes;

  assign end_word = word_common | (32'd1 << core_regs_pkg::MoveNone) | (32'd1 << core_regs_pkg::MoveLast);
  assign stream_word = ending_q ? end_word : word;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      listing_q <= 1'b0;
      ending_q <= 1'b0;
      pos_valid_q <= 1'b0;
      count_valid_o <= 1'b0;
      counting_q <= 1'b0;
    end else begin
      listing_q <= go | (listing_q & ~last_comes & ~end_comes & (streaming_o | ~abort_i));
      ending_q <= (ending_q & ~stream_ready) | (abort_i & streaming_o & ~ending_q);
      pos_valid_q <= go;
      count_valid_o <= ~go & (count_valid_o | count_valid);
      counting_q <= go | (counting_q & ~count_valid & ~abort_i);
    end
    if (go) begin
      to_stream_q <= stream_i;
    end
    if (count_valid) begin
      count_o <= count;
      check_o <= count_check;
    end
    if (go | fifo_put) begin
      quiet_q <= '0;
    end else begin
      quiet_q <= quiet_q + {{QuietWidth-1{1'b0}}, ~quiet_q[QuietWidth-1]};
    end
  end

  assign soon_o = ~word_valid_o &
                  ((words_o != '0) | (listing_q & ~to_stream_q & ~quiet_q[QuietWidth-1]));
  assign counting_o = counting_q & ~quiet_q[QuietWidth-1];

  core_fifo #(.Width(32), .Depth(Fifo)) u_fifo (
    .clk_i(clk_i), .clear_i(rst_i | restart),
    .put_i(fifo_put), .data_i(word), .full_o(fifo_full),
    .valid_o(word_valid_o), .data_o(fifo_word), .take_i(take_i), .count_o(words_o)
  );

  assign word_o = fifo_word & {32{word_valid_o}};

  movegen_skid #(.Width(33)) u_stream (
    .clk_i(clk_i), .rst_i(rst_i),
    .valid_i(stream_valid), .ready_o(stream_ready), .data_i({stream_word[core_regs_pkg::MoveLast], stream_word}),
    .valid_o(m_axis_tvalid_o), .ready_i(m_axis_tready_i), .data_o({m_axis_tlast_o, m_axis_tdata_o})
  );

endmodule

`default_nettype wire
