// Turns a move into two bytes: first {01, origin}, then {10, destination}.

`default_nettype none

module movelink_bytes (
  input  logic       clk_i,
  input  logic       rst_i,         // synchronous: bytes that were not sent are dropped

  input  logic       move_valid_i,  // a move to be sent
  output logic       move_ready_o,
  input  logic [5:0] move_from_i,
  input  logic [5:0] move_to_i,

  output logic       tx_valid_o,    // bytes to be sent
  input  logic       tx_ready_i,
  output logic [7:0] tx_data_o
);

  localparam logic [1:0] FromTag = 2'b01, ToTag = 2'b10;

  typedef enum logic [1:0] {Idle, From, To} state_e;

  state_e state_q;
  logic [5:0] from_q, to_q;

  assign move_ready_o = state_q == Idle;
  assign tx_valid_o = state_q != Idle;
  assign tx_data_o = (state_q == From) ? {FromTag, from_q} : {ToTag, to_q};

  always_ff @(posedge clk_i) begin
    if (move_ready_o) begin
      from_q <= move_from_i;
      to_q <= move_to_i;
    end
    case (state_q)
      Idle: if (move_valid_i) state_q <= From;
      From: if (tx_ready_i) state_q <= To;
      default: if (tx_ready_i) state_q <= Idle;
    endcase
    if (rst_i) state_q <= Idle;
  end

endmodule

`default_nettype wire
