// Memories of all shapes: narrow, wide, in parts, not from address 0, with an initial value,
// with bytes enabled one by one, with two writers, and one that is read at an address from another.
module memories (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic         we_i,
  input  logic         we2_i,
  input  logic  [3:0]  be_i,
  input  logic  [6:0]  a_i,
  input  logic  [6:0]  b_i,
  input  logic [129:0] d_i,
  output logic  [6:0]  narrow_o,
  output logic  [11:0] odd_o,
  output logic  [31:0] bytes_o,
  output logic  [31:0] lines_o,
  output logic  [63:0] word_o,
  output logic [129:0] wide_o,
  output logic  [7:0]  chased_o,
  output logic  [15:0] twice_o,
  output logic  [7:0]  rom_o,
  output logic  [8:0]  from_o
);

  logic   [6:0] narrow [128];
  logic  [11:0] odd [100];
  logic  [31:0] bytes [64];
  logic  [31:0] lines [128];
  logic  [63:0] word [32];
  logic [129:0] wide [64];
  logic   [7:0] next [128];
  logic  [15:0] twice [128];
  logic   [7:0] rom [64];
  logic   [8:0] from [20:59];
  logic   [6:0] reset_q;
  logic [129:0] wide_q;

  initial begin
    for (int i = 0; i < 128; i++) begin
      narrow[i] = i[6:0] ^ 7'h2a;
      next[i] = 8'(i) * 8'd37 + 8'd11;
      twice[i] = '0;
      lines[i] = '0;
    end
    for (int i = 0; i < 100; i++) odd[i] = 12'h0f3 + 12'(i);
    for (int i = 0; i < 64; i++) begin
      bytes[i] = '0;
      wide[i] = '1;
      rom[i] = 8'(i * i) ^ 8'(i >> 1);
    end
    for (int i = 0; i < 32; i++) word[i] = '0;
    for (int i = 20; i < 60; i++) from[i] = 9'(i);
  end

  always_ff @(posedge clk_i) begin
    if (we_i) begin
      narrow[a_i] <= d_i[6:0];
      if (a_i < 100) odd[a_i] <= d_i[18:7];
      word[a_i[4:0]] <= d_i[63:0];
      if (a_i >= 20 && a_i < 60) from[a_i[5:0]] <= d_i[8:0];
    end
    if (we_i && !a_i[6]) wide[a_i[5:0]] <= d_i;
    for (int i = 0; i < 4; i++) begin
      if (we2_i && be_i[i]) bytes[b_i[5:0]][8*i +: 8] <= d_i[8*i +: 8];
      if (we2_i && be_i[i]) lines[b_i][8*i +: 8] <= d_i[8*i +: 8];
    end
    // The later of two writers wins.
    if (we_i) twice[a_i] <= d_i[15:0];
    if (we2_i) twice[b_i] <= d_i[31:16];
    wide_q <= rst_i ? '0 : wide[b_i[5:0]];
    if (we2_i && we_i) next[b_i] <= d_i[40:33];
  end

  assign narrow_o = narrow[b_i];
  assign odd_o    = b_i < 100 ? odd[b_i] : '0;
  assign bytes_o  = bytes[a_i[5:0]];
  assign lines_o  = lines[a_i];
  assign word_o   = word[b_i[4:0]];
  assign wide_o   = wide_q;
  assign chased_o = next[next[next[b_i][6:0]][6:0]];
  assign twice_o  = twice[b_i];
  assign rom_o    = rom[a_i[5:0] ^ {5'b0, narrow_o[0]}];
  assign from_o   = b_i >= 20 && b_i < 60 ? from[b_i[5:0]] : '0;

endmodule
