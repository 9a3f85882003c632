package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim/mutate"
)

var keptLine = regexp.MustCompile(`<!-- block (\S+) folder (\S+) parameters "([^"]*)" RTL (\S+) tests (\S+) -->`)

// atOnce is how many mutants a block may have that are decided here and now if its RTL or its tests
// have changed: a minute or two. The others are left to whoever changed them, and to the night.
const atOnce = 5000

// large is how many LUTs a design has at least of whose mutants one in a thousand may be undecided.
const large = 3000

// The reports in mutants are of the RTL and of the tests as they are. Nothing is missed in them,
// and nothing undecided but a few mutants of a large design. The mutants of a small block that has
// changed are decided.
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
		command := commandLine.FindString(string(text))
		if rtl != m[4] {
			t.Errorf("%s: the RTL of %s has changed since: %s makes it anew", name, m[2], command)
		}
		if tests != m[5] {
			t.Errorf("%s: the tests of %s have changed since: %s makes it anew", name, m[2], command)
		}
		number := func(of *regexp.Regexp) int {
			n, found := 0, of.FindStringSubmatch(string(text))
			if found != nil {
				n, _ = strconv.Atoi(found[1])
			}
			return n
		}
		n, luts, undecided := number(numberOf), number(lutsOf), number(undecidedOf)
		if n == 0 || luts == 0 {
			t.Errorf("%s does not say how many mutants or LUTs there are", name)
		} else if (rtl != m[4] || tests != m[5]) && n <= atOnce && luts <= large {
			t.Logf("%s, decided now:\n%s", m[2], decide(t, strings.Trim(command, "`")))
		}
		if strings.Contains(string(text), "  missed:") || undecided > 0 && (luts <= large || 1000*undecided > n) {
			t.Errorf("%s: mutants are missed or undecided", name)
		}
	}
}

var (
	commandLine = regexp.MustCompile("`cosimate mutate [^`]*`")
	numberOf    = regexp.MustCompile(`(?m)^ *(\d+) +mutants: `)
	lutsOf      = regexp.MustCompile(`: (\d+) LUTs of three inputs`)
	undecidedOf = regexp.MustCompile(`(?m)^ *(\d+)  undecided`)
)

// decide runs the command that makes a report, and returns what it prints. It keeps no report: that
// is for whoever looks at it.
func decide(t *testing.T, command string) string {
	command, _, _ = strings.Cut(command, " --report ")
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run"}, strings.Fields("./cmd/"+command)...)...)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s%v", out, err)
	}
	return string(out)
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
