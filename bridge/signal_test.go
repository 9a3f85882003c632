package bridge_test

import (
	"testing"

	"github.com/cosimate/cosimate/bridge"
)

func TestValueString(t *testing.T) {
	for _, test := range []struct {
		value bridge.Value
		want  string
	}{
		{bridge.Value{Width: 1, Bits: []uint64{1}}, "1'h1"},
		{bridge.Value{Width: 12, Bits: []uint64{0x3af}}, "12'h3af"},
		{bridge.Value{Width: 12, Bits: []uint64{0x30f}, Unknown: []uint64{0x0f0}}, "12'h3xf"},
		{bridge.Value{Width: 6, Bits: []uint64{0x30}, Unknown: []uint64{0x30}}, "6'hz0"},
		{bridge.Value{Width: 6, Bits: []uint64{0x21}, Unknown: []uint64{0x06}}, "6'b100xx1"},
		{bridge.Value{Width: 70, Bits: []uint64{0xf, 0x2a}}, "70'h2a000000000000000f"},
	} {
		if got := test.value.String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}
