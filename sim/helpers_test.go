package sim_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

var exampleContext = context.Background()

// patched is testdata with one text in one file replaced. The text must occur
// exactly once: a fault that is no longer planted must not pass for one found.
func patched(t testing.TB, name, old, new string) fstest.MapFS {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), old); n != 1 {
		t.Fatalf("%q occurs %d times in %s, not once", old, n, name)
	}
	return fstest.MapFS{name: {Data: []byte(strings.Replace(string(data), old, new, 1))}}
}
