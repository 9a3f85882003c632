// Package expr parses and evaluates the expressions of the statement always of test vectors.
//
// They are Verilog's, with its four states: an operation on an unknown bit has an unknown result,
// unless the other operand decides it. As in Verilog, operands are extended to the width of the
// wider one; a number without a size has 32 bits, or more if it needs them. -> is implication:
// A -> B is !A || B.
package expr

import "math/big"

// Value is a value of some bits, of which some can be unknown (X or Z). Unknown bits are 0 in Bits.
type Value struct {
	Width         int
	Bits, Unknown *big.Int
}

// Truth is what a value is as a condition.
type Truth int

const (
	No Truth = iota
	Yes
	Unknown
)

// Truth returns Yes if a bit is 1, and Unknown if none is but one may be.
func (l Value) Truth() Truth {
	switch {
	case l.Bits.Sign() != 0:
		return Yes
	case l.Unknown.Sign() != 0:
		return Unknown
	}
	return No
}

func (t Truth) value() Value {
	l := Value{1, new(big.Int), new(big.Int)}
	switch t {
	case Yes:
		l.Bits.SetInt64(1)
	case Unknown:
		l.Unknown.SetInt64(1)
	}
	return l
}

func (t Truth) not() Truth {
	switch t {
	case Yes:
		return No
	case No:
		return Yes
	}
	return Unknown
}

func and(a, b Truth) Truth {
	switch {
	case a == No || b == No:
		return No
	case a == Yes && b == Yes:
		return Yes
	}
	return Unknown
}

func ones(width int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return m.Sub(m, big.NewInt(1))
}

// Expr is a node of an expression.
type Expr struct {
	// an operator, "name", "number", "index", "slice" or "?:", or "reduce", whose operator is Name
	Op     string
	Name   string
	At     int // its place in the text, from 0
	args   []*Expr
	value  Value  // of a number
	hi, lo int    // of a slice
	word   string // of a name with numbers as its indices: what it is if that is a memory
}

// Words returns, for each place at which a name stands, the words that it names if it is a memory,
// the one with most indices first.
func (e *Expr) Words(name string) (all [][]string) {
	var mine []string
	for at := e; ; at = at.args[0] {
		if at.word != "" {
			mine = append(mine, at.word)
		}
		if at.Op == "name" && at.Name == name {
			all = append(all, mine)
			if at != e && len(e.args) > 1 {
				all = append(all, e.args[1].Words(name)...)
			}
			return all
		}
		if at.Op != "index" && at.Op != "slice" {
			break
		}
	}
	for _, a := range e.args {
		all = append(all, a.Words(name)...)
	}
	return all
}

// Walk calls a function with each node until it returns false.
func (e *Expr) Walk(visit func(*Expr) bool) bool {
	if !visit(e) {
		return false
	}
	for _, a := range e.args {
		if !a.Walk(visit) {
			return false
		}
	}
	return true
}
