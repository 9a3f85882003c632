package guide

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/sim/regress"
)

// plans returns the plans in scripts.
func plans(t *testing.T) map[string]*regress.Plan {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "scripts", "*.plan"))
	if err != nil || len(names) < 3 {
		t.Fatal(names, err)
	}
	all := map[string]*regress.Plan{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := regress.ParsePlan(name, string(text), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		all["scripts/"+filepath.Base(name)] = plan
	}
	return all
}

// nightly returns the command that an entry of a plan is.
func nightly(e *regress.Entry) string {
	if e.Kind != "test" {
		words := slices.Clone(e.Words)
		for i, w := range words {
			if !strings.Contains(w, "$") {
				words[i] = shell.Quote(w)
			}
		}
		return strings.Join(words, " ")
	}
	words := slices.Concat([]string{"go", "test"}, e.Build, e.Packages)
	for _, f := range e.Flags {
		if pattern, ok := strings.CutPrefix(f, "-test.run="); ok {
			words = append(words, "-run", "'"+pattern+"'")
		} else {
			words = append(words, f)
		}
	}
	return strings.Join(words, " ")
}

var printing = regexp.MustCompile(` -(count|timeout)[= ]\S+| -v\b`)

// plain returns a command without the flags that a plan has for all its tests.
func plain(command string) string {
	return strings.ReplaceAll(printing.ReplaceAllString(command, ""), `"$seed"`, "$seed")
}

// The flags of the plans are declared, their patterns match tests, and all blocks with mutants are
// in the plans of mutants.
func TestPlans(t *testing.T) {
	flags := declaredFlags(t)
	all := plans(t)
	for name, plan := range all {
		for _, e := range plan.Entries {
			for _, f := range e.Flags {
				f, value, _ := strings.Cut(strings.TrimPrefix(f, "-"), "=")
				if !flags[f] && !strings.HasPrefix(f, "test.") {
					t.Errorf("%s:%d: no Go file declares the flag -%s", name, e.Line, f)
				}
				if f != "test.run" {
					continue
				}
				match, err := regexp.Compile(value)
				if err != nil {
					t.Fatalf("%s:%d: %v", name, e.Line, err)
				}
				found := false
				files, _ := filepath.Glob(filepath.Join(root, e.Packages[0], "*_test.go"))
				for _, file := range files {
					text, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
						found = found || match.MatchString(m[1])
					}
				}
				if !found {
					t.Errorf("%s:%d: %s has no test %s", name, e.Line, e.Packages[0], value)
				}
			}
		}
	}
	var blocks, planned []string
	files, err := filepath.Glob(filepath.Join(root, "rtl/*/*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	plants := regexp.MustCompile(`fault\.(Plant|FindAll)\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(file), "files.list")); err == nil && plants.Match(text) {
			blocks = append(blocks, filepath.Base(filepath.Dir(file)))
		}
	}
	var whole, decided []string
	described, _ := filepath.Glob(filepath.Join(root, "rtl/*/block.go"))
	for _, file := range described {
		whole = append(whole, filepath.Base(filepath.Dir(file)))
	}
	for _, e := range all["scripts/mutate.plan"].Entries {
		decided = append(decided, e.Words[2])
	}
	if !slices.Equal(whole, decided) {
		t.Errorf("scripts/mutate.plan has %v, but blocks are %v", decided, whole)
	}
	for _, e := range all["scripts/mutants.plan"].Entries {
		planned = append(planned, e.Words[len(e.Words)-1])
	}
	if blocks = slices.Compact(blocks); !slices.Equal(blocks, planned) {
		t.Errorf("scripts/mutants.plan has %v, but mutants are in %v", planned, blocks)
	}
}
