package verilator

import (
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
)

// register is the smallest design with a clock.
var register = bridge.Design{
	Top: "register", Files: []string{"register.sv"}, Clock: "clk_i",
	FS: fstest.MapFS{"register.sv": {Data: []byte("module register(input wire clk_i, input wire [3:0] d_i, output logic [3:0] q_o);\n  always_ff @(posedge clk_i) q_o <= d_i;\nendmodule\n")}},
}

// Verilator's program runs without Perl, but for those who have set what only its script knows.
func TestNoPerl(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	program, err := exec.LookPath("verilator_bin")
	if err != nil {
		t.Skip("there is no verilator_bin beside verilator")
	}
	bin := t.TempDir()
	script := []byte("#! /usr/bin/perl\nprint \"Perl was called\\n\";\nexit 1;\n")
	if err := errors.Join(os.WriteFile(filepath.Join(bin, "verilator"), script, 0o777), os.Symlink(program, filepath.Join(bin, "verilator_bin"))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	if _, err := Build(t.Context(), register, bridge.BuildOptions{}); err != nil {
		t.Error(err)
	}
	t.Setenv("VERILATOR_BIN", "verilator_bin")
	if _, err := Build(t.Context(), register, bridge.BuildOptions{}); err == nil || !strings.Contains(err.Error(), "Perl was called") {
		t.Errorf("VERILATOR_BIN is set, and the script is not called: %v", err)
	}
}

// standard matches the mangled name of a symbol of the C++ standard library.
var standard = regexp.MustCompile(`^_Z(?:T[VIS]|GVZ|GV|Z)?N?K?St`)

// A model's library exports the table of its functions and nothing else of its own, so that it
// shares nothing with other models. GNU-unique symbols would be shared in spite of RTLD_LOCAL: even
// those of the standard library, which g++ exports always, must not be.
func TestLibraryExportsOneSymbol(t *testing.T) {
	m, err := Build(t.Context(), register, bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(m.library)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dynamic, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	// The linker gold always exports the ends of sections.
	ends := []string{"__bss_start", "_edata", "_end"}
	var exported []string
	for _, s := range dynamic {
		if !slices.Contains(ends, s.Name) && s.Section != elf.SHN_UNDEF && elf.ST_VISIBILITY(s.Other) == elf.STV_DEFAULT && !standard.MatchString(s.Name) {
			exported = append(exported, s.Name)
		}
	}
	if !slices.Equal(exported, []string{"cosim_api"}) {
		t.Errorf("the library exports %q", exported)
	}
	all, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) { // it may be stripped
		t.Fatal(err)
	}
	const unique = 10 // STB_GNU_UNIQUE
	for _, s := range append(all, dynamic...) {
		if elf.ST_BIND(s.Info) == unique {
			t.Errorf("%s is GNU-unique", s.Name)
		}
	}
}

// The logic of a model without waveforms is evaluated without Vdut::eval(), as the text that
// Verilator generates shows that this is the same. If a version has another text, models still work
// but are slower.
func TestDirectEvaluation(t *testing.T) {
	d := register
	sources, err := d.Sources()
	if err != nil {
		t.Fatal(err)
	}
	for _, wave := range []bool{false, true} {
		g, err := generate(t.Context(), &d, bridge.BuildOptions{Wave: wave}, sources)
		if err != nil {
			t.Fatal(err)
		}
		if direct := slices.Contains(g.ModelFlags, "-DCOSIM_DIRECT_EVAL=1"); direct == wave {
			t.Errorf("with waveforms %v, the logic is evaluated directly: %v", wave, direct)
		}
	}
}
