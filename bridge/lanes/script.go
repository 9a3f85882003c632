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
	written := map[string][]byte{}
	err := prepared(&d, func(y *run, clocks []bridge.Clock, read string) error {
		if _, err := y.elaborate(ctx, clocks, read); err != nil {
			return err
		}
		if err := y.execute(ctx, "script.ys", "read_rtlil elaborated.il\n"+strings.Join(commands, "\n")+"\n"); err != nil {
			return err
		}
		for _, name := range files {
			var err error
			if written[name], err = os.ReadFile(filepath.Join(y.work, name)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return written, nil
}

// prepared calls f with a run of Yosys in a folder that has the design's sources, for as long as f
// takes, and with the commands that read them.
func prepared(d *bridge.Design, f func(y *run, clocks []bridge.Clock, read string) error) error {
	clocks, err := d.AllClocks()
	if err != nil {
		return err
	}
	sources, err := d.Sources()
	if err != nil {
		return err
	}
	yosys, err := build.Find("yosys", "yosys")
	if err != nil {
		return err
	}
	read, err := readCommands(d, sources)
	if err != nil {
		return err
	}
	data := map[string][]byte{}
	for _, name := range d.Data {
		if data[name], err = fs.ReadFile(d.FS, name); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp("", "cosimate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	y := &run{design: d, sources: sources, yosys: yosys.Path, work: work}
	if err := y.prepare(data); err != nil {
		return err
	}
	return f(y, clocks, read)
}
