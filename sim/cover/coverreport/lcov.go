package coverreport

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// LCOV returns a tracefile as geninfo(1) describes it. The format has records for lines and
// branches only. So points of all other kinds are branches, too, each kind in a block of its own:
//
//	BRDA:<line>,<block>,<number>,<count>    block 0 branch, 1 toggle, 2 expr, 3 user, 4 other kinds
//
// The number counts the points of a line and block from the left. Lcov refuses a branch on a line
// that is not counted. So a line that has points but no code, such as a declaration whose bits
// toggle, is recorded as executed if one of its points was hit.
func (r *Report) LCOV() []byte {
	var b bytes.Buffer
	for _, f := range r.Files {
		if !f.Measured() {
			continue // an empty record would read as a file that is fully covered
		}
		fmt.Fprintf(&b, "TN:\nSF:%s\n", f.Name)
		lines := maps.Clone(f.Lines)
		var branches Rate
		line, next := 0, [5]int{}
		for _, p := range f.Points {
			if p.kind() == Line {
				continue
			}
			block := p.block()
			if p.Line != line {
				line, next = p.Line, [5]int{}
			}
			fmt.Fprintf(&b, "BRDA:%d,%d,%d,%d\n", p.Line, block, next[block], p.Count)
			next[block]++
			branches.add(p.Count > 0)
			if !p.Branch {
				lines[p.Line] = max(lines[p.Line], p.Count)
			}
		}
		if branches.All > 0 {
			fmt.Fprintf(&b, "BRF:%d\nBRH:%d\n", branches.All, branches.Hit)
		}
		var rate Rate
		for _, l := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintf(&b, "DA:%d,%d\n", l, lines[l])
			rate.add(lines[l] > 0)
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", rate.All, rate.Hit)
	}
	return b.Bytes()
}

// block returns the number of the tracefile's block for a point that is not of kind line.
func (p Point) block() int {
	if i := slices.Index(kinds, p.kind()); i >= 0 {
		return i - slices.Index(kinds, Branch)
	}
	return len(kinds) - slices.Index(kinds, Branch)
}
