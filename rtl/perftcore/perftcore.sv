// The perft engine on the bus: counts the sequences of legal moves from a position that software
// writes, in all and by first move.
//
//   AXI4-Lite -- axil -- perftcore_registers -- core_position --> perftengine
//                                |
//                                +-- irq_o
//
// README.md has the registers.
// Cost: docs/pnr/perftcore.md.

`default_nettype none

module perftcore (
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

  output logic        irq_o
);

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

  logic board_write, load_start, load_done, black, job_valid, job_divide, abort, busy, done;
  logic [3:0] castling, job_depth;
  logic [7:0] ep;
  logic [63:0] own, code0, code1, code2, count, root_count;
  movegen_coded_t coded;
  movegen_position_t job;
  logic root_valid, root_take;
  logic [5:0] root_from, root_to;
  logic [2:0] root_promotion;

  perftcore_registers u_registers (
    .clk_i(clk_i), .rst_i(rst_i),
    .write_ready_o(write_ready), .write_i(write), .write_address_i(write_address),
    .write_data_i(write_data), .write_error_o(write_error),
    .read_ready_o(read_ready), .read_i(read), .read_address_i(read_address),
    .read_data_o(read_data), .read_error_o(read_error),
    .board_write_o(board_write), .load_start_o(load_start), .load_done_i(load_done),
    .job_castling_o(castling), .job_black_o(black), .job_ep_o(ep),
    .job_valid_o(job_valid), .job_depth_o(job_depth), .job_divide_o(job_divide), .abort_o(abort),
    .busy_i(busy), .done_i(done), .count_i(count),
    .root_valid_i(root_valid), .root_take_o(root_take), .root_from_i(root_from),
    .root_to_i(root_to), .root_promotion_i(root_promotion), .root_count_i(root_count),
    .irq_o(irq_o)
  );

  core_position u_position (
    .clk_i(clk_i), .rst_i(rst_i),
    .write_i(board_write), .write_rank_i(write_address[2:0]), .write_data_i(write_data),
    .start_i(load_start), .black_i(black), .done_o(load_done),
    .own_o(own), .code0_o(code0), .code1_o(code1), .code2_o(code2)
  );

  assign coded = {castling, ep, own, code2, code1, code0};

  movegen_decode u_decode (.coded_i(coded), .position_o(job));

  perftengine u_engine (
    .clk_i(clk_i), .rst_i(rst_i),
    .job_valid_i(job_valid),
    /* verilator lint_off PINCONNECTEMPTY */ // busy_o says the same
    .job_ready_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .job_depth_i(job_depth), .job_divide_i(job_divide), .job_own_i(job.own),
    .job_pawns_i(job.pawns), .job_knights_i(job.knights), .job_bishops_i(job.bishops),
    .job_rooks_i(job.rooks), .job_queens_i(job.queens), .job_kings_i(job.kings),
    .job_castling_i(job.castling), .job_ep_i(job.ep), .abort_i(abort),
    .busy_o(busy), .done_o(done), .count_o(count),
    .div_valid_o(root_valid), .div_ready_i(root_take), .div_from_o(root_from),
    .div_to_o(root_to), .div_promotion_o(root_promotion), .div_count_o(root_count)
  );

endmodule

`default_nettype wire
