// Sends frames to the UART. The fields of a frame are taken with start_i. Its message must stay at
// the input until busy_o is 0 again.
//
// A frame that is taken in cycle t is offered byte by byte from cycle t + 1 on, without a pause.

`default_nettype none

module link_tx (
  input  logic         clk_i,
  input  logic         rst_i,             // synchronous: a frame that is being sent is cut off

  input  logic         start_i,           // send a frame; must be 0 while busy_o is 1
  input  logic [2:0]   kind_i,
  input  logic [2:0]   seq_i,
  input  logic [15:0]  session_i,
  output logic         busy_o,
  output logic         end_o,             // in the last cycle of busy_o

  input  logic [7:0]   message_type_i,    // of a data frame
  input  logic [5:0]   message_length_i,  // bytes of payload
  input  logic [255:0] message_payload_i, // byte n in bits 8n+7 to 8n

  output logic         valid_o,           // bytes for the UART
  input  logic         ready_i,
  output logic [7:0]   data_o
);

  typedef enum logic [2:0] {Idle, OpenFlag, Header, Message, Crc, CloseFlag} state_e;

  state_e state_q;
  // index of the byte in its part of the frame; -1: a message's type
  logic [5:0] index_q;
  logic [2:0] kind_q, seq_q;
  logic [15:0] session_q;
  logic [31:0] crc_q;
  logic escaped_q;                        // the escape before this byte has been sent
  logic [5:0] length;
  logic [31:0] header;
  logic [7:0] header_byte, message_byte, crc_byte, data;
  logic plain, special, next;

  assign length = (kind_q == link_pkg::KindData) ? message_length_i + 6'd1 : 6'd0;

  // The byte of each part, and the one to send, before it is escaped.
  assign header = {session_q, 2'b11, kind_q, seq_q, 2'd0, length};
  assign header_byte = header[{index_q[1:0], 3'd0} +: 8];
  assign message_byte = index_q[5] ? message_type_i : message_payload_i[{index_q[4:0], 3'd0} +: 8];
  assign crc_byte = ~crc_q[{index_q[1:0], 3'd0} +: 8];

  always_comb begin
    case (state_q)
      Header: data = header_byte;
      Message: data = message_byte;
      Crc: data = crc_byte;
      default: data = link_pkg::Flag;
    endcase
  end

  assign plain = (state_q == OpenFlag) | (state_q == CloseFlag);
  assign special = ~plain & ((data == link_pkg::Flag) | (data == link_pkg::Escape));
  assign next = ready_i & (~special | escaped_q);

  assign valid_o = state_q != Idle;
  assign busy_o = state_q != Idle;
  assign end_o = (state_q == CloseFlag) & ready_i;

  always_comb begin
    data_o = data;
    if (special) data_o = escaped_q ? data ^ link_pkg::Toggle : link_pkg::Escape;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      kind_q <= kind_i;
      seq_q <= seq_i;
      session_q <= session_i;
      state_q <= OpenFlag;
      escaped_q <= 1'b0;
    end else if (ready_i & special) begin
      escaped_q <= ~escaped_q;
    end

    if (valid_o & next) begin
      index_q <= index_q + 6'd1;
      case (state_q)
        OpenFlag: begin
          state_q <= Header;
          index_q <= 6'd0;
        end
        Header: if (index_q == 6'd3) begin
          index_q <= 6'd0;
          if (length == 6'd0) begin
            state_q <= Crc;
          end else begin
            state_q <= Message;
            index_q <= 6'h3f;
          end
        end
        Message: if (index_q == message_length_i - 6'd1) begin
          state_q <= Crc;
          index_q <= 6'd0;
        end
        Crc: if (index_q == 6'd3) state_q <= CloseFlag;
        default: state_q <= Idle;
      endcase
      if (state_q == OpenFlag) crc_q <= link_pkg::CrcStart;
      else if ((state_q == Header) | (state_q == Message)) crc_q <= link_pkg::crc(crc_q, data);
    end

    if (rst_i) state_q <= Idle;
  end

`ifndef SYNTHESIS
  logic begun_q = 1'b0; // the first reset has

  // A message ends with its last byte: the index never goes beyond it.
  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & (state_q == Message)) assert (index_q + 6'd1 <= message_length_i);
  end
`endif

endmodule

`default_nettype wire
