package sim_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
)

// The report as an engineer sees it.
func TestReport(t *testing.T) {
	dut := sim.OpenTest[counterIn, counterOut](t, withFault(t, "count_q + 1'b1", "(count_q == 8'd13 ? 8'hxf : count_q + 1'b1)"), sim.Icarus)
	stimulus := func(yield func(counterIn) bool) {
		for i := range 100 {
			if !yield(counterIn{Enable: i%4 != 0}) {
				return
			}
		}
	}
	err := sim.Compare(dut, &counterModel{}, stimulus)
	if err == nil {
		t.Fatal("the fault was not found")
	}
	want, rerr := os.ReadFile("testdata/report.txt")
	if rerr != nil {
		t.Fatal(rerr)
	}
	golden := strings.Replace(string(want), "seed 1\n", fmt.Sprintf("seed %d\n", sim.Seed()), 1)
	if diff := cmp.Diff(strings.Split(golden, "\n"), strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("the report differs:\n%s\nit is\n%s", diff, err)
	}
}
