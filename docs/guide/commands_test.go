package guide

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cosimate/cosimate"

// markdown is the module's Markdown files, by their paths in it.
func markdown(t *testing.T) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || path == "out" || path != "." && strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(path) == ".md":
			files = append(files, path)
		}
		return nil
	})
	if err != nil || len(files) < 10 {
		t.Fatalf("%d Markdown files: %v", len(files), err)
	}
	return files
}

// shown is a command as a file shows it.
type shown struct {
	where   string // file:line
	command string // with single spaces
}

var (
	span = regexp.MustCompile("`[^`]+`")
	// isCommand is how a command begins, in running text, a table or a block of kind sh.
	isCommand = regexp.MustCompile(`^(go (test|run|build|get|doc|tool|generate|mod|install|vet)|scripts/\S+|cosimate|git|gtkwave|sudo|python3|PATH=\S+) +\S|^make [a-z]+$|^board (--|decode)|^(scripts/[a-z0-9-]+|\.ci/run)$`)
	// isFlag is how a flag of our tests begins.
	isFlag = regexp.MustCompile(`^-((?:sim|golden|hand|link|frame|board|host|vectors|published|perft|fault|search|live|wave|uci)\.\w+)`)
)

func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// commands are those that a file shows: the ones that consoles run, and all others, among which are
// flags without their command.
func commands(t *testing.T, file string) (run, others []shown) {
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	add := func(to *[]shown, line int, command string) {
		*to = append(*to, shown{fmt.Sprintf("%s:%d", file, line+1), spaced(command)})
	}
	for _, b := range blocks(lines) {
		for i := b.first; i <= b.last; i++ {
			command, prompt := strings.CutPrefix(lines[i], "$ ")
			switch {
			case prompt && b.kind == "console":
				add(&run, i, command)
			case prompt:
				t.Errorf("%s:%d: a block that shows a command being run is of kind console, so that a test runs it", file, i+1)
			case b.kind == "sh" && i > b.first && i < b.last:
				command, _, _ := strings.Cut(lines[i], "  #")
				for c := range strings.SplitSeq(command, "&&") {
					if c = spaced(c); !strings.HasPrefix(c, "mkdir ") && !strings.HasPrefix(c, "cd ") {
						add(&others, i, c)
					}
				}
			}
			lines[i] = ""
		}
	}
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			t.Errorf("%s:%d: a block begins at the begin of a line, so that its commands are found", file, i+1)
		}
		if strings.HasPrefix(line, "    ") && isCommand.MatchString(spaced(line)) {
			add(&others, i, line)
		}
	}
	// A span may go on in the next line.
	all := strings.Join(lines, "\n")
	for _, at := range span.FindAllStringIndex(all, -1) {
		s := spaced(strings.ReplaceAll(all[at[0]+1:at[1]-1], `\|`, "|"))
		if isCommand.MatchString(s) || isFlag.MatchString(s) {
			add(&others, strings.Count(all[:at[0]], "\n"), s)
		}
	}
	return run, others
}

// elsewhere are commands that no test and no script runs, and why.
var elsewhere = map[string]string{
	"go test ./docs/guide -update": "it writes the Markdown",
	"make nightly":                 "it is what runs the long commands",
	"gtkwave wave.gtkw":            "it opens a window",
	"make live":                    "it serves until Ctrl-C; cmd/cosimate/testdata/live.txtar runs its command",
	"git clone https://" + module:  "the tests run in the clone",
	"PATH=/opt/verilator-5.048/bin:$PATH go test -count=1 ./...": "scripts/versions does it with the versions that there are",
	"board --line /dev/ttyUSB1 --engine black":                   "it needs a board; TestBoard plays with the simulated one over a serial line",
	"board --published /dev/ttyUSB1 --engine black":              "it needs a board; TestPublishedLine runs it with another line, TestBoardPublished plays with the simulated board",
}

// Every command that the module's Markdown shows is run: here, if it stands in a console, or else
// by what its rule says.
func TestCommands(t *testing.T) {
	r := &rules{t: t, used: map[string]bool{}}
	r.ci, r.makefile = read(t, ".ci/run"), read(t, "Makefile")
	// A command may be continued in the next line.
	for line := range strings.Lines(strings.ReplaceAll(read(t, "scripts/nightly")+read(t, "scripts/bench"), "\\\n", " ")) {
		r.nightly += spaced(line) + "\n"
	}
	for _, m := range regexp.MustCompile(`\bmake ([a-z]+)\n`).FindAllStringSubmatch(r.nightly, -1) {
		_, rule, _ := strings.Cut(r.makefile, "\n"+m[1]+":")
		rule, _, _ = strings.Cut(rule, "\n\n")
		r.nightly += rule + "\n"
	}
	for name, plan := range plans(t) {
		if strings.Contains(plan.Text, "started by hand") {
			continue
		}
		if !strings.Contains(r.nightly, "regress "+name) {
			t.Errorf("scripts/nightly does not run %s", name)
		}
		for _, e := range plan.Entries {
			r.nightly += nightly(e) + "\n"
		}
	}
	scripts, err := filepath.Glob(filepath.Join(root, "cmd/*/testdata/*.txtar"))
	if err != nil || scripts == nil {
		t.Fatalf("no scripts test cmd: %v", err)
	}
	for _, name := range scripts {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r.scripts += string(b)
	}
	r.flags = declaredFlags(t)
	dry := exec.CommandContext(t.Context(), "make", "-n", "test", "system")
	dry.Dir = root
	dry.Env = append(os.Environ(), "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=")
	if !strings.Contains(r.ci, "make test\nmake system\n") {
		t.Error("CI does not make test and system")
	}
	if planned, err := dry.Output(); err != nil {
		t.Errorf("%v: %v", dry, err)
	} else {
		r.tests = string(planned)
	}
	var others []shown
	for _, file := range markdown(t) {
		run, more := commands(t, file)
		others = append(others, more...)
		for _, c := range run {
			r.consoles += c.command + "\n"
		}
	}
	for _, c := range others {
		if err := r.check(c.command); err != nil {
			t.Errorf("%s: `%s` is run by no test: %v", c.where, c.command, err)
		}
	}
	for c := range elsewhere {
		if !r.used[c] {
			t.Errorf("no file shows `%s`: it need not be listed", c)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// declaredFlags are the names of flags that Go files declare.
func declaredFlags(t *testing.T) map[string]bool {
	names := map[string]bool{}
	declaration := regexp.MustCompile(`flag\.\w+\((?:&\w+(?:\.\w+)*, )?"([a-z.-]+)"`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declaration.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// rules know where commands are run.
type rules struct {
	t                     *testing.T
	ci, makefile, nightly string
	tests                 string // the commands of make test and make system
	scripts               string // of cmd's tests
	consoles              string // the commands that consoles run, a line each
	flags                 map[string]bool
	used                  map[string]bool // which of elsewhere
}

func (r *rules) check(command string) error {
	if _, ok := elsewhere[command]; ok {
		r.used[command] = true
		return nil
	}
	if strings.Contains(r.consoles, command+"\n") {
		return nil
	}
	words := strings.Fields(strings.TrimPrefix(command, "go tool "))
	switch {
	case strings.HasPrefix(command, "-"):
		if name := isFlag.FindStringSubmatch(command)[1]; !r.flags[name] {
			return fmt.Errorf("no Go file declares the flag -%s", name)
		}
		return nil
	case words[0] == "make" || command == ".ci/run":
		return r.target(command, words)
	case words[0] == "cosimate", words[0] == "board":
		return r.ours(words)
	case strings.HasPrefix(command, "go doc "):
		cmd := exec.CommandContext(r.t.Context(), "go", words[1:]...)
		cmd.Dir = root
		return cmd.Run()
	case strings.HasPrefix(command, "go test"):
		return r.goTest(command, words[2:])
	case words[0] == "sudo":
		return r.packages(words[1:])
	case strings.HasPrefix(command, "scripts/pnr "), strings.HasPrefix(command, "scripts/setup"):
		return r.argument(words)
	case strings.Contains(r.nightly, command), command == "scripts/nightly":
		return nil
	case strings.HasPrefix(command, "scripts/") && strings.Contains(read(r.t, "scripts/versions"), command+"\n"):
		return nil
	}
	return fmt.Errorf("show it in a block of kind console, or let scripts/nightly run this very command")
}

// target is a target of the Makefile, which CI or the night makes.
func (r *rules) target(command string, words []string) error {
	if command == ".ci/run" {
		return nil // it is what CI is
	}
	if len(words) != 2 || !strings.Contains(r.makefile, "\n"+words[1]+":") {
		return fmt.Errorf("the Makefile has no such target")
	}
	if !strings.Contains(r.ci, command+"\n") && !strings.Contains(r.nightly, command) {
		return fmt.Errorf("neither .ci/run nor scripts/nightly has it")
	}
	return nil
}

// ours is a command of the module, which the tests of cmd run, a console, or the night. It may be
// shown with a placeholder, in capitals, at its end, or as no more than its subcommands or one
// flag.
func (r *rules) ours(words []string) error {
	for len(words) > 1 && words[len(words)-1] == strings.ToUpper(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	end := `( .*)?$`
	if len(words) > 3 {
		end = `( --junit \S+)?$`
	}
	run := regexp.MustCompile(`(?m)(^|exec |status \d |during page \w+ \d+ |\./|go tool |out/)` + regexp.QuoteMeta(strings.Join(words, " ")) + end)
	if !run.MatchString(r.scripts + r.consoles + r.nightly) {
		return fmt.Errorf("no test of cmd runs it, no console, and not scripts/nightly")
	}
	return nil
}

// goTest is part of make test or make system if it has no flags but of which tests and how to
// print; else the night runs it.
func (r *rules) goTest(command string, words []string) error {
	if strings.Contains(r.nightly, command) || strings.Contains(r.nightly, plain(command)+"\n") || len(words) == 0 {
		return nil
	}
	var packages []string
	names := ""
	for i := 0; i < len(words); i++ {
		name, value, ok := strings.Cut(words[i], "=")
		switch {
		case name == "-run" && !ok && i+1 < len(words):
			i++
			names = strings.Trim(words[i], "'")
		case name == "-run":
			names = strings.Trim(value, "'")
		case name == "-v", name == "-count", strings.HasPrefix(name, "-sim."), name == "-fuzz", name == "-cpuprofile":
		case strings.HasPrefix(words[i], "./"):
			packages = append(packages, words[i])
		default:
			return fmt.Errorf("with %s neither make test nor make system has it; let scripts/nightly run this very command", words[i])
		}
	}
	match, err := regexp.Compile(strings.Split(names, "/")[0])
	if err != nil {
		return err
	}
	for _, p := range packages {
		if p == "./uart" || p == "./spi" || p == "./..." {
			return nil // a reader's own packages
		}
		pattern := strings.TrimSuffix(p, "/...")
		if !r.tested(pattern) {
			return fmt.Errorf("neither make test nor make system runs %s", p)
		}
		files, err := filepath.Glob(filepath.Join(root, pattern, "*_test.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("%s has no tests", p)
		}
		found := slices.ContainsFunc(files, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && slices.ContainsFunc(testName.FindAllStringSubmatch(string(text), -1), func(m []string) bool {
				return match.MatchString(m[1])
			})
		})
		if !found {
			return fmt.Errorf("%s has no test %s", p, names)
		}
	}
	return nil
}

// tested reports whether make test or make system runs the tests of a package, such as ./rtl/uart.
func (r *rules) tested(dir string) bool {
	return slices.ContainsFunc(strings.Fields(r.tests), func(word string) bool {
		tree, ok := strings.CutSuffix(word, "...")
		return word == dir || word == module+strings.TrimPrefix(dir, ".") || ok && strings.HasPrefix(dir+"/", tree)
	})
}

var testName = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// packages are those that apt-get installs: the Makefile's targets ask for them, too.
func (r *rules) packages(words []string) error {
	if len(words) < 3 || words[0] != "apt-get" || words[1] != "install" {
		return fmt.Errorf("no test may do it")
	}
	for _, w := range words[2:] {
		if w != "-y" && w != "g++" && !strings.Contains(r.makefile, w) {
			return fmt.Errorf("the Makefile does not need %s", w)
		}
	}
	return nil
}

// argument is a script that others run with other arguments.
func (r *rules) argument(words []string) error {
	switch {
	case words[0] == "scripts/setup":
		return nil // every target of the Makefile begins with it
	case len(words) == 2 && strings.Contains(r.nightly, "make pnr"):
		if _, err := os.Stat(filepath.Join(root, "docs/pnr", words[1]+".md")); err != nil {
			return fmt.Errorf("there is no report of it in docs/pnr")
		}
		return nil
	}
	return fmt.Errorf("scripts/nightly does not run it")
}

// Files that say that a command writes them are marked so for readers and counters, and no others.
func TestGenerated(t *testing.T) {
	marked := strings.Fields(regexp.MustCompile(`(?m)^#.*`).ReplaceAllString(read(t, ".gitattributes"), ""))
	var patterns []string
	for i := 0; i < len(marked); i += 2 {
		if marked[i+1] != "linguist-generated" {
			t.Fatalf(".gitattributes: %s is %s", marked[i], marked[i+1])
		}
		patterns = append(patterns, marked[i])
	}
	says := regexp.MustCompile(`(?i)\A(?:.*\n){0,2}(?:(?://|/\*|<!--) )?(?:Code generated|Written) by .*do not edit`)
	used := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || path == "out" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		i := slices.IndexFunc(patterns, func(p string) bool { ok, _ := filepath.Match(p, path); return ok })
		if generated := says.Match(text); generated != (i >= 0) {
			t.Errorf("%s: that it is generated, it says: %t, .gitattributes says: %t", path, generated, i >= 0)
		}
		if i >= 0 {
			used[patterns[i]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range patterns {
		if !used[p] {
			t.Errorf(".gitattributes: no file is %s", p)
		}
	}
}
