// Package regresstest is what the tests of regressions have in common: modules of Go tests, as
// others write them.
package regresstest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Module makes a module that needs no other, of these files.
func Module(t testing.TB, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module plain\n\ngo 1.26\n")
	for name, text := range files {
		write(name, text)
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	return root
}

// Alone runs the only test binary of a run's folder in a package's folder, with seeds from 1 on in
// one process, which go test would be if it could change the seed. Flags that vary have $seed in
// them.
func Alone(b *testing.B, out, dir string, seeds int, vary string, flags ...string) {
	b.Helper()
	binaries, err := filepath.Glob(filepath.Join(out, "store", "*", "*.test"))
	if err != nil || len(binaries) != 1 {
		b.Fatal(binaries, err)
	}
	cmd := exec.Command(binaries[0], flags...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf(`COSIMATE_SEEDS={"Mark":"end","From":0,"To":%d,"First":1,"Repeat":1,"Vary":{%s}}`, seeds, vary))
	// A file costs it least: who reads a pipe has it wake up the reader at each line.
	file, err := os.Create(filepath.Join(b.TempDir(), "out"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	err = cmd.Run()
	text, err2 := os.ReadFile(file.Name())
	if err := errors.Join(err, err2); err != nil || strings.Count(string(text), "\nend ") != seeds {
		b.Fatalf("%v\n%.2000s", err, text)
	}
}
