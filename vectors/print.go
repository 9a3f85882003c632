package vectors

import (
	"strings"
	"unicode/utf8"
)

// Format returns the text of a vector in canonical form: columns of tables are aligned, there is
// one blank between words, and one empty line before each section. If the file was parsed without
// error, parsing the text and formatting it again gives the same text.
func Format(f *File) string {
	var b strings.Builder
	for i := range f.Header {
		l := &f.Header[i]
		var words []string
		if l.Label != nil {
			words = append(words, l.Label.Text+":")
		}
		printLine(&b, append(words, texts(l.Words)...), l.Comment)
	}
	for i, s := range f.Sections {
		if i > 0 || len(f.Header) > 0 {
			b.WriteString("\n")
		}
		b.WriteString("-- " + string(s.Kind) + " --\n")
		if s.Kind == Cycles {
			printTable(&b, s.Lines)
			continue
		}
		for _, l := range s.Lines {
			printLine(&b, texts(l.Words), l.Comment)
		}
	}
	return b.String()
}

// Fmt returns a file's text in canonical form. It also removes a byte order mark and replaces CR LF
// and tabs.
func Fmt(name string, data []byte) ([]byte, error) {
	if len(data) <= maxSize {
		data = repair(data)
	}
	f, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	return []byte(Format(f)), nil
}

func texts(words []Word) (t []string) {
	for _, w := range words {
		t = append(t, w.Text)
	}
	return t
}

func printLine(b *strings.Builder, words []string, comment string) {
	b.WriteString(strings.Join(words, " "))
	if len(words) > 0 && comment != "" {
		b.WriteString("  ")
	}
	b.WriteString(comment + "\n")
}

// printTable prints rows with their columns aligned.
func printTable(b *strings.Builder, lines []Line) {
	labels, left, right := 0, []int(nil), []int(nil)
	widen := func(widths *[]int, words []Word) {
		for i, w := range words {
			if i == len(*widths) {
				*widths = append(*widths, 0)
			}
			(*widths)[i] = max((*widths)[i], utf8.RuneCountInString(w.Text))
		}
	}
	for _, l := range lines {
		if l.Label != nil {
			labels = max(labels, len(l.Label.Text)+1)
		}
		widen(&left, l.Words[:l.Left])
		widen(&right, l.Words[l.Left:])
	}
	rows, longest := make([]string, len(lines)), 0
	for i, l := range lines {
		if l.blank() {
			continue
		}
		var cells []string
		if labels > 0 {
			text := ""
			if l.Label != nil {
				text = l.Label.Text + ":"
			}
			cells = append(cells, text+strings.Repeat(" ", labels-len(text)))
		}
		side := func(widths []int, words []Word) {
			for i, w := range words {
				cells = append(cells, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(w.Text))+w.Text)
			}
		}
		side(left, l.Words[:l.Left])
		if l.Bar != nil {
			cells = append(cells, "|")
		}
		side(right, l.Words[l.Left:])
		if l.Repeat != nil {
			cells = append(cells, l.Repeat.Text)
		}
		rows[i] = strings.Join(cells, " ")
		if l.Comment != "" {
			longest = max(longest, utf8.RuneCountInString(rows[i]))
		}
	}
	for i, l := range lines {
		text := rows[i]
		if text != "" && l.Comment != "" {
			text += strings.Repeat(" ", longest-utf8.RuneCountInString(text)+2)
		}
		b.WriteString(strings.TrimRight(text+l.Comment, " ") + "\n")
	}
}
