package vectors

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// MaxCycles is the greatest number of cycles of a vector.
const MaxCycles = 100_000_000

// defaultBound is how many cycles a statement without a bound (within) may take.
const defaultBound = 1_000_000

// plan is a vector that was checked and can be played.
type plan struct {
	file   *File
	design *design
	config
	command string // the command that runs it again
	reset   int    // cycles of reset before the first cycle; 0: the vector begins at power-up
	steps   []step
	always  []invariant
	agents  []*agent
	model   []string // the command of a reference model; nil: there is none
	csv     bool     // it is given CSV, and not JSON
	outs    []*Port
}

// outputs returns the ports that are outputs.
func (p *plan) outputs() []*Port {
	if p.outs == nil {
		p.outs = p.design.outputs()
	}
	return p.outs
}

// step is a row or a statement.
type step struct {
	line   *Line
	drive  []cell
	expect []cell
	repeat int // number of cycles of a row

	op     string // "row", or of a statement "wait", "set", "expect", "reset", "own", "act"
	cycles int    // of wait and reset; of others the bound, or 0 if there is none
	each   bool   // expect must hold in each of the cycles (for)
	own    int    // index of the design's own statement
	act    func(pl *rowPlayer) error
	asked  *Word   // the ? of an agent's statement, nil if it has none
	inside bool    // act reaches into the RTL
	random bool    // it is a statement random
	drawn  []*Port // its inputs
	args   []any
	words  []Word // the words of the arguments
	first  Word   // the first word of the statement
}

// steps returns how many values a range in the row drives one after the other: 1 without a range.
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

// cell is a value for a port, as it is written in a table or a statement.
type cell struct {
	port *Port
	word Word
	value
}

// Check finds errors in a vector without a simulator. The error is an [Errors].
func (r *Registry) Check(f *File) error {
	_, err := r.plan(f)
	return err
}

// plan checks a vector and returns its plan.
func (r *Registry) plan(f *File) (*plan, error) {
	c := &checker{faults: faults{file: f}, plan: &plan{file: f}, labels: map[string]int{}}
	c.header(r)
	if c.tool != nil {
		return nil, &ToolError{c.tool}
	}
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
	c.driven()
	return c.plan, c.list.or()
}

// used returns the parameters that differ from their defaults, as in a header: "A=1 B=2".
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
	tool   error // a simulator does not take the RTL that the header names
	plan   *plan
	labels map[string]int // the line of each label
	cycles int
	// reserved are the names of statements, which no agent can have.
	reserved []string
	lost     []string // agents whose lines are wrong
}

// spend counts the cycles of the vector, which are bounded by MaxCycles.
func (c *checker) spend(line int, w Word, n int) {
	before := c.cycles
	c.cycles = min(c.cycles+n, 2*MaxCycles)
	if before <= MaxCycles && c.cycles > MaxCycles {
		c.at(line, w, fmt.Sprintf("with this the vector lasts more than %d cycles", MaxCycles), "shorten it; time constants can be smaller than the real ones: see parameters")
	}
}
