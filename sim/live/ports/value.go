package ports

import (
	"fmt"
	"strings"
)

// digits returns a value of a port or signal in binary, its most significant bit first: 01xz. Its
// bytes are little endian; a bit that is set in unknown is X, or Z if it is set in bits too.
func digits(width int, bits, unknown []byte) string {
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

// put writes binary digits into the bytes of an input.
func put(to []byte, width int, text string) error {
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

// matches reports whether a value is what is waited for. Digits that both have are compared; what
// is missing on the left is 0.
func matches(value, want string) bool {
	for len(want) < len(value) {
		want = "0" + want
	}
	return value == want
}

// bytesOf returns words as bytes, little endian.
func bytesOf(words []uint64, width int) []byte {
	b := make([]byte, (width+7)/8)
	for i := range b {
		b[i] = byte(words[i/8] >> (8 * (i % 8)))
	}
	return b
}
