// Command faults checks the tests of the bridge, the framework and the search: it plants faults,
// one at a time, and runs the tests that must find each.
//
//	go run ./scripts/faults [-run REGEXP] [-part I/N] [-j 2] [-v]
//
// scripts/faults.plan plants all of them, in parts.
//
// A fault is a piece of text in one file and the text in its place. The lists are in verilator.go,
// icarus.go, build.go, sim.go, benches.go, tools.go, search.go, waves.go, live.go, lanes.go,
// mutate.go and agents.go. A fault is planted with -overlay of go test, so no file of the tree
// changes. This also replaces embedded files, such as the C and C++ that models are compiled with.
//
// First all the tests run without a fault, and must pass. Then they run with each fault. The fault
// is found if they fail and their output has a text that shows that they failed for this reason.
// Each fault has its own cache of models, in which the models of the user's cache can be read.
//
// The exit status is 1 if a fault is not found, does not compile, or its text no longer occurs
// exactly once; 2 after misuse, 130 after Ctrl-C.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/internal/modelpack"
)

// fault is one fault.
type fault struct {
	name string // what is wrong, in a few words
	file string // from the module's root
	old  string // the text that is replaced, which occurs once in the file
	new  string
	// test is the package and the -run pattern of the tests that must find the fault:
	// "./bridge TestCycle/icarus".
	test string
	says string // a part of what these tests print with the fault
	// fresh is set if all models must be built again, because they depend on what the fault
	// changes.
	fresh bool
}

// faults are all faults that can be planted.
var faults = slices.Concat(verilatorFaults, icarusFaults, buildFaults, simFaults, benchFaults, liveFaults, toolFaults, searchFaults, waveFaults, laneFaults, mutateFaults, agentFaults)

// limit is how long the tests of one fault may take.
const limit = 5 * time.Minute

func main() {
	pattern := flag.String("run", "", "plant only the faults whose name or file matches this regular expression")
	part := flag.String("part", "1/1", "plant only part `i/n` of these faults")
	jobs := flag.Int("j", 2, "how many faults are tried at the same time")
	verbose := flag.Bool("v", false, "print what the tests of each fault print")
	flag.Parse()
	match, err := regexp.Compile(*pattern)
	chosen, err2 := choose(match, *part)
	if err := errors.Join(err, err2); err != nil || flag.NArg() > 0 || *jobs < 1 {
		fmt.Fprintln(os.Stderr, "error: usage: faults [-run REGEXP] [-part I/N] [-j JOBS] [-v]", cmp.Or(err, errors.New("")))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, chosen, *jobs, *verbose)
	if ctx.Err() != nil {
		code = 130
	}
	stop()
	os.Exit(code)
}

// choose returns the faults that match, or part i/n of them. Those of a package are together, as
// far as that goes: its tests run once without a fault for all of a part.
func choose(match *regexp.Regexp, part string) ([]fault, error) {
	if match == nil {
		return nil, nil
	}
	chosen := slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return !match.MatchString(f.name) && !match.MatchString(f.file) })
	var i, n int
	if _, err := fmt.Sscanf(part, "%d/%d", &i, &n); err != nil || i < 1 || i > n {
		return nil, fmt.Errorf("-part %s is not i/n", part)
	}
	if len(chosen) < n {
		return nil, fmt.Errorf("-part %s of %d faults", part, len(chosen))
	}
	slices.SortStableFunc(chosen, func(a, b fault) int { return strings.Compare(a.test, b.test) })
	return chosen[(i-1)*len(chosen)/n : i*len(chosen)/n], nil
}

func run(ctx context.Context, chosen []fault, jobs int, verbose bool) (code int) {
	failed := func(format string, args ...any) int {
		fmt.Fprintf(os.Stderr, "error: "+format+"\n", args...)
		return 1
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return failed("%v", err)
	}
	work, err := os.MkdirTemp("", "cosimate-faults-")
	if err != nil {
		return failed("%v", err)
	}
	defer os.RemoveAll(work)
	r := &runner{root: root, work: work, healthy: filepath.Join(work, "healthy"), flags: map[string][]string{}, broken: map[string]bool{}}

	start := time.Now()
	// Models in the user's own cache need not be built again.
	if cache, err := cachedir.Path(); err == nil {
		if err := shareEntries(cache, r.healthy, false); err != nil {
			return failed("%v", err)
		}
	}
	fmt.Printf("%d faults. First, the tests that must find them, without a fault\n", len(chosen))
	if err := r.prepare(ctx, chosen, jobs); err != nil {
		if ctx.Err() != nil {
			return 130
		}
		return failed("%v", err)
	}
	fmt.Printf("and now with each fault (after %v)\n", time.Since(start).Round(time.Second))

	var missed []string
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	var mutex sync.Mutex
	done := 0
	for _, f := range chosen {
		if gctx.Err() != nil {
			break
		}
		group.Go(func() error {
			began := time.Now()
			verdict, output := r.try(gctx, f)
			if gctx.Err() != nil {
				return gctx.Err()
			}
			mutex.Lock()
			defer mutex.Unlock()
			done++
			fmt.Printf("%3d/%d  %-16s %5.1fs  %s: %s\n", done, len(chosen), verdict, time.Since(began).Seconds(), f.file, f.name)
			if verdict != found {
				missed = append(missed, fmt.Sprintf("%s: %s: %s (go test %s)", verdict, f.file, f.name, f.test))
			}
			if verdict != found || verbose {
				fmt.Printf("%s\n", indent(output))
			}
			return nil
		})
	}
	if group.Wait() != nil {
		return 130
	}
	fmt.Printf("\n%d of %d faults were found, in %v\n", len(chosen)-len(missed), len(chosen), time.Since(start).Round(time.Second))
	slices.Sort(missed)
	for _, m := range missed {
		failed("%s", m)
	}
	return min(len(missed), 1)
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	return strings.TrimSpace(string(out)), err
}

// indent returns the end of what a test has printed, indented.
func indent(output string) string {
	const most = 6000
	output = strings.TrimSpace(output)
	if len(output) > most {
		output = "...\n" + output[len(output)-most:]
	}
	return "        " + strings.ReplaceAll(output, "\n", "\n        ")
}

// The verdicts on a fault.
const (
	found      = "found"
	survived   = "NOT FOUND"
	otherwise  = "OTHER REASON" // the tests fail, but do not print what they should
	slow       = "TOO SLOW"
	notBuilt   = "DOES NOT COMPILE"
	notPlanted = "NOT PLANTED"  // its text does not occur exactly once
	broken     = "FAIL WITHOUT" // the tests fail even without it, or there are none
)

// runner plants faults.
type runner struct {
	root    string              // of the module
	work    string              // the folder of all files that it makes
	healthy string              // the cache of models without a fault
	flags   map[string][]string // of the test binaries, by package
	broken  map[string]bool     // tests that fail even without a fault
}

// plant returns the text of the file with the fault in it.
func (f fault) plant(root string) (text string, err error) {
	data, err := os.ReadFile(filepath.Join(root, f.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(data), f.old); n != 1 {
		return "", fmt.Errorf("%s: %s: the text occurs %d times, not once:\n%s", f.file, f.name, n, f.old)
	}
	return strings.Replace(string(data), f.old, f.new, 1), nil
}

// prepare checks that all faults can be planted, and runs the tests without them. This puts the
// models that the tests need into the healthy cache.
func (r *runner) prepare(ctx context.Context, chosen []fault, jobs int) error {
	var errs []error
	tests := map[string][]string{} // by package
	for _, f := range chosen {
		if _, err := f.plant(r.root); err != nil {
			errs = append(errs, err)
		}
		pkg, pattern, _ := strings.Cut(f.test, " ")
		if !slices.Contains(tests[pkg], pattern) {
			tests[pkg] = append(tests[pkg], pattern)
		}
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	var mutex sync.Mutex
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		// Recording waveforms of failing tests would take time.
		deps, err := exec.CommandContext(ctx, "go", "list", "-C", r.root, "-test", "-deps", pkg).Output()
		if err != nil {
			return fmt.Errorf("go list %s: %w", pkg, err)
		}
		if slices.Contains(strings.Fields(string(deps)), "github.com/cosimate/cosimate/sim") {
			r.flags[pkg] = []string{"-sim.wave=off"}
		}
		group.Go(func() error {
			dir := filepath.Join(r.work, "healthy-"+strings.ReplaceAll(pkg, "/", "-"))
			binary, out, err := r.build(gctx, dir, pkg, "")
			if err != nil {
				return fmt.Errorf("%s does not compile: %w\n%s", pkg, err, out)
			}
			defer os.RemoveAll(dir)
			for _, pattern := range tests[pkg] {
				began := time.Now()
				out, err := r.test(gctx, binary, pkg, pattern, r.healthy)
				if err == nil && !strings.Contains(out, "=== RUN") {
					err = errors.New("no test matches")
				}
				if gctx.Err() != nil {
					return gctx.Err()
				}
				verdict := "passes"
				if err != nil {
					verdict = broken
				}
				mutex.Lock()
				fmt.Printf("        %-16s %5.1fs  %s -run %s\n", verdict, time.Since(began).Seconds(), pkg, pattern)
				if err != nil {
					r.broken[pkg+" "+pattern] = true
					fmt.Println(indent(fmt.Sprintf("%v\n%s", err, out)))
				}
				mutex.Unlock()
			}
			return nil
		})
	}
	return group.Wait()
}

// try plants a fault and runs its tests.
func (r *runner) try(ctx context.Context, f fault) (verdict, output string) {
	if r.broken[f.test] {
		return broken, ""
	}
	dir, err := os.MkdirTemp(r.work, "fault-")
	if err != nil {
		return notPlanted, err.Error()
	}
	defer os.RemoveAll(dir)
	overlay, err := f.overlay(r.root, dir)
	if err != nil {
		return notPlanted, err.Error()
	}
	cache := filepath.Join(dir, "cache")
	if err := shareEntries(r.healthy, cache, f.fresh); err != nil {
		return notPlanted, err.Error()
	}
	defer endLeftovers(cache)
	pkg, pattern, _ := strings.Cut(f.test, " ")
	binary, output, err := r.build(ctx, dir, pkg, overlay)
	if err != nil {
		return notBuilt, output
	}
	output, err = r.test(ctx, binary, pkg, pattern, cache)
	says := strings.Contains(output, f.says)
	switch {
	case err == nil:
		return survived, output
	case errors.Is(err, context.DeadlineExceeded) && !says:
		return slow, output
	case says:
		return found, output
	}
	return otherwise, output
}

// overlay writes the file with the fault, and the file for -overlay, of which it returns the path.
func (f fault) overlay(root, dir string) (path string, err error) {
	text, err := f.plant(root)
	if err != nil {
		return "", err
	}
	planted := filepath.Join(dir, filepath.Base(f.file))
	path = filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, f.file): planted}})
	if err != nil {
		return "", err
	}
	return path, errors.Join(os.WriteFile(planted, []byte(text), 0o666), os.WriteFile(path, data, 0o666))
}

// shareEntries gives a new cache the entries of another, as links to their folders. Entries that
// are added or removed in one cache later do not change the other. With noModels it shares only the
// entries that all models need.
func shareEntries(from, to string, noModels bool) error {
	to = filepath.Join(to, "models")
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	from = filepath.Join(from, "models")
	entries, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // some tests need no models
		return err
	}
	for _, e := range entries {
		common := slices.ContainsFunc([]string{"runtime-verilator-", "headers-verilator-", "vpi-icarus-"}, func(kind string) bool { return strings.HasPrefix(e.Name(), kind) })
		if (e.IsDir() || e.Type() == os.ModeSymlink) && (common || !noModels) {
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// build compiles a package's tests.
func (r *runner) build(ctx context.Context, dir, pkg, overlay string) (binary, output string, err error) {
	binary = filepath.Join(dir, filepath.Base(pkg)+".test")
	args := []string{"test", "-C", r.root, "-c", "-ldflags=-w", "-o", binary} // -w: twice as fast
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	output, err = command(ctx, r.root, nil, "go", append(args, pkg)...)
	return binary, output, err
}

// test runs tests in their package's folder.
func (r *runner) test(ctx context.Context, binary, pkg, pattern, cache string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// Files of a test that is killed are removed with those of this run.
	tmp := filepath.Join(filepath.Dir(cache), "tmp")
	if err := os.MkdirAll(tmp, 0o777); err != nil {
		return "", err
	}
	args := append([]string{"-test.v", "-test.run=" + pattern, "-test.timeout=" + (limit - 5*time.Second).String()}, r.flags[pkg]...)
	return command(ctx, filepath.Join(r.root, pkg), []string{"COSIMATE_CACHE=" + cache, "TMPDIR=" + tmp}, binary, args...)
}

// command runs a program in a process group of its own. Ctrl-C does not reach it: when ctx is done,
// the group is killed.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	// What a regression has compiled of which this is a part is not for tests with faults.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, modelpack.Env+"=") || strings.HasPrefix(v, modelpack.PackEnv+"=")
	}), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.String(), err
}

// endLeftovers kills the processes that a fault has left behind, as some faults do. They are the
// processes whose cache is the fault's own.
func endLeftovers(cache string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), "COSIMATE_CACHE="+cache) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(path, "/proc/%d/", &pid); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
