// The link of the published board. A move to the PC is two bytes for a UART, and a move from the PC
// comes over seven parallel lines. Nothing is checked or repeated; the protocol of link does that.
//
// The bytes of a move that is taken in cycle t are at the output in cycles t + 1 and t + 2, if the
// UART takes them at once. Cost: README.md.

`default_nettype none

module movelink #(
  // cycles for which the lines must be stable, at least 1; 10 000 are 100 us at 100 MHz
  parameter int HoldCycles = 10_000,
  parameter int SyncStages = 2        // flip-flops between the lines and logic, at least 2
) (
  input  logic       clk_i,
  input  logic       rst_i,           // synchronous

  input  logic       send_valid_i,    // a move to be sent
  output logic       send_ready_o,
  input  logic [5:0] send_from_i,
  input  logic [5:0] send_to_i,

  output logic       tx_valid_o,      // bytes for the UART
  input  logic       tx_ready_i,
  output logic [7:0] tx_data_o,

  input  logic [6:0] lines_i,         // from the PC's microcontroller, asynchronous
  output logic       move_valid_o,    // a move has come
  input  logic       move_ready_i,
  output logic [5:0] move_from_o,
  output logic [5:0] move_to_o,
  // for one cycle: a move was dropped, as the one before it has not been taken
  output logic       move_lost_o
);

  movelink_bytes u_bytes (
    .clk_i, .rst_i,
    .move_valid_i(send_valid_i), .move_ready_o(send_ready_o),
    .move_from_i(send_from_i), .move_to_i(send_to_i),
    .tx_valid_o, .tx_ready_i, .tx_data_o
  );

  movelink_lines #(
    .HoldCycles(HoldCycles), .SyncStages(SyncStages)
  ) u_lines (
    .clk_i, .rst_i,
    .lines_i, .move_valid_o, .move_ready_i, .move_from_o, .move_to_o, .move_lost_o
  );

endmodule

`default_nettype wire
