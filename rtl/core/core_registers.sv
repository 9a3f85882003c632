// The registers of the core: what an access does, and what it answers. The map is core_regs_pkg,
// which is generated with its description in README.md.
//
//   cycle               0    1    2    3
//   write_i, of Make    1
//   command to game          1
//   game's state                  there, and its error
//   start of a list               1             (if Auto is set)
//   Error                              there
//   write_i, of List    1
//   start of a list          1
//
// Writes come two cycles apart at least (axil), so that each finds done what the one before began;
// only Load takes longer, and keeps both directions waiting.
//
// Cost: about 430 LUTs, 190 flip-flops.

`default_nettype none

module core_registers #(
  parameter int Plies = 64,
  parameter int Fifo = 256,
  localparam int DepthWidth = $clog2(Plies + 1)
) (
  input  logic        clk_i,
  input  logic        rst_i,               // synchronous

  output logic        write_ready_o,       // to axil, and from it
  input  logic        write_i,
  input  logic [9:0]  write_address_i,
  input  logic [31:0] write_data_i,
  output logic        write_error_o,
  output logic        read_ready_o,
  input  logic        read_i,
  input  logic [9:0]  read_address_i,
  output logic [31:0] read_data_o,
  output logic        read_error_o,

  output logic        board_write_o,       // to core_position: a rank of the position to be loaded
  output logic        load_start_o,
  input  logic        load_done_i,
  output logic [3:0]  load_castling_o,     // to game: rights in the side to move's view
  output logic        load_black_o,
  output logic [7:0]  load_ep_o,
  output logic [15:0] load_halfmove_o,
  output logic [15:0] load_fullmove_o,

  output logic        cmd_valid_o,         // to game
  output logic [1:0]  cmd_o,
  output logic [5:0]  move_from_o,         // in the side to move's view
  output logic [5:0]  move_to_o,
  output logic [2:0]  move_promotion_o,

  input  logic [2:0]  game_error_i,        // from game
  input  logic [DepthWidth-1:0] game_depth_i,
  input  game_state_t game_i,

  output logic        list_start_o,        // to core_list
  output logic        list_abort_o,
  output logic [1:0]  list_order_o,
  output logic [1:0]  list_filter_o,
  output logic        list_stream_o,
  input  logic        list_refused_i,      // from core_list
  input  logic        list_listing_i,
  input  logic        list_streaming_i,
  input  logic        list_listed_i,
  input  logic        count_valid_i,
  input  logic [7:0]  count_i,
  input  logic        check_i,
  input  logic        word_valid_i,
  input  logic [31:0] word_i,
  input  logic [$clog2(Fifo):0] words_i,
  input  logic        soon_i,
  input  logic        counting_i,
  output logic        word_take_o,

  output logic        irq_o
);

  logic [63:0] game_own, game_code0, game_code1, game_code2;
  logic [3:0] game_castling;
  logic [7:0] game_ep;
  logic game_black;
  logic [15:0] game_halfmove, game_fullmove;

  assign {
    game_fullmove, game_halfmove, game_black, game_castling, game_ep, game_own, game_code2,
    game_code1, game_code0
  } = game_i;

  // of game
  localparam logic [1:0] CmdLoad = 2'd0, CmdMake = 2'd1, CmdNull = 2'd2, CmdUnmake = 2'd3;

  // Writes.
  logic write_error, write_enable, write_status, write_list, write_abort, write_load, write_make,
    write_null, write_unmake, write_position, write_clocks, write_published, at_board;

  assign at_board = core_regs_pkg::is_board(write_address_i[9:3]);

  always_comb begin
    write_error = 1'b0;
    write_enable = 1'b0;
    write_status = 1'b0;
    write_list = 1'b0;
    write_abort = 1'b0;
    write_load = 1'b0;
    write_make = 1'b0;
    write_null = 1'b0;
    write_unmake = 1'b0;
    write_position = 1'b0;
    write_clocks = 1'b0;
    write_published = 1'b0;
    board_write_o = 1'b0;
    write_error_o = 1'b0;
    case (write_address_i)
      core_regs_pkg::Error: write_error = write_i;
      core_regs_pkg::InterruptEnable: write_enable = write_i;
      core_regs_pkg::InterruptStatus: write_status = write_i;
      core_regs_pkg::List: write_list = write_i;
      core_regs_pkg::Abort: write_abort = write_i;
      core_regs_pkg::Load: write_load = write_i;
      core_regs_pkg::Make: write_make = write_i;
      core_regs_pkg::Null: write_null = write_i;
      core_regs_pkg::Unmake: write_unmake = write_i;
      core_regs_pkg::Position: write_position = write_i;
      core_regs_pkg::Clocks: write_clocks = write_i;
      core_regs_pkg::PublishedCommand: write_published = write_i;
      default: begin
        board_write_o = write_i & at_board;
        write_error_o = ~at_board;
      end
    endcase
  end

  // The position to be loaded, but for the board. What is not the side to move's is in its view,
  // too.
  logic [3:0] load_castling_q;
  logic loading_q, load_done_q;

  initial begin
    load_castling_q = '0;
    load_black_o = 1'b0;
    load_ep_o = '0;
    load_halfmove_o = '0;
    load_fullmove_o = '0;
  end

  assign load_start_o = write_load;
  assign load_castling_o = load_black_o ? {load_castling_q[1:0], load_castling_q[3:2]} : load_castling_q;
  assign write_ready_o = ~loading_q;

  always_ff @(posedge clk_i) begin
    if (write_position) begin
      load_castling_q <= write_data_i[core_regs_pkg::PositionWhiteKingSide +: 4];
      load_black_o <= write_data_i[core_regs_pkg::PositionBlack];
      load_ep_o <= write_data_i[core_regs_pkg::PositionEnPassant +: 8];
    end
    if (write_clocks) begin
      load_halfmove_o <= write_data_i[core_regs_pkg::ClocksHalfmove +: 16];
      load_fullmove_o <= write_data_i[core_regs_pkg::ClocksFullmove +: 16];
    end
    if (rst_i) begin
      loading_q <= 1'b0;
      load_done_q <= 1'b0;
    end else begin
      loading_q <= write_load | (loading_q & ~load_done_q);
      load_done_q <= load_done_i;
    end
  end

  // Commands to the game.
  logic [6:0] published_from, published_to;
  logic [5:0] from, to;
  logic published_make, published_unmake, published_ok, published_bad_q, cmd_done_q;

  assign published_from = core_published_pkg::square(write_data_i[core_regs_pkg::PublishedCommandOrigin +: 7]);
  assign published_to = core_published_pkg::square(write_data_i[core_regs_pkg::PublishedCommandDestination +: 7]);
  assign published_make = write_data_i[core_regs_pkg::PublishedCommandMake];
  assign published_unmake = write_data_i[core_regs_pkg::PublishedCommandUnmake];
  assign published_ok = (published_make ^ published_unmake) &
                        (published_unmake | (published_from[6] & published_to[6]));

  assign from = write_published ? published_from[5:0] : write_data_i[core_regs_pkg::MoveFrom +: 6];
  assign to = write_published ? published_to[5:0] : write_data_i[core_regs_pkg::MoveTo +: 6];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      cmd_valid_o <= 1'b0;
      cmd_done_q <= 1'b0;
      published_bad_q <= 1'b0;
    end else begin
      cmd_valid_o <= load_done_i | write_make | write_null | write_unmake | (write_published & published_ok);
      cmd_done_q <= cmd_valid_o;
      published_bad_q <= write_published & ~published_ok;
    end
    if (write_load) cmd_o <= CmdLoad;
    if (write_make | (write_published & published_make)) cmd_o <= CmdMake;
    if (write_null) cmd_o <= CmdNull;
    if (write_unmake | (write_published & published_unmake)) cmd_o <= CmdUnmake;
    if (write_i) begin
      move_from_o <= from ^ {{3{game_black}}, 3'd0};
      move_to_o <= to ^ {{3{game_black}}, 3'd0};
      move_promotion_o <= write_published ? write_data_i[core_regs_pkg::PublishedCommandPromotion +: 3]
                                          : write_data_i[core_regs_pkg::MovePromotion +: 3];
    end
  end

  // Lists: when told to, and with Auto after each command that was carried out.
  logic list_start_q, auto_q;

  assign list_start_o = list_start_q | (cmd_done_q & auto_q & (game_error_i == 3'd0));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      list_start_q <= 1'b0;
      list_abort_o <= 1'b0;
      {auto_q, list_stream_o, list_filter_o, list_order_o} <= '0;
    end else begin
      list_start_q <= write_list;
      list_abort_o <= write_abort;
      if (write_list) begin
        auto_q <= write_data_i[core_regs_pkg::ListAuto];
        list_stream_o <= write_data_i[core_regs_pkg::ListStream];
        list_filter_o <= write_data_i[core_regs_pkg::ListFilter +: 2];
        list_order_o <= write_data_i[core_regs_pkg::ListOrder +: 2];
      end
    end
  end

  // What was refused: the first one is kept.
  logic [3:0] reason_q, reason;
  logic [2:0] command_q, command;
  logic game_refuses, refused;

  assign game_refuses = cmd_done_q & (game_error_i != 3'd0);
  assign refused = game_refuses | list_refused_i | published_bad_q;

  always_comb begin
    reason = {1'b0, game_error_i};
    command = {1'b0, cmd_o};
    if (list_refused_i) begin
      reason = core_regs_pkg::ErrorReasonBusy;
      command = core_regs_pkg::ErrorCommandList;
    end
    if (published_bad_q) begin
      reason = core_regs_pkg::ErrorReasonWord;
      command = core_regs_pkg::ErrorCommandPublished;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      reason_q <= core_regs_pkg::ErrorReasonNone;
      command_q <= '0;
    end else if (refused & (write_error | (reason_q == core_regs_pkg::ErrorReasonNone))) begin
      reason_q <= reason;
      command_q <= command;
    end else if (write_error) begin
      reason_q <= core_regs_pkg::ErrorReasonNone;
      command_q <= '0;
    end
  end

  // Interrupts.
  logic [1:0] events, interrupts, enabled, status;

  assign events = (2'(list_listed_i) << core_regs_pkg::InterruptsListed) |
                  (2'(refused) << core_regs_pkg::InterruptsRefused);
  assign interrupts = write_data_i[1:0];

  axil_interrupt #(.Events(2)) u_interrupt (
    .clk_i(clk_i), .rst_i(rst_i), .event_i(events),
    .enable_i(write_enable), .clear_i(write_status), .data_i(interrupts),
    .enable_o(enabled), .status_o(status), .irq_o(irq_o)
  );

  // Reads.
  logic [31:0] status_word, error_word, count_word, list_word, position_word, board_word, record_word;
  logic [2:0] rank;
  logic [3:0] castling;
  logic [7:0] own, code0, code1, code2;
  logic half_q, reads_moves, reads_published, reads_board;

  assign reads_moves = core_regs_pkg::is_moves(read_address_i[9:7]);
  assign reads_board = core_regs_pkg::is_board(read_address_i[9:3]);
  assign reads_published = read_address_i == core_regs_pkg::PublishedMoves;
  assign read_ready_o = ~loading_q & ~(soon_i & (reads_moves | reads_published)) &
                        ~(counting_i & (read_address_i == core_regs_pkg::Count));

  // A published record goes in two reads.
  assign word_take_o = read_i & word_valid_i & (reads_moves | (reads_published & half_q));

  always_ff @(posedge clk_i) begin
    if (rst_i | list_start_o | list_abort_o | word_take_o) half_q <= 1'b0;
    else if (read_i & word_valid_i & reads_published) half_q <= 1'b1;
  end

  // The board as it is, not as the side to move sees it.
  assign rank = read_address_i[2:0] ^ {3{game_black}};
  assign own = game_own[{rank, 3'd0} +: 8];
  assign code0 = game_code0[{rank, 3'd0} +: 8];
  assign code1 = game_code1[{rank, 3'd0} +: 8];
  assign code2 = game_code2[{rank, 3'd0} +: 8];

  for (genvar i = 0; i < 8; i++) begin : g_file
    assign board_word[4*i +: 4] = {(own[i] == game_black) & (code0[i] | code1[i] | code2[i]),
                                   code2[i], code1[i], code0[i]};
  end

  assign status_word = (32'(list_listing_i) << core_regs_pkg::StatusListing) |
                       (32'(list_streaming_i) << core_regs_pkg::StatusStreaming) |
                       (32'(words_i) << core_regs_pkg::StatusMoves);
  assign error_word = (32'(reason_q) << core_regs_pkg::ErrorReason) |
                      (32'(command_q) << core_regs_pkg::ErrorCommand);
  assign count_word = {32{count_valid_i}} &
                      ((32'(count_i) << core_regs_pkg::CountMoves) |
                       (32'(check_i) << core_regs_pkg::CountCheck) |
                       (32'd1 << core_regs_pkg::CountValid));
  assign list_word = (32'(list_order_o) << core_regs_pkg::ListOrder) |
                     (32'(list_filter_o) << core_regs_pkg::ListFilter) |
                     (32'(list_stream_o) << core_regs_pkg::ListStream) |
                     (32'(auto_q) << core_regs_pkg::ListAuto);
  assign castling = game_black ? {game_castling[1:0], game_castling[3:2]} : game_castling;
  assign position_word = (32'(castling) << core_regs_pkg::PositionWhiteKingSide) |
                         (32'(game_black) << core_regs_pkg::PositionBlack) |
                         (32'(game_ep) << core_regs_pkg::PositionEnPassant) |
                         (32'(game_depth_i) << core_regs_pkg::PositionDepth);

  // A move's word as a published record.
  logic promotes, captures, castles, queen_side;
  logic [2:0] captured, promotion, castling_code;
  logic black;

  assign black = word_i[core_regs_pkg::MoveBlack];
  assign captured = word_i[core_regs_pkg::MoveCaptured +: 3];
  assign promotion = word_i[core_regs_pkg::MovePromotion +: 3];
  assign captures = |captured;
  assign promotes = |promotion;
  assign castles = word_i[core_regs_pkg::MoveCastling];
  assign queen_side = ~word_i[core_regs_pkg::MoveTo + 2];     // c1 and c8, not g1 and g8

  always_comb begin
    castling_code = core_regs_pkg::RecordCastlingNo;
    if (castles) begin
      case ({black, queen_side})
        2'b00: castling_code = core_regs_pkg::RecordCastlingWhiteKingSide;
        2'b01: castling_code = core_regs_pkg::RecordCastlingWhiteQueenSide;
        2'b10: castling_code = core_regs_pkg::RecordCastlingBlackKingSide;
        default: castling_code = core_regs_pkg::RecordCastlingBlackQueenSide;
      endcase
    end
  end

  assign record_word = (32'(word_i[core_regs_pkg::MoveFrom +: 6]) << core_regs_pkg::RecordFrom) |
                       (32'(word_i[core_regs_pkg::MoveTo +: 6]) << core_regs_pkg::RecordTo) |
                       (32'(word_i[core_regs_pkg::MoveEnPassant]) << core_regs_pkg::RecordEnPassant) |
                       (32'(castling_code) << core_regs_pkg::RecordCastling) |
                       (32'({captures & ~black, captured}) << core_regs_pkg::RecordCaptured) |
                       (32'({promotes & black, promotion}) << core_regs_pkg::RecordPromotion) |
                       (32'(word_i[core_regs_pkg::MoveNone]) << core_regs_pkg::RecordNone) |
                       (32'(word_i[core_regs_pkg::MoveLast]) << core_regs_pkg::RecordLast) |
                       (32'(word_i[core_regs_pkg::MoveValid]) << core_regs_pkg::RecordValid);

  always_comb begin
    read_data_o = '0;
    read_error_o = 1'b0;
    case (read_address_i)
      core_regs_pkg::Identity: read_data_o = core_regs_pkg::IdentityValue;
      core_regs_pkg::Version: read_data_o = core_regs_pkg::VersionValue;
      core_regs_pkg::Config: read_data_o = {16'(Fifo), 16'(Plies)};
      core_regs_pkg::Status: read_data_o = status_word;
      core_regs_pkg::Error: read_data_o = error_word;
      core_regs_pkg::InterruptEnable: read_data_o = {30'd0, enabled};
      core_regs_pkg::InterruptStatus: read_data_o = {30'd0, status};
      core_regs_pkg::Count: read_data_o = count_word;
      core_regs_pkg::List: read_data_o = list_word;
      core_regs_pkg::Position: read_data_o = position_word;
      core_regs_pkg::Clocks: read_data_o = {game_fullmove, game_halfmove};
      core_regs_pkg::PublishedMoves: read_data_o = record_word & {32{~half_q}};
      default: begin
        if (reads_moves) read_data_o = word_i;
        else if (reads_board) read_data_o = board_word;
        else read_error_o = 1'b1;
      end
    endcase
  end

endmodule

`default_nettype wire
