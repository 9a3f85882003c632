// In validity movegen_targets has in stage 4 no other position than its own. See
// validity_asserted.sv for what this is for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module validity_targets_asserted (
  input wire clk_i,
  input wire rst_i,
  input wire valid_i,
  input wire valid_q,
  input wire fresh_q
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & valid_q) assert (fresh_q == valid_i);
  end
`endif

endmodule

bind movegen_targets validity_targets_asserted u_alone (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
