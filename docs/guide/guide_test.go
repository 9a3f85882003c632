// Package guide checks that the guides in this folder are true: it does what they say.
package guide

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what commands print into the guides")

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

// TestGuides does what the guides say, each in a folder of its own: it writes the files that they
// show, runs the commands of blocks of kind console and compares what these print. A line ...
// stands for any lines.
func TestGuides(t *testing.T) {
	guides, err := filepath.Glob("*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("no guides: %v", err)
	}
	for _, guide := range guides {
		t.Run(guide, func(t *testing.T) {
			text, err := os.ReadFile(guide)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			f := newFolder(t)
			var out []string
			next := 0
			for _, b := range blocks(lines) {
				body := lines[b.first+1 : b.last]
				switch {
				case b.kind == "console":
					out = append(out, lines[next:b.first+1]...)
					out = append(out, f.console(t, guide, b.first+2, body)...)
					next = b.last
				case b.name != "":
					path := filepath.Join(f.dir, b.name)
					if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(strings.Join(body, "\n")+"\n"), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			if *update {
				out = append(out, lines[next:]...)
				if err := os.WriteFile(guide, []byte(strings.Join(out, "\n")), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// folder is where a guide's commands run, in which its places are replaced by those of this
// machine, and back in what they print.
type folder struct {
	dir         string
	here, there *strings.Replacer
	env         []string
}

func newFolder(t *testing.T) *folder {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cache := os.Getenv("COSIMATE_CACHE")
	if cache == "" {
		if cache, err = os.UserCacheDir(); err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(cache, "cosimate")
	}
	// The reader's cache is one of this test, at a path that stays the same from run to run:
	// compiled models are kept.
	cache = filepath.Join(cache, "guides")
	home := t.TempDir()
	f := &folder{
		dir:   filepath.Join(home, "hello"),
		here:  strings.NewReplacer("../cosimate", root, "~/.cache/cosimate", cache),
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
		cmd := exec.CommandContext(t.Context(), "bash", "-c", f.here.Replace(command))
		cmd.Dir, cmd.Env = f.dir, f.env
		printed, _ := cmd.CombinedOutput() // a status other than 0 shows in what it prints
		got := strings.Split(strings.TrimSuffix(f.there.Replace(string(printed)), "\n"), "\n")
		if len(printed) == 0 {
			got = nil
		}
		// never what a guide is to show, and -update would write it
		if m := unbuilt.FindString(string(printed)); m != "" {
			t.Errorf("%s:%d: %s does not build its test: %s\n%s", guide, line+i, command, m, printed)
		}
		want := body[i+1 : end]
		fresh = append(fresh, body[i])
		if !alike(want, got) {
			if !*update {
				t.Errorf("%s:%d: %s prints\n%s\nbut the guide says\n%s", guide, line+i, command, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			fresh = append(fresh, got...)
		} else {
			fresh = append(fresh, want...)
		}
		i = end
	}
	return fresh
}

// unbuilt is what go test says of a test that it could not build.
var unbuilt = regexp.MustCompile(`\[(setup|build) failed\]`)

// volatile is what differs from run to run: how long it took.
var volatile = regexp.MustCompile(`[0-9.]+(ns|µs|ms|s)\b`)

// counted is the coverage of a file in cosimate cover's table up to its lines: what else there is
// to cover, Verilator counts otherwise in each version.
var counted = regexp.MustCompile(`^((?:file +line|\S+\.sv +\S+% +\S+|all files +\S+% +\S+) +).*`)

// alike tells whether lines are those wanted, in which ... stands for any.
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
		return strings.TrimRight(volatile.ReplaceAllString(counted.ReplaceAllString(s, "$1"), "1s"), " ")
	}
	return len(got) > 0 && same(want[0]) == same(got[0]) && alike(want[1:], got[1:])
}
