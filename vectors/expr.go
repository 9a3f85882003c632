package vectors

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

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

// exprError is what is wrong with an expression.
type exprError struct {
	at                  int
	text, problem, help string
}

func (e *exprError) Error() string { return e.problem }

// exprToken matches a token. The first group is a sized number, the second another number, the
// third a name.
var exprToken = regexp.MustCompile(`^(?:([0-9]*'[bBhHdD][0-9a-fA-FxX_]+)|(0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*)|([A-Za-z_][\w$]*(?:\[\d+\]\.|\.|[\w$])*)|(->|===|!==|==|!=|<=|>=|<<|>>|&&|\|\||[-~^]?\^|~&|~\||[-+*/%!~&|<>?:()\[\]]))`)

type exprParser struct {
	text  string
	at    int
	known func(name string) (width int, err error)
	token string
	kind  int // 1 sized number, 2 number, 3 name, 4 operator, 0 end
	begin int // of the token
	depth int
}

const exprHelp = "an expression is as in Verilog: !(a & b), count <= 8, valid -> data != 0, state[1:0] == 2'b01"

// parseExpr parses an expression. known returns the width of a name, or 0 if that is known only
// later.
func parseExpr(text string, known func(name string) (int, error)) (e *expr, err error) {
	p := &exprParser{text: text, known: known}
	defer func() {
		if r := recover(); r != nil {
			wrong, ok := r.(*exprError)
			if !ok {
				panic(r)
			}
			e, err = nil, wrong
		}
	}()
	p.next()
	e = p.ternary()
	if p.kind != 0 {
		p.fail(fmt.Sprintf("%s is not expected here", p.token), exprHelp)
	}
	return e, nil
}

// fail ends the parsing at the present token.
func (p *exprParser) fail(problem, help string) {
	token, at := p.token, p.begin
	if p.kind == 0 {
		token, at = " ", len(p.text)
	}
	panic(&exprError{at, token, problem, help})
}

func (p *exprParser) next() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	p.begin, p.kind, p.token = p.at, 0, ""
	if p.at == len(p.text) {
		return
	}
	m := exprToken.FindStringSubmatchIndex(p.text[p.at:])
	if m == nil {
		p.token, p.kind = p.text[p.at:p.at+1], 4
		if p.token == "=" {
			p.fail("= is not an operator", "write == to compare")
		}
		p.fail(fmt.Sprintf("%q is not understood", p.token), exprHelp)
	}
	p.token = p.text[p.at : p.at+m[1]]
	for k := 1; k <= 4; k++ {
		if m[2*k] >= 0 {
			p.kind = k
		}
	}
	p.at += m[1]
}

func (p *exprParser) take(ops ...string) string {
	if p.kind == 4 {
		for _, o := range ops {
			if p.token == o {
				p.next()
				return o
			}
		}
	}
	return ""
}

func (p *exprParser) expect(op string) {
	if p.take(op) == "" {
		what := p.token
		if p.kind == 0 {
			what = "the end"
		}
		p.fail(fmt.Sprintf("%s comes where %s is expected", what, op), exprHelp)
	}
}

// maxDepth bounds how deep expressions are nested.
const maxDepth = 100

func (p *exprParser) ternary() *expr {
	if p.depth++; p.depth > maxDepth {
		p.fail("the expression is nested too deep", "write several statements always")
	}
	defer func() { p.depth-- }()
	e := p.binary(0)
	if p.take("?") != "" {
		a := p.ternary()
		p.expect(":")
		return &expr{op: "?:", args: []*expr{e, a, p.ternary()}}
	}
	return e
}

// levels are the binary operators, those that bind least first.
var levels = [][]string{{"->"}, {"||"}, {"&&"}, {"|"}, {"^", "~^", "^^", "-^"}, {"&"}, {"==", "!=", "===", "!=="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *exprParser) binary(level int) *expr {
	if level == len(levels) {
		return p.unary()
	}
	e := p.binary(level + 1)
	for {
		at := p.begin
		op := p.take(levels[level]...)
		switch op {
		case "":
			return e
		case "^^", "-^":
			p.begin, p.token, p.kind = at, op, 4
			p.fail(op+" is not an operator", exprHelp)
		case "->": // associates to the right
			return &expr{op: op, args: []*expr{e, p.binary(level)}}
		}
		e = &expr{op: op, args: []*expr{e, p.binary(level + 1)}}
	}
}

func (p *exprParser) unary() *expr {
	if p.depth++; p.depth > maxDepth {
		p.fail("the expression is nested too deep", "write several statements always")
	}
	defer func() { p.depth-- }()
	switch op := p.take("!", "~", "-", "+", "&", "|", "^", "~&", "~|", "~^"); op {
	case "":
	case "!", "~", "-":
		return &expr{op: "u" + op, args: []*expr{p.unary()}}
	case "+":
		return p.unary()
	default:
		return &expr{op: "reduce", name: op, args: []*expr{p.unary()}}
	}
	return p.primary()
}

func (p *exprParser) primary() *expr {
	at, token := p.begin, p.token
	var e *expr
	switch p.kind {
	case 1, 2:
		e = &expr{op: "number", at: at, value: p.number(token)}
		p.next()
		return e
	case 3:
		width, err := p.known(token)
		if err != nil {
			p.fail(err.Error(), "leave it out")
		}
		p.next()
		e = &expr{op: "name", name: token, at: at}
		whole := token
		for p.take("[") != "" {
			hiAt := p.begin
			index := p.ternary()
			if p.take(":") != "" {
				lo := p.ternary()
				if index.op != "number" || lo.op != "number" || index.value.bits.Cmp(lo.value.bits) < 0 || index.value.bits.BitLen() > 24 {
					p.begin, p.token, p.kind = hiAt, p.text[hiAt:hiAt+1], 4
					p.fail("this is not a range of bits", "write numbers, the higher one first: [7:4]")
				}
				hi := int(index.value.bits.Int64())
				if width > 0 && hi >= width {
					p.begin, p.token, p.kind = hiAt, strconv.Itoa(hi), 4
					p.fail(fmt.Sprintf("%s has no bit %d", token, hi), fmt.Sprintf("it has bits %d to 0", width-1))
				}
				e = &expr{op: "slice", hi: hi, lo: int(lo.value.bits.Int64()), args: []*expr{e}}
			} else {
				if width > 0 && index.op == "number" && index.value.bits.Cmp(big.NewInt(int64(width))) >= 0 {
					p.begin, p.token, p.kind = hiAt, index.value.bits.String(), 4
					p.fail(fmt.Sprintf("%s has no bit %v", token, index.value.bits), fmt.Sprintf("it has bits %d to 0", width-1))
				}
				e = &expr{op: "index", args: []*expr{e, index}}
				if whole != "" && index.op == "number" {
					whole += fmt.Sprintf("[%v]", index.value.bits)
					e.word = whole
				} else {
					whole = ""
				}
			}
			p.expect("]")
			width = 0
		}
		return e
	}
	if p.take("(") != "" {
		e = p.ternary()
		p.expect(")")
		return e
	}
	what := token
	if p.kind == 0 {
		what = "the end"
	}
	p.fail(fmt.Sprintf("%s comes where a name or a number is expected", what), exprHelp)
	return nil
}

// number returns the value of 12, 0x1f, 0b101, 4'b1x0, 8'hff or 'd5.
func (p *exprParser) number(token string) logic {
	clean := strings.ToLower(strings.ReplaceAll(token, "_", ""))
	size, rest, sized := strings.Cut(clean, "'")
	if !sized {
		n, ok := new(big.Int).SetString(clean, 0)
		if len(clean) > 1 && clean[0] == '0' && clean[1] != 'x' && clean[1] != 'b' {
			n, ok = new(big.Int).SetString(clean, 10)
		}
		if !ok {
			p.fail(fmt.Sprintf("%s is not a number", token), "decimal, 0x, 0b, or as in Verilog: 8'hff")
		}
		return logic{max(32, n.BitLen()), n, new(big.Int)}
	}
	per := map[byte]int{'b': 1, 'h': 4}[rest[0]]
	l := logic{bits: new(big.Int), unknown: new(big.Int)}
	if per == 0 {
		if _, ok := l.bits.SetString(rest[1:], 10); !ok {
			p.fail(fmt.Sprintf("%s is not a number", token), "after 'd stand decimal digits")
		}
	} else {
		for _, c := range rest[1:] {
			l.bits.Lsh(l.bits, uint(per))
			l.unknown.Lsh(l.unknown, uint(per))
			if c == 'x' {
				l.unknown.Or(l.unknown, ones(per))
				continue
			}
			d, err := strconv.ParseUint(string(c), 16, 8)
			if err != nil || d >= 1<<per {
				p.fail(fmt.Sprintf("%s is not a number", token), fmt.Sprintf("%c is not a digit of it", c))
			}
			l.bits.Or(l.bits, new(big.Int).SetUint64(d))
		}
	}
	need := max(l.bits.BitLen(), l.unknown.BitLen(), 1)
	l.width = max(32, need)
	if size != "" {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n > maxWidth || need > n {
			p.fail(fmt.Sprintf("%s does not fit in %s bits", token, size), fmt.Sprintf("it needs %d", need))
		}
		l.width = n
	}
	return l
}

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
