// AXI4-Lite subordinate for a block of 32-bit registers. It turns transfers into single-cycle
// accesses.
//
// The registers are connected to the access ports. They decode the address and answer an access
// within its cycle. Writes and reads are independent of each other, with one transaction at a time
// of each.
//
//   cycle           0    1    2    3    4    5
//   awvalid_i       1
//   wvalid_i             1
//   write_o                   1                    (or later: when write_ready_i is 1)
//   bvalid_o                       1               (until bready_i)
//   arvalid_i       1         1
//   read_o               1         1               (or later: when read_ready_i is 1)
//   rvalid_o                  1         1
//
// Latency from the last of address and data to the response: 2 cycles; from one access to the next
// of its kind: 2 cycles at least. Every output to the bus is a register, and write_o and read_o are
// functions of registers and the ready inputs. So there is no combinational path from the bus
// through this block, except through the logic at the access ports.
//
// A write with all strobes is an access. A write without any strobe has no effect and is answered
// OKAY. A write with some strobes would change a part of a register: it has no effect and is
// answered SLVERR. So is an access that is refused (*_error_i); data read are 0 then. The two low
// bits of addresses are ignored. So are AWPROT and ARPROT, which have no ports.
//
// Cost: 45 LUTs, 95 flip-flops.

`default_nettype none

module axil #(
  parameter int AddressWidth = 12        // bits of byte addresses: 4 KiB of registers
) (
  input  logic                    clk_i,
  input  logic                    rst_i,            // synchronous

  input  logic [AddressWidth-1:0] s_axil_awaddr_i,
  input  logic                    s_axil_awvalid_i,
  output logic                    s_axil_awready_o,
  input  logic [31:0]             s_axil_wdata_i,
  input  logic [3:0]              s_axil_wstrb_i,
  input  logic                    s_axil_wvalid_i,
  output logic                    s_axil_wready_o,
  output logic [1:0]              s_axil_bresp_o,
  output logic                    s_axil_bvalid_o,
  input  logic                    s_axil_bready_i,
  input  logic [AddressWidth-1:0] s_axil_araddr_i,
  input  logic                    s_axil_arvalid_i,
  output logic                    s_axil_arready_o,
  output logic [31:0]             s_axil_rdata_o,
  output logic [1:0]              s_axil_rresp_o,
  output logic                    s_axil_rvalid_o,
  input  logic                    s_axil_rready_i,

  input  logic                    write_ready_i,    // a write may happen; may depend on its address
  output logic                    write_o,          // write this cycle
  output logic [AddressWidth-3:0] write_address_o,  // in words
  output logic [31:0]             write_data_o,
  input  logic                    write_error_i,    // the write is refused; used if write_o is 1
  input  logic                    read_ready_i,     // a read may happen; may depend on its address
  output logic                    read_o,           // read this cycle, with side effects
  output logic [AddressWidth-3:0] read_address_o,   // in words
  input  logic [31:0]             read_data_i,      // used if read_o is 1, as is the error
  input  logic                    read_error_i
);

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  // Address and data of a request wait here, each for itself, until the access. A channel is ready
  // while its place is free. (The flags say free and not full, as they enable other registers: each
  // inverter would be a LUT.)
  logic [3:0] strobes_q;
  logic write_go, read_go, whole, none;

  assign write_go = ~s_axil_awready_o & ~s_axil_wready_o & ~s_axil_bvalid_o & write_ready_i;
  assign whole = &strobes_q;
  assign none = ~(|strobes_q);
  assign write_o = write_go & whole;

  assign read_go = ~s_axil_arready_o & ~s_axil_rvalid_o & read_ready_i;
  assign read_o = read_go;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      s_axil_awready_o <= 1'b1;
      s_axil_wready_o <= 1'b1;
      s_axil_arready_o <= 1'b1;
      s_axil_bvalid_o <= 1'b0;
      s_axil_rvalid_o <= 1'b0;
    end else begin
      s_axil_awready_o <= s_axil_awready_o ? ~s_axil_awvalid_i : write_go;
      s_axil_wready_o <= s_axil_wready_o ? ~s_axil_wvalid_i : write_go;
      s_axil_arready_o <= s_axil_arready_o ? ~s_axil_arvalid_i : read_go;
      s_axil_bvalid_o <= s_axil_bvalid_o ? ~s_axil_bready_i : write_go;
      s_axil_rvalid_o <= s_axil_rvalid_o ? ~s_axil_rready_i : read_go;
    end

    if (s_axil_awready_o) begin
      write_address_o <= s_axil_awaddr_i[AddressWidth-1:2];
    end
    if (s_axil_wready_o) begin
      write_data_o <= s_axil_wdata_i;
      strobes_q <= s_axil_wstrb_i;
    end
    if (s_axil_arready_o) begin
      read_address_o <= s_axil_araddr_i[AddressWidth-1:2];
    end
    if (write_go) begin
      s_axil_bresp_o <= none | (whole & ~write_error_i) ? Okay : SlvErr;
    end
    if (read_go) begin
      s_axil_rdata_o <= read_data_i & {32{~read_error_i}};
      s_axil_rresp_o <= read_error_i ? SlvErr : Okay;
    end
  end

  /* verilator lint_off UNUSED */
  logic unused;
  assign unused = ^{s_axil_awaddr_i[1:0], s_axil_araddr_i[1:0]};
  /* verilator lint_on UNUSED */

endmodule

`default_nettype wire
