package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
)

// resetCycles is how long Compare holds the reset.
const resetCycles = 3

// piece is how many cycles are played before they are compared: Icarus is slow, and what comes
// after a difference is of no use.
const piece = 256

// Compare resets the RTL, plays the inputs and compares every output in every cycle with a [Model]
// of so many plies and words. The [sim.Difference] that it returns says in its note what was done
// last, and in which position.
func Compare(d *sim.DUT[In, Out], plies, fifo int, in []In) error {
	if err := d.Reset(resetCycles); err != nil {
		return err
	}
	m := NewModel(plies, fifo)
	want := make([]Out, len(in))
	for i := range in {
		want[i] = m.Step(in[i])
	}
	if err := m.Err(); err != nil {
		return err
	}
	first := d.Cycle()
	var err error
	for from := 0; from < len(in) && err == nil; from += piece {
		to := min(from+piece, len(in))
		err = d.Expect(in[from:to], want[from:to], m.DontCare)
	}
	var diff *sim.Difference
	if errors.As(err, &diff) {
		diff.Note = explain(plies, fifo, in[:diff.Cycle-first])
	}
	return err
}

// explain says what had happened after these inputs.
func explain(plies, fifo int, in []In) string {
	m := NewModel(plies, fifo)
	var done []string
	for i := range in {
		ready := !m.position.Busy()
		a := m.bus.Pending()
		switch {
		case in[i].Rst:
			done = append(done, fmt.Sprintf("  cycle %d: reset", i))
		case a.Write && ready:
			done = append(done, fmt.Sprintf("  cycle %d: write of %#08x to %s", i, a.WriteData, name(4*a.WriteAddress)))
		}
		if a.Read && ready && !m.waits(a) && !in[i].Rst {
			done = append(done, fmt.Sprintf("  cycle %d: read of %s", i, name(4*a.ReadAddress)))
		}
		m.Step(in[i])
	}
	l := &m.lister
	text := "what was done last, in cycles from the beginning of the comparison:\n"
	text += strings.Join(done[max(0, len(done)-8):], "\n") + "\n"
	text += fmt.Sprintf("list under way: %v, to the stream: %v; %d words in the FIFO, %d on the stream\n", l.listing, l.streaming, len(l.queue), len(l.stream))
	p := m.game.Position()
	if slices.Contains(strings.Fields(p.FEN()), "8/8/8/8/8/8/8/8") {
		return text + "the board is empty\n"
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
