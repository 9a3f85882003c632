package regress

import (
	"os"
	"path/filepath"
	"testing"
)

// What a process that was killed has left goes with the next one. What is in use stays.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	killed := filepath.Join(os.TempDir(), "cosimate-regress-1", "cover")
	if err := os.MkdirAll(killed, 0o777); err != nil {
		t.Fatal(err)
	}
	used, remove, err := scratch()
	if err != nil {
		t.Fatal(err)
	}
	sweep()
	if names, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(names) != 1 || names[0] != used {
		t.Errorf("there are %v, not only %s, which is in use", names, used)
	}
	remove()
	if names, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(names) > 0 {
		t.Errorf("%v are left", names)
	}
}
