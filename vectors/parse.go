package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// maxSize is the greatest size of a vector, in bytes. Many equal cycles are one line: *1000000.
const maxSize = 1 << 20

// maxLine is the greatest length of a line, in bytes.
const maxLine = 4096

// Load reads and parses a file. A vector has 1 MiB at most. Errors in the text are [Errors].
func Load(name string) (*File, error) {
	data, err := Read(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// Read reads a file, or its beginning if it is too large to be a vector.
func Read(name string) ([]byte, error) {
	// This must come before the file is opened, as opening a named pipe would not return.
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &Error{File: name, Problem: "it is not a regular file", Help: "a vector is a text in a file *.txtar"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &Error{File: name, Problem: "it cannot be read: " + cause(err).Error(), Help: "name a file that exists and that you can read"}
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSize+1))
}

// cause returns an error of a file without the file's name.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Parse parses a vector. The error is an [Errors]; with it, the file has what could be parsed.
func Parse(name string, data []byte) (*File, error) {
	f := &File{Name: name}
	p := &parser{faults: faults{file: f}}
	if data = p.clean(data); data == nil {
		return f, p.list
	}
	archive := txtar.Parse(data)
	at := 1
	for text := range lines(archive.Comment) {
		f.Header = keep(f.Header, p.header(at, text))
		at++
	}
	f.Header = trim(f.Header)
	for _, file := range archive.Files {
		s := Section{Kind: SectionKind(file.Name), At: at}
		switch s.Kind {
		case Cycles, Script, EPD:
		default:
			column := strings.Index(f.text[at-1], file.Name) + 1
			p.at(at, Word{file.Name, column}, fmt.Sprintf("there are no sections of kind %q", file.Name), choice(file.Name, kinds))
			s.Kind = Script
			at += 1 + bytes.Count(file.Data, []byte("\n"))
			continue
		}
		at++
		columns := -1
		for text := range lines(file.Data) {
			s.Lines = keep(s.Lines, p.line(s.Kind, at, text))
			if last := len(s.Lines) - 1; s.Kind == Cycles && last >= 0 && s.Lines[last].At == at && !s.Lines[last].blank() {
				if columns < 0 {
					columns = last
					p.titles(&s.Lines[last])
				} else {
					p.row(&s.Lines[columns], &s.Lines[last])
				}
			}
			at++
		}
		s.Lines = trim(s.Lines)
		if len(s.Lines) == 0 || s.Kind == Cycles && columns < 0 {
			p.span(s.At, 1, utf8.RuneCountInString(f.text[s.At-1]), "this section is empty", map[SectionKind]string{
				Cycles: "a table needs a line with the names of ports, inputs | outputs, and rows below it",
				Script: "write statements, or delete the section",
				EPD:    "write positions and counts, FEN ;D1 n, or delete the section",
			}[s.Kind])
		}
		f.Sections = append(f.Sections, s)
	}
	if len(f.Sections) == 0 && len(p.list) == 0 {
		p.span(len(f.text), 0, 0, "the vector has no section: it does nothing", "add a line \"-- cycles --\" and a table below it, or \"-- script --\" and statements")
	}
	return f, p.list.or()
}

// lines yields the lines of a text.
func lines(data []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range bytes.Lines(data) {
			if !yield(strings.TrimSuffix(string(line), "\n")) {
				return
			}
		}
	}
}

// keep appends a line, but no second empty line in a row.
func keep(list []Line, l Line) []Line {
	empty := func(l *Line) bool { return l.blank() && l.Comment == "" }
	if empty(&l) && (len(list) == 0 || empty(&list[len(list)-1])) {
		return list
	}
	return append(list, l)
}

// trim returns lines without an empty last line.
func trim(list []Line) []Line {
	if n := len(list); n > 0 && list[n-1].blank() && list[n-1].Comment == "" {
		return list[:n-1]
	}
	return list
}

type parser struct {
	faults
	lost bool // the title of the present section is not valid
}

// bom is the byte order mark, which editors of Windows write before a text.
var bom = []byte("\xef\xbb\xbf")

const formats = "cosimate vectors fmt %s puts it right"

// clean checks the text as a whole, and returns the part of it that can be parsed, or nil.
func (p *parser) clean(data []byte) []byte {
	name := p.file.Name
	if len(data) > maxSize {
		p.span(0, 0, 0, fmt.Sprintf("the file is larger than %d bytes: this is not a vector", maxSize), "write long stretches as one row with *N; split a long story into several files")
		return nil
	}
	mark := bytes.HasPrefix(data, bom)
	text := bytes.TrimPrefix(data, bom)
	p.file.text = strings.Split(strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\r\n", "\n"), "\n")
	if mark {
		p.span(1, 1, 1, "the file begins with a byte order mark", fmt.Sprintf(formats, name))
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		line, from := bytes.Count(text[:at], []byte("\n"))+1, bytes.LastIndexByte(text[:at], '\n')+1
		p.span(line, utf8.RuneCount(text[from:at])+1, 1, "the byte 0x00 is not text: is this a vector?", "vectors are text in UTF-8")
		return nil
	}
	var crlf, tab bool
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > maxLine {
			p.span(number, maxLine, 1, fmt.Sprintf("this line is longer than %d characters", maxLine), "break it up: a vector is to be read by people")
			return nil
		}
		if bytes.HasSuffix(line, []byte("\r")) {
			line = line[:len(line)-1]
			if !crlf {
				p.span(number, utf8.RuneCount(line)+1, 1, "lines end in CR LF, as on Windows", fmt.Sprintf(formats, name))
			}
			crlf = true
		}
		column := 0
		for rest := line; len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			column++
			switch {
			case r == utf8.RuneError && size == 1:
				p.span(number, column, 1, fmt.Sprintf("the byte 0x%02x is not text: is this a vector?", rest[0]), "vectors are text in UTF-8")
				return nil
			case r == '\t':
				if !tab {
					p.span(number, column, 1, "a tab: columns do not line up in every editor", fmt.Sprintf(formats, name))
				}
				tab = true
			case unicode.IsControl(r):
				p.span(number, column, 1, fmt.Sprintf("the control character %U", r), "delete it")
				return nil
			}
			rest = rest[size:]
		}
	}
	return repair(data)
}

// repair returns a text with what fmt corrects before it parses: the byte order mark, ends of
// lines, tabs.
func repair(data []byte) []byte {
	data = bytes.ReplaceAll(bytes.TrimPrefix(data, bom), []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(data, []byte("\t"), []byte(" "))
}

// words splits a line at blanks. A word that begins with # begins the comment. In tables | is a
// word of its own. In statements a text in quotes is one word.
func (p *parser) words(at int, text string, kind SectionKind) (words []Word, comment string) {
	column, start, from := 0, -1, 0
	quoted, escaped := false, false
	end := func(to int) {
		if start >= 0 {
			words = append(words, Word{text[start:to], from})
			start = -1
		}
	}
	for i, r := range text {
		column++
		if quoted && r <= unicode.MaxASCII {
			quoted = r != '"' || escaped
			escaped = r == '\\' && !escaped
			continue
		}
		switch {
		case r == ' ':
			end(i)
		case r == '#' && start < 0:
			return words, strings.TrimRightFunc(text[i:], unicode.IsSpace)
		case r == '"' && start < 0 && kind == Script:
			start, from, quoted, escaped = i, column, true, false
		case r == '|' && kind == Cycles:
			end(i)
			words = append(words, Word{"|", column})
		default:
			if r > unicode.MaxASCII {
				p.span(at, column, 1, fmt.Sprintf("the character %q (%U) outside of a comment", r, r), "vectors are written in ASCII but for their comments: was it pasted from a formatted document?")
			}
			if start < 0 {
				start, from = i, column
			}
		}
	}
	if quoted {
		p.span(at, from, 1, "this text has no end", `write " behind it; \" is a quotation mark within a text`)
	}
	end(len(text))
	return words, ""
}

func trimComment(c string) string { return strings.TrimSpace(strings.TrimLeft(c, "#")) }

// header parses a line before the first section.
func (p *parser) header(at int, text string) Line {
	l := Line{At: at}
	l.Words, l.Comment = p.words(at, text, "")
	if len(l.Words) == 0 {
		return l
	}
	key := l.Words[0]
	switch {
	case strings.HasPrefix(text, "--"):
		p.marker(at, text)
		p.lost = true
		l.Words = nil
		return l
	case p.lost: // the line is in a section whose title is not valid
		l.Words = nil
		return l
	case len(l.Words) > 1 && l.Words[1].Text == ":":
		p.at(at, l.Words[1], "a blank before the colon", fmt.Sprintf("write \"%s: ...\"", key.Text))
	case !strings.HasSuffix(key.Text, ":"):
		help := "the header has lines \"key: value\"; comments begin with #; statements and tables stand in sections, below \"-- script --\" or \"-- cycles --\""
		if k, v, ok := strings.Cut(key.Text, ":"); ok {
			help = fmt.Sprintf("a blank is missing: \"%s: %s\"", k, v)
		}
		p.at(at, key, fmt.Sprintf("%q is not a key: expected \"key: value\"", key.Text), help)
	case len(l.Words) == 1:
		p.at(at, key, fmt.Sprintf("%s has no value", key.Text), "write it behind the colon, or delete the line")
	}
	key.Text = strings.TrimSuffix(key.Text, ":")
	l.Label, l.Words = &key, l.Words[1:]
	if len(l.Words) == 0 {
		l.Words = nil
	}
	return l
}

// marker reports a line that looks like the title of a section and is none.
func (p *parser) marker(at int, text string) {
	name := strings.Trim(text, "- ")
	if k, ok := nearest(name, kinds); ok {
		name = k
	} else {
		name = string(Cycles)
	}
	p.span(at, 1, utf8.RuneCountInString(text), "this is not the title of a section", fmt.Sprintf("write \"-- %s --\": two hyphens and a blank on both sides, from the first column on", name))
}

var label = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// line parses a line of a section.
func (p *parser) line(kind SectionKind, at int, text string) Line {
	l := Line{At: at}
	words, comment := p.words(at, text, kind)
	l.Comment = comment
	if len(words) == 0 {
		return l
	}
	if strings.HasPrefix(text, "--") {
		p.marker(at, text)
		return l
	}
	if kind != Cycles {
		l.Words = words
		return l
	}
	if name, ok := strings.CutSuffix(words[0].Text, ":"); ok {
		l.Label = &Word{name, words[0].Column}
		words = words[1:]
		if !label.MatchString(name) {
			p.at(at, *l.Label, fmt.Sprintf("%q cannot be a label", name), "a label has letters, digits and _, and does not begin with a digit")
		}
	}
	for i, w := range words {
		switch {
		case w.Text == "|" && l.Bar == nil:
			l.Bar, l.Left = &w, len(l.Words)
		case w.Text == "|":
			p.at(at, w, "a second |", "a table has one: what stands left of it drives, what stands right expects")
		case strings.HasPrefix(w.Text, "*") && i == len(words)-1 && i > 0:
			l.Repeat = &w
		case strings.HasPrefix(w.Text, "*"):
			p.at(at, w, fmt.Sprintf("%s does not stand at the end of a row", w.Text), "*N, the number of cycles that a row lasts, is the last word of its line")
		default:
			l.Words = append(l.Words, w)
		}
	}
	if l.Bar == nil {
		l.Left = len(l.Words)
	}
	return l
}

// titles checks the first line of a table.
func (p *parser) titles(l *Line) {
	switch {
	case l.Label != nil:
		p.at(l.At, *l.Label, "a label before the names of the columns", "labels are for rows")
	case l.Bar == nil:
		last := l.Words[len(l.Words)-1]
		p.at(l.At, last, "the names of the columns have no |", "write inputs | outputs; with nothing left of it the table only watches, with nothing right it only drives")
	case len(l.Words) == 0:
		p.at(l.At, *l.Bar, "the table has no columns", "write the names of inputs left of |, of outputs right of it")
	case l.Repeat != nil:
		p.at(l.At, *l.Repeat, "*N behind the names of the columns", "it is for rows")
	}
}

// row checks that a row has as many values as there are columns.
func (p *parser) row(titles, l *Line) {
	if titles.Bar == nil {
		return
	}
	if l.Bar == nil {
		last := l.end()
		p.span(l.At, last, 1, "this row has no |", "it stands between what is driven and what is expected, as in the line with the names")
		return
	}
	side := func(what string, names, values []Word, missing int) {
		switch {
		case len(values) < len(names):
			var lacks []string
			for _, n := range names[len(values):] {
				lacks = append(lacks, n.Text)
			}
			p.span(l.At, missing, 1, fmt.Sprintf("%d of %d values %s |", len(values), len(names), what), "missing: "+strings.Join(lacks, ", ")+"; - is \"as before\" for an input and \"whatever\" for an output")
		case len(values) > len(names):
			p.at(l.At, values[len(names)], fmt.Sprintf("%d values %s |, but %d columns", len(values), what, len(names)), "is a blank within a value? a set is written e2,e4")
		}
	}
	side("left of", titles.Words[:titles.Left], l.Words[:l.Left], l.Bar.Column)
	side("right of", titles.Words[titles.Left:], l.Words[l.Left:], l.end())
}

// end returns the column after the last word.
func (l *Line) end() int {
	column := 1
	for _, w := range append([]Word{{}}, l.Words...) {
		column = max(column, w.Column+utf8.RuneCountInString(w.Text))
	}
	if l.Bar != nil {
		column = max(column, l.Bar.Column+1)
	}
	return column
}
