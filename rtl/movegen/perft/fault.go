package perft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// Fault is a position in which the RTL and the reference differ, and how. It is an
// error, and its text is the report for an engineer.
type Fault struct {
	Simulator sim.Simulator
	Position  engine.Position
	Root      engine.Position // of the case
	Path      []engine.Move   // that lead from Root to Position

	// Alone reports whether the RTL differs, too, when a new instance is given the position and
	// nothing else.
	Alone  bool
	Answer *movegen.Answer // what the RTL makes of the position then; nil: it could not be seen
	Notes  []string        // what is wrong besides

	// InFlight are the other positions that were in the RTL, if the fault shows
	// in none of them alone.
	InFlight []engine.Position

	// Difference is the cycle and the ports in which it was first seen: in the position alone if
	// Alone, and then its note says what it is about.
	Difference *sim.Difference
}

// Error is the report: the position, what is wrong with its moves, and the cycle
// with its ports.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "RTL and reference differ on %s in this position:\n\n  %s\n", f.Simulator, f.Position.FEN())
	if len(f.Path) > 0 {
		fmt.Fprintf(&b, "  which is %s\n  moves %s\n", f.Root.FEN(), joinMoves(f.Path))
	}
	if !f.Alone {
		f.writeTogether(&b)
	}
	for _, n := range f.Notes {
		fmt.Fprintf(&b, "  %s\n", n)
	}
	fmt.Fprintf(&b, "\n%s", f.Difference.Error())
	return b.String()
}

func (f *Fault) writeTogether(b *strings.Builder) {
	b.WriteByte('\n')
	for line := range strings.Lines(f.Position.Board()) {
		fmt.Fprintf(b, "  %s\n", strings.TrimRight(line, "\n"))
	}
	b.WriteByte('\n')
	if f.Answer != nil {
		fmt.Fprintf(b, "%v\n", f.Answer)
	}
	for _, p := range f.InFlight {
		fmt.Fprintf(b, "  also in the RTL then: %s\n", p.FEN())
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
		if found.Difference == nil {
			found.Difference = diff
		}
		fen, depth := found.Position.FEN(), 1
		if !found.Alone {
			fen, depth = found.Root.FEN(), guilty.u.c.Depth
			for _, s := range suspects {
				if s != guilty {
					found.InFlight = append(found.InFlight, s.position)
				}
			}
		}
		found.Difference.Reproduce = fmt.Sprintf("%s --sim %s --depth %d --fen '%s'", w.options.Command, w.simulator, depth, fen)
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
