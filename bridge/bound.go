package bridge

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"github.com/cosimate/cosimate/bridge/internal/source"
)

var (
	bindStatement = regexp.MustCompile(`\bbind\b[^;]*;?`)
	// bindOf matches the one form that is common: a module, what is instantiated in each of its
	// instances, and how.
	bindOf      = regexp.MustCompile(`^bind\s+([A-Za-z_][\w$]*)\s+([A-Za-z_][^;:]*;)$`)
	moduleBegin = regexp.MustCompile(`\bmodule\s+(?:automatic\s+|static\s+)?([A-Za-z_][\w$]*)`)
	moduleEnd   = regexp.MustCompile(`\bendmodule\b`)
	// directive matches those that say what is compiled, and how a macro begins.
	directive = regexp.MustCompile("`(ifdef|ifndef|elsif|else|endif|define)\\b[ \\t]*([A-Za-z_][\\w$]*)?")
	restOf    = regexp.MustCompile(`^(?:\\\r?\n|[^\n])*`) // of a macro
)

// bind puts what `bind` binds into its module: `bind fifo fifo_checks u_checks (.*);` outside of
// modules is as good as this instance at the end of the module fifo (IEEE 1800-2017, 23.11). So
// assertions and assumptions can be had of RTL that stays as it is. Verilator knows bind. Icarus
// does not, and Yosys reads it without a word, so that it is done here for all. No line changes its
// number.
//
// What is of another form, or within an `ifdef that may be false, stays as it is.
func (d *Design) bind(sources []Source) error {
	type instance struct {
		file, at int
		text     []byte
	}
	var instances []instance
	for i := range sources {
		s := &sources[i]
		if !bytes.Contains(s.Data, []byte("bind")) {
			continue
		}
		outside := d.outside(sources, s.Data)
		for _, at := range bindStatement.FindAllIndex(outside, -1) {
			m := bindOf.FindSubmatch(outside[at[0]:at[1]])
			if m == nil {
				continue
			}
			file, end := endOf(sources, string(m[1]))
			if file < 0 {
				return fmt.Errorf("%s:%d: bind names the module %s, which is in none of the sources", s.Name, 1+bytes.Count(outside[:at[0]], []byte("\n")), m[1])
			}
			text := slices.Clone(m[2])
			for k, c := range text {
				if c == '\n' || c == '\r' {
					text[k] = ' '
				}
			}
			instances = append(instances, instance{file, end, text})
			s.Data = slices.Concat(s.Data[:at[0]], source.Blank(s.Data[at[0]:at[1]]), s.Data[at[1]:])
		}
	}
	slices.SortStableFunc(instances, func(a, b instance) int { return b.at - a.at })
	for _, in := range instances { // the last of a file first: those before stay where they are
		s := &sources[in.file]
		s.Data = slices.Concat(s.Data[:in.at], in.text, []byte(" "), s.Data[in.at:])
	}
	return nil
}

// Unbound returns the files without those that bind something to a module, for tools that know no
// bind. What they bind checks the design, and is no part of it. A file that holds modules of the
// design, too, is left out with them.
func (d *Design) Unbound() ([]string, error) {
	var sources []Source
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{Name: name, Data: text})
	}
	var files []string
	for _, s := range sources {
		if !bindStatement.Match(d.outside(sources, s.Data)) {
			files = append(files, s.Name)
		}
	}
	return files, nil
}

// outside returns what is outside of modules in a source, without comments and macros, and without
// what may not be compiled. What is left keeps its place.
func (d *Design) outside(sources []Source, text []byte) []byte {
	text = source.WithoutComments(text)
	left := slices.Clone(text)
	var compiled []bool // of each `ifdef that is open: whether it is, for sure
	from := 0
	blank := func(to int) {
		if slices.Contains(compiled, false) {
			copy(left[from:], source.Blank(text[from:to]))
		}
		from = to
	}
	all := directive.FindAllSubmatchIndex(text, -1)
	part := func(i, n int) string { // of the directive of this number
		if i == len(all) || all[i][2*n] < 0 {
			return ""
		}
		return string(text[all[i][2*n]:all[i][2*n+1]])
	}
	for i, m := range all {
		if m[0] < from { // it is in a macro
			continue
		}
		blank(m[0])
		name := part(i, 2)
		switch last := len(compiled) - 1; part(i, 1) {
		case "define":
			from += len(restOf.Find(text[from:]))
			copy(left[m[0]:], source.Blank(text[m[0]:from]))
		case "ifdef":
			_, defined := d.Defines[name]
			compiled = append(compiled, defined)
		case "ifndef":
			guard := part(i+1, 1) == "define" && part(i+1, 2) == name
			compiled = append(compiled, guard || d.undefined(sources, name))
		case "else", "elsif":
			if last >= 0 {
				compiled[last] = false
			}
		case "endif":
			if last >= 0 {
				compiled = compiled[:last]
			}
		}
	}
	blank(len(text))
	for _, begin := range moduleBegin.FindAllIndex(left, -1) {
		if end := moduleEnd.FindIndex(left[begin[1]:]); end != nil {
			copy(left[begin[0]:], source.Blank(left[begin[0]:begin[1]+end[1]]))
		}
	}
	return left
}

// undefined reports whether no source and no option defines a macro, nor a simulator by itself.
func (d *Design) undefined(sources []Source, name string) bool {
	if _, defined := d.Defines[name]; defined || slices.Contains([]string{"VERILATOR", "__ICARUS__", "YOSYS"}, name) {
		return false
	}
	definition := regexp.MustCompile("`define\\s+" + regexp.QuoteMeta(name) + `\b`)
	return !slices.ContainsFunc(sources, func(s Source) bool { return definition.Match(s.Data) })
}

// endOf returns where a module ends: the number of its file, or -1, and the place of endmodule.
func endOf(sources []Source, module string) (file, at int) {
	for i, s := range sources {
		if !bytes.Contains(s.Data, []byte(module)) {
			continue
		}
		text := source.WithoutComments(s.Data)
		for _, m := range moduleBegin.FindAllSubmatchIndex(text, -1) {
			if string(text[m[2]:m[3]]) != module {
				continue
			}
			if end := moduleEnd.FindIndex(text[m[1]:]); end != nil {
				return i, m[1] + end[0]
			}
		}
	}
	return -1, 0
}
