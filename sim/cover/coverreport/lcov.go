package coverreport

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// LCOV is a tracefile as geninfo(1) describes it. It has records of lines and branches only, so
// points of all other kinds are branches as well, each kind in a block of its own:
//
//	BRDA:<line>,<block>,<number>,<count>    block 0 branch, 1 toggle, 2 expr, 3 user, 4 what else there is
//
// numbered from the left within the line and block. Lcov refuses a branch on a line that is not
// counted: a line of such points without code, as a declaration whose bits toggle, is one that was
// executed if one of them was hit.
func (r *Report) LCOV() []byte {
	var b bytes.Buffer
	for _, f := range r.Files {
		if !f.Measured() {
			continue // a record would say that all of it is covered
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

// block is the number of the tracefile's block that a point other than of lines is in.
func (p Point) block() int {
	if i := slices.Index(kinds, p.kind()); i >= 0 {
		return i - slices.Index(kinds, Branch)
	}
	return len(kinds) - slices.Index(kinds, Branch)
}
