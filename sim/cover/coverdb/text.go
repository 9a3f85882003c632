package coverdb

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const header = "cosimate coverage "

// version is the version of the format. Files of another version are refused.
const version = "1"

// Text returns the data in the format of a file. The same data give the same text.
func (d *Data) Text() []byte {
	var b bytes.Buffer
	lines := 0
	put := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		lines++
	}
	put("%s%s", header, version)
	var last Bin
	lastOrder := -1
	for i, bin := range d.SortedBins() {
		h := d.Bins[bin]
		newGroup := i == 0 || bin.Group != last.Group
		if newGroup {
			put("group %q", bin.Group)
		}
		if newGroup || bin.Item != last.Item || bin.Cross != last.Cross || h.ItemOrder != lastOrder {
			item := "point"
			if bin.Cross {
				item = "cross"
			}
			put("%s %d %q", item, h.ItemOrder, bin.Item)
		}
		values := ""
		if h.Values != "" {
			values = " " + h.Values
		}
		put("%s %d %d/%d %q%s", bin.Kind, h.Order, h.Count, h.AtLeast, bin.Name, values)
		last, lastOrder = bin, h.ItemOrder
	}
	files := slices.Sorted(maps.Keys(d.Files))
	putFile := func(name string) {
		if hash := d.Files[name]; hash != "" {
			put("file %q %s", name, hash)
		} else {
			put("file %q", name)
		}
	}
	// putFiles writes the files up to a name.
	putFiles := func(name string) {
		for len(files) > 0 && files[0] <= name {
			if files[0] != name {
				putFile(files[0])
			}
			files = files[1:]
		}
	}
	file := ""
	for i, p := range d.SortedCode() {
		if i == 0 || p.File != file {
			putFiles(p.File)
			putFile(p.File)
			file = p.File
		}
		// Without package fmt: there are tens of thousands of points, and a test waits.
		t := b.AvailableBuffer()
		t = append(t, "code "...)
		t = append(t, p.Kind...)
		t = append(t, ' ')
		t = strconv.AppendInt(t, int64(p.Line), 10)
		t = append(t, ':')
		t = strconv.AppendInt(t, int64(p.Column), 10)
		t = append(t, ' ')
		t = strconv.AppendUint(t, d.Code[p], 10)
		t = append(t, ' ')
		t = strconv.AppendQuote(t, p.Comment)
		t = append(t, ' ')
		t = strconv.AppendQuote(t, p.Hierarchy)
		if p.Lines != "" {
			t = append(t, ' ')
			t = append(t, p.Lines...)
		}
		b.Write(append(t, '\n'))
		lines++
	}
	for _, name := range files { // the files behind the last one that has points
		putFile(name)
	}
	fmt.Fprintf(&b, "end %d\n", lines)
	return b.Bytes()
}

// Parse reads a file's text. Errors begin with name:line.
func Parse(name string, text []byte) (*Data, error) {
	p := parser{data: &Data{}}
	fail := func(line int, err error) (*Data, error) { return nil, fmt.Errorf("%s:%d: %w", name, line, err) }
	lines := strings.Split(string(text), "\n")
	got, ok := strings.CutPrefix(lines[0], header)
	switch {
	case !ok:
		return fail(1, errors.New("this is no coverage database of Cosimate's"))
	case got != version:
		return fail(1, fmt.Errorf("version %q of the format is not known, only %s: use the Cosimate that wrote it", got, version))
	}
	for i, line := range lines[1:] {
		at := i + 2
		if rest, ok := strings.CutPrefix(line, "end "); ok {
			switch n, err := strconv.Atoi(rest); {
			case err != nil || n != at-1:
				return fail(at, fmt.Errorf("%q, but %d lines come before: the file was damaged", line, at-1))
			case len(lines) != at+1 || lines[at] != "":
				return fail(at+1, errors.New("something follows the end: the file was damaged"))
			}
			return p.data, nil
		}
		if line == "" && at == len(lines) {
			break
		}
		if err := p.line(line); err != nil {
			return fail(at, err)
		}
	}
	return fail(len(lines), errors.New("the end is missing: the file was cut"))
}

type parser struct {
	data *Data
	bin  Bin  // the group and the item
	item Hits // the item's place
	file string
	// which lines may follow
	inGroup, inItem, inFile bool
}

// fields reads the fields of a line from the left. It keeps the first error.
type fields struct {
	rest string
	err  error
}

func (f *fields) word() string {
	word, rest, _ := strings.Cut(f.rest, " ")
	f.rest = rest
	if word == "" && f.err == nil {
		f.err = errors.New("something is missing in this line")
	}
	return word
}

func (f *fields) text() string {
	quoted, err := strconv.QuotedPrefix(f.rest)
	if err != nil || quoted[0] != '"' {
		if f.err == nil {
			f.err = fmt.Errorf("a text in quotes is missing at %q", f.rest)
		}
		return ""
	}
	f.rest = strings.TrimPrefix(f.rest[len(quoted):], " ")
	text, err := strconv.Unquote(quoted)
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%s is no text", quoted)
	}
	return text
}

func (f *fields) count(word string) uint64 {
	n, err := strconv.ParseUint(word, 10, 64)
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%q is no number", word)
	}
	return n
}

func (f *fields) place(word string) int {
	n, err := strconv.ParseInt(word, 10, 32)
	if (err != nil || n < 0) && f.err == nil {
		f.err = fmt.Errorf("%q is no place", word)
	}
	return int(n)
}

func (f *fields) pair(sep string) (first, second string) {
	word := f.word()
	first, second, ok := strings.Cut(word, sep)
	if !ok && f.err == nil {
		f.err = fmt.Errorf("%q has no %q", word, sep)
	}
	return first, second
}

func (f *fields) end() error {
	if f.err == nil && f.rest != "" {
		f.err = fmt.Errorf("%q is too much", f.rest)
	}
	return f.err
}

// hashText matches what Hash returns.
var hashText = regexp.MustCompile(`^[0-9a-f]{16}$`)

// kindName matches the kinds of code points.
var kindName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// valueList matches the values of a bin.
var valueList = regexp.MustCompile(`^-?\d+(:-?\d+)?(,-?\d+(:-?\d+)?)*$`)

func (p *parser) line(line string) error {
	f := &fields{rest: line}
	switch word := f.word(); {
	case word == "group":
		p.bin = Bin{Group: f.text()}
		p.inGroup, p.inItem, p.inFile = true, false, false
		return f.end()
	case (word == "point" || word == "cross") && p.inGroup:
		p.bin.Cross = word == "cross"
		p.item.ItemOrder = f.place(f.word())
		p.bin.Item = f.text()
		p.inItem = true
		return f.end()
	case slices.Contains([]BinKind{Goal, Default, Ignored, Illegal}, BinKind(word)) && p.inItem:
		bin, h := p.bin, p.item
		bin.Kind = BinKind(word)
		h.Order = f.place(f.word())
		count, goal := f.pair("/")
		h.Count, h.AtLeast = f.count(count), f.count(goal)
		bin.Name = f.text()
		if f.rest != "" {
			if h.Values = f.word(); !valueList.MatchString(h.Values) && f.err == nil {
				f.err = fmt.Errorf("%q is no list of values", h.Values)
			}
		}
		if err := f.end(); err != nil {
			return err
		}
		return p.data.AddBin(bin, h)
	case word == "file":
		p.file = f.text()
		p.inGroup, p.inItem, p.inFile = false, false, true
		hash := ""
		if f.rest != "" {
			hash = f.word()
			if !hashText.MatchString(hash) && f.err == nil {
				f.err = fmt.Errorf("%q is no hash of a file", hash)
			}
		}
		if err := f.end(); err != nil || hash == "" {
			return err
		}
		return p.data.AddFile(p.file, hash)
	case word == "code" && p.inFile:
		c := CodePoint{File: p.file, Kind: f.word()}
		if !kindName.MatchString(c.Kind) && f.err == nil {
			f.err = fmt.Errorf("%q is no kind of coverage", c.Kind)
		}
		line, column := f.pair(":")
		c.Line, c.Column = f.place(line), f.place(column)
		count := f.count(f.word())
		c.Comment, c.Hierarchy = f.text(), f.text()
		if f.rest != "" {
			c.Lines = f.word()
			if _, err := LineList(c.Lines); err != nil && f.err == nil {
				f.err = err
			}
		}
		if err := f.end(); err != nil {
			return err
		}
		p.data.AddCode(c, count)
		return nil
	case f.err != nil:
		return f.err
	default:
		return fmt.Errorf("%q is not expected here", word)
	}
}

// maxLine bounds line numbers, so that an error in a list of lines does not fill the memory.
const maxLine = 10_000_000

// LineList returns the numbers in a list such as "11,14-15".
func LineList(list string) ([]int, error) {
	var lines []int
	for part := range strings.SplitSeq(list, ",") {
		if list == "" {
			break
		}
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first < 0 || first > last || last > maxLine {
			return nil, fmt.Errorf("%q is no list of lines", list)
		}
		for n := first; n <= last; n++ {
			lines = append(lines, n)
		}
	}
	return lines, nil
}
