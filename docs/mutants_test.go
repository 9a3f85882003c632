package docs

import (
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
		d, ok := blocks.All().RTL(m[1])
		if !ok {
			t.Errorf("%s is of %s, which is no block", name, m[1])
			continue
		}
		d.Params = nil
		for _, p := range strings.Fields(m[3]) {
			k, v, _ := strings.Cut(p, "=")
			if d.Params == nil {
				d.Params = map[string]string{}
			}
			d.Params[k] = v
		}
		rtl, tests, err := mutate.Fingerprint(d, filepath.Join("..", m[2]))
		if err != nil {
			t.Fatal(err)
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
