// Synchronises and debounces a line from outside of the clock's domain. Its output is the last
// level that was stable for HoldCycles cycles.
//
// The line goes through a chain of flip-flops, so that a metastable one has time to settle before
// logic sees it. A level at the end of the chain that is stable for HoldCycles cycles becomes
// clean_o. ready_o is 1 as long as the last HoldCycles cycles all had the level of clean_o.
//
//   cycle         0         1
//                 0123456789012345      SyncStages = 2, HoldCycles = 4; reset was before
//   line_i        __~____~~~~~~~~~
//   end of chain  ____~____~~~~~~~
//   clean_o       _____________~~~
//   ready_o       ____~____~___~~~
//
// Latency: a stable change in cycle t is at clean_o in cycle t + SyncStages + HoldCycles.
// Reset: the level counts as stable from then on only; the chain is not reset. After power-up the
// reset must last for SyncStages + 1 cycles, which fill the chain.
// Cost: 19 LUTs, 14 flip-flops.

`default_nettype none

module debounce #(
  parameter int SyncStages = 2,      // flip-flops between the line and logic, at least 2
  // cycles for which a level must be stable, at least 1; 1000 are 10 us at 100 MHz
  parameter int HoldCycles = 1000
) (
  input  logic clk_i,
  input  logic rst_i,                // synchronous

  input  logic line_i,               // asynchronous
  output logic clean_o,              // the last level that was stable
  output logic ready_o               // the last HoldCycles cycles all had the level of clean_o
);

  localparam int CountWidth = (HoldCycles < 1) ? 1 : $clog2(HoldCycles + 1);
  localparam logic [CountWidth-1:0] Hold = CountWidth'(HoldCycles);

  initial begin
    if (SyncStages < 2) $fatal(1, "debounce: SyncStages is less than 2");
    if (HoldCycles < 1) $fatal(1, "debounce: HoldCycles is less than 1");
  end

  (* async_reg = "true" *) logic [SyncStages-1:0] sync_q;
  logic level, last_q;
  logic [CountWidth-1:0] held_q, held_d;

  always_ff @(posedge clk_i) begin
    sync_q <= SyncStages'({sync_q, line_i});
    last_q <= level;
  end

  assign level = sync_q[SyncStages-1];

  // The number of cycles, with this one, for which the level has not changed.
  always_comb begin
    held_d = CountWidth'(1);
    if (level == last_q && held_q != '0) begin
      held_d = (held_q == Hold) ? Hold : held_q + CountWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      held_q <= '0;
      clean_o <= 1'b0;
    end else begin
      held_q <= held_d;
      if (held_d == Hold) clean_o <= level;
    end
  end

  assign ready_o = held_q == Hold;

endmodule

`default_nettype wire
