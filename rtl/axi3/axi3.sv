// A bridge from a processor's AXI3 port to registers on AXI4-Lite. Bursts of up to 16 beats become
// single transfers to one of several windows of registers, 4 KiB each.
//
// Writes and reads are independent of each other, with one burst at a time of each. A beat is one
// transfer to the window of its address, so that a burst of reads from a FIFO's addresses takes one
// word a beat. Beats of less than 4 bytes read the whole word, which has them in their lanes, and
// write with their strobes, which the registers may refuse. Bursts may increment, wrap or stay. A
// burst stays in its window, as the rules forbid it to cross 4 KiB. The response to a write is the
// worst of its beats' responses. An address without a window is answered with DECERR.
//
// Exclusive and locked accesses are treated like others. An exclusive one fails by that, as its
// response is OKAY and not EXOKAY. AxCACHE, AxPROT, AxQOS, WID and WLAST are ignored and have no
// ports: data come in the order of the addresses, as many as AWLEN says.
//
//   cycle              0    1    2    3    4    5    6    7
//   arvalid_i          1
//   m_axil_arvalid_o             1                        1
//   m_axil_rvalid_i                        1                   (of a subordinate that takes 2 cycles)
//   rvalid_o                                    1              (until rready_i; then the next beat)
//
// All outputs are registers.
// Cost: 174 LUTs, 174 flip-flops.

`default_nettype none

module axi3 #(
  parameter int Windows = 2,                       // number of windows, from address 0 on; 2 to 15
  parameter int IdWidth = 12,
  localparam int SelectWidth = $clog2(Windows)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,             // synchronous

  input  logic [IdWidth-1:0]    s_axi_awid_i,
  input  logic [31:0]           s_axi_awaddr_i,    // bits 31 to 16 are ignored
  input  logic [3:0]            s_axi_awlen_i,     // beats less one
  input  logic [1:0]            s_axi_awsize_i,    // log2 of a beat's bytes: 0 to 2
  input  logic [1:0]            s_axi_awburst_i,   // 0 stays, 1 increments, 2 wraps
  input  logic                  s_axi_awvalid_i,
  output logic                  s_axi_awready_o,
  input  logic [31:0]           s_axi_wdata_i,
  input  logic [3:0]            s_axi_wstrb_i,
  input  logic                  s_axi_wvalid_i,
  output logic                  s_axi_wready_o,
  output logic [IdWidth-1:0]    s_axi_bid_o,
  output logic [1:0]            s_axi_bresp_o,
  output logic                  s_axi_bvalid_o,
  input  logic                  s_axi_bready_i,
  input  logic [IdWidth-1:0]    s_axi_arid_i,
  input  logic [31:0]           s_axi_araddr_i,
  input  logic [3:0]            s_axi_arlen_i,
  input  logic [1:0]            s_axi_arsize_i,
  input  logic [1:0]            s_axi_arburst_i,
  input  logic                  s_axi_arvalid_i,
  output logic                  s_axi_arready_o,
  output logic [IdWidth-1:0]    s_axi_rid_o,
  output logic [31:0]           s_axi_rdata_o,
  output logic [1:0]            s_axi_rresp_o,
  output logic                  s_axi_rlast_o,
  output logic                  s_axi_rvalid_o,
  input  logic                  s_axi_rready_i,

  output logic [11:0]           m_axil_awaddr_o,   // to all windows; valid for one of them
  output logic [Windows-1:0]    m_axil_awvalid_o,
  input  logic [Windows-1:0]    m_axil_awready_i,
  output logic [31:0]           m_axil_wdata_o,
  output logic [3:0]            m_axil_wstrb_o,
  output logic [Windows-1:0]    m_axil_wvalid_o,
  input  logic [Windows-1:0]    m_axil_wready_i,
  input  logic [2*Windows-1:0]  m_axil_bresp_i,
  input  logic [Windows-1:0]    m_axil_bvalid_i,
  output logic [Windows-1:0]    m_axil_bready_o,
  output logic [11:0]           m_axil_araddr_o,
  output logic [Windows-1:0]    m_axil_arvalid_o,
  input  logic [Windows-1:0]    m_axil_arready_i,
  input  logic [32*Windows-1:0] m_axil_rdata_i,
  input  logic [2*Windows-1:0]  m_axil_rresp_i,
  input  logic [Windows-1:0]    m_axil_rvalid_i,
  output logic [Windows-1:0]    m_axil_rready_o
);

  localparam logic [1:0] DecErr = 2'b11;

  // Writes: a burst, its beats one by one, its response.
  typedef enum logic [1:0] {WriteIdle, WriteBeat, WriteWait, WriteResponse} write_state_t;
  write_state_t write_q;
  logic [SelectWidth-1:0] write_select_q;
  logic [3:0] write_left_q;              // beats after this one
  logic [11:0] write_next;
  logic [1:0] write_size_q, write_resp;
  logic [11:0] write_mask_q;
  logic write_here_q, write_done, write_exists;
  logic [Windows-1:0] write_one;

  assign write_exists = s_axi_awaddr_i[15:12] < 4'(Windows);
  assign write_one = Windows'(1) << write_select_q;

  axi3_next u_write_next (
    .address_i(m_axil_awaddr_o), .size_i(write_size_q), .mask_i(write_mask_q), .next_o(write_next)
  );

  // The transfer to a window ends with its response. Without a window it ends at once.
  assign write_done = write_here_q ? |(m_axil_bvalid_i & m_axil_bready_o) : 1'b1;
  assign write_resp = write_here_q ? m_axil_bresp_i[{write_select_q, 1'b0} +: 2] : DecErr;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q <= WriteIdle;
      s_axi_awready_o <= 1'b1;
      s_axi_wready_o <= 1'b0;
      s_axi_bvalid_o <= 1'b0;
      m_axil_awvalid_o <= '0;
      m_axil_wvalid_o <= '0;
      m_axil_bready_o <= '0;
    end else begin
      m_axil_awvalid_o <= m_axil_awvalid_o & ~m_axil_awready_i;
      m_axil_wvalid_o <= m_axil_wvalid_o & ~m_axil_wready_i;
      case (write_q)
        WriteIdle: if (s_axi_awvalid_i) begin
          write_q <= WriteBeat;
          s_axi_awready_o <= 1'b0;
          s_axi_wready_o <= 1'b1;
        end
        WriteBeat: if (s_axi_wvalid_i) begin
          write_q <= WriteWait;
          s_axi_wready_o <= 1'b0;
          m_axil_awvalid_o <= write_one & {Windows{write_here_q}};
          m_axil_wvalid_o <= write_one & {Windows{write_here_q}};
          m_axil_bready_o <= write_one & {Windows{write_here_q}};
        end
        WriteWait: if (write_done) begin
          m_axil_bready_o <= '0;
          if (write_left_q == 4'd0) begin
            write_q <= WriteResponse;
            s_axi_bvalid_o <= 1'b1;
          end else begin
            write_q <= WriteBeat;
            s_axi_wready_o <= 1'b1;
          end
        end
        default: if (s_axi_bready_i) begin
          write_q <= WriteIdle;
          s_axi_bvalid_o <= 1'b0;
          s_axi_awready_o <= 1'b1;
        end
      endcase
    end
    if (s_axi_awready_o) begin
      s_axi_bid_o <= s_axi_awid_i;
      s_axi_bresp_o <= 2'b00;
      m_axil_awaddr_o <= s_axi_awaddr_i[11:0];
      write_select_q <= s_axi_awaddr_i[12 +: SelectWidth];
      write_here_q <= write_exists;
      write_left_q <= s_axi_awlen_i;
      write_size_q <= s_axi_awsize_i;
      write_mask_q <= axi3_pkg::mask(s_axi_awlen_i, s_axi_awsize_i, s_axi_awburst_i);
    end
    if (s_axi_wready_o) begin
      m_axil_wdata_o <= s_axi_wdata_i;
      m_axil_wstrb_o <= s_axi_wstrb_i;
    end
    if ((write_q == WriteWait) & write_done) begin
      m_axil_awaddr_o <= write_next;
      write_left_q <= write_left_q - 4'd1;
      if (write_resp > s_axi_bresp_o) s_axi_bresp_o <= write_resp;
    end
  end

  // Reads: a burst, its beats one by one, each with its response.
  typedef enum logic [1:0] {ReadIdle, ReadBeat, ReadWait, ReadResponse} read_state_t;
  read_state_t read_q;
  logic [SelectWidth-1:0] read_select_q;
  logic [3:0] read_left_q;
  logic [11:0] read_next;
  logic [1:0] read_size_q;
  logic [11:0] read_mask_q;
  logic read_here_q, read_done, read_exists;
  logic [Windows-1:0] read_one;

  assign read_exists = s_axi_araddr_i[15:12] < 4'(Windows);
  assign read_one = Windows'(1) << read_select_q;

  axi3_next u_read_next (
    .address_i(m_axil_araddr_o), .size_i(read_size_q), .mask_i(read_mask_q), .next_o(read_next)
  );

  assign read_done = read_here_q ? |(m_axil_rvalid_i & m_axil_rready_o) : 1'b1;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      read_q <= ReadIdle;
      s_axi_arready_o <= 1'b1;
      s_axi_rvalid_o <= 1'b0;
      m_axil_arvalid_o <= '0;
      m_axil_rready_o <= '0;
    end else begin
      m_axil_arvalid_o <= m_axil_arvalid_o & ~m_axil_arready_i;
      case (read_q)
        ReadIdle: if (s_axi_arvalid_i) begin
          read_q <= ReadBeat;
          s_axi_arready_o <= 1'b0;
        end
        ReadBeat: begin
          read_q <= ReadWait;
          m_axil_arvalid_o <= read_one & {Windows{read_here_q}};
          m_axil_rready_o <= read_one & {Windows{read_here_q}};
        end
        ReadWait: if (read_done) begin
          read_q <= ReadResponse;
          m_axil_rready_o <= '0;
          s_axi_rvalid_o <= 1'b1;
        end
        default: if (s_axi_rready_i) begin
          s_axi_rvalid_o <= 1'b0;
          if (s_axi_rlast_o) begin
            read_q <= ReadIdle;
            s_axi_arready_o <= 1'b1;
          end else begin
            read_q <= ReadBeat;
          end
        end
      endcase
    end
    if (s_axi_arready_o) begin
      s_axi_rid_o <= s_axi_arid_i;
      m_axil_araddr_o <= s_axi_araddr_i[11:0];
      read_select_q <= s_axi_araddr_i[12 +: SelectWidth];
      read_here_q <= read_exists;
      read_left_q <= s_axi_arlen_i;
      read_size_q <= s_axi_arsize_i;
      read_mask_q <= axi3_pkg::mask(s_axi_arlen_i, s_axi_arsize_i, s_axi_arburst_i);
    end
    if ((read_q == ReadWait) & read_done) begin
      s_axi_rdata_o <= m_axil_rdata_i[{read_select_q, 5'd0} +: 32] & {32{read_here_q}};
      s_axi_rresp_o <= read_here_q ? m_axil_rresp_i[{read_select_q, 1'b0} +: 2] : DecErr;
      s_axi_rlast_o <= read_left_q == 4'd0;
      m_axil_araddr_o <= read_next;
      read_left_q <= read_left_q - 4'd1;
    end
  end

  /* verilator lint_off UNUSED */
  logic unused;
  assign unused = ^{s_axi_awaddr_i[31:16], s_axi_araddr_i[31:16]};
  /* verilator lint_on UNUSED */

endmodule

`default_nettype wire
