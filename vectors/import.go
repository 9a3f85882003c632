package vectors

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// MaxTable is the greatest size of an imported table, in bytes. It has a line for each cycle.
const MaxTable = 16 * maxSize

// Import returns a vector for a design, named as for [Registry.Record], with the cycles of a table.
// The table is CSV with the ports in its first line, or a file for $readmemh whose first comment
// names the ports, as [Registry.CSV] and [Registry.Hex] write them. It need not have all ports.
// Parameters are as in a header, "A=1 B=2".
func (r *Registry) Import(design, parameters, name string, data []byte) (string, error) {
	from, err := r.fresh(context.Background()).configured(design, parameters)
	if err != nil {
		return "", err
	}
	d := from.d
	if len(data) > MaxTable {
		return "", fmt.Errorf("%s: it has more than %d bytes, which is too much for a vector: cut it into several", name, MaxTable)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // spreadsheets write a byte order mark
	read := readCSV
	if strings.HasPrefix(strings.TrimSpace(string(data)), "//") {
		read = readHex
	}
	rows, err := read(d, data)
	if err != nil {
		return "", fmt.Errorf("%s:%w", name, err)
	}
	if len(rows) < 2 {
		return "", fmt.Errorf("%s: there are no cycles in it: expected a line with the names of ports, and lines with their values", name)
	}
	names := rows[0].cells
	var order []int // the columns, inputs first
	for _, input := range []bool{true, false} {
		for i, n := range names {
			p := d.port(n)
			if p == nil {
				return "", fmt.Errorf("%s:%d: %s has no port %q: %s", name, rows[0].line, design, n, choice(n, portNames(d)))
			}
			if p.Input == input {
				order = append(order, i)
			}
		}
	}
	var lines []Line
	for k, row := range rows {
		l := Line{Bar: &Word{Text: "|"}}
		for _, i := range order {
			p := d.port(names[i])
			text := strings.TrimSpace(row.cells[i])
			if k > 0 {
				v, problem, help := parseValue(text, p)
				if problem == "" && p.Input && v.care != nil {
					problem, help = fmt.Sprintf("%s is no value for the input %s", text, p.Name), "it is driven: write all digits"
				}
				if problem != "" {
					return "", fmt.Errorf("%s:%d: %s; %s", name, row.line, problem, help)
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
	f := &File{Name: from.file, Header: append(comment("Imported from "+path.Base(name)+"."), from.header...), Sections: []Section{table}}
	_, err = r.replan(f)
	return Format(f), err
}

// tableRow is a line of an imported table. The first has the names of ports.
type tableRow struct {
	line  int
	cells []string
}

// readCSV reads comma-separated values.
func readCSV(_ *design, data []byte) (rows []tableRow, err error) {
	c := csv.NewReader(bytes.NewReader(data))
	c.TrimLeadingSpace = true
	for {
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, fmt.Errorf("%d:%d: %w", wrong.Line, wrong.Column, wrong.Err)
		}
		if err != nil {
			return nil, err
		}
		line, _ := c.FieldPos(0)
		rows = append(rows, tableRow{line, cells})
	}
}

// readHex reads a table for $readmemh.
func readHex(d *design, data []byte) (rows []tableRow, err error) {
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		code, remark, _ := strings.Cut(line, "//")
		if names := strings.Fields(remark); rows == nil && len(names) > 0 {
			for _, n := range names {
				if d.port(n) == nil {
					return nil, fmt.Errorf("%d: %s has no port %q: %s; the first comment names the ports of a word, from the left", number, d.name, n, choice(n, portNames(d)))
				}
			}
			rows = []tableRow{{number, names}}
		}
		for word := range strings.FieldsSeq(code) {
			if strings.HasPrefix(word, "@") {
				continue // an address
			}
			if rows == nil {
				return nil, fmt.Errorf("%d: what the word %s is of is not known: write the names of ports in a comment above, // %s", number, word, strings.Join(portNames(d), " "))
			}
			cells, err := cut(d, word, rows[0].cells)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", number, err)
			}
			rows = append(rows, tableRow{number, cells})
		}
	}
	return rows, nil
}

// cut returns the values of the ports in a word. Digits x do not matter.
func cut(d *design, word string, names []string) (cells []string, err error) {
	digits := strings.NewReplacer("_", "", "x", "-", "X", "-").Replace(word)
	for _, n := range names {
		size := (d.port(n).Width + 3) / 4
		if len(digits) < size {
			return nil, fmt.Errorf("the word %s has too few digits for %s", word, strings.Join(names, " "))
		}
		value := "0x" + digits[:size]
		if strings.Trim(digits[:size], "-") == "" {
			value = "-"
		}
		cells, digits = append(cells, value), digits[size:]
	}
	if digits != "" {
		return nil, fmt.Errorf("the word %s has %d digits more than %s", word, len(digits), strings.Join(names, " "))
	}
	return cells, nil
}
