// A UART on a Wishbone bus (B4, classic cycles, one word of 32 bits): 8N1, a transmitter and a
// receiver with one byte each.
//
//   address  read                                   write
//   0        bit 8: a byte has come, bits 7-0: it   bits 7-0: send it; ignored while one is sent
//   1        status: bit 0 sending, bit 1 a byte    bits 3, 2: 1 clears
//            has come, bit 2 one was lost, bit 3
//            a stop bit was 0
//   2        bits 15-0: clock cycles a bit          the same, at least 4
//   3        error                                  error
//
// A read of address 0 takes the byte. Each cycle is answered one clock cycle after strobe.

`default_nettype none

module wb_uart #(
  parameter int Divisor = 868       // clock cycles a bit after reset: 115 200 baud at 100 MHz
) (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  input  logic        cyc_i,
  input  logic        stb_i,
  input  logic        we_i,
  input  logic [1:0]  adr_i,        // a word's
  input  logic [3:0]  sel_i,
  input  logic [31:0] dat_i,
  output logic        ack_o,
  output logic        err_o,
  output logic [31:0] dat_o,

  input  logic        rx_i,         // asynchronous
  output logic        tx_o
);

  localparam logic [1:0] Data = 2'd0, Status = 2'd1, Period = 2'd2;

  logic [15:0] period_q;
  logic strobe, write, send, take, sending, came;
  logic has_q, lost_q, framing_q;
  logic [7:0] byte_q, received;
  logic framing;

  // One answer a strobe: the cycle of the answer begins none.
  assign strobe = cyc_i && stb_i && !ack_o && !err_o;
  assign write = strobe && we_i && sel_i[0];
  assign send = write && (adr_i == Data);
  assign take = strobe && !we_i && (adr_i == Data);

  always_ff @(posedge clk_i) begin
    ack_o <= strobe && (adr_i != 2'd3) && !rst_i;
    err_o <= strobe && (adr_i == 2'd3) && !rst_i;
    case (adr_i)
      Data: dat_o <= {23'd0, has_q, byte_q};
      Status: dat_o <= {28'd0, framing_q, lost_q, has_q, sending};
      Period: dat_o <= {16'd0, period_q};
      default: dat_o <= 32'd0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      period_q <= 16'(Divisor);
      has_q <= 1'b0;
      lost_q <= 1'b0;
      framing_q <= 1'b0;
      byte_q <= 8'd0;
    end else begin
      if (write && (adr_i == Period) && sel_i[1] && (dat_i[15:0] >= 16'd4)) period_q <= dat_i[15:0];
      if (take) has_q <= 1'b0;
      if (write && (adr_i == Status) && dat_i[2]) lost_q <= 1'b0;
      if (write && (adr_i == Status) && dat_i[3]) framing_q <= 1'b0;
      if (came) begin
        has_q <= 1'b1;
        if (!has_q || take) byte_q <= received;
        else lost_q <= 1'b1;
      end
      if (framing) framing_q <= 1'b1;
    end
  end

  wb_uart_tx u_tx (
    .clk_i, .rst_i, .period_i(period_q), .send_i(send), .data_i(dat_i[7:0]), .sending_o(sending), .tx_o
  );

  wb_uart_rx u_rx (
    .clk_i, .rst_i, .period_i(period_q), .rx_i, .came_o(came), .framing_o(framing), .data_o(received)
  );

  logic unused;
  assign unused = ^{dat_i[31:16], sel_i[3:2]};

endmodule

`default_nettype wire
