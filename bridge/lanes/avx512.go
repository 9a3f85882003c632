package lanes

import (
	"fmt"
	"slices"
	"strings"
)

// avx512 is for processors with AVX-512, whose 32 registers hold a plane each. A LUT is one
// instruction, vpternlogq, whose first operand is also the result, and whose last may be in memory.
type avx512 struct{ *assembler }

// assembleAVX512 writes a program. Each stage is a function lanes_stageN, whose argument is the
// address of the planes.
func assembleAVX512(p *program) (text string, planes int) {
	a := avx512{newAssembler(p, 32, "zmm", "vmovdqa64", place)}
	a.instructions = a
	return a.assemble(func(all *strings.Builder, n int, text string) {
		function(all, fmt.Sprintf("lanes_stage%d", n), addressed(text)+"\tvzeroupper\n")
	})
}

// function writes a function.
func function(all *strings.Builder, name, text string) {
	fmt.Fprintf(all, "\t.p2align 6\n\t.globl %[1]s\n\t.hidden %[1]s\n\t.type %[1]s, @function\n%[1]s:\n%[2]s\tret\n\t.size %[1]s, .-%[1]s\n", name, text)
}

func (a avx512) constant(r int, v value) {
	table := 0
	if v == one {
		table = 0xff
	}
	a.do("vpternlogq $%#x, %%zmm%[2]d, %%zmm%[2]d, %%zmm%[2]d", table, r)
}

func (a avx512) storeGuarded(g *guarded) {
	a.at-- // Until its registers are chosen, this operation counts as one that is to come.
	by, ok := a.where[g.by]
	if !ok {
		by = a.load(g.by)
	}
	a.pin(by)
	r := a.register()
	a.at++
	tested := by
	if g.when == 0 {
		tested = r
		fmt.Fprintf(&a.text, "\tvpternlogq $0x55, %%zmm%[1]d, %%zmm%[1]d, %%zmm%[2]d\n", by, r)
	}
	a.branches++
	fmt.Fprintf(&a.text, "\tvptestmq %%zmm%[1]d, %%zmm%[1]d, %%k1\n\tkortestw %%k1, %%k1\n\tjz .Lheld%[2]d\n", tested, a.branches)
	// The windows of registers that point to planes must not move here.
	direct := func(plane int) string { return fmt.Sprintf("%d(%%rdi)", plane*planeBytes) }
	for i, l := range g.luts {
		q := a.firstState + value(g.states[i])
		roles, third := [3]value{q, g.by, none}, by
		from := ""
		for _, v := range a.c.LUTs[l].In {
			if v == q || v == g.by || v == zero || v == one {
				continue
			}
			roles[2] = v
			if reg, ok := a.where[v]; ok {
				third = reg
			} else {
				from = direct(a.home[v])
			}
		}
		if from == "" {
			from = fmt.Sprintf("%%zmm%d", third)
		}
		plane := direct(planeOf(q))
		fmt.Fprintf(&a.text, "\tvmovdqa64 %[1]s, %%zmm%[2]d\n\tvpternlogq $%#[3]x, %[4]s, %%zmm%[5]d, %%zmm%[2]d\n\tvmovdqa64 %%zmm%[2]d, %[1]s\n",
			plane, r, ternary(a.c.LUTs[l], roles), from, by)
	}
	fmt.Fprintf(&a.text, ".Lheld%d:\n", a.branches)
	for _, l := range g.luts {
		for _, v := range a.c.LUTs[l].In {
			a.release(v)
		}
	}
}

// The operands of a LUT are its inputs without constants, each once.
func (a avx512) lut(n int) {
	l := a.c.LUTs[n]
	var operands []value
	for _, v := range l.In {
		if v != zero && v != one && !slices.Contains(operands, v) {
			operands = append(operands, v)
		}
	}
	// Operands in registers are kept there while others are loaded.
	inRegister := func(v value) bool { _, ok := a.where[v]; return ok }
	for _, v := range operands {
		if inRegister(v) {
			a.pin(a.where[v])
		}
	}
	// target is the operand whose register the result gets. Best is one that is not used again: a
	// value in a register, or one that has to be loaded.
	target := none
	for _, v := range operands {
		if a.nextUse(v) == never && inRegister(v) {
			target = v
		}
	}
	for _, v := range operands {
		if target == none && !inRegister(v) && (a.nextUse(v) == never || len(operands) == 1) {
			target = v
		}
	}
	for _, v := range operands {
		if target == none && !inRegister(v) {
			target = v
		}
	}
	// One operand may stay in memory: the one that is used last.
	memory := none
	for _, v := range operands {
		if v != target && !inRegister(v) && (memory == none || a.nextUse(v) > a.nextUse(memory)) {
			memory = v
		}
	}
	for _, v := range operands {
		if v != target && v != memory && !inRegister(v) {
			a.pin(a.load(v))
		}
	}
	if memory != none && a.worth(memory) {
		a.pin(a.load(memory))
		memory = none
	}
	// The registers of the instruction: result, second, third. Each has an operand or none.
	roles := [3]value{none, none, none}
	r := -1
	switch {
	case target != none && inRegister(target):
		r = a.where[target]
		delete(a.where, target)
		roles[0] = target
	case target != none:
		r = a.register()
		a.pin(r)
		fmt.Fprintf(&a.text, "\tvmovdqa64 %s, %%zmm%d\n", place(a.home[target]), r)
		roles[0] = target
	default:
		r = a.register()
		if len(operands) == 3 {
			fmt.Fprintf(&a.text, "\tvmovdqa64 %%zmm%d, %%zmm%d\n", a.where[operands[0]], r)
			roles[0] = operands[0]
		}
	}
	a.held[r] = none
	second, third := r, fmt.Sprintf("%%zmm%d", r)
	if memory != none {
		roles[2], third = memory, place(a.home[memory])
	}
	for _, v := range operands {
		switch {
		case v == roles[0] || v == roles[2]:
		case roles[2] == none:
			roles[2], third = v, fmt.Sprintf("%%zmm%d", a.where[v])
		default:
			roles[1], second = v, a.where[v]
		}
	}
	fmt.Fprintf(&a.text, "\tvpternlogq $%#x, %s, %%zmm%d, %%zmm%d\n", ternary(l, roles), third, second, r)
	result := a.c.result(n)
	a.hold(r, result)
	for _, v := range operands {
		a.release(v)
	}
	a.release(result) // if nothing uses it
}

// ternary returns the table of an instruction whose operands are the values of roles: bit 4*x + 2*y
// + z of it is the result for the bits x, y and z of result, second and third.
func ternary(l lut, roles [3]value) (table uint8) {
	for i := range 8 {
		index := 0
		for k, v := range l.In {
			bit := 0
			switch v {
			case zero:
			case one:
				bit = 1
			case roles[0]:
				bit = i >> 2 & 1
			case roles[1]:
				bit = i >> 1 & 1
			case roles[2]:
				bit = i & 1
			}
			index |= bit << k
		}
		table |= l.Table >> index & 1 << i
	}
	return table
}
