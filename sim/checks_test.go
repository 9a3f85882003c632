package sim_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// What tests rely on without looking: flags, messages, resets, lockstep, second runs.

// An expectation that its port cannot have is an error that says so, and no difference.
func TestExpectationsThatDoNotFit(t *testing.T) {
	sim.ForEach(t, echo, func(t *testing.T, dut *sim.DUT[echoPorts, echoPorts]) {
		in, want := make([]echoPorts, 5), make([]echoPorts, 5)
		want[3].Nibble = 16
		err := dut.Expect(in, want, nil)
		if err == nil || !strings.Contains(err.Error(), "the expected outputs of cycle 3: sim_test.echoPorts.Nibble: 0x10 does not fit port output [3:0] nibble_o") {
			t.Errorf("the error is %v", err)
		}
	})
}

// Simulators write into these structs: there must be nothing in them that Go looks after.
func TestNoPointers(t *testing.T) {
	type notes struct{ Text []string }
	for name, open := range map[string]func() error{
		"a slice": func() error {
			_, err := sim.Open[struct {
				Rst, Enable bool
				Notes       notes `port:"-"`
			}, counterOut](t.Context(), counter, sim.Icarus)
			return err
		},
		"a string": func() error {
			_, err := sim.Open[counterIn, struct {
				Count uint8
				Wrap  bool
				Notes [2]string `port:"-"`
			}](t.Context(), counter, sim.Icarus)
			return err
		},
	} {
		if err := open(); err == nil || !strings.Contains(err.Error(), "which holds pointers") {
			t.Errorf("%s in it: %v", name, err)
		}
	}
}

// A port has one field.
func TestTwoFieldsOfAPort(t *testing.T) {
	_, err := sim.Open[struct {
		Rst, Enable bool
		Again       bool `port:"enable_i"`
	}, counterOut](t.Context(), counter, sim.Icarus)
	if err == nil || !strings.Contains(err.Error(), "field Again: the module has no input enable_i") {
		t.Errorf("two fields of a port: %v", err)
	}
}

func TestResetActiveLow(t *testing.T) {
	d := counter
	d.ResetActiveLow = true
	d.FS = patched(t, "counter.sv", "if (rst_i) count_d = '0;", "if (!rst_i) count_d = '0;")
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		if err := dut.Reset(2); err != nil {
			t.Fatal(err)
		}
		for i := range uint8(3) {
			if out, err := dut.Step(counterIn{Rst: true, Enable: true}); err != nil || out.Count != i || dut.Unknown().Count != 0 {
				t.Errorf("%d cycles after the reset the count is %d (%v)", i, out.Count, err)
			}
		}
	})
}

// complaining says $error when its input is 3 or, while it settles, 7.
var complaining = sim.Design{Top: "complaining", Clock: "clk_i", Files: []string{"c.sv"}, FS: fstest.MapFS{"c.sv": {Data: []byte(`
module complaining(input wire clk_i, input wire [7:0] a_i, output wire [7:0] b_o);
  assign b_o = a_i;
  always @(posedge clk_i) if (a_i == 3) $error("three");
  always @* if (a_i == 7) $error("seven");
endmodule`)}}}

// $error is an error of the cycle in which it comes, however cycles are done, unless nobody minds.
func TestErrorMessages(t *testing.T) {
	said := func(err error, text string, cycle uint64, line int) bool {
		m, ok := errors.AsType[*sim.MessageError](err)
		return ok && m.Message.Text == text && m.Message.Cycle == cycle && m.Message.Where == fmt.Sprintf("c.sv:%d", line)
	}
	sim.ForEach(t, complaining, func(t *testing.T, dut *sim.DUT[partlyIn, partlyOut]) {
		if _, err := dut.Step(partlyIn{3}); !said(err, "three", 0, 4) {
			t.Errorf("$error in a step gives %v", err)
		}
		if _, err := dut.Step(partlyIn{4}); err != nil {
			t.Errorf("the step after gives %v", err)
		}
		if err := dut.Run([]partlyIn{{1}, {3}, {5}}, make([]partlyOut, 3)); !said(err, "three", 3, 4) {
			t.Errorf("$error in a run gives %v", err)
		}
		if err := dut.Expect([]partlyIn{{3}}, []partlyOut{{3}}, nil); !said(err, "three", 5, 4) {
			t.Errorf("$error in a cycle that is as expected gives %v", err)
		}
		if _, err := dut.Settle(partlyIn{7}); err == nil || !strings.Contains(err.Error(), "seven") {
			t.Errorf("$error while inputs settle gives %v", err)
		}
	})
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		dut := sim.OpenTest[partlyIn, partlyOut](t, complaining, s, sim.WithErrors())
		if _, err := dut.Step(partlyIn{3}); err != nil {
			t.Errorf("$error that nobody minds gives %v", err)
		}
	})
}

// $error is likely the cause of what ends the simulation after it.
func TestErrorBeforeTheEnd(t *testing.T) {
	d := sim.Design{Top: "ending", Clock: "clk_i", Files: []string{"e.sv"}, FS: fstest.MapFS{"e.sv": {Data: []byte(`
module ending(input wire clk_i, input wire [7:0] a_i, output wire [7:0] b_o);
  assign b_o = a_i;
  always @(posedge clk_i) if (a_i == 3) $error("overflow"); else if (a_i == 5) $finish;
endmodule`)}}}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[partlyIn, partlyOut]) {
		err := dut.Run([]partlyIn{{1}, {3}, {4}, {5}, {6}}, make([]partlyOut, 5))
		m, ok := errors.AsType[*sim.MessageError](err)
		if !ok || m.Message.Text != "overflow" || m.Message.Cycle != 1 {
			t.Errorf("$error and $finish in a run give %v, without the $error", err)
		}
		if e, ok := errors.AsType[*bridge.StopError](err); !ok || e.Task != "$finish" || e.Cycle != 3 {
			t.Errorf("$error and $finish in a run give %v, without the $finish", err)
		}
	})
}

// split is wrong at other inputs under Icarus than under Verilator.
func split(icarus, verilator string) sim.Design {
	return sim.Design{Top: "split", Clock: "clk_i", Files: []string{"split.sv"}, FS: fstest.MapFS{"split.sv": {Data: fmt.Appendf(nil, `
module split(input wire clk_i, input wire [7:0] a_i, output wire [7:0] b_o);
  reg first = 1;
  always @(posedge clk_i) begin
    first <= 0;
    if (first && a_i == 99) $fatal(1, "99 is the first");
  end
`+"`ifdef VERILATOR"+`
  assign b_o = a_i ^ {7'b0, %s};
`+"`else"+`
  assign b_o = a_i ^ {7'b0, %s};
`+"`endif"+`
endmodule
`, verilator, icarus)}}}
}

// copies is its model.
type copies struct{}

func (copies) Reset()                     {}
func (copies) Step(in partlyIn) partlyOut { return partlyOut{B: in.A} }

// fromOne is another, which takes no stimulus but one that begins with 1.
type fromOne struct {
	copies
	begun bool
}

func (m *fromOne) Step(in partlyIn) partlyOut {
	if !m.begun && in.A != 1 {
		panic("the first is not 1")
	}
	m.begun = true
	return m.copies.Step(in)
}

func (m *fromOne) Reset() { m.begun = false }

type two struct{ X, Y uint8 }

type copiesTwice struct{}

func (copiesTwice) Reset()               {}
func (copiesTwice) Step(in partlyIn) two { return two{in.A, in.A} }

// upTo are the inputs 1, 2, 3 ...
func upTo(n int) (in []partlyIn) {
	for i := range n {
		in = append(in, partlyIn{uint8(i + 1)})
	}
	return in
}

const checksHelper = "COSIMATE_SIM_CHECKS"

// TestChecksHelper is what other tests run in processes of their own, for they look at flags and at
// failures.
func TestChecksHelper(t *testing.T) {
	how := os.Getenv(checksHelper)
	lockstep := func(icarus, verilator string) {
		sim.Lockstep(t, split(icarus, verilator), copies{}, slices.Values(upTo(98)))
	}
	check := func(icarus, verilator string, in []partlyIn) {
		sim.Check(t, sim.OpenTest[partlyIn, partlyOut](t, split(icarus, verilator), sim.Icarus), copies{}, slices.Values(in))
	}
	switch how {
	case "power-up":
		out, err := sim.OpenTest[counterIn, counterOut](t, counter, sim.Verilator).Step(counterIn{})
		fmt.Printf("count=%d seed=%d %v\n", out.Count, sim.Seed(), err)
	case "for each":
		sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) { fmt.Printf("runs on %s\n", dut.Simulator()) })
	case "lockstep, verilator wrong":
		lockstep("1'b0", "a_i == 50")
	case "lockstep, icarus wrong first":
		lockstep("a_i == 30", "a_i == 50")
	case "lockstep, verilator wrong first":
		lockstep("a_i == 50", "a_i == 30")
	case "again":
		note(t, fmt.Sprintf("%s with seed %d\n", t.Name(), sim.Seed()))
		check("a_i == 30", "a_i == 30", upTo(98))
	case "again, in both":
		note(t, "runs\n")
		lockstep("1'b0", "a_i == 50")
	case "flags":
		note(t, *ownFlag+"\n")
		check("a_i == 30", "a_i == 30", upTo(98))
	case "shrunk on another simulator":
		check("a_i == 30", "a_i == 20", upTo(98))
	case "another output fails with simpler values":
		dut := sim.OpenTest[partlyIn, two](t, sim.Design{Top: "two", Clock: "clk_i", Files: []string{"two.sv"}, FS: fstest.MapFS{"two.sv": {Data: []byte(`
module two(input wire clk_i, input wire [7:0] a_i, output wire [7:0] x_o, output wire [7:0] y_o);
  reg [7:0] last = 0;
  always @(posedge clk_i) last <= a_i;
  assign x_o = a_i + (last == 50 && a_i == 0);
  assign y_o = a_i + (last == 50 && a_i == 51);
endmodule`)}}}, sim.Icarus)
		sim.Check(t, dut, copiesTwice{}, slices.Values(upTo(98)))
	case "a model that panics":
		sim.Check(t, sim.OpenTest[partlyIn, partlyOut](t, split("a_i == 30", "a_i == 30"), sim.Icarus), &fromOne{}, slices.Values(upTo(98)))
	case "another failure is shorter":
		check("a_i == 99 && !first", "a_i == 99 && !first", upTo(99))
	}
}

// TestChecksHelperBystander is not the test that fails.
func TestChecksHelperBystander(t *testing.T) {
	if os.Getenv(checksHelper) == "again" {
		note(t, t.Name()+"\n")
	}
}

// note appends to a file, for those that are run a second time by themselves.
func note(t *testing.T, text string) {
	f, err := os.OpenFile(os.Getenv(checksHelper+"_NOTES"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Error(err)
	}
}

// helper runs TestChecksHelper, and returns what it prints, the notes, and the stimulus as shrunk.
func helper(t *testing.T, how string, flags ...string) (out, notes, shrunk string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), exe, append([]string{"-test.run=^TestChecksHelper", "-test.v", "-sim.keep=" + dir}, flags...)...)
	cmd.Env = append(os.Environ(), checksHelper+"="+how, checksHelper+"_NOTES="+filepath.Join(dir, "notes"), "GITHUB_ACTIONS=")
	cmd.WaitDelay = time.Second
	text, _ := cmd.CombinedOutput()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		return string(b)
	}
	return string(text), read("notes"), read("sim/TestChecksHelper/shrunk.txt")
}

// -sim.seed is what power-up values follow from.
func TestSeedFlag(t *testing.T) {
	values := map[string]bool{}
	for seed := range 5 {
		flag := fmt.Sprintf("-sim.seed=%d", seed)
		line := regexp.MustCompile(`count=(\d+) seed=(\d+) <nil>`)
		out, _, _ := helper(t, "power-up", flag)
		again, _, _ := helper(t, "power-up", flag)
		first, second := line.FindStringSubmatch(out), line.FindStringSubmatch(again)
		if first == nil || first[2] != fmt.Sprint(seed) || !slices.Equal(first, second) {
			t.Fatalf("%s gives the power-up values %q and %q:\n%s", flag, first, second, out)
		}
		values[first[1]] = true
	}
	if len(values) < 3 {
		t.Errorf("five seeds give the power-up values %v", values)
	}
}

func TestOnlyFlag(t *testing.T) {
	for flag, want := range map[string][]string{"": {"icarus", "verilator"}, "icarus": {"icarus"}, "verilator": {"verilator"}} {
		out, _, _ := helper(t, "for each", "-sim.only="+flag)
		var got []string
		for _, m := range regexp.MustCompile(`runs on (\w+)`).FindAllStringSubmatch(out, -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("-sim.only=%s runs on %v:\n%s", flag, got, out)
		}
	}
	if out, _, _ := helper(t, "for each", "-sim.only=modelsim"); !strings.Contains(out, `-sim.only: unknown simulator "modelsim"`) || strings.Contains(out, "--- PASS: TestChecksHelper (") {
		t.Errorf("-sim.only=modelsim gives\n%s", out)
	}
}

// In lockstep all simulators are reset and compared, and the first difference is reported, whoever
// it is of.
func TestEachInLockstep(t *testing.T) {
	sim.Lockstep(t, counter, &counterModel{}, counterStimulus(5_000))
	for how, want := range map[string]string{
		"lockstep, verilator wrong":       "split differs from its model in cycle 49 (505ns) on verilator: b_o",
		"lockstep, icarus wrong first":    "split differs from its model in cycle 29 (305ns) on icarus: b_o",
		"lockstep, verilator wrong first": "split differs from its model in cycle 29 (305ns) on verilator: b_o",
	} {
		if out, _, _ := helper(t, how, "-sim.wave=off"); !strings.Contains(out, want) {
			t.Errorf("%s: the report lacks %q:\n%s", how, want, out)
		}
	}
}

// ownFlag is one that the tests of a package have for themselves.
var ownFlag = flag.String("own", "", "what TestSecondRunHasTheFlags says")

// Flags of the tests' own are part of the command that runs a test again, ready for a shell.
func TestSecondRunHasTheFlags(t *testing.T) {
	for _, c := range []struct{ flag, want, own string }{
		{"-own=5", " -count=1 -own=5\n", "5"},
		{"-own=it's 5", ` -count=1 '-own=it'\''s 5'` + "\n", "it's 5"},
		{"-sim.only=icarus", " -count=1 -sim.only=icarus\n", ""},
		{"-test.short", " -count=1 -short=true\n", ""},
	} {
		out, notes, _ := helper(t, "flags", c.flag)
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: the report lacks %q:\n%s", c.flag, c.want, out)
		}
		if both := c.own + "\n"; notes != both+both {
			t.Errorf("%s: the runs had\n%s", c.flag, notes)
		}
	}
}

// The second run of a test that failed is of that test only, and with the seed of the first.
func TestSecondRunHasTheSeed(t *testing.T) {
	out, notes, _ := helper(t, "again", "-sim.seed=7")
	if want := "TestChecksHelper with seed 7\nTestChecksHelper with seed 7\nTestChecksHelperBystander\n"; notes != want {
		t.Errorf("the runs were\n%s, not\n%s; they said\n%s", notes, want, out)
	}
	want := regexp.MustCompile(`go test (-race=true )?\./sim -run '\^TestChecksHelper\$' -sim\.seed=7 -count=1`) // as this test was built
	if !want.MatchString(out) {
		t.Errorf("the report lacks %s:\n%s", want, out)
	}
}

// What is behind the flags stays there, or the second run would be one of all tests.
func TestSecondRunWithArguments(t *testing.T) {
	for _, rest := range [][]string{{"argument"}, {"--", "argument"}, {"--"}} {
		out, notes, _ := helper(t, "again", rest...)
		if strings.Count(notes, "TestChecksHelper with seed") != 2 || strings.Count(notes, "Bystander") != 1 {
			t.Errorf("with arguments %q the runs were\n%s; they said\n%s", rest, notes, out)
		}
	}
}

// What a test covers is counted once, whatever its second run does.
func TestSecondRunDoesNotCover(t *testing.T) {
	dir := t.TempDir()
	out, notes, _ := helper(t, "again, in both", "-sim.cover="+dir)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || notes != "runs\nruns\n" {
		t.Errorf("two runs, %q, leave %d databases (%v); they said\n%s", notes, len(files), err, out)
	}
}

// What is left of a stimulus fails on the simulator on which the test failed, and in the same way.
func TestShrinkIsConfirmed(t *testing.T) {
	if out, _, shrunk := helper(t, "shrunk on another simulator"); strings.Contains(shrunk, "still fail") {
		t.Errorf("a stimulus that fails elsewhere is given out:\n%s\n%s", shrunk, out)
	}
	if out, _, shrunk := helper(t, "another failure is shorter"); !strings.HasPrefix(shrunk, "2 steps of 99 still fail") {
		t.Errorf("the stimulus is\n%s\nnot of 2 steps:\n%s", shrunk, out)
	}
	if out, _, shrunk := helper(t, "a model that panics"); !strings.HasPrefix(shrunk, "2 steps of 30 still fail") {
		t.Errorf("the stimulus is\n%s\nnot of 2 steps:\n%s", shrunk, out)
	}
	if out, _, shrunk := helper(t, "another output fails with simpler values"); !strings.Contains(shrunk, "> y_o ") || strings.Contains(shrunk, "> x_o") {
		t.Errorf("the stimulus is\n%s\nnot one for y_o:\n%s", shrunk, out)
	}
}

// The mask of a cycle is asked for with what is wanted in that cycle.
func TestMaskOfEachCycle(t *testing.T) {
	dut := sim.OpenTest[partlyIn, partlyOut](t, partly, sim.Verilator)
	in := []partlyIn{{1}, {2}, {3}, {4}}
	careless := func(want partlyOut) (mask partlyOut) {
		if want.B == 77 {
			mask.B = 0xff
		}
		return mask
	}
	if err := dut.Expect(in, []partlyOut{{1}, {2}, {77}, {4}}, careless); err != nil {
		t.Errorf("a cycle that nobody cares about: %v", err)
	}
	var diff *sim.Difference
	if err := dut.Expect(in, []partlyOut{{77}, {2}, {3}, {5}}, careless); !errors.As(err, &diff) || diff.Cycle != 4+3 {
		t.Errorf("cycle 3 differs, and nobody cares about cycle 0: %v", err)
	}
}

// careless is a model of partly that cares about one cycle of a stimulus, or about none.
type careless struct{ step, cares int }

func (c *careless) Reset() { c.step = 0 }

func (c *careless) Step(in partlyIn) partlyOut {
	c.step++
	return partlyOut{B: uint8(c.step)}
}

func (c *careless) DontCare(want partlyOut) (mask partlyOut) {
	if int(want.B) != c.cares {
		mask.B = 0xff
	}
	return mask
}

// A model that does not care about anything is no check.
func TestCarelessModel(t *testing.T) {
	dut := sim.OpenTest[partlyIn, partlyOut](t, partly, sim.Verilator)
	if err := sim.Compare(dut, &careless{cares: 9}, slices.Values(upTo(9))); err != nil {
		t.Errorf("one cycle is compared: %v", err)
	}
	const want = "masks all bits of all outputs in every cycle: nothing was compared"
	if err := sim.Compare(dut, &careless{cares: 10}, slices.Values(upTo(9))); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, not that nothing was compared", err)
	}
}

// narrow has a field wider than its port, and none that is signed: those are checked in another
// way.
type narrow struct {
	A uint8
	W [2]uint32
}

// passes has them as its ports.
var passes = sim.Design{Top: "narrow", Files: []string{"narrow.sv"}, FS: fstest.MapFS{"narrow.sv": {Data: []byte(`
module narrow(input wire [3:0] a_i, input wire [63:0] w_i, output wire [3:0] a_o, output wire [63:0] w_o);
  assign a_o = a_i; assign w_o = w_i;
endmodule`)}}}

func TestUnsignedValuesThatDoNotFit(t *testing.T) {
	sim.ForEach(t, passes, func(t *testing.T, dut *sim.DUT[narrow, narrow]) {
		in, out := make([]narrow, 300), make([]narrow, 300)
		for _, at := range []int{0, 1, 150, 298, 299} {
			in[at].A = 16
			first := dut.Cycle()
			want := fmt.Sprintf("cycle %d: sim_test.narrow.A: 0x10 does not fit port input [3:0] a_i; for random values that fit, tag the field `rand:\"bits=4\"`", first+uint64(at))
			if err := dut.Run(in, out); err == nil || err.Error() != want {
				t.Errorf("the error is %v, not %s", err, want)
			}
			in[at].A = 15
		}
		if err := dut.Run(in, out); err != nil || !slices.Equal(in, out) {
			t.Errorf("what fits gives %v", err)
		}
	})
}

// blind is a model of passes that masks what the ports have, not what the fields could.
type blind struct{ tooBig }

func (blind) DontCare(narrow) narrow { return narrow{A: 15, W: [2]uint32{1<<32 - 1, 1<<32 - 1}} }

// signedOpen is a model of a design whose output has a sign, and is open while it is not valid.
type signedOpen struct{}

type signedIn struct {
	A int8 `rand:"bits=5"`
}
type signedOut struct {
	Y     int8
	Valid bool
}

func (signedOpen) Reset() {}

func (signedOpen) Step(in signedIn) signedOut {
	if in.A&1 == 0 {
		return signedOut{Y: ^in.A}
	}
	return signedOut{in.A, true}
}

func (signedOpen) DontCare(want signedOut) (mask signedOut) {
	if !want.Valid {
		mask.Y = 0x1f // the port's bits: its sign is in all the others of the field
	}
	return mask
}

func TestSignedOutputThatIsOpen(t *testing.T) {
	d := sim.Design{Top: "m", Files: []string{"m.sv"}, FS: fstest.MapFS{"m.sv": {Data: []byte(`
module m(input wire signed [4:0] a_i, output wire signed [4:0] y_o, output wire valid_o);
  assign y_o = a_i; assign valid_o = a_i[0];
endmodule`)}}}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[signedIn, signedOut]) {
		sim.Check(t, dut, signedOpen{}, slices.Values([]signedIn{{-3}, {-16}, {15}, {6}, {-1}}))
		dut = sim.OpenTest[signedIn, signedOut](t, d, dut.Simulator())
		_, err := dut.Step(signedIn{16})
		if err == nil || !strings.Contains(err.Error(), "signedIn.A: 16, which is not in -16 to 15, does not fit port input [4:0] a_i") ||
			strings.Contains(err.Error(), "tag the field") {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestCarelessModelOfNarrowPorts(t *testing.T) {
	dut := sim.OpenTest[narrow, narrow](t, passes, sim.Verilator)
	if err := sim.Compare(dut, blind{}, slices.Values(make([]narrow, 9))); err == nil || !strings.Contains(err.Error(), "nothing was compared") {
		t.Errorf("the error is %v, not that nothing was compared", err)
	}
}

// tooBig is a model of passes with an output that does not fit.
type tooBig struct{}

func (tooBig) Reset() {}

func (tooBig) Step(in narrow) narrow {
	if in.A == 9 {
		in.A = 16
	}
	return in
}

// Heading, text and waveform of a value that does not fit are of one cycle. That of an input was
// not done.
func TestMisfitsAreReportedInTheirCycle(t *testing.T) {
	for _, c := range []struct {
		what string
		a    uint8
		want []string
	}{
		{"the expected outputs", 9, []string{
			"narrow failed in cycle 30 (315ns): the expected outputs of cycle 30: sim_test.narrow.A: 0x10 does not fit", "27     30\n",
		}},
		{"an input", 16, []string{
			"narrow failed in cycle 30 (315ns): cycle 30: sim_test.narrow.A: 0x10 does not fit", "26     29\n", "the waveform ends before it",
		}},
	} {
		report := failure(t, func(t testing.TB) {
			in := make([]narrow, 40)
			in[30].A = c.a
			sim.Check(t, sim.OpenTest[narrow, narrow](t, passes, sim.Icarus), tooBig{}, slices.Values(in))
		})
		for _, want := range c.want {
			if !strings.Contains(report, want) {
				t.Errorf("%s: the report lacks %q:\n%s", c.what, want, report)
			}
		}
	}
}

// wrongAt is a model of partly that is wrong in one step.
type wrongAt struct{ step, at int }

func (m *wrongAt) Reset() { m.step = 0 }

func (m *wrongAt) Step(in partlyIn) partlyOut {
	if m.step++; m.step == m.at {
		return partlyOut{in.A ^ 1}
	}
	return partlyOut{in.A}
}

// The last cycle of a stimulus is compared, however many fit into a tape.
func TestLastCycleIsCompared(t *testing.T) {
	dut := sim.OpenTest[partlyIn, partlyOut](t, partly, sim.Verilator)
	for _, n := range []int{1, 2, 4095, 4096, 4097, 9000} {
		first := dut.Cycle()
		var diff *sim.Difference
		err := sim.Compare(dut, &wrongAt{at: n}, slices.Values(slices.Repeat([]partlyIn{{5}}, n)))
		if !errors.As(err, &diff) || diff.Cycle != first+uint64(n)-1 {
			t.Errorf("the last of %d cycles differs: %v", n, err)
		}
	}
}
