package vectors

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Doc returns a text about a design: its parameters, its ports with their named values, and its
// statements. With an empty name it is about all designs.
func (r *Registry) Doc(name string) (string, error) {
	var b strings.Builder
	if name == "" {
		for _, n := range r.Names() {
			fmt.Fprintf(&b, "%-16s %s\n", n, r.designs[n].about)
		}
		return b.String(), nil
	}
	d := r.designs[name]
	if d == nil {
		return "", r.unknown(name)
	}
	return d.doc(), nil
}

// doc returns a text about a design.
func (d *design) doc() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", d.name, d.about)
	switch {
	case d.foreign != nil && len(d.foreign.clocks) > 0:
		fmt.Fprintf(&b, "\nclocks %s; a row is a moment in which one or more rise", strings.Join(clockWords(d.foreign.rtl), " "))
	case d.clock == "":
		fmt.Fprintf(&b, "\nno clock: each row is a moment, %v apart", d.period)
	default:
		fmt.Fprintf(&b, "\nclock %s, period %v", d.clock, d.period)
	}
	if d.foreign != nil && d.reset != "" {
		fmt.Fprintf(&b, "; reset %s, active %s", d.reset, map[bool]string{true: "low", false: "high"}[d.resetActive.Sign() == 0])
	} else if d.reset != "" {
		fmt.Fprintf(&b, "; reset %s", d.reset)
	}
	b.WriteString("\n")
	if len(d.params) > 0 {
		b.WriteString("\nparameters:\n")
		for _, p := range d.params {
			fmt.Fprintf(&b, "  %-16s %9d  %s\n", p.Name, p.Default, p.About)
		}
	}
	for _, input := range []bool{true, false} {
		fmt.Fprintf(&b, "\n%s:\n", map[bool]string{true: "inputs", false: "outputs"}[input])
		for _, p := range d.ports {
			if p.Input == input {
				fmt.Fprintf(&b, "  %-24s %s\n", p.span(), p.Names.doc())
			}
		}
	}
	b.WriteString("\nstatements:\n")
	used := map[string]bool{}
	for _, v := range d.forms {
		fmt.Fprintf(&b, "  %-44s %s\n", v.use, v.about)
		for _, a := range v.args {
			used[a.kind] = true
		}
	}
	if len(d.forms) > 0 {
		b.WriteString("\n")
	}
	for _, v := range builtin {
		fmt.Fprintf(&b, "  %-44s %s\n", v.use, v.about)
	}
	if f := d.foreign; f != nil {
		for _, v := range rtlStatements() {
			fmt.Fprintf(&b, "  %-44s %s\n", v.use, v.about)
		}
		agentDoc(&b)
		b.WriteString("\ninternal signals:\n")
		for _, s := range f.signals {
			fmt.Fprintf(&b, "  %s\n", s)
		}
		if len(f.notes) > 0 {
			b.WriteString("\n" + strings.Join(f.notes, "\n") + "\n")
		}
	}
	if len(used) > 0 {
		b.WriteString("\nin statements:\n")
		for _, k := range slices.Sorted(maps.Keys(used)) {
			kind := d.kinds[k]
			fmt.Fprintf(&b, "  %-10s %s\n", k, kind.About)
			for part := range slices.Chunk(kind.Names, 8) {
				fmt.Fprintf(&b, "  %-10s   %s\n", "", strings.Join(part, ", "))
			}
		}
	}
	return blanks.ReplaceAllString(b.String(), "")
}

// agentDoc writes what agents speak.
func agentDoc(b *strings.Builder) {
	b.WriteString("\nagents:\n")
	for _, p := range protocols() {
		use := "agent NAME " + p.name
		for _, o := range p.options {
			if o.needed {
				use += " " + o.name + " " + strings.ToUpper(o.name)
			}
		}
		fmt.Fprintf(b, "  %-44s %s\n", use+" [OPTION VALUE...]", p.about)
		for _, v := range p.verbs {
			fmt.Fprintf(b, "    %-42s %s\n", "NAME "+v.use, v.about)
		}
		for _, o := range p.options {
			fmt.Fprintf(b, "      %-40s %s\n", o.name+" "+strings.ToUpper(o.name), o.about)
		}
		for _, o := range paceOptions {
			if slices.Contains(p.paces, o.name) {
				fmt.Fprintf(b, "      %-40s %s\n", o.name+" "+o.value, o.about)
			}
		}
		fmt.Fprintf(b, "      %-40s %s\n", "clock PORT", "the clock that it belongs to, if there are several")
		if len(p.signals) > 0 {
			fmt.Fprintf(b, "      %-40s %s\n", p.signals[0]+" PORT ...", "ports of other names: "+strings.Join(p.signals, " "))
		}
	}
}

// blanks matches blanks at the ends of lines.
var blanks = regexp.MustCompile(`(?m) +$`)

// unknown returns the error for a design that does not exist.
func (r *Registry) unknown(name string) error {
	return fmt.Errorf("there is no design %q: %s", name, choice(name, r.Names()))
}

// doc returns the names in short.
func (n Names) doc() string {
	list := n.known()
	switch {
	case len(list) == 0:
		return ""
	case len(list) > 24:
		list = []string{list[0], list[1], "...", list[len(list)-1]}
	}
	if n.Set {
		return "any of " + strings.Join(list, ",")
	}
	return strings.Join(list, ", ")
}
