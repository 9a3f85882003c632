// Interrupts of a block of registers: which have come, which are enabled, and the line.
//
// An event sets its bit of status_o; a write of 1 clears it, unless an event comes in the same
// cycle: none is lost. The line is 1 from the second cycle after the event on, while an enabled bit
// is set. Cost: 2 LUTs and 2 flip-flops an event.

`default_nettype none

module axil_interrupt #(
  parameter int Events = 2
) (
  input  logic              clk_i,
  input  logic              rst_i,         // synchronous: nothing has come, nothing is enabled

  input  logic [Events-1:0] event_i,       // each 1 in the cycle in which it comes

  input  logic              enable_i,      // write the enable bits
  input  logic              clear_i,       // clear the status bits that are 1 in the data
  input  logic [Events-1:0] data_i,

  output logic [Events-1:0] enable_o,
  output logic [Events-1:0] status_o,
  output logic              irq_o
);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      enable_o <= '0;
      status_o <= '0;
      irq_o <= 1'b0;
    end else begin
      if (enable_i) enable_o <= data_i;
      status_o <= (status_o & ~(data_i & {Events{clear_i}})) | event_i;
      irq_o <= |(status_o & enable_o);
    end
  end

endmodule

`default_nettype wire
