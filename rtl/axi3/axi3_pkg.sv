// Addresses of bursts.

`default_nettype none

package axi3_pkg;

  // The bits of an address that change from beat to beat: none in a burst that stays, all in one
  // that increments, and in one that wraps the lowest, by its length (of 2, 4, 8 or 16 beats).
  function automatic logic [11:0] mask(input logic [3:0] len, input logic [1:0] size, input logic [1:0] burst);
    logic [5:0] bytes;   // of the burst, less one
    case (size)
      2'd0: bytes = {2'b00, len};
      2'd1: bytes = {1'b0, len, 1'b1};
      default: bytes = {len, 2'b11};
    endcase
    case (burst)
      2'd0: mask = 12'h000;
      2'd2: mask = {6'd0, bytes};
      default: mask = 12'hfff;
    endcase
  endfunction

endpackage

`default_nettype wire
