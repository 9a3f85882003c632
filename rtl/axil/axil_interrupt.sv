// The interrupts of a block of registers: status bits, enable bits, and the line.
//
// An event sets its bit of status_o. A write of 1 clears the bit, unless the event comes again in
// the same cycle, so that no event is lost. The line is 1 while an enabled bit is set, from the
// second cycle after the event on. Cost: 2 LUTs and 2 flip-flops an event.

`default_nettype none

module axil_interrupt #(
  parameter int Events = 2
) (
  input  logic              clk_i,
  input  logic              rst_i,         // synchronous: all status and enable bits are 0

  input  logic [Events-1:0] event_i,       // 1 in the cycle of the event

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
