package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program that is cancelled ends at once, and with it all that it has started.
func TestRunIsCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	pid := ""
	go func() {
		for pid == "" && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
			text, _ := os.ReadFile(filepath.Join(dir, "pid"))
			pid = strings.TrimSpace(string(text))
		}
		cancel(enough)
	}()
	began := time.Now()
	_, err := Run(ctx, dir, "sh", "-c", "sleep 20 & echo $! >pid.new; mv pid.new pid; wait")
	if !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v to end", took)
	}
	// The state of a process is behind its name, in brackets.
	state := func() string {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", pid))
		if err != nil {
			return "gone"
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		return rest[:1]
	}
	for range 100 {
		if s := state(); s == "gone" || s == "Z" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("what it has started still runs: process %s", pid)
}

// What a program leaves behind lies in the folder that it works in.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	if out, err := Run(t.Context(), dir, "sh", "-c", "mktemp"); err != nil || filepath.Dir(out) != dir {
		t.Errorf("a temporary file is %s (%v)", out, err)
	}
}

// What a program prints and how it ended is in the error.
func TestRunFails(t *testing.T) {
	out, err := Run(t.Context(), t.TempDir(), "sh", "-c", "echo one; echo two >&2; exit 7")
	failed, ok := errors.AsType[*ToolError](err)
	if !ok || out != "one\ntwo" || failed.Output != out || failed.Status != "exit status 7" || !strings.HasPrefix(failed.Command, "sh -c echo one;") {
		t.Errorf("it printed %q, and the error is %v", out, err)
	}
}

// A child lives on when the thread that asked for it has ended.
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
