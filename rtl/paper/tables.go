package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/cosimate/cosimate/rtl/published"
)

// Table is a table of figures, to be printed as text or in Markdown.
type Table struct {
	Title string
	Notes []string   // what the figures are, and what is modelled; one paragraph each
	Head  []string   // the heads of the columns; the first column has names, the others numbers
	Rows  [][]string // each as long as Head
}

// micros returns how long cycles take, in microseconds.
func (r *Report) micros(cycles int) float64 { return float64(cycles) / r.MHz }

// micros returns a time in microseconds.
func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// number returns a number as text, with three digits.
func number(v float64) string {
	switch {
	case v <= 0 || math.IsNaN(v):
		return "-"
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2-int(math.Floor(math.Log10(v))), 64)
}

// name returns the name of a position in tables.
func (p *Position) name() string {
	if p.Published.StandIn {
		return p.Published.Name + " (stand-in)"
	}
	return p.Published.Name
}

// read returns the time of one register read in the published design, with the processor's part:
// the published Transfer less the Generation, divided by two reads a move.
func (p *Position) read() (microseconds float64) {
	return micros(p.Published.Transfer-p.Published.Generation) / float64(2*p.Published.Moves)
}

// handed returns the time of scheme i if reads are as slow as the published ones, in microseconds:
// the time of our list up to the last move, and then that of the reads, which do not overlap with
// it.
func (p *Position) handed(i int, clock Report) float64 {
	if t := p.Transfers[i]; t.Reads > 0 {
		return clock.micros(p.List) + float64(t.Reads)*p.read()
	}
	return clock.micros(p.Transfers[i].Cycles)
}

// Tables returns the tables with the measured figures beside the published ones. The reports must
// come from [Reports].
func Tables(f *Figures, reports []Report) []Table {
	tables := []Table{parts(reports), generation(f, reports), transfers(f, reports), perfts(f, reports)}
	if len(f.Suite) > 0 {
		tables = append(tables, suite(f))
	}
	tables = append(tables, searches(f, reports))
	if f.Depth > 0 {
		tables = append(tables, orders(f, reports))
	}
	if len(f.MostMoves) > 0 {
		tables = append(tables, mostMovesTable(f))
	}
	return tables
}

func parts(reports []Report) Table {
	t := Table{
		Title: "On the part (" + published.Part + "), placed and routed",
		Notes: []string{"Published: the whole design. Ours: each block by itself, from the kept reports; core and perftcore " +
			"have their bus in them, the other ones have none."},
		Head: []string{"design", "MHz", "slice LUTs", "LUTs of synthesis", "flip-flops", "RAMs"},
		Rows: [][]string{{"published", number(1e3 / float64(published.Cycle/time.Nanosecond)), strconv.Itoa(published.LUTs), "-", strconv.Itoa(published.FlipFlops), "-"}},
	}
	for _, r := range reports {
		if r.Part != published.Part {
			t.Notes = append(t.Notes, fmt.Sprintf("%s is not listed: it was placed on another part, %s.", r.Block, r.Part))
			continue
		}
		t.Rows = append(t.Rows, []string{r.Block, number(r.MHz), strconv.Itoa(r.LUTs), strconv.Itoa(r.SynthLUTs), strconv.Itoa(r.FlipFlops), strconv.Itoa(r.RAMs)})
	}
	return t
}

func generation(f *Figures, reports []Report) Table {
	list, burst := reports[listClock], reports[burstClock]
	t := Table{
		Title: "Listing all moves: clock cycles, and microseconds at the clock of each",
		Notes: []string{
			fmt.Sprintf("Published moves are pseudo-legal, cycles and times as published (%v a cycle); Faile is the program's own generator on the board's processor "+
				"(667 MHz). Ours are legal; cycles are those of the RTL on %s, from the one in which the position is taken to the last move; times are at the routed clocks "+
				"of %s (list, %s MHz, in the order of most valuable victim and least valuable aggressor) and %s (%s MHz). Go: the reference, which lists legal moves on this machine, one core.",
				published.Cycle, f.Simulator, list.Block, number(list.MHz), burst.Block, number(burst.MHz)),
			"Positions 3 and 4 were not published: stand-ins have the moves and the published timing model's cycles of those; what Faile took, and the published times, are for the originals.",
		},
		Head: []string{"position", "moves", "legal", "published", "us", "list", "us", "burst", "us", "Faile us", "Go us"},
	}
	for i := range f.Positions {
		p := &f.Positions[i]
		t.Rows = append(t.Rows, []string{
			p.name(), strconv.Itoa(p.Published.Moves), strconv.Itoa(p.Legal),
			strconv.Itoa(p.Published.Cycles), number(micros(p.Published.Generation)),
			strconv.Itoa(p.List), number(list.micros(p.List)),
			strconv.Itoa(p.Burst), number(burst.micros(p.Burst)),
			number(micros(p.Published.Software)), number(micros(p.Software)),
		})
	}
	return t
}

func transfers(f *Figures, reports []Report) Table {
	clock := reports[listClock]
	t := Table{
		Title: "Handing the list over to software",
		Notes: []string{
			fmt.Sprintf("Published: measured on the board, two reads a move, generation included. Ours, each scheme of core: reads, and cycles on %s from the write that begins the list "+
				"to the last word, on a simulated bus that loses no clock: 3 cycles a transfer. us: those cycles at the routed clock of %s, which is what the hardware takes.", f.Simulator, clock.Block),
			"A processor's reads take longer than the hardware's part. ~us: with reads as slow as the published ones (its time less its generation, through its reads: 0.2 us each), " +
				"after ours has listed all moves. A stream has no reads; that a DMA engine then writes to memory, and software reads it there, is not in it.",
		},
		Head: []string{"position", "published us"},
	}
	for _, s := range []string{"2 reads", "FIFO", "stream"} {
		t.Head = append(t.Head, s+": reads", "cycles", "us", "~us")
	}
	for i := range f.Positions {
		p := &f.Positions[i]
		row := []string{p.name(), number(micros(p.Published.Transfer))}
		for i, x := range p.Transfers {
			row = append(row, strconv.Itoa(x.Reads), strconv.Itoa(x.Cycles), number(clock.micros(x.Cycles)), number(p.handed(i, clock)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func perfts(f *Figures, reports []Report) Table {
	clock := reports[perftClock]
	t := Table{
		Title: "Perft in hardware",
		Notes: []string{fmt.Sprintf("The published design has none. Cycles are those of the RTL on %s; M/s: millions of leaves a second at the routed clock of %s, %s MHz.",
			f.Simulator, clock.Block, number(clock.MHz))},
		Head: []string{"position", "depth", "leaves", "cycles", "cycles/counted position", "leaves/cycle", "M/s"},
	}
	for _, p := range f.Perft {
		perCycle := float64(p.Nodes) / float64(p.Cycles)
		t.Rows = append(t.Rows, []string{
			p.Name, strconv.Itoa(p.Depth), strconv.FormatUint(p.Nodes, 10), strconv.FormatUint(p.Cycles, 10),
			number(float64(p.Cycles) / float64(p.Counted)), number(perCycle), number(perCycle * clock.MHz),
		})
	}
	return t
}

func suite(f *Figures) Table {
	t := Table{
		Title: fmt.Sprintf("Clock cycles of %d positions", len(f.Suite)),
		Notes: []string{fmt.Sprintf("Published: the model of its timing, which is exact for the positions that were published. Ours: the RTL on %s.", f.Simulator)},
		Head:  []string{"", "mean", "least", "10%", "50%", "90%", "most"},
	}
	for _, row := range []struct {
		name   string
		cycles func(p *Position) int
	}{
		{"published (model)", func(p *Position) int { return p.Published.Cycles }},
		{"list", func(p *Position) int { return p.List }},
		{"burst", func(p *Position) int { return p.Burst }},
	} {
		var all []int
		sum := 0
		for i := range f.Suite {
			n := row.cycles(&f.Suite[i])
			all = append(all, n)
			sum += n
		}
		slices.Sort(all)
		cells := []string{row.name, number(float64(sum) / float64(len(all)))}
		for _, tenth := range []int{0, 1, 5, 9, 10} {
			cells = append(cells, strconv.Itoa(all[(len(all)-1)*tenth/10]))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
