package regress

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The most buckets whose first seed is run again.
const mostAgain = 100

// again runs the shortest seed of each bucket again, by itself, with waveforms and a shrunk
// stimulus.
func (r *Run) again(ctx context.Context, res *Result) error {
	for i, b := range res.Buckets {
		j := r.Jobs[b.Shortest.Job]
		binary := filepath.Join(r.dir, "store", j.Binary)
		if j.Package == "" || b.Kind == "killed" || b.Kind == "limit" || i >= mostAgain {
			continue
		}
		if _, err := os.Stat(binary); err != nil {
			continue // merged elsewhere
		}
		folder := filepath.Join("failures", b.Key)
		text, err := os.ReadFile(filepath.Join(r.dir, folder, "again"))
		if err == nil { // by an earlier call, which was ended
			b.Again, b.Files = string(text), folder
			continue
		}
		if err := os.MkdirAll(filepath.Join(r.dir, folder), 0o777); err != nil {
			return err
		}
		seed := strconv.FormatUint(b.Shortest.Seed, 10)
		words := []string{"-test.timeout=" + time.Duration(j.Limit).String(), "-test.paniconexit0"}
		for _, f := range j.Flags {
			words = append(words, strings.ReplaceAll(f, "$seed", seed))
		}
		if b.Shortest.Test != "" {
			words = append(words, "-test.run="+exactly(b.Shortest.Test))
		}
		if j.Seeded {
			words = append(words, "-sim.seed="+seed, "-sim.keep="+filepath.Join(r.dir, folder))
		}
		w := &worker{run: r, compile: true}
		cmd := exec.CommandContext(ctx, binary, words...)
		cmd.Dir, cmd.Env = filepath.Join(r.Root, filepath.FromSlash(j.Dir)), w.environment(j)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		cmd.WaitDelay = 5 * time.Second
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b.Again, b.Files = "fails", folder
		if err == nil {
			b.Again = "passes"
		} else if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			return err
		}
		err = errors.Join(writeFile(filepath.Join(r.dir, folder, "output.txt"), out),
			writeFile(filepath.Join(r.dir, folder, "again"), []byte(b.Again)))
		if err != nil {
			return err
		}
	}
	return nil
}
