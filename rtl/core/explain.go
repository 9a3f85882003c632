package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
)

// Explain says what was done last on the bus, and what the lister and the game are at.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	var done []string
	m.Reset()
	for i, in := range x.Past {
		cycle := x.Cycle - uint64(len(x.Past)-i)
		ready := !m.position.Busy()
		a := m.bus.Pending()
		switch {
		case in.Rst:
			done = append(done, fmt.Sprintf("  cycle %d: reset", cycle))
		case a.Write && ready:
			done = append(done, fmt.Sprintf("  cycle %d: write of %#08x to %s", cycle, a.WriteData, name(4*a.WriteAddress)))
		}
		if a.Read && ready && !m.waits(a) && !in.Rst {
			done = append(done, fmt.Sprintf("  cycle %d: read of %s", cycle, name(4*a.ReadAddress)))
		}
		m.Step(in)
	}
	l := &m.lister
	text := "what was done last:\n" + strings.Join(done[max(0, len(done)-8):], "\n") + "\n"
	text += fmt.Sprintf("list under way: %v, to the stream: %v; %d words in the FIFO, %d on the stream\n", l.listing, l.streaming, len(l.queue), len(l.stream))
	p := m.game.Position()
	if slices.Contains(strings.Fields(p.FEN()), "8/8/8/8/8/8/8/8") {
		return text + "the board is empty"
	}
	return text + "the game is at " + p.FEN() + "\n" + p.Board()
}

// name is the register at an address.
func name(address uint32) string {
	r := regmap.Core.Find(address)
	switch {
	case r == nil:
		return fmt.Sprintf("%#03x, where there is none", address)
	case r.Count > 1:
		return fmt.Sprintf("%s %d", r.Name, (address-r.Address)/4)
	}
	return r.Name
}
