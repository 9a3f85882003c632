// A memory of 16 words on a Wishbone bus with pipelined cycles: requests are taken while others
// wait for their answers, which come after 2 clock cycles. Addresses from 16 on are errors.
`default_nettype none

module pipelined (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  input  logic        wb_cyc_i,
  input  logic        wb_stb_i,
  input  logic        wb_we_i,
  input  logic [4:0]  wb_adr_i,
  input  logic [3:0]  wb_sel_i,
  input  logic [31:0] wb_dat_i,
  output logic        wb_stall_o,
  output logic        wb_ack_o,
  output logic        wb_err_o,
  output logic [31:0] wb_dat_o
);

  logic [31:0] mem_q [16];
  logic [31:0] data_q;
  logic [4:0] random_q;
  logic take, taken_q, error_q;

  assign wb_stall_o = random_q[1];
  assign take = wb_cyc_i && wb_stb_i && !wb_stall_o;

  always_ff @(posedge clk_i) begin
    random_q <= rst_i ? 5'd1 : {random_q[3:0], random_q[4] ^ random_q[2]};
    taken_q <= take && !rst_i;
    error_q <= wb_adr_i[4];
    data_q <= mem_q[wb_adr_i[3:0]];
    wb_ack_o <= taken_q && !error_q && wb_cyc_i && !rst_i;
    wb_err_o <= taken_q && error_q && wb_cyc_i && !rst_i;
    wb_dat_o <= data_q;
    for (int i = 0; i < 4; i++)
      if (take && wb_we_i && !wb_adr_i[4] && wb_sel_i[i]) mem_q[wb_adr_i[3:0]][8*i+:8] <= wb_dat_i[8*i+:8];
  end

endmodule

`default_nettype wire
