package shrink_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/shrink"
	"github.com/cosimate/cosimate/sim/stim"
)

type in struct {
	Rst   bool `port:"rst_i"`
	Valid bool
	Data  uint8  `port:"data_i"`
	Tag   uint16 `rand:"3..4000"`
	Off   int16
	Line  [2]uint64
	Gnt   uint8 `rand:"onehot"`
}

func draw(t *testing.T, n int) []in {
	t.Helper()
	g, err := stim.New[in](1)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]in, n)
	if err := g.Fill(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// count returns a predicate: is returns true for at least n steps.
func count(n int, is func(in) bool) func([]in) (bool, error) {
	return func(all []in) (bool, error) {
		found := 0
		for _, i := range all {
			if is(i) {
				found++
			}
		}
		return found >= n, nil
	}
}

func TestMinimize(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps int
		runs  int // at most
		fails func([]in) (bool, error)
		want  []in
	}{
		{"always", 1000, 22, count(0, func(in) bool { return true }), []in{{Tag: 4, Gnt: 1}}},
		{"one bit", 1000, 35, count(1, func(i in) bool { return i.Data&0x10 != 0 }), []in{{Data: 0x10, Tag: 4, Gnt: 1}}},
		{"three steps anywhere", 2000, 269, count(3, func(i in) bool { return i.Valid && i.Line[1]>>63 == 1 }), slices.Repeat([]in{{Valid: true, Line: [2]uint64{0, 1 << 63}, Tag: 4, Gnt: 1}}, 3)},
		{"negative", 500, 40, count(1, func(i in) bool { return i.Off < -4 }), []in{{Off: -5, Tag: 4, Gnt: 1}}},
		{"only its tag's values", 500, 22, count(1, func(i in) bool { return i.Tag > 100 && i.Gnt >= 4 }), []in{{Tag: 128, Gnt: 4}}},
		{"two in order", 3000, 110, func(all []in) (bool, error) {
			seen := false
			for _, i := range all {
				if seen && i.Data == 0x80 {
					return true, nil
				}
				seen = seen || i.Off == 0
			}
			return false, nil
		}, []in{{Tag: 4, Gnt: 1}, {Data: 0x80, Tag: 4, Gnt: 1}}},
		{"a number and then a bit", 3000, 55, func(all []in) (bool, error) {
			seen := false
			for _, i := range all {
				if seen && i.Valid {
					return true, nil
				}
				seen = seen || i.Off > 1000
			}
			return false, nil
		}, []in{{Off: 1024, Tag: 4, Gnt: 1}, {Valid: true, Tag: 4, Gnt: 1}}},
		{"values are held", 20, 97, func(all []in) (bool, error) {
			for _, i := range all {
				if i.Data == 0 {
					return false, nil
				}
			}
			return len(all) > 3, nil
		}, slices.Repeat([]in{{Data: 1, Tag: 4, Gnt: 1}}, 4)},
		{"all of them", 7, 94, func(all []in) (bool, error) { return len(all) == 7, nil }, slices.Repeat([]in{{Tag: 4, Gnt: 1}}, 7)},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := draw(t, c.steps)
			kept := slices.Clone(start)
			calls := 0
			fails := func(all []in) (bool, error) {
				calls++
				return c.fails(all)
			}
			r, err := shrink.Minimize(t.Context(), start, fails, shrink.Options{})
			if err != nil {
				t.Fatal(err)
			}
			// A rand tag may allow several simplest values: any one bit of the grants, and of the
			// tags.
			for i := range r.Inputs {
				if i := &r.Inputs[i]; c.name != "only its tag's values" {
					if i.Tag < 3 || i.Tag > 4000 || i.Gnt&(i.Gnt-1) != 0 || i.Gnt == 0 {
						t.Errorf("%+v breaks its tags", *i)
					}
					i.Tag, i.Gnt = 4, 1
				} else if i.Tag&(i.Tag-1) != 0 || i.Gnt&(i.Gnt-1) != 0 {
					t.Errorf("%+v is not simplest", *i)
				} else {
					i.Tag, i.Gnt = 128, 4
				}
			}
			if diff := cmp.Diff(c.want, r.Inputs); diff != "" {
				t.Errorf("found otherwise (-want +got):\n%s", diff)
			}
			if !r.Complete || r.Runs != calls || r.Runs > c.runs {
				t.Errorf("complete %v, %d runs of %d, at most %d expected", r.Complete, r.Runs, calls, c.runs)
			}
			if !slices.Equal(start, kept) {
				t.Error("the inputs given have changed")
			}
			t.Logf("%d steps to %d in %d runs", c.steps, len(r.Inputs), r.Runs)
		})
	}
}

// A simpler value can make it possible to remove more steps.
func TestStepsAfterValues(t *testing.T) {
	start := slices.Repeat([]in{{Valid: true, Tag: 4, Gnt: 1}}, 10)
	r, err := shrink.Minimize(t.Context(), start, func(all []in) (bool, error) { return len(all) >= 3 || !all[0].Valid, nil }, shrink.Options{})
	if want := []in{{Tag: 4, Gnt: 1}}; err != nil || !slices.Equal(r.Inputs, want) {
		t.Errorf("%+v, error %v; want %+v", r.Inputs, err, want)
	}
}

// With any predicate the result fails, is 1-minimal, and is the same each time.
func TestMinimizeIsMinimal(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		need := 1 + r.IntN(5)
		mask := uint8(1 + r.IntN(255))
		fails := func(all []in) (bool, error) {
			sum := 0
			for _, i := range all {
				if i.Data&mask == mask || i.Valid && i.Off&1 != 0 {
					sum++
				} else if i.Rst {
					sum = max(sum-1, 0)
				}
			}
			return sum >= need, nil
		}
		start := draw(t, 2000)
		if ok, _ := fails(start); !ok {
			continue
		}
		got, err := shrink.Minimize(t.Context(), start, fails, shrink.Options{})
		if err != nil || !got.Complete {
			t.Fatalf("complete %v, error %v", got.Complete, err)
		}
		for i := range got.Inputs {
			if ok, _ := fails(slices.Delete(slices.Clone(got.Inputs), i, i+1)); ok && len(got.Inputs) > 1 {
				t.Errorf("seed %d: step %d of %+v is not needed", seed, i, got.Inputs)
			}
		}
		if again, err := shrink.Minimize(t.Context(), start, fails, shrink.Options{}); err != nil || !slices.Equal(again.Inputs, got.Inputs) || again.Runs != got.Runs {
			t.Errorf("seed %d: the second search found otherwise", seed)
		}
	}
}

func TestBounds(t *testing.T) {
	start := draw(t, 2000)
	fails := count(20, func(i in) bool { return i.Data > 100 })
	for _, runs := range []int{2, 3, 10, 100} {
		progress := 0
		r, err := shrink.Minimize(t.Context(), start, fails, shrink.Options{MaxRuns: runs, Progress: func(p shrink.Progress) { progress++ }})
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := fails(r.Inputs); !ok || r.Runs > runs || r.Complete || runs == 100 && progress < 5 {
			t.Errorf("MaxRuns %d: fails %v after %d runs, complete %v, progress told %d times", runs, ok, r.Runs, r.Complete, progress)
		}
	}

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	begun := time.Now()
	r, err := shrink.Minimize(ctx, start, func(all []in) (bool, error) {
		time.Sleep(time.Millisecond)
		return fails(all)
	}, shrink.Options{})
	if ok, _ := fails(r.Inputs); err != nil || !ok || r.Complete || time.Since(begun) > time.Second {
		t.Errorf("deadline: error %v, fails %v, complete %v after %v", err, ok, r.Complete, time.Since(begun))
	}

	// a predicate that returns the context's error
	ctx, cancel = context.WithCancel(t.Context())
	runs := 0
	r, err = shrink.Minimize(ctx, start, func(all []in) (bool, error) {
		if runs++; runs == 12 {
			cancel()
			return false, ctx.Err()
		}
		return fails(all)
	}, shrink.Options{})
	if ok, _ := fails(r.Inputs); err != nil || !ok || r.Complete || r.Runs != 12 {
		t.Errorf("cancelled: error %v, fails %v, complete %v after %d runs", err, ok, r.Complete, r.Runs)
	}
}

func TestErrors(t *testing.T) {
	start := draw(t, 10)
	never := func([]in) (bool, error) { return false, nil }
	if _, err := shrink.Minimize(t.Context(), start, never, shrink.Options{}); err == nil || !strings.Contains(err.Error(), "the 10 steps do not fail when they are run again") {
		t.Errorf("nothing fails: %v", err)
	}
	broken := errors.New("the simulator died")
	runs := 0
	r, err := shrink.Minimize(t.Context(), start, func(all []in) (bool, error) {
		if runs++; runs > 3 {
			return false, broken
		}
		return true, nil
	}, shrink.Options{})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "run 4, of ") || len(r.Inputs) != 3 && len(r.Inputs) != 2 || r.Complete {
		t.Errorf("the predicate's error: %v, with %d steps", err, len(r.Inputs))
	}
	runs = 0
	_, err = shrink.Minimize(t.Context(), start, func(all []in) (bool, error) {
		runs++
		return runs < 5, nil // not a function of the inputs
	}, shrink.Options{})
	if err == nil || !strings.Contains(err.Error(), "the runs are not independent of each other") {
		t.Errorf("not repeatable: %v", err)
	}
	if _, err := shrink.Minimize(t.Context(), start, never, shrink.Options{MaxRuns: 1}); err == nil || !strings.Contains(err.Error(), "MaxRuns is 1") {
		t.Errorf("MaxRuns 1: %v", err)
	}
	type bad struct {
		A uint8 `rand:"x"`
	}
	if _, err := shrink.Minimize(t.Context(), []bad{{}}, func([]bad) (bool, error) { return true, nil }, shrink.Options{}); err == nil || !strings.Contains(err.Error(), "column 1") {
		t.Errorf("bad tag: %v", err)
	}
	if _, err := shrink.Go([]bad{{}}); err == nil {
		t.Error("Go takes a bad tag")
	}
	if _, err := shrink.Table([]bad{{}}); err == nil {
		t.Error("Table takes a bad tag")
	}
}

type word uint32

type printed struct {
	Rst  bool
	A    uint8 `port:"a_i,binary"`
	Off  int16 `port:",decimal"`
	Line [3]word
	note string `port:"-"`
}

func TestPrint(t *testing.T) {
	all := []printed{{Rst: true, note: "x"}, {A: 9}, {A: 9}, {A: 9}, {Off: -300}, {A: 255, Off: 1, Line: [3]word{0, 0x12345678, 0}}, {}}
	table, err := shrink.Table(all)
	if err != nil {
		t.Fatal(err)
	}
	const want = `
  step  Rst  a_i   Off      Line
      0    1    0     0         0
      1    0    9     0         0  *3
      4    0    0  -12c         0
      5    0   ff     1  1234567800000000
      6    0    0     0         0
`
	if diff := cmp.Diff(strings.Fields(want), strings.Fields(table)); diff != "" {
		t.Errorf("table (-want +got):\n%s\n%s", diff, table)
	}
	source, err := shrink.Go(all)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[]printed{\n\t{Rst: true},\n\t{A: 9},\n\t{A: 9},\n\t{A: 9},\n\t{Off: -0x12c},\n\t{A: 0xff, Off: 1, Line: [3]word{0, 0x12345678}},\n\t{},\n}"; source != want {
		t.Errorf("got  %s\nwant %s", source, want)
	}

	// The literal compiles in the package of the type.
	file := "package p\ntype word uint32\ntype printed struct { Rst bool; A uint8; Off int16; Line [3]word; note string }\nvar _ = " + source
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "p.go", file, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("p", set, []*ast.File{parsed}, nil); err != nil {
		t.Errorf("%v in\n%s", err, file)
	}
}

// A fault in a FIFO that random stimulus finds after some hundred cycles is shrunk to seven cycles.
func TestFIFO(t *testing.T) {
	type fifoIn struct {
		Rst   bool `rand:"p=0.002"`
		Valid bool
		Data  uint8 `port:"data_i"`
		Ready bool  `rand:"p=0.6"`
	}
	type fifoOut struct {
		Ready, Valid bool
		Data         uint8 `port:"data_o"`
	}
	text, err := os.ReadFile("../stream/testdata/fifo.sv")
	if err != nil {
		t.Fatal(err)
	}
	const right, wrong = "<= data_i;", "<= data_i ^ {7'd0, level_q == 3'd3 & pop & data_i[5]};"
	if n := strings.Count(string(text), right); n != 1 {
		t.Fatalf("%q stands %d times in fifo.sv, not once", right, n)
	}
	design := sim.Design{Top: "fifo", FS: os.DirFS("../stream/testdata"), Dir: "sim/stream/testdata", Files: []string{"fifo.sv"}, Clock: "clk_i", Reset: "rst_i"}
	faulty := design
	faulty.FS = fstest.MapFS{"fifo.sv": {Data: []byte(strings.Replace(string(text), right, wrong, 1))}}
	good := sim.OpenTest[fifoIn, fifoOut](t, design, sim.Verilator)
	bad := sim.OpenTest[fifoIn, fifoOut](t, faulty, sim.Verilator)

	g, err := stim.New[fifoIn](1)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]fifoIn, 5000)
	if err := g.Fill(start); err != nil {
		t.Fatal(err)
	}
	// The model is the design without the fault.
	outputs := func(dut *sim.DUT[fifoIn, fifoOut], in []fifoIn) ([]fifoOut, error) {
		out := make([]fifoOut, len(in))
		if err := dut.Reset(2); err != nil {
			return nil, err
		}
		err := dut.Run(in, out)
		for i := range out {
			if !out[i].Valid {
				out[i].Data = 0
			}
		}
		return out, err
	}
	r, err := shrink.Minimize(t.Context(), start, func(in []fifoIn) (bool, error) {
		want, err := outputs(good, in)
		if err != nil {
			return false, err
		}
		got, err := outputs(bad, in)
		return !slices.Equal(want, got), err
	}, shrink.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := shrink.Table(r.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cycles to %d in %d runs\n%s", len(start), len(r.Inputs), r.Runs, table)
	// Three bytes go in. The fourth, with bit 5 set, goes in as one goes out. Two more go out, and
	// then the fourth is at the output.
	if len(r.Inputs) != 7 || !r.Complete {
		t.Errorf("%d cycles, complete %v; want 7", len(r.Inputs), r.Complete)
	}
}

func ExampleMinimize() {
	type in struct {
		Rst  bool
		Data uint8
	}
	steps := []in{{Rst: true}, {Data: 0xb3}, {Data: 0x1d}, {Data: 0x42}, {Data: 0xff}, {Data: 0x07}}
	// A fault that needs bit 6 of the data and, later, bit 0.
	fails := func(steps []in) (bool, error) {
		armed := false
		for _, s := range steps {
			if armed && s.Data&1 != 0 {
				return true, nil
			}
			armed = armed || s.Data>>6&1 != 0
		}
		return false, nil
	}
	r, err := shrink.Minimize(context.Background(), steps, fails, shrink.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	source, err := shrink.Go(r.Inputs)
	fmt.Println(source, err)
	table, err := shrink.Table(r.Inputs)
	fmt.Print(table, err)
	// Output:
	// []in{{Data: 0x40}, {Data: 1}} <nil>
	//   step  Rst  Data
	//      0    0    40
	//      1    0     1
	// <nil>
}
