// Package guide checks that what the project's Markdown says is true: it runs the commands that are
// shown, compares what they print, and looks up where those are run that take too long here.
package guide

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/internal/cachedir"
)

var update = flag.Bool("update", false, "write what commands print into the guides")

// long are the guides that -short leaves out. They take two thirds of the time of all.
var long = []string{
	"docs/examples/README.md",
	"docs/guide/coverage-and-fuzzing.md", // go test -fuzz compiles all packages anew
	"docs/guide/debugging.md",
	"docs/guide/mutants.md",
	"docs/guide/regress.md",
	"docs/guide/try.md",
	"docs/guide/vectors-for-your-rtl.md",
	"docs/guide/vectors.md",
	"docs/vectors.md",
}

// block is a fenced block of a guide, lines first to last, fences included.
type block struct {
	kind        string // what the fence says: go, console ...
	name        string // of the file, if the line before is `name`:
	first, last int
}

var fileName = regexp.MustCompile("`([^` ]+)`:$")

func blocks(lines []string) (all []block) {
	for i := 0; i < len(lines); i++ {
		kind, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			continue
		}
		b := block{kind: kind, first: i}
		if m := fileName.FindStringSubmatch(lines[max(i-2, 0)]); m != nil {
			b.name = m[1]
		}
		for i++; lines[i] != "```"; i++ {
		}
		b.last = i
		all = append(all, b)
	}
	return all
}

// root is the module's, seen from this folder.
const root = "../.."

// TestGuides does what the module's Markdown says: it writes the files that are shown, runs the
// commands of blocks of kind console and compares what these print. A line ... stands for any
// lines, and what follows a prompt of cmd/board is typed. The README and what is in docs have a
// module of their own each, or a clone of this one if they show changes of its files, in blocks of
// kind diff. The commands of the other files run in this module.
func TestGuides(t *testing.T) {
	for _, guide := range markdown(t) {
		text, err := os.ReadFile(filepath.Join(root, guide))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if !slices.ContainsFunc(blocks(lines), func(b block) bool { return b.kind == "console" }) {
			continue
		}
		t.Run(guide, func(t *testing.T) {
			if testing.Short() && slices.Contains(long, guide) {
				t.Skip("takes long: go test without -short runs it, as make nightly does")
			}
			t.Parallel()
			f := newFolder(t, guide == "README.md" || strings.HasPrefix(guide, "docs/"))
			if b := blocks(lines); slices.ContainsFunc(b, func(b block) bool { return b.kind == "diff" }) {
				f.clone(t, b)
			}
			var out []string
			next := 0
			for _, b := range blocks(lines) {
				body := lines[b.first+1 : b.last]
				switch {
				case b.kind == "console":
					out = append(out, lines[next:b.first+1]...)
					out = append(out, f.console(t, guide, b.first+2, body)...)
					next = b.last
				case b.kind == "diff":
					f.patch(t, b.name, body)
				case b.name != "":
					f.write(t, b.name, strings.Join(body, "\n")+"\n")
				}
			}
			if guide == "README.md" {
				f.picture(t)
			}
			if *update {
				out = append(out, lines[next:]...)
				if err := os.WriteFile(filepath.Join(root, guide), []byte(strings.Join(out, "\n")), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// folder is where a file's commands run, in which its places are replaced by those of this machine,
// and back in what they print.
type folder struct {
	dir         string
	here, there *strings.Replacer
	env         []string
}

// newFolder makes a folder for a module of its own, beside which the reader's clone lies, or is the
// clone itself.
func newFolder(t *testing.T, own bool) *folder {
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if !own {
		return &folder{
			dir:   root,
			here:  strings.NewReplacer(),
			there: strings.NewReplacer(root, "/home/you/cosimate"),
			env:   append(os.Environ(), "PWD="+root, "XDG_STATE_HOME="+home, "NO_COLOR=1", "FORCE_COLOR=", "GITHUB_ACTIONS="),
		}
	}
	shared, err := cachedir.Path()
	if err != nil {
		t.Fatal(err)
	}
	// Only compiled models are shared: other guides have modules and tests of the same names, whose
	// failures would lie in the same folders.
	cache := filepath.Join(home, ".cache", "cosimate")
	models := filepath.Join(shared, "models")
	if err := errors.Join(os.MkdirAll(cache, 0o777), os.MkdirAll(models, 0o777), os.Symlink(models, filepath.Join(cache, "models"))); err != nil {
		t.Fatal(err)
	}
	f := &folder{
		dir: filepath.Join(home, "hello"),
		// the version that is published is this one
		here: strings.NewReplacer("../cosimate", root, "~/.cache/cosimate", cache,
			"go get -tool "+module+"/cmd/cosimate@", "go mod edit -tool="+module+"/cmd/cosimate -replace="+module+"="+root+" -require="+module+"@"),
		there: strings.NewReplacer(cache, "/home/you/.cache/cosimate", root, "/home/you/cosimate", home, "/home/you"),
	}
	if err := os.Mkdir(f.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	f.env = append(os.Environ(), "PWD="+f.dir, "COSIMATE_CACHE="+cache,
		// modules that are not there yet are downloaded, as for any reader
		"GONOSUMDB=*", "GOFLAGS=",
		"NO_COLOR=1", "FORCE_COLOR=", "GITHUB_ACTIONS=")
	return f
}

// console runs the commands of a block and returns the block as it should be.
func (f *folder) console(t *testing.T, guide string, line int, body []string) (fresh []string) {
	for i := 0; i < len(body); {
		command, ok := strings.CutPrefix(body[i], "$ ")
		if !ok {
			t.Fatalf("%s:%d: a block of kind console begins with a command: $ ...", guide, line+i)
		}
		end := i + 1
		for end < len(body) && !strings.HasPrefix(body[end], "$ ") {
			end++
		}
		var typed, want []string
		for _, line := range body[i+1 : end] {
			if m := prompt.FindStringSubmatch(line); m != nil {
				typed = append(typed, m[1]+"\n")
			} else {
				want = append(want, line)
			}
		}
		hidden := filepath.Join(t.TempDir(), "hidden") // shown if it prints something else
		cmd := exec.CommandContext(t.Context(), "bash", "-c", strings.Replace(f.here.Replace(command), "2>/dev/null", "2>"+hidden, 1))
		cmd.Dir, cmd.Env = f.dir, f.env
		cmd.Stdin = strings.NewReader(strings.Join(typed, ""))
		printed, _ := cmd.CombinedOutput() // a status other than 0 shows in what it prints
		printed = progress.ReplaceAll(printed, nil)
		got := strings.Split(strings.TrimSuffix(f.there.Replace(string(printed)), "\n"), "\n")
		if len(printed) == 0 {
			got = nil
		}
		// never what a guide is to show, and -update would write it
		if m := unbuilt.FindString(string(printed)); m != "" {
			t.Errorf("%s:%d: %s does not build: %s\n%s", guide, line+i, command, m, printed)
		}
		fresh = append(fresh, body[i])
		if !alike(want, got) {
			if !*update || len(typed) > 0 { // what is typed stands between, where we cannot know
				errors, _ := os.ReadFile(hidden)
				t.Errorf("%s:%d: %s prints\n%s\nbut the guide says\n%s\n%s", guide, line+i, command, strings.Join(got, "\n"), strings.Join(want, "\n"), errors)
			}
			if len(typed) == 0 {
				fresh = append(fresh, got...)
			} else {
				fresh = append(fresh, body[i+1:end]...)
			}
		} else {
			fresh = append(fresh, body[i+1:end]...)
		}
		i = end
	}
	return fresh
}

// prompt is cmd/board's on a terminal, and what is typed then. Here it gets its lines at once.
var prompt = regexp.MustCompile(`^(?:white|black)> (.*)`)

// progress is what cosimate perft says now and then, if it takes long.
var progress = regexp.MustCompile(`(?m)^\w+: .* of .*, .*/s, .* left\n`)

// unbuilt is what go test and go run say of what they could not build.
var unbuilt = regexp.MustCompile(`\[(setup|build) failed\]|(?m:^# [a-z.]+/\S+$)`)

// volatile is what differs from run to run: how long it took, and nodes a second in a table of
// cosimate perft.
var volatile = regexp.MustCompile(`[0-9.]+(ns|µs|ms|s)\b| +[0-9.]+[kM]?(  (?:[0-9]+ )?(?:pass|published|differs))$`)

// counted is the coverage of a file in cosimate cover's table up to its lines: what else there is
// to cover, Verilator counts otherwise in each version.
var counted = regexp.MustCompile(`^((?:file +line|\S+\.sv +\S+% +\S+|all files +\S+% +\S+) +).*`)

// alike reports whether lines are those wanted, in which a line ... stands for any lines, and ...
// at the end of a line for the rest of it.
func alike(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) == "..." {
		for skip := range len(got) + 1 {
			if alike(want[1:], got[skip:]) {
				return true
			}
		}
		return false
	}
	same := func(s string) string {
		return strings.TrimRight(volatile.ReplaceAllString(counted.ReplaceAllString(s, "$1"), "1s$2"), " ")
	}
	if len(got) == 0 {
		return false
	}
	line := same(want[0]) == same(got[0])
	if begin, ok := strings.CutSuffix(want[0], " ..."); ok {
		line = strings.HasPrefix(got[0], begin)
	}
	return line && alike(want[1:], got[1:])
}
