// The bytes and numbers of frames, for both directions of the link.

`default_nettype none

package link_pkg;

  localparam logic [7:0] Flag = 8'h7e;      // is before and after each frame, and nowhere else
  localparam logic [7:0] Escape = 8'h7d;    // the next byte is a flag or an escape, with Toggle
  localparam logic [7:0] Toggle = 8'h20;

  localparam logic [2:0] KindData = 3'd0;   // a message, with its number
  localparam logic [2:0] KindAck = 3'd1;    // the message of this number has arrived
  // from the host: begin this session; to the host: it has begun
  localparam logic [2:0] KindOpen = 3'd2;
  localparam logic [2:0] KindNone = 3'd3;   // there is no such session
  localparam logic [2:0] KindPing = 3'd4;   // from the host: are you there?

  localparam logic [31:0] CrcStart = 32'hffffffff;
  localparam logic [31:0] CrcGood = 32'hdebb20e3;  // the result for a frame with its CRC

  // The CRC-32 of IEEE 802.3 after one more byte, least significant bit first.
  function automatic logic [31:0] crc(input logic [31:0] from, input logic [7:0] data);
    crc = from ^ {24'd0, data};
    for (int i = 0; i < 8; i++) begin
      crc = {1'b0, crc[31:1]} ^ (crc[0] ? 32'hedb88320 : 32'h00000000);
    end
  endfunction

endpackage

`default_nettype wire
