// Stages 3 to 6 of knights: all moves of one knight a clock, each way of leaping in a lane of its
// own.
//
// Stage 3 holds those left, stage 4 is the lowest of these, stage 5 has its moves, and stage 6
// waits for burst_lane.
//
// Latency 4 with advance_i, one knight a clock.

`default_nettype none

module burst_knights (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic         advance_i,     // 0: hold

  input  logic         load_i,        // stage 3 takes these knights
  input  logic [63:0]  knights_i,
  input  logic         valid_i,       // otherwise, what it holds is of a position being listed
  output logic         more_o,        // of which some are left beyond the next one

  input  logic [63:0]  code0_i,       // of the position in stage 4: codes of the pieces
  input  logic [63:0]  code1_i,
  input  logic [63:0]  code2_i,
  input  logic [63:0]  targets_i,     // and the squares that may be entered

  // see burst; 32 bits a way of leaping: files and ranks -1 -2, 1 -2,
  output logic [255:0] move_o
                                      // -2 -1, 2 -1, -2 1, 2 1, -1 2, 1 2
);

  // Stages 3 and 4.
  logic valid4_q;
  logic [63:0] lowest, rest3_q, knight4_q;

  assign lowest = movegen_pkg::lowest(rest3_q);
  assign more_o = movegen_pkg::two_or_more(rest3_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid4_q <= 1'b0;
    end else if (advance_i) begin
      valid4_q <= valid_i & (|rest3_q);
    end

    if (advance_i) begin
      rest3_q <= load_i ? knights_i : rest3_q & ~lowest;
      knight4_q <= lowest;
    end
  end

  // Stages 5 and 6.
  logic [63:0] leap [8];
  logic [5:0] from, from5_q, from6_q;

  assign leap[0] = (knight4_q >> 17) & movegen_pkg::NotFileH;
  assign leap[1] = (knight4_q >> 15) & movegen_pkg::NotFileA;
  assign leap[2] = (knight4_q >> 10) & movegen_pkg::NotFilesGH;
  assign leap[3] = (knight4_q >> 6) & movegen_pkg::NotFilesAB;
  assign leap[4] = (knight4_q << 6) & movegen_pkg::NotFilesGH;
  assign leap[5] = (knight4_q << 10) & movegen_pkg::NotFilesAB;
  assign leap[6] = (knight4_q << 15) & movegen_pkg::NotFileH;
  assign leap[7] = (knight4_q << 17) & movegen_pkg::NotFileA;

  assign from = movegen_pkg::index_of(knight4_q);

  for (genvar i = 0; i < 8; i++) begin : g_leap
    localparam int Up = i == 4 ? 6 : i == 5 ? 10 : i == 6 ? 15 : 17;
    localparam int Down = i == 0 ? 17 : i == 1 ? 15 : i == 2 ? 10 : 6;
    logic valid5_q, valid6_q;
    logic [5:0] to6_q;
    logic [2:0] captured5_q, captured6_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        valid5_q <= 1'b0;
        valid6_q <= 1'b0;
      end else if (advance_i) begin
        valid5_q <= valid4_q & (|(leap[i] & targets_i));
        valid6_q <= valid5_q;
      end

      if (advance_i) begin
        captured5_q <= {|(leap[i] & code2_i), |(leap[i] & code1_i), |(leap[i] & code0_i)};
        captured6_q <= captured5_q;
        to6_q <= i > 3 ? from5_q + 6'(Up) : from5_q - 6'(Down);
      end
    end

    assign move_o[32*i +: 32] = {valid6_q, 4'd0, captured6_q, 1'b0, piece_pkg::Knight, 6'd0, to6_q, 2'd0,
                                 from6_q};
  end

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      from5_q <= from;
      from6_q <= from5_q;
    end
  end

endmodule

`default_nettype wire
