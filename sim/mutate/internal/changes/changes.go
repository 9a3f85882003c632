// Package changes makes single changes in the text of SystemVerilog modules: another operator or
// constant, a condition that always or never holds, an assignment or a case that is left out. All
// are in one text. Each has an input of its own that switches it on, so that all of them together
// need to be synthesised only once:
//
//	assign level = a & b;
//	assign level = (cosimate_change_1 ? ( a | b ) : ( a & b ));
//
// What cannot be chosen while the hardware runs is not changed: widths, parameters, generate
// blocks.
package changes

import (
	"fmt"
	"slices"
	"strings"
)

// Change is one of them.
type Change struct {
	Number int
	Line   int
	Column int
	Kind   string // operator, constant, condition, case, assignment, reset value
	What   string // in words
}

// Prefix begins the names of the instances that switch changes on; their numbers end them.
const Prefix = "cosimate_change_"

// Source is the module of these instances. Yosys does not know what A is until it has flattened the
// design, so that a cell remains of each: its output is 0, and a change is there where it is 1.
const Source = "module cosimate_change (input wire A, output wire Y);\n  assign Y = ~A;\nendmodule\n"

// File is a source with changes.
type File struct {
	Text    string
	Changes []Change
	Notes   []string // what was not understood, and has no changes
}

// edit is text that is put at a place.
type edit struct {
	at   int
	text string
}

// maker makes changes in one file.
type maker struct {
	text    string
	all     []token
	i       int // the token that is read next
	file    *File
	number  int
	edits   []edit
	quiet   bool // no changes are made
	enums   map[string][]string
	begin   int // where the module's body begins
	combine bool
	inReset bool
	before  map[string]bool // assigned in this combinational block before
	nesting int
	fixed   []fixed
	exprs   []expression
	used    map[string]bool // names where a value cannot be chosen
	// recomputed are the changes of constants
	recomputed []recomputed
}

// fault is a text that is not understood.
type fault struct {
	at   int
	what string
}

// Make makes all changes of a file, numbered from first on.
func Make(text string, first int) *File {
	m := &maker{text: text, all: tokens(text), file: &File{}, number: first}
	for m.i < len(m.all) {
		if m.all[m.i].text == "module" {
			m.module()
		} else {
			m.i++
		}
	}
	slices.SortStableFunc(m.edits, func(a, b edit) int { return a.at - b.at })
	var b strings.Builder
	at := 0
	for _, e := range m.edits {
		b.WriteString(text[at:e.at])
		b.WriteString(e.text)
		at = e.at
	}
	b.WriteString(text[at:])
	m.file.Text = b.String()
	return m.file
}

// module makes the changes of a module. If its text is not understood, there are none.
func (m *maker) module() {
	edits, changes, number := len(m.edits), len(m.file.Changes), m.number
	start := m.i
	name := m.at(m.i + 1)
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			m.edits, m.file.Changes, m.number = m.edits[:edits], m.file.Changes[:changes], number
			m.file.Notes = append(m.file.Notes, fmt.Sprintf("line %d: %s: no changes of the source of module %s", m.line(f.at), f.what, name))
			for m.i = start + 1; m.i < len(m.all) && m.at(m.i) != "endmodule"; m.i++ {
			}
		}
	}()
	m.enums, m.exprs, m.quiet = map[string][]string{}, nil, false
	m.fixed, m.used, m.recomputed, m.before = nil, map[string]bool{}, nil, map[string]bool{}
	m.to(";")
	m.begin = m.all[m.i-1].end()
	for m.peek() != "endmodule" {
		m.item()
	}
	m.i++
	m.constants()
	for i := range m.exprs {
		m.expression(&m.exprs[i])
	}
	var b strings.Builder
	for _, c := range m.file.Changes[changes:] {
		n := fmt.Sprint(Prefix, c.Number)
		fmt.Fprintf(&b, " wire %s; cosimate_change %s_on (.A(1'b1), .Y(%s));", n, n, n)
	}
	m.insert(m.begin, b.String())
}

func (m *maker) insert(at int, text string) { m.edits = append(m.edits, edit{at, text}) }

// at returns the text of a token, or "".
func (m *maker) at(i int) string {
	if i >= 0 && i < len(m.all) {
		return m.all[i].text
	}
	return ""
}

// peek returns the text of the next token.
func (m *maker) peek() string {
	if m.i >= len(m.all) {
		panic(fault{len(m.text), "the file ends within a module"})
	}
	return m.all[m.i].text
}

// take takes a token that has to be there.
func (m *maker) take(text string) {
	if m.peek() != text {
		panic(fault{m.all[m.i].at, fmt.Sprintf("%q where %q is expected", m.peek(), text)})
	}
	m.i++
}

// to goes behind the next token with this text that is in no brackets.
func (m *maker) to(text string) {
	for m.peek() != text {
		m.pass()
	}
	m.i++
}

// pass goes behind a token, or behind all that is in brackets.
func (m *maker) pass() {
	open := m.peek()
	m.i++
	var end string
	switch open {
	case "(":
		end = ")"
	case "[":
		end = "]"
	case "{", "'{":
		end = "}"
	default:
		return
	}
	for m.peek() != end {
		m.pass()
	}
	m.i++
}

func (m *maker) line(at int) int { return 1 + strings.Count(m.text[:at], "\n") }

func (m *maker) column(at int) int { return at - strings.LastIndexByte(m.text[:at], '\n') }

// add adds a change at a token and returns its name, or "" if there is to be none.
func (m *maker) add(at int, kind, what string) string {
	if m.quiet {
		return ""
	}
	m.number++
	m.file.Changes = append(m.file.Changes, Change{m.number - 1, m.line(at), m.column(at), kind, what})
	return fmt.Sprint(Prefix, m.number-1)
}

// plain returns tokens as text in one line, some of them replaced.
func (m *maker) plain(from, to int, replaced map[int]string) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		t := m.all[i].text
		if r, ok := replaced[i]; ok {
			t = r
		}
		// Only what was apart is: 4'(x) is one thing to some tools.
		if i > from && m.all[i].at > m.all[i-1].end() {
			b.WriteByte(' ')
		}
		b.WriteString(t)
		if t == "" || strings.HasPrefix(t, "\\") {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
