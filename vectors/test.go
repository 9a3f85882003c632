package vectors

import (
	"path/filepath"
	"strings"
	"testing"
)

// Test runs all vectors in folders, each as a subtest with the name of its file, in both simulators
// and the model.
func (r *Registry) Test(t *testing.T, o Options, folders ...string) {
	t.Helper()
	files, err := Files(folders...)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range r.Run(t.Context(), files, o) {
		name := strings.TrimSuffix(filepath.ToSlash(result.File), filepath.Ext(result.File))
		t.Run(strings.TrimLeft(name, "./"), func(t *testing.T) {
			if result.Verdict != Pass {
				t.Fatalf("%s\n%v", result.Verdict, result.Err)
			}
		})
	}
}
