// The address of a burst's next beat: that of the present one, aligned to the beat's size, plus the
// size. Only the bits in mask_i change. Combinational. Cost: 14 LUTs.

`default_nettype none

module axi3_next (
  input  logic [11:0] address_i,
  input  logic [1:0]  size_i,       // log2 of a beat's bytes: 0 to 2
  input  logic [11:0] mask_i,       // bits that change, see axi3_pkg
  output logic [11:0] next_o
);

  logic [11:0] aligned, further;

  assign aligned = address_i & ~((12'd1 << size_i) - 12'd1);
  assign further = aligned + (12'd1 << size_i);
  assign next_o = (address_i & ~mask_i) | (further & mask_i);

endmodule

`default_nettype wire
