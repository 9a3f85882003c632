package convention

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim"
)

// Top sets the top module of a design whose Design.Top is empty. It looks at the text of the files
// alone: a module with ports that no other instantiates. If there are several, it is the one that
// is named as the file that was given last; so it is in a single file. If that finds none, it is an
// error that says what there is.
func Top(d *sim.Design, g Given) (Note, error) {
	if d.Top != "" {
		return Note{}, nil
	}
	how := g.hints().Top
	last := strings.TrimSuffix(path.Base(d.Files[len(d.Files)-1]), path.Ext(d.Files[len(d.Files)-1]))
	var all []module
	for _, text := range sources(*d) {
		all = append(all, modules(text)...)
	}
	var names, roots []string // of modules with ports
	for _, m := range all {
		if hasPort(m.body) && !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	used := map[string]bool{}
	for _, m := range all {
		if !hasPort(m.body) && len(names) > 0 {
			continue // a testbench
		}
		for _, i := range instance.FindAllStringSubmatch(m.body, -1) {
			used[i[1]] = used[i[1]] || i[1] != m.name
		}
	}
	for _, n := range names {
		if !used[n] {
			roots = append(roots, n)
		}
	}
	explicit := len(g.Files) > 0 && !isGlob(g.Files[len(g.Files)-1])
	switch {
	case len(all) == 0 && !slices.ContainsFunc(sources(*d), func(text string) bool { return strings.ContainsRune(text, '`') }):
		return Note{}, &Error{TopPart, "", "no module is declared in " + list(d.Files), "name the files of the design"}
	case len(all) == 0: // it may be behind macros
		d.Top = last
		return Note{TopPart, fmt.Sprintf("Top: %s, named as the last file.", last), how + " takes another one."}, nil
	case len(names) == 0:
		return Note{}, &Error{TopPart, "", fmt.Sprintf("no module has ports: %s", list(moduleNames(all))), "a testbench without ports cannot be driven: name the files of the design that it tests"}
	case len(d.Files) == 1 && slices.Contains(names, last):
		d.Top = last
		return Note{TopPart, fmt.Sprintf("Top: %s, named as its file.", last), how + " takes another one."}, nil
	case len(roots) == 1:
		d.Top = roots[0]
		why := "which no other module instantiates"
		if len(names) == 1 {
			why = "the only module"
		}
		return Note{TopPart, fmt.Sprintf("Top: %s, %s.", d.Top, why), how + " takes another one."}, nil
	case explicit && slices.Contains(roots, last):
		d.Top = last
		return Note{TopPart, fmt.Sprintf("Top: %s, named as the last file. Other modules that none instantiates: %s.", last, list(without(roots, last))), how + " takes another one."}, nil
	case len(roots) == 0:
		return Note{}, &Error{TopPart, "", "every module is instantiated by another one: " + list(names), how + " says which is the top"}
	}
	return Note{}, &Error{TopPart, "", "several modules are instantiated by no other: " + list(roots), how + " says which is the top"}
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// Modules returns the names of the modules that the files of a design declare, as far as can be
// seen without compiling them.
func Modules(d sim.Design) []string {
	var all []module
	for _, text := range sources(d) {
		all = append(all, modules(text)...)
	}
	return moduleNames(all)
}

func moduleNames(all []module) (names []string) {
	for _, m := range all {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// module is the text of a module.
type module struct {
	name, body string // the body begins behind the name
}

var (
	moduleHead = regexp.MustCompile(`(?m)(?:^|[;\s)])(?:macro)?module\s+(?:automatic\s+|static\s+)?([A-Za-z_]\w*)`)
	// An instance: fifo u_fifo (, fifo #(4) u_fifo (, fifo u_fifo [3:0] (.
	instance = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*(?:#\s*\(|\s\\?[A-Za-z_][\w$]*\s*(?:\[[^\]]*\]\s*)*\()`)
	// Comments and strings, in which words mean nothing.
	notCode = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"`)
)

// modules returns the modules in the text of a file.
func modules(text string) (all []module) {
	heads := moduleHead.FindAllStringSubmatchIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		all = append(all, module{text[h[2]:h[3]], text[h[3]:end]})
	}
	return all
}

// sources returns the texts of a design's files without comments and strings. What cannot be read,
// the simulator will complain about.
func sources(d sim.Design) (texts []string) {
	for _, name := range d.Files {
		if data, err := fs.ReadFile(d.FS, name); err == nil {
			texts = append(texts, code(data))
		}
	}
	return texts
}

// code returns the text of a file without comments and strings.
func code(data []byte) string { return notCode.ReplaceAllString(string(data), " ") }
