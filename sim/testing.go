package sim

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/sim/cover"
	"github.com/cosimate/cosimate/sim/internal/module"
)

// Flags of go test, for every package whose tests import this one.
var (
	seedFlag   = flag.Uint64("sim.seed", 1, "seed of power-up values (Verilator) and of testbenches' stimulus")
	onlyFlag   = flag.String("sim.only", "", "run on this simulator only: icarus or verilator")
	waveFlag   = flag.String("sim.wave", "", "waveforms of all signals of all tests' DUTs: off, all, or FROM:TO in cycles; by default, of the last cycles of those that fail")
	keepFlag   = flag.String("sim.keep", "", "folder for waveforms and reports; by default that of -artifacts, or else one in the user's cache")
	recordFlag = flag.String("sim.failures", "", "append a line of JSON for each failure to this file, and make no waveforms and reports; cosimate regress reads it")
	toggleFlag = flag.Bool("sim.toggle", true, "with -sim.cover: count toggles of bits as well; false is much faster for large designs, in compiling too")
	liveFlag   = flag.Bool("sim.live", false, "serve the page of the first DUT instead of running its test; needs -v and an import of sim/live/ports")
	timeFlag   = flag.Bool("sim.time", false, "print where the time of each DUT went: build, simulator, bridge, Go")
)

// artifacts reports whether go test was given -artifacts.
func artifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// Seed returns the value of -sim.seed, by default 1. Testbenches derive their random stimulus from
// it, so that a run can be repeated.
func Seed() uint64 { return *seedFlag }

// chosen returns the simulators that tests run on.
func chosen(t testing.TB) []Simulator {
	t.Helper()
	if *onlyFlag == "" {
		return Simulators
	}
	s, err := ParseSimulator(*onlyFlag)
	if err != nil {
		t.Fatalf("-sim.only: %v", err)
	}
	return []Simulator{s}
}

// ForEach runs body as a subtest for each simulator, with a new DUT. The subtests are called icarus
// and verilator. If a simulator is not installed, the test fails with the command that installs it.
// What the RTL prints goes to the test's log.
func ForEach[I, O any](t *testing.T, d Design, body func(t *testing.T, dut *DUT[I, O])) {
	t.Helper()
	ForEachSimulator(t, func(t *testing.T, s Simulator) {
		t.Helper() // that the DUT cannot be opened is an error in the line of ForEach
		body(t, OpenTest[I, O](t, d, s))
	})
}

// ForEachSimulator is [ForEach] for a body that opens its DUT itself, with [OpenTest]. It is for
// DUTs with options: a function for events or answers often has state, which must be new in each
// subtest.
func ForEachSimulator(t *testing.T, body func(t *testing.T, s Simulator)) {
	t.Helper()
	file, line := caller(t)
	for _, s := range chosen(t) {
		t.Run(string(s), func(t *testing.T) {
			t.Helper()
			run := runOf(t)
			run.file, run.line = file, line
			body(t, s)
		})
	}
}

// OpenTest opens a DUT for a test and closes it at the test's end. If it cannot, the test fails. A
// test that fails for any reason leaves waveforms and a report: see [DUT.Fail].
func OpenTest[I, O any](t testing.TB, d Design, s Simulator, opts ...Option) *DUT[I, O] {
	t.Helper()
	if err := watched(d); err != nil {
		t.Fatal(err)
	}
	if *liveFlag {
		serveTest(t, d, s)
	}
	run := runOf(t)
	if file, line := caller(t); file != "" {
		run.file, run.line = file, line
	}
	waveName := run.waveName(s)
	mine, err := run.waveOptions(t, waveName)
	if err != nil {
		t.Fatal(err)
	}
	logger := hclog.New(&hclog.LoggerOptions{Output: testWriter{t}, DisableTime: true})
	if *timeFlag {
		mine = append(mine, func(o *options) { o.Timed = true }) // some 50 ns a cycle
	}
	counted := cover.Enabled() && s == Verilator
	var file func(string) string
	if counted {
		mine = append(mine, codeCoverage())
		file = sourceName(d) // before a test changes its folder
	}
	mine = append(mine, WithSeed(*seedFlag), WithLogger(logger))
	mine = append(mine, func(o *options) { o.tapeName = t.Name() })
	dut, err := Open[I, O](t.Context(), d, s, append(mine, opts...)...)
	if errors.Is(err, bridge.ErrBuilt) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var sources []cover.Source
	if counted {
		read, err := d.Sources() // before a test changes them
		if err != nil {
			t.Error(err)
		}
		for _, s := range read {
			sources = append(sources, cover.Source{Name: s.Name, Text: s.Data})
		}
	}
	dut.device.waveName = waveName
	dut.device.differs = func(diff *Difference) {
		run.first.Do(func() { run.differs = func() string { return dut.device.report(t, diff) } })
	}
	t.Cleanup(func() {
		t.Helper()
		if !t.Failed() && !t.Skipped() && !panicking() {
			for _, err := range dut.device.todo {
				reported(t) // waveforms would not help
				t.Error(*err)
			}
		}
		if *timeFlag {
			fmt.Fprintf(t.Output(), "%s on %s: %v\n", d.Top, s, dut.device.times())
		}
		if counted {
			if data, err := dut.Coverage(); err != nil {
				reported(t)
				t.Error(err)
			} else {
				cover.AddCode(t, file, sources, data)
			}
		}
		if err := dut.Close(); err != nil {
			if _, stopped := errors.AsType[*bridge.StopError](err); !stopped {
				reported(t) // it is not the RTL's
			}
			t.Error(err)
		}
		if t.Failed() && !run.done && !run.second && !fuzzing() {
			// The testbench found it, not Check.
			report := run.differs
			if report == nil {
				report = func() string {
					return dut.device.report(t, fmt.Errorf("%s on %s: the test failed after %d cycles", d.Top, s, dut.device.cycle))
				}
			}
			fmt.Fprintln(t.Output(), report())
		}
	})
	return dut
}

// Unfinished notes that something must still be done with the DUT: a bench that was given processes
// must be run, for example. If the test passes before done is called, it fails with err. This works
// only for a DUT that [OpenTest] has opened.
func (d *DUT[I, O]) Unfinished(err error) (done func()) { return d.device.unfinished(err) }

func (d *device) unfinished(err error) (done func()) {
	d.todo = append(d.todo, &err)
	return func() {
		d.todo = slices.DeleteFunc(d.todo, func(e *error) bool { return e == &err })
	}
}

// panicking reports whether a deferred function runs because of a panic. In a test's cleanup Failed
// is not true yet then.
func panicking() bool {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			return true
		}
		if !more {
			return false
		}
	}
}

// begin is the time at which the process began, less a second, as folders' times are coarse.
var begin = time.Now().Add(-time.Second)

// watched returns an error if go test would answer "(cached)" although the design's files have
// changed: it looks at no file outside of the module. There is no such error in a run whose result
// is not kept, as with -count=1, nor for a folder that the test has made.
func watched(d Design) error {
	// what go test reads the names of the files from that a test has opened
	log := flag.Lookup("test.testlogfile")
	if log == nil || log.Value.String() == "" {
		return nil
	}
	root, dir, rel := located(d)
	if dir == "" || filepath.IsLocal(rel) {
		return nil
	}
	if info, err := os.Stat(dir); err != nil || info.ModTime().After(begin) {
		return nil
	}
	return fmt.Errorf("the files of %s are in %s, outside of the module in %s: go test does not see when they change and would "+
		"answer (cached) to RTL that is broken; put go.mod into a folder above both or a symbolic link to the files into the module, "+
		"or run go test with -count=1", d.Top, dir, root)
}

// located returns where the files of a design are, if its FS is an [os.DirFS]: the module's root,
// their folder, and the folder's path from the root. For another FS, and without a module, the
// folder is "".
func located(d Design) (root, dir, rel string) {
	folder := reflect.ValueOf(d.FS)
	if d.FS == nil || folder.Type() != reflect.TypeOf(os.DirFS(".")) {
		return "", "", ""
	}
	root, err := module.Root()
	if err != nil {
		return "", "", ""
	}
	if dir, err = filepath.Abs(folder.String()); err != nil {
		return "", "", ""
	}
	if rel, err = filepath.Rel(root, dir); err != nil {
		return "", "", ""
	}
	return root, dir, rel
}

// sourceName returns a function from the name that a compiled model has for a file of its design to
// the file's path from the module's root. If it is not known where the files are, they are taken to
// be in Design.Dir, or else in the package's own folder.
func sourceName(d Design) func(name string) string {
	base := d.Dir
	if _, dir, rel := located(d); dir != "" {
		base = filepath.ToSlash(rel)
	} else if base == "" {
		base = module.Package()
	}
	return func(name string) string {
		if d.Dir != "" {
			name = strings.TrimPrefix(name, path.Clean(d.Dir)+"/")
		}
		return path.Join(base, name)
	}
}

// codeCoverage returns the option for what -sim.cover counts.
func codeCoverage() Option {
	if *toggleFlag {
		return WithCoverage()
	}
	return WithLineCoverage()
}

// testWriter writes log lines to a test's log.
type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	if _, ok := w.t.(*testing.F); ok {
		defer func() {
			if recover() != nil { // the fuzz test's own log is closed while a case runs
				os.Stderr.Write(b)
			}
		}()
	}
	return w.t.Output().Write(b)
}

// reproduce returns the command that runs this test again, from the module's root. Build flags,
// flags of the test's own package and flags that choose what runs are part of it, as what the test
// does may depend on them.
func reproduce(t testing.TB) string {
	words := []string{"go", "test"}
	if built, ok := debug.ReadBuildInfo(); ok {
		for _, s := range built.Settings {
			if s.Key == "-tags" || s.Key == "-race" {
				words = append(words, s.Key+"="+s.Value)
			}
		}
	}
	words = append(words, module.Package(), "-run", pattern(t.Name()), fmt.Sprintf("-sim.seed=%d", *seedFlag), "-count=1")
	flag.Visit(func(f *flag.Flag) {
		name := strings.TrimPrefix(f.Name, "test.")
		ours := name != f.Name || strings.HasPrefix(f.Name, "sim.")
		// a subtest is of one anyway
		chosen := name == "sim.only" && !slices.Contains(strings.Split(t.Name(), "/"), f.Value.String())
		if !ours || name == "short" || chosen {
			words = append(words, "-"+name+"="+f.Value.String())
		}
	})
	for i := range words {
		words[i] = shell.Quote(words[i])
	}
	return strings.Join(words, " ")
}

// pattern returns the -run that selects just one test.
func pattern(test string) string {
	var path []string
	for part := range strings.SplitSeq(test, "/") {
		path = append(path, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(path, "/")
}
