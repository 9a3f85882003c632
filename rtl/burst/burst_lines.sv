// The board as eight lines of eight squares: byte L of a word has the squares of line L, by rank.
//
// Files, or diagonals that go on at the other side of the board. Wiring.

`default_nettype none

module burst_lines #(
  // files from one rank to the next: 0 files, 1 diagonals rising to the right, 7 (for
  parameter int Slope = 0
                           // -1) to the left
) (
  input  logic [63:0] word_i,
  output logic [63:0] lines_o
);

  for (genvar i = 0; i < 8; i++) begin : g_line
    assign lines_o[8*i +: 8] = {word_i[56 + (i + 7 * Slope) % 8], word_i[48 + (i + 6 * Slope) % 8],
                                word_i[40 + (i + 5 * Slope) % 8], word_i[32 + (i + 4 * Slope) % 8],
                                word_i[24 + (i + 3 * Slope) % 8], word_i[16 + (i + 2 * Slope) % 8],
                                word_i[8 + (i + Slope) % 8], word_i[i]};
  end

endmodule

`default_nettype wire
