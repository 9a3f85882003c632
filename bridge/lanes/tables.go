package lanes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// apart reports whether what differs between models with other faults can be data beside the
// model's code, in assembler text. Then the code around them is compiled once for all.
func apart(p *program, code Code) bool {
	return code != Portable && len(p.c.Memory) == 0 && p.c.Rises == 0
}

// tables writes tables.h: where the bits of rows and ports lie, the assertions, and evaluate, which
// plays one cycle. With data, what differs between models with other faults is there, as assembler
// text, and tables.h only declares it.
func tables(p *program, l *bridge.Layout, data *strings.Builder) string {
	var b strings.Builder
	in, signed := inputTable(p, l)
	in.write(&b, "in_plane", "in_zero", "IN", nil)
	fmt.Fprintf(&b, "#define IN_SIGNED %d\nstatic const struct { int32_t offset, size, width; } in_signed[] = {%s};\n",
		len(signed), cmp.Or(strings.Join(signed, ", "), "{0}"))
	outputTable(p, l).write(&b, "out_plane", "out_mask", "OUT", data)
	rise := 0
	for _, i := range p.c.Inputs {
		rise += len(i.Bits)
	}
	if data != nil {
		rise = 0 // there is no clock that could rise
	}
	fmt.Fprintf(&b, "enum { RISES = %d, FIRST_RISE = %d, CHECKS = %d, POINTS = %d };\n", p.c.Rises, rise, len(p.c.Checks), len(p.c.Points))
	for _, list := range []struct {
		name string
		all  []check
	}{{"checks", p.c.Checks}, {"points", p.c.Points}} {
		var texts []string
		var numbers []int
		for _, k := range list.all {
			texts = append(texts, fmt.Sprintf("{%d, %d}", p.copyOf[k.Enable], p.copyOf[k.Holds]))
			numbers = append(numbers, p.copyOf[k.Enable], p.copyOf[k.Holds])
		}
		if data != nil {
			declare(&b, data, "lanes_check", list.name, append(numbers, 0, 0))
			continue
		}
		fmt.Fprintf(&b, "static const lanes_check %s[] = {%s};\n", list.name, cmp.Or(strings.Join(texts, ", "), "{0}"))
	}
	if data != nil {
		b.WriteString("__attribute__((visibility(\"hidden\"))) void lanes_stages(plane* p);\n" +
			"static inline void evaluate(lanes_batch* b) { lanes_stages(b->planes); }\n")
		inTurn(data, len(p.stages))
		return b.String()
	}
	evaluate(&b, p)
	return b.String()
}

// declare declares a table of numbers, and writes it as assembler text.
func declare(b, data *strings.Builder, kind, name string, all []int) {
	fmt.Fprintf(b, "extern __attribute__((visibility(\"hidden\"))) const %s %s[];\n", kind, name)
	fmt.Fprintf(data, "\t.section .rodata\n\t.p2align 6\n\t.globl %[1]s\n\t.hidden %[1]s\n%[1]s:\n\t.long %[2]s\n",
		name, strings.Trim(list(all), "{}"))
}

// inTurn writes the function that calls all stages, as assembler text.
func inTurn(data *strings.Builder, n int) {
	data.WriteString("\t.text\n\t.globl lanes_stages\n\t.hidden lanes_stages\n\t.type lanes_stages, @function\nlanes_stages:\n\tpushq %rdi\n")
	for i := range n {
		fmt.Fprintf(data, "\tmovq (%%rsp), %%rdi\n\tcall lanes_stage%d\n", i)
	}
	data.WriteString("\tpopq %rdi\n\tret\n\t.size lanes_stages, .-lanes_stages\n")
}

// evaluate writes the function that plays a cycle: stages, with memories read between them and
// written after them.
func evaluate(b *strings.Builder, p *program) {
	if len(p.c.Memory) > 0 {
		fmt.Fprintf(b, "enum { SMALL_WORDS = %d };\n#include \"memory.h\"\n", smallWords)
	}
	var types []string
	for _, m := range p.c.Memory {
		if t := m.element(); !m.small() && !slices.Contains(types, t) {
			types = append(types, t)
			fmt.Fprintf(b, "MEMORY(%s)\n", t)
		}
	}
	for n := range p.stages {
		fmt.Fprintf(b, "void lanes_stage%d(plane* p);\n", n)
	}
	b.WriteString("static inline void evaluate(lanes_batch* b) {\n")
	for n, reads := range p.reads {
		fmt.Fprintf(b, "    lanes_stage%d(b->planes);\n", n)
		for _, at := range reads {
			m := &p.c.Memory[at.memory]
			r := m.Reads[at.port]
			fmt.Fprintf(b, "    {\n        static const int32_t address[] = %s;\n", list(p.copied(r.Address)))
			fmt.Fprintf(b, "        %s, %d, address, %d, %d, %d, %d, %d);\n    }\n", m.port("READ"), at.memory, len(r.Address), planeOf(r.Data[0]), m.Width, m.Size, m.Offset)
		}
	}
	for i := range p.c.Memory {
		m := &p.c.Memory[i]
		for _, w := range m.Writes {
			fmt.Fprintf(b, "    {\n        static const int32_t address[] = %s, data[] = %s, enable[] = %s;\n", list(p.copied(w.Address)), list(p.copied(w.Data)), list(p.copied(w.Enable)))
			fmt.Fprintf(b, "        %s, %d, address, %d, data, enable, %d, %d, %d);\n    }\n", m.port("WRITE"), i, len(w.Address), m.Width, m.Size, m.Offset)
		}
	}
	b.WriteString("}\n")
}

// list returns numbers as a C initializer.
func list(all []int) string {
	return "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]") + "}"
}

// smallWords is how many words a memory has at most that lies in planes.
const smallWords = 64

// small reports whether a memory lies in planes: see shim/memory.h.
func (m *memory) small() bool { return m.Size <= smallWords }

// port is the beginning of the macro that plays a port.
func (m *memory) port(name string) string {
	if m.small() {
		return name + "_SMALL(b"
	}
	return name + "(" + m.element() + ", b"
}

// stride is how many planes a word of a small memory has.
func (m *memory) stride() int {
	const step = 8
	return (m.Width + step - 1) / step * step
}

// element is the C type of a part of a word of a memory.
func (m *memory) element() string { return fmt.Sprintf("uint%d_t", 8*m.elementBytes()) }

func (m *memory) elementBytes() int {
	switch {
	case m.Width <= 8:
		return 1
	case m.Width <= 16:
		return 2
	case m.Width <= 32:
		return 4
	}
	return 8
}

// parts is in how many parts a word of a memory lies.
func (m *memory) parts() int { return (m.Width + 63) / 64 }

// rowTable says what the bits of a row are.
type rowTable struct {
	size  int
	plane []int    // of each bit; -1 if it is none of a port
	mask  []uint64 // some bits, in words
}

func newRowTable(size int) *rowTable {
	words := (size + 7) / 8
	t := &rowTable{size: size, plane: make([]int, 64*words), mask: make([]uint64, words)}
	for i := range t.plane {
		t.plane[i] = -1
	}
	return t
}

// inputTable returns the table of a row of inputs, whose mask has the bits that must be 0, and the
// places of signed ports.
func inputTable(p *program, l *bridge.Layout) (t *rowTable, signed []string) {
	t = newRowTable(l.InSize)
	for _, port := range l.Inputs {
		i := slices.IndexFunc(p.c.Inputs, func(b portBits) bool { return b.Name == port.Name })
		for bit := range 8 * port.Size {
			at := 8*port.Offset + bit
			switch {
			case bit < port.Width:
				t.plane[at] = planeOf(p.c.Inputs[i].Bits[bit])
			case !port.Signed:
				t.mask[at/64] |= 1 << (at % 64)
			}
		}
		if port.Signed && port.Width < 8*port.Size {
			signed = append(signed, fmt.Sprintf("{%d, %d, %d}", port.Offset, port.Size, port.Width))
		}
	}
	return t, signed
}

// outputTable returns the table of a row of outputs, whose mask has all bits of ports.
func outputTable(p *program, l *bridge.Layout) *rowTable {
	t := newRowTable(l.OutSize)
	for _, port := range l.Outputs {
		i := slices.IndexFunc(p.c.Outputs, func(b portBits) bool { return b.Name == port.Name })
		planes := p.copied(p.c.Outputs[i].Bits)
		for bit := range 8 * port.Size {
			at := 8*port.Offset + bit
			t.mask[at/64] |= 1 << (at % 64)
			switch {
			case bit < port.Width:
				t.plane[at] = planes[bit]
			case port.Signed:
				t.plane[at] = planes[port.Width-1]
			}
		}
	}
	return t
}

func (t *rowTable) write(b *strings.Builder, plane, mask, prefix string, data *strings.Builder) {
	fmt.Fprintf(b, "#define %[1]s_SIZE %[2]d\n#define %[1]s_WORDS %[3]d\n", prefix, t.size, len(t.mask))
	if all := append(slices.Clip(t.plane), -1); data != nil { // never empty
		declare(b, data, "int32_t", plane, all)
	} else {
		fmt.Fprintf(b, "static const int32_t %s[] = %s;\n", plane, list(all))
	}
	fmt.Fprintf(b, "static const uint64_t %s[] = {", mask)
	for _, m := range t.mask {
		fmt.Fprintf(b, "%#xu, ", m)
	}
	b.WriteString("0};\n")
}
