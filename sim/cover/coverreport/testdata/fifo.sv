module fifo (input logic clk_i, input logic [1:0] a,
    output logic [1:0] level_o);
  // No code.
  always_ff @(posedge clk_i) begin
    level_o <= level_o + 1;
    if (a == 0)
      level_o <= 0;
    else if (a == 1 && level_o < 2)
      level_o <= 1;
    case (a)
      2'd0: level_o <= 2;
      default: level_o <= 3;
    endcase
  end
  never_full: cover property (@(posedge clk_i) level_o == 3);
endmodule
