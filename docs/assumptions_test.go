// Package docs checks what can be checked of the pages in this folder.
package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var code = regexp.MustCompile("`([^`]+)`")

// Each row of ASSUMPTIONS.md names files and what is in them, and a test that exists.
func TestAssumptions(t *testing.T) {
	text, err := os.ReadFile("ASSUMPTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for number, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "| what" || strings.HasPrefix(line, "| ---") {
			continue
		}
		rows++
		fault := func(format string, args ...any) {
			t.Helper()
			t.Errorf("ASSUMPTIONS.md:%d: "+format, append([]any{number + 1}, args...)...)
		}
		if len(cells) != 4 {
			fault("the row has %d columns, not 4", len(cells))
			continue
		}
		places := code.FindAllStringSubmatch(cells[1], -1)
		if len(places) == 0 {
			fault("no file is named")
		}
		for _, m := range places {
			words := strings.Fields(m[1])
			file, err := os.ReadFile(filepath.Join("..", words[0]))
			if err != nil {
				fault("%v", err)
				continue
			}
			if len(words) == 1 {
				fault("nothing in %s is named", words[0])
			}
			for _, name := range words[1:] {
				if !bytes.Contains(file, []byte(name)) {
					fault("%s is not in %s", name, words[0])
				}
			}
		}
		for _, m := range code.FindAllStringSubmatch(cells[3], -1) {
			place, name, ok := strings.Cut(m[1], " ")
			if !ok || place == "make" {
				continue // a flag, or a command
			}
			if !exists(t, place, name) {
				fault("there is no %s in %s", name, place)
			}
		}
	}
	if rows < 50 {
		t.Errorf("%d rows were found only", rows)
	}
}

// exists reports whether a package has a test, given with subtests, or a script a function.
func exists(t *testing.T, place, name string) bool {
	t.Helper()
	name, script, _ := strings.Cut(name, "/")
	path := filepath.Join("..", place)
	files := []string{path}
	definition := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `\(\) \{`)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		definition = regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(\w+ \*testing\.[TF]\)`)
		if files, err = filepath.Glob(filepath.Join(path, "*_test.go")); err != nil {
			t.Fatal(err)
		}
	}
	if name == "TestScripts" {
		if _, err := os.Stat(filepath.Join(path, "testdata", script+".txtar")); err != nil {
			return false
		}
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && definition.Match(text) {
			return true
		}
	}
	return false
}
