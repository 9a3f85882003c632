package vectors

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path"
	"strings"
)

// MaxTable is how large a table may be that is imported, in bytes: it has a line a cycle.
const MaxTable = 16 * MaxSize

// Import makes a vector for a design of a table of cycles: CSV with the ports in its first line, or a file for $readmemh whose first
// comment names them, in the form that CSV and Hex give. The table need not have all ports. Parameters are as in a header.
func (r *Registry) Import(design, parameters, name string, data []byte) (string, error) {
	d, _, err := r.configured(design, parameters)
	if err != nil {
		return "", err
	}
	if len(data) > MaxTable {
		return "", fmt.Errorf("%s: it has more than %d bytes, which is too much for a vector: cut it into several", name, MaxTable)
	}
	var names []string
	var rows [][]string
	if strings.HasPrefix(strings.TrimSpace(string(data)), "//") {
		names, rows, err = readHex(d, name, string(data))
	} else {
		c := csv.NewReader(bytes.NewReader(data))
		c.TrimLeadingSpace = true
		if rows, err = c.ReadAll(); err == nil && len(rows) > 0 {
			names, rows = rows[0], rows[1:]
		}
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("%s: there are no cycles in it: expected a line with the names of ports, and lines with their values", name)
	}
	var order []int // of columns: inputs first
	for _, input := range []bool{true, false} {
		for i, n := range names {
			p := d.port(n)
			if p == nil {
				return "", fmt.Errorf("%s:1: %s has no port %q: %s", name, design, n, choice(n, portNames(d)))
			}
			if p.Input == input {
				order = append(order, i)
			}
		}
	}
	var lines []Line
	for k, row := range append([][]string{names}, rows...) {
		l := Line{Bar: &Word{Text: "|"}}
		for _, i := range order {
			p := d.port(names[i])
			text := strings.TrimSpace(row[i])
			if k > 0 {
				v, problem, help := parseValue(text, p)
				if problem != "" {
					return "", fmt.Errorf("%s: row %d: %s; %s", name, k, problem, help)
				}
				if v.lo != nil && v.care == nil && v.lo.Cmp(v.hi) == 0 {
					text = p.text(v.lo)
				}
			}
			l.Words = append(l.Words, Word{Text: text})
			if p.Input {
				l.Left++
			}
		}
		lines = append(lines, l)
	}
	table := Section{Kind: Cycles, Lines: append(lines[:1:1], folded(lines[1:])...)}
	f := &File{Name: name, Header: header("Imported from "+path.Base(name)+".", design, parameters), Sections: []Section{table}}
	_, err = r.replan(f)
	return Format(f), err
}

// readHex reads a table for $readmemh.
func readHex(d *design, name, text string) (names []string, rows [][]string, err error) {
	for line := range strings.Lines(text) {
		code, remark, _ := strings.Cut(line, "//")
		if names == nil && strings.TrimSpace(remark) != "" {
			if names = strings.Fields(remark); d.port(names[0]) == nil {
				return nil, nil, fmt.Errorf("the first comment names the ports of a word, from the left: \"// %s\"; %q is none of %s", strings.Join(portNames(d), " "), names[0], d.name)
			}
		}
		for word := range strings.FieldsSeq(code) {
			if strings.HasPrefix(word, "@") {
				continue // an address
			}
			digits := strings.ReplaceAll(word, "_", "")
			var row []string
			for _, n := range names {
				p := d.port(n)
				if p == nil {
					return nil, nil, fmt.Errorf("%s has no port %q: %s", d.name, n, choice(n, portNames(d)))
				}
				size := (p.Width + 3) / 4
				if len(digits) < size {
					return nil, nil, fmt.Errorf("the word %s has too few digits for %s", word, strings.Join(names, " "))
				}
				value := "0x" + digits[:size]
				if strings.Trim(digits[:size], "xX") == "" {
					value = "-"
				}
				row, digits = append(row, value), digits[size:]
			}
			if digits != "" {
				return nil, nil, fmt.Errorf("the word %s has %d digits more than %s", word, len(digits), strings.Join(names, " "))
			}
			rows = append(rows, row)
		}
	}
	return names, rows, nil
}
