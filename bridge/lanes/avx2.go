package lanes

import (
	"fmt"
	"slices"
	"strings"
)

// avx2 is for processors with AVX2, whose registers hold half a plane each. So the code of a stage
// runs twice, for the lower and for the upper lanes. A LUT is as many instructions as its formula
// has operations.
type avx2 struct{ *assembler }

// Of the 16 registers the last one is all ones.
const (
	avx2Registers = 15
	avx2Ones      = "%ymm15"
	avx2Half      = planeBytes / 2
)

// assembleAVX2 writes a program. Each stage is a function lanes_stageN, whose argument is the
// address of the planes.
func assembleAVX2(p *program) (text string, planes int) {
	place := func(plane int) string { return fmt.Sprintf("%d(%%rdi)", plane*planeBytes) }
	a := avx2{newAssembler(p, avx2Registers, "ymm", "vmovdqa", place)}
	a.instructions = a
	return a.assemble(func(all *strings.Builder, n int, text string) {
		name := fmt.Sprintf("lanes_half%d", n)
		function(all, name, text)
		function(all, fmt.Sprintf("lanes_stage%d", n), fmt.Sprintf(
			"\tvpcmpeqd %[1]s, %[1]s, %[1]s\n\tcall %[2]s\n\taddq $%[3]d, %%rdi\n\tcall %[2]s\n\tvzeroupper\n", avx2Ones, name, avx2Half))
	})
}

func (a avx2) constant(r int, v value) {
	if v == one {
		a.do("vmovdqa %s, %s", avx2Ones, a.name(r))
	} else {
		a.do("vpxor %[1]s, %[1]s, %[1]s", a.name(r))
	}
}

// reduced returns a LUT's inputs that are not constants, each once, and its table of these.
func (l lut) reduced() (operands []value, table uint8) {
	for _, v := range l.In {
		if v != zero && v != one && !slices.Contains(operands, v) {
			operands = append(operands, v)
		}
	}
	for i := range 8 {
		index := 0
		for k, v := range l.In {
			bit := 0
			if v == one {
				bit = 1
			} else if at := slices.Index(operands, v); at >= 0 {
				bit = i >> at & 1
			}
			index |= bit << k
		}
		table |= l.Table >> index & 1 << i
	}
	return operands, table
}

// reads returns how often the formula of a table reads an input: 'a', 'b' or 'c'.
func reads(table uint8, input byte) int {
	switch f := formulas()[table]; f.op {
	case input:
		return 1
	case 'a', 'b', 'c', '0', '1':
		return 0
	case '~':
		return reads(f.x, input)
	default:
		return reads(f.x, input) + reads(f.y, input)
	}
}

// scratch returns how many registers the formula of a table needs for what lies between its
// operations, and for its result.
func scratch(table uint8) int {
	f := formulas()[table]
	if f.leaf() {
		return 1
	}
	n := 1
	if !formulas()[f.x].leaf() {
		n = scratch(f.x)
		if f.op == '\\' {
			n = max(n, 2) // for y, if that is in memory
		}
	}
	if f.op != '~' && !formulas()[f.y].leaf() {
		y := scratch(f.y)
		if !formulas()[f.x].leaf() {
			y++ // in one of them x waits
		}
		n = max(n, y)
	}
	return n
}

// formula computes a table into the first of some registers. An operand is a register's name or an
// address.
func (a avx2) formula(table uint8, operands, registers []string) {
	f := formulas()[table]
	result := registers[0]
	// operand returns where a part of the formula is, computed into the first of the registers if
	// it is not an input.
	operand := func(table uint8, registers []string) string {
		if f := formulas()[table]; f.op >= 'a' && f.op <= 'c' {
			return operands[f.op-'a']
		}
		a.formula(table, operands, registers)
		return registers[0]
	}
	inMemory := func(s string) bool { return !strings.HasPrefix(s, "%") }
	switch f.op {
	case 'a', 'b', 'c':
		a.do("vmovdqa %s, %s", operands[f.op-'a'], result)
		return
	case '0':
		a.do("vpxor %[1]s, %[1]s, %[1]s", result)
		return
	case '1':
		a.do("vmovdqa %s, %s", avx2Ones, result)
		return
	case '~':
		a.do("vpxor %s, %s, %s", operand(f.x, registers), avx2Ones, result)
		return
	}
	x := operand(f.x, registers)
	rest := registers
	if x == result {
		rest = registers[1:]
	}
	y := operand(f.y, rest)
	// The instruction reads x from memory or a register, and y from a register only. Those of
	// & | ^ may change places.
	if f.op != '\\' && inMemory(y) {
		x, y = y, x
	}
	if inMemory(y) {
		a.do("vmovdqa %s, %s", y, rest[0])
		y = rest[0]
	}
	name := map[byte]string{'&': "vpand", '|': "vpor", '^': "vpxor", '\\': "vpandn"}[f.op]
	a.do("%s %s, %s, %s", name, x, y, result)
}

func (a avx2) lut(n int) {
	l := a.c.LUTs[n]
	values, table := l.reduced()
	for _, v := range values {
		if r, ok := a.where[v]; ok {
			a.pin(r)
		}
	}
	var operands []string
	for i, v := range values {
		r, ok := a.where[v]
		times := reads(table, "abc"[i])
		if !ok && (times > 1 || times == 1 && a.worth(v)) {
			r, ok = a.load(v), true
			a.pin(r)
		}
		switch {
		case ok:
			operands = append(operands, a.name(r))
		case times > 0:
			operands = append(operands, a.place(a.home[v]))
		default:
			operands = append(operands, "")
		}
	}
	numbers, names := a.registers(scratch(table))
	a.formula(table, operands, names)
	result := a.c.result(n)
	a.hold(numbers[0], result)
	for _, v := range l.In {
		a.release(v)
	}
	a.release(result) // if nothing uses it
}

// registers makes some registers free for this operation.
func (a avx2) registers(n int) (numbers []int, names []string) {
	for range n {
		r := a.register()
		a.pin(r)
		numbers, names = append(numbers, r), append(names, a.name(r))
	}
	return numbers, names
}

// mostScratch is how many registers any formula needs.
const mostScratch = 3

func (a avx2) storeGuarded(g *guarded) {
	a.at-- // Until its registers are chosen, this operation counts as one that is to come.
	by, ok := a.where[g.by]
	if !ok {
		by = a.load(g.by)
	}
	a.pin(by)
	_, names := a.registers(mostScratch)
	a.at++
	a.branches++
	if g.when == 1 {
		a.do("vptest %[1]s, %[1]s\n\tjz .Lheld%[2]d", a.name(by), a.branches)
	} else {
		a.do("vptest %s, %s\n\tjc .Lheld%d", avx2Ones, a.name(by), a.branches)
	}
	for i, n := range g.luts {
		values, table := a.c.LUTs[n].reduced()
		var operands []string
		for _, v := range values {
			if r, ok := a.where[v]; ok {
				operands = append(operands, a.name(r))
			} else {
				operands = append(operands, a.place(a.home[v]))
			}
		}
		a.formula(table, operands, names)
		a.do("vmovdqa %s, %s", names[0], a.place(planeOf(a.firstState+value(g.states[i]))))
	}
	fmt.Fprintf(&a.text, ".Lheld%d:\n", a.branches)
	for _, n := range g.luts {
		for _, v := range a.c.LUTs[n].In {
			a.release(v)
		}
	}
}
