package icarus_test

import (
	"os"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
)

// The parts of the time add up to the time of a run. Nothing is counted unless it is asked for.
func TestSpent(t *testing.T) {
	m, err := icarus.Build(t.Context(), bridge.Design{Top: "pipe", FS: os.DirFS("../../sim/testdata"), Files: []string{"pipe.sv"}, Clock: "clk_i"}, bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l := m.Layout()
	const n = 4000
	rows := bridge.Rows{In: make([]byte, n*l.InSize), Out: make([]byte, n*l.OutSize)}
	for _, timed := range []bool{true, false} {
		i, err := m.Start(bridge.Options{Timed: timed})
		if err != nil {
			t.Fatal(err)
		}
		defer i.Close()
		if _, err := i.Run(t.Context(), &rows, 1); err != nil { // after which vvp has started
			t.Fatal(err)
		}
		// The time between the parts is short, unless the machine is busy with other things.
		for try := 1; ; try++ {
			before, began := i.Spent(), time.Now()
			if _, err := i.Run(t.Context(), &rows, n); err != nil {
				t.Fatal(err)
			}
			took, after := time.Since(began), i.Spent()
			simulator, all := after.Simulator-before.Simulator, after.Simulator+after.Bridge-before.Simulator-before.Bridge
			if !timed {
				if after != (bridge.Spent{}) {
					t.Errorf("%+v was counted", after)
				}
				break
			}
			if all > took || after.Waiting > took+before.Waiting {
				t.Errorf("of %v, %+v was counted after %+v", took, after, before)
			}
			// The race detector adds time that belongs to neither part.
			if simulator >= all/4 && all >= took/2 {
				break
			}
			if try == 100 {
				t.Fatalf("of %v, only %+v was counted after %+v, and no more in %d runs before", took, after, before, try-1)
			}
		}
	}
}
