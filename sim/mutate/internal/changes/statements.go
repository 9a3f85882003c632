package changes

import (
	"slices"
	"strings"
)

// item goes through an item of a module.
func (m *maker) item() {
	m.understood()
	switch t := m.peek(); t {
	case "assign":
		m.i++
		for {
			m.until("=")
			m.i++
			end := m.endOf(",", ";")
			m.full(m.i, end)
			m.i = end + 1
			if m.at(end) == ";" {
				return
			}
		}
	case "always_ff", "always", "always_comb", "always_latch":
		m.i++
		clocked := t == "always_ff"
		if m.peek() == "@" {
			m.i++
			from := m.i
			if m.peek() == "(" {
				m.pass()
			} else {
				m.i++
			}
			for k := from; k < m.i; k++ {
				clocked = clocked || m.at(k) == "posedge" || m.at(k) == "negedge"
			}
		}
		m.combine, m.before, m.nesting = !clocked, map[string]bool{}, 0
		m.statement()
	case "initial", "final":
		m.i++
		m.skipStatement()
	case "function":
		m.to("endfunction")
	case "task":
		m.to("endtask")
	case "typedef":
		m.enumeration()
	case "localparam":
		m.localparam()
	case "generate", "endgenerate", "begin", "end", "else", "endmodule":
		if m.i++; (t == "begin" || t == "end") && m.peek() == ":" {
			m.i += 2
		}
	case "if", "for", "case":
		m.i++
		m.uses(m.i, m.i+1)
		m.pass()
	default:
		from := m.i
		m.to(";")
		m.uses(from, m.i)
	}
}

// enumeration notes the names of an enumeration.
func (m *maker) enumeration() {
	m.i++
	if m.peek() != "enum" {
		from := m.i
		m.to(";")
		m.uses(from, m.i)
		return
	}
	for m.peek() != "{" {
		m.pass()
	}
	m.i++
	var names []string
	for m.peek() != "}" {
		names = append(names, m.peek())
		for m.i++; m.peek() != "," && m.peek() != "}"; {
			m.pass()
		}
		if m.peek() == "," {
			m.i++
		}
	}
	for _, n := range names {
		m.enums[n] = names
	}
	m.to(";")
}

// until goes to the next token with this text that is in no brackets.
func (m *maker) until(text string) {
	for m.peek() != text {
		m.pass()
	}
}

// endOf returns the next token with one of these texts that is in no brackets.
func (m *maker) endOf(texts ...string) int {
	from := m.i
	defer func() { m.i = from }()
	for !slices.Contains(texts, m.peek()) {
		m.pass()
	}
	return m.i
}

// declares are words that begin a declaration in a block.
var declares = []string{"logic", "int", "bit", "integer", "automatic", "static", "byte", "reg", "genvar", "localparam", "string"}

// foreign are words that begin a statement without changes, which need not be understood.
var foreign = []string{"foreach", "while", "repeat", "forever", "do", "fork", "wait", "disable", "return", "break", "continue", "force", "release"}

// understood panics if what begins here is not understood.
func (m *maker) understood() {
	if t := m.peek(); slices.Contains(foreign, t) || t[0] == '`' {
		panic(fault{m.all[m.i].at, t})
	}
}

// statement makes the changes of a statement.
func (m *maker) statement() {
	m.understood()
	switch t := m.peek(); t {
	case "begin":
		m.block()
	case "if":
		m.ifStatement()
	case "unique", "unique0", "priority":
		m.i++
		m.statement()
	case "case", "casez", "casex":
		m.caseStatement()
	case "for":
		m.i++
		m.pass()
		m.inner(m.statement)
	case ";":
		m.i++
	case "assert", "assume", "cover":
		m.skipStatement()
	default:
		if strings.HasPrefix(t, "$") || slices.Contains(declares, t) {
			from := m.i
			m.to(";")
			m.uses(from, m.i)
			return
		}
		m.assignment()
	}
}

// inner goes through a statement that is not always run.
func (m *maker) inner(do func()) {
	m.nesting++
	do()
	m.nesting--
}

func (m *maker) block() {
	m.take("begin")
	if m.peek() == ":" {
		m.i += 2
	}
	for m.peek() != "end" {
		m.statement()
	}
	if m.i++; m.peek() == ":" {
		m.i += 2
	}
}

// skipStatement goes behind a statement without changes in it.
func (m *maker) skipStatement() {
	exprs, quiet := len(m.exprs), m.quiet
	defer func() { m.exprs, m.quiet = m.exprs[:exprs], quiet }()
	m.quiet = true
	from := m.i
	switch t := m.peek(); t {
	case "assert", "assume", "cover":
		m.i++
		if m.peek() == "final" || m.at(m.i) == "#" {
			m.i += 1
		}
		m.pass()
		if m.peek() == ";" {
			m.i++
		} else if m.peek() != "else" {
			m.skipStatement()
		}
		if m.peek() == "else" {
			m.i++
			m.skipStatement()
		}
	default:
		if strings.HasPrefix(t, "$") || t == "@" || t == "#" || t == "forever" || t == "repeat" || t == "while" {
			m.to(";")
		} else {
			m.statement()
		}
	}
	m.uses(from, m.i)
}

// ifStatement makes changes of a condition, and of what depends on it.
func (m *maker) ifStatement() {
	m.i++
	open := m.i
	m.pass()
	m.condition(open+1, m.i-1)
	condition := strings.ToLower(m.plain(open+1, m.i-1, nil))
	reset := m.inReset
	m.inReset = reset || m.i-open <= 4 && (strings.Contains(condition, "rst") || strings.Contains(condition, "reset"))
	m.inner(m.statement)
	m.inReset = reset
	if m.peek() == "else" {
		m.i++
		m.inner(m.statement)
	}
}

// caseStatement makes changes that leave out one case. It needs to be known what happens then: a
// default, or in a clocked block nothing.
func (m *maker) caseStatement() {
	from := m.i
	if p := m.at(from - 1); p == "unique" || p == "unique0" || p == "priority" {
		from--
	}
	keyword := m.i
	m.i++
	m.full(m.i+1, m.closing())
	m.pass()
	if m.peek() == "inside" {
		panic(fault{m.all[m.i].at, "case inside"})
	}
	type part struct{ from, colon, to int }
	var items []part
	other := !m.combine
	body := m.i
	for m.peek() != "endcase" {
		p := part{from: m.i}
		if m.peek() == "default" {
			other = true
			if m.i++; m.peek() == ":" {
				m.i++
			}
			p.from = -1
		} else {
			p.colon = m.endOf(":")
			m.uses(p.from, p.colon)
			m.i = p.colon + 1
		}
		m.inner(m.statement)
		if p.to = m.i; p.from >= 0 {
			items = append(items, p)
		}
	}
	m.i++
	if !other || from != keyword {
		return
	}
	var before strings.Builder
	for _, p := range items {
		name := m.add(m.all[p.from].at, "case", "the case "+m.plain(p.from, p.colon, nil)+" is left out")
		if name != "" {
			before.WriteString("if (" + name + ") " + m.plain(keyword, body, nil) + " " + m.plain(body, p.from, nil) + " " + m.plain(p.to, m.i, nil) + " else ")
		}
	}
	if before.Len() > 0 {
		m.insert(m.all[keyword].at, "begin "+before.String())
		m.insert(m.all[m.i-1].end(), " end")
	}
}

// closing returns the token that closes the bracket which is next.
func (m *maker) closing() int {
	from := m.i
	m.pass()
	to := m.i - 1
	m.i = from
	return to
}

// assignment makes changes of an assignment, and one that leaves it out. In a combinational block a
// signal must have been assigned before, for else it would become a latch.
func (m *maker) assignment() {
	from := m.i
	for !slices.Contains([]string{"=", "<=", ";", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "<<<=", ">>>="}, m.peek()) {
		m.pass()
	}
	operator := m.i
	target := m.plain(from, operator, nil)
	m.uses(from, operator)
	end := m.endOf(";")
	name := m.at(from)
	if m.at(operator) == "=" || m.at(operator) == "<=" {
		if m.at(operator+1) == "#" {
			panic(fault{m.all[operator+1].at, "a delay"})
		}
		m.full(operator+1, end)
		known := !m.combine || m.before[name]
		if simple := operator == from+1 && m.nesting == 0; simple {
			m.before[name] = true
		}
		if known {
			if on := m.add(m.all[from].at, "assignment", "the assignment to "+target+" is left out"); on != "" {
				m.insert(m.all[from].at, "begin if (!"+on+") ")
				m.insert(m.all[end].end(), " end")
			}
		}
	}
	m.i = end + 1
}
