package coverdb_test

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

func Example() {
	// The counts of two models of one design.
	one := "# SystemC::Coverage-3\nC '\x01f\x02fifo.sv\x01l\x0211\x01n\x023\x01page\x02v_line/fifo\x01o\x02block\x01S\x0211,17\x01h\x02.fifo' 20\n"
	var sum coverdb.Data
	for range 2 {
		d, err := coverdb.ParseVerilator("coverage.dat", func(name string) string { return "rtl/fifo/" + name }, []byte(one))
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := sum.Merge(d); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%s", sum.Text())
	// Output:
	// cosimate coverage 1
	// file "rtl/fifo/fifo.sv"
	// code line 11:3 40 "block" "fifo" 11,17
	// end 3
}
