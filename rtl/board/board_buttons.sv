// Buttons and switches: lines that come when they like, and bounce.

`default_nettype none

module board_buttons #(
  parameter int Buttons = 5,
  parameter int HoldCycles = 1_000_000  // for which a line holds until it counts: 10 ms at 100 MHz
) (
  input  logic               clk_i,
  input  logic               rst_i,     // synchronous
  input  logic [Buttons-1:0] lines_i,   // asynchronous
  output logic [Buttons-1:0] held_o     // those that are pressed, or on
);

  for (genvar i = 0; i < Buttons; i++) begin : g_button
    logic clean, ready;

    debounce #(
      .HoldCycles(HoldCycles)
    ) u_debounce (
      .clk_i, .rst_i,
      .line_i(lines_i[i]), .clean_o(clean), .ready_o(ready)
    );

    // Nothing is pressed until its line has held for the first time.
    logic held_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) held_q <= 1'b0;
      else if (ready) held_q <= clean;
    end

    assign held_o[i] = held_q;
  end

endmodule

`default_nettype wire
