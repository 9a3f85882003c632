package lanes

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// Script runs commands of Yosys on the elaborated, flattened design, where
// [BuildOptions].Edit stands, and returns the files that they have written.
func Script(ctx context.Context, d bridge.Design, commands []string, files ...string) (map[string][]byte, error) {
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	sources, err := d.Sources()
	if err != nil {
		return nil, err
	}
	yosys, err := build.Find("yosys", "yosys")
	if err != nil {
		return nil, err
	}
	read, err := readCommands(&d, sources)
	if err != nil {
		return nil, err
	}
	data := map[string][]byte{}
	for _, name := range d.Data {
		if data[name], err = fs.ReadFile(d.FS, name); err != nil {
			return nil, err
		}
	}
	work, err := os.MkdirTemp("", "cosimate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	y := &run{design: &d, sources: sources, yosys: yosys.Path, work: work}
	if err := y.prepare(data); err != nil {
		return nil, err
	}
	if _, err := y.elaborate(ctx, clocks, read); err != nil {
		return nil, err
	}
	if err := y.execute(ctx, "script.ys", "read_rtlil elaborated.il\n"+strings.Join(commands, "\n")+"\n"); err != nil {
		return nil, err
	}
	written := map[string][]byte{}
	for _, name := range files {
		if written[name], err = os.ReadFile(filepath.Join(work, name)); err != nil {
			return nil, err
		}
	}
	return written, nil
}
