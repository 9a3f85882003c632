package vectors

import (
	"path/filepath"
	"strings"
)

// Moved returns the text of a vector as it must be in another place: the names of files in it,
// which are relative to the vector's folder, are relative to the new one. A reference model, which
// runs in the vector's folder, is left as it is.
func Moved(from, text, to string) (string, error) {
	f, err := Parse(from, []byte(text))
	if err != nil {
		return "", err
	}
	if f.value("rtl") == nil {
		return text, nil
	}
	folder, err := filepath.Abs(filepath.Dir(to))
	if err != nil {
		return "", err
	}
	move := func(words []Word, i int) error {
		if i >= len(words) || filepath.IsAbs(words[i].Text) {
			return nil
		}
		path, err := filepath.Abs(beside(from, words[i].Text))
		if err == nil {
			path, err = filepath.Rel(folder, path)
		}
		words[i].Text = strings.ReplaceAll(filepath.ToSlash(path), " ", "?")
		return err
	}
	for _, key := range []string{"rtl", "include"} {
		if l := f.value(key); l != nil {
			for i := range l.Words {
				if err := move(l.Words, i); err != nil {
					return "", err
				}
			}
		}
	}
	for _, s := range f.Sections {
		for _, l := range s.Lines {
			at := fileWord(s.Kind, l.Words)
			if at < 0 {
				continue
			}
			if err := move(l.Words, at); err != nil {
				return "", err
			}
		}
	}
	return Format(f), nil
}

// fileWord returns which word of a line of a script names a file, or -1.
func fileWord(kind SectionKind, words []Word) int {
	w := texts(words)
	switch {
	case kind != Script || len(w) < 3:
		return -1
	case w[0] == "load" && len(w) == 3:
		return 2
	case w[0] == "agent":
		for i := 3; i+1 < len(w); i += 2 {
			if w[i] == "memory" && !strings.HasPrefix(w[i+1], `"`) {
				return i + 1
			}
		}
	}
	return -1
}
