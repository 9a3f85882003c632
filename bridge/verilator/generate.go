package verilator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/warnings"
)

// Flags are the flags that Verilator is given for every model.
var Flags = []string{
	"--cc", "--prefix", "Vdut", "-O3", "--assert", "--no-timing", "-Wno-fatal",
	"--x-assign", "unique", "--x-initial", "unique", "--timescale", "1ns/1ps",
}

// generated is what Verilator makes of a design: C++ in a folder of the cache, and facts about it.
type generated struct {
	obj string // the folder of the C++

	Ports    []bridge.Port
	Members  map[string]string // the ports' names in C++
	Include  string            // folder of Verilator's runtime
	Runtime  []string          // files of the runtime that the model needs, without .cpp
	Fast     []string          // the model's files with code that runs in each cycle
	Slow     []string          // and those with code that runs once
	Signals  []signal          // Design.Internals
	Scopes   []string          // the instances, if RTL calls Go
	Names    []string          // of the internal signals, if Port.DeclaredSigned was asked for
	Warnings []bridge.Message
	Feedback []string // signals that depend on themselves
	Fatal    []string // places of $fatal, if the C++ is the same for it and for $error

	ModelFlags []string // for compiling the model
	Counters   int      // how many counters coverage has
	// Of the counters, those of toggles and cover properties. Each range is its first counter, and
	// how many it has.
	Events    [][2]int
	Recurring [][2]int // and those that count in every evaluation, not only at the start
	Loops     bool     // there are loops that may have no end: see guardLoops

	OptionFlags, LinkFlags []string `json:"-"` // of bridge.BuildOptions, for compiling the model
	tool                   string   // identity of Verilator
	code                   string   // the text of Fast and Slow, while the entry is made
}

// generate runs Verilator.
func generate(ctx context.Context, d *bridge.Design, o bridge.BuildOptions, sources []bridge.Source) (*generated, error) {
	verilator, err := build.Find("verilator", "verilator")
	if err != nil {
		return nil, err
	}
	// Debian's verilator is a script that starts verilator_bin. Where there is no verilator_bin,
	// the identity of verilator is enough.
	binary, err := build.Find("verilator_bin", "verilator")
	if err != nil {
		binary = verilator
	}
	params, err := d.Parameters()
	if err != nil {
		return nil, err
	}
	args := append(slices.Clone(Flags), d.Verilator...)
	args = append(args, "--top-module", d.Top)
	options := &generated{}
	if o.Coverage {
		args = append(args, "--coverage-line", "--coverage-user")
		if o.Toggles {
			args = append(args, "--coverage-toggle")
		}
		options.OptionFlags = append(options.OptionFlags, "-DVM_COVERAGE=1")
	}
	if o.Wave {
		args = append(args, "--trace-fst", "--trace-structs", "--trace-params", "--trace-max-array", "4096", "--trace-max-width", "4096")
		options.OptionFlags = append(options.OptionFlags, "-DVM_TRACE_FST=1")
		options.LinkFlags = []string{"-lz"}
	}
	for _, k := range slices.Sorted(maps.Keys(params)) {
		args = append(args, "-G"+k+"="+params[k])
	}
	for _, k := range slices.Sorted(maps.Keys(d.Defines)) {
		args = append(args, "-D"+k+"="+d.Defines[k])
	}
	for _, dir := range append(d.IncludeDirs(), bridge.MacrosDir) {
		args = append(args, "-I"+dir) // +incdir+ would end the name at a +
	}
	if len(d.Internals) > 0 {
		// With forceable signals, 5.006's optimiser of the data flow graph would make logic read
		// the driver of a signal in place of its forced value.
		args = append(args, "-fno-dfg")
	}
	sources = append(slices.Clip(sources), bridge.Source{Name: bridge.MacrosDir + "/cosim.svh", Data: []byte(bridge.Macros), Include: true})
	tool := verilator.ID + binary.ID + os.Getenv("VERILATOR_ROOT") + ":" + os.Getenv("VERILATOR_BIN")
	key := build.NewKey("verilator-generated").MadeBy(verilator, binary).Add("tool", tool).Add("version", "14")
	for _, a := range args {
		key.Add("flag", a)
	}
	for _, name := range d.Internals {
		key.Add("internal", name)
	}
	if o.Signs {
		key.Add("signs", "names")
	}
	for _, s := range sources {
		key.Add(fmt.Sprintf("source %v", s.Include), s.Name)
		key.Add("data", string(s.Data))
		if !s.Include {
			args = append(args, s.Name)
		}
	}
	dir, err := build.Entry(ctx, d.Top+"-verilated", key, []string{"generated.json"}, func(ctx context.Context, dir string) error {
		return verilate(ctx, dir, d, o.Signs, sources, command(verilator, binary), args)
	})
	if err != nil {
		return nil, err
	}
	g := options
	g.obj, g.tool = filepath.Join(build.Home(dir), "obj"), tool
	return g, build.Read(dir, "generated.json", g)
}

// command returns what runs Verilator, to which its arguments are added. Its script verilator is in
// Perl. All that it does here is to lift the limit of the stack and to start verilator_bin, and
// that takes longer than verilator_bin needs for a small block. A shell does the same at once.
// Whoever has set the script's own variables, or has other programs of these names, gets what is
// there.
func command(verilator, binary build.Tool) []string {
	for _, name := range []string{"VERILATOR_ROOT", "VERILATOR_BIN", "VERILATOR_TEST_FLAGS"} {
		if os.Getenv(name) != "" {
			return []string{verilator.Path}
		}
	}
	first := make([]byte, 64)
	if f, err := os.Open(verilator.Path); err == nil {
		n, _ := f.Read(first)
		first = first[:n]
		f.Close()
	}
	line, _, _ := bytes.Cut(first, []byte("\n"))
	if !bytes.HasPrefix(line, []byte("#!")) || !bytes.Contains(line, []byte("perl")) || filepath.Dir(verilator.Path) != filepath.Dir(binary.Path) {
		return []string{verilator.Path}
	}
	return []string{"/bin/sh", "-c", `ulimit -s unlimited 2>/dev/null; exec "$0" "$@"`, binary.Path}
}

// verilate fills a cache entry: the folder obj and generated.json. The command is what
// runs Verilator with args.
func verilate(ctx context.Context, dir string, d *bridge.Design, signs bool, sources []bridge.Source, command, args []string) error {
	work := filepath.Join(dir, "work")
	for _, s := range sources {
		if err := build.WriteFile(work, s.Name, s.Data); err != nil {
			return err
		}
	}
	obj := filepath.Join(dir, "obj")
	run := func(mode ...string) (string, error) {
		out, err := build.Run(ctx, work, command[0], slices.Concat(command[1:], mode, args)...)
		var failed *build.ToolError
		if errors.As(err, &failed) {
			if !strings.Contains(failed.Output, "%Error") {
				failed.Output += "\nVerilator ended with " + failed.Status
			}
			err = &bridge.CompileError{Simulator: "verilator", Top: d.Top, Command: failed.Command, Output: strings.TrimLeft(failed.Output, "\n")}
		}
		return out, err
	}
	var scopes []string
	var signed map[string]bool
	var h *hierarchy
	var err error
	// The last source is cosim.svh itself.
	if calls := mentions(sources[:len(sources)-1], "cosim.svh"); calls || signs || len(d.Internals) > 0 {
		if h, err = elaborate(work, d, run); err != nil {
			return err
		}
		if calls {
			scopes = h.scopes()
		}
		signed = h.signed()
		if len(d.Internals) > 0 {
			config, err := keepInternals(h, d)
			if err != nil {
				return err
			}
			if err := build.WriteFile(work, "cosimate.vlt", []byte(config)); err != nil {
				return err
			}
			args = append(args, "cosimate.vlt")
		}
	}
	log, err := run("--cc", "--Mdir", obj)
	if err != nil {
		return err
	}
	g, err := readGenerated(obj)
	if err != nil {
		return fmt.Errorf("verilator: module %s: %w", d.Top, err)
	}
	read, err := filesRead(obj, g)
	if err == nil {
		err = d.OnlySources(read)
	}
	if err != nil {
		return fmt.Errorf("verilator: %w", err)
	}
	g.Scopes = scopes
	if signs {
		g.Names = h.names()
	}
	for i := range g.Ports {
		g.Ports[i].DeclaredSigned = signs && signed[g.Ports[i].Name]
	}
	g.Warnings, g.Feedback = warnings.In(log), feedback(log)
	if g.Loops, err = guardLoops(obj, slices.Concat(g.Fast, g.Slow)); err != nil {
		return err
	}
	if g.Signals, err = keptSignals(obj, d, h); err != nil {
		return err
	}
	// The code of newer versions has "%Fatal", and needs no list of places.
	if mentions(sources, "$fatal") && !strings.Contains(g.code, "%%Fatal: ") {
		text, err := run("-E")
		if err != nil {
			return err
		}
		g.Fatal = fatalPlaces(text)
	}
	if err := build.Write(dir, "generated.json", g); err != nil {
		return err
	}
	if err := build.WriteFile(dir, "build.log", []byte(log)); err != nil {
		return err
	}
	return os.RemoveAll(work)
}

// feedbackLine matches how Verilator warns of a signal that depends on itself: a line with its
// place and name, then lines with the places on the way from the signal to itself.
//
//	%Warning-UNOPTFLAT: hw/ring.sv:10:8: Signal unoptimizable: Circular combinational logic: 'ring.q'
//	                    hw/ring.sv:2:12:      Example path: ASSIGNW
var feedbackLine = regexp.MustCompile(`(?m)^(?:%Warning-UNOPTFLAT: ([^:\n]+:\d+):\d+: Signal unoptimizable: [^\n]*'([^'\n]+)'| +([^:\n ]+:\d+):\d+: +Example path: .*)$`)

// feedback returns the signals in Verilator's log that depend on themselves, with their places.
func feedback(log string) (all []string) {
	var places []string
	for _, m := range feedbackLine.FindAllStringSubmatch(log, -1) {
		switch last := len(all) - 1; {
		case m[2] != "":
			places = []string{m[1]}
			all = append(all, m[2]+" ("+m[1]+")")
		case last >= 0 && !slices.Contains(places, m[3]):
			places = append(places, m[3])
			all[last] = strings.TrimSuffix(all[last], ")") + ", " + m[3] + ")"
		}
	}
	return all
}

// mentions reports whether a text occurs in one of the sources.
func mentions(sources []bridge.Source, text string) bool {
	return slices.ContainsFunc(sources, func(s bridge.Source) bool { return bytes.Contains(s.Data, []byte(text)) })
}

// counters matches the declaration of the array of coverage counters.
var counters = regexp.MustCompile(`__Vcoverage\[(\d+)\];`)

// event matches the generated code that declares the counter of a toggle or a cover property.
// __vlCoverToggleInsert, which 5.048 has, declares two counters for each bit of a range of bits.
//
//	vlSelf->__vlCoverInsert(&(vlSymsp->__Vcoverage[2]), first,
//	    "t.sv", 1, 72, ".t", "v_toggle/t", "q_o[0]", "");
//	vlSelf->__vlCoverToggleInsert(0, 31, 1, &(vlSymsp->__Vcoverage[4]), first,
//	    "t.sv", 1, 72, ".t", "v_toggle/t", "q_o");
var event = regexp.MustCompile(`__vlCover(?:Toggle)?Insert\((?:(-?\d+), (-?\d+), \w+, )?&\(vlSymsp->__Vcoverage\[(\d+)\]\),\s*\w+,\s*` +
	`"(?:[^"\\]|\\.)*",\s*\d+,\s*\d+,\s*"[^"]*",\s*"v_(?:toggle|user)/`)

// events returns the counters of toggles and cover properties in generated code, as ranges.
func events(code string) (ranges [][2]int) {
	for _, m := range event.FindAllStringSubmatch(code, -1) {
		n, count := [3]int{}, 1
		for i := range n {
			n[i], _ = strconv.Atoi(m[1+i]) // it is a number
		}
		if m[1] != "" {
			count = 2 * (max(n[0]-n[1], n[1]-n[0]) + 1)
		}
		ranges = extend(ranges, n[2], count)
	}
	return ranges
}

// extend adds counters, which come after those of the ranges.
func extend(ranges [][2]int, first, count int) [][2]int {
	if last := len(ranges) - 1; last >= 0 && ranges[last][0]+ranges[last][1] == first {
		ranges[last][1] += count
		return ranges
	}
	return append(ranges, [2]int{first, count})
}

// counter matches the use of a coverage counter.
var counter = regexp.MustCompile(`__Vcoverage\[(\d+)\]`)

// recurring returns the counters in code that runs in each cycle. All others count only once: they
// are in initial blocks, and in logic without inputs.
func recurring(fast string) (ranges [][2]int) {
	found := map[int]bool{}
	for _, m := range counter.FindAllStringSubmatch(fast, -1) {
		n, _ := strconv.Atoi(m[1]) // it is a number
		found[n] = true
	}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		ranges = extend(ranges, n, 1)
	}
	return ranges
}

// coverageTable returns the part of ports.inc with the number of coverage counters, and with the
// counters that are set to 0 after power-up: see shim/coverage.h.
func coverageTable(g *generated) string {
	text := fmt.Sprintf("#define COSIM_COUNTERS %d\n", g.Counters)
	if g.Counters == 0 {
		return text
	}
	table := func(name string, ranges [][2]int) {
		text += fmt.Sprintf("static const uint32_t cosim_%s[][2] = {", name)
		for _, r := range append(slices.Clip(ranges), [2]int{}) { // C++ has no empty arrays
			text += fmt.Sprintf("{%d, %d}, ", r[0], r[1])
		}
		text += "};\n"
	}
	table("events", g.Events)
	table("recurring", g.Recurring)
	return text
}

// readGenerated reads facts about the C++ that Verilator has made.
func readGenerated(obj string) (*generated, error) {
	var texts [3]string
	for i, name := range []string{"Vdut.h", "Vdut_classes.mk", "Vdut.mk"} {
		text, err := os.ReadFile(filepath.Join(obj, name))
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	header, classes, makefile := texts[0], texts[1], texts[2]
	root := makeVariable(makefile, "VERILATOR_ROOT")
	if len(root) != 1 {
		return nil, errors.New("its generated makefile does not say where VERILATOR_ROOT is")
	}
	g := &generated{
		Include: filepath.Join(root[0], "include"),
		Runtime: slices.Concat(makeVariable(classes, "VM_GLOBAL_FAST"), makeVariable(classes, "VM_GLOBAL_SLOW")),
		Fast:    slices.Concat(makeVariable(classes, "VM_CLASSES_FAST"), makeVariable(classes, "VM_SUPPORT_FAST")),
		Slow:    slices.Concat(makeVariable(classes, "VM_CLASSES_SLOW"), makeVariable(classes, "VM_SUPPORT_SLOW")),
	}
	var err error
	if g.Ports, g.Members, err = parsePorts(header); err != nil {
		return nil, err
	}
	var code strings.Builder
	fast := 0 // how much of it is
	for i, name := range slices.Concat(g.Fast, g.Slow) {
		text, err := os.ReadFile(filepath.Join(obj, name+".cpp"))
		if err != nil {
			return nil, err
		}
		code.Write(text)
		if i < len(g.Fast) {
			fast = code.Len()
		}
	}
	g.code = code.String()
	g.Events, g.Recurring = events(g.code), recurring(g.code[:fast])
	symbols, err := os.ReadFile(filepath.Join(obj, "Vdut__Syms.h"))
	if err != nil {
		return nil, err
	}
	if m := counters.FindSubmatch(symbols); m != nil {
		if g.Counters, err = strconv.Atoi(string(m[1])); err != nil {
			return nil, err
		}
	}
	// The model can be evaluated without Vdut::eval(), which only does housekeeping: see evaluate
	// in model.cpp. A model with waveforms cannot, because eval() sets __Vm_activity.
	if strings.Contains(g.code, "\n    Vdut___024root___eval(&(vlSymsp->TOP));\n") && !strings.Contains(g.code, "__Vm_activity") {
		g.ModelFlags = append(g.ModelFlags, "-DCOSIM_DIRECT_EVAL=1")
	}
	return g, nil
}

// fileRead matches a line with a file that Verilator has read, in the list for --skip-identical.
var fileRead = regexp.MustCompile(`(?m)^S .*"(.*)"$`)

// filesRead returns the files that Verilator has read, without its own.
func filesRead(obj string, g *generated) (names []string, err error) {
	list, err := os.ReadFile(filepath.Join(obj, "Vdut__verFiles.dat"))
	for _, m := range fileRead.FindAllSubmatch(list, -1) {
		name := string(m[1])
		if !strings.HasPrefix(filepath.Base(name), "verilator_bin") && !strings.HasPrefix(name, g.Include) {
			names = append(names, name)
		}
	}
	return names, err
}

// makeVariable returns the words of a variable of a generated makefile.
func makeVariable(text, name string) []string {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(line, name+" "); ok {
			v = strings.TrimSpace(v)
			v = strings.TrimPrefix(strings.TrimPrefix(v, "+"), "=")
			return strings.Fields(v)
		}
	}
	return nil
}
