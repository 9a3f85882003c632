package link_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which rule of the protocol went wrong, and some that no
// single change is. That a test finds each of these, docs/mutants/link.md says.
var mutants = fault.Mutants{
	{"the CRC is that of the protocol", "link_pkg.sv", "32'hedb88320", "32'h82f63b78", "> "},
	{"a frame is as long as it says", "link_rx.sv", "(index_q == Header + length_q + Trailer) &", "", "it is not as long as it says"},
	{"the marker tells control from a length", "link_rx.sv", "control_q[7] & ", "", "it is of no known kind"},
	{"an echo is no frame", "link_rx.sv", "~control_q[6] & ", "", "it comes from this end"},
	{"nothing but a flag and an escape is escaped", "link_rx.sv", "if (escaped_q & (data != link_pkg::Flag) & (data != link_pkg::Escape)) bad_q <= 1'b1;", "", "never escaped"},
	{"its last byte is its last", "link_rx.sv", "index_q < Header + length_q);", "index_q < Header + length_q - 6'd1);", "> recv_"},
	{"an opening begins a session", "link.sv", "open_o <= 1'b1;", "", "a new session begins"},
	{"the host ends a session", "link.sv", "closes = current & (kind == link_pkg::KindNone)", "closes = 1'b0", "the session ends"},
	{"frames of other sessions do nothing", "link.sv", "current = frame & open_o & (session == session_q)", "current = frame & open_o", "there is no such session"},
	{"with their session", "link.sv", "answer_session_q <= session;", "answer_session_q <= session_q;", "> tx_data_o"},
	{"a message needs a session", "link.sv", "send_ready_o = open_o & ~full_q", "send_ready_o = ~full_q", "no session"},
	{"not without room", "link.sv", "(seq == due_q) & stored;", "(seq == due_q);", "there is no room for its message"},
	{"then there is room", "link.sv", "(~recv_valid_o | recv_ready_i) & ~deliver", "~recv_valid_o & ~deliver", "its message is delivered"},
	{"it is acknowledged", "link.sv", "answer_seq = due_q;", "answer_seq = last;", "> tx_data_o"},
	{"one that came before is acknowledged again", "link.sv", "| ((kind == link_pkg::KindData) & (seq == last))", "", "acknowledged again"},
	{"a flag comes first", "link_tx.sv", "state_q <= OpenFlag;\n", "state_q <= Header;\n      index_q <= 6'd0;\n", "> tx_data_o"},
	{"a byte that is not taken stays", "link_tx.sv", "next = ready_i & (~special | escaped_q)", "next = ~special | (escaped_q & ready_i)", "> tx_"},
	{"a byte that is escaped counts once", "link_tx.sv", "if (valid_o & next) begin", "if (valid_o & ready_i) begin", "> tx_data_o"},
	{"reset ends the session", "link.sv", "      open_o <= 1'b0;\n      opened_o", "      opened_o", "none since the reset"},
}

// Each mutant is found, and the report names the place.
func TestMutants(t *testing.T) {
	// The stimulus has a fixed seed, so that it always finds all mutants.
	p := link.Params{RetryCycles: 40, SilenceCycles: 150}
	in := anything(rand.New(rand.NewPCG(1, 6)), p, 60_000, 0.001)
	seen(t, p, in)
	fault.FindAll(t, p.Design(), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[link.In, link.Out](t, design, sim.Icarus)
		return sim.Compare(d, link.NewModel(p), slices.Values(in))
	})
}
