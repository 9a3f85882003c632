package vectors_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// counter returns a block of sim/testdata/counter.sv.
func counter() vectors.Block[counterIn, counterOut] {
	return vectors.Block[counterIn, counterOut]{
		Design: sim.Design{Top: "counter", FS: os.DirFS("../sim/testdata"), Files: []string{"counter.sv"}, Clock: "clk_i", Reset: "rst_i"},
		Model:  func(vectors.Params) sim.Model[counterIn, counterOut] { return &counterModel{} },
	}
}

// A block that contradicts itself is found when the registry is made.
func TestContradictions(t *testing.T) {
	type In struct {
		Rst    bool
		Enable bool `port:"enable_i"`
	}
	type Wide struct {
		Rst    bool  `port:"rst_i"`
		Enable uint8 `port:"enable_i" bits:"9"`
	}
	twice := counter()
	named := counter()
	named.Names = []vectors.PortNames{vectors.Names{List: []string{"off", "on"}}.At("enabled_i")}
	argument := counter()
	argument.Statements = func(*vectors.Session[counterIn, counterOut]) []vectors.Statement {
		return []vectors.Statement{{Use: "count N"}}
	}
	for want, list := range map[string][]vectors.AnyBlock{
		"there are two blocks counter":                                          {twice, twice},
		"block counter names values of enabled_i, which is not one of":          {named},
		`has a statement "count N", but N is not one of its kinds`:              {argument},
		"field Rst of vectors_test.In has no tag `port:\"name\"`":               {vectors.Block[In, counterOut]{}},
		"field Enable of vectors_test.Wide has a tag `bits:\"9\"`, which is no": {vectors.Block[Wide, counterOut]{}},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("%s\nwant: %s", got, want)
				}
			}()
			vectors.NewRegistry(list...)
		}()
	}
}

// A tag that does not agree with the RTL is an error when a vector is run.
func TestBits(t *testing.T) {
	type Out struct {
		Count uint8 `port:"count_o" bits:"7"`
		Wrap  bool  `port:"wrap_o"`
	}
	b := counter()
	r := vectors.NewRegistry(vectors.Block[counterIn, Out]{Design: b.Design, Model: func(vectors.Params) sim.Model[counterIn, Out] { return nil }})
	result := r.Run(t.Context(), []string{write(t, script("counter", "wait 3\n"))}, vectors.Options{})[0]
	if want := "port count_o of counter has 8 bits, but its field has 7: tag the field `bits:\"8\"`"; result.Verdict != vectors.Trouble || !strings.Contains(fmt.Sprint(result.Err), want) {
		t.Errorf("%s: %v\nwant: %s", result.Verdict, result.Err, want)
	}
}
