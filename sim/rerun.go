package sim

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/sim/internal/module"
)

// Waveforms of all internal signals and a shrunk stimulus take time that passing tests must not
// spend. So they are made when a test has failed: just that test is run again, in a process of its
// own. The seed is the same, and so are stimulus and power-up values.

// rerunEnv is the environment variable that makes a test process a second run. It holds a rerun.
const rerunEnv = "COSIMATE_RERUN"

// rerun is what a second run does.
type rerun struct {
	Test   string // the test's name
	Dir    string // where to leave files
	From   uint64 // the window of cycles to record
	To     uint64
	Shrink bool // the stimulus, too
}

// rerunOf returns what this process does if it is a second run, or else nil.
func rerunOf(t testing.TB) (*rerun, error) {
	text := os.Getenv(rerunEnv)
	if text == "" {
		return nil, nil
	}
	r := &rerun{}
	if err := json.Unmarshal([]byte(text), r); err != nil {
		return nil, fmt.Errorf("%s=%s: %w", rerunEnv, text, err)
	}
	return r, nil
}

// records reports whether the DUTs of a test are recorded: it failed, or a subtest of it did.
func (r *rerun) records(t testing.TB) bool { return r.Test == t.Name() || within(r.Test, t.Name()) }

// rerunLimit is how long a second run may take. If the first run took longer, there is none.
const rerunLimit = 2 * time.Minute

// run runs the test again, which should fail again, and returns what the test printed.
func (r *rerun) run(deadline time.Time, had time.Duration) (string, error) {
	limit := rerunLimit
	if !deadline.IsZero() {
		limit = min(limit, time.Until(deadline)-5*time.Second)
	}
	if had > limit {
		return "", fmt.Errorf("the test is not run again to record them: it took %v, and %v are left for that", had.Round(time.Second), max(limit, 0).Round(time.Second))
	}
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// The first run's flags, then those that must have another value: of two, the last one counts.
	// Flags end where other arguments begin.
	n := len(os.Args) - flag.NArg()
	if os.Args[n-1] == "--" {
		n--
	}
	args := slices.Concat(os.Args[1:n], []string{
		"-test.run=" + pattern(r.Test), "-test.count=1", "-test.v=false", "-test.bench=", "-test.fuzz=", "-test.testlogfile=",
		"-test.coverprofile=", "-test.cpuprofile=", "-test.memprofile=", "-test.trace=", "-test.timeout=0", "-test.artifacts=false",
		"-sim.cover=",                       // what it covers has been counted
		fmt.Sprintf("-sim.seed=%d", Seed()), // a process may run its tests with one seed after another
	}, os.Args[n:])
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), rerunEnv+"="+string(text))
	cmd.WaitDelay = time.Second
	runtime.LockOSThread() // whose end Pdeathsig waits for
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("the test, run again to record them, did not end within %v", limit.Round(time.Second))
	case err == nil:
		return "", errors.New("the test, run again to record them, passed: something in it does not follow from -sim.seed (a map's order, the time, other tests?)")
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return string(out), nil
	}
	return "", fmt.Errorf("the test, run again to record them, ended with %w: %s", err, lastWords(string(out)))
}

// lastWords returns the line in which a process says why it ends: that of a panic, which stacks
// follow, or else the last one.
func lastWords(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return line
		}
	}
	return lines[len(lines)-1]
}

// failuresDir returns the folder for the files of a failed test, unless flags name another. It is
// the same for each failure of a test, so that files do not pile up.
func failuresDir(t testing.TB) (string, error) {
	cache, err := cachedir.Path()
	if err != nil {
		return "", fmt.Errorf("no folder for the files of failed tests: %w; use -artifacts or -sim.keep=FOLDER", err)
	}
	return filepath.Join(cache, "failures", module.Name(), filepath.FromSlash(module.Package()), fileName(t.Name())), nil
}

// fileName returns a test's name as a path, in which each subtest is a folder.
func fileName(test string) string {
	return filepath.FromSlash(strings.Map(func(r rune) rune {
		if r == '/' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, test))
}
