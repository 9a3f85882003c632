package sim_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

func TestZZ(t *testing.T) {
	d := counter
	data, _ := os.ReadFile("testdata/counter.sv")
	d.FS = fstest.MapFS{"counter.sv": {Data: []byte(strings.Replace(string(data), "count_q + 1'b1", "count_q + 1'b1 + 8'(count_q == 8'd77)", 1))}}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		sim.Check(t, dut, &counterModel{}, counterStimulus(10_000))
	})
}

func TestZL(t *testing.T) {
	d := counter
	data, _ := os.ReadFile("testdata/counter.sv")
	d.FS = fstest.MapFS{"counter.sv": {Data: []byte(strings.Replace(string(data), "count_q + 1'b1", "count_q + 1'b1 + 8'(count_q == 8'd77)", 1))}}
	sim.Lockstep(t, d, &counterModel{}, counterStimulus(10_000))
}
