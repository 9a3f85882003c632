package tape_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/internal/tape"
)

var design = bridge.Design{Top: "top", Dir: "rtl", FS: fstest.MapFS{
	"top.sv":      {Data: []byte("`include \"one.svh\"\nmodule top; endmodule\n")},
	"inc/one.svh": {Data: []byte("// one\n")},
	"words.mem":   {Data: []byte("0 1 2\n")},
}, Files: []string{"top.sv"}, Include: []string{"inc"}, Data: []string{"words.mem"}, Params: map[string]string{"A": "1"}, Clock: "clk_i"}

var layout = &bridge.Layout{InSize: 2, OutSize: 1, Inputs: []bridge.Port{{Name: "a_i", Width: 9, Size: 2}},
	Outputs: []bridge.Port{{Name: "b_o", Width: 8, Size: 1}}}

// create records rows of all kinds.
func create(t *testing.T, dir, name string, want byte) {
	t.Helper()
	w, err := tape.Create(dir, name, &design, "verilator", layout)
	if err != nil {
		t.Fatal(err)
	}
	w.Rows([]byte{1, 2, 3, 4}, []byte{5, 6}, []byte{0, 0xf0}, 2)
	w.Rows([]byte{7, 8, 9, 10, 11, 12}, []byte{13, 14, 15}, nil, 3)
	w.Expect([]byte{want, 14}, []byte{0, 3}, 2)
	w.Label("next")
	w.Poke("u_a.count_q", bridge.Value{Width: 9, Bits: []uint64{0x1a5}})
	w.Rows([]byte{16, 17}, []byte{18}, nil, 1)
	w.Break("it was forced")
	w.Rows([]byte{19, 20}, []byte{21}, nil, 1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// What is recorded is read again: rows, expectations, names, and from where on nothing counts.
func TestTape(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "TestA/b=1", 13)
	names, err := tape.Tapes(dir)
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	got, err := tape.Read(dir, names[0], all)
	if err != nil {
		t.Fatal(err)
	}
	want := []tape.Part{
		{Kind: tape.Label, Text: "TestA/b=1"},
		{Kind: tape.Observed, N: 2, In: []byte{1, 2, 3, 4}, Want: []byte{5, 6}, Care: []byte{0xff, 0x0f}},
		{Kind: tape.Expected, N: 2, In: []byte{7, 8, 9, 10}, Want: []byte{13, 14}, Care: []byte{0xff, 0xfc}},
		{Kind: tape.Observed, N: 1, In: []byte{11, 12}, Want: []byte{15}, Care: []byte{0xff}},
		{Kind: tape.Label, Text: "next"},
		{Kind: tape.Poked, Text: "u_a.count_q", Value: bridge.Value{Width: 9, Bits: []uint64{0x1a5}}},
		{Kind: tape.Observed, N: 1, In: []byte{16, 17}, Want: []byte{18}, Care: []byte{0xff}},
		{Kind: tape.Broken, Text: "it was forced"},
		{Kind: tape.Observed, N: 1, In: []byte{19, 20}, Want: []byte{21}, Care: []byte{0xff}},
	}
	if diff := cmp.Diff(want, got.Parts); diff != "" {
		t.Error(diff)
	}
	if n, why := got.Cycles(); n != 6 || why != "it was forced" {
		t.Errorf("%d cycles, broken as %q", n, why)
	}
	if a, b := got.At(4), got.At(5); a != "TestA/b=1" || b != "next" {
		t.Errorf("cycle 4 is of %s, and 5 of %s", a, b)
	}
}

// Tapes with other inputs or expectations are not the same. What was observed may differ.
func TestSum(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	var tapes []*tape.Tape
	for i, dir := range dirs {
		create(t, dir, "TestA", byte(13+i/2))
		names, err := tape.Tapes(dir)
		if err != nil {
			t.Fatal(err)
		}
		x, err := tape.Read(dir, names[0], all)
		if err != nil {
			t.Fatal(err)
		}
		tapes = append(tapes, x)
	}
	tapes[1].Parts[1].Want[0] ^= 1
	if tapes[0].Sum() != tapes[1].Sum() {
		t.Error("an observed output counts")
	}
	if tapes[0].Sum() == tapes[2].Sum() {
		t.Error("an expected output does not count")
	}
	tapes[1].Parts[5].Value.Bits[0] ^= 1
	if tapes[0].Sum() == tapes[1].Sum() {
		t.Error("a value written to an internal signal does not count")
	}
	tapes[1].Parts[5].Value.Bits[0] ^= 1
	tapes[1].Parts[1].In[0] ^= 1
	if tapes[0].Sum() == tapes[1].Sum() {
		t.Error("an input does not count")
	}
}

// A tape that is not wanted is not read.
func TestWanted(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "TestA", 13)
	names, err := tape.Tapes(dir)
	if err != nil {
		t.Fatal(err)
	}
	x, err := tape.Read(dir, names[0], func(h *tape.Header) (bool, error) { return h.Simulator == "another", nil })
	if x != nil || err != nil {
		t.Errorf("%+v, %v", x, err)
	}
	broken := errors.New("broken")
	if _, err := tape.Read(dir, names[0], func(*tape.Header) (bool, error) { return true, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func all(*tape.Header) (bool, error) { return true, nil }

// The design is kept with all files, and is the same design.
func TestDesign(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "TestA", 13)
	key, err := tape.Key(&design)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tape.Design(dir, key)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := tape.Key(&got); err != nil || again != key {
		t.Errorf("the key is %s after reading, and was %s: %v", again, key, err)
	}
	other := design
	other.Params = map[string]string{"A": "2"}
	if k, err := tape.Key(&other); err != nil || k == key {
		t.Errorf("a parameter does not change the key: %v", err)
	}
}

// A tape of a process that was killed has what was written until then.
func TestEndsEarly(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "TestA", 13)
	names, _ := tape.Tapes(dir)
	path := filepath.Join(dir, "tapes", names[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := tape.Read(dir, names[0], all); err != nil && n > 200 {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}
