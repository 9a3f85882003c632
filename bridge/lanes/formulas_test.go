package lanes

import "testing"

// Each formula computes its table, with as many operations and registers as it says.
func TestFormulas(t *testing.T) {
	var compute func(table uint8) (result uint8, operations int)
	compute = func(table uint8) (uint8, int) {
		f := formulas()[table]
		if at := int(f.op) - 'a'; at >= 0 && at < 3 {
			return [...]uint8{0b10101010, 0b11001100, 0b11110000}[at], 0
		}
		if f.op == '0' || f.op == '1' {
			return -(f.op - '0'), 0
		}
		x, n := compute(f.x)
		if f.op == '~' {
			return ^x, n + 1
		}
		y, m := compute(f.y)
		return map[byte]uint8{'&': x & y, '|': x | y, '^': x ^ y, '\\': x &^ y}[f.op], n + m + 1
	}
	for table := range 256 {
		f := formulas()[table]
		if got, n := compute(uint8(table)); got != uint8(table) || n != f.cost || n > 6 {
			t.Errorf("table %#02x: the formula computes %#02x in %d operations, and says %d", table, got, n, f.cost)
		}
		if n := scratch(uint8(table)); n > mostScratch {
			t.Errorf("table %#02x needs %d registers, and there are %d", table, n, mostScratch)
		}
	}
}
