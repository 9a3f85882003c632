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
)

// bind puts what `bind` binds into its module: `bind fifo fifo_checks u_checks (.*);` outside of
// modules is as good as this instance at the end of the module fifo (IEEE 1800-2017, 23.11). So
// assertions and assumptions can be had of RTL that stays as it is. Verilator knows bind. Icarus
// does not, and Yosys reads it without a word, so that it is done here for all. No line changes its
// number.
func bind(sources []Source) error {
	var bare [][]byte // the sources without comments
	for _, s := range sources {
		if !bytes.Contains(s.Data, []byte("bind")) {
			bare = append(bare, nil)
			continue
		}
		bare = append(bare, source.WithoutComments(s.Data))
	}
	type instance struct {
		file, at int
		text     []byte
	}
	var instances []instance
	for i := range sources {
		s, outside := &sources[i], withoutModules(bare[i])
		for _, at := range bindStatement.FindAllIndex(outside, -1) {
			where := fmt.Sprintf("%s:%d", s.Name, 1+bytes.Count(outside[:at[0]], []byte("\n")))
			m := bindOf.FindSubmatch(outside[at[0]:at[1]])
			if m == nil {
				return fmt.Errorf("%s: this bind is none of the form `bind module checks u_checks (.*);`, which is the only one that Icarus and Yosys are helped with", where)
			}
			file, end := endOf(sources, string(m[1]))
			if file < 0 {
				return fmt.Errorf("%s: bind names the module %s, which is in none of the sources", where, m[1])
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
// bind. What they bind checks the design, and is no part of it.
func (d *Design) Unbound() ([]string, error) {
	var files []string
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			return nil, err
		}
		if !bindStatement.Match(withoutModules(source.WithoutComments(text))) {
			files = append(files, name)
		}
	}
	return files, nil
}

// withoutModules returns a source, without comments, with blanks in place of its modules.
func withoutModules(text []byte) []byte {
	left := slices.Clone(text)
	for from := 0; ; {
		begin := moduleBegin.FindIndex(text[from:])
		if begin == nil {
			return left
		}
		end := moduleEnd.FindIndex(text[from+begin[1]:])
		if end == nil {
			return left
		}
		to := from + begin[1] + end[1]
		copy(left[from+begin[0]:], source.Blank(text[from+begin[0]:to]))
		from = to
	}
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
