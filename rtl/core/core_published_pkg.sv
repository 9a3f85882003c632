// Squares and pieces as the published core had them.

`default_nettype none

package core_published_pkg;

  // A square in 12x12 numbering, 12 * (rank + 2) + file + 2 with ranks and files from 0 on: bit 6
  // says that it is on the board, bits 5 to 0 are the square, a1 = 0. As 12 is a multiple of 4, the
  // two low bits are those of file + 2, and the others are 3 * (rank + 2) + (file + 2) / 4.
  function automatic logic [6:0] square(input logic [6:0] number);
    logic [2:0] file4;   // (file + 2) / 4, one-hot
    square = 7'd0;
    file4 = 3'd0;
    for (int rank = 0; rank < 8; rank++) begin
      for (int i = 0; i < 3; i++) begin
        if (number[6:2] == 5'(3 * (rank + 2) + i)) begin
          square[5:3] = 3'(rank);
          file4[i] = 1'b1;
        end
      end
    end
    // file + 2 is 2 to 9: 2 and 3 in the first four, 8 and 9 in the third.
    square[6] = file4[1] | (file4[0] & number[1]) | (file4[2] & ~number[1]);
    square[2:0] = {(file4[1] & number[1]) | file4[2], (file4[1] & ~number[1]) | file4[2], number[0]};
  endfunction

endpackage

`default_nettype wire
