// A memory of 16 words on a Wishbone bus with classic cycles: the example of package wishbone.
// It answers after 1 to 4 clock cycles. Addresses 16 to 19 are errors, and from 20 on it asks for a
// retry.
`default_nettype none

module classic (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  input  logic        wb_cyc_i,
  input  logic        wb_stb_i,
  input  logic        wb_we_i,
  input  logic [4:0]  wb_adr_i,
  input  logic [3:0]  wb_sel_i,
  input  logic [31:0] wb_dat_i,
  output logic        wb_ack_o,
  output logic        wb_err_o,
  output logic        wb_rty_o,
  output logic [31:0] wb_dat_o
);

  logic [31:0] mem_q [16];
  logic [4:0] random_q;
  logic strobe, now, answer_q;

  assign strobe = wb_cyc_i && wb_stb_i && !answer_q;
  assign now = strobe && (random_q[1:0] == 2'd0);
  assign answer_q = wb_ack_o | wb_err_o | wb_rty_o;

  always_ff @(posedge clk_i) begin
    random_q <= rst_i ? 5'd1 : {random_q[3:0], random_q[4] ^ random_q[2]};
    wb_ack_o <= now && !wb_adr_i[4] && !rst_i;
    wb_err_o <= now && wb_adr_i[4] && (wb_adr_i[3:2] == 2'd0) && !rst_i;
    wb_rty_o <= now && wb_adr_i[4] && (wb_adr_i[3:2] != 2'd0) && !rst_i;
    wb_dat_o <= mem_q[wb_adr_i[3:0]];
    for (int i = 0; i < 4; i++)
      if (now && wb_we_i && !wb_adr_i[4] && wb_sel_i[i]) mem_q[wb_adr_i[3:0]][8*i+:8] <= wb_dat_i[8*i+:8];
  end

endmodule

`default_nettype wire
