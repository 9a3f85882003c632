package perftcore

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
)

// Explain says what was done last on the bus.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	var done []string
	m.Reset()
	for i, in := range x.Past {
		cycle := x.Cycle - uint64(len(x.Past)-i)
		a := m.bus.Pending()
		ready := !m.position.Busy() && !in.Rst
		if in.Rst {
			done = append(done, fmt.Sprintf("  cycle %d: reset", cycle))
		}
		if a.Write && ready {
			done = append(done, fmt.Sprintf("  cycle %d: write of %#08x to %s", cycle, a.WriteData, name(4*a.WriteAddress)))
		}
		if a.Read && ready {
			done = append(done, fmt.Sprintf("  cycle %d: read of %s", cycle, name(4*a.ReadAddress)))
		}
		m.Step(in)
	}
	return "what was done last:\n" + strings.Join(done[max(0, len(done)-8):], "\n") + "\n" +
		fmt.Sprintf("last job: %v from %s, %d cycles ago", regmap.PerftStartDepth.Of(m.start), m.job.FEN(), m.cycles)
}

// name is the register at an address.
func name(address uint32) string {
	r := regmap.Perft.Find(address)
	switch {
	case r == nil:
		return fmt.Sprintf("%#03x, where there is none", address)
	case r.Count > 1:
		return fmt.Sprintf("%s %d", r.Name, (address-r.Address)/4)
	}
	return r.Name
}
