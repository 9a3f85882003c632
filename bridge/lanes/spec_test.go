package lanes_test

// What a lane is, held against both simulators.

import (
	"os"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/bridge/lanes/agree"
)

func design(top, file string) bridge.Design {
	return bridge.Design{Top: top, FS: os.DirFS("."), Dir: "bridge/lanes", Files: []string{"testdata/" + file}, Clock: "clk_i", Reset: "rst_i"}
}

// codes are the kinds of code that this processor can run.
func codes() (all []lanes.Code) {
	for _, c := range []lanes.Code{lanes.AVX512, lanes.AVX2, lanes.Portable} {
		if c.Runs() {
			all = append(all, c)
		}
	}
	return all
}

// signed is a layout in which two ports are signed and larger than they need be, and no port is
// aligned.
func signed(ports []bridge.Port) (*bridge.Layout, error) {
	l := bridge.NewLayout(ports)
	odd := func(ports []bridge.Port) (size int) {
		at := 1
		for i := range ports {
			p := &ports[i]
			if p.Name == "s_i" || p.Name == "s_o" || p.Name == "mixed_o" {
				p.Size, p.Signed = 4, true
			}
			p.Offset = at
			at += p.Size + i%3
		}
		return at
	}
	l.InSize, l.OutSize = odd(l.Inputs), odd(l.Outputs)
	return l, nil
}

// Every output of every lane is that of the simulators, cycle by cycle, whatever the code.
func TestAgrees(t *testing.T) {
	low := design("resets", "resets.sv")
	low.Reset, low.ResetActiveLow = "rst_ni", true
	clocks := design("clocks", "clocks.sv")
	clocks.Clock, clocks.Clocks = "", []bridge.Clock{{Port: "a_clk_i", Period: 10 * time.Nanosecond}, {Port: "b_clk_i", Period: 14 * time.Nanosecond, Phase: 2 * time.Nanosecond}}
	for i, code := range codes() {
		for name, c := range map[string]struct {
			design bridge.Design
			agree.Options
		}{
			"logic":    {design: design("logic_zoo", "logic.sv")},
			"shape":    {design: design("logic_zoo", "logic.sv"), Options: agree.Options{Build: lanes.BuildOptions{Shape: signed}}},
			"memories": {design: design("memories", "memories.sv")},
			"guards":   {design: design("guards", "guards.sv")},
			"resets":   {design: low},
			"clocks":   {design: clocks, Options: agree.Options{Reset: 40, Valid: map[string]string{}}},
		} {
			t.Run(code.String()+"/"+name, func(t *testing.T) {
				if testing.Short() && i > 0 && name != "logic" && name != "memories" {
					t.Skip("takes long: go test without -short runs it, as make nightly does")
				}
				c.Options.Build.Code = code
				c.Options.Cycles, c.Options.Verilator, c.Options.Icarus, c.Options.Seed = 150, lanes.Count, 8, 1
				c.Options.Reset = max(c.Options.Reset, 6)
				r, err := agree.Check(t.Context(), c.design, c.Options)
				if err != nil {
					t.Fatal(err)
				}
				if want := 150 * lanes.Count; r.Cycles != want || r.Values < want*2 {
					t.Errorf("compared %d values in %d cycles of lanes, not in %d", r.Values, r.Cycles, want)
				}
			})
		}
	}
}
