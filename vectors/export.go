package vectors

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"
)

// CSV returns a vector as comma-separated values, as VUnit's tests read them: a line with the names
// of all ports, and a line for each cycle, in decimal. An output is "-" if the model does not care
// about it, or does not know it yet.
func (r *Registry) CSV(ctx context.Context, name string) (string, error) {
	p, cycles, err := r.traced(ctx, name)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(portNames(p.design))
	first := len(p.design.names(true))
	for _, t := range cycles {
		var row []string
		for i, v := range t.values {
			text := v.String()
			if i >= first && (t.ignored == nil || t.ignored[i-first].Sign() != 0) {
				text = "-"
			}
			row = append(row, text)
		}
		w.Write(row)
	}
	w.Flush()
	return b.String(), w.Error()
}

// Hex returns a vector as a table for $readmemh: a comment with the ports, and a word for each
// cycle. In a word each port has as many digits as it needs. Digits of outputs that do not matter
// are x.
func (r *Registry) Hex(ctx context.Context, name string) (string, error) {
	p, cycles, err := r.traced(ctx, name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("// " + strings.Join(portNames(p.design), " ") + "\n")
	first := len(p.design.names(true))
	for _, t := range cycles {
		var fields []string
		for i, v := range t.values {
			digits := (p.design.ports[i].Width + 3) / 4
			text := fmt.Sprintf("%0*x", digits, v)
			if i >= first && (t.ignored == nil || t.ignored[i-first].Sign() != 0) {
				text = strings.Repeat("x", digits)
			}
			fields = append(fields, text)
		}
		b.WriteString(strings.Join(fields, "_") + "\n")
	}
	return b.String(), nil
}

// traced plays a vector to the model, and returns its plan and its cycles.
func (r *Registry) traced(ctx context.Context, name string) (*plan, []*traced, error) {
	r = r.fresh(ctx)
	p, err := r.load(name)
	if err == nil {
		err = p.filled()
	}
	if err != nil {
		return nil, nil, err
	}
	cycles, err := p.trace(ctx)
	return p, cycles, err
}

func portNames(d *design) []string { return append(d.names(true), d.names(false)...) }
