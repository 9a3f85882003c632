package lanes

import "sync"

// formula computes a table of three inputs with operations that all processors have.
type formula struct {
	// op is the operation: & | ^, ~ of x alone, \ for x without y (x & ~y), a b c for an input, 0
	// or 1 for a constant.
	op   byte
	x, y uint8 // the tables of its operands
	cost int   // operations
}

// leaf reports whether there is nothing to be computed.
func (f formula) leaf() bool { return f.cost == 0 }

// formulas has for each table one of the formulas with the fewest operations.
var formulas = sync.OnceValue(func() *[256]formula {
	var all [256]formula
	var byCost [][]uint8
	add := func(table uint8, f formula) {
		if all[table].op == 0 {
			all[table] = f
			byCost[f.cost] = append(byCost[f.cost], table)
		}
	}
	found := 0
	for cost := 0; found < len(all); cost++ {
		byCost = append(byCost, nil)
		if cost == 0 {
			for i, table := range []uint8{0b10101010, 0b11001100, 0b11110000, 0x00, 0xff} {
				add(table, formula{op: "abc01"[i]})
			}
		} else {
			for _, x := range byCost[cost-1] {
				add(^x, formula{'~', x, 0, cost})
			}
		}
		for left := range cost {
			for _, x := range byCost[left] {
				for _, y := range byCost[cost-1-left] {
					add(x&y, formula{'&', x, y, cost})
					add(x|y, formula{'|', x, y, cost})
					add(x^y, formula{'^', x, y, cost})
					add(x&^y, formula{'\\', x, y, cost})
				}
			}
		}
		found += len(byCost[cost])
	}
	return &all
})
