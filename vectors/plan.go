package vectors

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// MaxCycles is how long a vector may last.
const MaxCycles = 100_000_000

// defaultBound is how many cycles a statement may take that has no bound of its own (within).
const defaultBound = 1_000_000

// plan is a vector as it is played.
type plan struct {
	file   *File
	design *design
	config
	command string // that runs it again
	reset   int    // cycles of reset before the first; 0: from power-up on
	steps   []step
}

// step is a row or a statement.
type step struct {
	line   *Line
	drive  []cell
	expect []cell
	repeat int // of a row

	op     string // of a statement: "row", "wait", "set", "expect", "reset", "own"
	cycles int    // of wait, reset; the bound of the others: 0 is none
	each   bool   // for: in each of these cycles
	own    int    // which of the design's own statements
	args   []any
	words  []Word // of the arguments
	first  Word   // of the statement
}

// steps is how many values a row's range drives one after the other; 1 without one.
func (s *step) steps() int {
	for _, d := range s.drive {
		if n := new(big.Int).Sub(d.hi, d.lo); n.Sign() > 0 {
			if !n.IsInt64() || n.Int64() > MaxCycles {
				return 2 * MaxCycles
			}
			return int(n.Int64()) + 1
		}
	}
	return 1
}

// cell is a value of a port.
type cell struct {
	port *Port
	word Word
	value
}

// Check finds what is wrong with a vector, as far as that needs no simulator. What it finds is an
// [Errors].
func (r *Registry) Check(f *File) error {
	_, err := r.plan(f)
	return err
}

// plan makes a plan of a vector.
func (r *Registry) plan(f *File) (*plan, error) {
	c := &checker{faults: faults{file: f}, plan: &plan{file: f}, labels: map[string]int{}}
	c.header(r)
	if c.plan.design == nil {
		return nil, c.list
	}
	for i := range f.Sections {
		s := &f.Sections[i]
		switch s.Kind {
		case Cycles:
			c.table(s)
		case Script:
			for k := range s.Lines {
				if l := &s.Lines[k]; !l.blank() {
					c.statement(l)
				}
			}
		case EPD:
			for k := range s.Lines {
				if l := &s.Lines[k]; !l.blank() {
					c.epd(l)
				}
			}
		}
	}
	return c.plan, c.list.or()
}

// used are the parameters that differ from their defaults, as the header has them.
func (p *plan) used() string {
	var list []string
	defaults := p.design.defaults()
	for _, k := range slices.Sorted(maps.Keys(p.params)) {
		if p.params[k] != defaults[k] {
			list = append(list, fmt.Sprintf("%s=%d", k, p.params[k]))
		}
	}
	return strings.Join(list, " ")
}

type checker struct {
	faults
	plan   *plan
	labels map[string]int // the line of each
	cycles int
}

// spend counts cycles.
func (c *checker) spend(line int, w Word, n int) {
	before := c.cycles
	c.cycles = min(c.cycles+n, 2*MaxCycles)
	if before <= MaxCycles && c.cycles > MaxCycles {
		c.at(line, w, fmt.Sprintf("with this the vector lasts more than %d cycles", MaxCycles), "shorten it; time constants can be smaller than the real ones: see parameters")
	}
}
