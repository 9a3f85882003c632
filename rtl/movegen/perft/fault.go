package perft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Fault is a position in which the RTL and the reference differ, and how. It is an
// error, and its text is the report for an engineer.
type Fault struct {
	Simulator sim.Simulator
	Position  engine.Position
	Root      engine.Position // of the case
	Path      []engine.Move   // that lead from Root to Position

	// Alone tells that the position shows a fault when it is given to a new
	// instance of the design, alone, with its list taken in single steps. The
	// fields up to Notes are what was seen then.
	Alone   bool
	Count   int           // count_o, or -1 if none came
	Listed  int           // beats of the list with a move
	Missing []engine.Move // legal, but not listed
	Surplus []engine.Move // listed, but not legal, or listed before
	Wrong   []WrongMove
	Notes   []string // what else is wrong

	// InFlight are the other positions that were in the RTL, if the fault shows
	// in none of them alone.
	InFlight []engine.Position

	// Difference is the cycle and the ports in which it was first seen.
	Difference *sim.Difference
}

// WrongMove is a field of a listed legal move that is wrong.
type WrongMove struct {
	Move      engine.Move // as it should be
	Field     string      // "piece", "captured", "castling" or "en passant"
	Want, Got string
}

func (w WrongMove) String() string {
	return fmt.Sprintf("%s: %s is %s, not %s", w.Move, w.Field, w.Got, w.Want)
}

// Error is the report: the position, what is wrong with its moves, and the cycle
// with its ports.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "RTL and reference differ on %s in this position:\n\n  %s\n", f.Simulator, f.Position.FEN())
	if len(f.Path) > 0 {
		fmt.Fprintf(&b, "  which is %s\n  moves %s\n", f.Root.FEN(), joinMoves(f.Path))
	}
	b.WriteByte('\n')
	for line := range strings.Lines(f.Position.Board()) {
		fmt.Fprintf(&b, "  %s\n", strings.TrimRight(line, "\n"))
	}
	b.WriteByte('\n')
	if f.Alone {
		f.writeAlone(&b)
	} else {
		f.writeTogether(&b)
	}
	fmt.Fprintf(&b, "\n%s", f.Difference.Error())
	return b.String()
}

func (f *Fault) writeAlone(b *strings.Builder) {
	count := fmt.Sprintf("count_o is %d", f.Count)
	if f.Count < 0 {
		count = "no count came"
	}
	fmt.Fprintf(b, "given to the RTL alone: %d moves listed, %s; the reference has %d\n", f.Listed, count, f.Position.Count())
	if len(f.Missing) > 0 {
		fmt.Fprintf(b, "  missing: %s\n", joinMoves(f.Missing))
	}
	if len(f.Surplus) > 0 {
		fmt.Fprintf(b, "  surplus: %s\n", joinMoves(f.Surplus))
	}
	for _, w := range f.Wrong {
		fmt.Fprintf(b, "  wrong:   %s\n", w)
	}
	for _, n := range f.Notes {
		fmt.Fprintf(b, "  %s\n", n)
	}
}

func (f *Fault) writeTogether(b *strings.Builder) {
	b.WriteString("given to the RTL alone, it is answered rightly: moves, order and count. So the fault lies in\n" +
		"the timing, or in what another position left behind: see the cycle and the ports below.\n")
	for _, p := range f.InFlight {
		fmt.Fprintf(b, "  also in the RTL then: %s\n", p.FEN())
	}
	for _, n := range f.Notes {
		fmt.Fprintf(b, "  %s\n", n)
	}
}

func joinMoves(moves []engine.Move) string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = m.String()
	}
	return strings.Join(names, " ")
}

// fault finds the position at which the RTL differs, notes the fault, and puts the
// worker back to work with a new instance. What was broken off and belongs to
// other cases will be walked again.
func (w *worker) fault(diff *sim.Difference) error {
	w.dut.Close()
	suspects := w.suspects(diff)
	found, guilty, err := w.find(suspects)
	if err != nil {
		return err
	}
	if found != nil {
		found.Difference = diff
		fen, depth := found.Position.FEN(), 1
		if !found.Alone {
			fen, depth = found.Root.FEN(), guilty.u.c.Depth
			for _, s := range suspects {
				if s != guilty {
					found.InFlight = append(found.InFlight, s.position)
				}
			}
		}
		diff.Reproduce = fmt.Sprintf("%s --sim %s --depth %d --fen '%s'", w.options.Command, w.simulator, depth, fen)
		w.fail(guilty.u.c, found)
	}
	return w.restart()
}

// find examines the suspects, and for each first the positions that lead to it from
// its case's: other workers may be about to give them to the RTL, and a fault is
// easier to grasp the sooner it comes. Without a suspect that shows a fault alone it
// returns what was seen of the first. It returns nil if a suspect's case has failed
// already, at another worker: that one may be to blame rather than the others, which
// are walked again without it.
func (w *worker) find(suspects []*flight) (found *Fault, guilty *flight, err error) {
	seen := map[engine.Position]bool{}
	known := false
	for _, s := range suspects {
		if s.u.c.failed.Load() {
			known = true
			continue
		}
		p := s.u.c.Position
		for ply := range s.plies + 1 {
			if ply > 0 {
				p = p.Make(s.path[ply-1])
			}
			if seen[p] && p != s.position {
				continue
			}
			seen[p] = true
			f, err := examine(w.ctx, w.options, w.simulator, &p)
			if w.ctx.Err() != nil {
				return nil, nil, context.Cause(w.ctx)
			}
			if err != nil {
				f.Notes = append(f.Notes, err.Error())
			}
			f.Root, f.Path = s.u.c.Position, slices.Clone(s.path[:ply])
			if f.Alone {
				return f, s, nil
			}
			if found == nil && p == s.position {
				found, guilty = f, s
			}
		}
	}
	if known {
		return nil, nil, nil
	}
	return found, guilty, nil
}

// suspects are the positions that were in the RTL, those first that the
// differing ports were about. If there were none, it is the one before.
func (w *worker) suspects(diff *sim.Difference) []*flight {
	var s []*flight
	add := func(i int) {
		if i < min(w.taken+1, len(w.flights)) && !slices.Contains(s, &w.flights[i]) {
			s = append(s, &w.flights[i])
		}
	}
	for _, name := range diff.Differing() {
		switch {
		case strings.HasPrefix(name, "count_"):
			add(w.countedRTL)
		case strings.HasPrefix(name, "move_"):
			add(w.listedRTL)
		}
	}
	for i := min(w.countedRTL, w.listedRTL); i <= w.taken; i++ {
		add(i)
	}
	if len(s) == 0 {
		s = append(s, &w.last)
	}
	return s
}

// restart takes a new instance. Units that were broken off are taken back, but for
// those of failed cases: so no case brings more than one restart to a worker.
func (w *worker) restart() error {
	for _, u := range w.open {
		if u.c.failed.Load() {
			u.c.add(u, false)
			continue
		}
		w.report(-int64(u.nodes), 0)
		u.nodes, u.positions, u.awaited, u.walked, u.listed = 0, 0, 0, false, nil
		w.again = append(w.again, u)
	}
	w.open = w.open[:0]
	return w.start()
}
