// Stages 3 and 4 of knights: all moves of one knight a clock, each way of leaping in a lane of its own.
//
// Latency 2 with advance_i, one knight a clock.

`default_nettype none

module burst_knights (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic         advance_i,     // 0: hold

  input  logic         valid_i,       // there is something to be picked
  input  logic         rest_i,        // from the knights left of those picked from last; otherwise
  input  logic [63:0]  knights_i,     // from these
  output logic         more_o,        // some will be left

  input  logic [63:0]  code0_i,       // for stage 4, one clock later: codes of the pieces
  input  logic [63:0]  code1_i,
  input  logic [63:0]  code2_i,
  input  logic [63:0]  targets_i,     // and the squares that may be entered

  output logic [255:0] move_o         // see burst; 32 bits a way of leaping: files and ranks -1 -2, 1 -2,
                                      // -2 -1, 2 -1, -2 1, 2 1, -1 2, 1 2
);

  // Stage 3.
  logic valid3_q;
  logic [63:0] word3, lowest, rest3_d, rest3_q, knight3_q;

  assign word3 = rest_i ? rest3_q : knights_i;
  assign lowest = movegen_pkg::lowest(word3);
  assign rest3_d = word3 & ~lowest;
  assign more_o = movegen_pkg::two_or_more(word3);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid3_q <= 1'b0;
    end else if (advance_i) begin
      valid3_q <= valid_i & (|word3);
    end

    if (advance_i) begin
      rest3_q <= rest3_d;
      knight3_q <= lowest;
    end
  end

  // Stage 4.
  logic [63:0] leap [8];
  logic [5:0] from, from4_q;

  assign leap[0] = (knight3_q >> 17) & movegen_pkg::NotFileH;
  assign leap[1] = (knight3_q >> 15) & movegen_pkg::NotFileA;
  assign leap[2] = (knight3_q >> 10) & movegen_pkg::NotFilesGH;
  assign leap[3] = (knight3_q >> 6) & movegen_pkg::NotFilesAB;
  assign leap[4] = (knight3_q << 6) & movegen_pkg::NotFilesGH;
  assign leap[5] = (knight3_q << 10) & movegen_pkg::NotFilesAB;
  assign leap[6] = (knight3_q << 15) & movegen_pkg::NotFileH;
  assign leap[7] = (knight3_q << 17) & movegen_pkg::NotFileA;

  assign from = movegen_pkg::index_of(knight3_q);

  for (genvar i = 0; i < 8; i++) begin : g_leap
    localparam int Up = i == 4 ? 6 : i == 5 ? 10 : i == 6 ? 15 : 17;
    localparam int Down = i == 0 ? 17 : i == 1 ? 15 : i == 2 ? 10 : 6;
    logic valid4_q;
    logic [5:0] to4_q;
    logic [2:0] captured4_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        valid4_q <= 1'b0;
      end else if (advance_i) begin
        valid4_q <= valid3_q & (|(leap[i] & targets_i));
      end

      if (advance_i) begin
        to4_q <= i > 3 ? from + 6'(Up) : from - 6'(Down);
        captured4_q <= {|(leap[i] & code2_i), |(leap[i] & code1_i), |(leap[i] & code0_i)};
      end
    end

    assign move_o[32*i +: 32] = {valid4_q, 4'd0, captured4_q, 1'b0, burst_pkg::Knight, 6'd0, to4_q, 2'd0,
                                 from4_q};
  end

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      from4_q <= from;
    end
  end

endmodule

`default_nettype wire
