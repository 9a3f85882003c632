package verilator

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// kinds are models whose flags differ.
var kinds = []struct {
	name    string
	options bridge.BuildOptions
}{{"plain", bridge.BuildOptions{}}, {"coverage", bridge.BuildOptions{Coverage: true}}, {"waveform", bridge.BuildOptions{Wave: true}}}

// The compiler takes the headers that are compiled already, whatever the flags of the model. If it
// did not, it would read the text without a word.
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
	for _, k := range kinds {
		g, err := generate(t.Context(), &register, k.options, sources)
		if err != nil {
			t.Fatal(err)
		}
		headers, err := precompiled(t.Context(), g, cxx, string(host))
		if err != nil {
			t.Fatal(err)
		}
		// -H prints the names of what is read, and ! before what is compiled already.
		flags := append(modelFlags(g), fastFlags...)
		read, err := build.Run(t.Context(), t.TempDir(), cxx.Path, append(flags, "-include", headers, "-H", "-x", "c++", "-c", os.DevNull, "-o", "none.o")...)
		if err != nil || !strings.HasPrefix(read, "! "+headers+".gch") || strings.Contains(read, "verilated.h") {
			t.Errorf("%s: %v; read was:\n%s", k.name, err, read)
		}
	}
}

// pretend makes an empty cache, and a compiler that only notes how it was called and makes the file
// it is to make. It returns how it was called.
func pretend(t *testing.T) (calls func() []string) {
	t.Helper()
	t.Setenv("COSIMATE_CACHE", t.TempDir())
	dir := t.TempDir()
	log, cxx := filepath.Join(dir, "log"), filepath.Join(dir, "c++")
	script := "#!/bin/sh\necho \"$@\" >>'" + log + "'\nwhile [ $# -gt 1 ]; do [ \"$1\" != -o ] || echo made >\"$2\"; shift; done\n"
	if err := os.WriteFile(cxx, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CXX", cxx)
	return func() []string {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

// With an empty cache nothing waits for headers. The second model has them compiled.
func TestFirstModelReadsTheText(t *testing.T) {
	calls := pretend(t)
	for _, k := range kinds[:2] {
		if _, err := Build(t.Context(), register, k.options); err != nil {
			t.Fatal(err)
		}
	}
	var first []string
	for _, call := range calls() {
		if words := strings.Fields(call); strings.HasSuffix(call, "-o all.o") {
			name := words[slices.Index(words, "-include")+1]
			first = append(first, filepath.Base(name))
			if _, err := os.Stat(name); filepath.IsAbs(name) && err != nil {
				t.Error(err)
			}
		}
	}
	if !slices.Equal(first, []string{"host.h", "headers.h"}) {
		t.Errorf("what the models include first is %q", first)
	}
}

// Models with coverage, with waveforms and without share the objects of Verilator's runtime, which
// take longer to compile than a small model.
func TestRuntimeIsShared(t *testing.T) {
	calls := pretend(t)
	for _, k := range kinds {
		if _, err := Build(t.Context(), register, k.options); err != nil {
			t.Fatal(err)
		}
	}
	compiled := 0
	for _, call := range calls() {
		if strings.HasSuffix(call, "-o "+objectFile) {
			compiled++
		}
	}
	// Two that every model has, and the writer of waveforms.
	if compiled != 3 {
		t.Errorf("%d objects are compiled:\n%s", compiled, strings.Join(calls(), "\n"))
	}
}

// What all models share is compiled anew with another Verilator: its key is another.
func TestHeadersDependOnVerilator(t *testing.T) {
	pretend(t)
	cxx, err := build.CompilerFor("CXX", "g++")
	if err != nil {
		t.Fatal(err)
	}
	for what, path := range map[string]func(context.Context, *generated) (string, error){
		"headers": func(ctx context.Context, g *generated) (string, error) { return precompiled(ctx, g, cxx, "") },
		"runtime": func(ctx context.Context, g *generated) (string, error) {
			return sharedObjects(g, cxx, nil)[0].path(ctx)
		},
	} {
		var paths []string
		for _, tool := range []string{"one", "other", "one"} {
			path, err := path(t.Context(), &generated{tool: tool, Include: "include"})
			if err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		if paths[0] == paths[1] || paths[0] != paths[2] {
			t.Errorf("%s: of one Verilator, of another, and of the first again are %q", what, paths)
		}
	}
}
