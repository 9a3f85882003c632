// says: both simulators agree in all outputs, 5000 cycles
// says: 100.0% of the bits could be compared
// says: line 100.0%
// never: wrong
// never: look
module clean (input logic clk_i, input logic rst_i, input logic en_i, output logic [3:0] count_o);
  always_ff @(posedge clk_i)
    if (rst_i) count_o <= 0;
    else if (en_i) count_o <= count_o + 1;
endmodule
