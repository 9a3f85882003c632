package coverdb

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
)

// verilatorHeader is the first line of the files of all Verilators since 2003.
const verilatorHeader = "# SystemC::Coverage-3"

// ParseVerilator reads the text of a coverage.dat, in which Verilator writes its counts. Function
// file turns the relative names of source files into those of the database. Errors begin with
// name:line.
//
// A line is C 'fields' count. A field is a byte 1, its key, a byte 2, and its value. Versions 5.006
// and 5.048 differ in the hierarchy's first dot, in a field for the type, which repeats the page,
// and in toggles: 5.006 counts all changes of a bit in one point, 5.048 has one for rises and one
// for falls.
func ParseVerilator(name string, file func(name string) string, text []byte) (*Data, error) {
	d := &Data{}
	lines := strings.Split(string(bytes.TrimSuffix(text, []byte("\n"))), "\n")
	if lines[0] != verilatorHeader {
		return nil, fmt.Errorf("%s:1: this is no coverage data of Verilator's: %q is not there", name, verilatorHeader)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		return nil, fmt.Errorf("%s:%d: the end of the line is missing: the file was cut", name, len(lines))
	}
	for i, line := range lines[1:] {
		if line == "" || line[0] == '#' {
			continue
		}
		p, count, err := verilatorLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		if !path.IsAbs(p.File) {
			p.File = file(p.File)
		}
		d.AddCode(p, count)
	}
	return d, nil
}

func verilatorLine(line string) (p CodePoint, count uint64, err error) {
	body, ok := strings.CutPrefix(line, "C '")
	quote := strings.LastIndex(body, "' ")
	if !ok || quote < 0 {
		return p, 0, fmt.Errorf("not of the form C 'fields' count: %q", line)
	}
	if count, err = strconv.ParseUint(body[quote+2:], 10, 64); err != nil {
		return p, 0, fmt.Errorf("%q is no count", body[quote+2:])
	}
	fields, ok := strings.CutPrefix(body[:quote], "\x01")
	if !ok {
		return p, 0, errors.New("the fields do not begin with a byte 1")
	}
	found := map[string]bool{}
	for field := range strings.SplitSeq(fields, "\x01") {
		key, value, ok := strings.Cut(field, "\x02")
		if !ok {
			return p, 0, fmt.Errorf("field %q has no value", field)
		}
		if value, err = unescape(value); err != nil {
			return p, 0, err
		}
		found[key] = true
		switch key {
		case "f":
			p.File = value
		case "l":
			p.Line, err = number(value)
		case "n":
			p.Column, err = number(value)
		case "page":
			kind, _, _ := strings.Cut(value, "/")
			p.Kind = strings.TrimPrefix(kind, "v_")
			if !kindName.MatchString(p.Kind) {
				err = fmt.Errorf("page %q is of no kind of coverage", value)
			}
		case "o":
			p.Comment = value
		case "h":
			p.Hierarchy = strings.TrimPrefix(value, ".")
		case "S":
			p.Lines = value
			_, err = LineList(value)
		} // other fields, such as the goal and the weight of SystemC models, are not used
		if err != nil {
			return p, 0, err
		}
	}
	for _, key := range []string{"f", "l", "page"} {
		if !found[key] {
			return p, 0, fmt.Errorf("field %q is missing", key)
		}
	}
	return p, count, nil
}

func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxLine {
		return 0, fmt.Errorf("%q is no line or column", text)
	}
	return n, nil
}

// unescape undoes Verilator's escapes for bytes that are not printable: %0A, and %FFFFFFC3 for a
// byte above 127, which Verilator prints as a negative number.
func unescape(text string) (string, error) {
	if !strings.Contains(text, "%") {
		return text, nil
	}
	var b strings.Builder
	for whole := text; ; {
		before, rest, ok := strings.Cut(text, "%")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		if after, ok := strings.CutPrefix(rest, "FFFFFF"); ok {
			rest = after
		}
		if len(rest) < 2 {
			return "", fmt.Errorf("%q ends in the middle of an escaped byte", whole)
		}
		c, err := strconv.ParseUint(rest[:2], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%%%s is no escaped byte", rest[:2])
		}
		b.WriteByte(byte(c))
		text = rest[2:]
	}
}
