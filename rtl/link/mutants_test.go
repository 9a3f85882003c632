package link_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults that a designer might make, for each rule.
var mutants = fault.Mutants{
	// Receiving.
	{"a flag ends a frame", "link_rx.sv", "frame_o <= flag & sound;", "frame_o <= sound;", "> "},
	{"a frame's CRC is good", "link_rx.sv", "(crc_q == link_pkg::CrcGood)", "1'b1", "> "},
	{"the CRC begins anew with each frame", "link_rx.sv", "      bad_q <= 1'b0;\n      crc_q <= link_pkg::CrcStart;\n    end else if", "      bad_q <= 1'b0;\n    end else if", "> damaged_o"},
	{"the CRC is that of the protocol", "link_pkg.sv", "32'hedb88320", "32'h82f63b78", "> "},
	{"all of a byte is in the CRC", "link_pkg.sv", "i < 8", "i < 7", "> "},
	{"a frame is as long as it says", "link_rx.sv", "(index_q == Header + length_q + Trailer) &", "", "it is not as long as it says"},
	{"no message is longer than the longest", "link_rx.sv", "| ((index_q == 6'd0) & (data > {2'd0, MaxMessage}))", "", "> "},
	{"no frame is longer than the longest", "link_rx.sv", "(index_q == MaxBody) | ", "", "> "},
	{"the marker tells control from a length", "link_rx.sv", "control_q[7] & ", "", "it is of no known kind"},
	{"an echo is no frame", "link_rx.sv", "~control_q[6] & ", "", "it comes from this end"},
	{"there are five kinds", "link_rx.sv", "(control_q[5:3] <= link_pkg::KindPing) &", "", "it is of no known kind"},
	{"data has a message, and nothing else has", "link_rx.sv", "((control_q[5:3] == link_pkg::KindData) == (length_q != 6'd0))", "1'b1", "it is of no known kind"},
	{"an escape escapes", "link_rx.sv", "data = escaped_q ? data_i ^ link_pkg::Toggle : data_i", "data = data_i", "> "},
	{"it is no byte itself", "link_rx.sv", "(escaped_q | (data_i != link_pkg::Escape))", "1'b1", "> damaged_o"},
	{"for one byte", "link_rx.sv", "escaped_q <= ~escaped_q & (data_i == link_pkg::Escape)", "escaped_q <= escaped_q | (data_i == link_pkg::Escape)", "> damaged_o"},
	{"nothing but a flag and an escape is escaped", "link_rx.sv", "if (escaped_q & (data != link_pkg::Flag) & (data != link_pkg::Escape)) bad_q <= 1'b1;", "", "never escaped"},
	{"a flag ends an escape too", "link_rx.sv", "      escaped_q <= 1'b0;\n      bad_q <= 1'b0;\n      crc_q <= link_pkg::CrcStart;\n    end else if", "      bad_q <= 1'b0;\n      crc_q <= link_pkg::CrcStart;\n    end else if", "> "},
	{"what ends in an escape is no frame", "link_rx.sv", "sound = ~bad_q & ~escaped_q &", "sound = ~bad_q &", "> damaged_o"},
	{"after a bad byte all up to the flag is bad", "link_rx.sv", "sound = ~bad_q & ~escaped_q &", "sound = ~escaped_q &", "> "},
	{"flags may follow each other", "link_rx.sv", "flag & ~sound & (bad_q | escaped_q | (index_q != 6'd0))", "flag & ~sound", "> damaged_o"},
	{"damage is told", "link_rx.sv", "damaged_o <= flag & ~sound & (bad_q | escaped_q | (index_q != 6'd0));", "damaged_o <= 1'b0;", "> damaged_o"},
	{"the session has two bytes", "link_rx.sv", "6'd3: frame_session_o[15:8] <= data;", "", "> "},
	{"a message begins behind the header", "link_rx.sv", "if (index_q == Header) begin", "if (index_q == Header + 6'd1) begin", "> recv_"},
	{"its last byte is its last", "link_rx.sv", "index_q < Header + length_q);", "index_q < Header + length_q - 6'd1);", "> recv_"},
	{"the CRC is no part of it", "link_rx.sv", "index_q < Header + length_q);", "index_q < Header + length_q + Trailer);", "> recv_"},
	{"payload bytes go where they belong", "link_rx.sv", "index_q == Header + 6'd1 + i[5:0]", "index_q == Header + 6'd2 + i[5:0]", "> recv_payload_o"},
	{"the payload is 0 beyond its length", "link_rx.sv", "if (room_i) message_payload_o <= '0;", "", "> recv_payload_o"},
	{"a frame finds room or not as it begins", "link_rx.sv", "frame_stored_o <= room_i;", "frame_stored_o <= 1'b1;", "> recv_"},

	// Sessions.
	{"an opening begins a session", "link.sv", "open_o <= 1'b1;", "", "a new session begins"},
	{"an opening that is repeated changes nothing", "link.sv", "& ~(current & fresh_q)", "", "> opened_o"},
	{"one that comes later does", "link.sv", "& ~(current & fresh_q)", "& ~current", "a new session begins"},
	{"a frame ends the beginning", "link.sv", "fresh_q <= 1'b0;", "", "> "},
	{"a session begins with number 0 due", "link.sv", "due_q <= 3'd0;", "", "> "},
	{"and with number 0 to be sent", "link.sv", "if (opens) number_q <= 3'd0;", "", "> "},
	{"what was under way is forgotten", "link.sv", "if (opens | closes) full_q <= 1'b0;", "if (closes) full_q <= 1'b0;", "> send_ready_o"},
	{"also when a session ends", "link.sv", "if (opens | closes) full_q <= 1'b0;", "if (opens) full_q <= 1'b0;", "> "},
	{"the host ends a session", "link.sv", "closes = current & (kind == link_pkg::KindNone)", "closes = 1'b0", "the session ends"},
	{"frames of other sessions do nothing", "link.sv", "current = frame & open_o & (session == session_q)", "current = frame & open_o", "there is no such session"},
	{"nor do those without a session", "link.sv", "current = frame & open_o & (session == session_q)", "current = frame & (session == session_q)", "> "},
	{"they are answered", "link.sv", "          if (!current) begin\n            answer = 1'b1;", "          if (!current) begin\n            answer = 1'b0;", "there is no such session"},
	{"with their session", "link.sv", "answer_session_q <= session;", "answer_session_q <= session_q;", "> tx_data_o"},
	{"an end of a session is not answered", "link.sv", "link_pkg::KindNone: ;", "", "> tx_valid_o"},
	{"a message needs a session", "link.sv", "send_ready_o = open_o & ~full_q", "send_ready_o = ~full_q", "no session"},
	{"a session is told once", "link.sv", "opened_o <= opens;", "opened_o <= opens | opened_o;", "> opened_o"},

	// Messages from the host.
	{"only the number that is due is delivered", "link.sv", "(kind == link_pkg::KindData) & (seq == due_q) & stored", "(kind == link_pkg::KindData) & stored", "> recv_"},
	{"each once", "link.sv", "if (deliver) due_q <= due_q + 3'd1;", "", "> "},
	{"not without room", "link.sv", "(seq == due_q) & stored;", "(seq == due_q);", "there is no room for its message"},
	{"a message stays until it is taken", "link.sv", "else if (recv_ready_i) recv_valid_o <= 1'b0;", "else recv_valid_o <= 1'b0;", "> recv_valid_o"},
	{"then there is room", "link.sv", "(~recv_valid_o | recv_ready_i) & ~deliver", "~recv_valid_o & ~deliver", "its message is delivered"},
	{"a message just delivered is not overwritten", "link.sv", "(~recv_valid_o | recv_ready_i) & ~deliver", "~recv_valid_o | recv_ready_i", "> recv_"},
	{"it is acknowledged", "link.sv", "answer_seq = due_q;", "answer_seq = last;", "> tx_data_o"},
	{"one that came before is acknowledged again", "link.sv", "| ((kind == link_pkg::KindData) & (seq == last))", "", "acknowledged again"},
	{"one that is not due is not", "link.sv", "((kind == link_pkg::KindData) & (seq == last))", "(kind == link_pkg::KindData)", "> tx_"},
	{"a question is answered", "link.sv", "(kind == link_pkg::KindPing) | ((kind", "((kind", "acknowledged again"},

	// Messages to the host.
	{"only its number acknowledges a message", "link.sv", "(kind == link_pkg::KindAck) & (seq == number_q) & full_q", "(kind == link_pkg::KindAck) & full_q", "> send_ready_o"},
	{"there must be one", "link.sv", "(kind == link_pkg::KindAck) & (seq == number_q) & full_q", "(kind == link_pkg::KindAck) & (seq == number_q)", "> tx_data_o"},
	{"the next has the next number", "link.sv", "number_q <= number_q + 3'd1;", "", "> tx_data_o"},
	{"it is sent at once", "link.sv", "      retry_q <= '0;\n", "", "> tx_valid_o"},
	{"it is sent again", "link.sv", "retry_q <= retry_q - RetryWidth'(1);", "retry_q <= retry_q;", "> tx_valid_o"},
	{"after RetryCycles", "link.sv", "retry_q <= RetryWidth'(RetryCycles);", "retry_q <= RetryWidth'(RetryCycles - 1);", "> tx_valid_o"},
	{"not before", "link.sv", "& full_q & (retry_q == '0)", "& full_q", "> tx_valid_o"},
	{"a message stays what it is while it is sent", "link.sv", "& ~sending_message_q;", ";", "> send_ready_o"},
	{"no payload is longer than 32", "link.sv", "(send_length_i > 6'd32) ? 6'd32 : send_length_i", "send_length_i", "> tx_"},
	{"an answer goes first", "link.sv", "start_message = ~busy & ~answer_q & full_q", "start_message = ~busy & full_q", "> tx_data_o"},
	{"an answer is sent once", "link.sv", "if (start) answer_q <= 1'b0;", "", "> tx_valid_o"},
	{"an answer does not begin within another frame", "link.sv", "start = (~busy & answer_q)", "start = answer_q", "> tx_data_o"},

	// Sending.
	{"a flag comes first", "link_tx.sv", "state_q <= OpenFlag;\n", "state_q <= Header;\n      index_q <= 6'd0;\n", "> tx_data_o"},
	{"a flag comes last", "link_tx.sv", "if (index_q == 6'd3) state_q <= CloseFlag;", "if (index_q == 6'd3) state_q <= Idle;", "> tx_valid_o"},
	{"the board says that it is the board", "link_tx.sv", "2'b11, kind_q", "2'b10, kind_q", "> tx_data_o"},
	{"the type counts in the length", "link_tx.sv", "message_length_i + 6'd1 : 6'd0", "message_length_i : 6'd0", "> tx_data_o"},
	{"frames without a message have length 0", "link_tx.sv", "(kind_q == link_pkg::KindData) ? message_length_i + 6'd1 : 6'd0", "message_length_i + 6'd1", "> tx_data_o"},
	{"payload bytes come in order", "link_tx.sv", "message_payload_i[{index_q[4:0], 3'd0} +: 8]", "message_payload_i[{~index_q[4:0], 3'd0} +: 8]", "> tx_data_o"},
	{"flags and escapes within a frame are escaped", "link_tx.sv", "((data == link_pkg::Flag) | (data == link_pkg::Escape))", "(data == link_pkg::Flag)", "> tx_data_o"},
	{"they are changed then", "link_tx.sv", "escaped_q ? data ^ link_pkg::Toggle : link_pkg::Escape", "escaped_q ? data : link_pkg::Escape", "> tx_data_o"},
	{"an escape that is not taken stays", "link_tx.sv", "end else if (ready_i & special) begin", "end else if (special) begin", "> tx_data_o"},
	{"a byte that is not taken stays", "link_tx.sv", "next = ready_i & (~special | escaped_q)", "next = ~special | (escaped_q & ready_i)", "> tx_"},
	{"the CRC is inverted", "link_tx.sv", "crc_byte = ~crc_q", "crc_byte = crc_q", "> tx_data_o"},
	{"its low byte comes first", "link_tx.sv", "crc_q[{index_q[1:0], 3'd0} +: 8]", "crc_q[{~index_q[1:0], 3'd0} +: 8]", "> tx_data_o"},
	{"a byte that is escaped counts once", "link_tx.sv", "if (valid_o & next) begin", "if (valid_o & ready_i) begin", "> tx_data_o"},

	// Time, reset.
	{"the host is up when it is heard", "link.sv", "if (opens | current) silence_q", "if (opens) silence_q", "> up_o"},
	{"and absent when it is not", "link.sv", "silence_q <= silence_q - SilenceWidth'(1)", "silence_q <= silence_q", "> up_o"},
	{"reset ends the session", "link.sv", "      open_o <= 1'b0;\n      opened_o", "      opened_o", "none since the reset"},
	{"reset forgets a message that came", "link.sv", "      silence_q <= '0;\n      recv_valid_o <= 1'b0;", "      silence_q <= '0;", "> recv_valid_o"},
	{"reset ends what is being sent", "link_tx.sv", "if (rst_i) state_q <= Idle;", "", "> tx_valid_o"},
	{"reset ends what is being received", "link_rx.sv", "    if (rst_i) begin\n      index_q <= 6'd0;", "    if (rst_i) begin", "> "},
}

// Each mutant is found, and the report names the place.
func TestMutants(t *testing.T) {
	// The stimulus has a fixed seed, so that it always finds all mutants.
	p := link.Params{RetryCycles: 40, SilenceCycles: 150}
	in := anything(rand.New(rand.NewPCG(1, 7)), p, 60_000, 0.001)
	seen(t, p, in)
	fault.FindAll(t, p.Design(), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[link.In, link.Out](t, design, sim.Icarus)
		return sim.Compare(d, link.NewModel(p), slices.Values(in))
	})
}
