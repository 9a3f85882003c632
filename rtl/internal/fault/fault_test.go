package fault

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

// Each fault is in one part of all, and no part has many more than others. What is no part is said.
func TestPart(t *testing.T) {
	var of [8]int
	for i := range 800 {
		parts := 0
		for k := range 8 {
			in, err := inPart(fmt.Sprintf("%d/8", k+1), fmt.Sprintf("fault %d", i))
			if err != nil {
				t.Fatal(err)
			}
			if in {
				parts++
				of[k]++
			}
		}
		if parts != 1 {
			t.Errorf("fault %d is in %d parts", i, parts)
		}
	}
	for k, n := range of {
		if n < 50 || n > 200 {
			t.Errorf("part %d of 8 has %d of 800", k+1, n)
		}
	}
	for _, bad := range []string{"3", "0/8", "9/8", "x/8", "-1/8", "1/0"} {
		if _, err := inPart(bad, ""); err == nil || !strings.Contains(err.Error(), "3/8, the third of eight parts") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A fault of another part skips its test. In the parts together, each is planted once.
func TestPlantPart(t *testing.T) {
	d := sim.Design{Top: "m", FS: fstest.MapFS{"m.sv": {Data: []byte("module m; endmodule\n")}}, Files: []string{"m.sv"}}
	planted := 0
	for k := range 4 {
		part := fmt.Sprintf("%d/4", k+1)
		t.Run(part, func(t *testing.T) {
			t.Setenv("PART", part)
			Plant(t, d, "m.sv", "endmodule", "")
			planted++
		})
	}
	if planted != 1 {
		t.Errorf("planted %d times", planted)
	}
}
