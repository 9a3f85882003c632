package regress

import (
	"strings"
	"testing"
)

// What is said of a missing tool names the line, and says what to do for lines of its kind.
func TestNeeds(t *testing.T) {
	const text = "fifo_test.go:9: verilator is not installed: run: sudo apt-get install -y verilator\n"
	once, vectors, command := Job{Line: 1, Package: ".", Units: 1, Seeded: true}, Job{Line: 2, Units: 1, Words: []string{"cosimate", "vectors", "run", "x"}}, Job{Line: 3, Units: 1, Words: []string{"make"}}
	worker := Job{Line: 4, Package: ".", Units: 9, Seeded: true, Compile: true}
	for _, c := range []struct {
		job        *Job
		text, want string
	}{
		{&once, text, "line 1 of the plan: verilator is not installed where it ran; install it on all nodes: a model was not compiled before"},
		{&vectors, text, "line 2 of the plan: verilator is not installed where it ran; install it on all nodes: a model was not compiled before"},
		{&command, text, "line 3 of the plan: verilator is not installed where it ran; a command uses what is installed where it runs"},
		{&worker, text, "line 4 of the plan: verilator is not installed where it ran; this line compiles where it runs"},
		{&once, "vvp is not installed: install the package iverilog", "line 1 of the plan: vvp is not installed where it ran; it runs the models of Icarus"},
		{&once, "the queue is not installed", ""},
	} {
		if got := c.job.lacks(c.text); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("line %d: %q, not %q", c.job.Line, got, c.want)
		}
	}
}
