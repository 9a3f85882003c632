// A testbench in RTL around the FIFO of sim/stream that leaves to Go what Go does better: a source
// that asks what to send, and a monitor that tells what it sees. The example of cosim.svh.
`include "cosim.svh"
`default_nettype none
module fifo_bench (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        ready_i,
    output logic       valid_o,
    output logic [7:0] data_o
);
  logic        valid_q, ready;
  logic [ 7:0] data_q;
  logic [63:0] answer;  // of Go: bit 8, there is a byte; bits 7:0, the byte

  // The source: a byte is asked for when the one before is on its way.
  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (ready | ~valid_q) begin
      `COSIM_ASK("next", 0, answer)
      valid_q <= answer[8];
      data_q  <= answer[7:0];
    end
  end

  fifo u_fifo (
      .clk_i, .rst_i,
      .valid_i(valid_q), .ready_o(ready), .data_i(data_q),
      .valid_o, .ready_i, .data_o
  );

  fifo_monitor u_monitor (
      .clk_i, .rst_i,
      .push_i(valid_q & ready), .in_i(data_q),
      .pop_i(valid_o & ready_i), .out_i(data_o),
      .level_i(u_fifo.level_q)  // not a port: monitors may look inside
  );
endmodule

// What is bound to a FIFO to watch it.
module fifo_monitor (
    input wire       clk_i,
    input wire       rst_i,
    input wire       push_i,
    input wire [7:0] in_i,
    input wire       pop_i,
    input wire [7:0] out_i,
    input wire [2:0] level_i
);
  always @(posedge clk_i) begin
    if (!rst_i) begin
      if (push_i) `COSIM_EVENT2("push", in_i, level_i)
      if (pop_i) `COSIM_EVENT("pop", out_i)
      if (level_i > 3'd4) `COSIM_LOG("error", "more bytes than there is room for")
      if (level_i == 3'd4 && pop_i) `COSIM_LOG("debug", "no longer full")
    end
  end
endmodule
`default_nettype wire
