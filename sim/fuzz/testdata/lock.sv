// A lock that opens on five bytes in five cycles.
`default_nettype none
module lock (
    input  wire       clk_i,
    input  wire       rst_i,
    input  wire [7:0] data_i,
    output logic      open_o
);
  logic [2:0] right_d, right_q;  // bytes that were right

  always_comb begin
    right_d = 3'd0;
    case (right_q)
      3'd0: if (data_i == 8'hc0) right_d = 3'd1;
      3'd1: if (data_i == 8'h51) right_d = 3'd2;
      3'd2: if (data_i == 8'h3a) right_d = 3'd3;
      3'd3: if (data_i == 8'h7e) right_d = 3'd4;
      3'd4: if (data_i == 8'h19) right_d = 3'd5;
      default: right_d = 3'd5;
    endcase
    if (rst_i) right_d = 3'd0;
  end

  always_ff @(posedge clk_i) right_q <= right_d;

  assign open_o = right_q == 3'd5;
endmodule
`default_nettype wire
