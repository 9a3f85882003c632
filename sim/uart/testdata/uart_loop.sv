// A UART that sends back each byte it receives: the example of package uart. 8N1, Divisor clock
// cycles a bit, at least 4. Bytes with a framing error are not sent back.
`default_nettype none

module uart_loop #(
  parameter int Divisor = 8
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic rx_i,
  output logic tx_o,
  output logic framing_error_o,  // for one cycle
  output logic wire_o            // rx_i one cycle later
);

  localparam int LastInt = Divisor - 1;
  localparam logic [15:0] Last = LastInt[15:0];
  localparam logic [15:0] Half = Last >> 1;

  // The receiver: it starts at a falling edge, and samples in the middle of each bit.
  logic        rx_q, rx_qq, rx_busy_q, rx_valid_q;
  logic [15:0] rx_count_q;
  logic [3:0]  rx_bit_q;
  logic [7:0]  rx_data_q;

  assign wire_o = rx_q;

  always_ff @(posedge clk_i) begin
    rx_q  <= rx_i;
    rx_qq <= rx_q;
    rx_valid_q      <= 1'b0;
    framing_error_o <= 1'b0;
    if (~rx_busy_q) begin
      rx_busy_q  <= rx_qq & ~rx_q;
      rx_count_q <= Half;
      rx_bit_q   <= 4'd0;
    end else if (rx_count_q != 16'd0) begin
      rx_count_q <= rx_count_q - 16'd1;
    end else begin
      rx_count_q <= Last;
      rx_bit_q   <= rx_bit_q + 4'd1;
      if (rx_bit_q == 4'd0) begin
        rx_busy_q <= ~rx_q;  // a start bit that was too short
      end else if (rx_bit_q != 4'd9) begin
        rx_data_q <= {rx_q, rx_data_q[7:1]};
      end else begin
        rx_busy_q       <= 1'b0;
        rx_valid_q      <= rx_q;
        framing_error_o <= ~rx_q;
      end
    end
    if (rst_i) begin
      rx_q            <= 1'b1;
      rx_qq           <= 1'b1;
      rx_busy_q       <= 1'b0;
      rx_valid_q      <= 1'b0;
      framing_error_o <= 1'b0;
    end
  end

  // The transmitter, with a byte in reserve.
  logic        next_valid_q, tx_busy_q, tx_done;
  logic [7:0]  next_q;
  logic [15:0] tx_count_q;
  logic [3:0]  tx_bit_q;
  logic [8:0]  tx_shift_q;

  assign tx_done = tx_count_q == 16'd0 & tx_bit_q == 4'd9;

  always_ff @(posedge clk_i) begin
    if (~tx_busy_q | tx_done) begin
      tx_busy_q    <= next_valid_q;
      tx_o         <= ~next_valid_q;
      next_valid_q <= 1'b0;
      tx_shift_q   <= {1'b1, next_q};
      tx_count_q   <= Last;
      tx_bit_q     <= 4'd0;
    end else if (tx_count_q != 16'd0) begin
      tx_count_q <= tx_count_q - 16'd1;
    end else begin
      tx_count_q <= Last;
      tx_bit_q   <= tx_bit_q + 4'd1;
      tx_o       <= tx_shift_q[0];
      tx_shift_q <= {1'b1, tx_shift_q[8:1]};
    end
    if (rx_valid_q) begin
      next_valid_q <= 1'b1;
      next_q       <= rx_data_q;
    end
    if (rst_i) begin
      tx_o         <= 1'b1;
      tx_busy_q    <= 1'b0;
      next_valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
