package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// MissingToolError is a program that is not installed.
type MissingToolError struct {
	Tool    string
	Package string // its name in package managers
}

func (e *MissingToolError) Error() string {
	return fmt.Sprintf("%s is not installed: %s", e.Tool, InstallCommand(e.Package))
}

// InstallCommand is the command that installs a package on this machine.
func InstallCommand(pkg string) string {
	for _, m := range []struct{ tool, command string }{
		{"apt-get", "sudo apt-get install -y "},
		{"dnf", "sudo dnf install -y "},
		{"pacman", "sudo pacman -S --noconfirm "},
		{"brew", "brew install "},
	} {
		if _, err := exec.LookPath(m.tool); err == nil {
			return "run: " + m.command + pkg
		}
	}
	return "install the package " + pkg
}

// Tool is a program found on this machine.
type Tool struct {
	Path string
	// ID changes whenever the program does: its real path, size and time of
	// change. Unlike a version it costs no process to find out.
	ID string
}

// Find looks a program up in PATH.
func Find(name, pkg string) (Tool, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return Tool{}, &MissingToolError{Tool: name, Package: pkg}
	}
	return identify(path)
}

func identify(path string) (Tool, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Tool{}, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return Tool{}, err
	}
	return Tool{Path: path, ID: fmt.Sprintf("%s %d %d", real, info.Size(), info.ModTime().UnixNano())}, nil
}

// CompilerFor finds the compiler named by an environment variable (CC, CXX) or
// the default.
func CompilerFor(env, name string) (Tool, error) {
	if v := os.Getenv(env); v != "" {
		t, err := Find(v, v)
		if err != nil {
			return t, fmt.Errorf("%s=%s: %w", env, v, err)
		}
		return t, nil
	}
	return Find(name, "g++")
}

// ToolError is a program that failed.
type ToolError struct {
	Command string
	Status  string
	Output  string // both its outputs, in the order of writing
}

func (e *ToolError) Error() string {
	return fmt.Sprintf("%s: %s\n%s", e.Command, e.Status, e.Output)
}

// starter starts processes on a thread that lives as long as this process:
// Pdeathsig is sent when the thread that started the child ends, and Go ends threads
// as it pleases.
var starter = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// Start is cmd.Start for commands with Pdeathsig.
func Start(cmd *exec.Cmd) error {
	result := make(chan error)
	starter() <- func() { result <- cmd.Start() }
	return <-result
}

// Run runs a program in a folder and returns what it printed. When ctx is
// cancelled the program and all that it started are killed.
func Run(ctx context.Context, dir string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "TMPDIR="+dir) // where what a killed one leaves is cleared with the rest
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	// Its own process group: Ctrl-C reaches it through ctx only, and with it its
	// children (verilator and g++ are drivers of other programs).
	// And if this process is killed, so is the program.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	err := Start(cmd)
	if err == nil {
		err = cmd.Wait()
	}
	text := strings.TrimRight(out.String(), "\n")
	switch {
	case err == nil:
		return text, nil
	case ctx.Err() != nil:
		return text, context.Cause(ctx)
	default:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return text, fmt.Errorf("%s: %w", name, err)
		}
		return text, &ToolError{Command: strings.Join(append([]string{name}, args...), " "), Status: exit.String(), Output: text}
	}
}
