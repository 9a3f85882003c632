package main

import (
	"fmt"
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

// The parts together are all faults, each once.
func TestParts(t *testing.T) {
	got := map[string]int{}
	for i := 1; i <= 40; i++ {
		chosen, err := choose(regexp.MustCompile(""), fmt.Sprintf("%d/40", i))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range chosen {
			got[f.file+f.name]++
		}
	}
	for _, f := range faults {
		if got[f.file+f.name] != 1 {
			t.Errorf("%s: %s is in %d parts", f.file, f.name, got[f.file+f.name])
		}
	}
	for _, part := range []string{"", "0/2", "3/2", "1", "1/1000000"} {
		if chosen, err := choose(regexp.MustCompile(""), part); err == nil {
			t.Errorf("part %q has %d faults", part, len(chosen))
		}
	}
}
