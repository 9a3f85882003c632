// The link behind a UART, as a board has them.
`default_nettype none

module link_uart #(
  parameter int Divisor = 868,
  parameter int RetryCycles = 10_000_000,
  parameter int SilenceCycles = 300_000_000
) (
  input  logic         clk_i,
  input  logic         rst_i,

  input  logic         rx_i,
  output logic         tx_o,

  input  logic         send_valid_i,
  output logic         send_ready_o,
  input  logic [7:0]   send_type_i,
  input  logic [5:0]   send_length_i,
  input  logic [255:0] send_payload_i,

  output logic         recv_valid_o,
  input  logic         recv_ready_i,
  output logic [7:0]   recv_type_o,
  output logic [5:0]   recv_length_o,
  output logic [255:0] recv_payload_o,

  output logic         open_o,
  output logic         opened_o,
  output logic         up_o,
  output logic         damaged_o,
  output logic         framing_o,
  output logic         break_o,
  output logic         overrun_o
);

  logic tx_valid, tx_ready, rx_valid;
  logic [7:0] tx_data, rx_data;

  uart #(
    .Divisor(Divisor)
  ) u_uart (
    .clk_i, .rst_i, .rx_i, .tx_o,
    .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_data_i(tx_data),
    .rx_valid_o(rx_valid), .rx_ready_i(1'b1), .rx_data_o(rx_data),
    .rx_framing_o(framing_o), .rx_break_o(break_o), .rx_overrun_o(overrun_o)
  );

  link #(
    .RetryCycles(RetryCycles), .SilenceCycles(SilenceCycles)
  ) u_link (
    .clk_i, .rst_i,
    .rx_valid_i(rx_valid), .rx_data_i(rx_data),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data),
    .send_valid_i, .send_ready_o, .send_type_i, .send_length_i, .send_payload_i,
    .recv_valid_o, .recv_ready_i, .recv_type_o, .recv_length_o, .recv_payload_o,
    .open_o, .opened_o, .up_o, .damaged_o
  );

endmodule

`default_nettype wire
