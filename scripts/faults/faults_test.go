package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// If a text in which a fault is planted changes, this test shows it at once, and not only the next
// night.
func TestFaultsCanBePlanted(t *testing.T) {
	root, err := moduleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range faults {
		if _, err := f.plant(root); err != nil {
			t.Error(err)
		}
		pkg, pattern, _ := strings.Cut(f.test, " ")
		if info, err := os.Stat(filepath.Join(root, pkg)); err != nil || !info.IsDir() {
			t.Errorf("%s: %s: there is no package %q", f.file, f.name, pkg)
		}
		if _, err := regexp.Compile(pattern); err != nil || pattern == "" {
			t.Errorf("%s: %s: -run %q: %v", f.file, f.name, pattern, err)
		}
		if f.old == f.new || f.says == "" || names[f.file+f.name] {
			t.Errorf("%s: %s: it changes nothing, says nothing, or is there twice", f.file, f.name)
		}
		names[f.file+f.name] = true
	}
	if len(faults) < 50 {
		t.Errorf("there are %d faults only", len(faults))
	}
}
