// A design that makes requests: the example of agents that are memories.
//
// It reads 8 words over AXI4-Lite, from address 0 on. Each it writes inverted over Wishbone, from
// 0x40 on, reads it back there, and writes it over AXI4-Lite, from 0x80 on. At the end it writes
// their number to 0x200. failed_o says that an answer was an error, or a word did not come back.
`default_nettype none

module mover #(
  parameter bit Pipelined = 1  // Wishbone
) (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  output logic [15:0] m_axil_awaddr,
  output logic        m_axil_awvalid,
  input  logic        m_axil_awready,
  output logic [31:0] m_axil_wdata,
  output logic [3:0]  m_axil_wstrb,
  output logic        m_axil_wvalid,
  input  logic        m_axil_wready,
  input  logic [1:0]  m_axil_bresp,
  input  logic        m_axil_bvalid,
  output logic        m_axil_bready,
  output logic [15:0] m_axil_araddr,
  output logic        m_axil_arvalid,
  input  logic        m_axil_arready,
  input  logic [31:0] m_axil_rdata,
  input  logic [1:0]  m_axil_rresp,
  input  logic        m_axil_rvalid,
  output logic        m_axil_rready,

  output logic        wb_cyc_o,
  output logic        wb_stb_o,
  output logic        wb_we_o,
  output logic [15:0] wb_adr_o,
  output logic [3:0]  wb_sel_o,
  output logic [31:0] wb_dat_o,
  input  logic        wb_stall_i,
  input  logic        wb_ack_i,
  input  logic        wb_err_i,
  input  logic [31:0] wb_dat_i,

  output logic        failed_o
);

  typedef enum logic [2:0] {Read, Data, Ask, Answers, Write, Response, Done} state_t;

  state_t state_q;
  logic [3:0] index_q;
  logic [31:0] data_q;
  logic taken, answer, second_q;

  assign answer = wb_ack_i | wb_err_i;
  assign taken = wb_stb_o & (Pipelined ? ~wb_stall_i : answer);
  assign wb_adr_o = 16'h40 + {10'd0, index_q, 2'd0};
  assign wb_dat_o = ~data_q;
  assign wb_sel_o = 4'hf;
  assign m_axil_wstrb = 4'hf;
  assign m_axil_wdata = index_q == 4'd8 ? 32'd8 : data_q;
  assign m_axil_awaddr = index_q == 4'd8 ? 16'h200 : 16'h80 + {10'd0, index_q, 2'd0};
  assign m_axil_araddr = {10'd0, index_q, 2'd0};
  assign m_axil_rready = state_q == Data;
  assign m_axil_bready = state_q == Response;

  always_ff @(posedge clk_i) begin
    if (m_axil_arready) m_axil_arvalid <= 1'b0;
    if (m_axil_awready) m_axil_awvalid <= 1'b0;
    if (m_axil_wready) m_axil_wvalid <= 1'b0;
    unique case (state_q)
      Read: begin
        m_axil_arvalid <= 1'b1;
        state_q <= Data;
      end
      Data: if (m_axil_rvalid & m_axil_rready) begin
        data_q <= m_axil_rdata;
        failed_o <= failed_o | (m_axil_rresp != 2'd0);
        state_q <= Ask;
      end
      Ask: begin
        {wb_cyc_o, wb_stb_o, wb_we_o, second_q} <= 4'b1110;
        state_q <= Answers;
      end
      Answers: begin
        if (taken & wb_we_o) wb_we_o <= 1'b0;
        if (taken & ~wb_we_o) wb_stb_o <= 1'b0;
        if (answer) second_q <= 1'b1;
        failed_o <= failed_o | wb_err_i | (wb_ack_i & second_q & (wb_dat_i != ~data_q));
        if (answer & second_q) begin
          wb_cyc_o <= 1'b0;
          state_q <= Write;
        end
      end
      Write: begin
        {m_axil_awvalid, m_axil_wvalid} <= 2'b11;
        state_q <= Response;
      end
      Response: if (m_axil_bvalid & m_axil_bready) begin
        index_q <= index_q + 4'd1;
        failed_o <= failed_o | (m_axil_bresp != 2'd0);
        if (index_q == 4'd8) state_q <= Done;
        else if (index_q == 4'd7) state_q <= Write;
        else state_q <= Read;
      end
      default: ;
    endcase
    if (rst_i) begin
      {m_axil_arvalid, m_axil_awvalid, m_axil_wvalid, wb_cyc_o, wb_stb_o, wb_we_o, second_q, failed_o} <= '0;
      state_q <= Read;
      index_q <= 4'd0;
    end
  end

endmodule

`default_nettype wire
