package vectors_test

import (
	"context"
	"fmt"
	"os"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

type counterIn struct {
	Rst    bool `port:"rst_i"`
	Enable bool `port:"enable_i"`
}

type counterOut struct {
	Count uint8 `port:"count_o"`
	Wrap  bool  `port:"wrap_o"`
}

// counterModel is the reference.
type counterModel struct{ count uint8 }

func (m *counterModel) Reset() { m.count = 0 }

func (m *counterModel) Step(in counterIn) counterOut {
	out := counterOut{m.count, m.count == 255}
	if in.Rst {
		m.count = 0
	} else if in.Enable {
		m.count++
	}
	return out
}

// A block of your own can have statements for scripts, here "count N".
func ExampleNewRegistry() {
	r := vectors.NewRegistry(vectors.Block[counterIn, counterOut]{
		Design: sim.Design{Top: "counter", FS: os.DirFS("../sim/testdata"), Files: []string{"counter.sv"}, Clock: "clk_i", Reset: "rst_i"},
		About:  "counts",
		Model:  func(vectors.Params) sim.Model[counterIn, counterOut] { return &counterModel{} },
		Kinds:  []vectors.Kind{vectors.Number("N", "a number of cycles", 1, 1000)},
		Statements: func(s *vectors.Session[counterIn, counterOut]) []vectors.Statement {
			return []vectors.Statement{{Use: "count N", About: "count so far, and stop", Do: func(args []any) error {
				s.In.Enable = true
				err := s.Wait(args[0].(int))
				s.In.Enable = false
				return err
			}}}
		},
	})
	for _, result := range r.Run(context.Background(), []string{"testdata/counter.txtar"}, vectors.Options{}) {
		fmt.Println(result.Verdict, result.File, result.Cycles, "cycles")
	}
	// Output: pass testdata/counter.txtar 258 cycles
}

// Errors in a vector are found without a simulator.
func ExampleRegistry_Check() {
	f, err := vectors.Parse("press.txtar", []byte("design: debounce\n\n-- cycles --\nlien_i | clean_o\n1 | 0\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(blocks.All().Check(f))
	// Output:
	// press.txtar:4:1: error: debounce has no input lien_i
	//   |
	// 4 | lien_i | clean_o
	//   | ^^^^^^
	//   = help: did you mean line_i? (one of: rst_i, line_i)
}
