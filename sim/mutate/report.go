package mutate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// Count returns how many mutants have a verdict. "" are those that were not reached.
func (r *Report) Count(v Verdict) (n int) {
	for i := range r.Results {
		if r.Results[i].Verdict == v {
			n++
		}
	}
	return n
}

// Params are the parameters of the configuration whose mutants were decided.
func (r *Report) Params() map[string]string { return r.design.Params }

// OK reports whether every mutant is found or proved equivalent.
func (r *Report) OK() bool { return r.Count(Found)+r.Count(Equivalent) == len(r.Results) }

// Summary is the report in a few lines.
func (r *Report) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Design, r.Size)
	if r.In != "" {
		fmt.Fprintf(&b, "mutants of the sources in %s only\n", r.In)
	}
	if r.All > len(r.Results) {
		fmt.Fprintf(&b, "%d of %d mutants, drawn by seed (%.1f %%)\n", len(r.Results), r.All, 100*float64(len(r.Results))/float64(r.All))
	}
	n := len(r.Results)
	row := func(count int, what string) {
		if count > 0 || n == 0 {
			fmt.Fprintf(&b, "  %6d  %s\n", count, what)
		}
	}
	row(n, "mutants"+r.kinds())
	row(r.Count(Found), "found by a test")
	row(r.Count(Equivalent), "proved to change nothing")
	row(r.Count(Missed), "missed: a stimulus shows them, and no test fails")
	row(r.Count(Undecided), "undecided")
	row(r.Count(""), "not reached")
	for _, name := range slices.Sorted(maps.Keys(r.Valid)) {
		var when []string
		for _, c := range lanes.ParseConditions(r.Valid[name]) {
			value := "1"
			if c.Zero {
				value = "0"
			} else if r.wide(c.Field) {
				value = "not 0"
			}
			when = append(when, c.Field.String()+" is "+value)
		}
		fmt.Fprintf(&b, "assumed, since tests compare it only then: %s counts where %s\n", name, strings.Join(when, " and "))
	}
	for _, where := range r.Assumed {
		fmt.Fprintf(&b, "assumed, since the design says so: %s\n", where)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

// wide reports whether a field of the outputs has several bits.
func (r *Report) wide(f lanes.Field) bool {
	i := slices.IndexFunc(r.layout.Outputs, func(q bridge.Port) bool { return q.Name == f.Port })
	return i >= 0 && f.Wide(&r.layout.Outputs[i])
}

// kinds says how many mutants there are of each kind, if some are of the source.
func (r *Report) kinds() string {
	count := map[string]int{}
	for i := range r.Results {
		count[r.Results[i].Kind]++
	}
	bits := count[bitKind]
	if delete(count, bitKind); len(count) == 0 {
		return ""
	}
	var all []string
	for _, kind := range slices.SortedFunc(maps.Keys(count), func(x, y string) int { return cmp.Or(count[y]-count[x], strings.Compare(x, y)) }) {
		all = append(all, fmt.Sprintf("%s %d", kind, count[kind]))
	}
	return fmt.Sprintf(": %d of bits of the netlist, %d of the source (%s)", bits, len(r.Results)-bits, strings.Join(all, ", "))
}

// Text is the report for people: the summary, the tests and what only they have found, and each
// mutant that is neither found nor equivalent.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString(r.Summary())
	if by := r.Tests(); len(by) > 0 {
		b.WriteString("\nfound first by\n")
		for _, name := range slices.SortedFunc(maps.Keys(by), func(x, y string) int {
			return cmp.Or(by[y]-by[x], strings.Compare(x, y))
		}) {
			fmt.Fprintf(&b, "  %6d  %s\n", by[name], name)
		}
	}
	for _, part := range []struct {
		verdict Verdict
		title   string
	}{{Missed, "missed"}, {Undecided, "undecided"}} {
		last := ""
		for i := range r.Results {
			m := &r.Results[i]
			if m.Verdict != part.verdict {
				continue
			}
			if last == "" {
				fmt.Fprintf(&b, "\n%s\n", part.title)
			}
			if at := fmt.Sprintf("%s:%d", m.File, m.Line); at != last {
				fmt.Fprintf(&b, "%s\n", at)
				last = at
			}
			fmt.Fprintf(&b, "  %d  %s\n", m.ID, m.What)
			for _, tried := range m.Tried {
				fmt.Fprintf(&b, "        %s\n", tried)
			}
			if m.Witness != nil {
				b.WriteString(m.Witness.text("        "))
			}
		}
	}
	return b.String()
}

// Tests returns how many mutants each test was the first to find.
func (r *Report) Tests() map[string]int {
	by := map[string]int{}
	for i := range r.Results {
		if m := &r.Results[i]; m.Verdict == Found {
			by[function(m.By.Test)]++
		}
	}
	return by
}

// rowsShown is how many rows of a witness a text has.
const rowsShown = 12

// length says how many cycles a witness has.
func (w *Witness) length() string {
	why := "the fewest cycles that show it"
	if !w.Shortest {
		why = "perhaps fewer would do"
	}
	return fmt.Sprintf("%d cycles (%s)", len(w.Rows), why)
}

// text is a witness as a table. Rows that are equal are written once.
func (w *Witness) text(indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%safter a reset, %s:\n", indent, w.length())
	shown := 0
	fmt.Fprintf(&b, "%s  cycle %s\n", indent, strings.Join(w.Inputs, " "))
	for t := 0; t < len(w.Rows); {
		n := 1
		for t+n < len(w.Rows) && slices.Equal(w.Rows[t+n], w.Rows[t]) {
			n++
		}
		if shown++; shown > rowsShown {
			fmt.Fprintf(&b, "%s  ...\n", indent)
			break
		}
		repeat := ""
		if n > 1 {
			repeat = fmt.Sprintf(" *%d", n)
		}
		fmt.Fprintf(&b, "%s  %5d %s%s\n", indent, t, strings.Join(w.Rows[t], " "), repeat)
		t += n
	}
	return b.String()
}

// Table is the witness as shrunk.txt of a failing test has its inputs, for `cosimate vectors
// record --from`.
func (w *Witness) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %s\n", strings.Join(w.Inputs, " "))
	for t := 0; t < len(w.Rows); {
		n := 1
		for t+n < len(w.Rows) && slices.Equal(w.Rows[t+n], w.Rows[t]) {
			n++
		}
		fmt.Fprintf(&b, "%d %s", t, strings.Join(w.Rows[t], " "))
		if n > 1 {
			fmt.Fprintf(&b, " *%d", n)
		}
		b.WriteString("\n")
		t += n
	}
	return b.String()
}
