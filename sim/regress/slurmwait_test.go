package regress

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Why no task runs is said once for each reason, and not while tasks run or have just been
// submitted.
func TestWaits(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // without sinfo
	var said []string
	log := func(format string, args ...any) {
		text, _, _ := strings.Cut(fmt.Sprintf(format, args...), "; wait")
		said = append(said, strings.ReplaceAll(text, "job 7 waits, and no task of it runs. Slurm's reason: ", ""))
	}
	var w waits
	for _, reasons := range []string{
		"None", "Priority", "", "Priority", "None", "Resources", "Resources", "Resources", "", "Resources",
		"JobHeldUser", "JobHeldUser", "Resources", "JobHeldUser",
		"ReqNodeNotAvail, UnavailableNodes:node1", "ReqNodeNotAvail, UnavailableNodes:node[1-2]", "ReqNodeNotAvail, UnavailableNodes:node1",
		"None|QOSMaxJobsPerUserLimit", "None|QOSMaxJobsPerUserLimit", "Dependency", "Dependency", "Prolog", "Prolog", "JobHeldAdmin", "JobHeldAdmin",
	} {
		var list []string
		if reasons != "" {
			list = strings.Split(reasons, "|")
		}
		w.see(t.Context(), log, []string{"7"}, list)
	}
	want := []string{
		"Resources\nit waits for its turn: squeue --start -j 7",
		"JobHeldUser\nto let it run: scontrol release 7",
		"ReqNodeNotAvail, UnavailableNodes:node[1-2]\nwait, or press Ctrl-C and give the same command with another -- --partition=NAME: what is done is kept",
		"QOSMaxJobsPerUserLimit\na limit of your account, or of the partition: sacctmgr show assoc, and scontrol show partition, say which",
		"Dependency\nthat is what sbatch was asked for with the flags after --; scontrol show job 7",
		"Prolog\nman squeue explains it, under JOB REASON CODES; scontrol show job 7",
		"JobHeldAdmin\nwho runs the cluster holds it: ask them",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +said)\n%s", diff)
	}
}

// However Slurm fails to end an array, the command ends, and says what it waited for. Slurm is
// played by scripts: squeue prints a file, which sbatch fills, and scancel empties unless the task
// cannot be ended.
func TestNothingWaitsForEver(t *testing.T) {
	defer func(a, b, c, d, e time.Duration, f []time.Duration) {
		cancelPatience, completePatience, writePatience, settle, askLeast, pauses = a, b, c, d, e, f
	}(cancelPatience, completePatience, writePatience, settle, askLeast, pauses)
	pauses = make([]time.Duration, len(pauses))
	cancelPatience, completePatience, writePatience, settle, askLeast = 300*time.Millisecond, time.Millisecond, time.Millisecond, time.Millisecond, time.Millisecond
	const rounds = "1 shards have no results after 7 arrays of jobs, none of which has done a run more"
	for _, c := range []struct {
		name, queue string // a task as squeue lists it
		undead      bool
		says, err   []string
	}{
		{"held", "|PD|JobHeldUser|", false, nil, []string{"without a task that runs, and 1 shards have no results: state PD (JobHeldUser)", "scontrol release 1"}},
		{"down", "|PD|ReqNodeNotAvail, UnavailableNodes:node1|", false, nil, []string{"state PD (ReqNodeNotAvail, UnavailableNodes:node1)", "another -- --partition=NAME"}},
		{"limit", "|PD|JobArrayTaskLimit|", false, nil, []string{"state PD (JobArrayTaskLimit)", "a limit of your account"}},
		{"suspended", "|S|None|node1", false, nil, []string{"state S on node1 (suspended)", "scontrol resume 1"}},
		{"launch", "|PD|launch failed requeued held|", false, []string{"job 7 could not be started by Slurm"}, []string{rounds}},
		{"requeued", "|RH|JobHoldMaxRequeue|", false, []string{"job 7 could not be started by Slurm"}, []string{rounds}},
		{"completing", "|CG|None|node2", true, []string{"while Slurm lists state CG on node2", "Slurm does not end job 7: state CG on node2"}, []string{rounds}},
		{"silent", "|R|None|node1", false, []string{"job 7 has written nothing for", "while Slurm lists state R on node1"}, []string{rounds}},
		{"lost", "", false, nil, []string{rounds, "do the nodes see this folder?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, dir := t.TempDir(), t.TempDir()
			script := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\ncd "+bin+"\n"+text+"\n"), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			script("squeue", "cat queue")
			script("scontrol", "echo MaxArraySize = 1001")
			script("scancel", map[bool]string{false: ">queue", true: ":"}[c.undead])
			submit := "echo x >>count; n=$(wc -l <count); echo $n"
			if c.queue != "" {
				submit += "; echo $n'" + c.queue + "' >>queue"
			}
			script("sbatch", submit)
			err := errors.Join(os.WriteFile(filepath.Join(bin, "queue"), nil, 0o666), os.MkdirAll(filepath.Join(dir, "results"), 0o777),
				os.MkdirAll(filepath.Join(dir, "store"), 0o777), os.WriteFile(filepath.Join(dir, "cosimate"), nil, 0o666))
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":/usr/bin:/bin")
			var said strings.Builder
			r := &Run{dir: dir, patience: time.Millisecond, log: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }}
			r.Self, r.Root = filepath.Join(dir, "cosimate"), dir
			r.Jobs, r.Shards = []*Job{{Limit: 1, Units: 1}}, []Shard{{Spans: []Span{{0, 0, 1}}}}
			err = r.Slurm(t.Context(), nil)
			for _, want := range c.err {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error: %v", want, err)
				}
			}
			for _, want := range c.says {
				if !strings.Contains(said.String(), want) {
					t.Errorf("%q was not said:\n%s", want, said.String())
				}
			}
			if queue, err := os.ReadFile(filepath.Join(bin, "queue")); err != nil || len(queue) > 0 && !c.undead {
				t.Errorf("tasks are left: %s (%v)", queue, err)
			}
		})
	}
}
