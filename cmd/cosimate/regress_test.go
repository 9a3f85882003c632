package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/internal/regresstest"
)

var regressKills = flag.Int("regress.kills", 5, "how often TestRegressKilled kills something")

// With so many kills the tests do what takes longer, too.
const manyKills = 20

// module makes a module whose tests take a while for each seed and need no simulator. Some seeds
// fail. The test has a temporary folder of its own from then on.
func module(t *testing.T, seeds int) (dir string) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	return regresstest.Module(t, map[string]string{
		"t.plan": fmt.Sprintf("test ./plain seeds=1..%d -n=$seed\ncommand name=true true\n", seeds),
		"plain/plain_test.go": `package plain

import (
	"flag"
	"testing"
	"time"
)

var n = flag.Int("n", 0, "")

func TestN(t *testing.T) {
	time.Sleep(10 * time.Millisecond)
	if *n%100 == 7 {
		t.Fatalf("%d is not wanted", *n)
	}
}
`,
	})
}

// cosimate returns the command in a module.
func cosimate(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cosimate", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=")
	return cmd
}

// results returns the files of a run that must be the same, byte for byte, wherever it was run.
func results(t *testing.T, out string) (text string) {
	t.Helper()
	for _, name := range []string{"report.txt", "result.json"} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	return text
}

// alone runs the plan with one worker, which nobody disturbs.
func alone(t *testing.T, dir string) string {
	t.Helper()
	cmd := cosimate(t.Context(), dir, "regress", "t.plan", "--jobs", "1", "--out", "out/alone")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitDiffers {
		t.Fatalf("%v\n%s", err, out)
	}
	return results(t, filepath.Join(dir, "out", "alone"))
}

// cluster starts a Slurm of two nodes and returns its folder. It is stopped at the test's end.
func cluster(t testing.TB) (dir string) {
	t.Helper()
	dir, stop := startCluster(t)
	t.Cleanup(stop)
	return dir
}

// startCluster is cluster, for who stops it earlier.
func startCluster(t testing.TB) (dir string, stop func()) {
	t.Helper()
	parent, err := os.MkdirTemp("/tmp", "s") // a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(parent) })
	dir = filepath.Join(parent, "s")
	cmd := exec.Command("../../scripts/slurm", dir, "sh", "-c", "echo up; cat")
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("scripts/slurm: %v\n%s", err, stderr.String())
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	})
	if n, err := stdout.Read(make([]byte, 3)); n != 3 {
		stop()
		t.Fatalf("Slurm does not come up: %v\n%s", err, stderr.String())
	}
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	return dir, stop
}

// The plan finds on a real Slurm what it finds with one worker, byte for byte, and flags of sbatch
// reach it. Of the programs that are installed the jobs have sed, and what a line of the plan runs:
// not Verilator, no compiler, no Go.
func TestRegressSlurm(t *testing.T) {
	dir := module(t, 150)
	const stranger = "../../sim/regress/testdata/stranger"
	plan, err := os.ReadFile(filepath.Join(dir, "t.plan"))
	err = errors.Join(err, os.CopyFS(filepath.Join(dir, "fifo"), os.DirFS(stranger+"/fifo")), os.CopyFS(filepath.Join(dir, "vectors"), os.DirFS(stranger+"/vectors")),
		os.Remove(filepath.Join(dir, "fifo", "fifo_test.go")),
		os.WriteFile(filepath.Join(dir, "t.plan"), append(plan, "vectors --sim verilator vectors/full.txtar\n"...), 0o666))
	tools := t.TempDir()
	for _, name := range []string{"sed", "true"} {
		path, err2 := exec.LookPath(name)
		err = errors.Join(err, err2, os.Symlink(path, filepath.Join(tools, name)))
	}
	if err != nil {
		t.Fatal(err)
	}
	want := alone(t, dir)
	slurm := cluster(t)
	out := filepath.Join(dir, "out", "slurm")
	// At first no node takes jobs. The command says so, with what is known of the nodes.
	scontrol(t, "update", "nodename=node1,node2", "state=drain", "reason=new_fans")
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd := cosimate(t.Context(), dir, "regress", "t.plan", "--slurm", "--out", out, "--shard-time", "300ms", "--", "--partition=short", "--comment=ours", "--mem=100M", "--time=3", "--export=PATH="+tools)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text := ""
	for range 600 {
		data, err := os.ReadFile(said.Name())
		if text = string(data); err != nil || strings.Contains(text, "new_fans") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if n := strings.Count(text, "waits, and no task of it runs"); n != 1 || !strings.Contains(text, "nodes that take no jobs: ") || !strings.Contains(text, ": new_fans\n") {
		t.Errorf("%d times it says why no task runs:\n%s", n, text)
	}
	scontrol(t, "update", "nodename=node1,node2", "state=resume")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitDiffers {
		text, _ := os.ReadFile(said.Name())
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(want, results(t, out)); diff != "" {
		t.Errorf("(-alone +slurm)\n%s", diff)
	}
	jobs, err := os.ReadFile(filepath.Join(slurm, "jobs.txt"))
	if err != nil || !strings.Contains(string(jobs), "Partition=short") || !strings.Contains(string(jobs), "TimeLimit=3 ") {
		t.Errorf("no job has the flags of sbatch: %v\n%s", err, jobs)
	}
	if n := strings.Count(string(jobs), "JobState=COMPLETED"); n < 5 {
		t.Errorf("Slurm has run %d jobs, not at least 5", n)
	}
	cmd = cosimate(t.Context(), dir, "regress", "t.plan", "--slurm", "--fresh", "--out", out, "--", "--partition=none")
	if text, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitTrouble || !bytes.Contains(text, []byte("invalid partition")) {
		t.Errorf("a partition that is not there: %v\n%s", err, text)
	}
	nothingLeft(t, out)
}

func scontrol(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("scontrol", args...).CombinedOutput(); err != nil {
		t.Fatalf("scontrol %v: %v\n%s", args, err, out)
	}
}

// A seed that kills its whole worker each time is a failure by its name, and the shard's other
// seeds are not lost, with another such seed among them.
func TestRegressWorkerKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	dir := module(t, 0)
	text := `package plain

import (
	"flag"
	"os"
	"syscall"
	"testing"
	"time"
)

var n = flag.Int("n", 0, "")

func TestN(t *testing.T) {
	if *n == 5 || *n == 7 {
		syscall.Kill(os.Getppid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	}
}
`
	err := errors.Join(os.WriteFile(filepath.Join(dir, "plain", "plain_test.go"), []byte(text), 0o666),
		os.WriteFile(filepath.Join(dir, "t.plan"), []byte("test ./plain seeds=1..9 -n=$seed\n"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	out, killed := filepath.Join(dir, "out", "run"), 0
	for ; ; killed++ {
		args := []string{"regress", "work", out, "0"} // as a task on Slurm
		if killed == 0 {
			args = []string{"regress", "t.plan", "--jobs", "1", "--out", out}
		}
		cmd := cosimate(t.Context(), dir, args...)
		text, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if cmd.ProcessState.ExitCode() != -1 || killed > 10 {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	cmd := cosimate(t.Context(), dir, "regress", "t.plan", "--jobs", "1", "--out", out)
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exitDiffers {
		t.Fatalf("%v\n%s", err, said)
	}
	if killed != 6 {
		t.Errorf("killed %d times, not 3 and 3", killed)
	}
	got := results(t, out)
	for _, want := range []string{
		"it kills its worker: it was killed 3 times while this seed was run", "2 failed", "2 seeds failed; the shortest is 5", "-n=5",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	nothingLeft(t, out)
	if *regressKills < manyKills {
		return
	}
	cluster(t)
	out = filepath.Join(dir, "out", "slurm")
	cmd = cosimate(t.Context(), dir, "regress", "t.plan", "--slurm", "--out", out)
	if said, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitDiffers {
		t.Fatalf("%v\n%s", err, said)
	}
	if diff := cmp.Diff(got, results(t, out)); diff != "" {
		t.Errorf("(-here +slurm)\n%s", diff)
	}
	nothingLeft(t, out)
}

// proc is a process of a run.
type proc struct {
	pid, parent int
	command     string
	node        string
}

// processes returns the processes that have a text in their command line.
func processes(text string) (all []proc) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		dir := filepath.Dir(name)
		pid, _ := strconv.Atoi(filepath.Base(dir))
		line, err := os.ReadFile(name)
		if err != nil || pid == os.Getpid() || !bytes.Contains(line, []byte(text)) {
			continue
		}
		p := proc{pid: pid, command: strings.ReplaceAll(string(line), "\x00", " ")}
		status, _ := os.ReadFile(filepath.Join(dir, "status"))
		if _, rest, ok := strings.Cut(string(status), "\nPPid:"); ok {
			fmt.Sscan(rest, &p.parent)
		}
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if _, rest, ok := strings.Cut("\x00"+string(env), "\x00SLURMD_NODENAME="); ok {
			p.node, _, _ = strings.Cut(rest, "\x00")
		}
		all = append(all, p)
	}
	return all
}

// nothingLeft checks that a run has left no process, no temporary file and no job.
func nothingLeft(t *testing.T, out string) {
	t.Helper()
	var left []proc
	for range 50 {
		if left = processes(out); len(left) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for _, p := range left {
		t.Errorf("process %d is left: %s", p.pid, p.command)
	}
	if folders, _ := filepath.Glob(filepath.Join(os.TempDir(), "cosimate-*")); len(folders) > 0 {
		t.Errorf("%v are left", folders)
	}
	filepath.WalkDir(out, func(path string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(out, path)
		if err == nil && !e.IsDir() && (strings.HasSuffix(rel, ".tmp") || strings.HasPrefix(rel, "attempts/") || strings.HasPrefix(rel, "partial/")) {
			t.Errorf("%s is left", rel)
		}
		return nil
	})
	if os.Getenv("SLURM_CONF") != "" {
		if jobs, err := exec.Command("squeue", "-h").CombinedOutput(); err != nil || len(bytes.TrimSpace(jobs)) > 0 {
			t.Errorf("jobs are left: %v\n%s", err, jobs)
		}
	}
}

// Whatever is killed, on Slurm or without: workers, tests, nodes, the controller, the command that
// waits for all of them, which is started again. Nothing is lost, nothing counted twice, nothing
// left.
func TestRegressKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	seeds := 100 + 40**regressKills
	if *regressKills >= manyKills { // without Slurm it ends sooner
		seeds *= 2
	}
	dir := module(t, seeds)
	want := alone(t, dir)
	for _, where := range []string{"here", "slurm"} {
		t.Run(where, func(t *testing.T) {
			out := filepath.Join(dir, "out", where)
			args := []string{"regress", "t.plan", "--out", out, "--shard-time", "400ms", "--jobs", "2"}
			slurm := ""
			if where == "slurm" {
				slurm = cluster(t)
				args = append(args, "--slurm")
			}
			k := &killer{t: t, out: out, slurm: slurm, random: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Duration(*regressKills)*10*time.Second)
			defer cancel()
			for {
				cmd := cosimate(ctx, dir, args...)
				var text bytes.Buffer
				cmd.Stdout, cmd.Stderr = &text, &text
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan struct{})
				go func() {
					cmd.Wait()
					close(ended)
				}()
				for more := true; more; {
					select {
					case <-ended:
						more = false
					case <-time.After(time.Duration(200+k.random.IntN(500)) * time.Millisecond):
						k.kill(cmd.Process)
					}
				}
				if ctx.Err() != nil {
					jobs, _ := exec.Command("squeue", "-a", "-o", "%i %t %r %N").CombinedOutput()
					nodes, _ := exec.Command("scontrol", "show", "nodes").CombinedOutput()
					t.Fatalf("it does not end; killed: %v\n%s\n%s\n%s", k.kills, jobs, nodes, text.String())
				}
				if code := cmd.ProcessState.ExitCode(); code == exitDiffers {
					break
				} else if code != -1 { // killed
					t.Fatalf("exit status %d\n%s", code, text.String())
				}
			}
			t.Logf("killed: %v", k.kills)
			k.restart()
			if diff := cmp.Diff(want, results(t, out)); diff != "" {
				t.Errorf("(-alone +killed)\n%s", diff)
			}
			nothingLeft(t, out)
		})
	}
}

// A disk that is full for a while costs time, and no results: here, and on Slurm.
func TestRegressFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	if err := exec.Command("unshare", "-rm", "true").Run(); err != nil {
		t.Skipf("no disk of its own can be mounted here: %v", err)
	}
	dir := module(t, 200)
	want := alone(t, dir)
	t.Run("here", func(t *testing.T) {
		if said := withFullDisk(t, dir, want, "-rm", "cosimate regress t.plan --jobs 2"); !strings.Contains(said, "no space left on device") {
			t.Errorf("nothing is said of the disk:\n%s", said)
		}
	})
	if *regressKills >= manyKills {
		t.Run("slurm", func(t *testing.T) {
			if os.Getuid() != 0 {
				t.Skip("Slurm's daemons give up groups, which only root can, and who is root in a namespace cannot")
			}
			parent, err := os.MkdirTemp("/tmp", "s") // a short path
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(parent)
			slurm, err := filepath.Abs("../../scripts/slurm")
			if err != nil {
				t.Fatal(err)
			}
			withFullDisk(t, dir, want, "-m", slurm+" "+filepath.Join(parent, "s")+" cosimate regress t.plan --slurm")
		})
	}
}

// withFullDisk runs a command whose --out is a disk that is full for a while, mounted with this
// flag of unshare, and returns what it says.
func withFullDisk(t *testing.T, dir, want, flag, command string) (said string) {
	t.Helper()
	out, kept := t.TempDir(), t.TempDir()
	cmd := exec.CommandContext(t.Context(), "unshare", flag, "sh", "-c", `mount -t tmpfs -o size=50m none "$OUT"
`+command+` --out "$OUT" --shard-time 300ms &
until ls "$OUT"/results/*.json >/dev/null 2>&1 || ! kill -0 $!; do sleep 0.05; done
dd if=/dev/zero of="$OUT/fill" bs=4k 2>/dev/null
sleep 1.5
rm "$OUT/fill"
wait $!
code=$?
cp "$OUT/report.txt" "$OUT/result.json" "$KEPT"
find "$OUT" -name '.*.tmp' | sed 's/$/ is left/'
exit $code`)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "OUT="+out, "KEPT="+kept)
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exitDiffers {
		t.Fatalf("%v\n%s", err, text)
	}
	if bytes.Contains(text, []byte(".tmp is left")) {
		t.Errorf("a temporary file is left:\n%s", text)
	}
	if diff := cmp.Diff(want, results(t, kept)); diff != "" {
		t.Errorf("(-alone +full)\n%s", diff)
	}
	return string(text)
}

// killer kills what belongs to a run.
type killer struct {
	t          *testing.T
	out, slurm string
	random     *rand.Rand
	total      int
	kills      map[string]int
}

func (k *killer) kill(command *os.Process) {
	if k.total >= *regressKills {
		return
	}
	what := []string{"test", "test", "command"}
	if k.slurm != "" {
		what = []string{"test", "worker", "worker", "daemon", "controller", "array", "command"}
		if *regressKills >= manyKills { // it takes Slurm a quarter of a minute to notice
			what = append(what, "node")
		}
	}
	kind := what[k.random.IntN(len(what))]
	pick := func(has string) (p proc) {
		all := processes(has)
		if len(all) > 0 {
			p = all[k.random.IntN(len(all))]
		}
		return p
	}
	done := true
	switch kind {
	case "test":
		p := pick(filepath.Join(k.out, "store") + "/")
		if done = p.pid > 0 && strings.Contains(p.command, ".test "); done {
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	case "worker":
		p := pick("work\x00" + k.out)
		if done = p.pid > 0; done {
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	case "array":
		jobs, _ := exec.Command("squeue", "-h").Output()
		if done = len(jobs) > 0; done {
			exec.Command("scancel", "--me").Run()
		}
	case "command": // not always while it still builds
		if done = pick(filepath.Join(k.out, "store")+"/").pid > 0; done {
			command.Kill()
		}
	case "controller": // by a signal on which it saves what it knows: else it gives a job's number twice, and drains the nodes
		k.daemon("slurmctld", syscall.SIGTERM)
		k.start("again")
	case "daemon": // its tasks run on
		node := []string{"node1", "node2"}[k.random.IntN(2)]
		k.daemon(node, syscall.SIGKILL)
		k.start(node)
	case "node": // as without power
		node := []string{"node1", "node2"}[k.random.IntN(2)]
		k.daemon(node, syscall.SIGKILL)
		for _, p := range processes(k.out) {
			if p.node == node {
				if p.parent > 1 && strings.Contains(p.command, "work "+k.out) {
					syscall.Kill(p.parent, syscall.SIGKILL) // slurmstepd
				}
				syscall.Kill(p.pid, syscall.SIGKILL)
			}
		}
		time.Sleep(time.Duration(k.random.IntN(2000)) * time.Millisecond)
		k.start(node)
	}
	if done {
		k.total++
		if k.kills == nil {
			k.kills = map[string]int{}
		}
		k.kills[kind]++
	}
}

// daemon ends a daemon of Slurm's.
func (k *killer) daemon(name string, how syscall.Signal) {
	text, err := os.ReadFile(filepath.Join(k.slurm, name+".pid"))
	pid, err2 := strconv.Atoi(strings.TrimSpace(string(text)))
	if err := errors.Join(err, err2); err != nil {
		k.t.Error(err)
		return
	}
	syscall.Kill(pid, how)
	for i := 0; runs(pid); i++ {
		if i == 3000 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// runs reports whether a process has not ended. Where nobody waits for orphans, as in some
// containers, it stays as a zombie.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(rest, "Z")
}

// start starts a daemon again.
func (k *killer) start(name string) {
	if out, err := exec.Command(filepath.Join(k.slurm, "restart"), name).CombinedOutput(); err != nil {
		k.t.Errorf("%v\n%s", err, out)
	}
}

// restart waits until the cluster answers.
func (k *killer) restart() {
	for range 100 {
		if k.slurm == "" || exec.Command("squeue", "-h").Run() == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	k.t.Error("the controller does not answer")
}
