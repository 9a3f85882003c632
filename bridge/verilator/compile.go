package verilator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/schedule"
)

// Flags of the C++ compiler. -fno-gnu-unique is for Verilator's static variables: as GNU-unique
// symbols the loader would share them between models in spite of RTLD_LOCAL.
var (
	compileFlags = []string{
		"-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-fno-plt", "-fstack-clash-protection", "-w",
		"-DVERILATOR=1", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_VCD=0",
	}
	// Neighbouring ports and registers of a few bits are written one by one and read soon after. If
	// the compiler makes one wide load of several of them, the processor has to wait until all the
	// stores are done. On the move generator that took a sixth of the time.
	fastFlags = []string{"-O3", "-fno-tree-slp-vectorize"}
	// Code that runs once (constructors, reset, initial blocks), and Verilator's runtime, which at
	// -O3 takes half as long again to compile, and is no faster.
	slowFlags = []string{"-O1"}
	linkFlags = []string{"-shared", "-Wl,-Bsymbolic", "-Wl,-z,now"}
)

// dialect returns flags that only some compilers know. Verilator keeps its context in thread-local
// storage and looks at it in every evaluation. By default g++ calls a function for that on x86-64.
// With TLS descriptors an evaluation of the move generator takes a tenth less time.
func dialect() []string {
	if runtime.GOARCH == "amd64" && os.Getenv("CXX") == "" {
		return []string{"-mtls-dialect=gnu2"}
	}
	return nil
}

// gold returns the flag for the linker gold where there is one. It takes half as long as GNU's
// other linker. Models do not depend on it.
func gold() []string {
	if _, err := exec.LookPath("ld.gold"); err == nil && os.Getenv("CXX") == "" {
		return []string{"-fuse-ld=gold"}
	}
	return nil
}

// headers are what every file of a model includes first. They do not depend on the model's flags:
// one file is for all models.
const headers = `#include "host.h"
#include <time.h>

#include "verilated.h"
`

// precompiled returns the path of headers in a folder where the compiler finds them compiled, at
// the level of code that runs in each cycle: g++ 16 takes those of its own level only, and reads
// the text at another. Compilers other than g++ have other rules for that, and read the text.
func precompiled(ctx context.Context, g *generated, cxx build.Tool, host string) (string, error) {
	args := slices.Concat(compileFlags, dialect(), fastFlags, includes(g))
	key := runtimeKey("verilator-headers", g, cxx, args).Add("host", host).Add("headers", headers)
	dir, err := build.Entry(ctx, "headers-verilator", key, []string{"headers.h"}, func(ctx context.Context, dir string) error {
		if err := errors.Join(build.WriteFile(dir, "host.h", []byte(host)), build.WriteFile(dir, "headers.h", []byte(headers))); err != nil {
			return err
		}
		if os.Getenv("CXX") != "" {
			return nil
		}
		_, err := build.Run(ctx, dir, cxx.Path, append(args, "-x", "c++-header", "headers.h", "-o", "headers.h.gch")...)
		return err
	})
	return filepath.Join(dir, "headers.h"), err
}

// includes are the flags for the folders of Verilator's runtime.
func includes(g *generated) []string {
	return []string{"-I" + g.Include, "-I" + filepath.Join(g.Include, "vltstd")}
}

// modelFlags are the flags for the files of a model, without the level.
func modelFlags(g *generated) []string {
	return slices.Concat(compileFlags, dialect(), g.ModelFlags, g.OptionFlags, []string{"-I.", "-I" + g.obj}, includes(g))
}

// runtimeKey is the key of something that is the same for all models of this Verilator.
func runtimeKey(kind string, g *generated, cxx build.Tool, args []string) *build.Key {
	key := build.NewKey(kind).MadeBy(cxx).Add("tools", g.tool+cxx.ID)
	for _, a := range args {
		key.Add("flag", a)
	}
	return key
}

// compile makes the shared library of generated C++, the generated ports.inc and the shim, and
// returns its path.
func compile(ctx context.Context, d *bridge.Design, g *generated, ports string) (string, error) {
	cxx, err := build.CompilerFor("CXX", "g++")
	if err != nil {
		return "", err
	}
	files := map[string]string{"ports.inc": ports, "schedule.h": schedule.Header}
	err = fs.WalkDir(shim, "shim", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := shim.ReadFile(name)
		files[path.Base(name)] = string(text)
		return err
	})
	if err != nil {
		return "", err
	}
	flags := modelFlags(g)
	key := build.NewKey("verilator-model").MadeBy(cxx).Add("generated", g.obj).Add("tool", cxx.ID)
	for _, f := range slices.Concat(flags, fastFlags, slowFlags, linkFlags) {
		key.Add("flag", f)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		key.Add(name, files[name])
	}
	key.Add("headers", headers)
	dir, err := build.Entry(ctx, d.Top+"-verilator", key, []string{"model.so"}, func(ctx context.Context, dir string) error {
		if _, err := os.Stat(g.obj); err != nil { // it came from a pack, but the model did not
			return fmt.Errorf("%w, which Verilator has made of module %s: the cache of models is not where the run was prepared", err, d.Top)
		}
		work := filepath.Join(dir, "work")
		for name, text := range files {
			if err := build.WriteFile(work, name, []byte(text)); err != nil {
				return err
			}
		}
		if slices.Contains(g.LinkFlags, "-lz") {
			if _, err := build.Run(ctx, work, cxx.Path, "-fsyntax-only", "-include", "zlib.h", "-x", "c++", os.DevNull); err != nil {
				return &build.MissingToolError{Tool: "zlib.h, which waveforms need,", Package: "zlib1g-dev"}
			}
		}
		units, err := translationUnits(work, g)
		if err != nil {
			return err
		}
		shared := sharedObjects(g, cxx, files)
		// To compile the headers takes as long as it saves in five runs of the compiler. So the
		// first models in a cache, which have to wait for the runtime anyway, read the text, unless
		// they are compiled file by file.
		precompile := shared[0].made() || len(units) > 2
		objects := make([]string, len(shared))
		group, gctx := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, o := range shared {
			group.Go(func() (err error) {
				objects[i], err = o.path(gctx)
				return err
			})
		}
		for _, u := range units {
			group.Go(func() (err error) {
				first := "host.h"
				if precompile {
					if first, err = precompiled(gctx, g, cxx, files["host.h"]); err != nil {
						return fmt.Errorf("its headers: %w", err)
					}
				}
				_, err = build.Run(gctx, work, cxx.Path, slices.Concat(flags, u.flags, []string{"-include", first, "-c", u.source, "-o", u.object})...)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return fmt.Errorf("verilator: compiling module %s: %w", d.Top, err)
		}
		for _, u := range units {
			objects = append(objects, u.object)
		}
		if _, err := build.Run(ctx, work, cxx.Path, slices.Concat(linkFlags, gold(), []string{"-o", filepath.Join(dir, "model.so")}, objects, g.LinkFlags)...); err != nil {
			return fmt.Errorf("verilator: linking module %s: %w", d.Top, err)
		}
		return os.RemoveAll(work)
	})
	return filepath.Join(dir, "model.so"), err
}

// unit is one run of the C++ compiler.
type unit struct {
	source, object string
	flags          []string
}

// The sizes of generated code, in bytes, up to which the code that runs in each cycle is compiled
// in one unit, and up to which all code is.
const (
	fastTogether = 2 << 20
	allTogether  = 128 << 10
)

// translationUnits returns the units that a model is compiled in. The code that runs in each cycle
// is in one unit with the shim, so that the compiler can inline the logic into the shim's loop:
// that makes a small block faster by a third. A large model is compiled file by file instead, on
// all cores. The code of a small model that runs once is in the same unit: a second run of the
// compiler would take longer than that code does.
func translationUnits(work string, g *generated) ([]unit, error) {
	fast, err := generatedBytes(g, g.Fast)
	if err != nil {
		return nil, err
	}
	slow, err := generatedBytes(g, g.Slow)
	if err != nil {
		return nil, err
	}
	all := append(slices.Clip(g.Fast), "model")
	if fast+slow <= allTogether {
		return []unit{{"all.cpp", "all.o", fastFlags}}, build.WriteFile(work, "all.cpp", []byte(includeAll(append(all, g.Slow...))))
	}
	units := []unit{{"slow.cpp", "slow.o", slowFlags}}
	if err := build.WriteFile(work, "slow.cpp", []byte(includeAll(g.Slow))); err != nil {
		return nil, err
	}
	if fast <= fastTogether {
		return append(units, unit{"fast.cpp", "fast.o", fastFlags}), build.WriteFile(work, "fast.cpp", []byte(includeAll(all)))
	}
	units = append(units, unit{"model.cpp", "model.o", fastFlags})
	for _, name := range g.Fast {
		units = append(units, unit{filepath.Join(g.obj, name+".cpp"), name + ".o", fastFlags})
	}
	return units, nil
}

// generatedBytes is the size of generated files, by their names without extension.
func generatedBytes(g *generated, names []string) (bytes int64, err error) {
	for _, name := range names {
		info, err := os.Stat(filepath.Join(g.obj, name+".cpp"))
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return bytes, nil
}

// includeAll returns a source that includes others.
func includeAll(names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "#include \"%s.cpp\"\n", name)
	}
	return b.String()
}

// everyModel are the files of Verilator's runtime that all models get, and the shim's output.cpp,
// in two units that take about as long. To read the headers takes half of the time of a small file,
// so the small ones are one unit. That of coverage, which some models do not need, costs these
// 57 KB.
var everyModel = [][]string{{"verilated"}, {"verilated_threads", "verilated_cov", "output"}}

// object is compiled code that is the same for all models. The cache keeps it apart from them: it
// takes longer to compile than a small model.
type object struct {
	key   *build.Key
	cxx   build.Tool
	args  []string
	files map[string]string
}

// sharedObjects returns the objects of Verilator's runtime and of output.cpp: those that every
// model has, and one for each other file that this one needs.
func sharedObjects(g *generated, cxx build.Tool, files map[string]string) (all []*object) {
	units := slices.Clone(everyModel)
	for _, name := range g.Runtime {
		if !slices.Contains(slices.Concat(everyModel...), name) {
			units = append(units, []string{name})
		}
	}
	for _, names := range units {
		o := &object{cxx: cxx, files: map[string]string{"runtime.cpp": includeAll(names)}}
		for _, name := range []string{"host.h", "api.h", "output.h", "output.cpp"} {
			o.files[name] = files[name]
		}
		o.args = slices.Concat(compileFlags, dialect(), slowFlags, []string{"-include", "host.h", "-I."}, includes(g))
		o.key = runtimeKey("verilator-runtime", g, cxx, o.args)
		for _, name := range slices.Sorted(maps.Keys(o.files)) {
			o.key.Add(name, o.files[name])
		}
		all = append(all, o)
	}
	return all
}

// The name of the entries of shared objects, and the file in each.
const (
	objectEntry = "runtime-verilator"
	objectFile  = "runtime.o"
)

// made reports whether the cache has the object.
func (o *object) made() bool { return build.Has(objectEntry, o.key, []string{objectFile}) }

// path returns the path of the object. It is compiled if the cache does not have it.
func (o *object) path(ctx context.Context) (string, error) {
	dir, err := build.Entry(ctx, objectEntry, o.key, []string{objectFile}, func(ctx context.Context, dir string) error {
		for name, text := range o.files {
			if err := build.WriteFile(dir, name, []byte(text)); err != nil {
				return err
			}
		}
		_, err := build.Run(ctx, dir, o.cxx.Path, append(o.args, "-c", "runtime.cpp", "-o", objectFile)...)
		return err
	})
	return filepath.Join(dir, objectFile), err
}
