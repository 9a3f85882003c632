package coverreport_test

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

func Example() {
	var d coverdb.Data
	d.AddCode(coverdb.CodePoint{File: "rtl/fifo.sv", Line: 6, Column: 5, Kind: "branch", Comment: "if", Lines: "6-7"}, 4)
	d.AddCode(coverdb.CodePoint{File: "rtl/fifo.sv", Line: 6, Column: 6, Kind: "branch", Comment: "else"}, 0)
	r, err := coverreport.New(&d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(coverreport.Percent(r.Code[coverreport.Branch].Fraction()), r.Missing(coverreport.Branch))
	fmt.Printf("%s", r.LCOV())
	// Output:
	// 50.0% [rtl/fifo.sv:6:6: else not taken]
	// TN:
	// SF:rtl/fifo.sv
	// BRDA:6,0,0,4
	// BRDA:6,0,1,0
	// BRF:2
	// BRH:1
	// DA:6,4
	// DA:7,4
	// LF:2
	// LH:2
	// end_of_record
}
