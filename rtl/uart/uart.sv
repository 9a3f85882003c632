// A UART: sends and receives bytes over asynchronous serial lines, 8N1 (a start bit, eight data
// bits with the least significant first, no parity, a stop bit). A bit may have any number of clock
// cycles, and there is a queue for each direction.
//
// An error costs one byte and is reported: a stop bit of 0 (rx_framing_o), a line that is held at 0
// (rx_break_o), a byte that comes when the queue is full (rx_overrun_o).
//
// Latency: a byte that is taken in cycle t while the transmitter is idle begins at tx_o in cycle
// t + 2. A frame that begins at rx_i in cycle t is at the output in cycle t + SyncStages +
// 9 * Divisor + (Divisor - 1) / 2 + max(1, Divisor / 16) + 2, after some 9.6 bits. Cost: README.md.

`default_nettype none

module uart #(
  parameter int Divisor = 868,        // clock cycles a bit, at least 3: 115 207 baud at 100 MHz
  parameter int RxDepth = 16,         // bytes in the receiver's queue, a power of two, at least 2
  parameter int TxDepth = 16,         // bytes in the transmitter's queue, likewise
  parameter int SyncStages = 2        // flip-flops between the line and logic, at least 2
) (
  input  logic       clk_i,
  input  logic       rst_i,           // synchronous: empty queues, the line is idle

  input  logic       rx_i,            // the line from the other side, asynchronous, 1 when idle
  output logic       tx_o,            // the line to the other side, from a register

  input  logic       tx_valid_i,      // bytes to be sent
  output logic       tx_ready_o,
  input  logic [7:0] tx_data_i,

  output logic       rx_valid_o,      // bytes received
  input  logic       rx_ready_i,
  output logic [7:0] rx_data_o,

  output logic       rx_framing_o,    // for one cycle: a byte was dropped whose stop bit was 0
  // a break: all ten bits of a frame were 0, and the line has not been 1 since
  output logic       rx_break_o,
  output logic       rx_overrun_o     // for one cycle: a byte was dropped as the queue was full
);

  logic rx_valid, rx_room, tx_valid, tx_ready;
  logic [7:0] rx_data, tx_data;

  uart_rx #(
    .Divisor(Divisor), .SyncStages(SyncStages)
  ) u_rx (
    .clk_i, .rst_i,
    .rx_i, .valid_o(rx_valid), .data_o(rx_data), .framing_o(rx_framing_o), .break_o(rx_break_o)
  );

  uart_fifo #(
    .Depth(RxDepth)
  ) u_rx_fifo (
    .clk_i, .rst_i,
    .in_valid_i(rx_valid), .in_ready_o(rx_room), .in_data_i(rx_data),
    .out_valid_o(rx_valid_o), .out_ready_i(rx_ready_i), .out_data_o(rx_data_o)
  );

  assign rx_overrun_o = rx_valid & ~rx_room;

  uart_fifo #(
    .Depth(TxDepth)
  ) u_tx_fifo (
    .clk_i, .rst_i,
    .in_valid_i(tx_valid_i), .in_ready_o(tx_ready_o), .in_data_i(tx_data_i),
    .out_valid_o(tx_valid), .out_ready_i(tx_ready), .out_data_o(tx_data)
  );

  uart_tx #(
    .Divisor(Divisor)
  ) u_tx (
    .clk_i, .rst_i,
    .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx_data), .tx_o
  );

endmodule

`default_nettype wire
