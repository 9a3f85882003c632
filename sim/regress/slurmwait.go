package regress

import (
	"context"
	"fmt"
	"strings"
)

// waits is why an array of jobs waits, as far as the user was told.
type waits struct {
	last string // the reason of the last question
	told map[string]bool
}

// see tells the user why no task runs, each reason once, if it is still the same at the next question:
// tasks that were just submitted wait for a moment.
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
