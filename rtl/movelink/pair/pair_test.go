package pair_test

import (
	"fmt"
	"testing"

	"github.com/cosimate/cosimate/rtl/movelink/pair"
	_ "github.com/cosimate/cosimate/sim" // its flags are given to all tests of rtl
)

// all returns the moves in bytes.
func all(bytes ...byte) (moves []pair.Move) {
	var d pair.Decoder
	for _, b := range bytes {
		if m, ok := d.Byte(b); ok {
			moves = append(moves, m)
		}
	}
	return moves
}

func TestRoundTrip(t *testing.T) {
	for from := range uint8(64) {
		for to := range uint8(64) {
			m := pair.Move{From: from, To: to}
			if got := all(m.Append(nil)...); len(got) != 1 || got[0] != m {
				t.Fatalf("%+v decodes as %v", m, got)
			}
		}
	}
}

// Some lost, doubled and wrong bytes are found, and others cannot be.
func TestDamage(t *testing.T) {
	a, b := pair.Move{From: 12, To: 28}, pair.Move{From: 6, To: 21}
	x, y := a.Append(nil), b.Append(nil)
	for _, c := range []struct {
		what  string
		bytes []byte
		want  []pair.Move
	}{
		{"an origin is lost", []byte{x[1], y[0], y[1]}, []pair.Move{b}},
		{"a destination is lost", []byte{x[0], y[0], y[1]}, []pair.Move{b}},
		{"an origin is doubled", []byte{x[0], x[0], x[1]}, []pair.Move{a}},
		{"a destination is doubled", []byte{x[0], x[1], x[1], y[0], y[1]}, []pair.Move{a, b}},
		{"garbage between halves", []byte{x[0], 0xff, x[1], y[0], 0x00, y[1]}, nil},
		{"halves of two moves: a wrong move, which only its legality can tell", []byte{x[0], y[1]}, []pair.Move{{From: 12, To: 21}}},
	} {
		if got := all(c.bytes...); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// Each decoded move is in the bytes, its origin right before its destination, and moves keep their
// order.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{0x4c, 0x9c, 0x00, 0xff})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		var d pair.Decoder
		for i, b := range bytes {
			m, ok := d.Byte(b)
			want := i > 0 && bytes[i-1]>>6 == 1 && b>>6 == 2
			if ok != want {
				t.Fatalf("byte %d of %#02x: a move: %v", i, bytes, ok)
			}
			if ok && (m.From != bytes[i-1]&63 || m.To != b&63) || !ok && m != (pair.Move{}) {
				t.Fatalf("byte %d of %#02x: %+v", i, bytes, m)
			}
		}
	})
}

func Example() {
	e2e4 := pair.Move{From: 12, To: 28}
	bytes := e2e4.Append(nil)
	fmt.Printf("%08b\n%07b\n", bytes, e2e4.Lines())
	var d pair.Decoder
	for _, b := range bytes {
		if m, ok := d.Byte(b); ok {
			fmt.Printf("%+v\n", m)
		}
	}
	// Output:
	// [01001100 10011100]
	// [0011000 0111001]
	// {From:12 To:28}
}
