package probe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Design is a running design, as a probe sees it.
type Design interface {
	// Row returns the inputs of the cycle to come and the outputs, and how they lie in it.
	Row() (*bridge.Layout, bridge.Rows)
	// Peek returns an internal signal's value.
	Peek(name string) (bridge.Value, error)
}

// Value returns what a port or an internal signal is now, in binary digits.
func Value(d Design, name string) (string, error) {
	l, row := d.Row()
	if p := Port(l.Inputs, name); p != nil {
		return Digits(p.Width, row.In[p.Offset:], nil), nil
	}
	if p := Port(l.Outputs, name); p != nil {
		return Output(p, &row), nil
	}
	v, err := d.Peek(name)
	if err != nil {
		return "", err
	}
	return peeked(v), nil
}

// Port finds a port by its name, or returns nil.
func Port(ports []bridge.Port, name string) *bridge.Port {
	if i := slices.IndexFunc(ports, func(p bridge.Port) bool { return p.Name == name }); i >= 0 {
		return &ports[i]
	}
	return nil
}

// Output returns an output's value in the first of some rows, in binary digits.
func Output(p *bridge.Port, rows *bridge.Rows) string {
	if rows.Unknown == nil {
		return Digits(p.Width, rows.Out[p.Offset:], nil)
	}
	return Digits(p.Width, rows.Out[p.Offset:], rows.Unknown[p.Offset:])
}

// Digits returns a value of a port or signal in binary, its most significant bit first: 01xz. Its
// bytes are little endian; a bit that is set in unknown is X, or Z if it is set in bits too.
func Digits(width int, bits, unknown []byte) string {
	text := make([]byte, width)
	for i := range width {
		at, mask := i/8, byte(1)<<(i%8)
		set := bits[at]&mask != 0
		digit := byte('0')
		switch hidden := unknown != nil && unknown[at]&mask != 0; {
		case hidden && set:
			digit = 'z'
		case hidden:
			digit = 'x'
		case set:
			digit = '1'
		}
		text[width-1-i] = digit
	}
	return string(text)
}

// peeked returns an internal signal's value in binary digits.
func peeked(v bridge.Value) string {
	bits := bytesOf(v.Bits, v.Width)
	if v.Unknown == nil {
		return Digits(v.Width, bits, nil)
	}
	return Digits(v.Width, bits, bytesOf(v.Unknown, v.Width))
}

// bytesOf returns words as bytes, little endian.
func bytesOf(words []uint64, width int) []byte {
	b := make([]byte, (width+7)/8)
	for i := range b {
		b[i] = byte(words[i/8] >> (8 * (i % 8)))
	}
	return b
}

// Put writes binary digits into the bytes of an input.
func Put(to []byte, width int, text string) error {
	if len(text) == 0 || strings.Trim(text, "01") != "" {
		return fmt.Errorf("%q is not a number in binary", text)
	}
	if short := strings.TrimLeft(text, "0"); len(short) > width {
		return fmt.Errorf("the value needs %d bits, and there are %d", len(short), width)
	}
	clear(to)
	for i := range len(text) {
		if text[len(text)-1-i] == '1' {
			to[i/8] |= 1 << (i % 8)
		}
	}
	return nil
}

// shown writes a value for a message: in binary if it is short or has X in it.
func shown(value string) string {
	if len(value) <= 4 || strings.Trim(value, "01") != "" {
		return value
	}
	v := bridge.Value{Width: len(value)}
	for i := len(value); i > 0; i -= 64 {
		var word uint64
		for _, c := range value[max(0, i-64):i] {
			word = word<<1 | uint64(c-'0')
		}
		v.Bits = append(v.Bits, word)
	}
	return v.String()
}
