// Package fault plants faults in RTL, for tests that show that a testbench finds them.
package fault

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

var write = flag.String("fault.write", "", "write each fault to a folder in this one, instead of testing with it: for scripts/mutants")

// written counts the faults written.
var written atomic.Int32

// Plant returns the design with one fault: in its file of this base name the text old, which must
// stand there exactly once, is replaced by new. The files on disk stay as they are.
//
// If PART is set in the environment, a fault that is not of this part skips the test. PART=3/8 is
// the third of eight parts. A fault's text says which part it is of. That old stands in the file is
// checked before.
func Plant(t testing.TB, d sim.Design, file, old, new string) sim.Design {
	t.Helper()
	files, place := fstest.MapFS{}, ""
	var planted []byte
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(name) == file {
			if n := strings.Count(string(text), old); n != 1 {
				t.Fatalf("%q stands %d times in %s, not once: the fault is out of date", old, n, name)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
			place, planted = path.Join(d.Dir, name), text
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	if place == "" {
		t.Fatalf("%s is not a file of the design", file)
	}
	if Part() {
		name := os.Getenv("PART")
		if mine, err := inPart(name, file+"\x00"+old+"\x00"+new); err != nil {
			t.Fatal(err)
		} else if !mine {
			t.Skipf("not one of the faults of part %s; PART=1/1 plants all", name)
		}
	}
	if *write != "" {
		writeFault(t, place, planted)
	}
	d.FS = files
	return d
}

// Part reports whether only a part of all faults is planted: see [Plant].
func Part() bool { return os.Getenv("PART") != "" }

// inPart reports whether a fault of this text is one of a part such as 3/8.
func inPart(part, text string) (bool, error) {
	var k, n uint32
	if _, err := fmt.Sscanf(part, "%d/%d", &k, &n); err != nil || k < 1 || k > n {
		return false, fmt.Errorf("PART is %q: it must be one such as 3/8, the third of eight parts of the faults", part)
	}
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()%n == k-1, nil
}

// writeFault writes the file with the fault, and the test's name, and ends the test.
func writeFault(t testing.TB, name string, text []byte) {
	dir := filepath.Join(*write, fmt.Sprintf("%03d", written.Add(1)))
	for name, text := range map[string][]byte{filepath.Join("tree", name): text, "rule": []byte(t.Name() + "\n"), "file": []byte(name + "\n")} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	t.Skip("the fault is written")
}
