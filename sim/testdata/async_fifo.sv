// First in, first out between two unrelated clocks: pointers cross in Gray code
// through two flip-flops (Cummings, SNUG 2002). The example of package sim for
// several clocks.
`default_nettype none
module async_fifo #(
    parameter int Width = 8,
    parameter int Log2Depth = 2
) (
    input  wire              wr_clk_i,
    input  wire              wr_rst_i,   // synchronous to wr_clk_i
    input  wire              wr_valid_i,
    output logic             wr_ready_o,
    input  wire  [Width-1:0] wr_data_i,

    input  wire              rd_clk_i,
    input  wire              rd_rst_i,   // synchronous to rd_clk_i
    output logic             rd_valid_o,
    input  wire              rd_ready_i,
    output logic [Width-1:0] rd_data_o
);
  logic [Width-1:0] memory [0:(1<<Log2Depth)-1];

  // One bit more than an address: equal pointers are empty, a lap apart is full.
  logic [Log2Depth:0] wr_bin_q, wr_gray_q, wr_gray1_q, wr_gray2_q;
  logic [Log2Depth:0] rd_bin_q, rd_gray_q, rd_gray1_q, rd_gray2_q;
  logic [Log2Depth:0] wr_bin_d, rd_bin_d;
  logic push, pop;

  assign wr_ready_o = wr_gray_q != {~rd_gray2_q[Log2Depth:Log2Depth-1], rd_gray2_q[Log2Depth-2:0]};
  assign push       = wr_valid_i & wr_ready_o;
  assign wr_bin_d   = wr_bin_q + {{Log2Depth{1'b0}}, push};

  always_ff @(posedge wr_clk_i) begin
    if (push) memory[wr_bin_q[Log2Depth-1:0]] <= wr_data_i;
    wr_bin_q   <= wr_rst_i ? '0 : wr_bin_d;
    wr_gray_q  <= wr_rst_i ? '0 : wr_bin_d ^ (wr_bin_d >> 1);
    rd_gray1_q <= wr_rst_i ? '0 : rd_gray_q;
    rd_gray2_q <= wr_rst_i ? '0 : rd_gray1_q;
  end

  assign rd_valid_o = rd_gray_q != wr_gray2_q;
  assign pop        = rd_valid_o & rd_ready_i;
  assign rd_bin_d   = rd_bin_q + {{Log2Depth{1'b0}}, pop};
  assign rd_data_o  = memory[rd_bin_q[Log2Depth-1:0]];

  always_ff @(posedge rd_clk_i) begin
    rd_bin_q   <= rd_rst_i ? '0 : rd_bin_d;
    rd_gray_q  <= rd_rst_i ? '0 : rd_bin_d ^ (rd_bin_d >> 1);
    wr_gray1_q <= rd_rst_i ? '0 : wr_gray_q;
    wr_gray2_q <= rd_rst_i ? '0 : wr_gray1_q;
  end
endmodule
`default_nettype wire
