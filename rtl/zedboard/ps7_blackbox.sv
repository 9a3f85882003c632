// The primitive of a Zynq's processors, with the pins that zedboard uses and without content.
// Synthesis and place and route have their own declaration. The simulation of the top has
// testdata/ps7_program.sv instead.

`default_nettype none

/* verilator lint_off UNDRIVEN */ // a box without content
/* verilator lint_off UNUSED */
/* verilator lint_off DECLFILENAME */ // its name is the vendor's
(* blackbox *)
module PS7 (
  output wire [3:0]  FCLKRESETN,
  input  wire [19:0] IRQF2P,
  input  wire        MAXIGP0ACLK,
  output wire [11:0] MAXIGP0AWID,
  output wire [31:0] MAXIGP0AWADDR,
  output wire [3:0]  MAXIGP0AWLEN,
  output wire [1:0]  MAXIGP0AWSIZE,
  output wire [1:0]  MAXIGP0AWBURST,
  output wire        MAXIGP0AWVALID,
  input  wire        MAXIGP0AWREADY,
  output wire [31:0] MAXIGP0WDATA,
  output wire [3:0]  MAXIGP0WSTRB,
  output wire        MAXIGP0WVALID,
  input  wire        MAXIGP0WREADY,
  input  wire [11:0] MAXIGP0BID,
  input  wire [1:0]  MAXIGP0BRESP,
  input  wire        MAXIGP0BVALID,
  output wire        MAXIGP0BREADY,
  output wire [11:0] MAXIGP0ARID,
  output wire [31:0] MAXIGP0ARADDR,
  output wire [3:0]  MAXIGP0ARLEN,
  output wire [1:0]  MAXIGP0ARSIZE,
  output wire [1:0]  MAXIGP0ARBURST,
  output wire        MAXIGP0ARVALID,
  input  wire        MAXIGP0ARREADY,
  input  wire [11:0] MAXIGP0RID,
  input  wire [31:0] MAXIGP0RDATA,
  input  wire [1:0]  MAXIGP0RRESP,
  input  wire        MAXIGP0RLAST,
  input  wire        MAXIGP0RVALID,
  output wire        MAXIGP0RREADY
);
endmodule
/* verilator lint_on DECLFILENAME */
/* verilator lint_on UNUSED */
/* verilator lint_on UNDRIVEN */

`default_nettype wire
