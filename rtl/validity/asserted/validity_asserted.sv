// What holds of the sequence: it hears an answer as long as one is under way. It is for proofs,
// which do not find out by themselves that movegen has at most one position from validity; the
// other files here say so of movegen's stages, one after the other. A register that several of them
// have is the same in each: only so does a module know what another one knows.
//
// Only Yosys reads it, and so only provers have it. In simulators the tests compare what comes out,
// and say more of a fault than an assertion can. The ports have the names of validity's signals.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module validity_asserted (
  input wire       clk_i,
  input wire       rst_i,
  input wire       ask,
  input wire       heard,
  input wire [2:0] step_q
);

`ifdef YOSYS
  localparam logic [2:0] Hear = 3'd3;

  logic begun_q = 1'b0;  // the first reset has begun
  logic busy_q = 1'b0;   // as in validity_ask

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (rst_i) busy_q <= 1'b0;
    else if (ask) busy_q <= 1'b1;
    else if (heard) busy_q <= 1'b0;
    if (begun_q) assert (busy_q == (step_q == Hear));
  end
`endif

endmodule

bind validity validity_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
