package sim_test

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stim"
)

// Lockstep: the model and both simulators do each cycle together, and a report has all three side by side.

func lookupLockstep(t testing.TB, d sim.Design) {
	g, err := stim.New[lookupIn](sim.Seed())
	if err != nil {
		t.Fatal(err)
	}
	sim.Lockstep(t, d, lookupModel{}, g.Cycles(t, 2000))
}

func TestLockstep(t *testing.T) { lookupLockstep(t, lookup) }

// A fault that both have, and one that only one of them shows, told apart at a glance.
func TestLockstepFaultsAreFound(t *testing.T) {
	for _, fault := range []struct{ name, old, new, row string }{
		{"half of the tag is compared", "tags[index_i] == tag_i", "tags[index_i][3:0] == tag_i[3:0]", "> hit_o       0       1          1  [0]"},
		{"looks at what is not valid", "valid_q[index_i] & (tags", "(tags", "> hit_o       0       x          0  icarus [0]"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			d := lookup
			d.FS = patched(t, "lookup.sv", fault.old, fault.new)
			if report := failure(t, func(t testing.TB) { lookupLockstep(t, d) }); !strings.Contains(report, fault.row) {
				t.Errorf("the report is to have the row\n%s\n%s", fault.row, report)
			}
		})
	}
}

// failure is the report with which a test ends, which must not pass. It is not run again for waveforms.
func failure(t *testing.T, test func(testing.TB)) string {
	t.Helper()
	for name, value := range map[string]string{"sim.wave": "off", "sim.keep": t.TempDir()} {
		f := flag.Lookup(name)
		before := f.Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, before) })
	}
	r := &caught{TB: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		test(r)
	}()
	<-ended
	if r.report == "" {
		t.Fatal("the fault was not found")
	}
	return r.report
}

// caught is a test that notes with what it ends, instead of caught.
type caught struct {
	testing.TB
	report string
}

func (c *caught) Fatal(args ...any) {
	c.report = fmt.Sprint(args...)
	runtime.Goexit()
}
