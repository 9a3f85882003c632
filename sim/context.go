package sim

import (
	"fmt"
	"strings"
	"testing"
)

// Context is what a testbench of one's own adds to the report of a failure: the last
// 20 cycles as a waveform in text, the seed, and, in a test, the command that runs into it
// again. t may be nil.
func (d *DUT[I, O]) Context(t testing.TB) string {
	var b strings.Builder
	d.past.waveform(&b)
	fmt.Fprintf(&b, "\nseed %d", d.seed)
	if t != nil {
		fmt.Fprintf(&b, "; again: %s", reproduce(t, d.simulator))
	}
	b.WriteByte('\n')
	return b.String()
}
