// Package icarus runs designs in Icarus Verilog: it compiles them with iverilog
// and runs vvp as a child process, with a VPI module of ours in it and shared
// memory in between. See package bridge for what an instance is.
package icarus

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/schedule"
	"github.com/cosimate/cosimate/bridge/internal/signals"
	"github.com/cosimate/cosimate/bridge/internal/warnings"
)

// Model is a compiled design, from which any number of instances can be made.
type Model struct {
	design  bridge.Design
	layout  *bridge.Layout
	clocks  []bridge.Clock
	vvp     string // the simulator
	program string // what it runs
	module  string // the folder of the VPI module
	wave    bool   // it can record waveforms

	memories map[string]signals.Ranges // of Design.Internals
	warnings []bridge.Message
}

//go:embed shim
var shim embed.FS

// moduleFiles are the sources of the VPI module by name.
var moduleFiles = sync.OnceValue(func() map[string]string {
	files := map[string]string{"schedule.h": schedule.Header}
	entries, err := shim.ReadDir("shim")
	for _, e := range entries {
		var data []byte
		if data, err = shim.ReadFile("shim/" + e.Name()); err == nil {
			files[e.Name()] = string(data)
		}
	}
	if err != nil {
		panic(err) // they are in this program
	}
	return files
})

// addModule makes a key depend on the VPI module.
func addModule(key *build.Key) *build.Key {
	files := moduleFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		key.Add("module "+name, files[name])
	}
	return key
}

var (
	// The warnings are of mistakes: a mistyped name, a forgotten port, an index that is always out
	// of range.
	iverilogFlags = []string{"-g2012", "-Wimplicit", "-Wportbind", "-Wselect-range"}
	moduleFlags   = []string{"-std=gnu11", "-O2", "-fPIC", "-shared", "-Wall"}
)

// Build compiles a design, or finds it compiled in the cache.
func Build(ctx context.Context, d bridge.Design, o bridge.BuildOptions) (*Model, error) {
	if o.Coverage {
		return nil, fmt.Errorf("icarus: it has no code coverage (module %s): measure it with Verilator", d.Top)
	}
	iverilog, err := build.Find("iverilog", "iverilog")
	if err != nil {
		return nil, err
	}
	vvp, err := build.Find("vvp", "iverilog")
	if err != nil {
		return nil, err
	}
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	sources, err := d.Sources()
	if err != nil {
		return nil, err
	}
	params, err := d.Parameters()
	if err != nil {
		return nil, err
	}
	module, err := buildModule(ctx, iverilog)
	if err != nil {
		return nil, err
	}
	args := append(slices.Clone(iverilogFlags), d.Icarus...)
	args = append(args, "-s", d.Top, "-o", "../model.vvp", "-c", "command")
	for _, k := range slices.Sorted(maps.Keys(params)) {
		args = append(args, "-P"+d.Top+"."+k+"="+params[k])
	}
	for _, k := range slices.Sorted(maps.Keys(d.Defines)) {
		args = append(args, "-D"+k+"="+d.Defines[k])
	}
	for _, dir := range append(d.IncludeDirs(), bridge.MacrosDir) {
		args = append(args, "-I"+dir)
	}
	if o.Wave {
		args = append(args, "-s", "cosim_wave")
	}
	key := build.NewKey("icarus-model").MadeBy(iverilog, vvp).Add("tools", iverilog.ID+vvp.ID).Add("version", "6")
	for _, a := range args {
		key.Add("flag", a)
	}
	for _, c := range clocks {
		key.Add("clock", c.Port)
	}
	for _, name := range d.Internals {
		key.Add("internal", name)
	}
	addModule(key).Add("macros", bridge.Macros).Add("wave", waveSource(d.Top, nil))
	for _, s := range sources {
		key.Add(fmt.Sprintf("source %v", s.Include), s.Name).Add("data", string(s.Data))
		if !s.Include {
			args = append(args, s.Name)
		}
	}
	if o.Wave {
		args = append(args, waveFile)
	}
	dir, err := build.Entry(ctx, d.Top+"-icarus", key, []string{"model.vvp", "ports", "memories.json", "warnings.json"}, func(ctx context.Context, dir string) error {
		return compile(ctx, dir, &d, clocks, sources, args, iverilog, vvp, module, o.Wave)
	})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "ports"))
	if err != nil {
		return nil, err
	}
	ports, err := parsePorts(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder", dir, err)
	}
	m := &Model{design: d, clocks: clocks, vvp: vvp.Path, program: filepath.Join(dir, "model.vvp"), module: module, wave: o.Wave}
	for name, to := range map[string]any{"memories.json": &m.memories, "warnings.json": &m.warnings} {
		if err := build.Read(dir, name, to); err != nil {
			return nil, err
		}
	}
	if m.layout, err = bridge.LayoutOf(ports, clocks, o.Shape); err != nil {
		return nil, fmt.Errorf("icarus: module %s: %w", d.Top, err)
	}
	return m, nil
}

// Describe compiles a design, or finds it compiled in the cache, and describes it.
func Describe(ctx context.Context, d bridge.Design) (*bridge.Description, error) {
	d.Clock, d.Clocks, d.Internals = "", nil, nil
	m, err := Build(ctx, d, bridge.BuildOptions{})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(m.program), "signals"))
	if err != nil {
		return nil, err
	}
	names, _ := parseSignals(string(text))
	ports := slices.Concat(m.layout.Inputs, m.layout.Outputs)
	isPort := portNames(ports)
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains(isPort, name) || strings.Contains(name, "$ivl_") // what Icarus has named itself
	})
	slices.Sort(names)
	return &bridge.Description{Ports: ports, Signals: slices.Compact(names)}, nil
}

// Layout returns the shape of the rows of the model's instances.
func (m *Model) Layout() *bridge.Layout { return m.layout }

// Start makes an instance of the model.
func (m *Model) Start(opts bridge.Options) (bridge.Instance, error) {
	if err := build.MayStart(); err != nil {
		return nil, err
	}
	if m.vvp == "" { // models that travel need it, too
		return nil, &build.MissingToolError{Tool: "vvp", Package: "iverilog"}
	}
	c, err := start(m, opts)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// wrongParameter matches the lines in which iverilog says that it cannot set a parameter. Icarus 11
// then goes on with the default, and reports success.
var wrongParameter = regexp.MustCompile(`(?m)^(?:<command line>:\S* error: |.*: (?:warning|error): parameter \S+ not found in ).*`)

// parameterLine matches a parameter of a scope in a compiled model. The number after its name is 0;
// for a localparam it is 1.
var parameterLine = regexp.MustCompile(`(?m)^P_\w+ \.param/\w+ "([^"]+)" 0 `)

// parametersOf returns the names of the parameters of a top module in a compiled model.
func parametersOf(program, top string) (names []string) {
	_, scope, _ := strings.Cut(program, fmt.Sprintf(".scope module, %q %q", top, top))
	scope, _, _ = strings.Cut(scope, " .scope ")
	for _, m := range parameterLine.FindAllStringSubmatch(scope, -1) {
		names = append(names, m[1])
	}
	return names
}

// compile fills a cache entry with the files that Build names.
func compile(ctx context.Context, dir string, d *bridge.Design, clocks []bridge.Clock, sources []bridge.Source, args []string, iverilog, vvp build.Tool, module string, wave bool) error {
	work := filepath.Join(dir, "work")
	for _, s := range sources {
		if err := build.WriteFile(work, s.Name, s.Data); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{
		// There is no flag for the default time scale, only this line in a command file.
		"command":                       "+timescale+1ns/1ps\n",
		bridge.MacrosDir + "/cosim.svh": bridge.Macros,
		waveFile:                        waveSource(d.Top, nil),
	} {
		if err := build.WriteFile(work, name, []byte(text)); err != nil {
			return err
		}
	}
	log, err := build.Run(ctx, work, iverilog.Path, append([]string{"-M", "../read"}, args...)...)
	var failed *build.ToolError
	if errors.As(err, &failed) {
		log = failed.Output
	} else if err != nil {
		return err
	}
	refused := func(said string) *bridge.CompileError {
		return &bridge.CompileError{Simulator: "icarus", Top: d.Top, Command: iverilog.Path + " " + strings.Join(args, " "), Output: said}
	}
	if wrongParameter.MatchString(log) {
		// Newer versions fail and leave no model. Without -P there is one, with its parameters.
		if failed != nil {
			build.Run(ctx, work, iverilog.Path, slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-P") })...)
		}
		// Other lines of the log are about the RTL.
		said := strings.Join(wrongParameter.FindAllString(log, -1), "\n")
		if program, err := os.ReadFile(filepath.Join(dir, "model.vvp")); err == nil {
			if names := parametersOf(string(program), d.Top); len(names) > 0 {
				said += "\nthe module has the parameters " + strings.Join(names, ", ")
			}
		}
		return refused(said)
	}
	if failed != nil {
		err := refused(log)
		err.Hint = hint(os.DirFS(work), log)
		return err
	}
	read, err := os.ReadFile(filepath.Join(dir, "read"))
	if err != nil {
		return fmt.Errorf("icarus: iverilog did not list the files that it has read for module %s: %w\n%s", d.Top, err, log)
	}
	if err := d.OnlySources(strings.FieldsFunc(string(read), func(r rune) bool { return r == '\n' })); err != nil {
		return fmt.Errorf("icarus: %w", err)
	}
	said := warnings.In(log)
	list := []string{"-M", module, "-m", "cosim", "model.vvp", "+cosim-top=" + d.Top, "+cosim-ports=ports", "+cosim-signals=signals"}
	if out, err := build.Run(ctx, dir, vvp.Path, list...); err != nil {
		var failed *build.ToolError
		// The VPI module reports wrong calls of its system tasks so.
		if errors.As(err, &failed) && strings.Contains(failed.Output, ": error: ") {
			return &bridge.CompileError{Simulator: "icarus", Top: d.Top, Command: failed.Command, Output: failed.Output}
		}
		return fmt.Errorf("icarus: listing the ports of module %s: %w", d.Top, err)
	} else if out != "" {
		log += "\n" + out
	}
	text, err := os.ReadFile(filepath.Join(dir, "ports"))
	if err != nil {
		return fmt.Errorf("icarus: the ports of module %s were not listed: %w\n%s\nhint: %s", d.Top, err, log, build.Unusable(module))
	}
	ports, err := parsePorts(string(text))
	if err == nil {
		_, err = bridge.CheckPorts(ports, clocks)
	}
	if err != nil {
		return fmt.Errorf("icarus: module %s: %w", d.Top, err)
	}
	found, err := os.ReadFile(filepath.Join(dir, "signals"))
	if err != nil {
		return fmt.Errorf("icarus: the signals of module %s were not listed: %w\n%s", d.Top, err, log)
	}
	names, memories := parseSignals(string(found))
	if err := signals.Missing("icarus", d, names, portNames(ports)); err != nil {
		return err
	}
	listed := slices.ContainsFunc(memories, func(m memory) bool { return slices.Contains(d.Internals, m.name) })
	if listed || wave && len(memories) > 0 {
		err := probe(d.Top, memories, func(source string) (string, error) {
			if err := build.WriteFile(work, probeFile, []byte(source)); err != nil {
				return "", err
			}
			out, err := build.Run(ctx, work, iverilog.Path, append(slices.Clip(args), "-s", "cosim_probe", "-o", "../probe.vvp", probeFile)...)
			if err == nil {
				out, err = build.Run(ctx, dir, vvp.Path, "-M", module, "-m", "cosim", "probe.vvp", "+cosim-top="+d.Top, "+cosim-ports=/dev/null")
			}
			return out, err
		})
		if err != nil {
			return fmt.Errorf("icarus: the memories of module %s: %w", d.Top, err)
		}
	}
	ranges := map[string]signals.Ranges{} // of the memories among Design.Internals
	for _, m := range memories {
		if !slices.Contains(d.Internals, m.name) {
			continue
		}
		if len(m.ranges) == 0 {
			return &bridge.SignalError{Simulator: "icarus", Top: d.Top, Name: m.name, Reason: fmt.Sprintf("Icarus does not tell the ranges of its indices, or there are more than %d", maxRanges)}
		}
		ranges[m.name] = m.ranges
	}
	if wave && len(memories) > 0 {
		if err := build.WriteFile(work, waveFile, []byte(waveSource(d.Top, memories))); err != nil {
			return err
		}
		out, err := build.Run(ctx, work, iverilog.Path, args...)
		// A waveform without words of memories is better than none.
		if _, refused := errors.AsType[*build.ToolError](err); refused {
			log += "\n" + out
			said = append(said, warnings.Note("waveforms of Icarus are without the words of memories, which it refuses to record"))
			if err = build.WriteFile(work, waveFile, []byte(waveSource(d.Top, nil))); err == nil {
				_, err = build.Run(ctx, work, iverilog.Path, args...)
			}
		}
		if err != nil {
			return err
		}
	}
	program, err := os.ReadFile(filepath.Join(dir, "model.vvp"))
	if err == nil {
		err = build.WriteFile(dir, "model.vvp", []byte(settleFirst(string(program), d.Top, clocks)))
	}
	if err != nil {
		return err
	}
	for name, v := range map[string]any{"memories.json": ranges, "warnings.json": said} {
		if err := build.Write(dir, name, v); err != nil {
			return err
		}
	}
	if err := build.WriteFile(dir, "build.log", []byte(log)); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, "probe.vvp")); err != nil {
		return err
	}
	return os.RemoveAll(work)
}

func portNames(ports []bridge.Port) (names []string) {
	for _, p := range ports {
		names = append(names, p.Name)
	}
	return names
}

// parsePorts reads the port table that the VPI module writes. A port is a line with its direction,
// width, type and name.
func parsePorts(text string) ([]bridge.Port, error) {
	var ports []bridge.Port
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		if len(f) != 4 {
			return nil, fmt.Errorf("bad port table line %q", line)
		}
		width, err := strconv.Atoi(f[1])
		kind, size, _ := strings.Cut(f[2], ":")
		elements, err2 := strconv.Atoi(cmp.Or(size, "1"))
		if cmp.Or(err, err2) != nil || elements < 1 {
			return nil, fmt.Errorf("bad port table line %q", line)
		}
		switch name := f[3]; kind {
		case "bits", "signed":
			ports = append(ports, bridge.Port{Name: name, Dir: bridge.Direction(f[0]), Width: width, DeclaredSigned: kind == "signed"})
		case "array":
			return nil, bridge.ArrayPort(name, elements, width/elements)
		case "module":
			return nil, fmt.Errorf("port %s has the name of its module: Verilator takes no such design, and Icarus cannot tell the two apart; rename one of them", name)
		default:
			return nil, bridge.OtherPort(name, kind)
		}
	}
	return ports, nil
}

// buildModule compiles the VPI module for the given iverilog and returns its folder.
func buildModule(ctx context.Context, iverilog build.Tool) (string, error) {
	cc, err := build.CompilerFor("CC", "gcc")
	if err != nil {
		return "", err
	}
	key := build.NewKey("icarus-module").MadeBy(iverilog, cc).Add("tools", iverilog.ID+cc.ID)
	addModule(key)
	for _, f := range moduleFlags {
		key.Add("flag", f)
	}
	return build.Entry(ctx, "vpi-icarus", key, []string{"cosim.vpi"}, func(ctx context.Context, dir string) error {
		// iverilog-vpi knows where vpi_user.h lies.
		config, err := build.Find("iverilog-vpi", "iverilog")
		if err != nil {
			return err
		}
		cflags, err := build.Run(ctx, dir, config.Path, "--cflags")
		if err != nil {
			return err
		}
		args := slices.Clone(moduleFlags)
		for _, f := range strings.Fields(cflags) {
			if strings.HasPrefix(f, "-I") {
				args = append(args, f)
			}
		}
		args = append(args, "-o", "cosim.vpi")
		for name, text := range moduleFiles() {
			if err := build.WriteFile(dir, name, []byte(text)); err != nil {
				return err
			}
			if strings.HasSuffix(name, ".c") {
				args = append(args, name)
			}
		}
		_, err = build.Run(ctx, dir, cc.Path, args...)
		return err
	})
}
