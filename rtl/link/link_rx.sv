// Finds frames in the bytes from the UART, and keeps the message of the last one. A byte is taken
// in any cycle.
//
// Between two flags is the body: length, control, session (2 bytes), a message of length bytes, CRC
// (4 bytes). In the cycle after the closing flag of a valid body, frame_o is 1 and the body's
// fields are at the outputs. If the body is not valid, damaged_o is 1 instead.
//
// The message goes directly into the registers at the output. It is stored if room_i is 1 when its
// frame begins, and then frame_stored_o is 1.

`default_nettype none

module link_rx (
  input  logic         clk_i,
  input  logic         rst_i,             // synchronous

  input  logic         valid_i,           // a byte
  input  logic [7:0]   data_i,

  input  logic         room_i,            // the message at the output may be overwritten
  output logic         frame_o,           // for one cycle: a valid frame of the host has come
  output logic         damaged_o,         // for one cycle: something else has come
  output logic [2:0]   frame_kind_o,
  output logic [2:0]   frame_seq_o,
  output logic [15:0]  frame_session_o,
  output logic         frame_stored_o,    // its message is at the output
  output logic [7:0]   message_type_o,
  output logic [5:0]   message_length_o,  // bytes of payload
  output logic [255:0] message_payload_o  // byte n in bits 8n+7 to 8n; 0 beyond its length
);

  localparam logic [5:0] Header = 6'd4, Trailer = 6'd4, MaxMessage = 6'd33;
  localparam logic [5:0] MaxBody = Header + MaxMessage + Trailer;

  logic [5:0] index_q;                    // bytes of the body that have come
  logic [5:0] length_q;
  logic [7:0] control_q;
  logic escaped_q, bad_q;
  logic [31:0] crc_q;
  logic flag, part, in_message, sound;
  logic [7:0] data;

  assign flag = valid_i & (data_i == link_pkg::Flag);
  assign data = escaped_q ? data_i ^ link_pkg::Toggle : data_i;

  // A byte of the body.
  assign part = valid_i & ~flag & ~bad_q & (escaped_q | (data_i != link_pkg::Escape));
  assign in_message = (index_q >= Header) & (index_q < Header + length_q);

  assign sound = ~bad_q & ~escaped_q & (crc_q == link_pkg::CrcGood) &
    (index_q == Header + length_q + Trailer) &
    control_q[7] & ~control_q[6] & (control_q[5:3] <= link_pkg::KindPing) &
    ((control_q[5:3] == link_pkg::KindData) == (length_q != 6'd0));

  always_ff @(posedge clk_i) begin
    frame_o <= flag & sound;
    damaged_o <= flag & ~sound & (bad_q | escaped_q | (index_q != 6'd0));

    if (flag) begin
      index_q <= 6'd0;
      escaped_q <= 1'b0;
      bad_q <= 1'b0;
      crc_q <= link_pkg::CrcStart;
    end else if (valid_i) begin
      escaped_q <= ~escaped_q & (data_i == link_pkg::Escape);
      // Only flags and escapes are escaped, and there is a longest body and a longest message.
      if (escaped_q & (data != link_pkg::Flag) & (data != link_pkg::Escape)) bad_q <= 1'b1;
      if (part & ((index_q == MaxBody) | ((index_q == 6'd0) & (data > {2'd0, MaxMessage})))) bad_q <= 1'b1;
    end

    if (part) begin
      index_q <= index_q + 6'd1;
      crc_q <= link_pkg::crc(crc_q, data);
      case (index_q)
        6'd0: length_q <= data[5:0];
        6'd1: control_q <= data;
        6'd2: frame_session_o[7:0] <= data;
        6'd3: frame_session_o[15:8] <= data;
        default: ;
      endcase

      if (index_q == 6'd0) begin
        frame_stored_o <= room_i;
        if (room_i) message_payload_o <= '0;
      end
      if (in_message & frame_stored_o) begin
        if (index_q == Header) begin
          message_type_o <= data;
          message_length_o <= length_q - 6'd1;
        end
        for (int i = 0; i < 32; i++) begin
          if (index_q == Header + 6'd1 + i[5:0]) message_payload_o[8*i +: 8] <= data;
        end
      end
    end

    if (rst_i) begin
      index_q <= 6'd0;
      escaped_q <= 1'b0;
      bad_q <= 1'b0;
      crc_q <= link_pkg::CrcStart;
      frame_o <= 1'b0;
      damaged_o <= 1'b0;
    end
  end

  assign frame_kind_o = control_q[5:3];
  assign frame_seq_o = control_q[2:0];

endmodule

`default_nettype wire
