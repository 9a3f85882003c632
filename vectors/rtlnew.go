package vectors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
)

// SkeletonRTL returns a vector to begin with for RTL that is given by its files. The vector will be
// in a folder, which its header's names are relative to. The header says all that convention has
// found; notes say it in words. The vector passes when update has filled in its values.
func SkeletonRTL(ctx context.Context, g convention.Given, folder string) (text string, notes []string, err error) {
	d, err := elaborate(ctx, "", g)
	if err != nil {
		if _, ok := errors.AsType[*convention.Error](err); !ok {
			err = &ToolError{err}
		}
		return "", nil, err
	}
	header, err := d.header(g, "Say in a line what this scenario shows.", folder)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	b.WriteString(header)
	in := slices.DeleteFunc(d.names(true), func(n string) bool { return n == d.reset })
	out := d.names(false)
	const most = 16
	in, out = in[:min(most, len(in))], out[:min(most, len(out))]
	b.WriteString("\n-- cycles --\n# A row a cycle; left of | what is driven, right of it what is expected. - is \"as before\" and \"whatever\"; *N repeats;\n" +
		"# ? is filled in by cosimate vectors update. cosimate vectors doc FILE.txtar has all ports and statements.\n")
	b.WriteString(strings.Join(in, " ") + " | " + strings.Join(out, " ") + "\n")
	b.WriteString(strings.Repeat("- ", len(in)) + "| " + strings.Repeat("? ", len(out)) + "\n")
	b.WriteString("begin: " + strings.Repeat("- ", len(in)) + "| " + strings.Repeat("? ", len(out)) + "*3  # a name for the row's first cycle\n")
	if len(in) > 0 {
		b.WriteString("\n-- script --\n# A statement a line. The simulators are compared in every cycle.\nrandom 100")
		for _, n := range in {
			b.WriteString(" " + n + " any")
		}
		b.WriteString("\n")
	}
	f, err := Parse("new", []byte(b.String()))
	if err != nil {
		return "", nil, errors.Join(errors.New("a skeleton that is not understood"), err)
	}
	return Format(f), d.foreign.notes, nil
}

// header returns the header of a vector for this RTL that lies in a folder.
func (d *design) header(g convention.Given, title, folder string) (string, error) {
	rtl := d.foreign.rtl
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", title)
	line := func(key string, values ...string) {
		if len(values) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", key, strings.Join(values, " "))
		}
	}
	relative := func(names []string) (all []string, err error) {
		to, err := filepath.Abs(folder)
		for _, n := range names {
			if err == nil && !filepath.IsAbs(n) {
				if n, err = filepath.Abs(filepath.Join(g.Folder, n)); err == nil {
					n, err = filepath.Rel(to, n)
				}
			}
			all = append(all, filepath.ToSlash(n))
		}
		return all, err
	}
	files, err := relative(g.Files)
	if err != nil {
		return "", err
	}
	include, err := relative(g.Include)
	if err != nil {
		return "", err
	}
	assign := func(m map[string]string) (list []string) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			list = append(list, strings.TrimSuffix(k+"="+m[k], "="))
		}
		return list
	}
	for i := range files { // words of a header have no blanks
		files[i] = strings.ReplaceAll(files[i], " ", "?")
	}
	line("rtl", files...)
	line("top", rtl.Top)
	line("clock", clockWords(rtl)...)
	if rtl.Reset != "" {
		line("reset", rtl.Reset, map[bool]string{true: "low", false: "high"}[rtl.ResetActiveLow], "3")
	} else {
		line("reset", "none")
	}
	line("include", include...)
	line("define", assign(g.Defines)...)
	line("parameters", assign(g.Params)...)
	return b.String(), nil
}

// TapeRTL returns a vector with a title for RTL that is given by its files. It plays rows of
// inputs, which have this layout, after a reset. The vector will be in a folder, which its header's
// names are relative to.
func TapeRTL(ctx context.Context, g convention.Given, folder, title string, l *bridge.Layout, in []byte) (string, error) {
	d, err := elaborate(ctx, "", g)
	if err != nil {
		return "", err
	}
	header, err := d.header(g, title, folder)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(header + "\n-- cycles --\n")
	for _, p := range l.Inputs {
		b.WriteString(p.Name + " ")
	}
	b.WriteString("|\n")
	before, times := "", 1
	end := func() {
		if times > 1 {
			before += fmt.Sprintf(" *%d", times)
		}
		if before != "" {
			b.WriteString(before + "\n")
		}
	}
	for at := 0; at < len(in); at += l.InSize {
		row, last := "", true
		for _, p := range l.Inputs {
			value := in[at+p.Offset : at+p.Offset+p.Size]
			same := at > 0 && bytes.Equal(value, in[at-l.InSize+p.Offset:][:p.Size])
			last = last && same
			digits := slices.Clone(value)
			slices.Reverse(digits)
			row += fmt.Sprintf("%#x ", new(big.Int).SetBytes(digits))
		}
		if last {
			times++
			continue
		}
		end()
		before, times = row+"|", 1
	}
	end()
	f, err := Parse("tape", []byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("the inputs cannot be written as a vector: %w", err)
	}
	return Format(f), nil
}

// clockWords returns the clocks of a design as a header has them.
func clockWords(d sim.Design) (words []string) {
	if d.Clock == "" && len(d.Clocks) == 0 {
		return []string{"none"}
	}
	if d.Clock != "" {
		words = append(words, d.Clock)
		if d.Period != 0 {
			words[0] += "=" + d.Period.String()
		}
	}
	for _, c := range d.Clocks {
		w := c.Port
		if c.Period != 0 {
			w += "=" + c.Period.String()
		}
		words = append(words, w)
	}
	return words
}

// DocFile is [Registry.Doc] for the design of a vector.
func (r *Registry) DocFile(ctx context.Context, name string) (string, error) {
	f, err := Load(name)
	if err != nil {
		return "", err
	}
	f.Sections = nil // what is wrong in them is no matter
	p, err := r.fresh(ctx).plan(f)
	if err != nil {
		return "", err
	}
	return p.design.doc(), nil
}
