package perftengine_test

import (
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// What is said of RTL with a fault leads to the smallest tree that shows it.
func TestCheck(t *testing.T) {
	sound := perftengine.Design
	defer func() { perftengine.Design = sound }()
	for _, c := range []struct {
		rule, file, old, new string
		fen                  string
		depth                int
		messages             []string
	}{
		{
			"kings go where they are attacked", "movegen_safety.sv", "king_to_q <= ~attacked & ~own", "king_to_q <= ~own",
			"4k3/8/8/8/8/8/4P3/3RK3 w - - 0 1", 3,
			[]string{"at depth 3, the reference", "at depth 2, the reference", "after d1d2", "e8d8", "not legal"},
		},
		{
			"en passant", "perftengine.sv", "job_ep & {8{accept}}", "8'd0",
			"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 2,
			[]string{"at depth 2, the reference", "e5d6: not among its root moves"},
		},
		{
			"the end", "perftengine.sv", "done_o <= finish", "done_o <= 1'b0",
			kiwi, 2, []string{"depth 2 of " + kiwi + " is not done after "},
		},
		{
			"the count", "perftengine.sv", "(job_depth_i == 4'd1) & ~job_divide_i\n", "1'b0\n",
			kiwi, 1, []string{"counts 48 at depth 1, the reference 48", "by root move it counts right"},
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			perftengine.Design = fault.Plant(t, sound, c.file, c.old, c.new)
			e := open(t, sim.Icarus)
			p := parse(t, c.fen)
			_, why, err := e.Check(t.Context(), &p, c.depth, false, engine.Perft(&p, c.depth))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range c.messages {
				if !strings.Contains(why, m) {
					t.Errorf("the report does not say %q:\n%s", m, why)
				}
			}
		})
	}
}

// Without a bound from the reference, too, a job ends: RTL that does not go on is given up.
func TestNeverEnds(t *testing.T) {
	sound := perftengine.Design
	defer func() { perftengine.Design = sound }()
	perftengine.Design = fault.Plant(t, sound, "perftengine.sv", "done_o <= finish", "done_o <= 1'b0")
	e := open(t, sim.Verilator)
	p := engine.StartPosition()
	_, err := e.Run(t.Context(), &p, 2, false)
	if err == nil || !strings.Contains(err.Error(), "neither done_o nor div_valid_o has come in ") || !strings.HasSuffix(err.Error(), "in which count_o stayed 400") {
		t.Error(err)
	}
}
