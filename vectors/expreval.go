package vectors

import "math/big"

// eval returns the value of an expression.
func (e *expr) eval(lookup func(name string) logic) logic {
	switch e.op {
	case "number":
		return e.value
	case "name":
		return lookup(e.name)
	case "&&", "||", "->":
		a := e.args[0].eval(lookup).truth()
		b := e.args[1].eval(lookup).truth()
		switch e.op {
		case "&&":
			return and(a, b).logic()
		case "||":
			return and(a.not(), b.not()).not().logic()
		}
		return and(a, b.not()).not().logic()
	case "?:":
		switch e.args[0].eval(lookup).truth() {
		case yes:
			return e.args[1].eval(lookup)
		case no:
			return e.args[2].eval(lookup)
		}
		a, b := e.args[1].eval(lookup), e.args[2].eval(lookup)
		w := max(a.width, b.width)
		differ := new(big.Int).Xor(a.bits, b.bits)
		hidden := differ.Or(differ, a.unknown).Or(differ, b.unknown)
		return logic{w, new(big.Int).AndNot(a.bits, hidden), hidden}
	}
	if e.word != "" {
		if w := lookup(e.word); w.width > 0 {
			return w
		}
	}
	a := e.args[0].eval(lookup)
	switch e.op {
	case "u!":
		return a.truth().not().logic()
	case "u~":
		return logic{a.width, new(big.Int).AndNot(ones(a.width), new(big.Int).Or(a.bits, a.unknown)), a.unknown}
	case "u-":
		if a.unknown.Sign() != 0 {
			return hidden(a.width)
		}
		n := new(big.Int).Neg(a.bits)
		return logic{a.width, n.And(n, ones(a.width)), a.unknown}
	case "reduce":
		return reduce(e.name, a)
	case "slice":
		w := e.hi - e.lo + 1
		if e.hi >= a.width { // the width was not known when this was parsed
			return hidden(w)
		}
		cut := func(n *big.Int) *big.Int { n = new(big.Int).Rsh(n, uint(e.lo)); return n.And(n, ones(w)) }
		return logic{w, cut(a.bits), cut(a.unknown)}
	}
	b := e.args[1].eval(lookup)
	if e.op == "index" {
		if b.unknown.Sign() != 0 || b.bits.Cmp(big.NewInt(int64(a.width))) >= 0 {
			return unknown.logic()
		}
		i := int(b.bits.Int64())
		return logic{1, big.NewInt(int64(a.bits.Bit(i))), big.NewInt(int64(a.unknown.Bit(i)))}
	}
	return binary(e.op, a, b)
}

// hidden returns a value of which nothing is known.
func hidden(width int) logic { return logic{width, new(big.Int), ones(width)} }

// reduce returns an operation on all bits of a value.
func reduce(op string, a logic) logic {
	t := unknown
	switch op[len(op)-1] {
	case '&':
		zeros := new(big.Int).AndNot(ones(a.width), new(big.Int).Or(a.bits, a.unknown))
		if zeros.Sign() != 0 {
			t = no
		} else if a.unknown.Sign() == 0 {
			t = yes
		}
	case '|':
		t = a.truth()
	case '^':
		if a.unknown.Sign() == 0 {
			odd := 0
			for i := range a.bits.BitLen() {
				odd ^= int(a.bits.Bit(i))
			}
			t = truth(odd)
		}
	}
	if len(op) > 1 {
		t = t.not()
	}
	return t.logic()
}

// binary returns an operation on two values.
func binary(op string, a, b logic) logic {
	w := max(a.width, b.width)
	anyUnknown := a.unknown.Sign() != 0 || b.unknown.Sign() != 0
	switch op {
	case "&":
		bits := new(big.Int).And(a.bits, b.bits)
		may := new(big.Int).And(new(big.Int).Or(a.bits, a.unknown), new(big.Int).Or(b.bits, b.unknown))
		return logic{w, bits, may.AndNot(may, bits)}
	case "|":
		bits := new(big.Int).Or(a.bits, b.bits)
		may := new(big.Int).Or(a.unknown, b.unknown)
		return logic{w, bits, may.AndNot(may, bits)}
	case "^", "~^":
		hidden := new(big.Int).Or(a.unknown, b.unknown)
		bits := new(big.Int).Xor(a.bits, b.bits)
		if op == "~^" {
			bits.Xor(bits, ones(w))
		}
		return logic{w, bits.AndNot(bits, hidden), hidden}
	case "===", "!==":
		same := a.bits.Cmp(b.bits) == 0 && a.unknown.Cmp(b.unknown) == 0
		if same == (op == "===") {
			return yes.logic()
		}
		return no.logic()
	case "==", "!=":
		x := new(big.Int).Xor(a.bits, b.bits)
		known := new(big.Int).Or(a.unknown, b.unknown)
		t := yes
		if x.AndNot(x, known).Sign() != 0 {
			t = no // a bit that is known differs
		} else if anyUnknown {
			t = unknown
		}
		if op == "!=" {
			t = t.not()
		}
		return t.logic()
	}
	if anyUnknown {
		switch op {
		case "<", "<=", ">", ">=":
			return unknown.logic()
		case "<<", ">>":
			return hidden(a.width)
		}
		return hidden(w)
	}
	n := new(big.Int)
	switch op {
	case "<", "<=", ">", ">=":
		c := a.bits.Cmp(b.bits)
		holds := map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]
		if holds {
			return yes.logic()
		}
		return no.logic()
	case "<<", ">>":
		if b.bits.Cmp(big.NewInt(int64(a.width))) >= 0 {
			return logic{a.width, n, new(big.Int)}
		}
		if w = a.width; op == "<<" {
			n.Lsh(a.bits, uint(b.bits.Int64()))
		} else {
			n.Rsh(a.bits, uint(b.bits.Int64()))
		}
	case "+":
		n.Add(a.bits, b.bits)
	case "-":
		n.Sub(a.bits, b.bits)
	case "*":
		n.Mul(a.bits, b.bits)
	case "/", "%":
		if b.bits.Sign() == 0 {
			return hidden(w)
		}
		if op == "/" {
			n.Div(a.bits, b.bits)
		} else {
			n.Mod(a.bits, b.bits)
		}
	}
	return logic{w, n.And(n, ones(w)), new(big.Int)}
}
