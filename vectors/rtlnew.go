package vectors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

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
	rtl := d.foreign.rtl
	var b strings.Builder
	b.WriteString("# Say in a line what this scenario shows.\n")
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
		return "", nil, err
	}
	include, err := relative(g.Include)
	if err != nil {
		return "", nil, err
	}
	assign := func(m map[string]string) (list []string) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			list = append(list, strings.TrimSuffix(k+"="+m[k], "="))
		}
		return list
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
