package regress

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// loopSource is the TestMain that is compiled into test binaries.
//
//go:embed seedloop/seedloop.go
var loopSource string

// A Job is what units of an entry run: an entry has a job for each of its packages.
type Job struct {
	Name    string
	Line    int      // in the plan
	Package string   // ./fifo, seen from the module's root; "" for a command
	Dir     string   // in which it runs, seen from the module's root
	Binary  string   // in store: HASH/NAME.test; "" for a command
	Loop    bool     // the binary runs many seeds in one process
	Seeded  bool     // the tests have -sim.seed
	Words   []string // of a command
	Flags   []string
	Build   []string
	First   uint64 // the first seed
	Units   int    // seeds × Repeat
	Repeat  int
	Limit   int64 // of a unit, in nanoseconds
	Compile bool  // its models may be compiled by workers
	Count   bool  // coverage
}

// seed returns the seed of a unit.
func (j *Job) seed(unit int) uint64 { return j.First + uint64(unit/j.Repeat) }

// varies reports whether a flag has the seed in it.
func (j *Job) varies() bool {
	return slices.ContainsFunc(j.Flags, func(f string) bool { return strings.Contains(f, "$seed") })
}

// listed is what go list says of a package.
type listed struct {
	Dir, ImportPath, Name     string
	TestGoFiles, XTestGoFiles []string
	Error                     *struct{ Err string }
}

// hasTestMain matches a TestMain of the package's own.
var hasTestMain = regexp.MustCompile(`(?m)^func TestMain\(`)

// resolve returns the jobs of an entry, without binaries. root is the module's.
func resolve(ctx context.Context, root string, e *Entry) ([]*Job, []*listed, error) {
	first := &Job{
		Name: e.Name, Line: e.Line, Dir: ".", Words: e.Words, Flags: e.Flags, Build: e.Build, First: e.Seeds.First,
		Units: e.Seeds.Count * e.Repeat, Repeat: e.Repeat, Limit: int64(e.Limit), Compile: e.Compile,
	}
	if e.Kind != "test" {
		return []*Job{first}, []*listed{nil}, nil
	}
	args := append(slices.Concat([]string{"list", "-e", "-json=Dir,ImportPath,Name,TestGoFiles,XTestGoFiles,Error"}, tags(e.Build)), e.Packages...)
	out, err := goTool(ctx, root, args...)
	if err != nil {
		return nil, nil, err
	}
	var jobs []*Job
	var packages []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &listed{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil {
			return nil, nil, errors.New(p.Error.Err)
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		j := *first
		rel, err := filepath.Rel(root, p.Dir)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, nil, fmt.Errorf("package %s is outside of the module in %s: run cosimate regress in its own", p.ImportPath, root)
		}
		j.Dir = filepath.ToSlash(rel)
		j.Package = "./" + j.Dir
		if j.Dir == "." {
			j.Package = "."
		}
		if len(e.Packages) > 1 || strings.Contains(e.Packages[0], "...") {
			j.Name = strings.Join(append([]string{j.Package}, slices.Concat(e.Build, e.Flags)...), " ")
			if e.Named {
				j.Name = e.Name + " " + j.Package
			}
		}
		jobs, packages = append(jobs, &j), append(packages, p)
	}
	if len(jobs) == 0 {
		return nil, nil, fmt.Errorf("no package of %s has tests", strings.Join(e.Packages, " "))
	}
	return jobs, packages, nil
}

// tags returns the build flags that go list takes, too.
func tags(build []string) (found []string) {
	for _, f := range build {
		if strings.HasPrefix(f, "-tags") || strings.HasPrefix(f, "-race") {
			found = append(found, f)
		}
	}
	return found
}

func goTool(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// compile builds the test binaries of the jobs, at most so many at a time, each once.
func compile(ctx context.Context, root, store string, jobs []*Job, packages []*listed, parallel int) error {
	if err := os.MkdirAll(store, 0o777); err != nil {
		return err
	}
	work, remove, err := scratch()
	if err != nil {
		return err
	}
	defer remove()
	type key struct{ dir, build string }
	same := map[key][]*Job{}
	var order []key
	of := map[key]*listed{}
	for i, j := range jobs {
		if packages[i] == nil {
			continue
		}
		k := key{j.Dir, strings.Join(j.Build, " ")}
		if same[k] == nil {
			order = append(order, k)
			of[k] = packages[i]
		}
		same[k] = append(same[k], j)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	for i, k := range order {
		group.Go(func() error {
			// Tests may look at the name of their program: it is that of go test.
			binary := filepath.Join(work, strconv.Itoa(i), path.Base(of[k].ImportPath)+".test")
			if err := os.Mkdir(filepath.Dir(binary), 0o777); err != nil {
				return err
			}
			loop, err := compileOne(ctx, root, binary, of[k], same[k][0].Build, same[k][0].Package)
			if err != nil {
				return err
			}
			name, err := keep(store, binary)
			if err != nil {
				return err
			}
			seeded, err := knowsSeeds(ctx, of[k].Dir, filepath.Join(store, name))
			for _, j := range same[k] {
				j.Binary, j.Loop, j.Seeded = name, loop, seeded
				if !seeded && !j.varies() {
					j.Units = j.Repeat // all seeds would be the same run
				}
			}
			return err
		})
	}
	return group.Wait()
}

// compileOne compiles the tests of a package, with seedloop's TestMain if it has none of its own.
func compileOne(ctx context.Context, root, binary string, p *listed, build []string, name string) (loop bool, err error) {
	// Nobody debugs these binaries. Without symbols they are linked in half the time, and panics
	// say as much.
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-ldflags=-s", "-o", binary}, build)
	loop = true
	for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			return false, err
		}
		loop = loop && !hasTestMain.Match(text)
	}
	if loop {
		clause := p.Name
		if len(p.TestGoFiles) == 0 {
			clause = strings.TrimSuffix(p.Name, "_test") + "_test"
		}
		source := binary + ".go"
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(p.Dir, "cosimate_seedloop_test.go"): source}})
		if err != nil {
			return false, err
		}
		text := strings.Replace(loopSource, "\npackage seedloop\n", "\npackage "+clause+"\n", 1)
		if err := errors.Join(os.WriteFile(source, []byte(text), 0o666), os.WriteFile(binary+".json", overlay, 0o666)); err != nil {
			return false, err
		}
		args = append(args, "-overlay="+binary+".json")
	}
	_, err = goTool(ctx, root, append(args, name)...)
	return loop, err
}

// keep moves a binary into the store, into a folder that is named by the hash of its content.
func keep(store, binary string) (name string, err error) {
	f, err := os.Open(binary)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	name = hex.EncodeToString(h.Sum(nil)[:16]) + "/" + filepath.Base(binary)
	to := filepath.Join(store, name)
	if _, err := os.Stat(to); err == nil {
		return name, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return "", err
	}
	if err := copyBinary(to, f); err != nil {
		return "", err
	}
	return name, nil
}

// copyBinary writes a binary that can be run at once. No process is started meanwhile: a child has
// the open file, too, until it runs its own program, and Linux runs no file that is open for
// writing (ETXTBSY, golang.org/issue/22315).
func copyBinary(to string, from io.Reader) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	t, err := os.CreateTemp(filepath.Dir(to), ".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	_, err = io.Copy(t, from)
	if err = errors.Join(err, t.Chmod(0o755), t.Sync(), t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), to)
}

// knowsSeeds reports whether a test binary has the flag -sim.seed: whether its tests import sim.
func knowsSeeds(ctx context.Context, dir, binary string) (bool, error) {
	for tries := 1; ; tries++ {
		cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-sim.seed=1")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil || ctx.Err() != nil {
			return err == nil, context.Cause(ctx)
		}
		if bytes.Contains(out, []byte("flag provided but not defined: -sim.seed")) {
			return false, nil
		}
		if tries < mostDeaths && killed(err) != nil { // not by what it does: no test has run
			continue
		}
		return false, fmt.Errorf("the tests of %s do not start: %w\n%s", dir, err, bytes.TrimSpace(out))
	}
}
