package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/fuzz"
)

// press is a step of a stimulus: the byte that is entered, and for how many cycles.
type press struct {
	data   uint8
	cycles int
}

// presses decodes any bytes, two for a press. A change of a byte does not move the presses after
// it.
func presses(data []byte) []press {
	var p []press
	for ; len(data) >= 2 && len(p) < 20; data = data[2:] {
		p = append(p, press{data: data[0], cycles: 1 + int(data[1]%4)})
	}
	return p
}

// In the tests of a package this would be FuzzPresses, for go test -fuzz FuzzPresses.
func fuzzPresses(f *testing.F) {
	f.Add([]byte{0x51, 0, 0xc0, 3, 0}) // a seed: two presses, and fuzz.Spare
	fuzz.RunWith(f, lock, presses, func(t *testing.T, dut *sim.DUT[lockIn, lockOut], stimulus []press) {
		for _, p := range stimulus {
			for range p.cycles {
				out, err := dut.Step(lockIn{Data: p.data})
				if err != nil {
					dut.Fail(t, err)
				}
				if out.Open {
					t.Fatal("the lock is open")
				}
			}
		}
	})
}

// With a decoder of your own, the fuzzer's bytes are steps that make sense to the design.
func ExampleRunWith() {
	fmt.Println(presses([]byte{0x51, 0, 0xc0, 7}))
	// Output:
	// [{81 1} {192 4}]
}
