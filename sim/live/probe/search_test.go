package probe_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/live/probe"
)

func TestSearch(t *testing.T) {
	signals := []string{"clock_state", "u_fifo.state_q", "u_fifo.u_mem.state", "u_rx.state", "state", "u_fifo.mem"}
	for _, c := range []struct{ query, watched, want string }{
		{"state", "", "state u_rx.state u_fifo.u_mem.state clock_state u_fifo.state_q"},
		{"STATE fifo", "", "u_fifo.state_q u_fifo.u_mem.state"},
		{"u_rx.state", "", "u_rx.state"},
		{"state", "state u_rx.state", "u_fifo.u_mem.state clock_state u_fifo.state_q"},
		{"nothing", "", ""},
	} {
		if got := probe.Search(signals, strings.Fields(c.watched), c.query); strings.Join(got.Signals, " ") != c.want || got.More != 0 {
			t.Errorf("%s: %v, and should be %s", c.query, got, c.want)
		}
	}
	var many []string
	for i := range 70 {
		many = append(many, fmt.Sprintf("u_%d.mem", i))
	}
	if got := probe.Search(many, nil, "u_69.mem"); len(got.Signals) != 1 {
		t.Errorf("%v", got)
	}
	if got := probe.Search(many, nil, "mem"); len(got.Signals) != 50 || got.More != 20 {
		t.Errorf("%d and %d more", len(got.Signals), got.More)
	}
	if whole := probe.Whole([]string{"mem", "g[0].x"}, "mem[3]"); whole != "mem" {
		t.Errorf("mem[3] is of %s", whole)
	}
	if whole := probe.Whole([]string{"mem", "g[0]"}, "g[0]"); whole != "g[0]" {
		t.Errorf("g[0] is of %s", whole)
	}
}
