package sim

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/internal/module"
	"github.com/cosimate/cosimate/sim/report"
)

// A test's DUTs share one folder of files, and one second run.
type testRun struct {
	began    time.Time
	deadline time.Time
	duts     int       // opened so far, also by the tests around it
	first    sync.Once // for differs: two DUTs in lockstep may differ at the same time
	file     string    // where the test opened a DUT
	line     int
	// makes the report of the first difference of one of the DUTs; nil: there was none
	differs func() string
	done    bool // a failure of the test, or of a subtest, has been reported
	second  bool // this is the second run of this test, of a test around it or of a subtest
	// if so, what to record for this test, or for a subtest, which may use the same DUTs
	again *rerun
}

var testRuns = struct {
	sync.Mutex
	of map[testing.TB]*testRun
}{of: map[testing.TB]*testRun{}}

// runOf returns what the DUTs of a test share.
func runOf(t testing.TB) *testRun {
	testRuns.Lock()
	defer testRuns.Unlock()
	r := testRuns.of[t]
	if r == nil {
		r = &testRun{began: time.Now()}
		if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
			r.deadline, _ = d.Deadline()
		}
		var err error
		if r.again, err = rerunOf(t); err != nil {
			t.Fatal(err)
		}
		if r.second = r.again != nil; r.second && !r.again.records(t) {
			r.again = nil
		}
		for other, outer := range testRuns.of {
			if within(t.Name(), other.Name()) {
				r.duts = max(r.duts, outer.duts)
			}
		}
		testRuns.of[t] = r
		t.Cleanup(func() {
			testRuns.Lock()
			defer testRuns.Unlock()
			delete(testRuns.of, t)
		})
	}
	return r
}

// reported notes that the failure of a test has been reported. The tests around it fail with it,
// and need no report of their own.
func reported(t testing.TB) {
	testRuns.Lock()
	defer testRuns.Unlock()
	for other, r := range testRuns.of {
		if t == other || within(t.Name(), other.Name()) {
			r.done = true
		}
	}
}

// within reports whether a test is a subtest of another.
func within(test, outer string) bool { return strings.HasPrefix(test, outer+"/") }

// A second run records this many cycles before and after the cycle of the failure.
const (
	before = 200
	after  = 3
)

// longest is how many cycles before the failure a second run records at most.
const longest = 50_000

// recordFrom returns the cycle from which a second run records: where the transactions began that
// the failure is about, and those that were under way then, but not too far back.
func recordFrom(f *report.Failure) uint64 {
	began := f.Began()
	from := began
	for _, t := range f.Transactions {
		if t.To >= began {
			from = min(from, t.From)
		}
	}
	from -= min(from, (f.Cycle-from)/20)
	return min(f.Cycle-min(f.Cycle, before), max(from, f.Cycle-min(f.Cycle, longest)))
}

// filesDir returns the folder for a test's files, and makes it if need be.
func filesDir(t testing.TB) (string, error) {
	switch {
	case artifacts():
		return t.ArtifactDir(), nil
	case *keepFlag != "":
		keep, err := module.Folder(*keepFlag)
		if err != nil {
			return "", fmt.Errorf("-sim.keep=%s: %w", *keepFlag, err)
		}
		dir := filepath.Join(keep, filepath.FromSlash(module.Package()), fileName(t.Name()))
		return dir, os.MkdirAll(dir, 0o777)
	}
	dir, err := failuresDir(t)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o777)
}

// waveName returns the name of the file for the waveform of the test's next DUT: the simulator's
// name, with a number from the second DUT on. A second run opens the same DUTs in the same order.
func (r *testRun) waveName(s Simulator) string {
	r.duts++
	if r.duts > 1 {
		return fmt.Sprintf("%s-%d.fst", s, r.duts)
	}
	return string(s) + ".fst"
}

// waveOptions returns the options with which a test's DUT records its waveform, if it should.
func (r *testRun) waveOptions(t testing.TB, name string) ([]Option, error) {
	if r.again != nil {
		return []Option{WithWave(filepath.Join(r.again.Dir, name), r.again.From, r.again.To)}, nil
	}
	if *waveFlag == "" || *waveFlag == "off" {
		return nil, nil
	}
	from, to, err := window(*waveFlag)
	if err != nil {
		return nil, err
	}
	dir, err := filesDir(t)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	fmt.Fprintf(t.Output(), "waveform: %s\n", path)
	return []Option{WithWave(path, from, to)}, nil
}

// window parses -sim.wave.
func window(text string) (from, to uint64, err error) {
	if text == "all" {
		return 0, ^uint64(0), nil
	}
	a, b, ok := strings.Cut(text, ":")
	from, errFrom := strconv.ParseUint(a, 10, 64)
	to, errTo := strconv.ParseUint(b, 10, 64)
	if !ok || errFrom != nil || errTo != nil || to < from {
		return 0, 0, fmt.Errorf("-sim.wave=%s: use off, all, or FROM:TO in cycles, for example 100:250", text)
	}
	return from, to, nil
}

// caller returns the line of the test that called this package, or one in a folder below it. That
// is the line in the test function, or else the one in the innermost helper. It is "" and 0 if the
// test has ended.
func caller(t testing.TB) (file string, line int) {
	test, _, _ := strings.Cut(t.Name(), "/")
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		ours := strings.HasPrefix(f.Function, "github.com/cosimate/cosimate/sim") && !strings.HasSuffix(f.File, "_test.go")
		if !more || strings.HasPrefix(f.Function, "testing.") {
			return file, line
		}
		if ours || strings.HasPrefix(f.Function, "runtime.") {
			continue
		}
		inTest := strings.Contains(f.Function+".", "."+test+".")
		if inTest || file == "" {
			file, line = f.File, f.Line
		}
		if inTest {
			return file, line
		}
	}
}

// place returns the line that an error is about: the line of a process if the error has one, or
// else where the test called this package, or else where it opened a DUT.
func (r *testRun) place(t testing.TB, err error) (file string, line int) {
	var placed interface{ Place() (string, int) }
	if errors.As(err, &placed) {
		if file, line := placed.Place(); file != "" {
			return file, line
		}
	}
	file, line = caller(t)
	if file == "" { // found at the test's end
		return r.file, r.line
	}
	return file, line
}

// Fail ends a test with an error of this DUT or of the testbench around it. Beside the message it
// leaves files: a report as a page, and a waveform of all signals in the last cycles, for which it
// runs the test again. They are in the folder that -artifacts or -sim.keep name, or else in the
// user's cache.
func (d *DUT[I, O]) Fail(t testing.TB, err error) {
	t.Helper()
	t.Fatal(d.device.report(t, err))
}

// report makes the files of a failure and returns its text.
func (d *device) report(t testing.TB, err error) string {
	r := runOf(t)
	if r.second || r.done || fuzzing() {
		return err.Error()
	}
	reported(t)
	f := d.failure()
	var diff *Difference
	var input *inputError
	switch {
	case errors.As(err, &diff):
		f = diff.Failure
	case errors.As(err, &input):
		f.Cycle, f.At = input.cycle, bridge.NewSchedule(d.clocks).Instant(input.cycle)
		f.Reason = err.Error() + "\n\nThat cycle was not done: the waveform ends before it."
	default:
		f.Reason = err.Error()
	}
	var bench interface{ Transactions() []report.Transaction }
	if errors.As(err, &bench) {
		f.Transactions = bench.Transactions()
	}
	f.Reproduce = reproduce(t)
	f.File, f.Line = r.place(t, err)

	if *recordFlag != "" {
		if err := f.Record(t.Name()).Append(*recordFlag); err != nil {
			f.Note = strings.TrimPrefix(f.Note+"\n\n"+fmt.Sprintf("-sim.failures=%s: %v", *recordFlag, err), "\n\n")
		}
		return f.Text(false)
	}
	dir, problem := filesDir(t)
	if problem == nil {
		problem = r.files(t, dir, d.waveName, &f, diff != nil)
	}
	if problem != nil {
		f.Note = strings.TrimPrefix(f.Note+"\n\n"+"not all files were made: "+problem.Error(), "\n\n")
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		fmt.Println(f.Annotation())
	}
	return f.Text(colour())
}

// fuzzing reports whether this is a run of go test -fuzz. Such a run fails many times, until the
// input that it keeps is short. The report is made when the test is run with that input.
func fuzzing() bool {
	f := flag.Lookup("test.fuzz")
	return f != nil && f.Value.String() != ""
}

// waveforms returns the paths of the waveforms in a folder. The folder's name may have any
// characters.
func waveforms(dir string) (paths []string) {
	names, _ := fs.Glob(os.DirFS(dir), "*.fst")
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// files makes all files of a failure, and lists them in f. The same test in another process has the
// same folder, and waits.
func (r *testRun) files(t testing.TB, dir, wave string, f *report.Failure, shrink bool) error {
	unlock, problem := lockedfile.MutexAt(filepath.Join(dir, ".lock")).Lock()
	if problem == nil {
		defer unlock()
		problem = r.evidence(t, dir, wave, f, shrink)
	}
	files, err := report.Write(dir, f)
	f.Files = append(files, f.Files...)
	return errors.Join(problem, err)
}

// evidence runs the test again, unless flags forbid it, and lists the files that this leaves.
func (r *testRun) evidence(t testing.TB, dir, wave string, f *report.Failure, shrink bool) error {
	if *waveFlag == "off" {
		return nil
	}
	if *waveFlag != "" {
		f.Files = append(f.Files, report.File{Path: filepath.Join(dir, wave), About: "signals, complete when the test has ended"})
		return nil
	}
	for _, path := range append(waveforms(dir), filepath.Join(dir, shrunkFile)) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			// or else it would be taken for a file of this failure
			return fmt.Errorf("of an earlier failure: %w", err)
		}
	}
	again := rerun{Test: t.Name(), Dir: dir, From: recordFrom(f), To: f.Cycle + after, Shrink: shrink}
	said, err := again.run(r.deadline, time.Since(r.began))
	for _, path := range waveforms(dir) {
		if filepath.Base(path) == wave {
			f.FST = path
		} else {
			f.Files = append(f.Files, report.File{Path: path, About: "all signals in another simulator or instance"})
		}
	}
	if f.FST == "" && err == nil && len(f.Wave.Cycles) > 0 {
		err = fmt.Errorf("there is no %s; the test, run again to record it, said:\n%s", wave, said)
	}
	path := filepath.Join(dir, shrunkFile)
	if text, err := os.ReadFile(path); err == nil {
		about, _, _ := strings.Cut(string(text), "\n")
		f.Files = append(f.Files, report.File{Path: path, About: about})
	}
	return err
}

// colour reports whether the report is for a terminal. Tests have a terminal only where go test
// runs a single package. FORCE_COLOR asks for colours in all other cases; FORCE_COLOR=0 is
// NO_COLOR.
func colour() bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	switch os.Getenv("FORCE_COLOR") {
	case "":
	case "0":
		return false
	default:
		return true
	}
	_, err := unix.IoctlGetTermios(int(os.Stdout.Fd()), unix.TCGETS)
	return err == nil
}
