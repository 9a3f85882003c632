// Package verilator runs designs in Verilator: it compiles them to shared
// libraries and loads these into the process. See package bridge for what an
// instance is.
package verilator

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/schedule"
)

// Model is a compiled design, from which any number of instances can be made.
type Model struct {
	layout  *bridge.Layout
	clocks  []bridge.Clock
	library string // the shared library
	design  bridge.Design
}

//go:embed shim/host.h
var hostHeader string

//go:embed shim/api.h
var apiHeader string

//go:embed shim/model.cpp
var modelSource string

// Flags are given to Verilator for each model.
var Flags = []string{
	"--cc", "--prefix", "Vdut", "-O3", "--assert", "--no-timing", "-Wno-fatal",
	"--x-assign", "unique", "--x-initial", "unique", "--timescale", "1ns/1ps",
}

// Flags of the C++ compiler. Verilator's statics are GNU-unique symbols, which the
// loader would share between models in spite of RTLD_LOCAL.
var (
	compileFlags = []string{
		"-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-fno-plt", "-w",
		"-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0",
		"-include", "host.h",
	}
	fastFlags = []string{"-O3"}
	slowFlags = []string{"-O1"} // code that runs once: constructors, reset, initial blocks
	linkFlags = []string{"-shared", "-Wl,-Bsymbolic", "-Wl,-z,now"}
)

// dialect are flags of the compiler at hand. Verilator keeps its context in
// thread-local storage and looks at it in every evaluation; with descriptors that takes
// a tenth less time on the move generator than with calls, which are what g++ does
// on x86-64 unless told otherwise. Other compilers may not know the flag.
func dialect() []string {
	if runtime.GOARCH == "amd64" && os.Getenv("CXX") == "" {
		return []string{"-mtls-dialect=gnu2"}
	}
	return nil
}

// Build compiles a design, or finds it compiled in the cache.
func Build(ctx context.Context, d bridge.Design) (*Model, error) {
	verilator, err := build.Find("verilator", "verilator")
	if err != nil {
		return nil, err
	}
	// Debian's verilator is a script that starts verilator_bin; others have no
	// such pair, and then one identity is enough.
	binary, err := build.Find("verilator_bin", "verilator")
	if err != nil {
		binary = verilator
	}
	cxx, err := build.CompilerFor("CXX", "g++")
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

	tools := verilator.ID + binary.ID + cxx.ID
	args := slices.Clone(Flags)
	args = append(args, "--top-module", d.Top, "--Mdir", "obj")
	for _, k := range slices.Sorted(maps.Keys(d.Params)) {
		args = append(args, "-G"+k+"="+d.Params[k])
	}
	for _, k := range slices.Sorted(maps.Keys(d.Defines)) {
		args = append(args, "+define+"+k+"="+d.Defines[k])
	}
	for _, dir := range d.IncludeDirs() {
		args = append(args, "+incdir+"+dir)
	}
	key := build.NewKey("verilator-model")
	key.Add("tools", tools).Add("root", os.Getenv("VERILATOR_ROOT")+":"+os.Getenv("VERILATOR_BIN"))
	for _, a := range slices.Concat(args, compileFlags, dialect(), fastFlags, slowFlags, linkFlags) {
		key.Add("flag", a)
	}
	for _, c := range clocks {
		key.Add("clock", c.Port)
	}
	key.Add("bridge", hostHeader+apiHeader+modelSource+schedule.Header)
	for _, s := range sources {
		key.Add(fmt.Sprintf("source %v", s.Include), s.Name)
		key.Add("data", string(s.Data))
		if !s.Include {
			args = append(args, s.Name)
		}
	}

	dir, err := build.Entry(ctx, d.Top+"-verilator", key, []string{"model.so", "ports.json"}, func(ctx context.Context, dir string) error {
		return compile(ctx, dir, &d, clocks, sources, args, verilator, cxx, tools)
	})
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, "ports.json"))
	if err != nil {
		return nil, err
	}
	m := &Model{library: filepath.Join(dir, "model.so"), design: d, clocks: clocks}
	var ports []bridge.Port
	if err := json.Unmarshal(data, &ports); err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder", dir, err)
	}
	m.layout, err = bridge.NewLayout(ports, clocks)
	return m, err
}

// Layout is where the ports lie in the rows of instances.
func (m *Model) Layout() *bridge.Layout { return m.layout }

// Start makes an instance of the model.
func (m *Model) Start(opts bridge.Options) (bridge.Instance, error) {
	v, err := start(m, &m.design, opts)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// compile fills a cache entry: model.so and ports.json.
func compile(ctx context.Context, dir string, d *bridge.Design, clocks []bridge.Clock, sources []bridge.Source, args []string, verilator, cxx build.Tool, tools string) error {
	work := filepath.Join(dir, "work")
	for _, s := range sources {
		if err := build.WriteFile(work, s.Name, s.Data); err != nil {
			return err
		}
	}
	log, err := build.Run(ctx, work, verilator.Path, args...)
	if err != nil {
		var failed *build.ToolError
		if errors.As(err, &failed) {
			return &bridge.CompileError{Simulator: "verilator", Top: d.Top, Command: failed.Command, Output: failed.Output}
		}
		return err
	}
	obj := filepath.Join(work, "obj")
	header, err := os.ReadFile(filepath.Join(obj, "Vdut.h"))
	if err != nil {
		return err
	}
	ports, err := parsePorts(string(header))
	if err != nil {
		return fmt.Errorf("verilator: module %s: %w", d.Top, err)
	}
	layout, err := bridge.NewLayout(ports, clocks)
	if err != nil {
		return fmt.Errorf("verilator: module %s: %w", d.Top, err)
	}
	classes, err := os.ReadFile(filepath.Join(obj, "Vdut_classes.mk"))
	if err != nil {
		return err
	}
	makefile, err := os.ReadFile(filepath.Join(obj, "Vdut.mk"))
	if err != nil {
		return err
	}
	root := makeVariable(string(makefile), "VERILATOR_ROOT")
	if len(root) != 1 {
		return errors.New("verilator: its generated makefile does not say where VERILATOR_ROOT is")
	}
	include := filepath.Join(root[0], "include")
	for name, text := range map[string]string{"host.h": hostHeader, "api.h": apiHeader, "schedule.h": schedule.Header, "model.cpp": modelSource, "ports.inc": portCopies(layout, clocks)} {
		if err := build.WriteFile(obj, name, []byte(text)); err != nil {
			return err
		}
	}

	flags := slices.Concat(compileFlags, dialect(), []string{"-I.", "-I" + include, "-I" + filepath.Join(include, "vltstd")})
	units, err := translationUnits(obj, string(classes))
	if err != nil {
		return err
	}
	runtimeNames := slices.Concat(makeVariable(string(classes), "VM_GLOBAL_FAST"), makeVariable(string(classes), "VM_GLOBAL_SLOW"))
	objects := make([]string, len(runtimeNames))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range runtimeNames {
		g.Go(func() (err error) {
			objects[i], err = runtimeObject(gctx, include, name, cxx, tools)
			return err
		})
	}
	for _, u := range units {
		g.Go(func() error {
			_, err := build.Run(gctx, obj, cxx.Path, slices.Concat(flags, u.flags, []string{"-c", u.source, "-o", u.object})...)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("verilator: compiling module %s: %w", d.Top, err)
	}
	for _, u := range units {
		objects = append(objects, u.object)
	}
	library := filepath.Join(dir, "model.so")
	if _, err := build.Run(ctx, obj, cxx.Path, slices.Concat(linkFlags, []string{"-o", library}, objects)...); err != nil {
		return fmt.Errorf("verilator: linking module %s: %w", d.Top, err)
	}
	table, err := json.Marshal(ports)
	if err != nil {
		return err
	}
	if err := build.WriteFile(dir, "ports.json", table); err != nil {
		return err
	}
	if err := build.WriteFile(dir, "build.log", []byte(log)); err != nil {
		return err
	}
	return os.RemoveAll(work)
}

// unit is one run of the C++ compiler.
type unit struct {
	source, object string
	flags          []string
}

// togetherBytes is how much generated code is compiled in one piece.
const togetherBytes = 2 << 20

// translationUnits are what a model is compiled as. The code that runs in each
// cycle goes into one unit with the shim, so that the compiler sees through from the
// loop to the logic: on a small block that is a third of the time. A large
// model is compiled file by file instead, on all cores.
func translationUnits(obj, classes string) ([]unit, error) {
	fast := slices.Concat(makeVariable(classes, "VM_CLASSES_FAST"), makeVariable(classes, "VM_SUPPORT_FAST"))
	slow := slices.Concat(makeVariable(classes, "VM_CLASSES_SLOW"), makeVariable(classes, "VM_SUPPORT_SLOW"))
	var total int64
	for _, name := range fast {
		info, err := os.Stat(filepath.Join(obj, name+".cpp"))
		if err != nil {
			return nil, err
		}
		total += info.Size()
	}
	var units []unit
	if total > togetherBytes {
		units = append(units, unit{"model.cpp", "model.o", fastFlags})
		for _, name := range fast {
			units = append(units, unit{name + ".cpp", name + ".o", fastFlags})
		}
	} else {
		if err := includeAll(obj, "fast.cpp", append(fast, "model")); err != nil {
			return nil, err
		}
		units = append(units, unit{"fast.cpp", "fast.o", fastFlags})
	}
	if err := includeAll(obj, "slow.cpp", slow); err != nil {
		return nil, err
	}
	return append(units, unit{"slow.cpp", "slow.o", slowFlags}), nil
}

// includeAll writes a source that includes others.
func includeAll(obj, file string, names []string) error {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "#include \"%s.cpp\"\n", name)
	}
	return build.WriteFile(obj, file, []byte(b.String()))
}

// runtimeObject compiles one file of Verilator's runtime. It is the same for all
// models, and takes longer than a small model does.
func runtimeObject(ctx context.Context, include, name string, cxx build.Tool, tools string) (string, error) {
	key := build.NewKey("verilator-runtime").Add("tools", tools).Add("name", name).Add("include", include).Add("host", hostHeader)
	args := slices.Concat(compileFlags, dialect(), fastFlags, []string{"-I.", "-I" + include, "-I" + filepath.Join(include, "vltstd")})
	for _, a := range args {
		key.Add("flag", a)
	}
	dir, err := build.Entry(ctx, "runtime-verilator", key, []string{"runtime.o"}, func(ctx context.Context, dir string) error {
		if err := build.WriteFile(dir, "host.h", []byte(hostHeader)); err != nil {
			return err
		}
		_, err := build.Run(ctx, dir, cxx.Path, append(args, "-c", filepath.Join(include, name+".cpp"), "-o", "runtime.o")...)
		return err
	})
	return filepath.Join(dir, "runtime.o"), err
}

// makeVariable is the words of a variable of a generated makefile.
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

// portLine matches a port of the model's class: VL_IN8(&clk_i,0,0); or
// VL_OUTW(&wide_o,99,0,4);
var portLine = regexp.MustCompile(`^\s*VL_(IN|OUT|INOUT)(?:8|16|64|W)?\(&?(\w+),(-?\d+),(-?\d+)(?:,\d+)?\);`)

// parsePorts reads the port table from the header of the model's class. This text
// has kept its form from Verilator 5.006 to 5.048, while the tree dumps
// (--xml-only, --json-only) have not.
func parsePorts(header string) ([]bridge.Port, error) {
	var ports []bridge.Port
	for line := range strings.Lines(header) {
		m := portLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		msb, err1 := strconv.Atoi(m[3])
		lsb, err2 := strconv.Atoi(m[4])
		if err := cmp.Or(err1, err2); err != nil {
			return nil, err
		}
		p := bridge.Port{Name: unescape(m[2]), Dir: bridge.Output, Width: max(msb, lsb) - min(msb, lsb) + 1}
		switch m[1] {
		case "IN":
			p.Dir = bridge.Input
		case "INOUT":
			p.Dir = "inout"
		}
		ports = append(ports, p)
	}
	return ports, nil
}

// escaped matches how Verilator writes characters that C++ names cannot have,
// and the second of two underscores.
var escaped = regexp.MustCompile(`__0([0-9A-F]{2})`)

func unescape(name string) string {
	return escaped.ReplaceAllStringFunc(name, func(s string) string {
		n, _ := strconv.ParseUint(s[3:], 16, 8)
		return string(rune(n))
	})
}

func escape(name string) string {
	return strings.ReplaceAll(name, "__", "___05F")
}

// portCopies is ports.inc: the copying between rows and the model's ports.
func portCopies(l *bridge.Layout, clocks []bridge.Clock) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#define COSIM_CLOCKS %d\n#define COSIM_IN_SIZE %d\n#define COSIM_OUT_SIZE %d\n", len(clocks), l.InSize, l.OutSize)
	address := func(p bridge.Port) string {
		if p.Width > 64 {
			return "m." + escape(p.Name) + ".data()"
		}
		return "&m." + escape(p.Name)
	}
	b.WriteString("static inline void cosim_apply(Vdut& m, const uint8_t* row) {\n")
	for _, p := range l.Inputs {
		fmt.Fprintf(&b, "    std::memcpy(%s, row + %d, %d);\n", address(p), p.Offset, p.Size)
	}
	b.WriteString("}\nstatic inline void cosim_sample(Vdut& m, uint8_t* row) {\n")
	for _, p := range l.Outputs {
		fmt.Fprintf(&b, "    std::memcpy(row + %d, %s, %d);\n", p.Offset, address(p), p.Size)
	}
	b.WriteString("}\nstatic inline void cosim_clock(Vdut& m, int clock, int level) {\n")
	for i, c := range clocks {
		if c.Port != "" {
			fmt.Fprintf(&b, "    if (clock == %d) m.%s = level;\n", i, escape(c.Port))
		}
	}
	b.WriteString("}\n")
	return b.String()
}
