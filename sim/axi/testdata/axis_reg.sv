// An AXI4-Stream register slice with one place in reserve, 4 bytes wide: the example of package
// axi. One transfer a clock; latency 1. TREADY is a register.
`default_nettype none

module axis_reg (
  input  logic        aclk,
  input  logic        aresetn,

  input  logic        s_tvalid,
  output logic        s_tready,
  input  logic [31:0] s_tdata,
  input  logic [3:0]  s_tkeep,
  input  logic        s_tlast,

  output logic        m_tvalid,
  input  logic        m_tready,
  output logic [31:0] m_tdata,
  output logic [3:0]  m_tkeep,
  output logic [3:0]  m_tstrb,
  output logic        m_tlast
);

  logic        spare_valid_q;
  logic [36:0] spare_q, out_q, in;

  assign in = {s_tlast, s_tkeep, s_tdata};
  assign s_tready = ~spare_valid_q;
  assign {m_tlast, m_tkeep, m_tdata} = out_q;
  assign m_tstrb = m_tkeep;

  always_ff @(posedge aclk) begin
    if (~m_tvalid | m_tready) begin
      m_tvalid      <= spare_valid_q | s_tvalid;
      out_q         <= spare_valid_q ? spare_q : in;
      spare_valid_q <= 1'b0;
    end else if (s_tvalid & s_tready) begin
      spare_valid_q <= 1'b1;
      spare_q       <= in;
    end
    if (~aresetn) begin
      m_tvalid      <= 1'b0;
      spare_valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
