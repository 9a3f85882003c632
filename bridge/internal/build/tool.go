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
	return fmt.Sprintf("%s is not installed: %s", e.Tool, installCommand(e.Package))
}

// installCommand is the command that installs a package on this machine.
func installCommand(pkg string) string {
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
	Path string // "" if it is not installed, and models come from a pack
	// ID changes whenever the program does: it is made of its real path, size and time of change.
	// Unlike the program's version it is known without running it.
	ID      string
	name    string
	here    string // the ID of what is installed here, which may differ from that of a pack's maker
	missing error  // if Path is ""
}

// Find looks a program up in PATH. If models come from a pack, it is identified as the one that has
// made them, and need not be installed.
func Find(name, pkg string) (Tool, error) {
	pack, err := packed()
	if err != nil {
		return Tool{}, err
	}
	var t Tool
	if path, err := exec.LookPath(name); err != nil {
		t.missing = &MissingToolError{Tool: name, Package: pkg}
	} else if t, err = identify(path); err != nil {
		return Tool{}, err
	}
	t.name = name
	if pack != nil {
		if id, ok := pack.Tools[name]; ok {
			t.ID = id
			return t, nil
		}
	}
	return t, t.missing
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
	id := fmt.Sprintf("%s %d %d", real, info.Size(), info.ModTime().UnixNano())
	return Tool{Path: path, ID: id, here: id}, nil
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

// starter starts processes on a thread that lives as long as this process. The kernel sends
// Pdeathsig when the thread ends that has started the child, and the Go runtime may end any other
// thread early.
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

// Start is cmd.Start for commands with Pdeathsig. It is for programs that start no others: see
// [Run].
func Start(cmd *exec.Cmd) error {
	result := make(chan error)
	starter() <- func() { result <- cmd.Start() }
	return <-result
}

// group is a process group that ends with this process, however that ends. Its leader, the guard,
// waits for the end of a pipe that only this process has open for writing, and then kills the
// group. Pdeathsig would reach only the program itself, but verilator, g++ and iverilog start
// others. A group of its own also keeps Ctrl-C away, which the terminal sends to all processes in
// the foreground: they end when ctx is cancelled.
type group struct {
	guard *exec.Cmd
	// alive is the pipe, to which nothing is written. A child has it too while it is being started,
	// until it is in its group.
	alive *os.File
}

func newGroup() (*group, error) {
	wait, alive, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer wait.Close()
	g := &group{exec.Command("/bin/sh", "-c", "read line; kill -9 0"), alive}
	g.guard.Stdin = wait
	g.guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := g.guard.Start(); err != nil {
		alive.Close()
		return nil, fmt.Errorf("starting the shell that stops tools: %w", err)
	}
	return g, nil
}

// kill kills all that is in the group.
func (g *group) kill() error { return syscall.Kill(-g.guard.Process.Pid, syscall.SIGKILL) }

func (g *group) close() {
	g.kill()
	g.guard.Wait() // only from here on the number of the group can be another's
	g.alive.Close()
}

// Run runs a program in a folder and returns what it printed. When the program or this
// process ends, or ctx is cancelled, all that the program started is killed.
func Run(ctx context.Context, dir string, name string, args ...string) (string, error) {
	g, err := newGroup()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer g.close()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	// Temporary files are made in dir, so that those of a killed program are removed with it. The
	// name is "." because iverilog hands it to a shell, and dir may have a $ or a quote in it.
	// iverilog looks at TMP before TMPDIR.
	cmd.Env = append(os.Environ(), "PWD="+dir, "TMPDIR=.", "TMP=.")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
	cmd.Cancel = g.kill
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
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
