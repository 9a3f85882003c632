package main

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var systems = flag.Bool("board.systems", false, "build for Windows and macOS, and without cgo: the standard library is compiled three times")

// The console is for people without a simulator: it links none, and it builds where none runs. All
// systems have the files that they need; make nightly builds for each.
func TestBuildsWithoutSimulator(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/cosimate/cosimate/"
	for _, path := range strings.Fields(string(out)) {
		for _, root := range []string{module + "bridge", module + "sim", module + "vectors", "testing"} {
			if path == root || strings.HasPrefix(path, root+"/") {
				t.Errorf("cmd/board depends on %s", path)
			}
		}
	}
	for _, system := range []string{"linux", "windows", "darwin"} {
		build := exec.Command("go", "list", "-deps", ".")
		if *systems {
			build = exec.Command("go", "build", "-o", os.DevNull, ".")
		}
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH=amd64")
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s without cgo: %v\n%s", system, err, out)
		}
	}
}
