package vectors

import "math/big"

// This file has the expressions of the statement always. They are Verilog's, with its four states:
// an operation on an unknown bit has an unknown result, unless the other operand decides it. As in
// Verilog, operands are extended to the width of the wider one; a number without a size has 32
// bits, or more if it needs them. -> is implication: A -> B is !A || B.

// logic is a value of some bits, of which some can be unknown (X or Z). Unknown bits are 0 in bits.
type logic struct {
	width         int
	bits, unknown *big.Int
}

// truth is what a value is as a condition.
type truth int

const (
	no truth = iota
	yes
	unknown
)

// truth returns yes if a bit is 1, and unknown if none is but one may be.
func (l logic) truth() truth {
	switch {
	case l.bits.Sign() != 0:
		return yes
	case l.unknown.Sign() != 0:
		return unknown
	}
	return no
}

func (t truth) logic() logic {
	l := logic{1, new(big.Int), new(big.Int)}
	switch t {
	case yes:
		l.bits.SetInt64(1)
	case unknown:
		l.unknown.SetInt64(1)
	}
	return l
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func and(a, b truth) truth {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return unknown
}

func ones(width int) *big.Int {
	m := new(big.Int).Lsh(one, uint(width))
	return m.Sub(m, one)
}

// expr is a node of an expression.
type expr struct {
	op     string // an operator; "name", "number", "index", "slice", "?:", "reduce" with the operator in name
	name   string
	at     int // its place in the text, from 0
	args   []*expr
	value  logic  // of a number
	hi, lo int    // of a slice
	word   string // of a name with numbers as its indices: what it is if that is a memory
}

// words returns, for each place at which a name stands, the words that it names if it is a memory,
// the one with most indices first.
func (e *expr) words(name string) (all [][]string) {
	var mine []string
	for at := e; ; at = at.args[0] {
		if at.word != "" {
			mine = append(mine, at.word)
		}
		if at.op == "name" && at.name == name {
			all = append(all, mine)
			if at != e && len(e.args) > 1 {
				all = append(all, e.args[1].words(name)...)
			}
			return all
		}
		if at.op != "index" && at.op != "slice" {
			break
		}
	}
	for _, a := range e.args {
		all = append(all, a.words(name)...)
	}
	return all
}

// walk calls a function with each node until it returns false.
func (e *expr) walk(visit func(*expr) bool) bool {
	if !visit(e) {
		return false
	}
	for _, a := range e.args {
		if !a.walk(visit) {
			return false
		}
	}
	return true
}
