package bridge

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// AddFileList adds what a file list (.f) names to the design: source files,
// +incdir+DIR, -I DIR, +define+NAME=VALUE, -D NAME=VALUE, -f LIST and -F LIST.
//
// Names are relative to the root of d.FS, and after -F LIST to the list's own folder; they cannot
// lead out of d.FS. $X, ${X} and $(X) in names are the environment's X, which must be set.
//
// Words end at white space, unless it is within double quotes. A \ at the end of a line is white
// space, and \" a quote, such as a define's value may need. Comments begin at the start of a word:
// // and # go to the end of the line, /* to */.
//
// Errors begin with list:line:column. A list must not lie in a folder with Go files: the go command
// takes it for Fortran and refuses the package.
func (d *Design) AddFileList(name string) error { return d.AddFileListFrom(name, ".") }

// AddFileListFrom is AddFileList with names relative to the folder base of d.FS.
func (d *Design) AddFileListFrom(name, base string) error {
	text, err := fs.ReadFile(d.FS, name)
	if err != nil {
		return fmt.Errorf("file list %s: %w", path.Join(d.Dir, name), err)
	}
	d.Defines = maps.Clone(d.Defines) // copies of the design keep theirs
	return d.addFileList(string(text), base, []string{name})
}

// listFlag matches the beginning of words that are not names of sources.
var listFlag = regexp.MustCompile(`^(\+incdir\+|\+define\+|-I|-D|-[fF]$)`)

// addFileList adds a list's text, with names relative to base. The list is the last of lists. Each
// of these includes the next.
func (d *Design) addFileList(text, base string, lists []string) error {
	fault := func(at int, format string, args ...any) error {
		line, column := 1+strings.Count(text[:at], "\n"), at-strings.LastIndexByte(text[:at], '\n')
		return fmt.Errorf("%s:%d:%d: %w", path.Join(d.Dir, lists[len(lists)-1]), line, column, fmt.Errorf(format, args...))
	}
	words, at, err := listWords(text)
	if err != nil {
		return fault(at, "%w", err)
	}
	for i := 0; i < len(words); i++ {
		word, at := words[i].text, words[i].at
		flag := listFlag.FindString(word)
		args := []string{word[len(flag):]}
		switch {
		case strings.HasPrefix(flag, "+"):
			args = strings.Split(args[0], "+")
		case flag != "" && flag == word:
			if i++; i == len(words) {
				return fault(at, "%s needs a word after it", flag)
			}
			args[0] = words[i].text
		case flag == "" && strings.IndexAny(word, "-+") == 0:
			return fault(at, "%s is not understood: a list may have files, +incdir+, +define+, -I, -D, -f and -F", word)
		}
		for _, arg := range args {
			if flag == "+define+" || flag == "-D" {
				key, value, _ := strings.Cut(arg, "=")
				if key == "" {
					return fault(at, "%s defines nothing: write NAME or NAME=VALUE", word)
				}
				if d.Defines == nil {
					d.Defines = map[string]string{}
				}
				d.Defines[key] = value
				continue
			}
			name, err := d.listName(base, arg)
			if err != nil {
				return fault(at, "%w", err)
			}
			switch flag {
			case "":
				d.Files = append(d.Files, name)
			case "+incdir+", "-I":
				d.Include = append(d.Include, name)
			default: // -f, -F
				within := append(slices.Clip(lists), name)
				if slices.Contains(lists, name) {
					var shown []string
					for _, list := range within {
						shown = append(shown, path.Join(d.Dir, list))
					}
					return fault(at, "%s includes itself: %s", path.Join(d.Dir, name), strings.Join(shown, " -> "))
				}
				inner, err := fs.ReadFile(d.FS, name)
				if err != nil {
					return fault(at, "file list %s: %w", path.Join(d.Dir, name), err)
				}
				innerBase := base
				if flag == "-F" {
					innerBase = path.Dir(name)
				}
				if err := d.addFileList(string(inner), innerBase, within); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// listWord is a word of a file list.
type listWord struct {
	text string
	at   int // how many bytes are before it
}

// listWords returns the words of a list. With an error, at is the error's place.
func listWords(text string) (words []listWord, at int, err error) {
	space := func(at int) bool {
		return at == len(text) || strings.IndexByte(" \t\r\n\v\f", text[at]) >= 0 || backslash.MatchString(text[at:])
	}
	for at < len(text) {
		rest := text[at:]
		switch {
		case space(at):
			at++
		case rest[0] == '#', strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			at += len(line)
		case strings.HasPrefix(rest, "/*"):
			comment, _, ok := strings.Cut(rest[2:], "*/")
			if !ok {
				return nil, at, errors.New("this comment does not end: there is no */")
			}
			at += len("/*" + comment + "*/")
		default:
			var word strings.Builder
			quoted := false
			end := at
			for ; quoted || !space(end); end++ {
				switch {
				case end == len(text) || text[end] == '\n':
					return nil, at, errors.New(`a quote within this word does not end in its line: write \" for a character that is no quote`)
				case strings.HasPrefix(text[end:], `\"`):
					end++
					word.WriteByte('"')
				case text[end] == '"':
					quoted = !quoted
				default:
					word.WriteByte(text[end])
				}
			}
			words = append(words, listWord{word.String(), at})
			at = end
		}
	}
	return words, at, nil
}

// backslash matches a \ at the end of a line.
var backslash = regexp.MustCompile(`^\\[ \t\r]*\n`)

// variable matches the name of a variable of the environment.
var variable = regexp.MustCompile(`\$(\w+|\{\w+\}|\(\w+\))`)

// listName returns the name in FS of a name in a list, which is relative to base.
func (d *Design) listName(base, text string) (string, error) {
	var unset string
	name := variable.ReplaceAllStringFunc(text, func(s string) string {
		key := strings.Trim(s, "${}()")
		value, ok := os.LookupEnv(key)
		if !ok {
			unset = key
		}
		return value
	})
	if d.Dir == "/" { // an absolute name is one in FS
		if path.IsAbs(name) {
			base = "."
		}
		name = strings.TrimPrefix(name, "/")
	}
	switch {
	case unset != "":
		return "", fmt.Errorf("%s: %s is not set in the environment: set it, or write its value", text, unset)
	case name == "":
		return "", errors.New("a name is empty")
	case path.IsAbs(name), strings.HasPrefix(path.Join(base, name)+"/", "../"):
		return "", fmt.Errorf("%s is not a name below the root of Design.FS: let that be a folder above all files (or call the command there), and names relative to it", name)
	}
	return path.Join(base, name), nil
}
