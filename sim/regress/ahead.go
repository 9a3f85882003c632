package regress

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/internal/modelpack"
)

// What neither opens a model nor compiles one for so long, while models are compiled ahead, is
// ended.
var idle = 20 * time.Second

// ahead compiles the models of the jobs that run once, so that workers find them. Such a job is run
// for that with COSIMATE_COMPILE=only: a model is compiled, and what opens it ends there. Jobs of
// several units have run one.
func (r *Run) ahead(ctx context.Context, parallel int) error {
	var jobs []*Job
	for _, j := range r.Jobs {
		if j.opensModels() {
			jobs = append(jobs, j)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	r.log("compiling the models of what runs once: %d jobs", len(jobs))
	dir, err := os.MkdirTemp("", "cosimate-ahead-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := make([]string, len(jobs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	for i, j := range jobs {
		files[i] = filepath.Join(dir, fmt.Sprint(i))
		group.Go(func() error {
			a := &aheadJob{run: r, job: j, used: files[i]}
			for more := true; more; {
				var err error
				if more, err = a.once(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	all, err := os.OpenFile(r.usedFile(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err2 := os.ReadFile(name)
		if err2 == nil {
			_, err2 = all.Write(text)
		} else if errors.Is(err2, os.ErrNotExist) {
			err2 = nil
		}
		err = errors.Join(err, err2)
	}
	return errors.Join(err, all.Close())
}

// opensModels reports whether a job of one unit can have its models compiled ahead.
func (j *Job) opensModels() bool {
	return j.Units == 1 && !j.Compile && (j.Seeded || j.Package == "" && j.ours())
}

// ours reports whether a command is one of cosimate's that open models. What another program does
// when it is started nobody knows.
func (j *Job) ours() bool {
	return len(j.Words) > 2 && j.Words[0] == "cosimate" && (j.Words[1] == "perft" || j.Words[1] == "vectors" && j.Words[2] == "run")
}

// aheadJob is a job whose models are compiled.
type aheadJob struct {
	run  *Run
	job  *Job
	used string   // what it uses of the cache, and has under way
	skip []string // tests that were run
}

// These match lines of go test -v.
var (
	testBegins = regexp.MustCompile(`^=== (?:RUN|CONT) +([^/\s]+)\s*$`)
	testStops  = regexp.MustCompile(`^(?:=== PAUSE +|--- (?:PASS|FAIL|SKIP): )([^/\s]+)`)
)

// once runs the job. If a test takes long without a model, the job is ended and there is more to
// do: the tests that were not run.
func (a *aheadJob) once(ctx context.Context) (more bool, err error) {
	j := a.job
	w := &worker{run: a.run, compile: true, used: a.used}
	words := slices.Clone(j.Words)
	if j.Package == "" {
		words[0] = a.run.Self
	} else {
		words = []string{filepath.Join(a.run.dir, "store", j.Binary), "-test.timeout=0", "-test.paniconexit0", "-test.v=true", "-sim.seed=$seed"}
		skip := a.skip
		for _, f := range j.Flags {
			if text, ok := strings.CutPrefix(f, "-test.skip="); ok {
				skip = append([]string{text}, skip...)
				continue
			}
			words = append(words, f)
		}
		if len(skip) > 0 {
			words = append(words, "-test.skip="+strings.Join(skip, "|"))
		}
	}
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "$seed", fmt.Sprint(j.seed(0)))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = filepath.Join(a.run.Root, filepath.FromSlash(j.Dir)), append(w.environment(j), "COSIMATE_COMPILE=only")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	out, in, err := os.Pipe()
	if err != nil {
		return false, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = in, in
	runtime.LockOSThread() // whose end Pdeathsig waits for
	defer runtime.UnlockOSThread()
	err = cmd.Start()
	in.Close()
	if err != nil {
		return false, err
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewReader(out); ; {
			line, err := s.ReadString('\n')
			if err != nil {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
			}
		}
	}()
	ended := make(chan struct{})
	go func() {
		cmd.Wait() // a failure is nobody's business: the worker meets it again
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		close(ended)
	}()
	var under []string // tests under way
	tick := time.NewTicker(idle / 20)
	defer tick.Stop()
	for last, size := time.Now(), 0; ; {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
			}
			if m := testBegins.FindStringSubmatch(line); m != nil {
				under, last = append(under, m[1]), time.Now()
			} else if m := testStops.FindStringSubmatch(line); m != nil {
				under, last = slices.DeleteFunc(under, func(t string) bool { return t == m[1] }), time.Now()
				if !strings.HasPrefix(line, "===") {
					a.skip = append(a.skip, "^"+regexp.QuoteMeta(m[1])+"$")
				}
			}
		case <-ended:
			return false, ctx.Err()
		case <-tick.C:
			text, _ := os.ReadFile(a.used)
			if len(text) != size || compiling(text) {
				size, last = len(text), time.Now()
			}
			if time.Since(last) < idle {
				continue
			}
			cancel()
			<-ended
			slices.Sort(under)
			for _, t := range slices.Compact(under) {
				a.skip = append(a.skip, "^"+regexp.QuoteMeta(t)+"$")
			}
			return len(under) > 0 && j.Package != "", nil
		}
	}
}

// compiling reports whether a model is under way, according to a file of modelpack's.
func compiling(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		var u modelpack.Use
		if json.Unmarshal(line, &u) != nil {
			continue // it is being written
		}
		if u.Making != "" {
			n++
		}
		if u.Ended != "" {
			n--
		}
	}
	return n > 0
}
