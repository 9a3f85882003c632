package regress

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// How long an array is waited for that does nothing. [Options].Patience is how long one may wait
// in the queue.
var (
	cancelPatience   = time.Minute      // for tasks that were cancelled
	completePatience = 2 * time.Minute  // for tasks that Slurm is ending
	writePatience    = 10 * time.Minute // for a running task's next file, beyond the longest limit of a seed
)

// Patience is how long an array may wait for anything but its turn, if nothing else is said.
const Patience = 24 * time.Hour

// task is what Slurm says of a task of an array, or of all that still wait.
type task struct{ job, state, reason, node string }

// queued returns the tasks of this run that Slurm has.
func (r *Run) queued(ctx context.Context) (tasks []task, err error) {
	out, err := r.retry(ctx, "squeue", "-h", "--me", "-n", r.name(), "-o", "%A|%t|%r|%N")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		f := append(strings.Split(strings.TrimSpace(line), "|"), "", "", "")
		if !r.waits.left[f[0]] {
			tasks = append(tasks, task{f[0], f[1], f[2], f[3]})
		}
	}
	return tasks, nil
}

// waits reports whether a task waits for something that is not of the run: pending, suspended,
// stopped, or held after it was requeued, in one of three ways.
func (t *task) waits() bool {
	return slices.Contains([]string{"PD", "S", "ST", "RH", "SE", "RD"}, t.state)
}

// stuck reports whether a task is held by Slurm itself: it has failed to start it, or the fifth
// node in a row was lost with it. Nobody would ever let it go.
func (t *task) stuck() bool {
	return t.waits() && (strings.HasPrefix(t.reason, "launch failed") || strings.HasPrefix(t.reason, "JobHoldMaxRequeue"))
}

// why returns why a task waits.
func (t *task) why() string {
	switch t.state {
	case "S":
		return "suspended"
	case "ST":
		return "stopped"
	}
	return t.reason
}

// states lists the states of tasks, and their nodes.
func states(tasks []task) string {
	all := map[string]bool{}
	for _, t := range tasks {
		text := "state " + t.state
		if t.node != "" {
			text += " on " + t.node
		}
		if t.waits() {
			text += " (" + t.why() + ")"
		}
		all[text] = true
	}
	list := slices.Sorted(maps.Keys(all))
	if more := len(list) - 5; more > 0 {
		list = append(list[:5], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// judge says what is wrong with an array that would never come to its end: then it is to be
// cancelled, and what it has not done is submitted again. An error is one that another array would
// meet, too. All is well if it returns neither.
func (r *Run) judge(ctx context.Context, tasks []task) (wrong string, err error) {
	w, now := &r.waits, time.Now()
	if mark := r.mark(); mark != w.mark || w.moved.IsZero() {
		w.mark, w.moved = mark, now
	}
	if all(tasks, (*task).stuck) {
		return "could not be started by Slurm, which holds what is left of it", nil
	}
	if !all(tasks, (*task).waits) {
		w.since = time.Time{}
		w.see(ctx, r.log, nil, nil)
		patience := r.longest() + writePatience
		if all(tasks, func(t *task) bool { return t.state == "CG" || t.waits() }) {
			patience = completePatience
		}
		if still := now.Sub(w.moved); still > patience {
			return fmt.Sprintf("has written nothing for %v, while Slurm lists %s", still.Round(time.Second), states(tasks)), nil
		}
		return "", nil
	}
	w.moved = now // what is not started writes nothing
	var jobs, reasons []string
	turn := true
	for i := range tasks {
		jobs, reasons = append(jobs, tasks[i].job), append(reasons, tasks[i].why())
		kind, _, _ := strings.Cut(reasons[i], ",")
		turn = turn && slices.Contains([]string{"", "None", "Priority", "Resources", "BeginTime"}, kind)
	}
	w.see(ctx, r.log, jobs, reasons)
	if turn {
		w.since = time.Time{}
		return "", nil
	}
	if w.since.IsZero() {
		w.since = now
	}
	if waited := now.Sub(w.since); waited > r.patience {
		return "", fmt.Errorf("job %s has waited for %v without a task that runs, and %d shards have no results: %s\n%s\nwhat is done is kept: the same command goes on from there; --patience says how long it waits",
			jobs[0], waited.Round(time.Second), len(r.Missing()), states(tasks), advice(ctx, jobs[0], strings.Join(reasons, ",")))
	}
	return "", nil
}

func all(tasks []task, is func(*task) bool) bool {
	return !slices.ContainsFunc(tasks, func(t task) bool { return !is(&t) })
}

// mark changes whenever a worker writes: results, results so far, or which unit is under way.
func (r *Run) mark() string {
	var newest time.Time
	n := 0
	for _, dir := range []string{"results", "partial", "attempts"} {
		entries, _ := os.ReadDir(filepath.Join(r.dir, dir))
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
				newest = info.ModTime()
			}
		}
		n += len(entries)
	}
	return fmt.Sprint(n, newest.UnixNano())
}

// longest returns the longest time that a unit may take of those that are not done.
func (r *Run) longest() (limit time.Duration) {
	for _, k := range r.Missing() {
		for _, s := range r.Shards[k].Spans {
			limit = max(limit, time.Duration(r.Jobs[s.Job].Limit))
		}
	}
	return limit
}

// waits is why an array of jobs waits, as far as the user was told, and since when nothing has come
// of it.
type waits struct {
	last  string // the reason of the last question
	told  map[string]bool
	mark  string          // of what workers have written
	moved time.Time       // when that was seen to change
	since time.Time       // when no task was to run for a reason that may not pass; zero: they run
	left  map[string]bool // jobs that Slurm does not get rid of
}

// leave has a job not be waited for any more.
func (w *waits) leave(job string) {
	if w.left == nil {
		w.left = map[string]bool{}
	}
	w.left[job] = true
}

// see tells the user why no task runs, each reason once, if it is still the same at the next
// question: tasks that were just submitted wait for a moment.
func (w *waits) see(ctx context.Context, log func(string, ...any), jobs, reasons []string) {
	for _, reason := range reasons {
		if kind, _, _ := strings.Cut(reason, ","); kind != "" && kind != "None" && !w.told[kind] {
			if kind != w.last {
				w.last = kind
				return
			}
			if w.told == nil {
				w.told = map[string]bool{}
			}
			w.told[kind] = true
			log("job %s waits, and no task of it runs. Slurm's reason: %s\n%s", jobs[0], reason, advice(ctx, jobs[0], reason))
			return
		}
	}
	w.last = ""
}

// advice says what can be done about a reason.
func advice(ctx context.Context, job, reason string) string {
	has := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(strings.ToLower(reason), word) {
				return true
			}
		}
		return false
	}
	const another = "wait, or press Ctrl-C and give the same command with another -- --partition=NAME: what is done is kept"
	switch {
	case has("jobheldadmin"):
		return "who runs the cluster holds it: ask them"
	case has("suspended", "stopped"):
		return "to let it go on: scontrol resume " + job
	case has("held"):
		return "to let it run: scontrol release " + job
	case has("down", "drain", "notavail", "inactive"):
		text := another
		if nodes, err := slurmTool(ctx, "sinfo", "-h", "-R", "-o", "%N: %E"); err == nil && nodes != "" {
			lines := strings.Split(nodes, "\n")
			if more := len(lines) - 5; more > 0 {
				lines = append(lines[:5], fmt.Sprintf("and %d more: sinfo -R", more))
			}
			text = "nodes that take no jobs: " + strings.Join(lines, "; ") + "\n" + text
		}
		return text
	case has("qos", "assoc", "limit"):
		return "a limit of your account, or of the partition: sacctmgr show assoc, and scontrol show partition, say which; " + another
	case has("begintime", "dependency", "licenses", "reservation", "constraint", "config"):
		return "that is what sbatch was asked for with the flags after --; scontrol show job " + job
	case has("priority", "resources"):
		return "it waits for its turn: squeue --start -j " + job
	}
	return "man squeue explains it, under JOB REASON CODES; scontrol show job " + job
}
