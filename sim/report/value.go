package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// Value is the value of a signal in one cycle. The zero Value is no value.
type Value struct {
	Bits    *big.Int // if the bit of Unknown is set, 0 is X and 1 is Z
	Unknown *big.Int // bits that are X or Z; nil: none
}

// Uint returns a value without unknown bits.
func Uint(v uint64) Value { return Value{Bits: new(big.Int).SetUint64(v)} }

// Bytes returns the value of a port in memory, least significant byte first. unknown has its
// unknown bits in the same order, or is nil. Bits above a signal's width do not matter.
func Bytes(bits, unknown []byte) Value {
	v := Value{Bits: littleEndian(bits)}
	if u := littleEndian(unknown); u.Sign() != 0 {
		v.Unknown = u
	}
	return v
}

func littleEndian(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// Format is how values are written.
type Format string

const (
	Hex     Format = ""        // the default
	Decimal Format = "decimal" // with a sign if the signal is signed
	Binary  Format = "binary"  // every bit as 0, 1, x or z
	// Grid is for 64 bits. They are written in hexadecimal, and drawn as 8 rows of 8 with bit 0 at
	// the bottom left.
	Grid Format = "grid8x8"
)

// Direction is the direction of a signal as seen from the module.
type Direction string

const (
	Input    Direction = "input"
	Output   Direction = "output"
	Internal Direction = "internal" // a signal inside the design
)

// heading returns the heading of signals of this direction.
func (d Direction) heading() string {
	if d == Internal {
		return string(d)
	}
	return string(d) + "s"
}

// Signal is a port or an internal signal.
type Signal struct {
	Name   string // as in the RTL, without the backslash of an escaped identifier
	Width  int    // bits, at least 1
	Signed bool
	Dir    Direction
	Format Format
	Names  map[uint64]string // names of an enumeration's values, shown instead of numbers
}

// Text returns a value of the signal in its format. A hexadecimal digit is x if one of its bits is
// unknown, and z if all of them are Z. A value with unknown bits is not written in decimal but in
// hexadecimal, with 0x before it. No value is "-".
func (s *Signal) Text(v Value) string {
	bits, unknown := s.fit(v)
	if bits == nil {
		return "-"
	}
	known := unknown.Sign() == 0
	if name, ok := s.Names[bits.Uint64()]; ok && known && bits.IsUint64() {
		return clean(name)
	}
	switch {
	case s.Format == Binary || s.width() == 1:
		return digits(bits, unknown, s.width(), 1)
	case s.Format == Decimal && !known:
		return "0x" + digits(bits, unknown, s.width(), 4)
	case s.Format == Decimal:
		if s.Signed && bits.Bit(s.width()-1) == 1 {
			bits = new(big.Int).Sub(bits, new(big.Int).Lsh(one, uint(s.width())))
		}
		return bits.String()
	default:
		return digits(bits, unknown, s.width(), 4)
	}
}

// span returns the signal's range as Verilog writes it, or "" for a single bit.
func (s *Signal) span() string {
	if s.width() == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0]", s.width()-1)
}

func (s *Signal) grid() bool { return s.Format == Grid && s.width() == 64 }

func (s *Signal) width() int { return max(1, s.Width) }

// fit returns a value cut to the signal's width. bits is nil if there is no value.
func (s *Signal) fit(v Value) (bits, unknown *big.Int) {
	if v.Bits == nil {
		return nil, nil
	}
	return low(v.Bits, s.width()), low(v.Unknown, s.width())
}

var one = big.NewInt(1)

// low returns the lowest bits of x, or 0 if x is nil.
func low(x *big.Int, width int) *big.Int {
	if x == nil {
		return new(big.Int)
	}
	mask := new(big.Int).Lsh(one, uint(width))
	return mask.Sub(mask, one).And(mask, x)
}

// digits returns a value of this width in digits of 1 or 4 bits.
func digits(bits, unknown *big.Int, width, per int) string {
	text := make([]byte, 0, (width+per-1)/per)
	for at := (width - 1) / per * per; at >= 0; at -= per {
		value, x, z := byte(0), false, true
		for i := min(at+per, width) - 1; i >= at; i-- {
			value = value<<1 | byte(bits.Bit(i))
			x = x || unknown.Bit(i) == 1
			z = z && unknown.Bit(i) == 1 && bits.Bit(i) == 1
		}
		switch {
		case z:
			text = append(text, 'z')
		case x:
			text = append(text, 'x')
		default:
			text = append(text, "0123456789abcdef"[value])
		}
	}
	return string(text)
}

// bitList returns the numbers of the bits that are set, highest first, with ranges for runs:
// "[63:60] [3]".
func bitList(v *big.Int) string {
	var parts []string
	for hi := v.BitLen() - 1; hi >= 0; hi-- {
		if v.Bit(hi) == 0 {
			continue
		}
		lo := hi
		for lo > 0 && v.Bit(lo-1) == 1 {
			lo--
		}
		if len(parts) == 8 {
			parts = append(parts, "...")
			break
		}
		if lo == hi {
			parts = append(parts, fmt.Sprintf("[%d]", hi))
		} else {
			parts = append(parts, fmt.Sprintf("[%d:%d]", hi, lo))
		}
		hi = lo
	}
	return strings.Join(parts, " ")
}

// shorten cuts the middle out of a text of more than n characters.
func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	if n < 3 {
		return "…"
	}
	return string(runes[:n/2]) + "…" + string(runes[len(runes)-(n-1)/2:])
}

// clean returns a text that can be printed and be part of XML. Control characters, which names and
// messages of a simulator may have, become visible ones. Trailing blanks are removed, and so are
// empty lines at the beginning and the end.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r // the Unicode picture of the control character
		case r == 0x7f:
			return 0x2421
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0x2028, r == 0x2029, r == 0xFFFE, r == 0xFFFF:
			return 0xFFFD
		}
		return r
	}, text)
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRightFunc(lines[i], unicode.IsSpace)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// cleanLine is like clean, for a text that must stay in one line.
func cleanLine(text string) string { return strings.ReplaceAll(clean(text), "\n", " ") }
