package lanes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// functionOps is how many operations a function of portable C has. The compiler's time grows faster
// than the length of a function.
const functionOps = 200

// portable writes a program in C, for a compiler that knows vectors (gcc, clang). Each stage is a
// function lanes_stageN, as in [assemble]. Values that another function uses are kept in planes.
func portable(p *program) (text string, planes int) {
	var b strings.Builder
	b.WriteString("#include \"planes.h\"\n")
	planes = p.c.planes() + p.copies
	home := map[value]int{}
	for v := first; int(v) < p.c.Planes; v++ {
		home[v] = planeOf(v)
	}
	uses := usesOf(p)
	var free []int
	spare := map[value]int{}
	at, functions := 0, 0
	for n, ops := range p.stages {
		from := functions
		for len(ops) > 0 {
			part := ops[:min(functionOps, len(ops))]
			ops = ops[len(part):]
			end := at + len(part)
			local := map[value]bool{}
			read := func(v value) string {
				switch {
				case v == zero:
					return "zero"
				case v == one:
					return "~zero"
				case local[v]:
					return fmt.Sprintf("v%d", v)
				}
				return fmt.Sprintf("p[%d]", home[v])
			}
			fmt.Fprintf(&b, "static __attribute__((noinline)) void part%d(plane* p) {\n  const plane zero = {};\n", functions)
			functions++
			for _, o := range part {
				if o.guarded != nil {
					b.WriteString(conditional(p.c, o.guarded, read))
				} else if o.store {
					fmt.Fprintf(&b, "  p[%d] = %s;\n", o.to, read(o.from))
					if _, kept := home[o.from]; !kept {
						home[o.from] = o.to
					}
				} else {
					l, v := p.c.LUTs[o.lut], p.c.result(o.lut)
					fmt.Fprintf(&b, "  const plane v%d = %s;\n", v, expression(l, read))
					local[v] = true
				}
			}
			// What later functions use is stored, if no plane has it.
			for _, o := range part {
				if o.store || o.guarded != nil {
					continue
				}
				v := p.c.result(o.lut)
				u := uses[v]
				if _, kept := home[v]; kept || len(u) == 0 || u[len(u)-1] < end {
					continue
				}
				plane := planes
				if k := len(free); k > 0 {
					plane, free = free[k-1], free[:k-1]
				} else {
					planes++
				}
				home[v], spare[v] = plane, plane
				fmt.Fprintf(&b, "  p[%d] = v%d;\n", plane, v)
			}
			b.WriteString("  (void)zero;\n}\n")
			for _, v := range slices.Sorted(maps.Keys(spare)) {
				if u := uses[v]; u[len(u)-1] < end {
					free = append(free, spare[v])
					delete(spare, v)
				}
			}
			at = end
		}
		fmt.Fprintf(&b, "__attribute__((visibility(\"hidden\"))) void lanes_stage%d(plane* p) {\n", n)
		for i := from; i < functions; i++ {
			fmt.Fprintf(&b, "  part%d(p);\n", i)
		}
		b.WriteString("}\n")
	}
	return b.String(), planes
}

// conditional returns the stores of guarded registers.
func conditional(c *circuit, g *guarded, read func(value) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  if (any(%s%s)) {\n", [...]string{"~", ""}[g.when], read(g.by))
	for i, l := range g.luts {
		fmt.Fprintf(&b, "    p[%d] = %s;\n", planeOf(c.firstState()+value(g.states[i])), expression(c.LUTs[l], read))
	}
	b.WriteString("  }\n")
	return b.String()
}

// expression returns a LUT in C.
func expression(l lut, read func(value) string) string {
	var text func(table uint8) string
	text = func(table uint8) string {
		switch f := formulas()[table]; f.op {
		case 'a', 'b', 'c':
			return read(l.In[f.op-'a'])
		case '0':
			return "zero"
		case '1':
			return "~zero"
		case '~':
			return "~" + text(f.x)
		case '\\':
			return "(" + text(f.x) + " & ~" + text(f.y) + ")"
		default:
			return "(" + text(f.x) + " " + string(f.op) + " " + text(f.y) + ")"
		}
	}
	return text(l.Table)
}
