// A position to be loaded: written rank by rank in board coordinates, handed over as the words in
// which game and perftengine take it, in the view of the side to move.
//
// start_i begins; in the eight cycles after it the ranks go, from the side to move's first to its
// eighth, through a shift register (turning the board is the order in which they come), and done_o
// is 1 in the last of them: the words are there in the cycle after it, and stay until the next
// start.
//
//   cycle     0    1    2  ...  8    9
//   start_i   1
//   done_o                      1
//   words                            there
//
// Ranks keep what was written last, 0 in the beginning; a reset does not change them.
// Cost: 47 LUTs, 260 flip-flops, 6 RAM32M.

`default_nettype none

module core_position (
  input  logic        clk_i,
  input  logic        rst_i,          // synchronous

  input  logic        write_i,        // a rank; not in the eight cycles after start_i
  input  logic [2:0]  write_rank_i,   // 0: rank 1
  input  logic [31:0] write_data_i,   // four bits a square, file a first: piece code, 8 if black

  input  logic        start_i,        // not in the eight cycles after start_i
  input  logic        black_i,        // black is to move; to hold in these
  output logic        done_o,

  // the side to move's pieces, and the piece code of every square bit by bit,
  output logic [63:0] own_o,
  output logic [63:0] code0_o,        // in the side to move's view
  output logic [63:0] code1_o,
  output logic [63:0] code2_o
);

  logic [31:0] ranks_q [8];
  logic [31:0] rank;
  logic [2:0] step_q;
  logic busy_q;
  logic [7:0] own, code0, code1, code2;

  initial begin
    for (int i = 0; i < 8; i++) begin
      ranks_q[i] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      ranks_q[write_rank_i] <= write_data_i;
    end
  end

  assign rank = ranks_q[step_q ^ {3{black_i}}];

  for (genvar i = 0; i < 8; i++) begin : g_file
    assign code0[i] = rank[4*i];
    assign code1[i] = rank[4*i + 1];
    assign code2[i] = rank[4*i + 2];
    assign own[i] = (|rank[4*i +: 3]) & (rank[4*i + 3] == black_i);
  end

  assign done_o = busy_q & (step_q == 3'd7);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
    end else begin
      busy_q <= start_i | (busy_q & ~done_o);
    end
    if (start_i) begin
      step_q <= 3'd0;
    end else begin
      step_q <= step_q + 3'd1;
    end
    if (busy_q) begin
      own_o <= {own, own_o[63:8]};
      code0_o <= {code0, code0_o[63:8]};
      code1_o <= {code1, code1_o[63:8]};
      code2_o <= {code2, code2_o[63:8]};
    end
  end

endmodule

`default_nettype wire
