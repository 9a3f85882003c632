// Package coverdb has the database of coverage: counts of bins and of points in RTL code, which are
// merged over instances, tests and processes and kept in text files.
//
//	var d coverdb.Data
//	d.AddBin(coverdb.Bin{Group: "fifo", Item: "level", Kind: coverdb.Goal, Name: "full"}, coverdb.Hits{Count: 1, AtLeast: 1})
//	err := d.WriteFile("out/cover", coverdb.NewName())
//	all, files, err := coverdb.Read("out/cover")
//
// Each test process writes a file into a folder ([Data.WriteFile]), and [Read] merges the files of
// folders. Merging adds counts, so its order does not matter. [ParseVerilator] reads the counts of
// a Verilated model.
//
// A file is lines of text, sorted, so that it can be read, compared and searched:
//
//	cosimate coverage 1
//	group "fifo"
//	point 0 "level"
//	bin 0 1041/1 "empty" 0
//	bin 1 0/1 "full" 16
//	illegal 2 0/0 "beyond" 17:31
//	file "rtl/fifo/fifo.sv" 60b2f0e3c1a94d57
//	code line 11:3 20 "block" "fifo.u_ram" 11,17
//	end 8
//
// The first line has the version of the format. The last line has the number of lines before it, so
// that a file that was cut is found to be. The lines between are:
//
//	point, cross   place in the group, name
//	bin            place in the point or cross, hits/goal, name, values unless the name says them
//	file           name, Hash of the text
//	code           kind, line:column, count, comment, hierarchy, the lines that it stands for
//
// A file without code points has code that Verilator does not measure.
package coverdb

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
)

// A CodePoint is a place in RTL whose executions are counted. Points that differ in any field are
// counted separately.
type CodePoint struct {
	File         string // as in the design: rtl/fifo/fifo.sv
	Line, Column int    // counted from 1
	Kind         string // line, branch, toggle, expr, user, or another kind of newer Verilators
	Comment      string // "else", the signal "count_o[3]", a cover property's name
	Hierarchy    string // the instances; one name for all of a module: fifo.u_*
	Lines        string // the lines that are executed with it: "11,14-15", or ""
}

// BinKind is what the hits of a bin mean, in the terms of IEEE 1800-2017, 19.5.
type BinKind string

const (
	Goal    BinKind = "bin"     // must be hit
	Default BinKind = "default" // values in no other bin; not part of the coverage
	Ignored BinKind = "ignore"  // values that do not matter
	Illegal BinKind = "illegal" // values that must not come
)

// A Bin identifies a bin by its group, its point or cross, and its own name.
type Bin struct {
	Group string
	Item  string // the point or cross
	Cross bool
	Kind  BinKind
	Name  string
}

// Hits are the count of a bin, and its definition.
type Hits struct {
	Count     uint64
	AtLeast   uint64 // how many hits a bin of kind Goal needs
	ItemOrder int    // the places in the definition, for the order in reports
	Order     int
	// Values are the values in the bin, such as "0:3,7", or "" if its name says them. Bins of one
	// name must have the same values.
	Values string
}

// Covered reports whether the goal is reached.
func (h Hits) Covered() bool { return h.Count >= h.AtLeast }

// Data is coverage. The zero value is empty and ready to use.
type Data struct {
	Code  map[CodePoint]uint64
	Bins  map[Bin]Hits
	Files map[string]string // the Hash of each source file, if it is known
}

// Hash returns the hash of a source file's text: 16 hexadecimal digits.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// ChangedError is the error of merging coverage of different texts of a file.
type ChangedError struct{ File string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("different source files are called %s, whose counts cannot be added up: set Design.Dir of one of the designs "+
		"or, if the file was changed, remove the databases of before", e.File)
}

// AddFile adds a source file with the hash of its text. If the file is known with another hash,
// nothing is added and the error is a *[ChangedError].
func (d *Data) AddFile(name, hash string) error {
	if old, ok := d.Files[name]; ok && old != hash {
		return &ChangedError{name}
	}
	if d.Files == nil {
		d.Files = map[string]string{}
	}
	d.Files[name] = hash
	return nil
}

// AddCode adds to a code point's count.
func (d *Data) AddCode(p CodePoint, count uint64) {
	if d.Code == nil {
		d.Code = map[CodePoint]uint64{}
	}
	d.Code[p] = Sum(d.Code[p], count)
}

// AddBin adds to a bin's count. If the goals differ, the higher one holds. If the values differ,
// nothing is added and the error is a *[ValuesError].
func (d *Data) AddBin(b Bin, h Hits) error {
	if d.Bins == nil {
		d.Bins = map[Bin]Hits{}
	}
	if old, ok := d.Bins[b]; ok {
		if old.Values != h.Values {
			return &ValuesError{b, [2]string{old.Values, h.Values}}
		}
		h.Count = Sum(h.Count, old.Count)
		h.AtLeast = max(h.AtLeast, old.AtLeast)
		h.ItemOrder = min(h.ItemOrder, old.ItemOrder)
		h.Order = min(h.Order, old.Order)
	}
	d.Bins[b] = h
	return nil
}

// Merge adds the counts of other. If a bin has other values there, or a source file another text,
// nothing is added and the error is a *[ValuesError] or a *[ChangedError].
func (d *Data) Merge(other *Data) error {
	differs := func(b Bin) bool {
		old, ok := d.Bins[b]
		return ok && old.Values != other.Bins[b].Values
	}
	for b := range other.Bins {
		if differs(b) {
			bins := other.SortedBins()
			b = bins[slices.IndexFunc(bins, differs)] // always the same one of several
			return &ValuesError{b, [2]string{d.Bins[b].Values, other.Bins[b].Values}}
		}
	}
	files := slices.Sorted(maps.Keys(other.Files))
	for _, name := range files {
		if old, ok := d.Files[name]; ok && old != other.Files[name] {
			return &ChangedError{name}
		}
	}
	for _, name := range files {
		if err := d.AddFile(name, other.Files[name]); err != nil {
			return err
		}
	}
	for p, n := range other.Code {
		d.AddCode(p, n)
	}
	for b, h := range other.Bins {
		if err := d.AddBin(b, h); err != nil {
			return err
		}
	}
	return nil
}

// ValuesError is the error of merging bins of the same name with different values, from different
// tests or versions of a test. The sum of their hits would mean nothing.
type ValuesError struct {
	Bin    Bin
	Values [2]string // as in Hits
}

func (e *ValuesError) Error() string {
	values := func(i int) string { return cmp.Or(e.Values[i], "what its name says") }
	return fmt.Sprintf("coverage group %q, %q: bin %q is %s in one place and %s in another: rename one of the groups or bins, "+
		"or, if the test was changed, remove the databases of before", e.Bin.Group, e.Bin.Item, e.Bin.Name, values(0), values(1))
}

// Sum returns the sum of two counts, or the greatest uint64 if that does not fit.
func Sum(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// SortedCode returns the code points, sorted by file, line, column and the other fields.
func (d *Data) SortedCode() []CodePoint {
	points := make([]CodePoint, 0, len(d.Code))
	for p := range d.Code {
		points = append(points, p)
	}
	slices.SortFunc(points, compareCode)
	return points
}

func compareCode(a, b CodePoint) int {
	if c := cmp.Compare(a.File, b.File); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Line, b.Line); c != 0 { // mostly so: the rest need not be fast
		return c
	}
	return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Comment, b.Comment),
		cmp.Compare(a.Hierarchy, b.Hierarchy), cmp.Compare(a.Lines, b.Lines))
}

// SortedBins returns the bins by group, point or cross, and bin, in the order of definition.
func (d *Data) SortedBins() []Bin {
	// An item's place is the least ItemOrder of its bins. They can differ if processes define a
	// group differently.
	type item struct {
		group, name string
		cross       bool
	}
	place := map[item]int{}
	bins := make([]Bin, 0, len(d.Bins))
	for b, h := range d.Bins {
		bins = append(bins, b)
		i := item{b.Group, b.Item, b.Cross}
		if old, ok := place[i]; !ok || h.ItemOrder < old {
			place[i] = h.ItemOrder
		}
	}
	cross := func(b Bin) int {
		if b.Cross {
			return 1
		}
		return 0
	}
	slices.SortFunc(bins, func(a, b Bin) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(place[item{a.Group, a.Item, a.Cross}], place[item{b.Group, b.Item, b.Cross}]),
			cmp.Compare(cross(a), cross(b)), cmp.Compare(a.Item, b.Item),
			cmp.Compare(d.Bins[a].Order, d.Bins[b].Order), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return bins
}
