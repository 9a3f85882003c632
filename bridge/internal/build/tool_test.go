package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// compiler is a script that starts a program and waits for it, as g++ does. It writes its process
// group to the file group.
const compiler = "sleep 60 & read _ _ _ _ group _ </proc/$$/stat; echo $group >group.new; mv group.new group; wait"

// groupIn waits until the compiler in a folder runs, and returns its process group.
func groupIn(t *testing.T, dir string) string {
	t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(filepath.Join(dir, "group")); err == nil {
			return strings.TrimSpace(string(text))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the compiler does not start")
	return ""
}

// running lists the processes of a group that have not ended.
func running(t *testing.T, group string) (names []string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// After the name come the state, the parent and the group.
		name, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); f[0] != "Z" && f[2] == group {
			names = append(names, name+")")
		}
	}
	return names
}

// ends fails if a process of a group is still there after a moment.
func ends(t *testing.T, group string) {
	t.Helper()
	left := running(t, group)
	for range 200 {
		if len(left) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
		left = running(t, group)
	}
	t.Errorf("what has been started still runs: %v", left)
	if id, err := strconv.Atoi(group); err == nil && id > 1 {
		syscall.Kill(-id, syscall.SIGKILL)
	}
}

// A program that is cancelled ends at once, and so does all that it has started.
func TestRunIsCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	began := time.Now()
	done := make(chan error)
	go func() {
		_, err := Run(ctx, dir, "sh", "-c", compiler)
		done <- err
	}()
	group := groupIn(t, dir)
	cancel(enough)
	if err := <-done; !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v to end", took)
	}
	ends(t, group)
}

// When a program has ended, none of its processes is left, nor the guard of its group.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(t.Context(), dir, "sh", "-c", "sleep 60 >/dev/null 2>&1 & read _ _ _ _ group _ </proc/$$/stat; echo $group >group"); err != nil {
		t.Fatal(err)
	}
	ends(t, groupIn(t, dir))
}

// However this process ends, what a program has started ends with it, and so does the guard.
func TestNothingOutlivesThisProcess(t *testing.T) {
	const env = "COSIMATE_TEST_RUN"
	if dir := os.Getenv(env); dir != "" {
		Run(context.Background(), dir, "sh", "-c", compiler)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, sig := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "interrupted": syscall.SIGINT, "timeout": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.Command(exe, "-test.run=^TestNothingOutlivesThisProcess$", "-test.timeout=2s")
			cmd.Env = append(os.Environ(), env+"="+dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			group := groupIn(t, dir)
			if now := running(t, group); len(now) < 2 {
				t.Errorf("the compiler and what it has started are only %v", now)
			}
			cmd.Process.Signal(sig) // 0 is none
			if cmd.Wait() == nil {
				t.Error("the process has ended by itself")
			}
			ends(t, group)
		})
	}
}

// Temporary files of a program are in the folder that it works in.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	out, err := Run(t.Context(), dir, "sh", "-c", `mktemp; mktemp -p "$TMP"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(out) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("a temporary file is not there: %v", err)
		}
	}
}

// The error has what the program printed and how it ended.
func TestRunFails(t *testing.T) {
	out, err := Run(t.Context(), t.TempDir(), "sh", "-c", "echo one; echo two >&2; exit 7")
	failed, ok := errors.AsType[*ToolError](err)
	if !ok || out != "one\ntwo" || failed.Output != out || failed.Status != "exit status 7" || !strings.HasPrefix(failed.Command, "sh -c echo one;") {
		t.Errorf("it printed %q, and the error is %v", out, err)
	}
}

// A child goes on when the thread that has asked for it ends.
func TestChildOutlivesThread(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // ends with this goroutine
		started <- Start(cmd)
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("the child ended: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	cmd.Process.Kill()
	<-ended
}
