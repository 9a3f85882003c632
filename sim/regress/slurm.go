package regress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/internal/shell"
)

// So many arrays of jobs one after another may end without a unit more that is done, with pauses
// between them.
const mostRounds = 7

// The most tasks of an array. If there are more shards, a task runs several, one after another.
const mostTasks = 10_000

// Slurm runs the missing shards as an array of jobs, with these flags of sbatch, and waits for
// their results. Tasks that were lost, with a node or by hand, are submitted again. If an array of
// this run is there already, which a command submitted that was killed, it waits for that. When ctx
// ends, it cancels the array; what is done stays.
func (r *Run) Slurm(ctx context.Context, flags []string) error {
	r.waits = waits{}
	for idle, done := 0, r.begun(); ; {
		missing := r.Missing()
		if len(missing) == 0 {
			r.cancelArrays()
			return nil
		}
		tasks, err := r.queued(ctx)
		if err != nil {
			return err
		}
		if len(tasks) > 0 {
			r.log("waiting for %s, which runs already", tasks[0].job)
		} else {
			job, err := r.submit(ctx, missing, flags)
			if err != nil {
				return err
			}
			r.log("%d shards as job %s", len(missing), job)
			r.waits.moved, r.waits.since = time.Time{}, time.Time{}
		}
		if err := r.wait(ctx); err != nil {
			if ctx.Err() != nil {
				r.cancelArrays()
				return context.Cause(ctx)
			}
			return err
		}
		left := len(r.Missing())
		if left == 0 {
			continue
		}
		idle++
		if now := r.begun(); now > done {
			idle, done = 0, now
		}
		switch idle {
		case 0:
			r.log("%d shards have no results: they are run again", left)
			continue
		case 1:
			r.log("no run more was done; %s", r.lastLog())
		case mostRounds:
			return fmt.Errorf("%d shards have no results after %d arrays of jobs, none of which has done a run more; %s", left, idle, r.lastLog())
		}
		r.log("%d shards have no results: they are run again in %v", left, pauses[idle-1])
		if err := pause(ctx, pauses[idle-1]); err != nil {
			return err
		}
	}
}

// begun returns how many units are done, those of shards without results, too.
func (r *Run) begun() (n int) {
	for k := range r.Shards {
		var s ShardResult
		if _, err := os.Stat(r.file("results", k)); err == nil {
			n += r.Shards[k].units()
		} else if readJSON(r.file("partial", k), &s) == nil {
			for _, d := range s.Done {
				n += d.To - d.From
			}
		}
	}
	return n
}

// name returns the name of the run's jobs, which no other run's have, also if it is of the same
// plan.
func (r *Run) name() string { return "cosimate-" + hash([]byte(r.Key+r.dir)) }

// FindSlurm returns an error if no jobs can be submitted from this machine.
func FindSlurm() error {
	for _, name := range []string{"sbatch", "squeue", "scancel"} {
		if _, err := exec.LookPath(name); err != nil {
			return noSlurm(name)
		}
	}
	return nil
}

func noSlurm(name string) error {
	return fmt.Errorf("%s is not here: --slurm is for a machine from which jobs are submitted", name)
}

// slurmTool runs a program of Slurm's.
func slurmTool(ctx context.Context, name string, args ...string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", noSlurm(name)
	}
	if err != nil {
		return "", &slurmError{name, strings.TrimSpace(stderr.String()), err}
	}
	return strings.TrimSpace(string(out)), nil
}

// slurmError is what a program of Slurm's says.
type slurmError struct {
	tool, says string
	err        error
}

func (e *slurmError) Error() string { return fmt.Sprintf("%s: %v\n%s", e.tool, e.err, e.says) }
func (e *slurmError) Unwrap() error { return e.err }

// retry runs a program of Slurm's until the controller answers: it may be restarted meanwhile.
func (r *Run) retry(ctx context.Context, name string, args ...string) (string, error) {
	const patience = 10 * time.Minute
	began, told := time.Now(), false
	for {
		out, err := slurmTool(ctx, name, args...)
		if err == nil || ctx.Err() != nil {
			return out, err
		}
		var says *slurmError
		if !errors.As(err, &says) || time.Since(began) > patience || !away.MatchString(says.says) {
			return "", err
		}
		if !told {
			r.log("Slurm does not answer: %s", firstOf(says.says))
			told = true
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// away matches what Slurm's programs say if the controller does not answer.
var away = regexp.MustCompile(`(?i)unable to contact|connection refused|timed out|communication|connect failure|temporar|in standby`)

// cancelArrays cancels what is left of the run's jobs: with all results there, these are second
// copies. What Slurm does not get rid of, as on a node that does not answer, is not waited for.
func (r *Run) cancelArrays() {
	ctx, cancel := context.WithTimeout(context.Background(), cancelPatience)
	defer cancel()
	_, err := r.retry(ctx, "scancel", "--me", "-n", r.name())
	var left []task
	for err == nil {
		tasks, err2 := r.queued(ctx)
		if err = err2; err == nil {
			if left = tasks; len(left) == 0 {
				return
			}
			select {
			case <-time.After(200 * time.Millisecond):
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
	}
	if len(left) == 0 {
		r.log("what Slurm has of the run may be left: %v", err)
		return
	}
	r.log("Slurm does not end job %s: %s; nothing depends on that", left[0].job, states(left))
	for _, t := range left {
		r.waits.leave(t.job)
	}
}

// submit submits the shards as an array.
func (r *Run) submit(ctx context.Context, missing []int, flags []string) (job string, err error) {
	program, err := r.ship()
	if err != nil {
		return "", err
	}
	tasks := min(len(missing), mostTasks, r.maxArray(ctx))
	var text strings.Builder
	for _, shards := range deal(missing, tasks) {
		fmt.Fprintln(&text, strings.Trim(fmt.Sprint(shards), "[]"))
	}
	list := filepath.Join(r.dir, "tasks")
	// Tasks of an earlier array are gone, or they would have been waited for.
	if err := r.writeAgain(ctx, list, []byte(text.String())); err != nil {
		return "", err
	}
	script := fmt.Sprintf("#!/bin/sh\nexec %s regress work %s $(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" %s)\n",
		shell.Quote(program), shell.Quote(r.dir), shell.Quote(list))
	file := filepath.Join(r.dir, "task.sh")
	if err := r.writeAgain(ctx, file, []byte(script)); err != nil {
		return "", err
	}
	// Of our own flags a user's can replace each but the last.
	args := slices.Concat([]string{"--parsable", "--requeue", "--open-mode=append", "--output=" + filepath.Join(r.dir, "logs", "%a.txt")},
		flags, []string{"--array=0-" + strconv.Itoa(tasks-1), "--job-name=" + r.name(), "--chdir=" + r.Root, file})
	out, err := r.retry(ctx, "sbatch", args...)
	if err != nil {
		return "", err
	}
	job, _, _ = strings.Cut(out, ";")
	return job, nil
}

// ship copies this program into the run's folder, where the nodes find it.
func (r *Run) ship() (string, error) {
	data, err := os.ReadFile(r.Self)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(r.dir, "store", hash(data))
	program := filepath.Join(dir, "cosimate")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	name, err := writeBeside(program, data)
	if err != nil {
		return "", err
	}
	return program, errors.Join(os.Chmod(name, 0o755), os.Rename(name, program))
}

var maxArraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// maxArray returns how many tasks an array of this cluster may have.
func (r *Run) maxArray(ctx context.Context) int {
	const usual = 1000
	out, err := r.retry(ctx, "scontrol", "show", "config")
	if m := maxArraySize.FindStringSubmatch(out); err == nil && m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 1 {
			return n - 1
		}
	}
	return usual
}

// wait waits until all results are there, or no job of the run is left, or none that would do
// anything. It looks at files often, and asks the controller seldom, which has other things to do.
func (r *Run) wait(ctx context.Context) error {
	began, asked := time.Now(), time.Now()
	for {
		left := r.count()
		if left == 0 {
			return nil
		}
		if time.Since(asked) > askAfter(time.Since(began)) {
			tasks, err := r.queued(ctx)
			if err != nil {
				return err
			}
			asked = time.Now()
			if len(tasks) == 0 {
				// On a shared folder, what another machine has written may be seen a moment later.
				time.Sleep(settle)
				r.count()
				return nil
			}
			if why, err := r.judge(ctx, tasks); err != nil || why != "" {
				if why != "" {
					r.log("job %s %s: it is cancelled", tasks[0].job, why)
				}
				r.cancelArrays()
				return err
			}
		}
		select {
		case <-time.After(min(max(time.Since(began)/50, 200*time.Millisecond), 5*time.Second)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var settle = time.Second

var askLeast = time.Second

// askAfter returns how long to wait between two questions to the controller.
func askAfter(waited time.Duration) time.Duration {
	return min(max(waited/20, askLeast), 30*time.Second)
}

// count notes what is done, from the files, and returns how many shards are missing.
func (r *Run) count() int {
	missing := r.Missing()
	done := r.Units()
	for _, k := range missing {
		done -= r.Shards[k].units()
	}
	r.finished.Store(int64(done))
	return len(missing)
}

// lastLog returns the end of what a task of the array has printed.
func (r *Run) lastLog() string {
	names, _ := filepath.Glob(filepath.Join(r.dir, "logs", "*.txt"))
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil && len(text) > 0 {
			return fmt.Sprintf("%s ends with:\n%s", name, last(string(text[max(0, len(text)-1000):])))
		}
	}
	return "nothing is in " + filepath.Join(r.dir, "logs") + ": do the nodes see this folder?"
}
