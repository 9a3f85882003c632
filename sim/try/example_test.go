package try_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/try"
)

// A counter that nobody gives a first value.
func Example() {
	ctx := context.Background()
	found, err := convention.Complete(ctx, convention.Given{Folder: "testdata", Files: []string{"noreset.sv"}}, sim.Icarus)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	report, err := try.Run(ctx, found.Design, try.Options{Cycles: 1000})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for line := range strings.Lines(report.Text()) {
		if strings.HasPrefix(line, "wrong") || strings.Contains(line, "count_q") {
			fmt.Print(line)
		}
	}
	fmt.Println(report.OK())
	// Output:
	// wrong  outputs of which no bit ever had a value (X or Z in Icarus): count_o
	//        count_o: in 1000 of 1000 cycles, from 3 to 1002; from count_q (4'hx, testdata/noreset.sv:8)
	// false
}
