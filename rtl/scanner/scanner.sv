// Reads which of the 64 squares of a sensing board hold a piece. The hall sensors share one line:
// six select lines power one of them at a time. The LEDs of the board hang on the same select
// lines, so scanning and showing take turns.
//
// A period has a slot for each square from 0 to 63, a strobe, IdleCycles for the LED driver, and
// one cycle to return. In the square's slot, the sensor first has SettleCycles to power up, during
// which the line may change. Then the line must be stable for HoldCycles. If it is, its level is
// the square's new value. If it is not (because of a glitch, or a piece that is just being moved),
// the square keeps its value until a later scan.
//
//   phase         | slot 0 | slot 1 | ... | slot 63 | idle             | turn | slot 0
//   select_o      |   0    |   1    | ... |   63    | 0 | led_select_i        |   0
//   led_o         |   0    |   0    | ... |   0     | 0 | led_i               |   0
//   idle_o        |   0    |   0    | ... |   0     | 1                | 0    |   0
//   strobe_o      |   0    |   0    | ... |   0     | 1 | 0            | 0    |   0
//
// led_select_i and led_i of a cycle with idle_o are at the pins in the next cycle, as select_o and
// led_o come from registers and change together. No LED is on during a scan, whatever the LED
// driver does.
//
// Slot: SettleCycles + SyncStages + HoldCycles + 1 cycles, 41 003 by default. Period: 64 slots +
// IdleCycles + 1 cycles, 51.8 ms at 100 MHz. A piece that is placed or lifted and then rests is
// seen at the end of the next complete scan. Cost: 183 LUTs, 111 flip-flops, with debounce.

`default_nettype none

module scanner #(
  // cycles that a sensor needs after it gets power: 0.4 ms at 100 MHz
  parameter int SettleCycles = 40_000,
  parameter int HoldCycles = 1000,         // for which the line must be stable: see debounce
  parameter int SyncStages = 2,            // see debounce
  parameter int IdleCycles = 256 * 10_000  // between scans, for the LEDs
) (
  input  logic        clk_i,
  input  logic        rst_i,               // synchronous

  // the sensors' line, asynchronous: 0 if the selected square holds a piece
  input  logic        sense_ni,
  output logic [5:0]  select_o,            // the selected square: {rank, file}
  output logic        led_o,               // the LED of this square is on

  output logic        idle_o,              // the LED driver has the select lines
  input  logic [5:0]  led_select_i,        // the LED driver's square
  input  logic        led_i,               // whether its LED is lit

  output logic [63:0] occupied_o,          // squares that hold a piece
  // a scan has ended: occupied_o has the readings of all squares
  output logic        strobe_o
);

  typedef enum logic [1:0] {Scan, Idle, Turn} state_e;

  localparam int SlotCycles = SettleCycles + SyncStages + HoldCycles + 1;
  localparam int CountWidth = $clog2((SlotCycles > IdleCycles) ? SlotCycles : IdleCycles);
  localparam logic [CountWidth-1:0] SlotEnd = CountWidth'(SlotCycles - 1);
  localparam logic [CountWidth-1:0] IdleEnd = CountWidth'(IdleCycles - 1);

  initial begin
    if (SettleCycles < 1) $fatal(1, "scanner: SettleCycles is less than 1");
    if (IdleCycles < 1) $fatal(1, "scanner: IdleCycles is less than 1");
  end

  state_e state_q, state_d;
  logic [CountWidth-1:0] count_q, count_d;
  logic [5:0] select_d;
  logic led_d, read, strobe_d, clean, ready;

  debounce #(
    .SyncStages(SyncStages),
    .HoldCycles(HoldCycles)
  ) u_debounce (
    .clk_i, .rst_i,
    .line_i(sense_ni), .clean_o(clean), .ready_o(ready)
  );

  // In a scan select_o is the square that is read.
  always_comb begin
    state_d = state_q;
    count_d = count_q + CountWidth'(1);
    select_d = select_o;
    led_d = 1'b0;
    read = 1'b0;
    strobe_d = 1'b0;
    case (state_q)
      Scan: if (count_q == SlotEnd) begin
        count_d = '0;
        read = 1'b1;
        select_d = select_o + 6'd1;
        if (select_o == 6'd63) begin
          state_d = Idle;
          strobe_d = 1'b1;
        end
      end
      Idle: begin
        select_d = led_select_i;
        led_d = led_i;
        if (count_q == IdleEnd) begin
          count_d = '0;
          state_d = Turn;
        end
      end
      default: begin
        count_d = '0;
        select_d = '0;
        state_d = Scan;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Scan;
      count_q <= '0;
      select_o <= '0;
      led_o <= 1'b0;
      strobe_o <= 1'b0;
      occupied_o <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      select_o <= select_d;
      led_o <= led_d;
      strobe_o <= strobe_d;
      if (read && ready) occupied_o[select_o] <= ~clean;
    end
  end

  assign idle_o = state_q == Idle;

endmodule

`default_nettype wire
