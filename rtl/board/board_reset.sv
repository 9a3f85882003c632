// The reset of all blocks: from power-up and from a button, for ResetCycles after it has been let
// go.

`default_nettype none

module board_reset #(
  parameter int ResetCycles = 16   // at least 4: the blocks' synchronisers fill meanwhile
) (
  input  logic clk_i,
  input  logic button_ni,          // asynchronous: 0 while it is pressed
  output logic rst_o               // synchronous
);

  initial begin
    if (ResetCycles < 4) $fatal(1, "board_reset: ResetCycles is less than 4");
  end

  (* async_reg = "true" *) logic [1:0] sync_q;
  logic [ResetCycles-1:0] held_q;

  initial held_q = '1;             // as the FPGA is configured

  always_ff @(posedge clk_i) begin
    sync_q <= {sync_q[0], ~button_ni};
    held_q <= sync_q[1] ? '1 : held_q << 1;
  end

  assign rst_o = held_q[ResetCycles-1];

endmodule

`default_nettype wire
