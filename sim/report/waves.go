package report

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/wave"
)

// mostChanges is how many changes a page holds at most: a page that opens in a second.
const mostChanges = 4_000_000

// Transaction is something that a process of the testbench has done over some cycles: an item that
// a driver has sent, a monitor has seen, or a scoreboard has expected or got.
type Transaction struct {
	Who      string // the process or the scoreboard
	What     string
	From, To uint64 // cycles, both included
	Bad      bool   // it is what the failure is about
}

// waves returns what the page draws: all signals of the FST if there is one, or else the ports in
// the last cycles. problem says why the FST is not drawn. Without cycles there is nothing to draw.
func (f *Failure) waves() (set *wave.Set, problem error) {
	w := f.wave()
	for i := 1; i < len(w.Cycles); i++ {
		if w.Cycles[i] <= w.Cycles[i-1] {
			return nil, nil
		}
	}
	n := len(w.Cycles)
	if n == 0 {
		return nil, nil
	}
	if f.FST != "" {
		scope := f.FSTScope
		if scope == "" {
			scope = f.Top
		}
		r := wave.Recording{Path: f.FST, Scope: scope, Times: w.Times, Cycle: w.Cycles[max(0, min(n, len(w.Times))-1)], Most: mostChanges}
		for _, c := range w.Clocks {
			r.Clocks = append(r.Clocks, c.Name)
		}
		set, problem = wave.ReadFST(r)
	}
	if set == nil {
		set = portsOnly(w, f.Top)
	}
	addClocks(set, w)
	var shown []*wave.Signal
	for i := range w.Traces {
		if s := f.arrange(set, w, &w.Traces[i]); s != nil {
			shown = append(shown, s)
		}
	}
	set.Signals = append(shown, slices.DeleteFunc(set.Signals, func(s *wave.Signal) bool { return s.Group != "" })...)
	f.addTransactions(set)
	set.Marks = append(set.Marks, wave.Mark{Cycle: f.Cycle, Text: "failed"})
	if f.Cycle >= set.First && f.Cycle < set.End {
		set.Cursor = &f.Cycle
	}
	from, to := f.window(w)
	set.Shown = &[2]uint64{max(from, set.First), max(to, set.First+1)}
	return set, problem
}

// window returns which cycles are seen at first: those of the wave, and the transactions that end
// in the last of them as a whole. So of a slow line, the whole frame is seen.
func (f *Failure) window(w *Wave) (from, to uint64) {
	from, to = w.Cycles[0], w.Cycles[len(w.Cycles)-1]+4
	if began := f.Began(); began < from {
		from = began - min(began, (to-began)/20+1)
	}
	return from, to
}

// Began returns where the transactions began that end in the last cycles, or that are wrong: in the
// failure's cycle if there are none.
func (f *Failure) Began() uint64 {
	began := f.Cycle
	for _, t := range f.Transactions {
		if t.Bad || t.To+3 >= f.Cycle {
			began = min(began, t.From)
		}
	}
	return began
}

// portsOnly returns the signals of the wave itself.
func portsOnly(w *Wave, top string) *wave.Set {
	n := len(w.Cycles)
	set := &wave.Set{First: w.Cycles[0], End: w.Cycles[n-1] + 1}
	if len(w.Times) == n && set.End-set.First == uint64(n) {
		for _, t := range w.Times {
			set.Edges = append(set.Edges, t.Nanoseconds()*1000)
		}
	}
	for i := range w.Traces {
		t := &w.Traces[i]
		changes := wave.NewChanges(t.width(), set.First)
		for c, cycle := range w.Cycles {
			bits, unknown := t.fit(t.at(c))
			if bits == nil { // no value
				bits, unknown = new(big.Int), low(new(big.Int).Not(new(big.Int)), t.width())
			}
			changes.Append(cycle, little(bits, t.width()), little(unknown, t.width()))
		}
		set.Signals = append(set.Signals, &wave.Signal{Scopes: []string{cleanLine(top)}, Name: cleanLine(t.Name), Width: t.width(), Changes: changes})
	}
	return set
}

// little returns a number as bytes, the least significant first.
func little(v *big.Int, width int) []byte {
	b := v.FillBytes(make([]byte, (width+7)/8))
	slices.Reverse(b)
	return b
}

// addClocks shows which of several clocks rise at the ends of the last cycles, if the recording of
// all signals does not say it of all cycles.
func addClocks(set *wave.Set, w *Wave) {
	if len(w.Clocks) < 2 || len(set.Lanes) > 0 {
		return
	}
	for _, c := range w.Clocks {
		lane := wave.ClockLane(cleanLine(c.Name))
		for i, cycle := range w.Cycles {
			if c.rises(i) {
				lane.Spans = append(lane.Spans, wave.Span{From: cycle, To: cycle, Text: "↑"})
			}
		}
		set.Lanes = append(set.Lanes, lane)
	}
}

// arrange puts a port into its group, with what the others have where they differ below it, and
// returns it.
func (f *Failure) arrange(set *wave.Set, w *Wave, t *Trace) *wave.Signal {
	name := cleanLine(t.Name)
	i := slices.IndexFunc(set.Signals, func(s *wave.Signal) bool {
		inner := append(slices.Clone(s.Scopes[1:]), s.Name) // of an internal signal, the name has its scopes
		return s.Group == "" && strings.Join(inner, ".") == name && s.Width == t.width()
	})
	if i < 0 {
		return nil
	}
	signal := set.Signals[i]
	signal.Group = "signals"
	if t.Dir != "" {
		signal.Group = t.Dir.heading()
	}
	signal.Radix = radixOf(&t.Signal)
	if len(t.Names) > 0 {
		signal.Names = map[uint64]string{}
		for value, name := range t.Names {
			signal.Names[value] = cleanLine(name)
		}
	}
	for c, cycle := range w.Cycles {
		if t.wrong(c, w.reference) {
			signal.Bad = append(signal.Bad, wave.Span{From: cycle, To: cycle})
		}
	}
	for _, other := range t.Others {
		lane := &wave.Lane{Path: fmt.Sprintf("%s of %s", cleanLine(other.Column), name), Label: cleanLine(other.Column), Group: signal.Group, After: signal}
		for c := range min(len(other.Values), len(w.Cycles)) {
			if other.differs(t, c) {
				lane.Spans = append(lane.Spans, wave.Span{From: w.Cycles[c], To: w.Cycles[c], Text: cleanLine(t.Text(other.Values[c])), Bad: true})
			}
		}
		if lane.Spans != nil {
			set.Lanes = append(set.Lanes, lane)
		}
	}
	return signal
}

func radixOf(s *Signal) wave.Radix {
	switch {
	case len(s.Names) > 0:
		return wave.Names
	case s.Format == Binary:
		return wave.Binary
	case s.Format == Decimal && s.Signed:
		return wave.Signed
	case s.Format == Decimal:
		return wave.Unsigned
	case s.grid():
		return wave.Board
	}
	return wave.Hex
}

// addTransactions adds a lane for each who.
func (f *Failure) addTransactions(set *wave.Set) {
	lanes := map[string]*wave.Lane{}
	for _, t := range f.Transactions {
		who := cleanLine(t.Who)
		if lanes[who] == nil {
			lanes[who] = &wave.Lane{Path: "transactions of " + who, Label: who, Group: "transactions"}
			set.Lanes = append(set.Lanes, lanes[who])
		}
		lanes[who].Spans = append(lanes[who].Spans, wave.Span{From: t.From, To: t.To, Text: cleanLine(t.What), Bad: t.Bad})
	}
	for _, lane := range lanes {
		slices.SortStableFunc(lane.Spans, func(a, b wave.Span) int { return cmp.Compare(a.From, b.From) })
	}
}
