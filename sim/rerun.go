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

	"github.com/cosimate/cosimate/sim/internal/module"
)

// What passing runs must not pay for, waveforms of all internal signals and a stimulus shrunk to
// the fewest steps, is made when a test has failed, by running just that test again in a process
// of its own, with the same seed: stimulus and power-up follow from it.

// rerunEnv tells a test process that it is such a second run, and of what.
const rerunEnv = "COSIMATE_RERUN"

// rerun is what the second run is to do.
type rerun struct {
	Test   string // the test's name
	Dir    string // where to leave files
	From   uint64 // the window of cycles to record
	To     uint64
	Shrink bool // the stimulus, too
}

// rerunOf is what this process is to do if it is a second run.
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

// records tells whether it is to record the DUTs of a test: the one that failed, or one around it.
func (r *rerun) records(t testing.TB) bool { return r.Test == t.Name() || within(r.Test, t.Name()) }

// rerunLimit is how long a second run may take, and what the first may have taken for it to be
// worth it.
const rerunLimit = 2 * time.Minute

// run runs the test again. That it fails again is as it should be. It returns the last of what the
// test printed.
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
	// The first run's own flags, and then what must be otherwise: the last one counts. Flags end
	// where other arguments begin.
	n := len(os.Args) - flag.NArg()
	if os.Args[n-1] == "--" {
		n--
	}
	args := slices.Concat(os.Args[1:n], []string{
		"-test.run=" + pattern(r.Test), "-test.count=1", "-test.v=false", "-test.bench=", "-test.fuzz=", "-test.testlogfile=",
		"-test.coverprofile=", "-test.cpuprofile=", "-test.memprofile=", "-test.trace=", "-test.timeout=0", "-test.artifacts=false",
		"-sim.cover=", // what it covers has been counted
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

// lastWords is the line in which a process says why it ends: the last one, if there is no panic
// with its stacks.
func lastWords(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return line
		}
	}
	return lines[len(lines)-1]
}

// failuresDir is where files of failed tests go unless flags say otherwise: a folder of the module,
// the package and the test, so that they do not pile up.
func failuresDir(t testing.TB) (string, error) {
	cache := os.Getenv("COSIMATE_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder for the files of failed tests: %w; use -artifacts or -sim.keep=FOLDER", err)
		}
		cache = filepath.Join(user, "cosimate")
	}
	return filepath.Join(cache, "failures", module.Name(), filepath.FromSlash(module.Package()), fileName(t.Name())), nil
}

// fileName is a test's name as a path: its subtests are folders.
func fileName(test string) string {
	return filepath.FromSlash(strings.Map(func(r rune) rune {
		if r == '/' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, test))
}
