package link_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which rule is broken. That a test finds each single change,
// docs/mutants/link.md says.
var mutants = fault.Mutants{
	// Receiving.
	{"a frame is as long as it says", "link_rx.sv", "(index_q == Header + length_q + Trailer) &", "", "it is not as long as it says"},
	{"the marker tells control from a length", "link_rx.sv", "control_q[7] & ", "", "it is of no known kind"},
	{"an echo is no frame", "link_rx.sv", "~control_q[6] & ", "", "it comes from this end"},
	{"there are five kinds", "link_rx.sv", "(control_q[5:3] <= link_pkg::KindPing) &", "", "it is of no known kind"},
	{"data has a message, and nothing else has", "link_rx.sv", "((control_q[5:3] == link_pkg::KindData) == (length_q != 6'd0))", "1'b1", "it is of no known kind"},
	{"nothing but a flag and an escape is escaped", "link_rx.sv", "if (escaped_q & (data != link_pkg::Flag) & (data != link_pkg::Escape)) bad_q <= 1'b1;", "", "never escaped"},

	// Sessions.
	{"an opening begins a session", "link.sv", "open_o <= 1'b1;", "", "a new session begins"},
	{"one that comes later does", "link.sv", "& ~(current & fresh_q)", "& ~current", "a new session begins"},
	{"the host ends a session", "link.sv", "closes = current & (kind == link_pkg::KindNone)", "closes = 1'b0", "the session ends"},
	{"frames of other sessions do nothing", "link.sv", "current = frame & open_o & (session == session_q)", "current = frame & open_o", "there is no such session"},
	{"they are answered", "link.sv", "          if (!current) begin\n            answer = 1'b1;", "          if (!current) begin\n            answer = 1'b0;", "there is no such session"},
	{"a message needs a session", "link.sv", "send_ready_o = open_o & ~full_q", "send_ready_o = ~full_q", "no session"},

	// Messages from the host.
	{"not without room", "link.sv", "(seq == due_q) & stored;", "(seq == due_q);", "there is no room for its message"},
	{"then there is room", "link.sv", "(~recv_valid_o | recv_ready_i) & ~deliver", "~recv_valid_o & ~deliver", "its message is delivered"},
	{"one that came before is acknowledged again", "link.sv", "| ((kind == link_pkg::KindData) & (seq == last))", "", "acknowledged again"},
	{"a question is answered", "link.sv", "(kind == link_pkg::KindPing) | ((kind", "((kind", "acknowledged again"},

	// Time, reset.
	{"reset ends the session", "link.sv", "      open_o <= 1'b0;\n      opened_o", "      opened_o", "none since the reset"},
}

// Each mutant is found, and the report names the place.
func TestMutants(t *testing.T) {
	// The stimulus has a fixed seed, so that it always finds all mutants.
	p := link.Params{RetryCycles: 40, SilenceCycles: 150}
	in := anything(rand.New(rand.NewPCG(1, 3)), p, 60_000, 0.001)
	seen(t, p, in)
	fault.FindAll(t, p.Design(), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[link.In, link.Out](t, design, sim.Icarus)
		return sim.Compare(d, link.NewModel(p), slices.Values(in))
	})
}
