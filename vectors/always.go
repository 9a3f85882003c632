package vectors

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/report"
	"github.com/cosimate/cosimate/vectors/internal/expr"
)

var alwaysStatement = rtlStatement{
	name: "always", use: "always EXPRESSION",
	about:    "the expression is true in every cycle of the vector, wherever this stands; of ports and internal signals",
	timeless: true, check: (*checker).always,
}

// invariant is an expression that must be true in every cycle.
type invariant struct {
	line      *Line
	first     Word // of the expression
	text      string
	expr      *expr.Expr
	names     []string // its ports and signals
	internals []string // its internal signals
}

func (c *checker) always(v *rtlStatement, s *step, l *Line, words []Word) bool {
	if len(words) < 2 {
		c.count(l, words, v.use)
		return false
	}
	// The expression is parsed as one text with its blanks, so that errors have their columns.
	var text strings.Builder
	begin := words[1].Column
	for _, w := range words[1:] {
		text.WriteString(strings.Repeat(" ", w.Column-begin-text.Len()))
		text.WriteString(w.Text)
	}
	inv := invariant{line: l, first: words[1], text: strings.Join(texts(words[1:]), " ")}
	known := func(name string) (int, error) {
		if p := c.plan.design.port(name); p != nil {
			return p.Width, nil
		}
		if name == c.plan.design.clock {
			return 0, errors.New(name + " is the clock, which rises in every cycle")
		}
		return 0, nil
	}
	e, err := expr.Parse(text.String(), known)
	if wrong, ok := errors.AsType[*expr.Error](err); ok {
		c.at(l.At, Word{wrong.Text, begin + wrong.At}, wrong.Problem, wrong.Help)
		return false
	}
	inv.expr = e
	e.Walk(func(n *expr.Expr) bool {
		if n.Op != "name" {
			return true
		}
		if !slices.Contains(inv.names, n.Name) {
			inv.names = append(inv.names, n.Name)
			if c.plan.design.port(n.Name) == nil {
				name := c.signal(l.At, Word{n.Name, begin + n.At}, portNames(c.plan.design)...)
				if name == "" {
					return false
				}
				inv.internals = append(inv.internals, name)
			}
		}
		return true
	})
	c.plan.always = append(c.plan.always, inv)
	s.act = nil // it plays nothing
	return false
}

// violated returns the failure of a row in which an invariant is not true in some simulator, or
// nil.
func (pl *rowPlayer) violated(row int, inv *invariant) *Failure {
	for k, s := range pl.bench.Simulators() {
		result := inv.expr.Eval(func(name string) expr.Value { return pl.lookup(row, k, name) })
		if result.Truth() == expr.Yes {
			continue
		}
		m := pl.marks[row]
		cycle := pl.done + uint64(row)
		problem := "this is not so"
		if result.Truth() == expr.Unknown {
			problem = "whether this is so is unknown"
		}
		e := pl.p.file.at(inv.line.At, inv.first.Column, len(inv.text), fmt.Sprintf("%s in cycle %d (%s)", problem, cycle, s))
		e.Label = fmt.Sprintf("%s; line %d is played", when(m, cycle, pl.at(cycle)), m.step.line.At)
		f := &Failure{Cycle: cycle, RTL: true, kind: fmt.Sprint("always ", inv.text), Ports: inv.names, Errors: Errors{e}}
		f.Report = pl.stands(cycle, fmt.Sprintf("always %s: %s", inv.text, problem))
		var names []string
		for _, name := range inv.names {
			if words, memory := pl.words[name]; memory {
				names = append(names, words...)
			} else {
				names = append(names, name)
			}
		}
		for _, name := range names {
			v := pl.lookup(row, k, name)
			p := &Port{Name: name, Width: v.Width}
			value := report.Value{Bits: v.Bits}
			if v.Unknown.Sign() != 0 {
				value.Unknown = v.Unknown
			}
			e.Notes = append(e.Notes, name+" "+p.sample(value))
		}
		e.Notes = []string{strings.Join(e.Notes, ", ")}
		return f
	}
	return nil
}

// watched finds the internal signals that invariants are of: signals, and words of memories. Which
// of them are memories, only an instance knows.
func (pl *rowPlayer) watched() error {
	pl.words = map[string][]string{}
	first := pl.bench.Instance(0)
	for i := range pl.p.always {
		inv := &pl.p.always[i]
		for _, name := range inv.internals {
			_, err := first.Peek(name)
			if err == nil {
				pl.names = append(pl.names, name)
				continue
			}
			for _, place := range inv.expr.Words(name) {
				k := slices.IndexFunc(place, func(word string) bool { _, err := first.Peek(word); return err == nil })
				if k < 0 {
					pl.step = &step{line: inv.line, first: inv.first}
					return err
				}
				pl.names, pl.words[name] = append(pl.names, place[k]), append(pl.words[name], place[k])
			}
		}
	}
	slices.Sort(pl.names)
	pl.names = slices.Compact(pl.names)
	return nil
}

// lookup returns the value of a port or an internal signal in a row, in a simulator.
func (pl *rowPlayer) lookup(row, simulator int, name string) expr.Value {
	if p := pl.d.port(name); p != nil {
		var bits, hidden *big.Int
		if p.Input {
			bits, hidden = get(pl.tape[row*len(pl.in):], nil, &pl.slots[p.field])
		} else {
			out, unknown := pl.bench.Outputs(simulator, row)
			bits, hidden = get(out, unknown, &pl.slots[p.field])
		}
		if hidden == nil {
			hidden = new(big.Int)
		}
		return expr.Value{Width: p.Width, Bits: bits, Unknown: hidden}
	}
	v := pl.peeked[row][simulator][name]
	bits, hidden := numberOf(v)
	if hidden == nil {
		hidden = new(big.Int)
	}
	return expr.Value{Width: v.Width, Bits: bits, Unknown: hidden}
}
