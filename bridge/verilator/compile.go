package verilator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
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
		"-DVERILATOR=1", "-DVM_SC=0", "-DVM_TRACE_VCD=0",
	}
	// Neighbouring ports and registers of a few bits are written one by one and read soon after. If
	// the compiler makes one wide load of several of them, the processor has to wait until all the
	// stores are done. On the move generator that took a sixth of the time.
	fastFlags = []string{"-O3", "-fno-tree-slp-vectorize"}
	slowFlags = []string{"-O1"} // code that runs once: constructors, reset, initial blocks
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

// What tells a model whether it has code coverage.
const (
	withCoverage    = "-DVM_COVERAGE=1"
	withoutCoverage = "-DVM_COVERAGE=0"
)

// headers are what every file of a model includes first. With these compiled beforehand a small
// model is compiled in half the time, and a large one in two thirds.
const headers = `#include "host.h"
#include <time.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif
`

// precompiled returns the path of headers in a folder where the compiler finds them compiled, for a
// level of optimisation: g++ 16 takes those of its own level only. Compilers other than g++ have
// other rules for that, and read the text.
func precompiled(ctx context.Context, g *generated, cxx build.Tool, host string, level []string) (string, error) {
	args := slices.Concat(compileFlags, dialect(), g.CompileFlags, level, includes(g))
	key := runtimeKey("verilator-headers", g, cxx, host, args).Add("headers", headers)
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

// runtimeKey is the key of something that is the same for all models of this Verilator.
func runtimeKey(kind string, g *generated, cxx build.Tool, host string, args []string) *build.Key {
	key := build.NewKey(kind).MadeBy(cxx).Add("tools", g.tool+cxx.ID).Add("host", host)
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
	flags := slices.Concat(compileFlags, dialect(), g.CompileFlags, g.ModelFlags, []string{"-I.", "-I" + g.obj}, includes(g))
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
		objects := make([]string, len(g.Runtime)+1)
		group, gctx := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, name := range g.Runtime {
			group.Go(func() (err error) {
				objects[i], err = sharedObject(gctx, g, filepath.Join(g.Include, name+".cpp"), cxx, files)
				return err
			})
		}
		group.Go(func() (err error) {
			objects[len(g.Runtime)], err = sharedObject(gctx, g, "output.cpp", cxx, files)
			return err
		})
		for _, u := range units {
			group.Go(func() error {
				first, err := precompiled(gctx, g, cxx, files["host.h"], u.flags)
				if err != nil {
					return fmt.Errorf("its headers: %w", err)
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
		if _, err := build.Run(ctx, work, cxx.Path, slices.Concat(linkFlags, []string{"-o", filepath.Join(dir, "model.so")}, objects, g.LinkFlags)...); err != nil {
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
	allTogether  = 64 << 10
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
		return []unit{{"all.cpp", "all.o", fastFlags}}, includeAll(work, "all.cpp", append(all, g.Slow...))
	}
	units := []unit{{"slow.cpp", "slow.o", slowFlags}}
	if err := includeAll(work, "slow.cpp", g.Slow); err != nil {
		return nil, err
	}
	if fast <= fastTogether {
		return append(units, unit{"fast.cpp", "fast.o", fastFlags}), includeAll(work, "fast.cpp", all)
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

// includeAll writes a source that includes others.
func includeAll(dir, file string, names []string) error {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "#include \"%s.cpp\"\n", name)
	}
	return build.WriteFile(dir, file, []byte(b.String()))
}

// sharedObject compiles a file that is the same for all models: one of Verilator's runtime, or one
// of the shim. It returns the path of the object. The cache keeps it apart from the models: a file
// of the runtime takes longer to compile than a small model. VM_COVERAGE is for models alone, so
// one object is for those with coverage and without.
func sharedObject(ctx context.Context, g *generated, source string, cxx build.Tool, files map[string]string) (string, error) {
	args := slices.Concat(compileFlags, dialect(), g.CompileFlags, fastFlags, []string{"-include", "host.h", "-I."}, includes(g))
	if i := slices.Index(args, withCoverage); i >= 0 {
		args[i] = withoutCoverage
	}
	key := runtimeKey("verilator-runtime", g, cxx, files["host.h"], args).Add("name", filepath.Base(source))
	needed := []string{"host.h"}
	if !filepath.IsAbs(source) {
		needed = append(needed, source, "output.h", "api.h")
	}
	for _, name := range needed {
		key.Add(name, files[name])
	}
	dir, err := build.Entry(ctx, "runtime-verilator", key, []string{"runtime.o"}, func(ctx context.Context, dir string) error {
		for _, name := range needed {
			if err := build.WriteFile(dir, name, []byte(files[name])); err != nil {
				return err
			}
		}
		_, err := build.Run(ctx, dir, cxx.Path, append(args, "-c", source, "-o", "runtime.o")...)
		return err
	})
	return filepath.Join(dir, "runtime.o"), err
}
