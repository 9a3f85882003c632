package regress

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/internal/modelpack"
)

// Options are choices of a run.
type Options struct {
	Out       string        // the folder with the files of the run
	Root      string        // of the module
	Jobs      int           // workers here
	Part      [2]int        // i, n: part i of n only; 0: all
	ShardTime time.Duration // 0: [ShardTime]
	Fresh     bool          // what is there of an earlier run is not used
	Away      bool          // workers may run where there are no tools: all models are compiled before
	Patience  time.Duration // how long an array of jobs may wait for anything but its turn; 0: [Patience]
	Log       func(format string, args ...any)
}

// A Run is a plan whose binaries are built and whose work is cut into shards.
type Run struct {
	dir      string
	log      func(format string, args ...any)
	unlock   func()
	finished atomic.Int64 // units, for Progress
	failures atomic.Int64
	waits    waits
	patience time.Duration
	state
}

// state is run.json.
type state struct {
	Key    string // the plan, its seeds, the binaries, the part, the tree
	Tree   string // the module's files, by size and time of change
	Plan   string // its text
	Name   string
	Root   string
	Cache  string
	Packed bool     // models that were compiled before the workers began are in the run's folder
	Ahead  bool     // those of jobs of one unit, too
	Env    []string // variables that models depend on
	Self   string   // the program cosimate
	Part   [2]int
	Jobs   []*Job
	Shards []Shard
	Cover  []string
	Since  string // when the run began
}

// The files of a run, in its folder.
const (
	stateFile = "run.json"
	doneFile  = "done"
	timesFile = "times.json"
	modelsDir = "models" // is asked before the cache of models
)

// modelEnv are the variables that say with what models are compiled. They must be the same on all
// nodes.
var modelEnv = []string{"CC", "CXX", "VERILATOR_ROOT", "VERILATOR_BIN"}

// Prepare builds what the plan runs, has the models compiled, and cuts the work into shards. If the
// folder has an unfinished run of the same, that is taken up again. Close must be called.
func Prepare(ctx context.Context, plan *Plan, o Options) (run *Run, err error) {
	out, err := filepath.Abs(o.Out)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{"store", "results", "partial", "attempts", "logs"} {
		if err := os.MkdirAll(filepath.Join(out, dir), 0o777); err != nil {
			return nil, err
		}
	}
	r := &Run{dir: out, log: o.Log, patience: cmp.Or(o.Patience, Patience)}
	if r.unlock, err = lock(ctx, out); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if r.Root, err = filepath.EvalSymlinks(o.Root); err != nil {
		return nil, err
	}
	if r.Cache, err = cachedir.Path(); err == nil {
		r.Cache, err = filepath.Abs(r.Cache)
	}
	if err != nil {
		return nil, err
	}
	if r.Self, err = os.Executable(); err != nil {
		return nil, err
	}
	r.Plan, r.Name, r.Part, r.Cover = plan.Text, plan.Name, o.Part, plan.Cover
	var packages []*listed
	for _, e := range plan.Entries {
		jobs, p, err := resolve(ctx, r.Root, e)
		if err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, &PlanError{plan.Name, e.Line, 1, err.Error(), ""}
		}
		for _, j := range jobs {
			j.Count = plan.Count
		}
		r.Jobs, packages = append(r.Jobs, jobs...), append(packages, p...)
	}
	r.log("building the tests of %d packages", len(packages)-count(packages, nil))
	if err := compile(ctx, r.Root, filepath.Join(out, "store"), r.Jobs, packages, o.Jobs); err != nil {
		return nil, err
	}
	for _, j := range r.Jobs {
		if j.Package != "" && !j.Seeded && j.First != 1 && !j.varies() {
			r.log("line %d: the tests of %s do not import sim, so they have no seed: they are run once", j.Line, j.Package)
		}
	}
	jobs, err := json.Marshal(r.Jobs)
	if err != nil {
		return nil, err
	}
	if r.Tree, err = tree(ctx, r.Root, out); err != nil {
		return nil, err
	}
	r.Key = hash(fmt.Appendf(jobs, "%s %v %v %s", plan.Text, o.Part, o.ShardTime, r.Tree))
	if o.Fresh || !r.resume() {
		return r, r.begin(ctx, o)
	}
	if o.Away && !r.Ahead && len(r.Missing()) > 0 { // it was begun for this machine
		if err := r.pack(ctx, o); err != nil {
			return nil, err
		}
		return r, writeJSON(filepath.Join(r.dir, stateFile), r.state)
	}
	return r, nil
}

// pack puts the models that were compiled into the run's folder.
func (r *Run) pack(ctx context.Context, o Options) (err error) {
	if o.Away {
		if err := r.ahead(ctx, o.Jobs); err != nil {
			return err
		}
		r.Ahead = true
	}
	r.Packed, err = modelpack.Write(r.usedFile(), r.Cache, filepath.Join(r.dir, modelsDir))
	return err
}

func count[T comparable](all []T, v T) (n int) {
	for _, a := range all {
		if a == v {
			n++
		}
	}
	return n
}

// lock takes the lock of a run's folder.
func lock(ctx context.Context, out string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(out, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: another cosimate regress works in this folder; wait for its end, or use another --out", out)
	}
	return func() { f.Close() }, ctx.Err()
}

// Close gives the folder free.
func (r *Run) Close() {
	if r.unlock != nil {
		r.unlock()
		r.unlock = nil
	}
}

// resume takes up an unfinished run of the same key.
func (r *Run) resume() bool {
	var old state
	if err := readJSON(filepath.Join(r.dir, stateFile), &old); err != nil || old.Key != r.Key {
		return false
	}
	if _, err := os.Stat(filepath.Join(r.dir, doneFile)); err == nil {
		return false
	}
	self := r.Self
	r.state = old
	r.Self = self
	if missing := len(r.Missing()); missing < len(r.Shards) {
		r.log("taking up the run of %s: %d of %d shards are done", r.Since, len(r.Shards)-missing, len(r.Shards))
	}
	return true
}

// begin begins a run anew.
func (r *Run) begin(ctx context.Context, o Options) error {
	for _, name := range []string{stateFile, doneFile, "tasks", "task.sh"} {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, dir := range []string{"results", "partial", "attempts", "logs", "failures", modelsDir} {
		if err := errors.Join(os.RemoveAll(filepath.Join(r.dir, dir)), os.MkdirAll(filepath.Join(r.dir, dir), 0o777)); err != nil {
			return err
		}
	}
	r.Env = nil
	for _, name := range modelEnv {
		if v := os.Getenv(name); v != "" {
			r.Env = append(r.Env, name+"="+v)
		}
	}
	r.Since = time.Now().Format("2006-01-02 15:04:05")
	spans := part(r.Jobs, max(1, o.Part[0]), max(1, o.Part[1]))
	unit, err := r.warm(ctx, o.Jobs, spans)
	if err != nil {
		return err
	}
	if err := r.pack(ctx, o); err != nil {
		return err
	}
	each := o.ShardTime
	if each == 0 {
		each = ShardTime
	}
	r.Shards = cut(spans, unit, each)
	return writeJSON(filepath.Join(r.dir, stateFile), r.state)
}

// usedFile is the file that lists the models that are compiled before the workers begin.
func (r *Run) usedFile() string { return filepath.Join(r.dir, modelsDir, "used") }

// Open opens a run that another process has prepared, for [Run.Work].
func Open(dir string) (*Run, error) {
	dir, err := filepath.Abs(dir) // tests run in folders of their own
	if err != nil {
		return nil, err
	}
	r := &Run{dir: dir, log: func(string, ...any) {}}
	if err := readJSON(filepath.Join(dir, stateFile), &r.state); err != nil {
		return nil, err
	}
	r.Self, err = os.Executable() // that of who has prepared the run may not be on this machine
	return r, err
}

// Missing returns the shards without results, those first that take longest.
func (r *Run) Missing() (missing []int) {
	there := map[string]bool{}
	entries, _ := os.ReadDir(filepath.Join(r.dir, "results"))
	for _, e := range entries {
		there[e.Name()] = true
	}
	for _, k := range longestFirst(r.Shards) {
		if !there[strconv.Itoa(k)+".json"] {
			missing = append(missing, k)
		}
	}
	return missing
}

// Units returns how many units all shards have.
func (r *Run) Units() (n int) {
	for _, s := range r.Shards {
		n += s.units()
	}
	return n
}

func (s *Shard) units() (n int) {
	for _, p := range s.Spans {
		n += p.To - p.From
	}
	return n
}

// Count returns how many shards there are.
func (r *Run) Count() int { return len(r.Shards) }

// Progress returns how many units are done, and how many of them failed.
func (r *Run) Progress() (done, failed int) { return int(r.finished.Load()), int(r.failures.Load()) }

// Local runs the missing shards with so many workers in this process, each with test processes of
// its own. When it returns nil, no shard is missing.
func (r *Run) Local(ctx context.Context, workers int) error {
	missing := r.Missing()
	for k, s := range r.Shards {
		if !slices.Contains(missing, k) {
			r.finished.Add(int64(s.units()))
		}
	}
	queue := make(chan int, len(missing))
	for _, k := range missing {
		queue <- k
	}
	close(queue)
	group, ctx := errgroup.WithContext(ctx)
	for range min(max(1, workers), len(missing)) {
		group.Go(func() error {
			for k := range queue {
				if err := r.insist(ctx, k); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// How long a shard waits after an error that is not of its tests, as a full disk is, and an array
// of jobs after one that has done nothing.
var pauses = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, time.Minute, 2 * time.Minute}

// insist runs a shard, again if something around it breaks.
func (r *Run) insist(ctx context.Context, k int) error {
	for i := 0; ; i++ {
		err := r.Work(ctx, k)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, ok := errors.AsType[*compileError](err); ok || i == len(pauses) {
			return fmt.Errorf("shard %d: %w", k, err)
		}
		r.log("shard %d is run again in %v: %v", k, pauses[i], firstOf(err.Error()))
		if err := pause(ctx, pauses[i]); err != nil {
			return err
		}
	}
}

// writeAgain writes a file, again if the disk is full, as it may be for a while.
func (r *Run) writeAgain(ctx context.Context, name string, data []byte) error {
	for i := 0; ; i++ {
		err := writeFile(name, data)
		if !errors.Is(err, syscall.ENOSPC) || i == len(pauses) {
			return err
		}
		r.log("it is written again in %v: %v", pauses[i], err)
		if err := pause(ctx, pauses[i]); err != nil {
			return err
		}
	}
}

// pause waits for so long, or returns why it is not to.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// compileError is the error of a worker that may not compile, and would have to. It stays.
type compileError struct{ what string }

func (e *compileError) Error() string { return e.what }

func firstOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
