package icarus_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
)

// The end of a simulation is reported with its task and place. vvp's own $finish and $stop do not
// report them in Icarus 11: those of the VPI module have to be registered in their place.
func TestPlaceOfFinish(t *testing.T) {
	for _, task := range []string{"$finish", "$stop"} {
		m, err := icarus.Build(t.Context(), bridge.Design{
			Top: "m", Dir: "hw", Files: []string{"m.sv"}, Clock: "clk_i",
			FS: fstest.MapFS{"m.sv": {Data: []byte("module m(input wire clk_i, output wire q_o);\n  assign q_o = clk_i;\n  always @(posedge clk_i)\n    " + task + ";\nendmodule\n")}},
		}, bridge.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		i, err := m.Start(bridge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer i.Close()
		rows := bridge.Rows{In: make([]byte, m.Layout().InSize), Out: make([]byte, m.Layout().OutSize)}
		_, err = i.Run(t.Context(), &rows, 1)
		if stop, ok := errors.AsType[*bridge.StopError](err); !ok || stop.Task != task || stop.Where != "hw/m.sv:4" {
			t.Errorf("the error is %v, not one of %s at hw/m.sv:4", err, task)
		}
	}
}
