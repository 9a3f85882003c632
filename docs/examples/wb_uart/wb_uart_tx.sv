// The transmitter: a start bit, eight data bits with the least significant first, a stop bit.

`default_nettype none

module wb_uart_tx (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  input  logic [15:0] period_i,     // clock cycles a bit
  input  logic        send_i,       // ignored while a byte is sent
  input  logic [7:0]  data_i,
  output logic        sending_o,
  output logic        tx_o
);

  logic [9:0] shift_q;              // bit 0 is on the line; ones are shifted in
  logic [3:0] left_q;               // bits left, with the one on the line
  logic [15:0] phase_q;

  assign sending_o = left_q != 4'd0;
  assign tx_o = shift_q[0];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      shift_q <= '1;
      left_q <= 4'd0;
      phase_q <= 16'd0;
    end else if (!sending_o) begin
      phase_q <= 16'd0;
      if (send_i) begin
        shift_q <= {1'b1, data_i, 1'b0};
        left_q <= 4'd10;
      end
    end else if (phase_q + 16'd1 >= period_i) begin
      phase_q <= 16'd0;
      shift_q <= {1'b1, shift_q[9:1]};
      left_q <= left_q - 4'd1;
    end else begin
      phase_q <= phase_q + 16'd1;
    end
  end

endmodule

`default_nettype wire
