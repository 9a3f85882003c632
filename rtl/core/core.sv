// The move generator core: game state and lists of legal moves behind a bus.
//
//   AXI4-Lite -- axil -- core_registers -- core_position --> game_state --> core_list (movegen)
//                           |      ^                                          |         |
//                           irq_o  +------------------ FIFO <-----------------+         |
//                                                      AXI4-Stream, for DMA <-----------+
//
// Software loads a position, makes and takes back moves, and has moves listed, in an order and
// through a filter of choice: into a FIFO that it reads, one word a move, or onto the stream, one
// word a clock, with TLAST on a list's last word. README.md has the registers, and what takes how
// long.
//
// Cost: docs/pnr/core.md.

`default_nettype none

module core #(
  parameter int Plies = 64,              // moves that can be taken back; up to 255
  parameter int Fifo = 256               // moves that wait to be read; a power of two, up to 512
) (
  input  logic        clk_i,
  input  logic        rst_i,             // synchronous

  input  logic [11:0] s_axil_awaddr_i,   // registers, see README.md
  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic [31:0] s_axil_wdata_i,
  input  logic [3:0]  s_axil_wstrb_i,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  output logic [1:0]  s_axil_bresp_o,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  input  logic [11:0] s_axil_araddr_i,
  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  output logic [31:0] s_axil_rdata_o,
  output logic [1:0]  s_axil_rresp_o,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,

  output logic        m_axis_tvalid_o,   // lists to the stream
  input  logic        m_axis_tready_i,
  output logic [31:0] m_axis_tdata_o,
  output logic        m_axis_tlast_o,

  output logic        irq_o
);

  localparam int DepthWidth = $clog2(Plies + 1);
  localparam int WordsWidth = $clog2(Fifo) + 1;

  logic write_ready, write, write_error, read_ready, read, read_error;
  logic [9:0] write_address, read_address;
  logic [31:0] write_data, read_data;

  axil #(.AddressWidth(12)) u_axil (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr_i(s_axil_awaddr_i), .s_axil_awvalid_i(s_axil_awvalid_i),
    .s_axil_awready_o(s_axil_awready_o),
    .s_axil_wdata_i(s_axil_wdata_i), .s_axil_wstrb_i(s_axil_wstrb_i),
    .s_axil_wvalid_i(s_axil_wvalid_i), .s_axil_wready_o(s_axil_wready_o),
    .s_axil_bresp_o(s_axil_bresp_o), .s_axil_bvalid_o(s_axil_bvalid_o),
    .s_axil_bready_i(s_axil_bready_i),
    .s_axil_araddr_i(s_axil_araddr_i), .s_axil_arvalid_i(s_axil_arvalid_i),
    .s_axil_arready_o(s_axil_arready_o),
    .s_axil_rdata_o(s_axil_rdata_o), .s_axil_rresp_o(s_axil_rresp_o),
    .s_axil_rvalid_o(s_axil_rvalid_o), .s_axil_rready_i(s_axil_rready_i),
    .write_ready_i(write_ready), .write_o(write), .write_address_o(write_address),
    .write_data_o(write_data), .write_error_i(write_error),
    .read_ready_i(read_ready), .read_o(read), .read_address_o(read_address),
    .read_data_i(read_data), .read_error_i(read_error)
  );

  logic board_write, load_start, load_done, load_black, cmd_valid;
  logic [3:0] load_castling;
  logic [7:0] load_ep;
  logic [15:0] load_halfmove, load_fullmove;
  logic [63:0] load_own, load_code0, load_code1, load_code2;
  game_state_t load, state;
  logic [1:0] cmd;
  logic [5:0] move_from, move_to;
  logic [2:0] move_promotion, game_error;
  logic [DepthWidth-1:0] depth;
  logic list_start, list_abort, list_stream, list_refused, listing, streaming, listed;
  logic [1:0] order, filter;
  logic count_valid, check, word_valid, soon, counting, word_take;
  logic [7:0] count;
  logic [31:0] word;
  logic [WordsWidth-1:0] words;

  core_registers #(.Plies(Plies), .Fifo(Fifo)) u_registers (
    .clk_i(clk_i), .rst_i(rst_i),
    .write_ready_o(write_ready), .write_i(write), .write_address_i(write_address),
    .write_data_i(write_data), .write_error_o(write_error),
    .read_ready_o(read_ready), .read_i(read), .read_address_i(read_address),
    .read_data_o(read_data), .read_error_o(read_error),
    .board_write_o(board_write), .load_start_o(load_start), .load_done_i(load_done),
    .load_castling_o(load_castling), .load_black_o(load_black), .load_ep_o(load_ep),
    .load_halfmove_o(load_halfmove), .load_fullmove_o(load_fullmove),
    .cmd_valid_o(cmd_valid), .cmd_o(cmd), .move_from_o(move_from), .move_to_o(move_to),
    .move_promotion_o(move_promotion),
    .game_error_i(game_error), .game_depth_i(depth), .game_i(state),
    .list_start_o(list_start), .list_abort_o(list_abort), .list_order_o(order),
    .list_filter_o(filter), .list_stream_o(list_stream), .list_refused_i(list_refused),
    .list_listing_i(listing), .list_streaming_i(streaming), .list_listed_i(listed),
    .count_valid_i(count_valid), .count_i(count), .check_i(check),
    .word_valid_i(word_valid), .word_i(word), .words_i(words), .soon_i(soon),
    .counting_i(counting), .word_take_o(word_take),
    .irq_o(irq_o)
  );

  core_position u_position (
    .clk_i(clk_i), .rst_i(rst_i),
    .write_i(board_write), .write_rank_i(write_address[2:0]), .write_data_i(write_data),
    .start_i(load_start), .black_i(load_black), .done_o(load_done),
    .own_o(load_own), .code0_o(load_code0), .code1_o(load_code1), .code2_o(load_code2)
  );

  assign load = {
    load_fullmove, load_halfmove, load_black, load_castling, load_ep, load_own, load_code2,
    load_code1, load_code0
  };

  game_state #(.Plies(Plies)) u_game (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_valid_i(cmd_valid), .cmd_i(cmd), .move_from_i(move_from), .move_to_i(move_to),
    .move_promotion_i(move_promotion), .load_i(load),
    .error_o(game_error), .depth_o(depth), .state_o(state)
  );

  core_list #(.Fifo(Fifo)) u_list (
    .clk_i(clk_i), .rst_i(rst_i),
    .start_i(list_start), .abort_i(list_abort), .order_i(order), .filter_i(filter),
    .stream_i(list_stream), .refused_o(list_refused), .listing_o(listing), .streaming_o(streaming),
    .listed_o(listed),
    .position_i(state.position), .black_i(state.black),
    .count_valid_o(count_valid), .count_o(count), .check_o(check),
    .word_valid_o(word_valid), .word_o(word), .take_i(word_take), .words_o(words),
    .soon_o(soon), .counting_o(counting),
    .m_axis_tvalid_o(m_axis_tvalid_o), .m_axis_tready_i(m_axis_tready_i),
    .m_axis_tdata_o(m_axis_tdata_o), .m_axis_tlast_o(m_axis_tlast_o)
  );

endmodule

`default_nettype wire
