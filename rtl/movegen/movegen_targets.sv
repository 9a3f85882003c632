// Stage 5: which destination next.
//
// Destinations come class by class. With plain order there is one class. Otherwise captures come
// first, if so ordered by victim, the most valuable first; then promotions without a capture; then
// the rest, unless filtered out. Within a class the lowest square is next. A square can be in two
// classes: the target of en passant and squares of rank 8, onto which pawns capture or promote and
// others just move.
//
// A position is loaded from stage 4 while its predecessor's last destination leaves, or when idle.
// It stays in stage 4 until its first destination is taken: the next stage copies it then.
//
// Latency 1, one destination a clock.
// Cost: 832 LUTs, 355 flip-flops.

`default_nettype none

module movegen_targets (
  input  logic        clk_i,
  input  logic        rst_i,

  // stage 4 holds a position, whose first destination was not yet taken
  input  logic        valid_i,
  output logic        take_o,          // it is taken at the end of this cycle

  input  logic [1:0]  order_i,         // from stage 4, see movegen_classes
  input  logic        captures_i,
  input  logic [63:0] code0_i,
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [7:0]  ep_i,
  input  logic [63:0] todo_i,
  input  logic [7:0]  promote_n_i,     // of list_n_o, rank 8,
  input  logic [7:0]  ep_ne_i,         // and of list_ne_o and list_nw_o, rank 6
  input  logic [7:0]  ep_nw_i,

  output logic        valid_o,
  input  logic        ready_i,
  output logic [63:0] to_o,            // one-hot; empty if the position has nothing to be listed
  output logic        last_o,          // the position's last destination
  output logic        captures_o,      // of the moves there only captures and promotions,
  output logic        quiet_o          // or only the others
);

  // Classes in the order of their turns: victims from queens (0) to pawns, promotions, the rest. If
  // all captures are one class, it is that of pawns. With plain order classes do not matter.
  localparam int Pawns = 4;
  localparam int Promotions = 5;
  localparam int Quiet = 6;

  // A code that no square has.
  localparam logic [2:0] Nothing = 3'd7;

  // What is left, and what stands there: squares entered by captures of pieces or by quiet moves;
  // those entered en passant; those on which pawns promote without a capture. fresh: the position
  // is still in stage 4.
  logic valid_q, fresh_q;
  logic [63:0] todo_q, code0_q, code1_q, code2_q, occupied_q;
  logic [7:0] ep_q, promotions_q;

  // The class, and those left: its squares are those of one code, and more.
  logic [6:0] class_q, left_q;
  logic [2:0] code_q;
  logic all_q, taken_q, ep_on_q, promotions_on_q;  // all others; all pieces; en passant; promotions
  logic plain_q, by_victim_q, captures_q;

  logic [63:0] current, special, lowest;
  logic [7:0] ep_d;
  logic [6:0] classes_d, first_class, next_class;
  logic [4:0] victims;
  logic plain, by_victim, more, last, next, done, load;

  assign plain = order_i == movegen_list_pkg::OrderPlain;
  assign by_victim = order_i >= movegen_list_pkg::OrderVictims;

  assign ep_d = (ep_ne_i | ep_nw_i) & ep_i;

  // Kings are no victims: two code bits tell the others but pawns.
  assign victims[0] = |(todo_i & code2_i & code0_i);
  assign victims[1] = |(todo_i & code2_i & ~code0_i);
  assign victims[2] = |(todo_i & code1_i & code0_i);
  assign victims[3] = |(todo_i & code1_i & ~code0_i);
  assign victims[4] = |(todo_i & code0_i & ~code1_i & ~code2_i) | (|ep_d);
  assign classes_d[3:0] = victims[3:0] & {4{by_victim}};
  assign classes_d[Pawns] = victims[4] | (|victims[3:0] & ~by_victim);
  assign classes_d[Promotions] = |promote_n_i;
  assign classes_d[Quiet] = |(todo_i & ~(code0_i | code1_i | code2_i)) & ~captures_i;

  // Of a word of classes, the first.
  function automatic logic [6:0] first(input logic [6:0] classes);
    logic [6:0] preceded;
    preceded = {classes[5:0], 1'b0};
    preceded = preceded | (preceded << 1);
    preceded = preceded | (preceded << 2);
    preceded = preceded | (preceded << 4);
    first = classes & ~preceded;
  endfunction

  // The code on the squares of a class.
  function automatic logic [2:0] code(input logic [6:0] one);
    code = ({3{one[0]}} & piece_pkg::Queen) | ({3{one[1]}} & piece_pkg::Rook) |
           ({3{one[2]}} & piece_pkg::Bishop) | ({3{one[3]}} & piece_pkg::Knight) |
           ({3{one[Pawns]}} & piece_pkg::Pawn) |
           ({3{~one[Quiet] & ~(|one[Pawns:0])}} & Nothing);
  endfunction

  assign special = {promotions_q & {8{promotions_on_q}}, 8'h0, ep_q & {8{ep_on_q}}, 40'h0};
  assign current = special |
    (todo_q & ((~(code0_q ^ {64{code_q[0]}}) & ~(code1_q ^ {64{code_q[1]}}) &
                ~(code2_q ^ {64{code_q[2]}})) |
               (occupied_q & {64{taken_q}}) | {64{all_q}}));
  assign lowest = movegen_pkg::lowest(current);
  assign more = movegen_pkg::two_or_more(current);
  assign first_class = first(classes_d);
  assign next_class = first(left_q);
  assign last = ~more & ~(|left_q);
  // The next position is taken in when this stage is empty or its last destination leaves, whether
  // or not there is one; but not with the first destination, for until that leaves, stage 4 holds
  // the same position.
  assign next = ~valid_q | (last & ~fresh_q);
  assign load = valid_i & next & (~valid_q | ready_i);
  assign done = valid_q & last & ready_i;

  assign valid_o = valid_q;
  assign take_o = valid_q & fresh_q & ready_i;
  assign to_o = lowest;
  assign last_o = last;
  assign captures_o = plain_q ? captures_q : ~class_q[Quiet];
  assign quiet_o = ~plain_q & class_q[Quiet];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
    end else if (load) begin
      valid_q <= 1'b1;
    end else if (done) begin
      valid_q <= 1'b0;
    end

    if (~valid_q | ready_i) begin
      fresh_q <= next;
    end
    if ((~valid_q | ready_i) & next) begin
      plain_q <= plain;
      by_victim_q <= by_victim;
      captures_q <= captures_i;
      code0_q <= code0_i;
      code1_q <= code1_i;
      code2_q <= code2_i;
      occupied_q <= code0_i | code1_i | code2_i;
      todo_q <= todo_i;
      ep_q <= ep_d;
      promotions_q <= promote_n_i;
      class_q <= first_class;
      left_q <= classes_d & ~first_class & {7{~plain}};
      code_q <= code(first_class) | {3{plain}};
      all_q <= plain & ~captures_i;
      taken_q <= plain ? captures_i : first_class[Pawns] & ~by_victim;
      ep_on_q <= plain | first_class[Pawns];
      promotions_on_q <= plain | first_class[Promotions];
    end else if (ready_i) begin
      // A square that is entered en passant or by promotion can have another turn, by other pieces.
      todo_q <= todo_q & ~(lowest & ~(special & {64{~plain_q}}));
      ep_q <= ep_q & ~lowest[47:40];
      promotions_q <= promotions_q & ~lowest[63:56];
      if (~more) begin
        class_q <= next_class;
        left_q <= left_q & ~next_class;
        code_q <= code(next_class);
        taken_q <= next_class[Pawns] & ~by_victim_q;
        ep_on_q <= next_class[Pawns];
        promotions_on_q <= next_class[Promotions];
      end
    end
  end

endmodule

`default_nettype wire
