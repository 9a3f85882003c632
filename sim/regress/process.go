package regress

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/internal/modelpack"
)

// unitEnd is what is known of a unit when it has ended.
type unitEnd struct {
	unit     int
	took     int64
	failures []Failure
	cover    string // folder with its coverage
}

// worker runs units in processes.
type worker struct {
	run     *Run
	compile bool
	used    string // file in which the models are listed that are used
	note    string // file that says which unit is under way
	unit    func(unitEnd) error
}

// killedError is the error of a process that somebody has killed.
type killedError struct{ how string }

func (e *killedError) Error() string { return e.how }

// killed returns the error of a process that a signal has ended, or nil if something else has.
func killed(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return &killedError{fmt.Sprintf("killed by %v", status.Signal())}
		}
	}
	return nil
}

// environment returns that of a job's process. Models that were compiled before are in the run's
// folder. What is not there is compiled, if it may be, and that needs the cache and the tools. A
// run that a job of another one starts has models of its own.
func (w *worker) environment(j *Job) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(modelEnv, name) || name == modelpack.Env || name == modelpack.PackEnv || name == "COSIMATE_COMPILE"
	})
	env = append(append(env, w.run.Env...), "GITHUB_ACTIONS=", "NO_COLOR=1", "FORCE_COLOR=", "COSIMATE_CACHE="+w.run.Cache)
	if w.used != "" {
		env = append(env, modelpack.Env+"="+w.used)
	}
	if w.compile {
		return env
	}
	if w.run.Packed {
		env = append(env, modelpack.PackEnv+"="+filepath.Join(w.run.dir, modelsDir))
	}
	if j.Package != "" && j.Units > 1 && !j.Compile {
		env = append(env, "COSIMATE_COMPILE=never")
	}
	return env
}

// span runs units: in one process, as far as it comes, or in one process each.
func (w *worker) span(ctx context.Context, s Span) error {
	dir, remove, err := scratch()
	if err != nil {
		return err
	}
	defer remove()
	j := w.run.Jobs[s.Job]
	if j.Loop {
		return w.process(ctx, dir, s)
	}
	for u := s.From; u < s.To; u++ {
		if err := w.process(ctx, dir, Span{s.Job, u, u + 1}); err != nil {
			return err
		}
	}
	return nil
}

// process runs units in one process.
func (w *worker) process(ctx context.Context, dir string, s Span) error {
	j := w.run.Jobs[s.Job]
	limit := time.Duration(j.Limit)
	records := &records{name: filepath.Join(dir, fmt.Sprint("failures", s.From))}
	covered := filepath.Join(dir, "cover")
	mark := "\x16" + filepath.Base(dir)
	first := strconv.FormatUint(j.seed(s.From), 10)
	env := w.environment(j)
	var words []string
	if j.Package == "" {
		for _, word := range j.Words {
			words = append(words, strings.ReplaceAll(word, "$seed", first))
		}
		if words[0] == "cosimate" {
			words[0] = w.run.Self
		}
	} else {
		words = []string{filepath.Join(w.run.dir, "store", j.Binary), "-test.timeout=" + limit.String(), "-test.paniconexit0"}
		vary := map[string]string{}
		for _, f := range j.Flags {
			name, value, ok := strings.Cut(strings.TrimLeft(f, "-"), "=")
			switch {
			case !strings.Contains(value, "$seed"):
				words = append(words, f)
			case j.Loop && ok:
				vary[name] = value
			default:
				words = append(words, strings.ReplaceAll(f, "$seed", first))
			}
		}
		if j.Seeded {
			words = append(words, "-sim.failures="+records.name, "-sim.seed="+first)
			if j.Count && !j.Loop {
				words = append(words, "-sim.cover="+filepath.Join(covered, strconv.Itoa(s.From)))
			}
		}
		if j.Loop {
			loop := map[string]any{"Mark": mark, "From": s.From, "To": s.To, "First": j.First, "Repeat": j.Repeat, "Vary": vary, "Note": w.note, "Job": s.Job}
			if j.Count {
				loop["Cover"] = covered
			}
			text, err := json.Marshal(loop)
			if err != nil {
				return err
			}
			env = append(env, "COSIMATE_SEEDS="+string(text))
		}
	}
	// The time limit is the test's own. This one is for a process that does not keep to it.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := errors.New("time limit")
	grace := 30 * time.Second
	if j.Package == "" {
		grace = 0
	}
	alarm := time.AfterFunc(limit+grace, func() { cancel(late) })
	defer alarm.Stop()

	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = filepath.Join(w.run.Root, filepath.FromSlash(j.Dir)), env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	r, p, err := newPatient()
	if err != nil {
		return err
	}
	defer r.close()
	cmd.Stdout, cmd.Stderr = p, p
	runtime.LockOSThread() // whose end Pdeathsig waits for
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		p.Close()
		x := w.run.failure(j, Unit{s.Job, s.From})
		x.Kind, x.Message, x.Text = "command", w.run.notThere(j, words[0], err), err.Error()
		if x.Message == "" {
			return err
		}
		return w.unit(unitEnd{unit: s.From, failures: []Failure{x}})
	}
	p.Close()
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what the tests have left running
	exited := make(chan error, 1)
	go func() {
		exited <- cmd.Wait()
		close(r.ended)
	}()

	at, began := s.From, time.Now()
	out := &output{}
	lines := bufio.NewReaderSize(r, 64<<10)
	var failed error // of this worker
	for begins := true; ; {
		part, err := lines.ReadSlice('\n') // of a line that is long, not all
		line := string(part)
		if rest, ok := strings.CutPrefix(line, mark+" "); ok && begins {
			if unit, code, took, ok := endLine(rest); ok && unit == at && failed == nil {
				alarm.Reset(limit + grace)
				failed = w.ended(j, Unit{s.Job, unit}, took, code != 0, false, out, records, covered)
				at, began = unit+1, time.Now()
				out = &output{}
				if failed != nil {
					cancel(failed)
				}
				continue
			}
		}
		out.add(line)
		if begins = err == nil; err != nil && err != bufio.ErrBufferFull {
			break
		}
	}
	err = <-exited
	switch {
	case failed != nil:
		return failed
	case context.Cause(ctx) == late:
		if at >= s.To {
			return nil
		}
		x := w.run.failure(j, Unit{s.Job, at})
		x.Kind, x.Message, x.Text = "limit", fmt.Sprintf("did not end within %v", limit), last(out.String())
		return w.unit(unitEnd{unit: at, took: int64(time.Since(began)), failures: []Failure{x}})
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case at >= s.To:
		return nil
	case !j.Loop && err == nil:
		return w.ended(j, Unit{s.Job, at}, int64(time.Since(began)), false, false, out, records, covered)
	}
	if k := killed(err); k != nil {
		return k
	}
	if err == nil {
		err = errors.New("exit status 0 before its end: something calls os.Exit")
	}
	out.add(err.Error() + "\n")
	return w.ended(j, Unit{s.Job, at}, int64(time.Since(began)), true, j.Loop, out, records, covered)
}

// endLine reads what follows the mark in the line that package seedloop prints at a unit's end.
func endLine(text string) (unit, code int, took int64, ok bool) {
	f := strings.Fields(text)
	if len(f) != 3 {
		return 0, 0, 0, false
	}
	unit, err1 := strconv.Atoi(f[0])
	code, err2 := strconv.Atoi(f[1])
	took, err3 := strconv.ParseInt(f[2], 10, 64)
	return unit, code, took, err1 == nil && err2 == nil && err3 == nil
}

// ended tells of a unit that has ended.
func (w *worker) ended(j *Job, at Unit, took int64, failed, crashed bool, out *output, records *records, covered string) error {
	u := unitEnd{unit: at.Unit, took: took, cover: filepath.Join(covered, strconv.Itoa(at.Unit))}
	if !j.Count || !j.Seeded {
		u.cover = ""
	}
	if failed {
		base := w.run.failure(j, at)
		base.Kind = "crash"
		text := out.String()
		if strings.Contains(text, "and nothing is to be compiled here (COSIMATE_COMPILE=never)") {
			return &compileError{fmt.Sprintf("line %d of the plan: %s, seed %d needs a model that the first seed does not: add compile=worker to the line:\n%s",
				j.Line, j.Package, base.Seed, last(text))}
		}
		if j.Package == "" {
			base.Kind, base.Message, base.Text = "command", saysWhy(text), last(text)
			u.failures = []Failure{base}
		} else {
			known, err := records.of(base.Seed)
			if err != nil {
				return err
			}
			u.failures = failuresOf(w.run.Root, j, base, text, known, crashed)
			for i := range u.failures {
				u.failures[i].Command = w.run.command(j, base.Seed, u.failures[i].Test)
			}
		}
		for i := range u.failures {
			x := &u.failures[i]
			if lacks := cmp.Or(j.lacks(x.Message), j.lacks(x.Text)); lacks != "" {
				x.Message = lacks
			}
		}
	}
	err := w.unit(u)
	if u.cover != "" {
		os.RemoveAll(u.cover)
	}
	return err
}

// output is what a unit prints: the beginning, and the end.
type output struct{ head, tail []byte }

const mostOutput = 1 << 20

func (o *output) add(line string) {
	if len(o.head)+len(line) <= mostOutput {
		o.head = append(o.head, line...)
		return
	}
	o.tail = append(o.tail, line...)
	if len(o.tail) > 2*mostOutput {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-mostOutput:]...)
	}
}

func (o *output) String() string { return string(o.head) + string(o.tail) }
