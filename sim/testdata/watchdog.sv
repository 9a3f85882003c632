// Raises an alarm when nobody kicks it for 2^40 cycles, three hours at 100 MHz, and keeps a log of
// causes: the example of internal signals.
`default_nettype none
module watchdog (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        kick_i,
    output logic       alarm_o
);
  typedef enum logic [1:0] {Watch = 0, Late = 1, Broken = 2} state_e;
  state_e     state_q;
  logic [1:0] log [0:3];  // the causes of alarms
  logic [1:0] alarms_q;
  logic       expired, broken;

  timer u_timer (.clk_i, .rst_i, .clear_i(kick_i), .expired_o(expired), .broken_o(broken));

  assign alarm_o = state_q != Watch;

  always_ff @(posedge clk_i) begin
    if (state_q == Watch && (expired || broken)) begin
      if (broken) state_q <= Broken;
      else state_q <= Late;
      log[alarms_q] <= {broken, ~broken};  // the state to come
      alarms_q      <= alarms_q + 2'd1;
    end else if (kick_i) begin
      state_q <= Watch;
    end
    if (rst_i) begin
      state_q  <= Watch;
      alarms_q <= '0;
    end
  end
endmodule

module timer (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        clear_i,
    output logic       expired_o,
    output logic       broken_o    // the count and its copy differ
);
  logic [39:0] count_q, copy_q;
  logic        mismatch;

  assign expired_o = &count_q;
  assign mismatch  = copy_q != ~count_q;  // never, but for radiation
  assign broken_o  = mismatch;

  always_ff @(posedge clk_i) begin
    count_q <= rst_i | clear_i ? '0 : count_q + 40'd1;
    copy_q  <= rst_i | clear_i ? '1 : copy_q - 40'd1;
  end
endmodule
`default_nettype wire
