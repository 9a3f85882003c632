package expr

import "math/big"

// Eval returns the value of an expression.
func (e *Expr) Eval(lookup func(name string) Value) Value {
	switch e.Op {
	case "number":
		return e.value
	case "name":
		return lookup(e.Name)
	case "&&", "||", "->":
		a := e.args[0].Eval(lookup).Truth()
		b := e.args[1].Eval(lookup).Truth()
		switch e.Op {
		case "&&":
			return and(a, b).value()
		case "||":
			return and(a.not(), b.not()).not().value()
		}
		return and(a, b.not()).not().value()
	case "?:":
		switch e.args[0].Eval(lookup).Truth() {
		case Yes:
			return e.args[1].Eval(lookup)
		case No:
			return e.args[2].Eval(lookup)
		}
		a, b := e.args[1].Eval(lookup), e.args[2].Eval(lookup)
		w := max(a.Width, b.Width)
		differ := new(big.Int).Xor(a.Bits, b.Bits)
		hidden := differ.Or(differ, a.Unknown).Or(differ, b.Unknown)
		return Value{w, new(big.Int).AndNot(a.Bits, hidden), hidden}
	}
	if e.word != "" {
		if w := lookup(e.word); w.Width > 0 {
			return w
		}
	}
	a := e.args[0].Eval(lookup)
	switch e.Op {
	case "u!":
		return a.Truth().not().value()
	case "u~":
		return Value{a.Width, new(big.Int).AndNot(ones(a.Width), new(big.Int).Or(a.Bits, a.Unknown)), a.Unknown}
	case "u-":
		if a.Unknown.Sign() != 0 {
			return hidden(a.Width)
		}
		n := new(big.Int).Neg(a.Bits)
		return Value{a.Width, n.And(n, ones(a.Width)), a.Unknown}
	case "reduce":
		return reduce(e.Name, a)
	case "slice":
		w := e.hi - e.lo + 1
		if e.hi >= a.Width { // the width was not known when this was parsed
			return hidden(w)
		}
		cut := func(n *big.Int) *big.Int { n = new(big.Int).Rsh(n, uint(e.lo)); return n.And(n, ones(w)) }
		return Value{w, cut(a.Bits), cut(a.Unknown)}
	}
	b := e.args[1].Eval(lookup)
	if e.Op == "index" {
		if b.Unknown.Sign() != 0 || b.Bits.Cmp(big.NewInt(int64(a.Width))) >= 0 {
			return Unknown.value()
		}
		i := int(b.Bits.Int64())
		return Value{1, big.NewInt(int64(a.Bits.Bit(i))), big.NewInt(int64(a.Unknown.Bit(i)))}
	}
	return binary(e.Op, a, b)
}

// hidden returns a value of which nothing is known.
func hidden(width int) Value { return Value{width, new(big.Int), ones(width)} }

// reduce returns an operation on all bits of a value.
func reduce(op string, a Value) Value {
	t := Unknown
	switch op[len(op)-1] {
	case '&':
		zeros := new(big.Int).AndNot(ones(a.Width), new(big.Int).Or(a.Bits, a.Unknown))
		if zeros.Sign() != 0 {
			t = No
		} else if a.Unknown.Sign() == 0 {
			t = Yes
		}
	case '|':
		t = a.Truth()
	case '^':
		if a.Unknown.Sign() == 0 {
			odd := 0
			for i := range a.Bits.BitLen() {
				odd ^= int(a.Bits.Bit(i))
			}
			t = Truth(odd)
		}
	}
	if len(op) > 1 {
		t = t.not()
	}
	return t.value()
}

// binary returns an operation on two values.
func binary(op string, a, b Value) Value {
	w := max(a.Width, b.Width)
	anyUnknown := a.Unknown.Sign() != 0 || b.Unknown.Sign() != 0
	switch op {
	case "&":
		bits := new(big.Int).And(a.Bits, b.Bits)
		may := new(big.Int).And(new(big.Int).Or(a.Bits, a.Unknown), new(big.Int).Or(b.Bits, b.Unknown))
		return Value{w, bits, may.AndNot(may, bits)}
	case "|":
		bits := new(big.Int).Or(a.Bits, b.Bits)
		may := new(big.Int).Or(a.Unknown, b.Unknown)
		return Value{w, bits, may.AndNot(may, bits)}
	case "^", "~^":
		hidden := new(big.Int).Or(a.Unknown, b.Unknown)
		bits := new(big.Int).Xor(a.Bits, b.Bits)
		if op == "~^" {
			bits.Xor(bits, ones(w))
		}
		return Value{w, bits.AndNot(bits, hidden), hidden}
	case "===", "!==":
		same := a.Bits.Cmp(b.Bits) == 0 && a.Unknown.Cmp(b.Unknown) == 0
		if same == (op == "===") {
			return Yes.value()
		}
		return No.value()
	case "==", "!=":
		x := new(big.Int).Xor(a.Bits, b.Bits)
		known := new(big.Int).Or(a.Unknown, b.Unknown)
		t := Yes
		if x.AndNot(x, known).Sign() != 0 {
			t = No // a bit that is known differs
		} else if anyUnknown {
			t = Unknown
		}
		if op == "!=" {
			t = t.not()
		}
		return t.value()
	}
	if anyUnknown {
		switch op {
		case "<", "<=", ">", ">=":
			return Unknown.value()
		case "<<", ">>":
			return hidden(a.Width)
		}
		return hidden(w)
	}
	n := new(big.Int)
	switch op {
	case "<", "<=", ">", ">=":
		c := a.Bits.Cmp(b.Bits)
		holds := map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]
		if holds {
			return Yes.value()
		}
		return No.value()
	case "<<", ">>":
		if b.Bits.Cmp(big.NewInt(int64(a.Width))) >= 0 {
			return Value{a.Width, n, new(big.Int)}
		}
		if w = a.Width; op == "<<" {
			n.Lsh(a.Bits, uint(b.Bits.Int64()))
		} else {
			n.Rsh(a.Bits, uint(b.Bits.Int64()))
		}
	case "+":
		n.Add(a.Bits, b.Bits)
	case "-":
		n.Sub(a.Bits, b.Bits)
	case "*":
		n.Mul(a.Bits, b.Bits)
	case "/", "%":
		if b.Bits.Sign() == 0 {
			return hidden(w)
		}
		if op == "/" {
			n.Div(a.Bits, b.Bits)
		} else {
			n.Mod(a.Bits, b.Bits)
		}
	}
	return Value{w, n.And(n, ones(w)), new(big.Int)}
}
