package regress

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Why no task runs is said once for each reason, and not while tasks run or have just been submitted.
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
