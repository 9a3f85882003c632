package lockstep_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/lockstep"
)

// Of many warnings of a compiler the first are logged, once, and how many there are more.
func TestCompilerWarnings(t *testing.T) {
	var text strings.Builder
	text.WriteString("module t (input clk, input [1:0] a, output [7:0] q);\n")
	for i := range 5 {
		fmt.Fprintf(&text, "  wire w%d = a;\n", i)
	}
	text.WriteString("  assign q = {3'd0, w4, w3, w2, w1, w0};\nendmodule\n")
	d := sim.Design{Top: "t", FS: fstest.MapFS{"t.v": {Data: []byte(text.String())}}, Files: []string{"t.v"}, Clock: "clk"}
	var said bytes.Buffer
	m, err := lockstep.Build(t.Context(), d, []sim.Simulator{sim.Verilator}, lockstep.Options{Logger: hclog.New(&hclog.LoggerOptions{Output: &said, DisableTime: true})})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b, err := m.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if _, err := b.Play(make([]byte, b.Layout().InSize), 1); err != nil {
			t.Fatal(err)
		}
	}
	if log := said.String(); strings.Count(log, "\n") != 4 || strings.Count(log, "): at=t.v:") != 3 || !strings.Contains(log, "(WIDTH") || !strings.Contains(log, "and 2 warnings more") {
		t.Error(log)
	}
}
