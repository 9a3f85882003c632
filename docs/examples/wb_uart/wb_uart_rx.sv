// The receiver: samples each bit once, in its middle.

`default_nettype none

module wb_uart_rx (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  input  logic [15:0] period_i,     // clock cycles a bit
  input  logic        rx_i,         // asynchronous
  output logic        came_o,       // for one cycle: data_o has a byte
  output logic        framing_o,    // for one cycle: a stop bit was 0, and its byte is dropped
  output logic [7:0]  data_o
);

  logic [1:0] sync_q;
  logic line, busy_q, idle_q;       // idle_q: the line has been 1 since the last frame
  logic [3:0] bit_q;
  logic [15:0] phase_q;

  assign line = sync_q[1];

  always_ff @(posedge clk_i) begin
    sync_q <= {sync_q[0], rx_i};
    came_o <= 1'b0;
    framing_o <= 1'b0;
    if (rst_i) begin
      sync_q <= 2'd0;
      busy_q <= 1'b0;
      idle_q <= 1'b0;
      bit_q <= 4'd0;
      phase_q <= 16'd0;
      data_o <= 8'd0;
    end else if (!busy_q) begin
      bit_q <= 4'd0;
      phase_q <= 16'd1;
      if (line) idle_q <= 1'b1;
      busy_q <= idle_q && !line;
    end else begin
      phase_q <= (phase_q + 16'd1 >= period_i) ? 16'd0 : phase_q + 16'd1;
      if (phase_q + 16'd1 >= period_i) bit_q <= bit_q + 4'd1;
      if (phase_q == {1'b0, period_i[15:1]}) begin
        if (bit_q == 4'd0) begin
          busy_q <= !line;          // else it was a glitch
        end else if (bit_q <= 4'd8) begin
          data_o <= {line, data_o[7:1]};
        end else begin
          busy_q <= 1'b0;
          idle_q <= line;
          came_o <= line;
          framing_o <= !line;
        end
      end
    end
  end

endmodule

`default_nettype wire
