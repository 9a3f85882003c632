// A pulse whose width software sets: an output that is 1 for some of a period's clock cycles. Its
// registers are on AXI4-Lite (IHI 0022), 32 bits wide, one transaction of each kind at a time.
//
//   address  register
//   0x0      bits 15-0: the period in clock cycles less one
//   0x4      bits 15-0: for how many of them the output is 1, taken at the begin of a period
//   0x8      reads the number of periods since reset; a write is refused (SLVERR)
//   0xc      nothing: DECERR

`default_nettype none

module axil_pwm (
  input  logic        aclk_i,
  input  logic        aresetn_i,

  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic [3:0]  s_axil_awaddr_i,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  input  logic [31:0] s_axil_wdata_i,
  input  logic [3:0]  s_axil_wstrb_i,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  output logic [1:0]  s_axil_bresp_o,

  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  input  logic [3:0]  s_axil_araddr_i,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,
  output logic [31:0] s_axil_rdata_o,
  output logic [1:0]  s_axil_rresp_o,

  output logic        pwm_o
);

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10, DecErr = 2'b11;

  logic [15:0] last_q, width_q, active_q, count_q;
  logic [31:0] periods_q;
  logic write, read, over;

  // A write is taken when address and data are there and no answer waits.
  assign write = s_axil_awvalid_i && s_axil_wvalid_i && !s_axil_bvalid_o;
  assign s_axil_awready_o = write;
  assign s_axil_wready_o = write;
  assign read = s_axil_arvalid_i && !s_axil_rvalid_o;
  assign s_axil_arready_o = !s_axil_rvalid_o;

  always_ff @(posedge aclk_i) begin
    if (s_axil_bready_i) s_axil_bvalid_o <= 1'b0;
    if (write) begin
      s_axil_bvalid_o <= 1'b1;
      s_axil_bresp_o <= Okay;
      case (s_axil_awaddr_i[3:2])
        2'd0: for (int i = 0; i < 2; i++) if (s_axil_wstrb_i[i]) last_q[8*i+:8] <= s_axil_wdata_i[8*i+:8];
        2'd1: for (int i = 0; i < 2; i++) if (s_axil_wstrb_i[i]) width_q[8*i+:8] <= s_axil_wdata_i[8*i+:8];
        2'd2: s_axil_bresp_o <= SlvErr;
        default: s_axil_bresp_o <= DecErr;
      endcase
    end
    if (!aresetn_i) begin
      s_axil_bvalid_o <= 1'b0;
      s_axil_bresp_o <= Okay;
      last_q <= 16'hffff;
      width_q <= 16'd0;
    end
  end

  always_ff @(posedge aclk_i) begin
    if (s_axil_rready_i) s_axil_rvalid_o <= 1'b0;
    if (read) begin
      s_axil_rvalid_o <= 1'b1;
      s_axil_rresp_o <= (s_axil_araddr_i[3:2] == 2'd3) ? DecErr : Okay;
      case (s_axil_araddr_i[3:2])
        2'd0: s_axil_rdata_o <= {16'd0, last_q};
        2'd1: s_axil_rdata_o <= {16'd0, width_q};
        2'd2: s_axil_rdata_o <= periods_q;
        default: s_axil_rdata_o <= 32'd0;
      endcase
    end
    if (!aresetn_i) begin
      s_axil_rvalid_o <= 1'b0;
      s_axil_rresp_o <= Okay;
      s_axil_rdata_o <= 32'd0;
    end
  end

  assign over = count_q >= last_q;

  always_ff @(posedge aclk_i) begin
    count_q <= over ? 16'd0 : count_q + 16'd1;
    if (over) begin
      active_q <= width_q;
      periods_q <= periods_q + 32'd1;
    end
    pwm_o <= count_q < active_q;
    if (!aresetn_i) begin
      count_q <= 16'd0;
      active_q <= 16'd0;
      periods_q <= 32'd0;
      pwm_o <= 1'b0;
    end
  end

  logic unused;
  assign unused = ^{s_axil_awaddr_i[1:0], s_axil_araddr_i[1:0], s_axil_wdata_i[31:16], s_axil_wstrb_i[3:2]};

endmodule

`default_nettype wire
