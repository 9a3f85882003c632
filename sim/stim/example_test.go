package stim_test

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/stim"
)

// Requests to a memory come in bursts with pauses. Addresses are aligned to words, and a third of
// the requests are writes.
func Example() {
	type in struct {
		Valid bool   `rand:"p=1"`
		Write bool   `rand:"p=0.33"`
		Addr  uint16 `rand:"bits=12"`
		Strb  uint8  `rand:"0b1111:6, 0b0011:1, 0b1100:1"`
	}
	g, err := stim.New[in](1)
	if err != nil {
		fmt.Println(err)
		return
	}
	g.With(func(i *in) bool { return i.Addr%4 == 0 })
	g.Bursts(stim.Range{Min: 2, Max: 4}, stim.Range{Min: 1, Max: 3}, func(i *in) { *i = in{} })
	for range 8 {
		i, err := g.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-5t %-5t %03x %04b\n", i.Valid, i.Write, i.Addr, i.Strb)
	}
	// Output:
	// true  true  bc8 1111
	// true  false 010 1111
	// true  false 000 1111
	// true  true  440 1111
	// false false 000 0000
	// false false 000 0000
	// true  false a50 1111
	// true  false 02c 1111
}

// The error for a faulty tag has the field and the column.
func ExampleNew() {
	type in struct {
		Op uint8 `rand:"0..5, 7:x"`
	}
	_, err := stim.New[in](1)
	fmt.Println(err)
	// Output:
	// stim_test.in.Op: tag rand:"0..5, 7:x", column 9: "x" is not a weight: a whole number from 0 on
}
