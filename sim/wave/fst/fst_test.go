package fst_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/wave/fst"
	"github.com/cosimate/cosimate/sim/wave/internal/vcd"
)

// read returns what the package reads, in the form of package vcd.
func read(t *testing.T, path string) (s vcd.Signals, parameters map[string]bool) {
	t.Helper()
	f, err := fst.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	points := map[int][]vcd.Point{}
	err = f.Changes(func(c fst.Change) {
		all := points[c.Handle]
		if n := len(all); n > 0 && all[n-1].Time == c.Time {
			all = all[:n-1]
		}
		if n := len(all); n == 0 || all[n-1].Value != string(c.Value) {
			all = append(all, vcd.Point{Time: c.Time, Value: string(c.Value)})
		}
		points[c.Handle] = all
	})
	if err != nil {
		t.Fatal(err)
	}
	s, parameters = vcd.Signals{}, map[string]bool{}
	for _, v := range f.Vars {
		name := strings.Join(append(v.Scopes[:len(v.Scopes):len(v.Scopes)], v.Name), ".")
		s[name] = points[v.Handle]
		if v.Param {
			parameters[name] = true
		}
	}
	return s, parameters
}

// The files of each simulator, as they are and compressed as a whole, hold what GTKWave's fst2vcd
// says.
func TestSimulators(t *testing.T) {
	files, err := filepath.Glob("../../report/testdata/*.fst")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want, wantParameters := vcd.Read(t, path)
			if len(want) < 9 {
				t.Fatalf("fst2vcd sees %d signals", len(want))
			}
			got, parameters := read(t, path)
			if diff := cmp.Diff(want, got) + cmp.Diff(wantParameters, parameters); diff != "" {
				t.Errorf("(-fst2vcd +here)\n%s", diff)
			}
		})
	}
}

// A file of many signals, of all widths and states, with signals that are equal, and of several
// blocks of changes, in each of the ways that vcd2fst compresses.
func TestMany(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "many.vcd")
	if err := os.WriteFile(text, []byte(many()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"--fourpack", "--zlibpack", "--compress"} {
		t.Run(how, func(t *testing.T) {
			path := filepath.Join(dir, how+".fst")
			args := []string{"-v", text, "-f", path, how}
			if how == "--compress" {
				args = append(args, "--fourpack")
			}
			if out, err := exec.Command("vcd2fst", args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, _ := vcd.Read(t, path)
			if len(want) != 301 {
				t.Fatalf("fst2vcd sees %d signals", len(want))
			}
			got, _ := read(t, path)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-fst2vcd +here)\n%.3000s", diff)
			}
		})
	}
}

func many() string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	fmt.Fprint(&b, "$timescale 1ps $end\n$scope module t $end\n")
	widths := make([]int, 300)
	for i := range widths {
		widths[i] = []int{1, 1, 3, 8, 17, 64, 129}[i%7]
		if i%10 == 9 { // the same as the one before, also in its changes
			widths[i] = widths[i-1]
		}
		fmt.Fprintf(&b, "$var wire %d v%d s%d $end\n", widths[i], i, i)
	}
	fmt.Fprint(&b, "$scope module u $end\n$var wire 1 v0 again $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n")
	for time := range 3000 {
		fmt.Fprintf(&b, "#%d\n", time*time)
		for i, width := range widths {
			if i%10 == 9 || time > 0 && rng.IntN(6) > 0 {
				continue
			}
			value := ""
			for range width {
				value += string("0101010101xz"[rng.IntN(12)])
			}
			for same := i; same == i || same%10 == 9; same++ {
				if width == 1 {
					fmt.Fprintf(&b, "%sv%d\n", value, same)
				} else {
					fmt.Fprintf(&b, "b%s v%d\n", value, same)
				}
			}
		}
	}
	return b.String()
}

// A damaged file is an error or other values, and never a panic.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"icarus", "verilator", "compressed"} {
		data, err := os.ReadFile("../../report/testdata/" + name + ".fst")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		for at := 1; at < len(data); at += 37 {
			f.Add(data[:at])
			damaged := append([]byte(nil), data...)
			damaged[at] ^= 0xff
			f.Add(damaged)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := fst.Parse(data)
		if err != nil {
			return
		}
		file.Changes(func(fst.Change) {})
	})
}

// What is wrong with a file is said.
func TestErrors(t *testing.T) {
	whole, err := os.ReadFile("../../report/testdata/icarus.fst")
	if err != nil {
		t.Fatal(err)
	}
	for want, data := range map[string][]byte{
		"it has no header":                {},
		"a block of type 0 is cut off":    whole[:70],
		"the simulator has not closed it": append([]byte{255}, whole[1:]...),
		"a block of type 36 is cut off":   []byte(strings.Repeat("$date ", 100)),
		"it has no list of signals":       whole[:330],
	} {
		path := filepath.Join(t.TempDir(), "run.fst")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := fst.Open(path); err == nil || err.Error() != path+" is not a complete FST file: "+want {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
