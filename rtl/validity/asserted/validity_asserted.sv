// What holds of the sequence: it hears an answer as long as one is under way, and the move that is
// tried is in from_q and to_q for as long as something depends on it. It is for proofs, which do
// not find out by themselves that movegen has at most one position from validity; the other files
// here say so of movegen's stages, one after the other. A register that several of them have is
// the same in each: only so does a module know what another one knows.
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
  input wire       beat_valid,
  input wire       take_remote,
  input wire [2:0] step_q,
  input wire [1:0] purpose_q,
  input wire [2:0] kind_q
);

`ifdef YOSYS
  localparam logic [2:0] Ask = 3'd2, Hear = 3'd3, Verdict = 3'd4;  // as in validity
  localparam logic [1:0] Decide = 2'd0, Remote = 2'd1, Why = 2'd3;

  logic begun_q = 1'b0;  // the first reset has begun
  logic busy_q = 1'b0;   // as in validity_ask
  logic tried_q = 1'b0;  // from_q and to_q are of the move that is tried
  logic before_q = 1'b0; // they were in the cycle before
  logic hits_q = 1'b0;   // they were when the question was asked; its answer is about them
  logic asking;

  assign asking = (step_q == Ask) | (step_q == Hear) | (step_q == Verdict);

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (rst_i) busy_q <= 1'b0;
    else if (ask) busy_q <= 1'b1;
    else if (heard) busy_q <= 1'b0;
    if (rst_i) tried_q <= 1'b0;
    else tried_q <= take_remote | ((step_q == Hear) & (purpose_q == Decide)) | (tried_q & asking);
    before_q <= tried_q & ~rst_i;
    if (rst_i) hits_q <= 1'b0;
    else if (ask) hits_q <= tried_q;

    if (begun_q) assert (busy_q == (step_q == Hear));
    if (begun_q & beat_valid) assert (step_q == Hear);
    if (begun_q & asking & (purpose_q == Remote)) assert (tried_q);
    if (begun_q & asking & (purpose_q == Why)) assert (tried_q);
    if (begun_q & (step_q == Verdict) & (purpose_q == Decide)) assert (tried_q);
    if (begun_q & (step_q == Verdict) & (purpose_q == Why)) assert (before_q);
    if (begun_q & (step_q == Ask) & (purpose_q == Why)) assert (before_q);
    if (begun_q & asking & (purpose_q != Why)) assert (kind_q == validity_pkg::AskReal);
    if (begun_q & (step_q == Hear) & (purpose_q == Remote)) assert (hits_q);
    if (begun_q & (step_q == Verdict) & (purpose_q == Remote)) assert (hits_q);
    if (begun_q & (step_q == Hear) & (purpose_q == Why)) assert (hits_q);
    if (begun_q & (step_q == Hear) & (purpose_q == Decide)) assert (~hits_q);
    if (begun_q & (step_q == Verdict) & (kind_q != validity_pkg::AskReal)) assert (hits_q);
  end
`endif

endmodule

bind validity validity_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
