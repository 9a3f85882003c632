// Asynchronous resets: from a pin, to 0 and to 1, synchronised, and from a flip-flop.
module resets (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       soft_i,
  input  logic [7:0] d_i,
  output logic [7:0] zero_o,
  output logic [7:0] mixed_o,
  output logic [7:0] synced_o,
  output logic [7:0] own_o,
  output logic       rst_sync_no
);

  logic [1:0] sync_q;
  logic       own_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_o  <= 8'h00;
      mixed_o <= 8'ha5;
      sync_q  <= 2'b00;
    end else begin
      zero_o  <= zero_o + d_i;
      if (soft_i) mixed_o <= mixed_o ^ zero_o;
      sync_q  <= {sync_q[0], 1'b1};
    end
  end

  assign rst_sync_no = sync_q[1];

  always_ff @(posedge clk_i or negedge rst_sync_no) begin
    if (!rst_sync_no) synced_o <= 8'h3c;
    else              synced_o <= synced_o + 8'd1;
  end

  // A reset that the design gives itself.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) own_q <= 1'b0;
    else         own_q <= soft_i && zero_o[0];
  end

  initial own_o = 8'h10;
  always_ff @(posedge clk_i or posedge own_q) begin
    if (own_q) own_o <= 8'h01;
    else       own_o <= own_o + d_i;
  end

endmodule
