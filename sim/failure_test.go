package sim_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/stim"
)

// What a failing test leaves behind. The tests that fail are helpers, which run in processes of
// their own.

const failHelper = "COSIMATE_SIM_FAIL"

// slips counts wrong behind 77.
func slips(t testing.TB) sim.Design {
	d := counter
	d.FS = patched(t, "counter.sv", "count_q + 1'b1", "count_q + 1'b1 + 8'(count_q == 8'd77)")
	return d
}

func TestFailHelper(t *testing.T) {
	how := os.Getenv(failHelper)
	if how == "" {
		return
	}
	switch how {
	case "passes":
		sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			sim.Check(t, dut, &counterModel{}, counterStimulus(1000))
		})
	case "passes from three folders":
		text, err := os.ReadFile("testdata/counter.sv")
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "counter.sv"), append([]byte("// Another.\n"), text...), 0o666); err != nil {
			t.Fatal(err)
		}
		here, other := counter, counter
		here.FS, here.Dir, here.Files = os.DirFS("."), "", []string{"testdata/counter.sv"}
		other.FS, other.Dir = os.DirFS(folder), ""
		for _, d := range []sim.Design{counter, here, other} {
			sim.Check(t, sim.OpenTest[counterIn, counterOut](t, d, sim.Verilator), &counterModel{}, counterStimulus(10))
		}
	case "check":
		sim.ForEach(t, slips(t), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			sim.Check(t, dut, &counterModel{}, counterStimulus(10_000))
		})
	case "lanes":
		sim.CheckLanes(t, slips(t), counterStimuli(8))
	case "lockstep":
		sim.Lockstep(t, slips(t), &counterModel{}, counterStimulus(10_000))
	case "by hand":
		sim.ForEach(t, slips(t), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			for range 50 {
				if _, err := dut.Step(counterIn{Enable: true}); err != nil {
					t.Fatal(err)
				}
			}
			t.Fatal("the engineer says no")
		})
	case "compared":
		sim.ForEach(t, slips(t), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			if err := sim.Compare(dut, &counterModel{}, counterStimulus(10_000)); err != nil {
				t.Error("it differs")
			}
			for range 5 {
				if _, err := dut.Step(counterIn{Enable: true}); err != nil {
					t.Fatal(err)
				}
			}
		})
	case "shared":
		dut := sim.OpenTest[counterIn, counterOut](t, slips(t), sim.Verilator)
		for _, name := range []string{"first", "second"} {
			t.Run(name, func(t *testing.T) {
				own := sim.OpenTest[counterIn, counterOut](t, counter, sim.Verilator)
				sim.Check(t, own, &counterModel{}, counterStimulus(100))
				if name == "second" {
					sim.Check(t, dut, &counterModel{}, counterStimulus(10_000))
				}
			})
		}
	case "outside":
		d := counter
		d.FS = os.DirFS("/usr")
		sim.OpenTest[counterIn, counterOut](t, d, sim.Icarus)
	case "not open":
		d := counter
		d.Clock = "tick_i"
		sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {})
	case "dies then":
		sim.ForEach(t, slips(t), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			if os.Getenv("COSIMATE_RERUN") != "" {
				panic("at the second try")
			}
			sim.Check(t, dut, &counterModel{}, counterStimulus(10_000))
		})
	case "unsatisfiable":
		sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			g, err := stim.New[counterIn](1)
			if err != nil {
				t.Fatal(err)
			}
			g.With(func(*counterIn) bool { return false })
			sim.Check(t, dut, &counterModel{}, g.Cycles(t, 10))
		})
	case "by chance":
		sim.ForEach(t, slips(t), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
			if os.Getenv("COSIMATE_RERUN") == "" { // as if the first run had been unlucky
				sim.Check(t, dut, &counterModel{}, counterStimulus(10_000))
			}
		})
	}
}

// failing runs TestFailHelper, which must fail, with flags, and returns its output and the files
// left, named below the folder.
func failing(t *testing.T, how string, flags ...string) (out string, files map[string]string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "with [brackets]")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, append([]string{"-test.run=^TestFailHelper$", "-sim.keep=" + dir, "-sim.seed=3"}, flags...)...)
	cmd.Env = append(os.Environ(), failHelper+"="+how, "GITHUB_ACTIONS=")
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) == strings.HasPrefix(how, "passes") {
		t.Errorf("%s: the exit status is %v", how, err)
	}
	files = map[string]string{}
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(dir, path)
			files[rel] = string(data)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return string(text), files
}

func TestPassingLeavesNothing(t *testing.T) {
	if out, files := failing(t, "passes"); len(files) > 0 {
		t.Errorf("%v\n%s", slices.Sorted(maps.Keys(files)), out)
	}
}

func TestFailureLeavesEvidence(t *testing.T) {
	out, files := failing(t, "check")
	for _, s := range []string{"icarus", "verilator"} {
		dir := filepath.Join("sim/TestFailHelper", s)
		for name, want := range map[string]string{
			s + ".fst":    "\x00\x00\x00", // an FST begins with lengths
			"wave.gtkw":   s + ".fst",
			"wave.svg":    "count_o",
			"report.html": "count_o",
			"report.txt":  "counter differs from its model in cycle",
			"shrunk.txt":  " still fail", // how few there are depends on the time that is given
		} {
			if got, ok := files[filepath.Join(dir, name)]; !ok || !strings.Contains(got, want) {
				t.Errorf("%s/%s lacks %q: %.300q", s, name, want, got)
			}
			if !strings.Contains(out, filepath.Join(dir, name)) {
				t.Errorf("the log does not name %s/%s:\n%s", s, name, out)
			}
		}
	}
	if want := "-run '^TestFailHelper$/^icarus$' -sim.seed=3"; !strings.Contains(out, want) {
		t.Errorf("the log lacks %q", want)
	}
}

// What GTKWave's save file names is in the waveform that it belongs to: GTKWave says nothing of
// names that are not.
func TestSaveFileFitsWaveform(t *testing.T) {
	if _, err := exec.LookPath("fst2vcd"); err != nil {
		t.Skip("fst2vcd (of GTKWave) is not installed: make test installs it")
	}
	_, files := failing(t, "check")
	for _, s := range []string{"icarus", "verilator"} {
		dir := filepath.Join("sim/TestFailHelper", s)
		fst := filepath.Join(t.TempDir(), "w.fst")
		if err := os.WriteFile(fst, []byte(files[filepath.Join(dir, s+".fst")]), 0o666); err != nil {
			t.Fatal(err)
		}
		vcd, err := exec.Command("fst2vcd", fst).Output()
		if err != nil {
			t.Fatal(err)
		}
		var scope []string
		signals := map[string]bool{}
		for line := range strings.Lines(string(vcd)) {
			switch f := strings.Fields(line); {
			case len(f) > 2 && f[0] == "$scope":
				scope = append(scope, f[2])
			case len(f) > 0 && f[0] == "$upscope":
				scope = scope[:len(scope)-1]
			case len(f) > 4 && f[0] == "$var":
				signals[strings.Join(scope, ".")+"."+strings.Join(f[4:len(f)-1], "")] = true
			}
		}
		named := 0
		for line := range strings.Lines(files[filepath.Join(dir, "wave.gtkw")]) {
			if line = strings.TrimSpace(line); strings.Contains(line, "counter.") && !strings.HasPrefix(line, "[") {
				if named++; !signals[line] {
					t.Errorf("%s: %s is not in the waveform, which has %v", s, line, slices.Sorted(maps.Keys(signals)))
				}
			}
		}
		if named != 5 { // clock, reset, enable, count, wrap
			t.Errorf("%s: the save file names %d signals", s, named)
		}
	}
}

// RTL that finds an error itself in the middle of a tape is reported with that cycle, though the
// tape went on.
func TestErrorWithinATape(t *testing.T) {
	d := counter
	d.FS = patched(t, "counter.sv", "endmodule", `
  always @(posedge clk_i) if (count_q == 10 && !rst_i) $error("ten is too many");
endmodule`)
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		for how, test := range map[string]func(testing.TB, *sim.DUT[counterIn, counterOut]){
			"Check": func(t testing.TB, dut *sim.DUT[counterIn, counterOut]) {
				sim.Check(t, dut, &counterModel{}, steady(5000))
			},
			"Run": func(t testing.TB, dut *sim.DUT[counterIn, counterOut]) {
				if err := dut.Reset(3); err != nil {
					t.Fatal(err)
				}
				if err := dut.Run(slices.Collect(steady(5000)), make([]counterOut, 5000)); err != nil {
					dut.Fail(t, err)
				}
			},
			// differs as well, but later
			"Expect": func(t testing.TB, dut *sim.DUT[counterIn, counterOut]) {
				if err := dut.Reset(3); err != nil {
					t.Fatal(err)
				}
				if err := dut.Expect(slices.Collect(steady(20)), make([]counterOut, 20), func(want counterOut) counterOut {
					return counterOut{Count: 0xf}
				}); err != nil {
					dut.Fail(t, err)
				}
			},
		} {
			report := failure(t, func(t testing.TB) { test(t, sim.OpenTest[counterIn, counterOut](t, d, s)) })
			if want := "counter failed in cycle 13 "; !strings.Contains(report, want) || !strings.Contains(report, "ten is too many") {
				t.Errorf("%s: the report lacks %q:\n%s", how, want, report)
			}
			if last := regexp.MustCompile(`(?m)^count_o .* 09 0a$`); !last.MatchString(report) {
				t.Errorf("%s: the waveform does not end in that cycle:\n%s", how, report)
			}
		}
	})
}

// steady counts in each cycle.
func steady(cycles int) iter.Seq[counterIn] {
	return func(yield func(counterIn) bool) {
		for range cycles {
			if !yield(counterIn{Enable: true}) {
				return
			}
		}
	}
}

// go test does not look at files outside of the module: with a result that it would keep, that is
// an error.
func TestFilesOutsideOfTheModule(t *testing.T) {
	const want = "outside of the module"
	if out, _ := failing(t, "outside", "-test.testlogfile="+filepath.Join(t.TempDir(), "log")); !strings.Contains(out, want) {
		t.Errorf("the log lacks %q:\n%s", want, out)
	}
	if out, _ := failing(t, "outside"); strings.Contains(out, want) {
		t.Errorf("where nothing is kept, too:\n%s", out)
	}
	made := counter
	made.FS = os.DirFS(t.TempDir()) // this test made it, and it has no files
	if report := failure(t, func(t testing.TB) { sim.OpenTest[counterIn, counterOut](t, made, sim.Icarus) }); strings.Contains(report, want) {
		t.Error(report)
	}
}

// That a DUT cannot be opened is an error in the test's own line.
func TestNotOpenNamesTheTest(t *testing.T) {
	out, _ := failing(t, "not open")
	if got := len(regexp.MustCompile(`(?m)^ +failure_test\.go:\d+: \w+: module counter: there is no port tick_i`).FindAllString(out, -1)); got != 2 {
		t.Errorf("%d of 2 simulators' errors are in a line of failure_test.go:\n%s", got, out)
	}
}

// That the constraints of a stimulus cannot be held is one, too, though the framework draws it.
func TestUnsatisfiableNamesTheTest(t *testing.T) {
	out, _ := failing(t, "unsatisfiable", "-sim.wave=off")
	if got := len(regexp.MustCompile(`(?m)^ +failure_test\.go:\d+: stim: cycle 0, seed 1: none of`).FindAllString(out, -1)); got != 2 {
		t.Errorf("%d of 2 simulators' errors are in a line of failure_test.go:\n%s", got, out)
	}
}

func TestLockstepReportsAll(t *testing.T) {
	out, files := failing(t, "lockstep")
	for _, want := range []string{"on icarus, verilator: count_o", "model  icarus  verilator"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	for _, name := range []string{"icarus.fst", "verilator-2.fst"} {
		if files["sim/TestFailHelper/"+name] == "" {
			t.Errorf("no %s among %v", name, slices.Sorted(maps.Keys(files)))
		}
	}
}

// A testbench without Check, too, has its last cycles shown and recorded.
func TestFailureByHandLeavesEvidence(t *testing.T) {
	out, files := failing(t, "by hand")
	if files["sim/TestFailHelper/icarus/icarus.fst"] == "" || files["sim/TestFailHelper/verilator/verilator.fst"] == "" || !strings.Contains(out, "in cycle 49 (505ns): counter on icarus: the test failed after 50 cycles") {
		t.Errorf("%v\n%s", slices.Sorted(maps.Keys(files)), out)
	}
}

// A testbench that goes on after a difference is reported with that, not with where it ended.
func TestFailureAfterComparing(t *testing.T) {
	_, checked := failing(t, "check")
	_, compared := failing(t, "compared")
	const report = "sim/TestFailHelper/icarus/report.txt"
	text := func(files map[string]string) string {
		body, _, _ := strings.Cut(files[report], "seed")
		return body
	}
	if diff := cmp.Diff(text(checked), text(compared)); diff != "" || text(checked) == "" {
		t.Errorf("the report is another one than Check's (-want +got):\n%s", diff)
	}
	if compared["sim/TestFailHelper/icarus/icarus.fst"] == "" {
		t.Errorf("no waveform among %v", slices.Sorted(maps.Keys(compared)))
	}
}

// A DUT may belong to a test around the one that fails, as a fuzz test's does: one second run
// records it, and one report is made.
func TestFailureOfASharedDUT(t *testing.T) {
	out, files := failing(t, "shared")
	dir := "sim/TestFailHelper/second/"
	for _, name := range []string{"verilator.fst", "verilator-2.fst", "wave.gtkw", "shrunk.txt"} {
		if files[dir+name] == "" {
			t.Errorf("no %s among %v", name, slices.Sorted(maps.Keys(files)))
		}
	}
	if n := strings.Count(out, "; again: "); n != 1 || strings.Contains(out, "not all files were made") || !strings.Contains(files[dir+"wave.gtkw"], "verilator.fst") {
		t.Errorf("%d reports:\n%s\n%s", n, out, files[dir+"wave.gtkw"])
	}
}

func TestFailureThatDoesNotComeAgain(t *testing.T) {
	out, _ := failing(t, "by chance")
	if want := "run again to record them, passed: something in it does not follow from -sim.seed"; !strings.Contains(out, want) {
		t.Errorf("the log lacks %q:\n%s", want, out)
	}
}

// Files of an earlier failure that cannot be removed are not taken for this one's.
func TestFilesOfAnEarlierFailure(t *testing.T) {
	keep := t.TempDir()
	dir := filepath.Join(keep, "sim/TestFailHelper/icarus")
	if err := os.MkdirAll(filepath.Join(dir, "shrunk.txt", "not empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	out, _ := failing(t, "check", "-sim.only=icarus", "-sim.keep="+keep)
	if !strings.Contains(out, "not all files were made: of an earlier failure: remove "+dir) || strings.Contains(out, "the fewest steps") || strings.Contains(out, "all signals of the module") {
		t.Errorf("it printed:\n%s", out)
	}
}

// Two processes that run the same test at once do not mix their files.
func TestFailuresAtOnce(t *testing.T) {
	keep := t.TempDir()
	dir := filepath.Join(keep, "sim/TestFailHelper/icarus")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	// as the other process does
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, ".lock")).Lock()
	if err != nil {
		t.Fatal(err)
	}
	written := func() bool {
		_, err := os.Stat(filepath.Join(dir, "report.txt"))
		return err == nil
	}
	early := make(chan bool, 1)
	go func() {
		time.Sleep(time.Second)
		early <- written()
		unlock()
	}()
	out, _ := failing(t, "check", "-sim.only=icarus", "-sim.wave=off", "-sim.keep="+keep)
	if <-early || !written() {
		t.Errorf("the report was not written, or while another process had the folder:\n%s", out)
	}
}

// Of a second run that panics, the panic is shown, not the end of a stack.
func TestFailureThatDiesThen(t *testing.T) {
	out, _ := failing(t, "dies then")
	if want := "run again to record them, ended with exit status 2: panic: at the second try"; !strings.Contains(out, want) {
		t.Errorf("the log lacks %q:\n%s", want, out)
	}
}

// FORCE_COLOR colours a report that is not for a terminal, unless it is 0.
func TestForceColor(t *testing.T) {
	const escape = "\x1b["
	for value, want := range map[string]bool{"": false, "0": false, "1": true} {
		t.Setenv("NO_COLOR", "")
		t.Setenv("FORCE_COLOR", value)
		if out, _ := failing(t, "check", "-sim.wave=off", "-sim.only=verilator"); strings.Contains(out, escape) != want {
			t.Errorf("FORCE_COLOR=%q gives\n%s", value, out)
		}
	}
}

func TestWaveFlag(t *testing.T) {
	out, files := failing(t, "passes", "-sim.wave=all")
	for _, s := range []string{"icarus", "verilator"} {
		if files["sim/TestFailHelper/"+s+"/"+s+".fst"] == "" {
			t.Errorf("no waveform of %s:\n%s", s, out)
		}
	}
	_, files = failing(t, "check", "-sim.wave=off")
	for name := range files {
		if filepath.Ext(name) == ".fst" || strings.HasSuffix(name, "shrunk.txt") {
			t.Errorf("-sim.wave=off leaves %s", name)
		}
	}
	out, _ = failing(t, "check", "-sim.wave=10")
	if want := "-sim.wave=10: use off, all, or FROM:TO in cycles"; !strings.Contains(out, want) {
		t.Errorf("the log lacks %q:\n%s", want, out)
	}
}

// Coverage names the files of folders by where they are: one file has one name, and two have two.
func TestCoveredFiles(t *testing.T) {
	dir := t.TempDir()
	out, _ := failing(t, "passes from three folders", "-sim.cover="+dir, "-sim.toggle=false")
	d, _, err := coverdb.Read(dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for p := range d.Code {
		if d.Files[p.File] == "" {
			t.Errorf("nothing is known of %s, but its points", p.File)
		}
	}
	names := slices.Sorted(maps.Keys(d.Files))
	if len(names) != 2 || !strings.HasPrefix(names[0], "../") || path.Base(names[0]) != "counter.sv" || names[1] != "sim/testdata/counter.sv" {
		t.Errorf("the files are called %q", names)
	}
}

// Toggles are counted unless a flag forbids it.
func TestToggleFlag(t *testing.T) {
	for _, toggles := range []bool{true, false} {
		dir := t.TempDir()
		out, _ := failing(t, "passes", "-sim.cover="+dir, fmt.Sprintf("-sim.toggle=%v", toggles))
		files, _ := filepath.Glob(filepath.Join(dir, "*.coverage"))
		if len(files) != 1 {
			t.Fatalf("%d coverage databases:\n%s", len(files), out)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(data), "toggle"); got != toggles || !strings.Contains(string(data), "branch") {
			t.Errorf("-sim.toggle=%v: toggles are counted: %v; the database is\n%s", toggles, got, data)
		}
	}
}
