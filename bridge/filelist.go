package bridge

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"
)

// AddFileList adds what a file list (.f) names to the design: source files,
// +incdir+DIR, -I DIR, +define+NAME=VALUE, -D NAME=VALUE and -f LIST, with comments
// that begin with // or #. Names are relative to the root of d.FS, and after -F LIST
// to the list's own folder. Errors carry list:line. (A list in a folder with Go files is taken for Fortran by
// the go command, which refuses the package: put it beside the RTL, in a folder of its own.)
func (d *Design) AddFileList(name string) error {
	return d.addFileList(name, ".", nil)
}

func (d *Design) addFileList(name, base string, within []string) error {
	for _, outer := range within {
		if outer == name {
			return fmt.Errorf("%s includes itself: %s", name, strings.Join(append(within, name), " -> "))
		}
	}
	within = append(within, name)
	data, err := fs.ReadFile(d.FS, name)
	if err != nil {
		return fmt.Errorf("file list %s: %w", name, err)
	}
	defines := maps.Clone(d.Defines)
	if defines == nil {
		defines = map[string]string{}
	}
	define := func(text string) {
		key, value, _ := strings.Cut(text, "=")
		defines[key] = value
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		fault := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", path.Join(d.Dir, name), number, fmt.Sprintf(format, args...))
		}
		line, _, _ = strings.Cut(line, "//")
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		for i := 0; i < len(words); i++ {
			word := words[i]
			// The argument of a flag is the rest of its word, or the next word.
			argument := func(flag string) (string, error) {
				if word != flag {
					return strings.TrimPrefix(word, flag), nil
				}
				if i++; i == len(words) {
					return "", fault("%s needs a word after it", flag)
				}
				return words[i], nil
			}
			switch {
			case strings.HasPrefix(word, "+incdir+"):
				for _, dir := range strings.Split(word, "+")[2:] {
					d.Include = append(d.Include, path.Join(base, dir))
				}
			case strings.HasPrefix(word, "+define+"):
				for _, text := range strings.Split(word, "+")[2:] {
					define(text)
				}
			case strings.HasPrefix(word, "-I"):
				dir, err := argument("-I")
				if err != nil {
					return err
				}
				d.Include = append(d.Include, path.Join(base, dir))
			case strings.HasPrefix(word, "-D"):
				text, err := argument("-D")
				if err != nil {
					return err
				}
				define(text)
			case word == "-f", word == "-F":
				inner, err := argument(word)
				if err != nil {
					return err
				}
				inner = path.Join(base, inner)
				innerBase := base
				if word == "-F" {
					innerBase = path.Dir(inner)
				}
				d.Defines = defines
				if err := d.addFileList(inner, innerBase, within); err != nil {
					return err
				}
				defines = d.Defines
			case word[0] == '-' || word[0] == '+':
				return fault("%s is not understood: a list may have files, +incdir+, +define+, -I, -D, -f and -F", word)
			default:
				d.Files = append(d.Files, path.Join(base, word))
			}
		}
	}
	if len(defines) > 0 {
		d.Defines = defines
	}
	return nil
}
