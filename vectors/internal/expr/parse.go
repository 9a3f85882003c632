package expr

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Error is what is wrong with an expression.
type Error struct {
	At      int    // the place in the text of what it is about, from 0
	Text    string // that
	Problem string
	Help    string // what to write instead
}

func (e *Error) Error() string { return e.Problem }

// tokens matches a token. The first group is a sized number, the second another number, the
// third a name.
var tokens = regexp.MustCompile(`^(?:([0-9]*'[bBhHdD][0-9a-fA-FxX_]+)|(0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*)|([A-Za-z_][\w$]*(?:\[\d+\]\.|\.|[\w$])*)|(->|===|!==|==|!=|<=|>=|<<|>>|&&|\|\||[-~^]?\^|~&|~\||[-+*/%!~&|<>?:()\[\]]))`)

type parser struct {
	text  string
	at    int
	known func(name string) (width int, err error)
	token string
	kind  int // 1 sized number, 2 number, 3 name, 4 operator, 0 end
	begin int // of the token
	depth int
}

// maxWidth bounds the size of a number.
const maxWidth = 1 << 16

// help is for what is no expression at all.
const help = "an expression is as in Verilog: !(a & b), count <= 8, valid -> data != 0, state[1:0] == 2'b01"

// Parse parses an expression. known returns the width of a name, or 0 if that is known only
// later.
func Parse(text string, known func(name string) (int, error)) (e *Expr, err error) {
	p := &parser{text: text, known: known}
	defer func() {
		if r := recover(); r != nil {
			wrong, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			e, err = nil, wrong
		}
	}()
	p.next()
	e = p.ternary()
	if p.kind != 0 {
		p.fail(fmt.Sprintf("%s is not expected here", p.token), help)
	}
	return e, nil
}

// fail ends the parsing at the present token.
func (p *parser) fail(problem, help string) {
	token, at := p.token, p.begin
	if p.kind == 0 {
		token, at = " ", len(p.text)
	}
	panic(&Error{at, token, problem, help})
}

func (p *parser) next() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	p.begin, p.kind, p.token = p.at, 0, ""
	if p.at == len(p.text) {
		return
	}
	m := tokens.FindStringSubmatchIndex(p.text[p.at:])
	if m == nil {
		p.token, p.kind = p.text[p.at:p.at+1], 4
		if p.token == "=" {
			p.fail("= is not an operator", "write == to compare")
		}
		p.fail(fmt.Sprintf("%q is not understood", p.token), help)
	}
	p.token = p.text[p.at : p.at+m[1]]
	for k := 1; k <= 4; k++ {
		if m[2*k] >= 0 {
			p.kind = k
		}
	}
	p.at += m[1]
}

func (p *parser) take(ops ...string) string {
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

func (p *parser) expect(op string) {
	if p.take(op) == "" {
		what := p.token
		if p.kind == 0 {
			what = "the end"
		}
		p.fail(fmt.Sprintf("%s comes where %s is expected", what, op), help)
	}
}

// maxDepth bounds how deep expressions are nested.
const maxDepth = 100

func (p *parser) ternary() *Expr {
	if p.depth++; p.depth > maxDepth {
		p.fail("the expression is nested too deep", "write several statements always")
	}
	defer func() { p.depth-- }()
	e := p.binary(0)
	if p.take("?") != "" {
		a := p.ternary()
		p.expect(":")
		return &Expr{Op: "?:", args: []*Expr{e, a, p.ternary()}}
	}
	return e
}

// levels are the binary operators, those that bind least first.
var levels = [][]string{{"->"}, {"||"}, {"&&"}, {"|"}, {"^", "~^", "^^", "-^"}, {"&"}, {"==", "!=", "===", "!=="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) binary(level int) *Expr {
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
			p.fail(op+" is not an operator", help)
		case "->": // associates to the right
			return &Expr{Op: op, args: []*Expr{e, p.binary(level)}}
		}
		e = &Expr{Op: op, args: []*Expr{e, p.binary(level + 1)}}
	}
}

func (p *parser) unary() *Expr {
	if p.depth++; p.depth > maxDepth {
		p.fail("the expression is nested too deep", "write several statements always")
	}
	defer func() { p.depth-- }()
	switch op := p.take("!", "~", "-", "+", "&", "|", "^", "~&", "~|", "~^"); op {
	case "":
	case "!", "~", "-":
		return &Expr{Op: "u" + op, args: []*Expr{p.unary()}}
	case "+":
		return p.unary()
	default:
		return &Expr{Op: "reduce", Name: op, args: []*Expr{p.unary()}}
	}
	return p.primary()
}

func (p *parser) primary() *Expr {
	at, token := p.begin, p.token
	var e *Expr
	switch p.kind {
	case 1, 2:
		e = &Expr{Op: "number", At: at, value: p.number(token)}
		p.next()
		return e
	case 3:
		width, err := p.known(token)
		if err != nil {
			p.fail(err.Error(), "leave it out")
		}
		p.next()
		e = &Expr{Op: "name", Name: token, At: at}
		whole := token
		for p.take("[") != "" {
			hiAt := p.begin
			index := p.ternary()
			if p.take(":") != "" {
				lo := p.ternary()
				if index.Op != "number" || lo.Op != "number" || index.value.Bits.Cmp(lo.value.Bits) < 0 || index.value.Bits.BitLen() > 24 {
					p.begin, p.token, p.kind = hiAt, p.text[hiAt:hiAt+1], 4
					p.fail("this is not a range of bits", "write numbers, the higher one first: [7:4]")
				}
				hi := int(index.value.Bits.Int64())
				if width > 0 && hi >= width {
					p.begin, p.token, p.kind = hiAt, strconv.Itoa(hi), 4
					p.fail(fmt.Sprintf("%s has no bit %d", token, hi), fmt.Sprintf("it has bits %d to 0", width-1))
				}
				e = &Expr{Op: "slice", hi: hi, lo: int(lo.value.Bits.Int64()), args: []*Expr{e}}
			} else {
				if width > 0 && index.Op == "number" && index.value.Bits.Cmp(big.NewInt(int64(width))) >= 0 {
					p.begin, p.token, p.kind = hiAt, index.value.Bits.String(), 4
					p.fail(fmt.Sprintf("%s has no bit %v", token, index.value.Bits), fmt.Sprintf("it has bits %d to 0", width-1))
				}
				e = &Expr{Op: "index", args: []*Expr{e, index}}
				if whole != "" && index.Op == "number" {
					whole += fmt.Sprintf("[%v]", index.value.Bits)
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
	p.fail(fmt.Sprintf("%s comes where a name or a number is expected", what), help)
	return nil
}

// number returns the value of 12, 0x1f, 0b101, 4'b1x0, 8'hff or 'd5.
func (p *parser) number(token string) Value {
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
		return Value{max(32, n.BitLen()), n, new(big.Int)}
	}
	per := map[byte]int{'b': 1, 'h': 4}[rest[0]]
	l := Value{Bits: new(big.Int), Unknown: new(big.Int)}
	if per == 0 {
		if _, ok := l.Bits.SetString(rest[1:], 10); !ok {
			p.fail(fmt.Sprintf("%s is not a number", token), "after 'd stand decimal digits")
		}
	} else {
		for _, c := range rest[1:] {
			l.Bits.Lsh(l.Bits, uint(per))
			l.Unknown.Lsh(l.Unknown, uint(per))
			if c == 'x' {
				l.Unknown.Or(l.Unknown, ones(per))
				continue
			}
			d, err := strconv.ParseUint(string(c), 16, 8)
			if err != nil || d >= 1<<per {
				p.fail(fmt.Sprintf("%s is not a number", token), fmt.Sprintf("%c is not a digit of it", c))
			}
			l.Bits.Or(l.Bits, new(big.Int).SetUint64(d))
		}
	}
	need := max(l.Bits.BitLen(), l.Unknown.BitLen(), 1)
	l.Width = max(32, need)
	if size != "" {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n > maxWidth || need > n {
			p.fail(fmt.Sprintf("%s does not fit in %s bits", token, size), fmt.Sprintf("it needs %d", need))
		}
		l.Width = n
	}
	return l
}
