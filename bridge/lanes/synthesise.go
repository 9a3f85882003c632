package lanes

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// abc is the script that maps logic to LUTs. What comes out hardly depends on it.
const abc = "+strash;ifraig;scorr;dc2;dch,-f;if,-K,3,-a;mfs2"

// mapping are Yosys' commands from an elaborated design to LUTs. A small memory becomes flip-flops.
// memory_dff is not among them, so that all memories are read in the middle of a cycle; nor is
// share, which can hang.
const mapping = `
opt -nodffe -nosdff
wreduce
peepopt
opt_clean
memory_share -nowiden
memory_collect
memory_map t:$mem_v2 r:SIZE<20 %i
opt -full
techmap
dfflegalize -cell $_DFF_P_ 01 -cell $_DFF_PP?_ 01
simplemap
abc -script ` + `"` + abc + `"` + ` -lut 3
opt_clean -purge
`

// itself is the text of this package. A circuit depends on it.
//
//go:embed *.go
var itself embed.FS

// behind are the files that a circuit does not depend on, as they make code of circuits and run it.
// The code is part of the key of what is compiled from it.
var behind = append([]string{
	"avx2.go", "avx512.go", "batch.go", "compile.go", "formulas.go", "guards.go", "lanes.go", "load.go", "names.go", "order.go",
	"portable.go", "power.go", "pressure.go", "program.go", "registers.go", "set.go", "stages.go", "tables.go", "windows.go",
}, provers...)

// provers are the files that prove something of circuits.
var provers = []string{
	"aig.go", "alone.go", "apart.go", "asserted.go", "flagged.go", "hints.go", "miter.go", "prove.go", "step.go", "ternary.go", "transient.go", "words.go",
}

// ProverKey stands for how copies of a design are proved to be equal.
func ProverKey() string {
	h := sha256.New()
	for _, name := range provers {
		text, _ := itself.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// synthesised is what Yosys makes of a design.
type synthesised struct {
	Circuit  *circuit
	Warnings []bridge.Message
}

// synthesise runs Yosys on a design, or finds what it made in the cache. It returns the path of the
// entry as well, which stands for the design in the keys of others.
func synthesise(ctx context.Context, d *bridge.Design, clocks []bridge.Clock, edit []string, points bool) (*synthesised, string, error) {
	y, key, data, err := newRun(d, clocks)
	if err != nil {
		return nil, "", err
	}
	for _, command := range edit {
		key.Add("edit", command)
	}
	if points {
		key.Add("points", "")
	}
	dir, err := build.Entry(ctx, d.Top+"-circuit", key, []string{"circuit.json"}, func(ctx context.Context, dir string) error {
		y.work = filepath.Join(dir, "work")
		if err := y.prepare(data); err != nil {
			return err
		}
		made, err := y.circuit(ctx, clocks, y.read, edit, points)
		if err != nil {
			return err
		}
		if err := build.Write(dir, "circuit.json", made); err != nil {
			return err
		}
		return os.RemoveAll(y.work)
	})
	if err != nil {
		return nil, "", err
	}
	made := &synthesised{}
	if err := build.Read(dir, "circuit.json", made); err != nil {
		return nil, "", err
	}
	return made, build.Home(dir), nil
}

// newRun prepares a run of Yosys, and returns the key of what comes out and the files that the
// design reads.
func newRun(d *bridge.Design, clocks []bridge.Clock) (y *run, key *build.Key, data map[string][]byte, err error) {
	sources, err := d.Sources()
	if err != nil {
		return nil, nil, nil, err
	}
	yosys, err := build.Find("yosys", "yosys")
	if err != nil {
		return nil, nil, nil, err
	}
	read, err := readCommands(d, sources)
	if err != nil {
		return nil, nil, nil, err
	}
	key = build.NewKey("lanes-circuit").MadeBy(yosys).Add("tool", yosys.ID).Add("read", read).Add("mapping", mapping)
	if berkeley, err := build.Find("yosys-abc", "yosys"); err == nil {
		key.MadeBy(berkeley).Add("abc", berkeley.ID)
	}
	err = fs.WalkDir(itself, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(name, "_test.go") || slices.Contains(behind, name) {
			return err
		}
		text, err := itself.ReadFile(name)
		key.Add(name, string(text))
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, c := range clocks {
		key.Add("clock", c.Port)
	}
	for _, name := range d.Internals {
		key.Add("internal", name)
	}
	for _, s := range sources {
		key.Add(s.Name, string(s.Data))
	}
	data = map[string][]byte{}
	for _, name := range d.Data {
		if data[name], err = fs.ReadFile(d.FS, name); err != nil {
			return nil, nil, nil, err
		}
		key.Add("data "+name, string(data[name]))
	}
	return &run{design: d, sources: sources, yosys: yosys.Path, read: read}, key, data, nil
}

// readCommands are the commands that read the sources and elaborate the top module.
func readCommands(d *bridge.Design, sources []bridge.Source) (string, error) {
	params, err := d.Parameters()
	if err != nil {
		return "", err
	}
	var faults []error
	word := func(s string) string {
		if strings.ContainsAny(s, "\"\\;# \t\n") {
			faults = append(faults, &UnsupportedError{Top: d.Top, Construct: s, Reason: "names and defines with blanks, quotes, backslashes, ; or # cannot be handed to Yosys: rename it, or write the define in the sources"})
		}
		return s
	}
	var b strings.Builder
	b.WriteString("read_verilog -sv -nosynthesis")
	for _, k := range slices.Sorted(maps.Keys(d.Defines)) {
		b.WriteString(" " + word("-D"+k+"="+d.Defines[k]))
	}
	for _, dir := range append(d.IncludeDirs(), bridge.MacrosDir) {
		b.WriteString(" " + word("-I"+dir))
	}
	for _, s := range sources {
		if !s.Include {
			b.WriteString(" " + word(s.Name))
		}
	}
	fmt.Fprintf(&b, "\nhierarchy -check -top %s", d.Top)
	for _, k := range slices.Sorted(maps.Keys(params)) {
		if strings.ContainsAny(params[k], `".`) {
			return "", &UnsupportedError{Top: d.Top, Construct: "parameter " + k + " = " + params[k],
				Reason: "Yosys takes numbers without a fraction only: wrap the module in one that sets the parameter"}
		}
		v := params[k]
		if n, err := strconv.ParseInt(v, 10, 64); err == nil && n < 0 {
			v = fmt.Sprintf("32'sh%x", uint32(n)) // it takes no minus
		}
		fmt.Fprintf(&b, " -chparam %s %s", k, v)
	}
	b.WriteString("\n")
	return b.String(), errors.Join(faults...)
}

// run is a run of Yosys on a design, in a folder with copies of its sources.
type run struct {
	design  *bridge.Design
	sources []bridge.Source
	yosys   string
	read    string // the commands that read the sources
	work    string
	log     string // what it has printed
}

// prepare writes the sources into the folder.
func (y *run) prepare(data map[string][]byte) error {
	for _, s := range y.sources {
		if err := build.WriteFile(y.work, s.Name, s.Data); err != nil {
			return err
		}
	}
	for name, text := range data {
		if err := build.WriteFile(y.work, name, text); err != nil {
			return err
		}
	}
	return build.WriteFile(y.work, bridge.MacrosDir+"/cosim.svh", []byte(bridge.Macros))
}

// circuit runs Yosys twice: it elaborates the design, and when that has nothing that lanes cannot
// do, maps it to LUTs.
func (y *run) circuit(ctx context.Context, clocks []bridge.Clock, read string, edit []string, points bool) (*synthesised, error) {
	x, err := y.elaborate(ctx, clocks, read)
	if err != nil {
		return nil, err
	}
	edited := "read_rtlil elaborated.il\n" + strings.Join(edit, "\n")
	if points {
		if edited, err = y.pointed(ctx, edited); err != nil {
			return nil, err
		}
	}
	if err := y.execute(ctx, "map.ys", edited+mapping+"write_json mapped.json\n"); err != nil {
		return nil, err
	}
	mapped, err := y.netlist("mapped.json")
	if err != nil {
		return nil, err
	}
	y.placeChecks(mapped)
	c, _, err := newCircuit(mapped, y.design, clocks)
	if errors.Is(err, errLoop) || err == nil && hasLoop(c) {
		return nil, x.loop()
	}
	if err != nil {
		return nil, err
	}
	return &synthesised{Circuit: c, Warnings: y.warnings()}, nil
}

// pointed adds points to the design that commands of Yosys leave, and returns the commands that
// read what has come out.
func (y *run) pointed(ctx context.Context, commands string) (string, error) {
	if err := y.execute(ctx, "words.ys", commands+"\nopt -nodffe -nosdff\nwrite_json words.json\n"); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(y.work, "words.json"))
	if err != nil {
		return "", err
	}
	if text, err = insertPoints(text, y.design.Top); err != nil {
		return "", err
	}
	return freshNames + "read_json pointed.json\nhierarchy -top " + y.design.Top, build.WriteFile(y.work, "pointed.json", text)
}

// ownPlaces removes the places of instances. Yosys would add them to those of all cells within, in
// an order that depends on how deep these are. A module with parameters has a type that begins as
// those of Yosys' own cells do.
const ownPlaces = "setattr -unset src t:* t:$* %d t:$paramod* %u\n"

// elaborate leaves the elaborated, flattened design in elaborated.il. It is an error if it has what
// lanes cannot do.
func (y *run) elaborate(ctx context.Context, clocks []bridge.Clock, read string) (*examination, error) {
	if err := beforeYosys(y.design, y.sources); err != nil {
		return nil, err
	}
	expose := "tee -q -o ports.txt select -list x:*\n"
	for _, name := range y.design.Internals {
		expose += "expose -cut -sep " + forcedSuffix + " w:" + escapeGlob(name) + "\n"
	}
	elaborate := read + "proc\n" + ownPlaces + "flatten\n" + lowerChecks + expose + "opt_clean\ncheck\nwrite_json elaborated.json\nwrite_rtlil elaborated.il\n"
	if err := y.execute(ctx, "elaborate.ys", elaborate); err != nil {
		return nil, err
	}
	elaborated, err := y.netlist("elaborated.json")
	if err != nil {
		return nil, err
	}
	x := &examination{run: y, netlist: elaborated, clocks: clocks}
	if x.ports, err = y.listed("ports.txt"); err != nil {
		return nil, err
	}
	return x, x.examine()
}

func (y *run) netlist(file string) (*netlist, error) {
	data, err := os.ReadFile(filepath.Join(y.work, file))
	if err != nil {
		return nil, err
	}
	return parseNetlist(data, y.design.Top)
}

// listed returns the names in a list of Yosys: "top/name" on each line.
func (y *run) listed(file string) (names []string, err error) {
	text, err := os.ReadFile(filepath.Join(y.work, file))
	for line := range strings.Lines(string(text)) {
		if _, name, ok := strings.Cut(strings.TrimSpace(line), "/"); ok {
			names = append(names, name)
		}
	}
	return names, err
}

// execute runs a script.
func (y *run) execute(ctx context.Context, name, script string) error {
	if err := build.WriteFile(y.work, name, []byte(script)); err != nil {
		return err
	}
	// ABC in the environment would be run in place of Yosys' own.
	out, err := build.Run(ctx, y.work, "env", "-u", "ABC", y.yosys, "-q", "-E", name+".deps", "-s", name)
	y.log += out
	if failed, ok := errors.AsType[*build.ToolError](err); ok {
		return y.failed(failed)
	}
	if err != nil {
		return err
	}
	read, err := dependencies(filepath.Join(y.work, name+".deps"))
	if err != nil {
		return err
	}
	if err := y.design.OnlySources(read); err != nil {
		return fmt.Errorf("lanes: %w", err)
	}
	return nil
}

// dependencies returns the files that Yosys has read, from a list that it has made for make.
func dependencies(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, files, _ := strings.Cut(string(text), ":")
	var all []string
	for _, name := range strings.Fields(strings.ReplaceAll(files, "\\\n", " ")) {
		if !strings.HasPrefix(name, "/usr/") { // Yosys' own
			all = append(all, name)
		}
	}
	return all, nil
}
