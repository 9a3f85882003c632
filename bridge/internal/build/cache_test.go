package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosimate/cosimate/internal/cachedir"
)

// made lists what is in the cache, without the locks.
func made(t *testing.T) (names []string) {
	t.Helper()
	dir, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	return names
}

// No two lists of names and values have the same key.
func TestKey(t *testing.T) {
	seen := map[string][]string{}
	for _, list := range [][]string{
		{}, {"a", ""}, {"", "a"}, {"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "bc"}, {"ab", "c"}, {"a", "b", "c", ""}, {"a", "", "b", "c"},
		{"a", "b", "", "c"}, {"a", "1:1:bc"}, {"a", "1", "b", "c"}, {"b", "c", "a", "1"},
	} {
		k := NewKey("kind")
		for pair := range slices.Chunk(list, 2) {
			k.Add(pair[0], pair[1])
		}
		if other, ok := seen[k.sum()]; ok {
			t.Errorf("%q and %q have the same key", other, list)
		}
		seen[k.sum()] = list
	}
	if NewKey("x").sum() == NewKey("y").sum() {
		t.Error("two kinds have the same key")
	}
}

// At every moment an entry is either complete or not there. If making it fails, nothing is left.
func TestEntryAppearsWhole(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	key := NewKey("test").Add("n", "1")
	whole := func() bool {
		return slices.ContainsFunc(made(t), func(name string) bool { return !strings.HasSuffix(name, ".tmp") })
	}
	fill := func(_ context.Context, dir string) error {
		for _, name := range []string{"one", "two"} {
			if whole() {
				t.Errorf("the entry is there half made: %v", made(t))
			}
			if err := WriteFile(dir, name, []byte(name)); err != nil {
				return err
			}
		}
		return nil
	}
	broken := errors.New("broken")
	_, err := Entry(t.Context(), "entry", key, []string{"one"}, func(ctx context.Context, dir string) error {
		return errors.Join(fill(ctx, dir), broken)
	})
	if !errors.Is(err, broken) || len(made(t)) > 0 {
		t.Errorf("an entry that could not be made leaves %v: %v", made(t), err)
	}
	_, err = Entry(t.Context(), "entry", key, []string{"one"}, func(_ context.Context, dir string) error { return WriteFile(dir, "one", nil) })
	if err == nil || len(made(t)) > 0 {
		t.Errorf("an empty file leaves %v: %v", made(t), err)
	}
	dir, err := Entry(t.Context(), "entry", key, []string{"one", "two"}, fill)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != name {
			t.Errorf("%s has %q (%v)", name, data, err)
		}
	}
	again, err := Entry(t.Context(), "entry", key, []string{"one", "two"}, func(context.Context, string) error { return broken })
	if err != nil || again != dir {
		t.Errorf("what is there is made again: %s, %v", again, err)
	}
}

// If several want the same entry at the same time, one makes it, and the others wait for it.
func TestOneBuilder(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	var fills atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := Entry(t.Context(), "entry", NewKey("test"), []string{"file"}, func(_ context.Context, dir string) error {
				fills.Add(1)
				time.Sleep(50 * time.Millisecond)
				return WriteFile(dir, "file", []byte("x"))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := fills.Load(); n != 1 {
		t.Errorf("the entry was made %d times", n)
	}
}

// Waiting for an entry that another makes ends when the context is done.
func TestWaitingIsCancelled(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	begun, release := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := Entry(t.Context(), "entry", NewKey("test"), []string{"file"}, func(_ context.Context, dir string) error {
			close(begun)
			<-release
			return WriteFile(dir, "file", []byte("x"))
		})
		done <- err
	}()
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := Entry(ctx, "entry", NewKey("test"), []string{"file"}, func(context.Context, string) error { return errors.New("two at once") })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// After a build was cancelled, nothing of it makes a file later.
func TestCancelledMakesNothing(t *testing.T) {
	cache := t.TempDir()
	t.Setenv(cachedir.Env, cache)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Entry(ctx, "entry", NewKey("test"), []string{"file"}, func(context.Context, string) error { return errors.New("it began") })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	time.Sleep(20 * time.Millisecond)
	if names, err := os.ReadDir(filepath.Join(cache, "models")); err != nil || len(names) > 0 {
		t.Errorf("there is %v, %v", names, err)
	}
}

// An entry that is in use stays, however long ago it was made.
func TestUsedEntriesStay(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	entry := func(n string) string {
		t.Helper()
		dir, err := Entry(t.Context(), "entry", NewKey("test").Add("n", n), []string{"file"}, func(_ context.Context, dir string) error {
			return WriteFile(dir, "file", []byte(n))
		})
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	old := time.Now().Add(-unusedFor - time.Hour)
	used, unused := entry("used"), entry("unused")
	for _, dir := range []string{used, unused} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	killed, building := used[:len(used)-32]+strings.Repeat("1", 32)+".tmp", used[:len(used)-32]+strings.Repeat("2", 32)+".tmp"
	for dir, age := range map[string]time.Duration{killed: 25 * time.Hour, building: 23 * time.Hour} {
		then := time.Now().Add(-age)
		if err := errors.Join(os.Mkdir(dir, 0o777), os.Chtimes(dir, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	entry("used")
	entry("new")
	if _, err := os.Stat(unused); err != nil {
		t.Errorf("entries were looked through twice a day: %v", err)
	}
	yesterday := time.Now().Add(-trimEvery - time.Hour)
	if err := os.Chtimes(filepath.Join(filepath.Dir(used), trimmed), yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	entry("newer") // old entries are removed when a new one is made
	if _, err := os.Stat(used); err != nil {
		t.Errorf("an entry that is used is gone: %v", err)
	}
	if _, err := os.Stat(unused); err == nil {
		t.Error("an entry that nobody has used for long is still there")
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("what a killed build has left is still there")
	}
	if _, err := os.Stat(building); err != nil {
		t.Errorf("what a build may be at is gone: %v", err)
	}
}

// An entry is made again if the size of one of its files has changed. An entry of an older version,
// which has no list of sizes, stays.
func TestSizes(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	fills := 0
	entry := func() string {
		t.Helper()
		dir, err := Entry(t.Context(), "entry", NewKey("test"), []string{"file"}, func(_ context.Context, dir string) error {
			fills++
			return errors.Join(WriteFile(dir, "file", []byte("file")), WriteFile(dir, "deep/other", []byte("other")))
		})
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dir := entry()
	for _, c := range []struct {
		file  string
		size  int64
		again bool
	}{{"file", 2, true}, {"deep/other", 0, true}, {sizesFile, 3, true}, {"file", 4, false}} {
		if err := os.Truncate(filepath.Join(dir, c.file), c.size); err != nil {
			t.Fatal(err)
		}
		before := fills
		if entry(); fills > before != c.again {
			t.Errorf("%s with %d bytes: made %d times", c.file, c.size, fills-before)
		}
	}
	if err := os.Remove(filepath.Join(dir, sizesFile)); err != nil {
		t.Fatal(err)
	}
	before := fills
	if entry(); fills > before {
		t.Error("an entry without sizes is made again")
	}
}

// Only errors of the cache say how to move it.
func TestHintOfCache(t *testing.T) {
	root := "/home/u/.cache/cosimate/models"
	for path, hinted := range map[string]bool{root + "/x/y": true, "/home/u/.cache": true, root: true, "/home/u/rtl/top.sv": false, root + "2": false} {
		err := cacheError(root, &os.PathError{Op: "open", Path: path, Err: os.ErrPermission})
		if strings.Contains(err.Error(), "hint: set "+cachedir.Env) != hinted {
			t.Errorf("of %s it says: %v", path, err)
		}
	}
}
