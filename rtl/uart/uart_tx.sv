// The transmitter: sends bytes over a serial line, 8N1 (a start bit, eight data bits with the least
// significant first, a stop bit). If there are bytes, frames follow each other without a pause. The
// line comes from a register.
//
//   tx_o   ~~~~\_start_/ data 0 X data 1 X ... X data 7 /~stop~~\_start_/ ...
//   ready_o  ~~\________________________________________________/\____________    (in a stop bit's last cycle)

`default_nettype none

module uart_tx #(
  parameter int Divisor = 868       // clock cycles a bit, at least 1
) (
  input  logic       clk_i,
  input  logic       rst_i,         // synchronous: the line is idle

  input  logic       valid_i,       // a byte to be sent; its start bit begins in the next cycle
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o           // the line
);

  localparam int PhaseWidth = (Divisor < 2) ? 1 : $clog2(Divisor);
  localparam logic [PhaseWidth-1:0] Last = PhaseWidth'(Divisor - 1);

  logic [9:0] shift_q;              // bit 0 is on the line; ones are shifted in
  logic [3:0] left_q;               // bits left to send, with the one on the line
  logic [PhaseWidth-1:0] phase_q;

  assign ready_o = (left_q == 4'd0) | ((left_q == 4'd1) & (phase_q == Last));
  assign tx_o = shift_q[0];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      shift_q <= '1;
      left_q <= 4'd0;
      phase_q <= '0;
    end else if (ready_o) begin
      left_q <= valid_i ? 4'd10 : 4'd0;
      phase_q <= '0;
      if (valid_i) shift_q <= {1'b1, data_i, 1'b0};
    end else if (phase_q == Last) begin
      left_q <= left_q - 4'd1;
      phase_q <= '0;
      shift_q <= {1'b1, shift_q[9:1]};
    end else begin
      phase_q <= phase_q + PhaseWidth'(1);
    end
  end

endmodule

`default_nettype wire
