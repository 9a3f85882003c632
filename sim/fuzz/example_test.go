package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/fuzz"
)

// press is a stimulus in the terms of the design: what is dialled, and for how long.
type press struct {
	data   uint8
	cycles int
}

// presses decodes two bytes a press, and so any bytes. A byte that changes does not move what comes
// after it.
func presses(data []byte) []press {
	var p []press
	for ; len(data) >= 2 && len(p) < 20; data = data[2:] {
		p = append(p, press{data: data[0], cycles: 1 + int(data[1]%4)})
	}
	return p
}

// A package's tests would have this as FuzzPresses, for go test -fuzz FuzzPresses.
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

// A decoder of one's own: each of its bytes is something that the design can be asked to do.
func ExampleRunWith() {
	fmt.Println(presses([]byte{0x51, 0, 0xc0, 7}))
	// Output:
	// [{81 1} {192 4}]
}
