package lanes

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// planeBytes is the size of a plane: a bit for each lane.
const planeBytes = Count / 8

// registers is how many registers AVX-512 has. Each holds a plane.
const registers = 32

// never is the position of a use that does not come.
const never = math.MaxInt

// assemble writes a program in the language of GNU as for processors with AVX-512. Each stage is a
// function lanes_stageN, whose argument is the address of the planes. It returns how many planes it
// needs, with those that values are kept in while no register has room for them.
//
// A LUT is one instruction, vpternlogq, whose first operand is also the result, and whose last may
// be in memory. Registers are given away by Belady's rule: the value goes that is used last.
func assemble(p *program) (text string, planes int) {
	a := &assembler{program: p, home: map[value]int{}, planes: p.c.planes() + p.copies, firstState: p.c.firstState()}
	a.uses = usesOf(p)
	for v := first; int(v) < p.c.Planes; v++ {
		a.home[v] = planeOf(v)
	}
	var all strings.Builder
	all.WriteString("\t.text\n")
	at := 0
	for n, ops := range p.stages {
		a.text.Reset()
		fmt.Fprintf(&all, "\t.p2align 6\n\t.globl lanes_stage%[1]d\n\t.hidden lanes_stage%[1]d\n\t.type lanes_stage%[1]d, @function\nlanes_stage%[1]d:\n", n)
		for i := range a.held {
			a.held[i] = none
		}
		a.where = map[value]int{}
		for _, o := range ops {
			a.at = at
			switch {
			case o.guarded != nil:
				a.storeGuarded(o.guarded)
			case o.store:
				a.store(o)
			default:
				a.lut(o.lut)
			}
			at++
		}
		a.spill()
		all.WriteString(addressed(a.text.String()))
		fmt.Fprintf(&all, "\tvzeroupper\n\tret\n\t.size lanes_stage%[1]d, .-lanes_stage%[1]d\n", n)
	}
	all.WriteString("\t.section .note.GNU-stack,\"\",@progbits\n")
	return all.String(), a.planes
}

// none is a register's value if it holds none.
const none value = -1

// assembler is the state of the machine while a program is written.
type assembler struct {
	*program
	text   strings.Builder // of a stage, with places for addresses
	uses   map[value][]int // the positions of the operations that still use a value
	at     int             // the position of this operation
	held   [registers]value
	where  map[value]int // the registers of values
	home   map[value]int // the planes that have values
	free   []int         // planes that had values, and are free
	spare  map[int]bool  // the planes that were made for values
	planes int
	pinned [4]int // registers that this operation uses
	pins   int

	firstState value // the plane of the first state
	branches   int
}

// usesOf returns the positions of the operations that use each value, in order.
func usesOf(p *program) map[value][]int {
	uses := map[value][]int{}
	at := 0
	use := func(v value) {
		if u := uses[v]; len(u) == 0 || u[len(u)-1] != at {
			uses[v] = append(u, at)
		}
	}
	for _, ops := range p.stages {
		for _, o := range ops {
			switch {
			case o.guarded != nil:
				for _, l := range o.guarded.luts {
					for _, v := range p.c.LUTs[l].In {
						use(v)
					}
				}
			case o.store:
				use(o.from)
			default:
				for _, v := range p.c.LUTs[o.lut].In {
					use(v)
				}
			}
			at++
		}
	}
	return uses
}

// nextUse returns the position of the next operation after this one that uses a value.
func (a *assembler) nextUse(v value) int {
	u := a.uses[v]
	for len(u) > 0 && u[0] <= a.at {
		u = u[1:]
	}
	a.uses[v] = u
	if len(u) == 0 {
		return never
	}
	return u[0]
}

// register returns a register that is free, or makes one so.
func (a *assembler) register() int {
	best, latest := -1, -1
	for r, v := range a.held {
		if a.isPinned(r) {
			continue
		}
		if v == none {
			return r
		}
		if next := a.nextUse(v); next > latest {
			best, latest = r, next
		}
	}
	a.evict(best)
	return best
}

func (a *assembler) isPinned(r int) bool {
	for _, p := range a.pinned[:a.pins] {
		if p == r {
			return true
		}
	}
	return false
}

func (a *assembler) pin(r int) {
	a.pinned[a.pins] = r
	a.pins++
}

// evict takes the value from a register. If it is used again and no plane has it, it is stored.
func (a *assembler) evict(r int) {
	v := a.held[r]
	a.held[r] = none
	delete(a.where, v)
	if _, kept := a.home[v]; kept || a.nextUse(v) == never {
		return
	}
	plane := a.planes
	if n := len(a.free); n > 0 {
		plane, a.free = a.free[n-1], a.free[:n-1]
	} else {
		a.planes++
	}
	a.spareOf(plane)
	a.home[v] = plane
	fmt.Fprintf(&a.text, "\tvmovdqa64 %%zmm%d, %s\n", r, place(plane))
}

func (a *assembler) spareOf(plane int) {
	if a.spare == nil {
		a.spare = map[int]bool{}
	}
	a.spare[plane] = true
}

// release gives back what a value has if this operation was the last that uses it.
func (a *assembler) release(v value) {
	if a.nextUse(v) != never {
		return
	}
	if r, ok := a.where[v]; ok {
		a.held[r] = none
		delete(a.where, v)
	}
	if plane, ok := a.home[v]; ok && a.spare[plane] {
		a.free = append(a.free, plane)
		delete(a.home, v)
	}
}

func (a *assembler) hold(r int, v value) {
	a.held[r] = v
	a.where[v] = r
}

// load puts a value that has a plane into a register.
func (a *assembler) load(v value) int {
	r := a.register()
	fmt.Fprintf(&a.text, "\tvmovdqa64 %s, %%zmm%d\n", place(a.home[v]), r)
	a.hold(r, v)
	return r
}

// store writes a value to a plane. From then on the plane has the value.
func (a *assembler) store(o op) {
	a.pins = 0
	switch r, ok := a.where[o.from]; {
	case o.from == zero || o.from == one:
		r := a.register()
		table := 0
		if o.from == one {
			table = 0xff
		}
		fmt.Fprintf(&a.text, "\tvpternlogq $%#x, %%zmm%[2]d, %%zmm%[2]d, %%zmm%[2]d\n\tvmovdqa64 %%zmm%[2]d, %[3]s\n", table, r, place(o.to))
		return
	case ok:
		fmt.Fprintf(&a.text, "\tvmovdqa64 %%zmm%d, %s\n", r, place(o.to))
	default:
		r := a.load(o.from)
		fmt.Fprintf(&a.text, "\tvmovdqa64 %%zmm%d, %s\n", r, place(o.to))
	}
	if _, kept := a.home[o.from]; !kept {
		a.home[o.from] = o.to
	}
	a.release(o.from)
}

// storeGuarded stores the next values of registers if their guard holds in any lane. What registers
// and planes have is the same whether it does or not.
func (a *assembler) storeGuarded(g *guarded) {
	a.pins = 0
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

// lut computes a LUT. Its operands are its inputs without constants, each once.
func (a *assembler) lut(n int) {
	a.pins = 0
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

// worth reports whether a value that one instruction would read from memory should get a register:
// whether it is used again before a value that has one.
func (a *assembler) worth(v value) bool {
	next := a.nextUse(v)
	if next == never {
		return false
	}
	for r, held := range a.held {
		if !a.isPinned(r) && (held == none || a.nextUse(held) > next) {
			return true
		}
	}
	return false
}

// spill stores all values that later stages use.
func (a *assembler) spill() {
	for r, v := range a.held {
		if v != none {
			a.evict(r)
		}
	}
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
