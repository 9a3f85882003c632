package coverreport

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// LCOV is a tracefile as geninfo(1) describes it, of the lines and the branches; it knows no other coverage. The branches
// of a line are numbered from the left, in one block.
func (r *Report) LCOV() []byte {
	var b bytes.Buffer
	for _, f := range r.Files {
		if len(f.Lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "TN:\nSF:%s\n", f.Name)
		line, branch := 0, 0
		for _, p := range f.Points {
			if !p.Branch {
				continue
			}
			if p.Line != line {
				line, branch = p.Line, 0
			}
			fmt.Fprintf(&b, "BRDA:%d,0,%d,%d\n", p.Line, branch, p.Count)
			branch++
		}
		if rate := f.Rates[Branch]; rate.All > 0 {
			fmt.Fprintf(&b, "BRF:%d\nBRH:%d\n", rate.All, rate.Hit)
		}
		for _, l := range slices.Sorted(maps.Keys(f.Lines)) {
			fmt.Fprintf(&b, "DA:%d,%d\n", l, f.Lines[l])
		}
		rate := f.Rates[Line]
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", rate.All, rate.Hit)
	}
	return b.Bytes()
}
