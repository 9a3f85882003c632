package verilator

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// The compiler takes the headers that are compiled already, at the levels of optimisation of both
// of a model's files. If it did not, it would read the text without a word.
func TestHeadersAreCompiledOnce(t *testing.T) {
	if os.Getenv("CXX") != "" {
		t.Skip("only for g++ are headers compiled beforehand")
	}
	sources, err := register.Sources()
	if err != nil {
		t.Fatal(err)
	}
	cxx, err := build.CompilerFor("CXX", "g++")
	if err != nil {
		t.Fatal(err)
	}
	host, err := shim.ReadFile("shim/host.h")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]bridge.BuildOptions{"plain": {}, "coverage": {Coverage: true}, "waveform": {Wave: true}} {
		g, err := generate(t.Context(), &register, o, sources)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range [][]string{fastFlags, slowFlags} {
			headers, err := precompiled(t.Context(), g, cxx, string(host), level)
			if err != nil {
				t.Fatal(err)
			}
			flags := slices.Concat(compileFlags, dialect(), g.CompileFlags, includes(g), level, []string{"-include", headers})
			// -H prints the names of what is read, and ! before what is compiled already.
			read, err := build.Run(t.Context(), t.TempDir(), cxx.Path, append(flags, "-H", "-x", "c++", "-c", os.DevNull, "-o", "none.o")...)
			if err != nil || !strings.HasPrefix(read, "! "+headers+".gch") || strings.Contains(read, "verilated.h") {
				t.Errorf("%s, %v: %v; read was:\n%s", name, level, err, read)
			}
		}
	}
}

// Models with coverage and without share the objects of Verilator's runtime, which take longer to
// compile than a small model; those with waveforms have others.
func TestRuntimeIsSharedWithCoverage(t *testing.T) {
	t.Setenv("COSIMATE_CACHE", t.TempDir())
	t.Setenv("CXX", "g++")
	cxx, err := build.CompilerFor("CXX", "g++")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"host.h": "", "output.h": "", "api.h": "", "output.cpp": "#if VM_COVERAGE\n#error coverage\n#endif\n"}
	var objects []string
	for _, flags := range [][]string{{withoutCoverage, "-DVM_TRACE=0"}, {withCoverage, "-DVM_TRACE=0"}, {withoutCoverage, "-DVM_TRACE=1"}} {
		object, err := sharedObject(t.Context(), &generated{CompileFlags: flags, Include: "include"}, "output.cpp", cxx, files)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	if objects[0] != objects[1] || objects[0] == objects[2] {
		t.Errorf("the objects without coverage, with it, and for waveforms are %q", objects)
	}
}

// What all models share is compiled anew with another Verilator: its key is another.
func TestHeadersDependOnVerilator(t *testing.T) {
	t.Setenv("COSIMATE_CACHE", t.TempDir())
	t.Setenv("CXX", "g++") // with it the headers are written, but not compiled
	cxx, err := build.CompilerFor("CXX", "g++")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, tool := range []string{"one", "other", "one"} {
		path, err := precompiled(t.Context(), &generated{tool: tool, Include: "include"}, cxx, "", fastFlags)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if paths[0] == paths[1] || paths[0] != paths[2] {
		t.Errorf("the headers of one Verilator, of another, and of the first again are %q", paths)
	}
}
