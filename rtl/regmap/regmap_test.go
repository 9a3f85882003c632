package regmap

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is made of the tables is what lies in the repository.
func TestUpToDate(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Maps() {
		name := m.Name + "/README.md"
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if files[name], err = m.Chapter(text); err != nil {
			t.Error(err)
		}
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not what the tables say; run: go generate ./rtl/regmap\n%s", name, diff)
		}
	}
}

// Mistakes in a table are found.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		fault string
		spoil func(m *Map)
	}{
		{"A: the name is used twice", func(m *Map) { m.Registers[1].Name = "A" }},
		{"B: A is at 0x0 too", func(m *Map) { m.Registers[1].Address = 0 }},
		{"C: A is at 0x0 too", func(m *Map) { m.Registers[2].Address = 0 }},
		{"B: 1 registers at 0x2 are not aligned", func(m *Map) { m.Registers[1].Address = 2 }},
		{"B: 1 registers at 0x1000 are not aligned, not a power of two, or not in the window", func(m *Map) { m.Registers[1].Address = Window }},
		{"C: 3 registers at 0x10 are not", func(m *Map) { m.Registers[2].Count = 3 }},
		{`B: access "X"`, func(m *Map) { m.Registers[1].Access = "X" }},
		{"B: there is no word Y", func(m *Map) { m.Registers[1].Layout = "Y" }},
		{"A.Q: bits 30 to 34 are not those of a word", func(m *Map) { m.Registers[0].Fields[1].Low = 30 }},
		{"A.Q: bits 0x2 belong to another field too", func(m *Map) { m.Registers[0].Fields[1].Low = 1 }},
		{"A.P: the name is used twice", func(m *Map) { m.Registers[0].Fields[1].Name = "P" }},
		{"A.Q: V = 32 does not fit 5 bits", func(m *Map) { m.Registers[0].Fields[1].Values[0].Value = 32 }},
	} {
		m := Map{
			Name: "example",
			Registers: []Register{
				{Name: "A", Access: ReadOnly, Fields: []Field{{Name: "P", Low: 0, Width: 2}, {Name: "Q", Low: 4, Width: 5, Values: []Value{{"V", 31, ""}}}}},
				{Name: "B", Address: 4, Access: ReadWrite, Layout: "W"},
				{Name: "C", Address: 16, Count: 4, Access: WriteOnly},
			},
			Words: []Register{{Name: "W", Fields: []Field{{Name: "P"}}}},
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		c.spoil(&m)
		if err := m.Check(); err == nil || !strings.Contains(err.Error(), "example: "+c.fault) {
			t.Errorf("%s: the check says %v", c.fault, err)
		}
	}
}

func TestFind(t *testing.T) {
	for address, want := range map[uint32]string{0: "Identity", 0x40: "Board", 0x5c: "Board", 0x60: "PublishedCommand", 0x200: "Moves", 0x3fc: "Moves"} {
		if r := Core.Find(address); r == nil || r.Name != want {
			t.Errorf("%#x is %v, want %s", address, r, want)
		}
	}
	for _, address := range []uint32{0x68, 0x1fc, 0x400, 0xfffffffc} {
		if r := Core.Find(address); r != nil {
			t.Errorf("%#x is %s, but should be nothing", address, r.Name)
		}
	}
}

// The C headers compile without a warning, together, and say what the tables say.
func TestHeaders(t *testing.T) {
	var program, want strings.Builder
	program.WriteString("#include \"core_regs.h\"\n#include \"perftcore_regs.h\"\n#include <stdio.h>\nint main(void) {\n")
	show := func(name string, value uint32) {
		fmt.Fprintf(&program, "printf(\"%s %%08lx\\n\", (unsigned long)(%[1]s));\n", name)
		fmt.Fprintf(&want, "%s %08x\n", name, value)
	}
	for _, m := range Maps() {
		prefix := strings.ToUpper(m.Name) + "_"
		m.each(func(r *Register) {
			show(prefix+snake(r.Name), r.Address)
		}, func(*Register) {}, func(r *Register, f *Field) {
			name := prefix + snake(r.Name) + "_" + snake(f.Name)
			show(name, f.mask())
			for _, v := range f.Values {
				show(name+"_"+snake(v.Name), v.Value)
			}
			top := uint32(1)<<f.width() - 1
			show(fmt.Sprintf("REGS_PUT(0x%xu, %s)", top, name), f.mask())
			show(fmt.Sprintf("REGS_PUT(1u, %s)", name), 1<<f.Low)
			show(fmt.Sprintf("REGS_GET(0xffffffffu, %s)", name), top)
			show(fmt.Sprintf("REGS_GET(~%s, %s)", name, name), 0)
		})
	}
	program.WriteString("return 0;\n}\n")
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "headers.c"), filepath.Join(dir, "headers")
	if err := os.WriteFile(source, []byte(program.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I../core", "-I../perftcore", "-o", binary, source)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(out)); diff != "" {
		t.Errorf("the headers differ from the tables (- tables, + headers):\n%s", diff)
	}
}

// The generated constants are those of the tables.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		got  Bits
		want Bits
	}{
		{CoreMoveFrom, 0x3f}, {CoreMoveLast, 1 << 30}, {CoreStatusMoves, 0x3ff << 16}, {PerftStartDivide, 0x100},
		{CorePublishedCommandDestination, 0x7f << 7}, {CoreIdentityValue, 0x4d4f5645}, {CoreMoves, 0x200},
	} {
		if c.got != c.want {
			t.Errorf("%#x, want %#x", c.got, c.want)
		}
	}
}

func ExampleBits() {
	word := CoreMoveFrom.Put(12) | CoreMoveTo.Put(28) | uint32(CoreMoveValid)
	fmt.Printf("%#08x: from %d to %d, last: %v\n", word, CoreMoveFrom.Of(word), CoreMoveTo.Of(word), CoreMoveLast.Is(word))
	// Output:
	// 0x80001c0c: from 12 to 28, last: false
}
