package sources

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// Every block has a list, every source of its folder is in it, and scripts/rtl-files reads it as Go
// does.
func TestLists(t *testing.T) {
	root := filepath.Join("..", "..")
	dirs, err := filepath.Glob(filepath.Join(root, "*", "*.sv"))
	if err != nil {
		t.Fatal(err)
	}
	all := folders{}
	for i := range dirs {
		dirs[i] = filepath.Dir(dirs[i])
		all[filepath.Base(dirs[i])] = os.DirFS(dirs[i])
	}
	dirs = slices.Compact(dirs)
	if len(dirs) < 10 {
		t.Fatalf("only %d blocks in %s", len(dirs), root)
	}
	for _, dir := range dirs {
		block := filepath.Base(dir)
		t.Run(block, func(t *testing.T) {
			d := Design(block, block+"/files.list", all[block], sim.Design{FS: all})
			text, err := exec.Command(filepath.Join(root, "..", "scripts", "rtl-files"), block).Output()
			if err != nil {
				t.Fatal(err)
			}
			script := strings.Fields(strings.ReplaceAll("\n"+string(text), "\nrtl/", "\n"))
			if !slices.Equal(script, d.Files) {
				t.Errorf("scripts/rtl-files says\n%q\nand Go reads\n%q", script, d.Files)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*.sv"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if name := block + "/" + filepath.Base(f); !slices.Contains(d.Files, name) {
					t.Errorf("%s/files.list does not name %s", block, name)
				}
			}
			if _, err := d.Sources(); err != nil {
				t.Error(err)
			}
		})
	}
}
