package changes

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// expression is all that stands behind an assignment, or between the brackets of a condition. A
// copy of it with a change stands beside it where both have the same width and sign.
type expression struct {
	from, to  int // tokens
	condition bool
	reset     bool
}

// fixed is a constant of a module, a localparam.
type fixed struct {
	name     string
	typed    string // what stands before the name
	from, to int    // tokens of the value
	end      int    // the byte behind its declaration
}

// full notes an expression.
func (m *maker) full(from, to int) {
	if from < to && m.at(from) != "'{" {
		m.exprs = append(m.exprs, expression{from, to, false, m.inReset})
	} else {
		m.uses(from, to)
	}
}

func (m *maker) condition(from, to int) {
	m.exprs = append(m.exprs, expression{from, to, true, false})
}

// uses notes names where a value cannot be chosen.
func (m *maker) uses(from, to int) {
	for i := from; i < to; i++ {
		m.used[m.at(i)] = true
	}
}

// localparam notes the constants that are declared.
func (m *maker) localparam() {
	m.i++
	from := m.i
	to := m.endOf("=")
	m.uses(from, to-1)
	typed := m.plain(from, to-1, nil)
	var all []fixed
	for {
		m.until("=")
		f := fixed{name: m.at(m.i - 1), typed: typed, from: m.i + 1}
		m.i++
		f.to = m.endOf(",", ";")
		m.i = f.to + 1
		all = append(all, f)
		if m.at(f.to) == ";" {
			break
		}
	}
	for _, f := range all {
		if slices.ContainsFunc(m.fixed, func(g fixed) bool { return g.name == f.name }) {
			m.used[f.name] = true // of two blocks: which of them a name means is not looked up
		}
		f.end = m.all[m.i-1].end()
		m.fixed = append(m.fixed, f)
	}
}

// other is a change of a token.
type other struct {
	at         int // the token
	kind, what string
	replaced   map[int]string
}

// constants makes changes of constants that only values depend on: other constants are computed
// from them anew. Where a width depends on one, it stays.
func (m *maker) constants() {
	for k := range m.fixed {
		f := &m.fixed[k]
		affected := map[string]bool{f.name: true}
		for _, g := range m.fixed[k+1:] {
			if m.names(g.from, g.to, affected) {
				affected[g.name] = true
			}
		}
		chosen := false
		for i := range m.exprs {
			chosen = chosen || m.names(m.exprs[i].from, m.exprs[i].to, affected)
		}
		for name := range affected {
			chosen = chosen && !m.used[name]
		}
		if !chosen {
			continue
		}
		for _, o := range m.others(f.from, f.to) {
			on := m.add(m.all[o.at].at, "constant", f.name+": "+o.what)
			if on == "" {
				continue
			}
			m.insert(f.end, fmt.Sprintf(" localparam %s %s_%s = %s;", f.typed, f.name, on, m.plain(f.from, f.to, o.replaced)))
			for _, g := range m.fixed[k+1:] {
				if affected[g.name] {
					m.insert(g.end, fmt.Sprintf(" localparam %s %s_%s = %s;", g.typed, g.name, on, m.plain(g.from, g.to, m.renamed(g.from, g.to, affected, on))))
				}
			}
			m.recomputed = append(m.recomputed, recomputed{on, affected})
		}
	}
}

// recomputed is a change of a constant, and the constants that follow from it.
type recomputed struct {
	on       string
	affected map[string]bool
}

// names reports whether tokens name any of these constants.
func (m *maker) names(from, to int, constants map[string]bool) bool {
	return slices.ContainsFunc(m.all[from:to], func(t token) bool { return constants[t.text] })
}

func (m *maker) renamed(from, to int, constants map[string]bool, on string) map[int]string {
	all := map[int]string{}
	for i := from; i < to; i++ {
		if constants[m.at(i)] {
			all[i] = m.at(i) + "_" + on
		}
	}
	return all
}

// expression makes the changes of an expression.
func (m *maker) expression(e *expression) {
	type choice struct{ on, text string }
	var all []choice
	add := func(at int, kind, what, text string) {
		if on := m.add(m.all[at].at, kind, what); on != "" {
			all = append(all, choice{on, text})
		}
	}
	if e.condition {
		add(e.from, "condition", "the condition always holds", "1'b1")
		add(e.from, "condition", "the condition never holds", "1'b0")
		add(e.from, "condition", "the condition is inverted", "!("+m.plain(e.from, e.to, nil)+")")
	}
	for _, o := range m.others(e.from, e.to) {
		kind := o.kind
		if kind == "constant" && e.reset && e.to == e.from+1 {
			kind = "reset value"
		}
		add(o.at, kind, o.what, m.plain(e.from, e.to, o.replaced))
	}
	for _, r := range m.recomputed {
		if m.names(e.from, e.to, r.affected) {
			all = append(all, choice{r.on, m.plain(e.from, e.to, m.renamed(e.from, e.to, r.affected, r.on))})
		}
	}
	if len(all) == 0 {
		return
	}
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s ? (%s) : ", c.on, c.text)
	}
	m.insert(m.all[e.from].at, "("+b.String()+"(")
	m.insert(m.all[e.to-1].end(), "))")
}

// binary and unary are what operators become. Not here is what is the same change as one of the
// netlist: the result of == or of ! inverted is != or no !.
var (
	binary = map[string]string{"+": "-", "-": "+", "*": "+", "&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
		"<<": ">>", ">>": "<<", "<<<": ">>>", ">>>": "<<<"}
	unary = map[string]string{"&": "|", "|": "&", "^": "|", "-": "", "~": ""}
)

// others returns the changes of single tokens.
func (m *maker) others(from, to int) (all []other) {
	width, index := m.widths(from, to)
	for i := from; i < to; i++ {
		if width[i] {
			continue
		}
		t := m.all[i]
		becomes, kind := "", ""
		switch {
		case t.number:
			alone := i > from && i+1 < to && m.at(i-1) == "[" && m.at(i+1) == "]"
			becomes, kind = next(t.text, alone), "constant"
			if becomes == "" {
				continue
			}
		case m.enums[t.text] != nil:
			names := m.enums[t.text]
			becomes, kind = names[(slices.Index(names, t.text)+1)%len(names)], "constant"
			if becomes == t.text {
				continue
			}
		default:
			ok := false
			if index[i] {
				continue
			}
			if kind = "operator"; i > from && m.operand(i-1) {
				becomes, ok = binary[t.text]
			} else {
				becomes, ok = unary[t.text]
			}
			if !ok {
				continue
			}
		}
		what := t.text + " becomes " + becomes
		if becomes == "" {
			what = t.text + " is left out"
		}
		all = append(all, other{at: i, kind: kind, what: what, replaced: map[int]string{i: becomes}})
	}
	return all
}

// operand reports whether an operand ends with this token.
func (m *maker) operand(i int) bool {
	t := m.all[i]
	return t.number || letter(t.text[0]) || t.text[0] == '\\' || t.text[0] == '`' || t.text == ")" || t.text == "]" || t.text == "}"
}

// widths finds the tokens that widths follow from: ranges, how often something is repeated, what
// stands before the ' of a cast. They have to be constant. And it finds those of indices, which
// with another operator might name a bit that is not there.
func (m *maker) widths(from, to int) (is, index map[int]bool) {
	is, index = map[int]bool{}, map[int]bool{}
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			is[i] = true
		}
	}
	type open struct {
		at    int
		text  string
		width bool
	}
	var stack []open
	for i := from; i < to; i++ {
		switch t := m.at(i); t {
		case "(", "[", "{", "'{":
			if n := len(stack); t == "{" && n > 0 && stack[n-1].text == "{" && i > stack[n-1].at+1 && !stack[n-1].width {
				mark(stack[n-1].at+1, i)
			}
			stack = append(stack, open{at: i, text: t})
		case ")", "]", "}":
			if len(stack) == 0 {
				return is, index
			}
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for k := last.at; t == "]" && k < i; k++ {
				index[k] = true
			}
			if t == "]" && last.width || t == ")" && m.at(i+1) == "'" && i+1 < to {
				mark(last.at, i)
			}
		case ":", "+:", "-:", ",":
			if len(stack) > 0 {
				stack[len(stack)-1].width = true
			}
		case "'":
			if i > from {
				mark(i-1, i)
			}
		}
	}
	return is, index
}

// next returns the number after this one, of the same width, or "". An index becomes the one below,
// which there is.
func next(text string, index bool) string {
	switch text {
	case "'0":
		return "'1"
	case "'1":
		return "'0"
	}
	size, digits, based := strings.Cut(strings.ReplaceAll(text, "_", ""), "'")
	base := 10
	if based {
		digits = strings.TrimSpace(strings.TrimLeft(digits, "sS"))
		if digits == "" {
			return ""
		}
		base = map[byte]int{'b': 2, 'o': 8, 'd': 10, 'h': 16}[digits[0]|0x20]
		digits = digits[1:]
	} else {
		digits = size
	}
	if base == 0 {
		return ""
	}
	v, ok := new(big.Int).SetString(strings.TrimSpace(digits), base)
	if !ok {
		return "" // x, z
	}
	if index && v.Sign() > 0 {
		return v.Sub(v, big.NewInt(1)).String()
	}
	v.Add(v, big.NewInt(1))
	if !based {
		return v.String()
	}
	width, ok := new(big.Int).SetString(size, 10)
	if !ok || !width.IsInt64() || width.Int64() > 4096 {
		return ""
	}
	v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width.Int64())), big.NewInt(1)))
	sign := ""
	if strings.ContainsAny(text[strings.IndexByte(text, '\''):], "sS") {
		sign = "s"
	}
	letter := map[int]string{2: "b", 8: "o", 10: "d", 16: "h"}[base]
	value := v.Text(base)
	if base == 2 {
		value = fmt.Sprintf("%0*s", int(width.Int64()), value)
	}
	return size + "'" + sign + letter + value
}
