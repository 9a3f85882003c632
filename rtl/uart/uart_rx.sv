// The receiver: takes bytes from a serial line, 8N1.
//
// The line goes through a chain of flip-flops, as it comes from outside of the clock's domain. A
// frame begins in the first cycle in which the end of the chain is 0, which is phase 0 of bit 0.
// Each of its ten bits is the majority of three samples: one in the middle of the bit, one Spread
// cycles before and one Spread cycles after it. So a disturbance of at most Spread cycles changes
// no bit.
//
//   bit              0 start  1         2         ...  8         9 stop
//   end of chain  ~~\_________/ data 0  X data 1  ...  X data 7  /~~~~~~~~~~
//   samples            ^^^       ^^^       ^^^            ^^^       ^^^
//                      false                                          valid_o, framing_o or break_o,
//                      start?                                         ready for the next frame
//
// A start bit that is not 0 was a glitch, and the receiver waits for another one. After a stop bit
// that is not 1, and after reset, it first waits for the line to be 1.

`default_nettype none

module uart_rx #(
  parameter int Divisor = 868,      // clock cycles a bit, at least 3
  parameter int SyncStages = 2      // flip-flops between the line and logic, at least 2
) (
  input  logic       clk_i,
  input  logic       rst_i,         // synchronous

  input  logic       rx_i,          // the line, asynchronous
  output logic       valid_o,       // for one cycle: a byte has come
  output logic [7:0] data_o,        // that byte
  output logic       framing_o,     // for one cycle: a byte was dropped whose stop bit was 0
  output logic       break_o        // all bits of a frame were 0, and the line has not been 1 since
);

  typedef enum logic [1:0] {Wait, Idle, Receive} state_e;

  localparam int PhaseWidth = (Divisor < 3) ? 2 : $clog2(Divisor);
  localparam int MiddleInt = (Divisor - 1) / 2;
  localparam int SpreadInt = (Divisor < 16) ? 1 : Divisor / 16;
  localparam logic [PhaseWidth-1:0] Early = PhaseWidth'(MiddleInt - SpreadInt);
  localparam logic [PhaseWidth-1:0] Middle = PhaseWidth'(MiddleInt);
  localparam logic [PhaseWidth-1:0] Late = PhaseWidth'(MiddleInt + SpreadInt);
  localparam logic [PhaseWidth-1:0] Last = PhaseWidth'(Divisor - 1);
  localparam logic [3:0] Start = 4'd0, Stop = 4'd9;

  initial begin
    if (Divisor < 3) $fatal(1, "uart: Divisor is less than 3");
    if (SyncStages < 2) $fatal(1, "uart: SyncStages is less than 2");
  end

  (* async_reg = "true" *) logic [SyncStages-1:0] sync_q;
  logic line, early_q, middle_q, level;
  state_e state_q;
  logic [PhaseWidth-1:0] phase, phase_q;
  logic [3:0] bit_q;

  assign line = sync_q[SyncStages-1];
  assign phase = (state_q == Receive) ? phase_q : '0;
  assign level = (early_q & middle_q) | (early_q & line) | (middle_q & line);

  always_ff @(posedge clk_i) begin
    if (phase == Early) early_q <= line;
    if (phase == Middle) middle_q <= line;

    phase_q <= (phase == Last) ? '0 : phase + PhaseWidth'(1);
    if (phase == Last) bit_q <= bit_q + 4'd1;

    valid_o <= 1'b0;
    framing_o <= 1'b0;
    if (line) break_o <= 1'b0;

    case (state_q)
      Wait: if (line) state_q <= Idle;
      Idle: if (!line) begin
        state_q <= Receive;
        bit_q <= Start;
      end
      default: if (phase == Late) begin
        if (bit_q == Start) begin
          if (level) state_q <= Idle;
        end else if (bit_q != Stop) begin
          data_o <= {level, data_o[7:1]};
        end else if (level) begin
          state_q <= Idle;
          valid_o <= 1'b1;
        end else begin
          state_q <= Wait;
          framing_o <= |data_o;
          break_o <= ~(|data_o);
        end
      end
    endcase

    sync_q <= SyncStages'({sync_q, rx_i});
    if (rst_i) begin
      sync_q <= '0;
      state_q <= Wait;
      valid_o <= 1'b0;
      framing_o <= 1'b0;
      break_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
