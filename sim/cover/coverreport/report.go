// Package coverreport makes reports of coverage: rates and what is missing ([New]), an lcov
// tracefile ([Report.LCOV]) and an HTML page ([Report.HTML]).
//
//	d, _, err := coverdb.Read("out/cover")
//	r, err := coverreport.New(d)
//	fmt.Println(r.Missing(coverreport.Line)) // [rtl/fifo/fifo.sv:11: not executed]
//
// The rates of code coverage of a file are:
//
//	line    the share of the lines with code that were executed. A line's count is the highest of
//	        its points, and for a decision the sum of its outcomes.
//	branch  the share of the outcomes of if, case and ?: that were taken
//	others  the share of Verilator's points of this kind that were hit: toggle, expr, user (cover
//	        properties), and so on
//
// A place that is in several instances is one point. It is hit if any instance hits it.
//
// A file that has code but no points is not measured, and counts in no rate. With Verilator 5.006 a
// package of functions is such a file.
//
// Functional coverage is that of IEEE 1800-2017, 19.11. The coverage of a point or cross is the
// share of its bins that have reached their goals. That of a group is the mean of its points and
// crosses, and that of all is the mean of the groups.
package coverreport

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// The kinds of code coverage that have rules of their own.
const (
	Line   = "line"
	Branch = "branch"
)

// kinds is the order of kinds in reports. Others follow.
var kinds = []string{Line, Branch, "toggle", "expr", "user"}

// Functional is the kind of functional coverage.
const Functional = "functional"

// Rate is how many points, lines or bins were hit, of how many.
type Rate struct{ Hit, All int }

// Fraction returns the share that was hit, from 0 to 1. It is 1 if there is nothing to hit.
func (r Rate) Fraction() float64 {
	if r.All == 0 {
		return 1
	}
	return float64(r.Hit) / float64(r.All)
}

func (r *Rate) add(hit bool) {
	r.All++
	if hit {
		r.Hit++
	}
}

// Percent returns a fraction in percent, "99.9%". It rounds down, so that 100.0% means all.
func Percent(fraction float64) string {
	// The sum of fractions that are all 1 is exact.
	return fmt.Sprintf("%.1f%%", float64(int(fraction*1000+1e-9))/10)
}

// Report is what is known about coverage.
type Report struct {
	Kinds  []string // the kinds of code coverage in it
	Files  []*File  // by name
	Groups []*Group // by name
	Code   map[string]Rate
}

// File is a source file.
type File struct {
	Name   string
	Rates  map[string]Rate // by kind
	Lines  map[int]uint64  // the counts of the lines that can be executed
	Points []Point         // sorted by line, column and the other fields
	Hash   string          // [coverdb.Hash] of the text that was simulated, or "" if not known
}

// Measured reports whether the file has points. Without any, nothing is known of its coverage.
func (f *File) Measured() bool { return len(f.Points) > 0 }

// NotMeasured is the note on a file that is not measured.
const NotMeasured = "no points: not measured"

// Point is a code point, over all instances.
type Point struct {
	Line, Column int
	Kind         string // as Verilator says
	Branch       bool   // an outcome of a decision
	What         string
	Count        uint64
}

// Group is a covergroup.
type Group struct {
	Name  string
	Items []*Item
}

// Item is a point or a cross.
type Item struct {
	Name  string
	Cross bool
	Bins  []Bin
}

// Bin is a bin with its hits.
type Bin struct {
	Name string
	Kind coverdb.BinKind
	coverdb.Hits
}

// Missing reports whether the bin has a goal that is not reached.
func (b Bin) Missing() bool { return b.Kind == coverdb.Goal && !b.Covered() }

// Rate returns how many bins have reached their goals.
func (i *Item) Rate() (r Rate) {
	for _, b := range i.Bins {
		if b.Kind == coverdb.Goal {
			r.add(b.Covered())
		}
	}
	return r
}

// Rate returns how many bins have reached their goals.
func (g *Group) Rate() (r Rate) {
	for _, i := range g.Items {
		ri := i.Rate()
		r.Hit += ri.Hit
		r.All += ri.All
	}
	return r
}

// Fraction returns the group's coverage, from 0 to 1.
func (g *Group) Fraction() float64 {
	return mean(g.Items, func(i *Item) (float64, bool) { return i.Rate().Fraction(), i.Rate().All > 0 })
}

// Functional returns the coverage of all groups, from 0 to 1, and how many bins have reached their
// goals.
func (r *Report) Functional() (fraction float64, bins Rate) {
	for _, g := range r.Groups {
		rg := g.Rate()
		bins.Hit += rg.Hit
		bins.All += rg.All
	}
	return mean(r.Groups, func(g *Group) (float64, bool) { return g.Fraction(), g.Rate().All > 0 }), bins
}

// mean returns the mean of the values that count.
func mean[T any](all []T, of func(T) (value float64, counts bool)) float64 {
	sum, n := 0.0, 0
	for _, a := range all {
		if v, counts := of(a); counts {
			sum += v
			n++
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// New returns the report of data.
func New(d *coverdb.Data) (*Report, error) {
	r := &Report{Code: map[string]Rate{}}
	if err := r.code(d); err != nil {
		return nil, err
	}
	r.functional(d)
	return r, nil
}

// decisions are Verilator's names for the outcomes of decisions. It counts the arms of a case and
// of a chain of else-ifs as lines, and the arms of other ifs as branches.
var decisions = []string{"if", "else", "elsif", "case", "cond_then", "cond_else"}

// otherwise are those outcomes that end a decision.
var otherwise = []string{"else", "cond_else"}

func (r *Report) code(d *coverdb.Data) error {
	var f *File
	executed := map[int]uint64{} // counts of the lines of the present point, over all instances
	flush := func() {
		for l, n := range executed {
			f.Lines[l] = max(f.Lines[l], n)
		}
		clear(executed)
	}
	for _, c := range d.SortedCode() {
		count := d.Code[c]
		if f == nil || f.Name != c.File {
			flush()
			f = newFile(d, c.File)
			r.Files = append(r.Files, f)
		}
		p := Point{Line: c.Line, Column: c.Column, Kind: c.Kind, What: c.Comment, Count: count}
		p.Branch = c.Kind == Branch || c.Kind == Line && slices.Contains(decisions, c.Comment)
		if n := len(f.Points); n > 0 && f.Points[n-1].same(p) {
			f.Points[n-1].Count = coverdb.Sum(f.Points[n-1].Count, count)
		} else {
			flush()
			f.Points = append(f.Points, p)
		}
		if c.Kind != Line && c.Kind != Branch {
			continue
		}
		lines, err := coverdb.LineList(c.Lines)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", c.File, c.Line, err)
		}
		if len(lines) == 0 && !p.Branch {
			lines = append(lines, c.Line)
		}
		for _, l := range lines {
			executed[l] = coverdb.Sum(executed[l], count)
		}
	}
	flush()
	for name := range d.Files {
		if !slices.ContainsFunc(r.Files, func(f *File) bool { return f.Name == name }) {
			r.Files = append(r.Files, newFile(d, name))
		}
	}
	slices.SortFunc(r.Files, func(a, b *File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range r.Files {
		f.decisions()
		for _, n := range f.Lines {
			f.count(Line, n > 0)
		}
		for _, p := range f.Points {
			if p.Branch {
				f.count(Branch, p.Count > 0)
			} else if p.Kind != Line {
				f.count(p.Kind, p.Count > 0)
			}
		}
		for kind, rate := range f.Rates {
			all := r.Code[kind]
			all.Hit += rate.Hit
			all.All += rate.All
			r.Code[kind] = all
		}
	}
	rank := func(kind string) int {
		if i := slices.Index(kinds, kind); i >= 0 {
			return i
		}
		return len(kinds)
	}
	r.Kinds = slices.SortedFunc(maps.Keys(r.Code), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	return nil
}

// decisions counts the lines with decisions, which the points' lists of lines need not have. The
// count is the sum of the decision's outcomes. These follow each other in Points.
func (f *File) decisions() {
	var last Point
	var count uint64
	for _, p := range f.Points {
		if !p.Branch {
			continue
		}
		if p.Line != last.Line || p.Column != last.Column && !slices.Contains(otherwise, p.What) {
			count = 0
		}
		count = coverdb.Sum(count, p.Count)
		f.Lines[p.Line] = max(f.Lines[p.Line], count)
		last = p
	}
}

func newFile(d *coverdb.Data, name string) *File {
	return &File{Name: name, Rates: map[string]Rate{}, Lines: map[int]uint64{}, Hash: d.Files[name]}
}

func (f *File) count(kind string, hit bool) {
	rate := f.Rates[kind]
	rate.add(hit)
	f.Rates[kind] = rate
}

func (p Point) same(q Point) bool {
	p.Count = q.Count
	return p == q
}

func (r *Report) functional(d *coverdb.Data) {
	var g *Group
	var i *Item
	for _, b := range d.SortedBins() {
		if g == nil || g.Name != b.Group {
			g, i = &Group{Name: b.Group}, nil
			r.Groups = append(r.Groups, g)
		}
		if i == nil || i.Name != b.Item || i.Cross != b.Cross {
			i = &Item{Name: b.Item, Cross: b.Cross}
			g.Items = append(g.Items, i)
		}
		i.Bins = append(i.Bins, Bin{b.Name, b.Kind, d.Bins[b]})
	}
}

// Fraction returns the coverage of a kind, from 0 to 1, and whether there are any data of this
// kind.
func (r *Report) Fraction(kind string) (fraction float64, known bool) {
	if kind == Functional {
		f, bins := r.Functional()
		return f, bins.All > 0
	}
	rate, known := r.Code[kind]
	return rate.Fraction(), known
}

// Missing returns what is not covered of a kind: texts of the form "rtl/fifo/fifo.sv:11: not
// executed", or the group, point and bin.
func (r *Report) Missing(kind string) (missing []string) {
	if kind == Functional {
		for _, g := range r.Groups {
			for _, i := range g.Items {
				for _, b := range i.Bins {
					if b.Missing() {
						missing = append(missing, fmt.Sprintf("group %q, %q: bin %q has %d of %d hits", g.Name, i.Name, b.Name, b.Count, b.AtLeast))
					}
				}
			}
		}
		return missing
	}
	for _, f := range r.Files {
		if kind == Line {
			for _, l := range slices.Sorted(maps.Keys(f.Lines)) {
				if f.Lines[l] == 0 {
					missing = append(missing, fmt.Sprintf("%s:%d: not executed", f.Name, l))
				}
			}
			continue
		}
		for _, p := range f.Points {
			if p.kind() == kind && p.Count == 0 {
				missing = append(missing, fmt.Sprintf("%s:%d:%d: %s", f.Name, p.Line, p.Column, p.missing()))
			}
		}
	}
	return missing
}

// kind returns the kind of the rate in which the point counts.
func (p Point) kind() string {
	if p.Branch {
		return Branch
	}
	return p.Kind
}

// missing says what has not happened.
func (p Point) missing() string {
	switch {
	case p.Branch:
		return p.What + " not taken"
	case p.Kind == "toggle":
		return p.What + " does not toggle"
	}
	return p.Kind + " " + p.What + " not hit"
}
