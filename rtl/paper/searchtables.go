package paper

import (
	"fmt"
	"strconv"
	"time"

	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/driver/moves"
	"github.com/cosimate/cosimate/rtl/published"
)

// transferred returns how many transfers there were on the bus.
func (s *Search) transferred() int { return s.Bus.Reads + s.Bus.Writes }

// millis returns how long the search keeps the hardware busy at a clock, in milliseconds.
func (s *Search) millis(mhz float64) float64 { return float64(s.Bus.Cycles) / mhz / 1000 }

// slow is millis if each transfer takes as long as a published read: what is not a transfer is at
// the clock.
func (s *Search) slow(p *Position, mhz float64) float64 {
	wait := s.Bus.Cycles - transferCycles*s.transferred()
	return float64(wait)/mhz/1000 + float64(s.transferred())*p.read()/1000
}

// share returns the transfers' part of the cycles, in percent.
func (s *Search) share() float64 {
	return 100 * transferCycles * float64(s.transferred()) / float64(s.Bus.Cycles)
}

// handedOver returns how many moves the published search was handed over: so many that what a move
// takes longer than in software makes the difference of the two searches.
func (p *Position) handedOver() float64 {
	x := &p.Published
	each := float64(x.Transfer-x.Software) / float64(x.Moves)
	return float64(x.Search-x.SoftwareSearch) / each
}

// publishedMHz is the published design's clock.
const publishedMHz = 1e3 / float64(published.Cycle/time.Nanosecond)

// count returns a count as text; "-" if the search was not simulated.
func (s *Search) count(n int) string {
	if s.Bus.Cycles == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func searches(f *Figures, reports []Report) Table {
	if f.Depth == 0 {
		return publishedSearches(f)
	}
	clock := reports[listClock]
	t := Table{
		Title: fmt.Sprintf("Full search to depth %d, by how the list is handed over (published: to depth 6)", f.Depth),
		Notes: []string{
			fmt.Sprintf("Measured: nodes, lists, moves in them, reads, writes and cycles of core on %s, driven by this project's search over a simulated bus that loses no clock, 3 cycles a transfer; "+
				"each list was compared with the reference's, and the search with the same in software, node for node. ms: those cycles at the routed clock of %s, %s MHz, and at the published %s MHz. "+
				"bus: the share of the cycles that transfers are. Go ms: the same search with the reference in Go, on this machine, one core. Published: Faile with the hardware (hw) and without.",
				f.Simulator, clock.Block, number(clock.MHz), number(publishedMHz)),
			"Modelled: ~ms, with each read and write as slow as the published reads (0.2 us); what is not a transfer stays at the routed clock. A stream's words go to memory by themselves; that software reads them there is not in it.",
			"A program's own work on the board's processor (ordering, evaluation, making moves on its own board) is in none of our times, but in the published ones; nor does it overlap with the hardware's here. " +
				"The published lists are pseudo-legal, ours legal.",
			"Assumed: that Faile 1.4.4 searched as programs of its time did (principal variation search, transposition table, null move, killers, history, captures by victim, check extension, quiescence); " +
				"its source was not at hand. " + handedOverNote(f) + " Petrovic's position is a mate in one. When this search has found it, it looks for no longer one; the published one went on, so that these two are not to be compared.",
			"Positions 3 and 4 are stand-ins, published times are for the originals.",
		},
		Head: []string{"position", "scheme", "nodes", "lists", "moves", "reads", "writes", "cycles", "ms", "ms at 83.3", "bus %", "~ms", "published hw ms", "Faile ms", "Go ms"},
	}
	for i := range f.Positions {
		p := &f.Positions[i]
		for j := range p.Searches {
			s := &p.Searches[j]
			if !s.Own {
				continue
			}
			row := []string{p.name(), s.Scheme.String(), strconv.FormatUint(s.Nodes, 10), s.count(s.Counts.Lists), s.count(s.Counts.Moves),
				s.count(s.Bus.Reads), s.count(s.Bus.Writes), s.count(s.Bus.Cycles),
				number(s.millis(clock.MHz)), number(s.millis(publishedMHz)), number(s.share()), number(s.slow(p, clock.MHz))}
			if s.Scheme == moves.Published { // once a position
				row = append(row, number(micros(p.Published.Search)/1000), number(micros(p.Published.SoftwareSearch)/1000), number(micros(p.Program.Time)/1000))
			} else {
				row = append(row, "", "", "")
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// publishedSearches has the published figures alone.
func publishedSearches(f *Figures) Table {
	t := Table{
		Title: "Full search to depth 6, as published",
		Notes: []string{"Faile with the published hardware (hw), and without. Ours were not measured."},
		Head:  []string{"position", "published hw ms", "Faile ms"},
	}
	for i := range f.Positions {
		p := &f.Positions[i].Published
		t.Rows = append(t.Rows, []string{p.Name, number(micros(p.Search) / 1000), number(micros(p.SoftwareSearch) / 1000)})
	}
	return t
}

// handedOverNote says how many moves the published searches were handed over.
func handedOverNote(f *Figures) string {
	s := "From the published times, of searches and of lists, follows that they were handed"
	for i := range f.Positions {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(" %.1f", f.Positions[i].handedOver()/1e6)
	}
	return s + " million moves."
}

func orders(f *Figures, reports []Report) Table {
	clock := reports[listClock]
	t := Table{
		Title: fmt.Sprintf("What the order of the list gains in a search to depth %d", f.Depth),
		Notes: []string{
			fmt.Sprintf("The same search, but moves are searched in the order in which the hardware lists them; the program orders nothing by itself but puts the move from its transposition table first. "+
				"As measured and modelled above, by FIFO and by stream. Searches of more than %d nodes were not simulated, and have their nodes from the same search in software.", mostNodes),
			"gain: how many times as many nodes the plain order has. The last row of a position is a program that orders plain lists by itself, for comparison; the time for its ordering is not in the figures, " +
				"and that of a list ordered by hardware is.",
		},
		Head: []string{"position", "order", "nodes", "gain", "lists", "FIFO: reads", "writes", "cycles", "ms", "~ms", "stream: writes", "cycles", "ms", "~ms"},
	}
	for i := range f.Positions {
		p := &f.Positions[i]
		row := func(name string, order search.Order, own bool) {
			fifo, stream := p.search(moves.FIFO, order, own), p.search(moves.Stream, order, own)
			plain := p.search(moves.FIFO, search.Plain, false)
			if fifo == nil || stream == nil || plain == nil {
				return
			}
			t.Rows = append(t.Rows, []string{
				p.name(), name, strconv.FormatUint(fifo.Nodes, 10), number(float64(plain.Nodes) / float64(fifo.Nodes)), fifo.count(fifo.Counts.Lists),
				fifo.count(fifo.Bus.Reads), fifo.count(fifo.Bus.Writes), fifo.count(fifo.Bus.Cycles), number(fifo.millis(clock.MHz)), number(fifo.slow(p, clock.MHz)),
				stream.count(stream.Bus.Writes), stream.count(stream.Bus.Cycles), number(stream.millis(clock.MHz)), number(stream.slow(p, clock.MHz)),
			})
		}
		for o := search.Plain; o <= search.MostAggressor; o++ {
			row(o.String(), o, false)
		}
		row("by the program", search.Plain, true)
	}
	return t
}

// search returns the search of a scheme and order, or nil.
func (p *Position) search(scheme moves.Scheme, order search.Order, own bool) *Search {
	for i := range p.Searches {
		if s := &p.Searches[i]; s.Scheme == scheme && s.Order == order && s.Own == own {
			return s
		}
	}
	return nil
}
