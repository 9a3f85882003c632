// Four registers of 32 bits on AXI4-Lite: the example of package axi.
//
// Addresses 0x00 to 0x0c are registers 0 to 3; register 3 counts writes and refuses them (SLVERR).
// Beyond them there is nothing (DECERR). Address and data of a write are taken together, when
// both are there. One transaction of each kind at a time; responses one cycle after the request.
`default_nettype none

module regs (
  input  logic        aclk,
  input  logic        aresetn,

  input  logic [7:0]  s_axil_awaddr,
  input  logic [2:0]  s_axil_awprot,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,

  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,

  output logic [1:0]  s_axil_bresp,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,

  input  logic [7:0]  s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,

  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready
);

  localparam logic [1:0] Okay   = 2'b00;
  localparam logic [1:0] SlvErr = 2'b10;
  localparam logic [1:0] DecErr = 2'b11;

  logic [31:0] reg0_q, reg1_q, reg2_q, reg3_q;
  logic [31:0] mask;
  logic        write, read;
  logic        unused;

  assign unused = ^{s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

  // A write is taken when address and data are both there and no response waits.
  assign write = s_axil_awvalid & s_axil_wvalid & s_axil_awready;
  assign s_axil_wready = s_axil_awready;

  for (genvar i = 0; i < 4; i++) begin : g_mask
    assign mask[8*i +: 8] = {8{s_axil_wstrb[i]}};
  end

  always_ff @(posedge aclk) begin
    s_axil_awready <= s_axil_awvalid & s_axil_wvalid & ~s_axil_awready & (~s_axil_bvalid | s_axil_bready);
    if (write) begin
      s_axil_bvalid <= 1'b1;
      s_axil_bresp  <= Okay;
      reg3_q <= reg3_q + 32'd1;
      case (s_axil_awaddr[7:2])
        6'd0: reg0_q <= (reg0_q & ~mask) | (s_axil_wdata & mask);
        6'd1: reg1_q <= (reg1_q & ~mask) | (s_axil_wdata & mask);
        6'd2: reg2_q <= (reg2_q & ~mask) | (s_axil_wdata & mask);
        6'd3: s_axil_bresp <= SlvErr;
        default: s_axil_bresp <= DecErr;
      endcase
    end else if (s_axil_bready) begin
      s_axil_bvalid <= 1'b0;
    end
    if (~aresetn) begin
      s_axil_awready <= 1'b0;
      s_axil_bvalid  <= 1'b0;
      reg0_q <= '0;
      reg1_q <= '0;
      reg2_q <= '0;
      reg3_q <= '0;
    end
  end

  assign read = s_axil_arvalid & s_axil_arready;
  assign s_axil_arready = ~s_axil_rvalid;

  always_ff @(posedge aclk) begin
    if (read) begin
      s_axil_rvalid <= 1'b1;
      s_axil_rresp  <= Okay;
      case (s_axil_araddr[7:2])
        6'd0: s_axil_rdata <= reg0_q;
        6'd1: s_axil_rdata <= reg1_q;
        6'd2: s_axil_rdata <= reg2_q;
        6'd3: s_axil_rdata <= reg3_q;
        default: begin
          s_axil_rdata <= '0;
          s_axil_rresp <= DecErr;
        end
      endcase
    end else if (s_axil_rready) begin
      s_axil_rvalid <= 1'b0;
    end
    if (~aresetn) begin
      s_axil_rvalid <= 1'b0;
    end
  end

endmodule

`default_nettype wire
