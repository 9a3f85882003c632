package report_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/report"
)

func TestValueText(t *testing.T) {
	bits := func(text string) report.Value { // most significant first, of 0, 1, x, z
		v := report.Value{Bits: new(big.Int), Unknown: new(big.Int)}
		for i, c := range text {
			at := len(text) - 1 - i
			v.Bits.SetBit(v.Bits, at, uint(bit(c == '1' || c == 'z')))
			v.Unknown.SetBit(v.Unknown, at, uint(bit(c == 'x' || c == 'z')))
		}
		return v
	}
	state := map[uint64]string{0: "IDLE", 5: "DONE"}
	for _, c := range []struct {
		signal report.Signal
		value  report.Value
		want   string
	}{
		{report.Signal{Width: 1}, bits("0"), "0"},
		{report.Signal{Width: 1}, bits("x"), "x"},
		{report.Signal{Width: 1}, bits("z"), "z"},
		{report.Signal{Width: 8}, report.Value{}, "-"},
		{report.Signal{Width: 8}, report.Uint(0xa), "0a"},
		{report.Signal{Width: 8}, report.Uint(0xffa), "fa"}, // bits above the width
		{report.Signal{Width: 8}, report.Bytes([]byte{0x34, 0x12}, []byte{0, 0xff}), "34"},
		{report.Signal{Width: 16}, report.Bytes([]byte{0x34, 0x12}, []byte{0x80, 0}), "12x4"},
		{report.Signal{Width: 9}, bits("z1111zzzz"), "zfz"},
		{report.Signal{Width: 12}, bits("zzzzzzzx01zz"), "zxx"},
		{report.Signal{Width: 5, Format: report.Binary}, bits("01xz1"), "01xz1"},
		{report.Signal{Width: 8, Format: report.Decimal}, report.Uint(0xfe), "254"},
		{report.Signal{Width: 8, Format: report.Decimal, Signed: true}, report.Uint(0xfe), "-2"},
		{report.Signal{Width: 8, Format: report.Decimal, Signed: true}, report.Uint(0x7e), "126"},
		{report.Signal{Width: 8, Format: report.Decimal}, bits("0001x000"), "0x1x"},
		{report.Signal{Width: 3, Names: state}, report.Uint(5), "DONE"},
		{report.Signal{Width: 3, Names: state}, report.Uint(4), "4"},
		{report.Signal{Width: 3, Names: state}, bits("x00"), "x"},
		{report.Signal{Width: 72, Names: state}, report.Value{Bits: new(big.Int).Lsh(big.NewInt(1), 64)}, "010000000000000000"},
		{report.Signal{Width: 64, Format: report.Grid}, report.Uint(1), strings.Repeat("0", 15) + "1"},
	} {
		if got := c.signal.Text(c.value); got != c.want {
			t.Errorf("%+v of %+v is written %q, not %q", c.value, c.signal, got, c.want)
		}
	}
}

// Ignored bits are not compared. Unknown bits differ from everything.
func TestDiffer(t *testing.T) {
	x := func(unknown int64) report.Value {
		return report.Value{Bits: big.NewInt(0), Unknown: big.NewInt(unknown)}
	}
	for _, c := range []struct {
		want, got report.Value
		ignored   *big.Int
		differ    int64
	}{
		{report.Uint(5), report.Uint(5), nil, 0},
		{report.Uint(5), report.Uint(6), nil, 3},
		{report.Uint(5), report.Uint(6), big.NewInt(1), 2},
		{report.Uint(0), x(4), nil, 4},
		{x(4), x(4), nil, 4},
		{report.Uint(0), x(4), big.NewInt(4), 0},
		{report.Uint(0), report.Uint(0x100), nil, 0}, // above the width
		{report.Uint(1), report.Value{}, nil, 0},     // not known
	} {
		p := report.Port{Signal: report.Signal{Width: 8}, Values: []report.Value{c.want, c.got}, Ignored: c.ignored}
		if got := p.Differ(1); got.Cmp(big.NewInt(c.differ)) != 0 {
			t.Errorf("%v to %v without %v: differ in %x, not %x", c.want, c.got, c.ignored, got, c.differ)
		}
		if p.Differ(0).Sign() != 0 || p.Differ(2).Sign() != 0 || p.Differ(-1).Sign() != 0 {
			t.Error("the reference, or a column that is not there, differs")
		}
	}
}
