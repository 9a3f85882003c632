package bridge

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"time"
)

// Design is RTL to simulate: files, a top module and how to compile them.
type Design struct {
	Top string // the top module

	// FS holds the files. With an embed.FS the package carries its RTL, and a changed file changes
	// the test binary, so that `go test` never answers with a stale "(cached)". os.DirFS(".") reads
	// the files while the test runs, which go test notices as well. Any other fs.FS will do.
	FS fs.FS
	// Dir is put before file names in simulators' messages and error reports,
	// for example "rtl/movegen", so that they can be clicked. It does not
	// change where files are read.
	Dir   string
	Files []string // the sources in the order of compilation, names in FS

	// Data are the files, names in FS, that the RTL reads while it runs, with $readmemh and the
	// like. The simulator opens them relative to the process's working folder. For a test that is
	// its package's folder, which FS must be then: os.DirFS("."). A file that is named here is an
	// error if it is missing, and go test runs the test again when it changes.
	Data []string

	// Include are the folders in FS that are searched for `include files. All files in them count
	// as sources, and so does each file in a folder below that is included by its path.
	Include []string
	Defines map[string]string // `define NAME VALUE
	// Params are parameters of the top module. Their values are Verilog literals: 12, -3, 8'h1f,
	// 2.5, "text".
	Params map[string]string

	Clock  string        // name of the clock port; without it and Clocks, it is combinational
	Period time.Duration // of the clock, in simulated time; zero means 10 ns (100 MHz)
	Clocks []Clock       // instead of Clock and Period, for a design with several clocks

	Reset          string // name of the reset port, an input of one bit; empty if there is none
	ResetActiveLow bool

	// Verilator and Icarus are further flags for one of the simulators, one word each: warnings
	// that are off, "-Wno-WIDTH", or threads for a large design, "--threads", "4". CheckFlags says
	// which there can be.
	Verilator, Icarus []string

	// Internals are the signals within the design that tests want to reach by name: see [Value]. A
	// memory is named without index. Verilator's optimiser keeps these and no others; each costs
	// speed.
	Internals []string
}

// Source is one file as it was read.
type Source struct {
	Name    string // path with Dir in front, as the simulators see it
	Data    []byte
	Include bool // found through `include only, and not on the command line
}

// included matches the files that a source includes by name.
var included = regexp.MustCompile("`include\\s+\"([^\"\\n]+)\"")

// Sources reads all files of the design: first Files in their order, then the files in the include
// folders, then the files in folders below these that are included by a path. What they bind to a
// module is in it: `bind fifo fifo_checks u_checks (.*);`.
func (d *Design) Sources() ([]Source, error) {
	if d.Top == "" {
		return nil, errors.New("the design names no top module: set Design.Top")
	}
	if d.FS == nil || len(d.Files) == 0 {
		return nil, fmt.Errorf("the design of module %s has no files: set Design.FS and Design.Files", d.Top)
	}
	if d.Dir != "" && !filepath.IsLocal(filepath.FromSlash(d.Dir)) {
		return nil, fmt.Errorf("Design.Dir %q of module %s must be a relative path that stays below the module", d.Dir, d.Top)
	}
	if err := d.checkFlags(); err != nil {
		return nil, err
	}
	var sources []Source
	read := map[string]bool{}
	add := func(name string, include bool) error {
		if include && read[path.Clean(name)] {
			return nil
		}
		read[path.Clean(name)] = true
		data, err := fs.ReadFile(d.FS, name)
		if err != nil {
			return fmt.Errorf("%s, a source of module %s, cannot be read: %w", path.Join(d.Dir, name), d.Top, err)
		}
		sources = append(sources, Source{Name: path.Join(d.Dir, name), Data: data, Include: include})
		return nil
	}
	isFile := func(name string) bool {
		info, err := fs.Stat(d.FS, name) // which follows symbolic links
		return err == nil && info.Mode().IsRegular()
	}
	for _, name := range d.Files {
		if err := add(name, false); err != nil {
			return nil, err
		}
	}
	for _, dir := range d.Include {
		entries, err := fs.ReadDir(d.FS, dir)
		if err != nil {
			return nil, fmt.Errorf("%s, an include folder of module %s, cannot be read: %w", path.Join(d.Dir, dir), d.Top, err)
		}
		for _, e := range entries {
			if name := path.Join(dir, e.Name()); isFile(name) {
				if err := add(name, true); err != nil {
					return nil, err
				}
			}
		}
	}
	for i := 0; i < len(sources); i++ { // add appends to sources
		for _, m := range included.FindAllSubmatch(sources[i].Data, -1) {
			for _, dir := range d.Include {
				if name := path.Join(dir, string(m[1])); isFile(name) {
					if err := add(name, true); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	for _, name := range d.Data {
		if _, err := fs.ReadFile(d.FS, name); err != nil {
			return nil, fmt.Errorf("%s, a file of Design.Data of module %s, cannot be read: %w", path.Join(d.Dir, name), d.Top, err)
		}
	}
	if err := d.bind(sources); err != nil {
		return nil, err
	}
	return sources, nil
}

// OnlySources returns an error if a simulator has read a file that is none of the design's sources.
// The cache does not notice changes of such a file, and an old model would stay in use. Simulators
// run in a folder with copies of the sources, so any path that leads out of it is such a file.
func (d *Design) OnlySources(read []string) error {
	for _, name := range read {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("module %s includes %s, which is not among the design's sources, so that changes of it would not be seen: "+
				"include it by a name in one of the folders Design.Include of Design.FS", d.Top, name)
		}
	}
	return nil
}

// IncludeDirs returns the include folders as the simulators see them.
func (d *Design) IncludeDirs() []string {
	dirs := make([]string, len(d.Include))
	for i, dir := range d.Include {
		dirs[i] = path.Join(d.Dir, dir)
	}
	return dirs
}
