package lanes

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// planeBytes is the size of a plane: a bit for each lane.
const planeBytes = Count / 8

// never is the position of a use that does not come.
const never = math.MaxInt

// none is a register's value if it holds none.
const none value = -1

// instructions are how a kind of processor computes.
type instructions interface {
	// lut computes a LUT into a register.
	lut(n int)
	// constant puts all zeros or all ones into a register.
	constant(r int, v value)
	// storeGuarded stores the next values of registers if their guard holds in any lane. What
	// registers and planes have is the same whether it does or not.
	storeGuarded(g *guarded)
}

// assembler writes a program in the language of GNU as. Its registers are given away by Belady's
// rule: the value goes that is used last.
type assembler struct {
	*program
	instructions
	vector string                 // what registers are called: zmm
	move   string                 // the instruction that copies one
	place  func(plane int) string // where a plane is

	text   strings.Builder // of a stage
	uses   map[value][]int // the positions of the operations that still use a value
	at     int             // the position of this operation
	held   []value         // by register
	where  map[value]int   // the registers of values
	home   map[value]int   // the planes that have values
	free   []int           // planes that had values, and are free
	spare  map[int]bool    // the planes that were made for values
	planes int
	pinned []int // registers that this operation uses

	firstState value // the plane of the first state
	branches   int
}

func newAssembler(p *program, registers int, vector, move string, place func(int) string) *assembler {
	a := &assembler{
		program: p, vector: vector, move: move, place: place, uses: usesOf(p), held: make([]value, registers),
		home: map[value]int{}, spare: map[int]bool{}, planes: p.c.planes() + p.copies, firstState: p.c.firstState(),
	}
	for v := first; int(v) < p.c.Planes; v++ {
		a.home[v] = planeOf(v)
	}
	return a
}

// assemble writes the stages, each by write, which is given what it computes. It returns how many
// planes the program needs, with those that values are kept in while no register has room for them.
func (a *assembler) assemble(write func(all *strings.Builder, n int, text string)) (text string, planes int) {
	var all strings.Builder
	all.WriteString("\t.text\n")
	at := 0
	for n, ops := range a.stages {
		a.text.Reset()
		for i := range a.held {
			a.held[i] = none
		}
		a.where = map[value]int{}
		for _, o := range ops {
			a.at, a.pinned = at, a.pinned[:0]
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
		write(&all, n, a.text.String())
	}
	all.WriteString("\t.section .note.GNU-stack,\"\",@progbits\n")
	return all.String(), a.planes
}

// do writes an instruction.
func (a *assembler) do(format string, args ...any) { fmt.Fprintf(&a.text, "\t"+format+"\n", args...) }

// name is a register's.
func (a *assembler) name(r int) string { return fmt.Sprintf("%%%s%d", a.vector, r) }

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

func (a *assembler) isPinned(r int) bool { return slices.Contains(a.pinned, r) }

func (a *assembler) pin(r int) { a.pinned = append(a.pinned, r) }

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
	a.spare[plane] = true
	a.home[v] = plane
	a.do("%s %s, %s", a.move, a.name(r), a.place(plane))
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
	a.do("%s %s, %s", a.move, a.place(a.home[v]), a.name(r))
	a.hold(r, v)
	return r
}

// store writes a value to a plane. From then on the plane has the value.
func (a *assembler) store(o op) {
	r, ok := a.where[o.from]
	if o.from == zero || o.from == one {
		r = a.register()
		a.constant(r, o.from)
	} else if !ok {
		r = a.load(o.from)
	}
	a.do("%s %s, %s", a.move, a.name(r), a.place(o.to))
	if o.from == zero || o.from == one {
		return
	}
	if _, kept := a.home[o.from]; !kept {
		a.home[o.from] = o.to
	}
	a.release(o.from)
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
