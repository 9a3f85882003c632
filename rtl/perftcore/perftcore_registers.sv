// The registers of the perft engine: what an access does, and what it answers. The map is
// perftcore_regs_pkg, which is generated with its description in README.md.
//
//   cycle                0    1 .. 8    9    10
//   write_i, of Start    1
//   ranks come                1 .. 1
//   job to the engine                   1
//   bus waits                 1 .. 1    1
//   busy                                     1
//
// Cost: about 250 LUTs, 230 flip-flops.

`default_nettype none

module perftcore_registers (
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

  output logic        board_write_o,       // to core_position: a rank of the position
  output logic        load_start_o,
  input  logic        load_done_i,

  output logic [3:0]  job_castling_o,      // to perftengine, in the side to move's view
  output logic        job_black_o,
  output logic [7:0]  job_ep_o,
  output logic        job_valid_o,
  output logic [3:0]  job_depth_o,
  output logic        job_divide_o,
  output logic        abort_o,

  input  logic        busy_i,              // from perftengine
  input  logic        done_i,
  input  logic [63:0] count_i,
  input  logic        root_valid_i,
  output logic        root_take_o,
  input  logic [5:0]  root_from_i,         // in the view of the job's side to move
  input  logic [5:0]  root_to_i,
  input  logic [2:0]  root_promotion_i,
  input  logic [63:0] root_count_i,

  output logic        irq_o
);

  localparam int MaxDepth = 15;

  // Writes.
  logic write_error, write_enable, write_status, write_start, write_abort, write_position, at_board;

  assign at_board = perftcore_regs_pkg::is_board(write_address_i[9:3]);

  always_comb begin
    write_error = 1'b0;
    write_enable = 1'b0;
    write_status = 1'b0;
    write_start = 1'b0;
    write_abort = 1'b0;
    write_position = 1'b0;
    board_write_o = 1'b0;
    write_error_o = 1'b0;
    case (write_address_i)
      perftcore_regs_pkg::Error: write_error = write_i;
      perftcore_regs_pkg::InterruptEnable: write_enable = write_i;
      perftcore_regs_pkg::InterruptStatus: write_status = write_i;
      perftcore_regs_pkg::Start: write_start = write_i;
      perftcore_regs_pkg::Abort: write_abort = write_i;
      perftcore_regs_pkg::Position: write_position = write_i;
      default: begin
        board_write_o = write_i & at_board;
        write_error_o = ~at_board;
      end
    endcase
  end

  // Jobs. What is the side to move's and what is not, and whose moves the root's are, is as it was
  // at the start.
  logic [3:0] castling_q;
  logic [63:0] cycles_q;
  logic black_q, loading_q, refused;

  initial begin
    castling_q = '0;
    black_q = 1'b0;
    job_ep_o = '0;
  end

  assign load_start_o = write_start & ~busy_i;
  assign refused = write_start & busy_i;
  assign job_castling_o = job_black_o ? {castling_q[1:0], castling_q[3:2]} : castling_q;
  assign write_ready_o = ~loading_q;
  assign read_ready_o = ~loading_q;

  always_ff @(posedge clk_i) begin
    if (write_position) begin
      castling_q <= write_data_i[perftcore_regs_pkg::PositionWhiteKingSide +: 4];
      black_q <= write_data_i[perftcore_regs_pkg::PositionBlack];
      job_ep_o <= write_data_i[perftcore_regs_pkg::PositionEnPassant +: 8];
    end
    if (rst_i) begin
      job_black_o <= 1'b0;
      job_depth_o <= '0;
      job_divide_o <= 1'b0;
      loading_q <= 1'b0;
      job_valid_o <= 1'b0;
      abort_o <= 1'b0;
      cycles_q <= '0;
    end else begin
      if (load_start_o) begin
        job_black_o <= black_q;
        job_depth_o <= write_data_i[perftcore_regs_pkg::StartDepth +: 4];
        job_divide_o <= write_data_i[perftcore_regs_pkg::StartDivide];
      end
      loading_q <= load_start_o | (loading_q & ~job_valid_o);
      job_valid_o <= load_done_i;
      abort_o <= write_abort;
      if (load_start_o) cycles_q <= '0;
      else cycles_q <= cycles_q + {63'd0, job_valid_o | busy_i};
    end
  end

  // What was refused.
  logic [3:0] reason_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) reason_q <= perftcore_regs_pkg::ErrorReasonNone;
    else if (refused) reason_q <= perftcore_regs_pkg::ErrorReasonBusy;
    else if (write_error) reason_q <= perftcore_regs_pkg::ErrorReasonNone;
  end

  // Interrupts.
  logic [2:0] events, interrupts, enabled, status;

  assign events = (3'(done_i) << perftcore_regs_pkg::InterruptsDone) |
                  (3'(root_valid_i) << perftcore_regs_pkg::InterruptsRoot) |
                  (3'(refused) << perftcore_regs_pkg::InterruptsRefused);
  assign interrupts = write_data_i[2:0];

  axil_interrupt #(.Events(3)) u_interrupt (
    .clk_i(clk_i), .rst_i(rst_i), .event_i(events),
    .enable_i(write_enable), .clear_i(write_status), .data_i(interrupts),
    .enable_o(enabled), .status_o(status), .irq_o(irq_o)
  );

  // Reads.
  logic [31:0] status_word, start_word, root_word;
  logic [5:0] root_from, root_to;

  assign status_word = (32'(busy_i) << perftcore_regs_pkg::StatusBusy) |
                       (32'(root_valid_i) << perftcore_regs_pkg::StatusRoot);
  assign start_word = (32'(job_depth_o) << perftcore_regs_pkg::StartDepth) |
                      (32'(job_divide_o) << perftcore_regs_pkg::StartDivide);

  // A root move, in board coordinates.
  assign root_from = root_from_i ^ {{3{job_black_o}}, 3'd0};
  assign root_to = root_to_i ^ {{3{job_black_o}}, 3'd0};
  assign root_word = (32'(root_from) << perftcore_regs_pkg::MoveFrom) |
                     (32'(root_to) << perftcore_regs_pkg::MoveTo) |
                     (32'(root_promotion_i) << perftcore_regs_pkg::MovePromotion) |
                     (32'd1 << perftcore_regs_pkg::MoveValid);

  always_ff @(posedge clk_i) begin
    root_take_o <= ~rst_i & read_i & root_valid_i &
                   (read_address_i == perftcore_regs_pkg::RootCountHigh);
  end

  always_comb begin
    read_data_o = '0;
    read_error_o = 1'b0;
    case (read_address_i)
      perftcore_regs_pkg::Identity: read_data_o = perftcore_regs_pkg::IdentityValue;
      perftcore_regs_pkg::Version: read_data_o = perftcore_regs_pkg::VersionValue;
      perftcore_regs_pkg::Config: read_data_o = 32'(MaxDepth);
      perftcore_regs_pkg::Status: read_data_o = status_word;
      perftcore_regs_pkg::Error: read_data_o = {28'd0, reason_q};
      perftcore_regs_pkg::InterruptEnable: read_data_o = {29'd0, enabled};
      perftcore_regs_pkg::InterruptStatus: read_data_o = {29'd0, status};
      perftcore_regs_pkg::Start: read_data_o = start_word;
      perftcore_regs_pkg::CountLow: read_data_o = count_i[31:0];
      perftcore_regs_pkg::CountHigh: read_data_o = count_i[63:32];
      perftcore_regs_pkg::CyclesLow: read_data_o = cycles_q[31:0];
      perftcore_regs_pkg::CyclesHigh: read_data_o = cycles_q[63:32];
      perftcore_regs_pkg::RootMove: read_data_o = root_word & {32{root_valid_i}};
      perftcore_regs_pkg::RootCountLow: read_data_o = root_count_i[31:0] & {32{root_valid_i}};
      perftcore_regs_pkg::RootCountHigh: read_data_o = root_count_i[63:32] & {32{root_valid_i}};
      default: read_error_o = 1'b1;
    endcase
  end

endmodule

`default_nettype wire
