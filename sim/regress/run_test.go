package regress_test

import (
	"context"
	"errors"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/internal/regresstest"
	"github.com/cosimate/cosimate/sim/regress"
)

// plain makes a module of a package of tests that need no simulator.
func plain(t *testing.T) (root string) {
	t.Helper()
	text, err := os.ReadFile("testdata/plain/plain_test.go")
	if err != nil {
		t.Fatal(err)
	}
	return regresstest.Module(t, map[string]string{"plain/plain_test.go": string(text)})
}

func prepare(t *testing.T, text string, o regress.Options) *regress.Run {
	t.Helper()
	plan, err := regress.ParsePlan("test.plan", text, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	o.Log = t.Logf
	run, err := regress.Prepare(t.Context(), plan, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	return run
}

// found returns what a run has found, as files.
func found(t *testing.T, run *regress.Run) string {
	t.Helper()
	res, times, err := run.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Finish(res, times); err != nil {
		t.Fatal(err)
	}
	document, err := res.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if page, err := res.Page(times, t.TempDir()); err != nil || !strings.Contains(page, html.EscapeString(res.Buckets[0].Shortest.Command)) {
		t.Errorf("the page has not the command of the first bucket, or %v", err)
	}
	return res.Text() + string(document)
}

const plainPlan = "test ./plain seeds=1..120 -n=$seed limit=400ms\n" +
	"command name=none sh -c 'echo error: it is $seed; exit 3'\n"

const plainText = `test.plan: 121 runs of 2 entries: 8 failed, in 7 buckets

1. TestOdd · plain/plain_test.go:21 · test
   17 is not wanted
   2 seeds failed; the shortest is 17
   see it: go test ./plain -run '^TestOdd$' -count=1 -n=17
   run again by itself, it fails; its files: failures/KEY
2. TestOdd/sub · plain/plain_test.go:25 · test
   nor is 18
   1 seed failed; the shortest is 18
   see it: go test ./plain -run '^TestOdd$/^sub$' -count=1 -n=18
   run again by itself, it fails; its files: failures/KEY
3. TestEnds · plain/plain_test.go:34 · crash
   runtime error: invalid memory address or nil pointer dereference
   1 seed failed; the shortest is 33
   see it: go test ./plain -run '^TestEnds$' -count=1 -n=33
   run again by itself, it fails; its files: failures/KEY
4. killed
   it kills its worker: it was killed 3 times while this seed was run (memory?)
   1 seed failed; the shortest is 44
   see it: go test ./plain -count=1 -n=44
5. TestEnds · limit
   test timed out after 400ms
   1 seed failed; the shortest is 55
   see it: go test ./plain -run '^TestEnds$' -count=1 -n=55
6. TestEnds · plain/plain_test.go:41 · crash
   unexpected call to os.Exit(0) during test
   1 seed failed; the shortest is 66
   see it: go test ./plain -run '^TestEnds$' -count=1 -n=66
   run again by itself, it fails; its files: failures/KEY
7. command
   error: it is 1
   1 seed failed; the shortest is 1
   see it: sh -c 'echo error: it is 1; exit 3'
`

// A run finds the same with one worker, with several and small shards, and in parts: tests that
// fail, crash, hang, end the process or are killed are found down to the seed, and the other seeds
// are not lost.
func TestSame(t *testing.T) {
	root := plain(t)
	want := ""
	for _, c := range []struct {
		name string
		jobs int
		each time.Duration
	}{{"one", 1, 0}, {"two", 2, 20 * time.Microsecond}} {
		run := prepare(t, plainPlan, regress.Options{Root: root, Out: filepath.Join(t.TempDir(), c.name), Jobs: c.jobs, ShardTime: c.each})
		if err := run.Local(t.Context(), c.jobs); err != nil {
			t.Fatal(err)
		}
		got := found(t, run)
		if want == "" {
			want = got
			text, _, _ := strings.Cut(got, "{")
			if diff := cmp.Diff(plainText, keys.ReplaceAllString(text, "failures/KEY")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-one +got)\n%s", c.name, diff)
		}
	}
	var dirs []string
	for i := 1; i <= 3; i++ {
		dir := filepath.Join(t.TempDir(), strconv.Itoa(i))
		run := prepare(t, plainPlan, regress.Options{Root: root, Out: dir, Jobs: 2, Part: [2]int{i, 3}})
		if err := run.Local(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	run, res, times, err := regress.Merge(t.Context(), filepath.Join(t.TempDir(), "all"), dirs, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	document, err := res.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, res.Text()+string(document)); diff != "" {
		t.Errorf("merged: (-one +got)\n%s", diff)
	}
	if err := run.Finish(res, times); err != nil {
		t.Error(err)
	}
	if _, _, _, err := regress.Merge(t.Context(), t.TempDir(), dirs[:2], t.Logf); err == nil || err.Error() != "part 3 of 3 is missing" {
		t.Errorf("without part 3: %v", err)
	}
	if _, _, _, err := regress.Merge(t.Context(), t.TempDir(), []string{dirs[0], dirs[0], dirs[1]}, t.Logf); err == nil || !strings.Contains(err.Error(), "are both part 1 of 3") {
		t.Errorf("part 1 twice: %v", err)
	}
}

// A line without an end is no reason to keep all of it, and what follows it is read.
func TestLongLine(t *testing.T) {
	run := prepare(t, "command sh -c 'head -c 9000000 /dev/zero; echo; echo error: at the end; exit 1'", regress.Options{Root: plain(t), Out: t.TempDir(), Jobs: 1})
	if err := run.Local(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	res, _, err := run.Result(t.Context())
	if err != nil || len(res.Cases) != 1 || res.Cases[0].Message != "error: at the end" || len(res.Cases[0].Text) > 10_000 {
		t.Errorf("%v\n%.5000s", err, res.Text())
	}
}

// A run that was ended is taken up again: what is done is not done again.
func TestResume(t *testing.T) {
	root, out := plain(t), t.TempDir()
	const text = "test ./plain seeds=101..160 -n=$seed -sleep=5ms"
	o := regress.Options{Root: root, Out: out, Jobs: 2, ShardTime: 50 * time.Millisecond}
	run := prepare(t, text, o)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	go func() {
		for run.Count()-len(run.Missing()) < 2 {
			time.Sleep(time.Millisecond)
		}
		cancel(stop)
	}()
	if err := run.Local(ctx, 2); !errors.Is(err, stop) {
		t.Fatalf("%v, not that it was ended", err)
	}
	run.Close()
	for _, name := range []string{"results/.1.tmp", "attempts/0.1"} { // as a killed worker leaves them
		if err := os.WriteFile(filepath.Join(out, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := map[string]time.Time{}
	files, err := filepath.Glob(filepath.Join(out, "results", "*.json"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		before[f] = info.ModTime()
	}
	run = prepare(t, text, o)
	if err := run.Local(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for f, at := range before {
		if info, err := os.Stat(f); err != nil || !info.ModTime().Equal(at) {
			t.Errorf("%s was written again (%v)", f, err)
		}
	}
	res, times, err := run.Result(t.Context())
	if err != nil || res.Units != 60 || res.Failed != 1 {
		t.Fatalf("%d runs, %d failed, %v; not 60 and 1", res.Units, res.Failed, err)
	}
	if err := run.Finish(res, times); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"attempts", "partial"} {
		if left, _ := os.ReadDir(filepath.Join(out, dir)); len(left) > 0 {
			t.Errorf("%s is left in %s", left[0].Name(), dir)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "results", ".1.tmp")); err == nil {
		t.Error("a temporary file is left")
	}
}

// A second copy of a shard changes nothing.
func TestTwice(t *testing.T) {
	root, out := plain(t), t.TempDir()
	run := prepare(t, "test ./plain seeds=101..120 -n=$seed", regress.Options{Root: root, Out: out, Jobs: 1})
	other, err := regress.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 2)
	for _, r := range []*regress.Run{run, other} {
		go func() { done <- r.Work(t.Context(), 0) }()
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	res, _, err := run.Result(t.Context())
	if err != nil || res.Units != 20 || res.Failed != 1 || len(res.Flaky) > 0 {
		t.Errorf("%d runs, %d failed, %v flaky, %v", res.Units, res.Failed, res.Flaky, err)
	}
}
