package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim/mutate"
)

var keptLine = regexp.MustCompile(`<!-- block (\S+) folder (\S+) parameters "([^"]*)" RTL (\S+) tests (\S+) -->`)

// The reports in mutants are of the RTL and of the tests as they are, and nothing is missed or
// undecided in them.
func TestMutantsAreUpToDate(t *testing.T) {
	files, err := filepath.Glob("mutants/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := keptLine.FindStringSubmatch(string(text))
		if m == nil {
			t.Errorf("%s does not say what it is of", name)
			continue
		}
		rtl, tests, err := fingerprint(m[1], m[2], m[3])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		command := regexp.MustCompile("`cosimate mutate [^`]*`").FindString(string(text))
		if rtl != m[4] {
			t.Errorf("%s: the RTL of %s has changed since: %s makes it anew", name, m[1], command)
		}
		if tests != m[5] {
			t.Errorf("%s: the tests of %s have changed since: %s makes it anew", name, m[1], command)
		}
		if strings.Contains(string(text), "  undecided") || strings.Contains(string(text), "  missed:") {
			t.Errorf("%s: mutants are missed or undecided", name)
		}
	}
}

// fingerprint returns what stands for the RTL of a report, and for its tests. "-" is no block, but
// a folder of RTL with vectors alone.
func fingerprint(block, folder, parameters string) (rtl, tests string, err error) {
	folder = filepath.Join("..", folder)
	if block == "-" {
		return mutate.FolderFingerprint(folder)
	}
	d, ok := blocks.All().RTL(block)
	if !ok {
		return "", "", fmt.Errorf("%s is no block", block)
	}
	d.Params = nil
	for _, p := range strings.Fields(parameters) {
		k, v, _ := strings.Cut(p, "=")
		if d.Params == nil {
			d.Params = map[string]string{}
		}
		d.Params[k] = v
	}
	return mutate.Fingerprint(d, folder)
}
