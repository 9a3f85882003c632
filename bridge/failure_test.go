package bridge_test

// Failures outside of the RTL. Each is an error that says what to do, and leaves nothing behind.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
	"github.com/cosimate/cosimate/internal/cachedir"
)

// TestMain lets this test binary be its own child: with buildEnv set it only
// builds a design and runs it.
func TestMain(m *testing.M) {
	os.Getenv("COSIMATE_TOOLS") // part of go test's cache key: see sim.Open
	if what := os.Getenv(buildEnv); what != "" {
		os.Exit(buildChild(what))
	}
	os.Exit(m.Run())
}

const buildEnv = "COSIMATE_TEST_BUILD"

var small = design("ender", ender)

func buildChild(what string) int {
	if what == "orphan" {
		return orphan()
	}
	if strings.HasPrefix(what, "wave of ") {
		if err := fillDisk(what, filepath.Join(os.Args[1], "wave.fst")); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("passed")
		return 0
	}
	for _, s := range simulators {
		if !strings.Contains(what, s.name) {
			continue
		}
		b, err := s.build(context.Background(), small, bridge.BuildOptions{})
		if err == nil {
			var i bridge.Instance
			if i, err = b.Start(bridge.Options{}); err == nil {
				_, err = i.Run(context.Background(), memory(i, 1), 1)
				i.Close()
			}
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
	}
	fmt.Println("built")
	return 0
}

// child is a process that builds the small design with its own cache.
func child(t *testing.T, cache, what string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), buildEnv+"="+what, "COSIMATE_CACHE="+cache)
	return cmd
}

// warm returns a cache that has what all models share, such as the compiled runtime of Verilator,
// and no model. To compile that takes ten times as long as to compile a small model.
func warm(t *testing.T) string {
	t.Helper()
	for _, s := range simulators {
		if _, err := s.build(t.Context(), small, bridge.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	home, err := cachedir.Path()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	const headers = "headers-verilator-*/*"
	for _, shared := range []string{"runtime-verilator-*/*", headers, "vpi-icarus-*/*"} {
		files, err := filepath.Glob(filepath.Join(home, "models", shared))
		if err != nil || len(files) == 0 && shared != headers { // only the second model has these compiled
			t.Fatalf("%s: %v", shared, err)
		}
		for _, file := range files {
			to := filepath.Join(cache, "models", filepath.Base(filepath.Dir(file)), filepath.Base(file))
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				t.Fatal(err)
			}
			if os.Link(file, to) == nil {
				continue // no test writes into a file that there is
			}
			data, err := os.ReadFile(file)
			if err := errors.Join(err, os.WriteFile(to, data, 0o777)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return cache
}

func listing(t *testing.T, cache string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(cache, "models"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	return names
}

// noDebris fails if a build has left an incomplete entry.
func noDebris(t *testing.T, cache string) {
	t.Helper()
	for _, name := range listing(t, cache) {
		if strings.Contains(name, ".tmp") {
			t.Errorf("%s was left in the cache", name)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	t.Setenv("COSIMATE_CACHE", t.TempDir())
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			_, err := s.build(t.Context(), design("bad", "module bad(input wire clk_i);\n  wire x = ;\nendmodule"), bridge.BuildOptions{})
			var compile *bridge.CompileError
			if !errors.As(err, &compile) || !strings.Contains(err.Error(), "hw/bad.sv:2") {
				t.Errorf("the error is not a compile error with the place hw/bad.sv:2: %v", err)
			}
			noDebris(t, os.Getenv("COSIMATE_CACHE"))
		})
	}
}

// What Icarus calls a syntax error and nothing more, the error says more of.
func TestSyntaxThatIcarusLacks(t *testing.T) {
	for parameter, want := range map[string]string{
		"parameter int unsigned Width = 8":    "hint: this version of Icarus knows no parameter that is `int unsigned`",
		"localparam integer signed Width = 8": "hint: this version of Icarus knows no parameter that is `int unsigned`",
		"parameter type word = logic":         "hint: this version of Icarus knows no parameters that are types",
		`parameter string Name = "a"`:         "hint: this version of Icarus knows no parameter that is a `string`",
		"parameter int Width = 8, int = = 3":  "hint: if the line is right, this version of Icarus does not know what it uses",
		"parameter int Width = 8":             "",
	} {
		t.Run(parameter, func(t *testing.T) {
			_, err := icarus.Build(t.Context(), design("m", "module m\n  #("+parameter+")\n  (input wire clk_i, output wire q_o);\n  assign q_o = 0;\nendmodule"), bridge.BuildOptions{})
			switch {
			case want == "" && err != nil, want != "" && err != nil && !strings.Contains(err.Error(), want):
				t.Errorf("the error is %v, not one with %q", err, want)
			case want != "" && err == nil:
				t.Skip("this version of Icarus knows it")
			}
		})
	}
}

func TestWrongDesigns(t *testing.T) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			noTop := design("m", "module m(input wire clk_i); endmodule")
			noTop.Top = ""
			other := design("m", "module m(input wire clk_i); endmodule")
			other.Top = "n"
			noFiles := bridge.Design{Top: "m"}
			missing := design("m", "")
			missing.Files = []string{"n.sv"}
			outside := design("m", "module m(input wire clk_i); endmodule")
			outside.Dir = "../m"
			with := func(name, value string) bridge.Design {
				d := design("m", "module m #(parameter int P = 5) (input wire clk_i, output wire [31:0] q_o); assign q_o = P; endmodule")
				d.Params = map[string]string{name: value}
				return d
			}
			for _, c := range []struct {
				design bridge.Design
				want   string
			}{
				{noTop, "set Design.Top"},
				{noFiles, "set Design.FS and Design.Files"},
				{other, `hint: Design.Top is "n": it must be the name of a module in Design.Files`},
				{missing, "hw/n.sv, a source of module m, cannot be read"},
				{outside, "must be a relative path that stays below"},
				{design("m", "module m(input wire clock, output wire [3:0] q_o); assign q_o = 0; endmodule"), "there is no port clk_i to be the clock; the module has"},
				{design("m", "module m(input wire [1:0] clk_i); endmodule"), "it must be a one-bit input"},
				{design("m", "module m(input wire clk_i, inout wire b); endmodule"), `only input and output ports can be driven from Go; wrap the module in one with an input and an output in its place, as in docs/guide/bring-your-own-rtl.md, "Inout"`},
				{design("m", "module m(input wire clk_i, input wire [7:0] a_i [4]); endmodule"), "module m: port a_i is an unpacked array of 4 times 8 bits: only vectors of bits can be driven from Go; wrap the module in one with the packed port logic [3:0][7:0] a_i,"},
				{design("m", "module m(input wire clk_i, output wire q_o [2][3]); assign q_o[0][0] = 1; endmodule"), "port q_o is an unpacked array of 6 times 1 bits"},
				{design("m", "module m(input wire clk_i, output wire [99:0] q_o [1]); assign q_o[0] = 1; endmodule"), "port q_o is an unpacked array of 1 times 100 bits"},
				{design("m", "module m(input wire clk_i, input real x_i); endmodule"), "module m: port x_i is a real: only vectors of bits can be driven from Go; wrap the module"},
				{design("m", "module m(input wire clk_i, output real y_o); assign y_o = 1.5; endmodule"), "port y_o is a real"},
				{with("P", "1+2"), `the value of P is 1+2: it must be a literal such as`},
				{with("P", "-8'sd3"), "no sign before a size"},
				{with("P", "8'b1010_101x"), "no X or Z"},
				{with("P", "seven"), "it must be a literal"},
				{with("P", `"\n"`), "without escapes"},
				{with("P", "99999999999"), "need a size"},
				{with("Q", "1"), " not found in "},
			} {
				_, err := s.build(t.Context(), c.design, bridge.BuildOptions{})
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("the error is %v, not one with %q", err, c.want)
				}
			}
		})
	}
}

// If there is no such parameter, the error names it and the parameters that there are. It has
// nothing else of what the simulator says about the RTL.
func TestUnknownParameter(t *testing.T) {
	d := design("m", `module m #(parameter int Depth = 5, parameter real Gain = 2.5, localparam Half = Depth / 2)
  (input wire clk_i, input wire [7:0] a_i, output logic [7:0] q_o);
  localparam Twice = 2 * Depth;
  always_comb q_o = {4'(Half), a_i[3:0]};
  inner #(.Other(1)) u(.a(a_i));
endmodule
module inner #(parameter int Other = 0) (input wire [7:0] a);
endmodule`)
	d.Params = map[string]string{"Dept": "8", "Width": "1"}
	_, err := simulators[0].build(t.Context(), d, bridge.BuildOptions{Wave: true}) // Icarus
	want := regexp.MustCompile("^icarus: module m does not compile; it says:\n" +
		":0: (warning|error): parameter `?Dept`? not found in `?m`?.\n" +
		":0: (warning|error): parameter `?Width`? not found in `?m`?.\n" +
		"the module has the parameters Depth, Gain$")
	if err == nil || !want.MatchString(err.Error()) {
		t.Errorf("the error is %v, not %s", err, want)
	}
}

// It is an error if a simulator reads a file that is none of the design's: a change of that file
// would not be noticed.
func TestForeignInclude(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foreign.svh")
	if err := os.WriteFile(path, []byte("`define VALUE 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, s := range simulators {
		_, err := s.build(t.Context(), design("m", "`include \""+path+"\"\nmodule m(input wire clk_i, output wire q_o); assign q_o = `VALUE; endmodule"), bridge.BuildOptions{})
		if err == nil || !strings.Contains(err.Error(), s.name+": module m includes "+path+", which is not among the design's sources") {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// A missing program is an error of one line with the command that installs it.
func TestMissingTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, s := range simulators {
		_, err := s.build(t.Context(), small, bridge.BuildOptions{})
		if err == nil || !strings.Contains(err.Error(), "is not installed") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// Two processes on an empty cache build once, and both succeed.
func TestTwoBuildersAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	cache := t.TempDir()
	var cmds []*exec.Cmd
	var outs []*strings.Builder
	for range 3 {
		cmd, out := child(t, cache, "icarus verilator"), &strings.Builder{}
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds, outs = append(cmds, cmd), append(outs, out)
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil || outs[i].String() != "built\n" {
			t.Errorf("builder %d: %v\n%s", i, err, outs[i])
		}
	}
	noDebris(t, cache)
	if names := listing(t, cache); slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "ender-icarus") }) != true {
		t.Errorf("the cache has %v", names)
	}
}

// What is in the cache is not built again: it can be used even without the compilers.
func TestNothingIsRebuilt(t *testing.T) {
	cache := warm(t)
	t.Setenv("COSIMATE_CACHE", cache)
	for _, s := range simulators {
		if _, err := s.build(t.Context(), small, bridge.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	before := stamps(t, cache)
	for _, s := range simulators {
		if _, err := s.build(t.Context(), small, bridge.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if after := stamps(t, cache); before != after {
		t.Errorf("the cache changed from\n%s\nto\n%s", before, after)
	}
}

// Any change of what a model depends on is another model.
func TestEveryChangeIsBuilt(t *testing.T) {
	const source = "`include \"value.svh\"\nmodule m #(parameter int P = 1) (input wire a_i, input wire b_i, output wire [7:0] q_o);\n  assign q_o = `VALUE + P;\nendmodule\n"
	design := func(change func(d *bridge.Design, files fstest.MapFS)) bridge.Design {
		files := fstest.MapFS{"m.sv": {Data: []byte(source)}, "inc/value.svh": {Data: []byte("`define VALUE 1\n")}}
		d := bridge.Design{Top: "m", FS: files, Files: []string{"m.sv"}, Include: []string{"inc"}, Clock: "a_i"}
		change(&d, files)
		return d
	}
	changes := []struct {
		name string
		do   func(d *bridge.Design, files fstest.MapFS)
	}{
		{"nothing", func(*bridge.Design, fstest.MapFS) {}},
		{"source", func(_ *bridge.Design, f fstest.MapFS) { f["m.sv"].Data = []byte(source + "\n") }},
		{"include", func(_ *bridge.Design, f fstest.MapFS) { f["inc/value.svh"].Data = []byte("`define VALUE 2\n") }},
		{"file name", func(d *bridge.Design, f fstest.MapFS) { f["n.sv"], d.Files = f["m.sv"], []string{"n.sv"} }},
		{"folder in messages", func(d *bridge.Design, _ fstest.MapFS) { d.Dir = "hw" }},
		{"parameter", func(d *bridge.Design, _ fstest.MapFS) { d.Params = map[string]string{"P": "2"} }},
		{"define", func(d *bridge.Design, _ fstest.MapFS) { d.Defines = map[string]string{"ANY": "1"} }},
		{"clock", func(d *bridge.Design, _ fstest.MapFS) { d.Clock = "b_i" }},
	}
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			if testing.Short() && s.name == "verilator" {
				t.Skip("takes long: go test without -short runs it, as make nightly does")
			}
			cache := warm(t)
			t.Setenv("COSIMATE_CACHE", cache)
			// Entries that all models share.
			if _, err := s.build(t.Context(), small, bridge.BuildOptions{}); err != nil {
				t.Fatal(err)
			}
			n := len(listing(t, cache))
			build := func(what string, change func(d *bridge.Design, files fstest.MapFS), more int) {
				t.Helper()
				for range 2 { // the second time it is in the cache
					if _, err := s.build(t.Context(), design(change), bridge.BuildOptions{}); err != nil {
						t.Fatal(err)
					}
				}
				n += more
				if got := len(listing(t, cache)); got != n {
					t.Errorf("another %s: the cache has %d entries, not %d", what, got, n)
					n = got
				}
			}
			for _, c := range changes {
				entries := 1
				if s.name == "verilator" && c.name != "clock" {
					entries = 2 // the C++ and the library
				}
				build(c.name, c.do, entries)
			}
			// A model depends on its tools: another program of that name is called, and fails.
			bin := t.TempDir()
			tool := map[string]string{"icarus": "iverilog", "verilator": "verilator"}[s.name]
			real, err := exec.LookPath(tool)
			if err != nil {
				t.Fatal(err)
			}
			script := "#!/bin/sh\ncase $1 in --version|-V) exec " + real + " $1;; esac\necho another tool; exit 1\n"
			if err := os.WriteFile(filepath.Join(bin, tool), []byte(script), 0o777); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			if _, err := s.build(t.Context(), design(changes[0].do), bridge.BuildOptions{}); err == nil || !contains(err, "another tool") {
				t.Errorf("another tool: it was not called: %v", err)
			}
		})
	}
}

// Files and folders that the cache has not made are never removed, however old they are.
func TestForeignFilesSurvive(t *testing.T) {
	cache := t.TempDir()
	old := time.Now().Add(-100 * 24 * time.Hour)
	foreign := []string{"letter.txt", "thesis", "models/letter.txt", "models/thesis"}
	stale := "models/old-icarus-0123456789abcdef0123456789abcdef"
	for _, name := range []string{"thesis", "models/thesis", stale} {
		if err := os.MkdirAll(filepath.Join(cache, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"letter.txt", "models/letter.txt"} {
		if err := os.WriteFile(filepath.Join(cache, name), []byte("dear"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(foreign, stale) {
		if err := os.Chtimes(filepath.Join(cache, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("COSIMATE_CACHE", cache)
	if _, err := icarus.Build(t.Context(), small, bridge.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range foreign {
		if _, err := os.Stat(filepath.Join(cache, name)); err != nil {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(cache, stale)); err == nil {
		t.Error("an entry unused for 100 days is still there")
	}
}

// If a tool makes nothing and reports success, there is no entry. A damaged entry is made again.
func TestDamagedEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	cache := warm(t)
	t.Setenv("COSIMATE_CACHE", cache)
	t.Run("nothing made", func(t *testing.T) {
		t.Setenv("CXX", "true")
		if _, err := verilator.Build(t.Context(), small, bridge.BuildOptions{}); err == nil || !contains(err, "have not made") {
			t.Errorf("the error is %v", err)
		}
	})
	for _, damage := range []struct {
		name string
		do   func(data []byte) []byte
	}{
		{"none", func(data []byte) []byte { return data }},
		{"half", func(data []byte) []byte { return data[:len(data)/2] }},
	} {
		t.Run(damage.name, func(t *testing.T) {
			sizes := map[string]int64{}
			for _, pattern := range []string{"ender-icarus-*/model.vvp", "ender-icarus-*/ports", "vpi-icarus-*/cosim.vpi", "ender-verilated-*/generated.json", "ender-verilator-*/model.so", "runtime-verilator-*/runtime.o", "headers-verilator-*/headers.h.gch"} {
				paths, err := filepath.Glob(filepath.Join(cache, "models", pattern))
				if err != nil || damage.name != "none" && len(paths) == 0 {
					t.Fatal(pattern, err)
				}
				for _, path := range paths {
					data, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					sizes[path] = int64(len(data))
					// It is replaced by another file, because this process has the old one loaded.
					if err := errors.Join(os.Remove(path), os.WriteFile(path, damage.do(data), 0o666)); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, s := range simulators {
				b, err := s.build(t.Context(), small, bridge.BuildOptions{})
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				i, err := b.Start(bridge.Options{})
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				if _, err := i.Run(t.Context(), memory(i, 1), 1); err != nil {
					t.Errorf("%s: %v", s.name, err)
				}
				i.Close()
			}
			// Only the second model needs the headers compiled.
			if _, err := verilator.Build(t.Context(), small, bridge.BuildOptions{Coverage: true}); err != nil {
				t.Error(err)
			}
			// The user's cache may have entries of what models share that are for other compilers,
			// and stay as they are.
			shared := map[string]bool{}
			for path, size := range sizes {
				name := filepath.Base(path)
				info, err := os.Stat(path)
				switch again := err == nil && info.Size() > size/2; {
				case name == "runtime.o" || name == "headers.h.gch":
					shared[name] = shared[name] || again
				case !again:
					t.Errorf("%s has not been made again, of %d bytes: %v", path, size, err)
				}
			}
			for name, again := range shared {
				if !again {
					t.Errorf("no %s has been made again", name)
				}
			}
		})
	}
	// If a file has its size and still cannot be loaded, the error says where it is.
	for _, s := range simulators {
		t.Run("noexec/"+s.name, func(t *testing.T) {
			out, err := inNamespace(t, `mount --bind "$0" "$0" && mount -o remount,bind,noexec "$0"`, cache, "", s.name, cache).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "noexec: set COSIMATE_CACHE") {
				t.Errorf("%v, and it printed:\n%s", err, out)
			}
		})
		t.Run("other bytes/"+s.name, func(t *testing.T) {
			for _, pattern := range []string{"vpi-icarus-*/cosim.vpi", "ender-verilator-*/model.so"} {
				paths, _ := filepath.Glob(filepath.Join(cache, "models", pattern))
				for _, path := range paths {
					info, err := os.Stat(path)
					if err == nil {
						err = errors.Join(os.Remove(path), os.WriteFile(path, bytes.Repeat([]byte{'x'}, int(info.Size())), 0o666))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			out, err := child(t, cache, s.name).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "delete the folder that it is in") || !strings.Contains(string(out), cache) {
				t.Errorf("%v, and it printed:\n%s", err, out)
			}
		})
	}
}

func stamps(t *testing.T, dir string) string {
	var s strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !strings.HasSuffix(path, ".lock") {
			fmt.Fprintln(&s, path, info.ModTime().UnixNano(), info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// If the disk is full, the error says so, and nothing is left. The disk is a small one in memory,
// in a mount namespace of the child's own.
func TestFullDisk(t *testing.T) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			cache := t.TempDir()
			out, err := onSmallDisk(t, cache, "16k", s.name, cache).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "hint: the disk is full") || strings.Contains(string(out), ".tmp\n") {
				t.Errorf("it printed:\n%s", out)
			}
		})
	}
}

// onSmallDisk returns a child as child does, for which the folder is a small disk of its own. What
// is left in the folder is listed when the child has ended.
func onSmallDisk(t *testing.T, folder, size, what, cache string) *exec.Cmd {
	t.Helper()
	return inNamespace(t, `mount -t tmpfs -o size="$2" none "$0"`, folder, size, what, cache)
}

// withSmallTmp is like onSmallDisk, but /tmp is the small disk. What the child needs from there is
// mounted from the old disk.
func withSmallTmp(t *testing.T, folder, size, what, cache string) *exec.Cmd {
	t.Helper()
	return inNamespace(t, `mount --rbind /tmp /mnt && mount -t tmpfs -o size="$2" none /tmp &&
		for d in "$0" "$1" "$3"; do case "$d" in /tmp/*) d=${d#/tmp/}; d=${d%%/*}; mkdir -p "/tmp/$d" && mount --bind "/mnt/$d" "/tmp/$d";; esac; done`, folder, size, what, cache)
}

// inNamespace returns a child with mounts of its own. It ends within a minute.
func inNamespace(t *testing.T, mounts, folder, size, what, cache string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unshare := []string{"--mount", "--propagation", "unchanged"}
	if os.Geteuid() != 0 {
		unshare = append(unshare, "--user", "--map-root-user")
	}
	cmd := exec.Command("unshare", append(unshare, "sh", "-c",
		`mount --make-rprivate / 2>/dev/null; `+mounts+` && timeout 60 "$1" "$0"; code=$?; ls -R "$0"; exit $code`, folder, exe, size, cache)...)
	cmd.Env = append(os.Environ(), buildEnv+"="+what, "COSIMATE_CACHE="+cache)
	return cmd
}

// A cancelled build stops its compilers at once and leaves nothing.
func TestCancelledBuild(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("COSIMATE_CACHE", cache)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := verilator.Build(ctx, small, bridge.BuildOptions{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v to stop", d)
	}
	noDebris(t, cache)
}

// The name of the cache's folder may have characters that a shell interprets: iverilog starts one.
func TestCacheNames(t *testing.T) {
	name := "a $HOME \"b `c' \\d;[e]"
	t.Setenv("COSIMATE_CACHE", filepath.Join(t.TempDir(), name))
	t.Setenv("TMP", filepath.Join(t.TempDir(), name)) // the user's, which is not used
	i := startIcarus(t, small, bridge.Options{})
	if _, err := i.Run(t.Context(), memory(i, 1), 1); err != nil {
		t.Error(err)
	}
}

// If the process of a build is killed, its compilers end, and so do the programs that they have
// started.
func TestKilledBuild(t *testing.T) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			bin := t.TempDir()
			compiler := filepath.Join(bin, "iverilog")
			if err := os.WriteFile(compiler, []byte("#!/bin/sh\nsleep 60 & echo $! >>$0.pids; wait\n"), 0o777); err != nil {
				t.Fatal(err)
			}
			cmd := child(t, t.TempDir(), s.name)
			cmd.Env = append(cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"), "CXX="+compiler)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var started string
			for began := time.Now(); !strings.HasSuffix(started, "\n") && time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
				text, _ := os.ReadFile(compiler + ".pids")
				started = string(text)
			}
			cmd.Process.Kill()
			cmd.Wait()
			if started == "" {
				t.Fatal("no compiler was started")
			}
			for _, line := range strings.Fields(started) {
				pid, err := strconv.Atoi(line)
				if err != nil {
					t.Fatal(err)
				}
				dies(t, pid, "what a compiler has started")
			}
		})
	}
}

// vvps returns the vvp processes that are children of this process.
func vvps() (pids []int, err error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, path := range stats {
		var pid, parent int
		var name, state string
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		fmt.Sscan(string(b), &pid, &name, &state, &parent)
		if name == "(vvp)" && parent == os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// noVvp fails if a vvp of this process still runs.
func noVvp(t *testing.T) {
	t.Helper()
	if pids, err := vvps(); err != nil || len(pids) > 0 {
		t.Errorf("vvp %v still runs (%v)", pids, err)
	}
}

func startIcarus(t *testing.T, d bridge.Design, opts bridge.Options) bridge.Instance {
	t.Helper()
	m, err := icarus.Build(t.Context(), d, bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	i, err := m.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.Close() })
	return i
}

// Logic that depends on itself, without a process, hangs vvp, which does not report it. The error
// names the nets.
func TestHungLogic(t *testing.T) {
	m, err := icarus.Build(t.Context(), design("ring", `
module inverter(input wire a_i, output wire q_o);
  assign q_o = ~a_i;
endmodule
module swing(input wire en_i, output wire q_o);
  wire back;
  assign q_o = en_i & back;
  inverter u_inverter(.a_i(q_o), .q_o(back));
endmodule
module ring(input wire clk_i, input wire en_i, output reg q_o);
  wire q;
  swing u_swing(.en_i, .q_o(q));
  always @(posedge clk_i) q_o <= q;
endmodule`), bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d := (&model{t, "icarus", m}).start(bridge.Options{Timeout: 300 * time.Millisecond})
	defer d.Close()
	d.run(1)
	d.set(0, "en_i", 1)
	_, err = d.Run(t.Context(), &d.rows, 1)
	const want = "(logic that depends on itself: ring.u_swing.u_inverter.a_i (of module inverter), ring.u_swing.u_inverter.q_o (of module inverter))"
	if !contains(err, "vvp hung") || !contains(err, want) {
		t.Errorf("the error is %v, not one with %q", err, want)
	}
}

// memory returns rows of zeros for an instance.
func memory(i bridge.Instance, rows int) *bridge.Rows {
	return &bridge.Rows{In: make([]byte, rows*i.Layout().InSize), Out: make([]byte, rows*i.Layout().OutSize)}
}

func TestKilledVvp(t *testing.T) {
	i := startIcarus(t, small, bridge.Options{})
	if _, err := i.Run(t.Context(), memory(i, 5), 5); err != nil {
		t.Fatal(err)
	}
	pids, err := vvps()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	_, err = i.Run(t.Context(), memory(i, 5), 5)
	var dead *bridge.DeadError
	if !errors.As(err, &dead) || !strings.Contains(err.Error(), "vvp died (signal: killed) after cycle 5") || !strings.Contains(err.Error(), "count 4") {
		t.Errorf("the error is %v", err)
	}
}

const hanging = `
module hanging(input wire clk_i, input wire hang_i, output logic [7:0] n_o);
  initial n_o = 0;
  always @(posedge clk_i) begin
    n_o <= n_o + 1;
    if (hang_i) $display("about to loop");
    while (hang_i) n_o = n_o + 1;
  end
endmodule`

func TestHungVvp(t *testing.T) {
	i := startIcarus(t, design("hanging", hanging), bridge.Options{Timeout: 300 * time.Millisecond})
	rows := memory(i, 10)
	rows.In[3*i.Layout().InSize] = 1
	start := time.Now()
	n, err := i.Run(t.Context(), rows, 10)
	if n != 4 || err == nil {
		t.Fatalf("Run = %d, %v", n, err)
	}
	for _, want := range []string{"vvp hung: no cycle was finished in 300ms", " in hanging ", "hw/hanging.sv:7: while (hang_i)", "after cycle 3", "last output was:\nabout to loop"} {
		if !contains(err, want) {
			t.Errorf("the error has no %q: %v", want, err)
		}
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	noVvp(t)
}

// If logic never settles, the simulator is found to hang as well.
func TestUnsettledVvp(t *testing.T) {
	i := startIcarus(t, design("ring", "module ring(input wire clk_i, input wire on_i, output wire q_o);\n  assign q_o = on_i === 1'b1 ? ~(q_o === 1'b1) : 1'b0;\nendmodule"),
		bridge.Options{Timeout: 300 * time.Millisecond})
	rows := memory(i, 10)
	rows.In[3*i.Layout().InSize] = 1
	if n, err := i.Run(t.Context(), rows, 10); n != 3 || err == nil || !contains(err, "vvp hung") || !contains(err, "after cycle 3") {
		t.Errorf("Run = %d, %v", n, err)
	}
	noVvp(t)
}

// As Icarus 11 compiles them, two processes that call one function wake each other for ever with
// its variables. The error names the function. Other versions compile them right.
func TestSharedFunction(t *testing.T) {
	i := startIcarus(t, design("pair", `
package pair_pkg;
  function automatic logic odd(input logic [7:0] v);
    odd = ^{v[7:4], v[3:0]};
  endfunction
endpackage
module half(input wire [7:0] v_i, output logic q_o);
  always_comb q_o = pair_pkg::odd(v_i);
endmodule
module pair(input wire clk_i, input wire [7:0] a_i, input wire [7:0] b_i, output wire a_o, output wire b_o);
  half u_a(.v_i(a_i), .q_o(a_o));
  half u_b(.v_i(b_i), .q_o(b_o));
endmodule`), bridge.Options{Timeout: 300 * time.Millisecond})
	rows := memory(i, 2)
	rows.In[i.Layout().InSize] = 1
	n, err := i.Run(t.Context(), rows, 2)
	if err == nil {
		t.Skip("this Icarus does not wait for the variables of functions")
	}
	if !contains(err, "vvp hung") || !contains(err, "perhaps as an always_comb calls pair_pkg.odd: as Icarus compiles it") || !contains(err, "after cycle 1") {
		t.Errorf("Run = %d, %v", n, err)
	}
	noVvp(t)
}

// As Icarus 11 compiles it, an always_comb also wakes whenever one wakes that stands behind it.
// Three in a row, each with a default and then a value, wake each other for ever; none calls a
// function. Written as always @* they settle in every version.
func TestEarlierProcesses(t *testing.T) {
	const text = `
module row(input wire clk_i, input wire [7:0] a_i, output logic [7:0] q_o);
  logic [7:0] x, y;
  wire [7:0] u = x, v = y;
  PROCESS begin x = 0; if (a_i > 3) x = a_i; end
  PROCESS begin y = 0; if (u > 3) y = u; end
  PROCESS begin q_o = 0; if (v > 3) q_o = v; end
endmodule`
	for _, process := range []string{"always @*", "always_comb"} {
		t.Run(process, func(t *testing.T) {
			i := startIcarus(t, design("row", strings.ReplaceAll(text, "PROCESS", process)), bridge.Options{Timeout: 300 * time.Millisecond})
			rows := memory(i, 2)
			rows.In[i.Layout().InSize] = 5
			_, err := i.Run(t.Context(), rows, 2)
			switch {
			case err == nil && process == "always_comb":
				t.Skip("this Icarus does not wake the processes before")
			case err == nil && rows.Out[i.Layout().OutSize] != 5:
				t.Errorf("q_o is %d, not 5", rows.Out[i.Layout().OutSize])
			case err != nil && (process != "always_comb" || !contains(err, "vvp hung")):
				t.Errorf("Run: %v", err)
			}
		})
	}
}

// If vvp crashes within a row, the error has what it printed in this row.
func TestCrashedVvp(t *testing.T) {
	i := startIcarus(t, design("hanging", hanging), bridge.Options{})
	rows := memory(i, 10)
	rows.In[3*i.Layout().InSize] = 1
	time.AfterFunc(300*time.Millisecond, func() {
		pids, _ := vvps()
		for _, pid := range pids {
			syscall.Kill(pid, syscall.SIGSEGV)
		}
	})
	_, err := i.Run(t.Context(), rows, 10)
	if _, ok := errors.AsType[*bridge.DeadError](err); !ok || !contains(err, "segmentation fault") || !contains(err, "after cycle 3") || !contains(err, "about to loop") {
		t.Errorf("the error is %v", err)
	}
}

// Cancelling the context stops a run, even if it hangs.
func TestCancelledRun(t *testing.T) {
	i := startIcarus(t, design("hanging", hanging), bridge.Options{})
	rows := memory(i, 10)
	rows.In[0] = 1
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(errors.New("enough")) })
	if _, err := i.Run(ctx, rows, 10); err == nil || err.Error() != "enough" {
		t.Errorf("the error is %v", err)
	}
	noVvp(t)
}

// If the parent of a vvp is killed, vvp dies with it, even in a loop that never returns to the VPI
// module.
func TestOrphan(t *testing.T) {
	cmd := child(t, t.TempDir(), "orphan")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	if state(pid) == "" {
		t.Fatal("the child's vvp does not run")
	}
	cmd.Process.Kill()
	cmd.Wait()
	dies(t, pid, "vvp")
}

// dies fails if a process whose parent was killed still runs after a moment.
func dies(t *testing.T, pid int, name string) {
	t.Helper()
	for range 100 {
		if s := state(pid); s == "" || s == "Z" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("%s outlived its parent", name)
}

// orphan starts a vvp that hangs, prints its pid, and waits.
func orphan() int {
	m, err := icarus.Build(context.Background(), design("hanging", hanging), bridge.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	i, err := m.Start(bridge.Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	pids, err := vvps()
	if err != nil || len(pids) != 1 {
		fmt.Println(pids, err)
		return 1
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		fmt.Println(pids[0])
	}()
	rows := memory(i, 10)
	rows.In[0] = 1
	i.Run(context.Background(), rows, 10)
	return 0
}

// state returns the state of a process as in /proc, or "" if there is no such process.
func state(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return rest[:1]
}

// No descriptor, mapping or process is left of an instance, whatever has ended it.
func TestNothingLeaks(t *testing.T) {
	count := func() (n [2]int) {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return [2]int{len(fds), strings.Count(string(maps), "memfd:cosimate")}
	}
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			b, err := s.build(t.Context(), small, bridge.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			use := func(how byte) {
				i, err := b.Start(bridge.Options{})
				if err != nil {
					t.Fatal(err)
				}
				rows := memory(i, 3)
				rows.In[0] = how
				i.Run(t.Context(), rows, 3)
				if how == 4 {
					ctx, cancel := context.WithCancel(t.Context())
					cancel()
					i.Run(ctx, rows, 3)
				}
				if err := i.Close(); err != nil {
					t.Error(err)
				}
				if err := i.Close(); err != nil {
					t.Error(err)
				}
				if _, err := i.Run(t.Context(), rows, 1); err == nil {
					t.Error("a closed instance runs")
				}
			}
			use(0)
			before := count()
			for how := range byte(5) {
				for range 5 {
					use(how)
				}
			}
			if after := count(); before != after {
				t.Errorf("descriptors and mappings: %v before, %v after", before, after)
			}
			noVvp(t)
		})
	}
}

func contains(err error, text string) bool { return strings.Contains(err.Error(), text) }
