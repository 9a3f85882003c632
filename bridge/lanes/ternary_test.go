package lanes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
)

// A bit settles that becomes 0 or stays, or that becomes another such bit. One does not that may
// become anything.
func TestSettled(t *testing.T) {
	a := &aig{known: map[[2]literal]literal{}}
	load, in := a.input(), a.input()
	first := a.latch()
	x := &miter{a: a, first: first.not(), c: &circuit{}}
	for _, initial := range []int8{-1, -1, -1, -1, 0} {
		x.c.States = append(x.c.States, state{Initial: initial})
		x.latches[0] = append(x.latches[0], a.latch())
	}
	q := x.latches[0]
	a.become(first, 1)
	a.become(q[0], a.and(load.not(), q[0]))    // it is loaded with 0
	a.become(q[1], a.choose(load, q[1], q[0])) // with what that is
	a.become(q[2], a.choose(load, q[2], in))   // with anything
	a.become(q[3], a.and(q[3], q[2].not()))    // it may become 0, and stays 0
	a.become(q[4], a.and(load.not(), q[4]))    // known at power-up
	if got, want := x.settled(0), []bool{true, true, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("settled at 0 are %v, not %v", got, want)
	}
	if got := x.settled(1); slices.Contains(got, true) {
		t.Errorf("settled at 1 are %v: what others change is not settled", got)
	}
}

// Where it is too much to prove of two states what they never were at once, it is known at least
// what single ones never were: assertions need that a reset has begun.
func TestNeverAlone(t *testing.T) {
	text := `module many (input logic clk_i, input logic rst_i, input logic [199:0] a_i, output logic y_o);
  logic begun = 1'b0;
  logic [299:0] cleared;
  logic [329:0] ring; // which two bits are never both 1 is too much to prove
  always_ff @(posedge clk_i) begin
    begun <= begun | rst_i;
    ring <= rst_i ? 330'd1 : {ring[328:0], ring[329]};
    cleared <= rst_i ? 300'd0 : cleared & {~a_i[99:0], a_i};
  end
`
	flags := ""
	for i := range 200 {
		text += fmt.Sprintf("  logic flag%d;\n  always_ff @(posedge clk_i) flag%d <= !rst_i && a_i[%d];\n", i, i, i)
		flags += fmt.Sprintf(", flag%d", i)
	}
	d := bridge.Design{Top: "many", FS: fstest.MapFS{"many.sv": {Data: []byte(text + "  assign y_o = ^{begun, ring, cleared" + flags + "};\nendmodule\n")}}, Files: []string{"many.sv"}, Clock: "clk_i", Reset: "rst_i"}
	p, err := BuildPins(t.Context(), d, nil, nil) // which keeps what takes one constant only
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := p.Model(t.Context(), nil, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := m.Hints(MiterOptions{Reset: 3}, func(inputs []MiterInput) *Runs {
		r := rand.New(rand.NewPCG(1, 1))
		runs := make([][][]uint64, 8)
		for k := range runs {
			for range 400 {
				row := make([]uint64, (len(inputs)+63)/64)
				for i := range row {
					row[i] = r.Uint64()
				}
				for i, in := range inputs {
					if in.Port == "rst_i" {
						row[i/64] &^= 1 << (i % 64)
					}
				}
				runs[k] = append(runs[k], row)
			}
		}
		return NewRuns(len(inputs), runs)
	})
	if err != nil {
		t.Fatal(err)
	}
	begun := m.program.c.registers()["begun"][0]
	if !slices.ContainsFunc(h.never, func(all []stateIs) bool { return slices.Equal(all, []stateIs{{begun, 0}}) }) {
		t.Errorf("that begun is never 0 after a reset is not among %d hints", len(h.never))
	}
	for _, all := range h.never {
		if len(all) > 1 {
			t.Fatal("there are pairs, so that this test is of no use")
		}
	}
}
