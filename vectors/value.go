package vectors

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Names are the names of a port's or an argument's values: Names{List: []string{"off", "on"}}. The
// index is the value. An empty name means that the value has none.
type Names struct {
	List []string
	// Set says that a value is a set of names, written e2,e4: bit n of the value is name n.
	Set bool
}

// At returns the names for the values of these ports.
func (n Names) At(ports ...string) PortNames { return PortNames{n, ports} }

// PortNames are the names of several ports' values.
type PortNames struct {
	Names Names
	Ports []string
}

// Port is a port of a design.
type Port struct {
	Name   string
	Width  int // bits
	Input  bool
	Signed bool
	Names  Names

	field int // index in the struct
}

// span returns the port's name and range as Verilog writes them.
func (p *Port) span() string {
	if p.Width == 1 {
		return p.Name
	}
	return fmt.Sprintf("%s[%d:0]", p.Name, p.Width-1)
}

var one = big.NewInt(1)

// mask returns a number with all bits of the port set.
func (p *Port) mask() *big.Int {
	m := new(big.Int).Lsh(one, uint(p.Width))
	return m.Sub(m, one)
}

// value is the meaning of a cell's text.
type value struct {
	open    bool     // -
	fill    bool     // ?
	lo, hi  *big.Int // the ends of a range; equal for a single value
	care    *big.Int // bits that are compared; nil: all
	unknown *big.Int // bits that must be X or Z; nil: none
}

var number = regexp.MustCompile(`^(-?[0-9][0-9_]*|0[xX][0-9a-fA-FxX_-]+|0[bB][01xX_-]+)$`)

// parseValue reads the text of a cell. If it is not valid, it returns the problem and help.
func parseValue(text string, p *Port) (v value, problem, help string) {
	switch text {
	case "-":
		return value{open: true}, "", ""
	case "?":
		return value{fill: true}, "", ""
	case "x", "X":
		return value{lo: new(big.Int), hi: new(big.Int), care: new(big.Int), unknown: p.mask()}, "", ""
	}
	if from, to, ok := strings.Cut(text, ".."); ok {
		a, problem, help := parseValue(from, p)
		if problem != "" {
			return v, problem, help
		}
		b, problem, help := parseValue(to, p)
		if problem != "" {
			return v, problem, help
		}
		if a.lo == nil || b.lo == nil || a.care != nil || b.care != nil {
			return v, fmt.Sprintf("%s: the ends of a range are known values", text), "write 3..7"
		}
		if p.compare(a.lo, b.lo) > 0 {
			return v, fmt.Sprintf("the range %s is empty: it ends before it begins", text), fmt.Sprintf("did you mean %s..%s?", to, from)
		}
		return value{lo: a.lo, hi: b.lo}, "", ""
	}
	if base := strings.ToLower(text[:min(2, len(text))]); !number.MatchString(text) && (base == "0x" || base == "0b") {
		digits := map[string]string{"0x": "hexadecimal digits are 0 to 9 and a to f", "0b": "binary digits are 0 and 1"}[base]
		return v, fmt.Sprintf("%q is not a number", text), digits + "; x is an unknown digit, - one that does not matter, _ separates"
	}
	if !number.MatchString(text) {
		n, problem, help := p.Names.parse(text, p.span())
		return value{lo: n, hi: n}, problem, help
	}
	return parseNumber(strings.ReplaceAll(strings.ToLower(text), "_", ""), text, p)
}

// parseNumber reads a number: decimal, 0x or 0b. Digits of 0x and 0b can be x (unknown) or - (don't
// care).
func parseNumber(clean, text string, p *Port) (v value, problem, help string) {
	bits, known := new(big.Int), true
	care, unknown := p.mask(), new(big.Int)
	digit := map[string]int{"0x": 4, "0b": 1}[clean[:min(2, len(clean))]]
	if digit == 0 {
		if _, ok := bits.SetString(clean, 10); !ok {
			return v, fmt.Sprintf("%q is not a number", text), "decimal, 0x or 0b"
		}
	} else {
		care.SetInt64(0)
		for _, d := range clean[2:] {
			low := new(big.Int).Sub(new(big.Int).Lsh(one, uint(digit)), one)
			bits.Lsh(bits, uint(digit))
			care.Lsh(care, uint(digit))
			unknown.Lsh(unknown, uint(digit))
			switch d {
			case 'x':
				unknown.Or(unknown, low)
				known = false
			case '-':
				known = false
			default:
				n, _ := new(big.Int).SetString(string(d), 16)
				bits.Or(bits, n)
				care.Or(care, low)
			}
		}
		if known {
			care = p.mask()
		}
	}
	widest := new(big.Int).Or(bits, unknown)
	least := new(big.Int)
	if p.Signed {
		least.Neg(new(big.Int).Lsh(one, uint(p.Width-1)))
	}
	switch {
	case bits.Sign() < 0 && !p.Signed:
		return v, fmt.Sprintf("%s is negative, but %s has no sign", text, p.span()), fmt.Sprintf("write 0 to %v", p.mask())
	case bits.Cmp(least) < 0, widest.BitLen() > p.Width && (digit != 0 || !p.Signed), p.Signed && digit == 0 && bits.BitLen() >= p.Width && bits.Sign() > 0:
		most := p.mask()
		if p.Signed {
			most.Rsh(most, 1)
		}
		need := max(widest.BitLen(), 1)
		return v, fmt.Sprintf("%s needs %d bits, but %s has %d", text, need, p.span(), p.Width), fmt.Sprintf("write %v to %v (%#x)", least, most, most)
	}
	if bits.Sign() < 0 {
		bits.Add(bits, new(big.Int).Lsh(one, uint(p.Width)))
	}
	v = value{lo: bits, hi: bits}
	if !known {
		v.care, v.unknown = care, unknown
		v.care.And(v.care, p.mask())
		v.unknown.And(v.unknown, p.mask())
	}
	return v, "", ""
}

// parse returns the value of a name, or of the names of a set.
func (n Names) parse(text, of string) (bits *big.Int, problem, help string) {
	if len(n.List) == 0 {
		return nil, fmt.Sprintf("%q is not a value of %s", text, of), "write a number: decimal, 0x or 0b; - if it does not matter"
	}
	find := func(name string) int {
		for i, l := range n.List {
			if l == name && l != "" {
				return i
			}
		}
		return -1
	}
	if !n.Set {
		if i := find(text); i >= 0 {
			return big.NewInt(int64(i)), "", ""
		}
		return nil, fmt.Sprintf("%q is not a value of %s", text, of), choice(text, n.known())
	}
	bits = new(big.Int)
	if text == "none" {
		return bits, "", ""
	}
	for part := range strings.SplitSeq(text, ",") {
		i := find(part)
		switch {
		case i < 0:
			return nil, fmt.Sprintf("%q is not one of the names of %s", part, of), choice(part, n.known()) + "; several with commas and no blanks; none"
		case bits.Bit(i) == 1:
			return nil, fmt.Sprintf("%s comes twice in %s", part, text), ""
		}
		bits.SetBit(bits, i, 1)
	}
	return bits, "", ""
}

// known returns all names.
func (n Names) known() (list []string) {
	for _, l := range n.List {
		if l != "" {
			list = append(list, l)
		}
	}
	return list
}

// signed returns the bits of a value as a number, negative if the port is signed and its sign bit
// is set.
func (p *Port) signed(v *big.Int) *big.Int {
	if p.Signed && v.Bit(p.Width-1) == 1 {
		return new(big.Int).Sub(v, new(big.Int).Lsh(one, uint(p.Width)))
	}
	return v
}

func (p *Port) compare(a, b *big.Int) int { return p.signed(a).Cmp(p.signed(b)) }

// text returns the text of a cell for a value: its name, or a number.
func (p *Port) text(v *big.Int) string {
	switch n := p.Names; {
	case n.Set && v.BitLen() <= len(n.List):
		var list []string
		for i := range v.BitLen() {
			if v.Bit(i) == 1 {
				if n.List[i] == "" {
					return fmt.Sprintf("%#x", v)
				}
				list = append(list, n.List[i])
			}
		}
		if len(list) > 8 { // too long to read
			return fmt.Sprintf("%#x", v)
		}
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(list, ",")
	case !n.Set && v.IsUint64() && v.Uint64() < uint64(len(n.List)) && n.List[v.Uint64()] != "":
		return n.List[v.Uint64()]
	}
	if p.Width <= 4 || p.Signed {
		return p.signed(v).String()
	}
	return fmt.Sprintf("%#x", v)
}

// unknowns reports whether bits must be unknown.
func (v *value) unknowns() bool { return v.unknown != nil && v.unknown.Sign() != 0 }

// holds reports whether a sampled value is what the cell says. unknown has the bits that are X or
// Z. It is nil if that cannot be known (from a simulator of two states, or the model); then bits
// that must be unknown are not checked.
func (v *value) holds(p *Port, got, unknown *big.Int) bool {
	if v.lo == nil {
		return true
	}
	care := v.care
	if care == nil {
		care = p.mask()
	}
	if unknown != nil {
		if new(big.Int).And(unknown, care).Sign() != 0 {
			return false
		}
		if v.unknowns() && new(big.Int).AndNot(v.unknown, unknown).Sign() != 0 {
			return false
		}
	}
	if v.care == nil {
		return p.compare(got, v.lo) >= 0 && p.compare(got, v.hi) <= 0
	}
	x := new(big.Int).Xor(got, v.lo)
	return x.And(x, care).Sign() == 0
}
