package regress

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/cosimate/cosimate/internal/shell"
)

// A unit that has killed its worker so many times is not run any more: that is a failure of its own.
const mostDeaths = 3

// Partial results are written this often; after so many attempts of a shard, after each unit.
const partialEvery = 5 * time.Second

// Work runs a shard and writes its results, unless they are there. Its units may be under way
// elsewhere at the same time: what is written first stays. What an earlier worker has done of it is
// not done again. An error is one of what is around the tests, and the shard can be run again.
func (r *Run) Work(ctx context.Context, k int) (err error) {
	if k < 0 || k >= len(r.Shards) {
		return fmt.Errorf("there is no shard %d, only 0 to %d", k, len(r.Shards)-1)
	}
	path := r.file("results", k)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	s := &shardWork{run: r, k: k, result: ShardResult{Shard: k}, deaths: map[Unit]int{}}
	if err := s.load(); err != nil {
		return err
	}
	if err := s.attempt(); err != nil {
		return err
	}
	defer func() {
		// Whoever comes to this line was not killed.
		s.note.Close()
		os.Remove(s.note.Name())
		if err != nil {
			s.run.finished.Add(-s.counted)
			if len(s.result.Done) > 0 {
				s.save()
			}
		}
	}()
	for _, span := range r.Shards[k].Spans {
		if err := s.span(ctx, s.rest(span)); err != nil {
			return err
		}
	}
	s.result.Cover = s.cover.results()
	data, err := json.Marshal(s.result)
	if err != nil {
		return err
	}
	if err := writeOnce(path, data); err != nil {
		return err
	}
	os.Remove(r.file("partial", k))
	old, _ := filepath.Glob(filepath.Join(r.dir, "attempts", strconv.Itoa(k)+".*"))
	for _, name := range old {
		os.Remove(name)
	}
	return s.compare(path)
}

// file returns the path of a shard's file.
func (r *Run) file(kind string, k int) string {
	return filepath.Join(r.dir, kind, strconv.Itoa(k)+".json")
}

// shardWork is the state of a worker.
type shardWork struct {
	run      *Run
	k        int
	result   ShardResult
	cover    coverage
	deaths   map[Unit]int // of the workers that had the unit under way
	attempts int
	note     *os.File // the unit under way
	saved    time.Time
	counted  int64 // units, in the run's progress
}

// load reads what earlier workers have left.
func (s *shardWork) load() error {
	var p ShardResult
	err := readJSON(s.run.file("partial", s.k), &p)
	if err == nil {
		s.result = p
		if err := s.cover.load(p.Cover); err != nil {
			return err
		}
		s.result.Cover = nil
		for _, d := range p.Done {
			s.counted += int64(d.To - d.From)
		}
		s.run.finished.Add(s.counted)
	} else if !errors.Is(err, fs.ErrNotExist) {
		os.Remove(s.run.file("partial", s.k))
	}
	names, _ := filepath.Glob(filepath.Join(s.run.dir, "attempts", strconv.Itoa(s.k)+".*"))
	s.attempts = len(names)
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil {
			var u Unit
			if _, err := fmt.Sscan(string(text), &u.Job, &u.Unit); err == nil {
				s.deaths[u]++
			}
		}
	}
	return nil
}

// attempt makes the file that stays if this worker is killed.
func (s *shardWork) attempt() (err error) {
	s.note, err = os.CreateTemp(filepath.Join(s.run.dir, "attempts"), strconv.Itoa(s.k)+".*")
	return err
}

// under notes which unit is under way. A process of many notes that itself, as package seedloop does, and until it
// has begun, none is.
func (s *shardWork) under(u Unit) error {
	text := fmt.Sprintf("%d %-12d\n", u.Job, u.Unit)
	if s.run.Jobs[u.Job].Loop {
		text = strings.Repeat(" ", len(text)-1) + "\n"
	}
	_, err := s.note.WriteAt([]byte(text), 0)
	return err
}

// save writes the results so far.
func (s *shardWork) save() error {
	p := s.result
	p.Cover = s.cover.results()
	s.saved = time.Now()
	return writeJSON(s.run.file("partial", s.k), p)
}

// rest returns what is to be done of a span.
func (s *shardWork) rest(span Span) Span {
	for _, d := range s.result.Done {
		if d.Job == span.Job && d.From <= span.From && span.From < d.To {
			span.From = min(d.To, span.To)
		}
	}
	return span
}

// span runs units of a job, in new processes as often as one is killed.
func (s *shardWork) span(ctx context.Context, span Span) error {
	s.saved = time.Now()
	for span.From < span.To {
		at := Unit{span.Job, span.From}
		if s.deaths[at] >= mostDeaths {
			j := s.run.Jobs[span.Job]
			x := s.run.failure(j, at)
			x.Kind, x.Message = "killed", fmt.Sprintf("it kills its worker: it was killed %d times while this seed was run (memory?)", mostDeaths)
			if err := s.end(unitEnd{unit: at.Unit, failures: []Failure{x}}, span.Job); err != nil {
				return err
			}
			span.From++
			continue
		}
		if err := s.under(at); err != nil {
			return err
		}
		alone := span
		if s.deaths[at] > 0 { // so that what follows does not suffer from it
			alone.To = span.From + 1
		}
		for u := range s.deaths { // nor what is before it
			if u.Job == span.Job && u.Unit > span.From {
				alone.To = min(alone.To, u.Unit)
			}
		}
		w := &worker{run: s.run, note: s.note.Name(), unit: func(u unitEnd) error {
			span.From = u.unit + 1
			if err := s.end(u, span.Job); err != nil || span.From >= span.To || s.run.Jobs[span.Job].Loop {
				return err
			}
			return s.under(Unit{span.Job, span.From})
		}}
		err := w.span(ctx, alone)
		var killed *killedError
		switch {
		case errors.As(err, &killed):
			s.deaths[Unit{span.Job, span.From}]++
		case err != nil:
			return err
		}
	}
	return nil
}

// end notes a unit's end.
func (s *shardWork) end(u unitEnd, job int) error {
	s.result.add(job, u.unit, u.took)
	s.run.finished.Add(1)
	s.counted++
	if len(u.failures) > 0 {
		s.run.failures.Add(1)
		s.result.fail(u.failures)
	}
	if err := s.cover.add(job, u.unit, u.cover); err != nil {
		return err
	}
	if s.attempts >= mostDeaths || time.Since(s.saved) > partialEvery {
		return s.save()
	}
	return nil
}

// compare notes if the results that are there are not the ones that this worker has: tests that
// do not follow from their seeds.
func (s *shardWork) compare(path string) error {
	var there ShardResult
	if err := readJSON(path, &there); err != nil {
		return err
	}
	a, err1 := json.Marshal(there.Failed)
	b, err2 := json.Marshal(s.result.Failed)
	if err := errors.Join(err1, err2); err != nil || bytes.Equal(a, b) {
		return err
	}
	return writeJSON(filepath.Join(s.run.dir, "results", fmt.Sprintf("%d-%s.other", s.k, hash(b))), s.result.Failed)
}

// failure returns a failure of a unit, with what is known before it has failed.
func (r *Run) failure(j *Job, u Unit) Failure {
	return Failure{Job: u.Job, Unit: u.Unit, Seed: j.seed(u.Unit), Command: r.command(j, j.seed(u.Unit), "")}
}

// command returns the command that repeats a test of a unit, in the module's root.
func (r *Run) command(j *Job, seed uint64, test string) string {
	text := strconv.FormatUint(seed, 10)
	if j.Package == "" {
		words := make([]string, len(j.Words))
		for i, w := range j.Words {
			words[i] = shell.Quote(strings.ReplaceAll(w, "$seed", text))
		}
		return strings.Join(words, " ")
	}
	words := append([]string{"go", "test"}, j.Build...)
	words = append(words, j.Package)
	if test != "" {
		words = append(words, "-run", exactly(test))
	}
	if j.Seeded {
		words = append(words, "-sim.seed="+text)
	}
	words = append(words, "-count=1")
	for _, f := range j.Flags {
		f = "-" + strings.TrimPrefix(strings.TrimPrefix(f, "-"), "test.")
		if test == "" || !strings.HasPrefix(f, "-run=") {
			words = append(words, strings.ReplaceAll(f, "$seed", text))
		}
	}
	for i := range words {
		words[i] = shell.Quote(words[i])
	}
	return strings.Join(words, " ")
}

// exactly returns the -run that selects one test.
func exactly(test string) string {
	var path []string
	for part := range strings.SplitSeq(test, "/") {
		path = append(path, "^"+quoteMeta(part)+"$")
	}
	return strings.Join(path, "/")
}

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

// environment returns that of a job's process. Models that were compiled by the first seed are in the
// run's folder. Other jobs compile, and so they need the cache and the tools.
func (w *worker) environment(j *Job) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(modelEnv, name)
	})
	env = append(append(env, w.run.Env...), "GITHUB_ACTIONS=", "NO_COLOR=1", "FORCE_COLOR=", "COSIMATE_CACHE="+w.run.Cache)
	if w.used != "" {
		env = append(env, modelpack.Env+"="+w.used)
	}
	if j.Package != "" && j.Units > 1 && !j.Compile && !w.compile {
		env = append(env, "COSIMATE_COMPILE=never")
		if w.run.Packed {
			env = append(env, "COSIMATE_CACHE="+filepath.Join(w.run.dir, modelsDir))
		}
	}
	return env
}

// span runs units: in one process, as far as it comes, or in one process each.
func (w *worker) span(ctx context.Context, s Span) error {
	dir, err := os.MkdirTemp("", "cosimate-shard-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
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
		return err
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
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return &killedError{fmt.Sprintf("killed by %v", status.Signal())}
		}
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
