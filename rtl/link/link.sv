// The board's end of the link. Messages to and from a host over a UART are each delivered once and
// in order, whatever bytes are lost, changed or doubled on the line. README.md defines the
// protocol; rtl/link/frame is the host's end in Go.
//
// A session begins when the host asks for it, and ends with the next one or with a reset. In a
// session, a message that is taken at the send port is sent every RetryCycles until the host
// acknowledges its number. Then the next one is taken. A message of the host with the expected
// number is put out at the receive port and acknowledged. A message that has come before is only
// acknowledged. A message that comes while the port is occupied is dropped, and the host repeats
// it.
//
// Without a session nothing is taken at the send port. If the host does not answer, the message
// taken last is repeated for ever, and up_o becomes 0.
//
// Cycles: a message that is taken in cycle t by an idle link is offered to the UART from cycle t +
// 2 on. If the last byte of a frame comes in cycle t, its message is at the output in cycle t + 2,
// and its answer is offered to the UART from cycle t + 3 on. Cost: README.md.

`default_nettype none

module link #(
  // cycles until a message that is not acknowledged is repeated, at least 1: 100 ms at 100 MHz
  parameter int RetryCycles = 10_000_000,
  // cycles without a frame from the host until it counts as absent, at least 1: 3 s at 100 MHz
  parameter int SilenceCycles = 300_000_000
) (
  input  logic         clk_i,
  input  logic         rst_i,            // synchronous: no session, nothing under way

  input  logic         rx_valid_i,       // bytes from the UART: one is taken in any cycle
  input  logic [7:0]   rx_data_i,
  output logic         tx_valid_o,       // bytes to the UART
  input  logic         tx_ready_i,
  output logic [7:0]   tx_data_o,

  // a message to the host; taken in a cycle in which valid and ready are both 1
  input  logic         send_valid_i,
  output logic         send_ready_o,
  input  logic [7:0]   send_type_i,
  input  logic [5:0]   send_length_i,    // bytes of payload, 0 to 32
  input  logic [255:0] send_payload_i,   // byte n in bits 8n+7 to 8n

  output logic         recv_valid_o,     // a message of the host
  input  logic         recv_ready_i,
  output logic [7:0]   recv_type_o,
  output logic [5:0]   recv_length_o,
  output logic [255:0] recv_payload_o,   // 0 beyond its length

  output logic         open_o,           // there is a session
  // for one cycle: the session is new, and messages under way were dropped
  output logic         opened_o,
  // there is a session, and a frame of it has come in the last SilenceCycles cycles
  output logic         up_o,
  // for one cycle: something has come that is no frame of the host
  output logic         damaged_o
);

  localparam int RetryWidth = (RetryCycles < 1) ? 1 : $clog2(RetryCycles + 1);
  localparam int SilenceWidth = (SilenceCycles < 1) ? 1 : $clog2(SilenceCycles + 1);

  initial begin
    if (RetryCycles < 1) $fatal(1, "link: RetryCycles is less than 1");
    if (SilenceCycles < 1) $fatal(1, "link: SilenceCycles is less than 1");
  end

  // The session.
  logic fresh_q;                         // nothing but open frames has come in it
  logic [15:0] session_q;
  logic [2:0] due_q;                     // expected number of the host's next message
  logic [SilenceWidth-1:0] silence_q;

  // The message to the host.
  logic full_q;                          // there is one
  logic [2:0] number_q;                  // its number, or that of the next one
  logic [7:0] type_q;
  logic [5:0] length_q;
  logic [255:0] payload_q;
  logic [RetryWidth-1:0] retry_q;        // cycles until it is sent again

  // The answer to send.
  logic answer_q, answer;
  logic [2:0] answer_kind_q, answer_kind, answer_seq_q, answer_seq;
  logic [15:0] answer_session_q;

  logic frame, stored, current, opens, closes, deliver, acknowledged, take;
  logic [2:0] kind, seq, last;
  logic [15:0] session;

  logic busy, sent, start, start_message, sending_message_q;

  link_rx u_rx (
    .clk_i, .rst_i,
    .valid_i(rx_valid_i), .data_i(rx_data_i),
    .room_i((~recv_valid_o | recv_ready_i) & ~deliver), .frame_o(frame), .damaged_o,
    .frame_kind_o(kind), .frame_seq_o(seq), .frame_session_o(session), .frame_stored_o(stored),
    .message_type_o(recv_type_o), .message_length_o(recv_length_o), .message_payload_o(recv_payload_o)
  );

  // The effect of a frame.
  assign current = frame & open_o & (session == session_q);
  assign opens = frame & (kind == link_pkg::KindOpen) & ~(current & fresh_q);
  assign closes = current & (kind == link_pkg::KindNone);
  assign deliver = current & (kind == link_pkg::KindData) & (seq == due_q) & stored;
  assign acknowledged = current & (kind == link_pkg::KindAck) & (seq == number_q) & full_q;

  assign last = due_q - 3'd1;

  always_comb begin
    answer = 1'b0;
    answer_kind = link_pkg::KindAck;
    answer_seq = 3'd0;
    if (frame) begin
      case (kind)
        link_pkg::KindOpen: begin
          answer = 1'b1;
          answer_kind = link_pkg::KindOpen;
        end
        link_pkg::KindNone: ;
        default: begin
          if (!current) begin
            answer = 1'b1;
            answer_kind = link_pkg::KindNone;
          end else if (deliver) begin
            answer = 1'b1;
            answer_seq = due_q;
          end else begin                 // a message that has come before is acknowledged again
            answer = (kind == link_pkg::KindPing) | ((kind == link_pkg::KindData) & (seq == last));
            answer_seq = last;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    opened_o <= opens;
    if (opens) begin
      open_o <= 1'b1;
      fresh_q <= 1'b1;
      session_q <= session;
      due_q <= 3'd0;
    end else if (closes) begin
      open_o <= 1'b0;
    end else if (current & (kind != link_pkg::KindOpen)) begin
      fresh_q <= 1'b0;
    end
    if (deliver) due_q <= due_q + 3'd1;

    if (opens | current) silence_q <= SilenceWidth'(SilenceCycles);
    else if (silence_q != '0) silence_q <= silence_q - SilenceWidth'(1);

    if (deliver) recv_valid_o <= 1'b1;
    else if (recv_ready_i) recv_valid_o <= 1'b0;

    if (rst_i) begin
      open_o <= 1'b0;
      opened_o <= 1'b0;
      silence_q <= '0;
      recv_valid_o <= 1'b0;
    end
  end

  assign up_o = open_o & (silence_q != '0);

  // Sending. An answer goes first.
  assign send_ready_o = open_o & ~full_q & ~sending_message_q;
  assign take = send_valid_i & send_ready_o;
  assign start_message = ~busy & ~answer_q & full_q & (retry_q == '0);
  assign start = (~busy & answer_q) | start_message;

  always_ff @(posedge clk_i) begin
    if (take) begin
      full_q <= 1'b1;
      type_q <= send_type_i;
      length_q <= (send_length_i > 6'd32) ? 6'd32 : send_length_i;
      payload_q <= send_payload_i;
      retry_q <= '0;
    end else if (retry_q != '0) begin
      retry_q <= retry_q - RetryWidth'(1);
    end
    if (acknowledged) begin
      full_q <= 1'b0;
      number_q <= number_q + 3'd1;
    end
    if (opens) number_q <= 3'd0;
    if (opens | closes) full_q <= 1'b0;

    if (start) sending_message_q <= start_message;
    else if (sent) begin
      sending_message_q <= 1'b0;
      if (sending_message_q) retry_q <= RetryWidth'(RetryCycles);
    end

    if (start) answer_q <= 1'b0;
    if (answer) begin
      answer_q <= 1'b1;
      answer_kind_q <= answer_kind;
      answer_seq_q <= answer_seq;
      answer_session_q <= session;
    end

    if (rst_i) begin
      full_q <= 1'b0;
      sending_message_q <= 1'b0;
      answer_q <= 1'b0;
    end
  end

  link_tx u_tx (
    .clk_i, .rst_i,
    .start_i(start), .kind_i(start_message ? link_pkg::KindData : answer_kind_q),
    .seq_i(start_message ? number_q : answer_seq_q),
    .session_i(start_message ? session_q : answer_session_q),
    .busy_o(busy), .end_o(sent),
    .message_type_i(type_q), .message_length_i(length_q), .message_payload_i(payload_q),
    .valid_o(tx_valid_o), .ready_i(tx_ready_i), .data_o(tx_data_o)
  );

endmodule

`default_nettype wire
