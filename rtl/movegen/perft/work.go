package perft

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

const (
	// idleCycles follow the last position: a beat too many would come in them.
	idleCycles = 32
	// drainCycles bounds the wait for the answers to the last positions, several
	// times over: they are a few lists of at most 218 moves.
	drainCycles = 4096
)

// tapeRows is how many cycles go to a simulator at once: enough for the crossing to
// cost little, and some tenths of a second at most, so that progress is seen and
// cancellation is quick.
func tapeRows(s sim.Simulator) int {
	if s == sim.Icarus {
		return 64
	}
	return 4096
}

// worker is one instance of the design and the model beside it. Positions go in
// from the units it walks; answers come out of the RTL in the same order.
type worker struct {
	*run
	ctx   context.Context
	dut   *sim.DUT[movegen.In, movegen.Out]
	model *movegen.Model

	// The tape: in and want are being written, got comes from the simulator.
	in        []movegen.In
	want, got []movegen.Out
	written   time.Time // when the last tape was done
	given     int       // positions given to the model
	answered  int       // lists that the model has ended
	counted   int       // counts that the model has given

	// Positions given and not yet answered by the RTL, oldest first. Of these the
	// first taken have been accepted, counts are known of the first countedRTL, and the
	// lists of the first listedRTL have ended.
	flights                      []flight
	taken, countedRTL, listedRTL int

	last flight // the last one answered

	open  []*unit // units with positions on the way, and the one being walked
	again []*unit // units to walk again: a fault in another case broke them off
	path  []engine.Move
	moves [MaxDepth + 1][]engine.Move
}

// flight is a position on its way through the RTL.
type flight struct {
	u        *unit
	position engine.Position
	path     [MaxDepth]engine.Move
	plies    uint8 // of path
	leaf     bool  // its moves are leaves
	count    int   // count_o
	moves    int   // beats of its list so far
}

// work is one worker from beginning to end.
func (r *run) work(ctx context.Context, units <-chan *unit) (err error) {
	w := &worker{run: r, ctx: ctx}
	rows := tapeRows(r.simulator)
	w.in, w.want, w.got = make([]movegen.In, 0, rows), make([]movegen.Out, 0, rows), make([]movegen.Out, rows)
	if err := w.start(); err != nil {
		return err
	}
	r.active.Add(1)
	defer r.active.Add(-1)
	defer func() {
		for _, u := range w.open {
			u.c.add(u, false)
		}
		if cerr := w.dut.Close(); err == nil {
			err = cerr
		}
	}()
	w.written = time.Now()
	for {
		u, err := w.next(units)
		if err != nil {
			return err
		}
		if u != nil {
			err = w.walkUnit(u)
		} else {
			err = w.drain()
		}
		if diff, ok := errors.AsType[*sim.Difference](err); ok {
			if err := w.fault(diff); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if u == nil {
			return nil
		}
	}
}

// next is the next unit to walk, or nil at the end.
func (w *worker) next(units <-chan *unit) (*unit, error) {
	if len(w.again) > 0 {
		u := w.again[0]
		w.again = w.again[1:]
		return u, nil
	}
	select {
	case u := <-units:
		return u, nil
	case <-w.ctx.Done():
		return nil, context.Cause(w.ctx)
	}
}

// start opens an instance and brings it and the model out of reset.
func (w *worker) start() error {
	dut, err := sim.Open[movegen.In, movegen.Out](w.ctx, w.options.Design, w.simulator, w.options.Sim...)
	if err != nil {
		return err
	}
	if err := dut.Reset(dut.ResetCycles()); err != nil {
		dut.Close()
		return err
	}
	w.dut, w.model = dut, movegen.NewModel()
	w.in, w.want = w.in[:0], w.want[:0]
	w.flights = w.flights[:0]
	w.given, w.answered, w.counted = 0, 0, 0
	w.taken, w.countedRTL, w.listedRTL = 0, 0, 0
	return nil
}

// walkUnit gives all the positions of a unit to the RTL. The answers of the last of
// them come while the next unit is walked.
func (w *worker) walkUnit(u *unit) error {
	if u.c.failed.Load() {
		return nil
	}
	w.open = append(w.open, u)
	w.path = append(w.path[:0], u.path...)
	var err error
	if u.whole {
		err = w.walk(u, &u.position, u.depth)
	} else {
		err = w.give(u, &u.position, u.depth == 1)
	}
	u.walked = err == nil
	return err
}

// walk gives a position and those below it to the RTL, down to the last whose moves
// count.
func (w *worker) walk(u *unit, p *engine.Position, depth int) error {
	if u.c.failed.Load() {
		return nil
	}
	if err := w.give(u, p, depth == 1); err != nil || depth == 1 {
		return err
	}
	w.moves[depth] = p.AppendMoves(w.moves[depth][:0])
	for _, m := range w.moves[depth] {
		child := p.Make(m)
		w.path = append(w.path, m)
		if err := w.walk(u, &child, depth-1); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	return nil
}

// give offers a position to the model, on as many rows of the tape as it takes
// until it is taken.
func (w *worker) give(u *unit, p *engine.Position, leaf bool) error {
	f := flight{u: u, position: *p, plies: uint8(len(w.path)), leaf: leaf, count: -1}
	copy(f.path[:], w.path)
	w.flights = append(w.flights, f)
	u.awaited++
	w.given++
	in := movegen.Encode(p)
	in.PosValid, in.PosList, in.MoveReady = true, true, true
	for {
		ready, err := w.row(&in)
		if err != nil || ready {
			return err
		}
	}
}

// row writes a row of the tape, and plays the tape when it is full. It tells
// whether the model was ready for a position.
func (w *worker) row(in *movegen.In) (ready bool, err error) {
	want := w.model.Step(*in)
	w.in, w.want = append(w.in, *in), append(w.want, want)
	if want.CountValid {
		w.counted++
	}
	if want.MoveValid && want.MoveLast {
		w.answered++
	}
	if len(w.in) == cap(w.in) {
		err = w.play()
	}
	return want.PosReady, err
}

// drain lets the RTL answer what it was given, and some cycles more.
func (w *worker) drain() error {
	if w.given == 0 {
		return nil
	}
	idle := movegen.In{MoveReady: true}
	for n := 0; w.answered < w.given || w.counted < w.given; n++ {
		if n == drainCycles {
			return fmt.Errorf("the model of movegen has not answered %d of %d positions %d cycles after the last one: this is a fault of the model",
				w.given-min(w.answered, w.counted), w.given, n)
		}
		if _, err := w.row(&idle); err != nil {
			return err
		}
	}
	for range idleCycles {
		if _, err := w.row(&idle); err != nil {
			return err
		}
	}
	return w.play()
}

// play plays the tape, compares it with the model and takes in what the RTL
// answered.
func (w *worker) play() error {
	rows := len(w.in)
	if rows == 0 {
		return nil
	}
	got := w.got[:rows]
	first := w.dut.Cycle()
	err := w.dut.ExpectInto(w.in, w.want, got, w.model.DontCare)
	good := rows
	if diff, ok := errors.AsType[*sim.Difference](err); ok {
		good = int(diff.Cycle - first)
	} else if err != nil {
		return err
	}
	now := time.Now()
	perRow := float64(now.Sub(w.written)) / float64(rows*max(1, int(w.active.Load())))
	w.written = now
	nodes := uint64(0)
	for i := range good {
		n, rerr := w.answer(&w.in[i], &got[i], perRow)
		if rerr != nil {
			return rerr
		}
		nodes += n
	}
	w.report(int64(nodes), uint64(good))
	w.in, w.want = w.in[:0], w.want[:0]
	if rerr := w.release(); rerr != nil {
		return rerr
	}
	return err
}

// answer takes in one cycle of the RTL and returns the leaves it counted. What it
// sees was compared with the model; here it is counted from the RTL's own outputs.
func (w *worker) answer(in *movegen.In, out *movegen.Out, nanos float64) (nodes uint64, err error) {
	if w.listedRTL < len(w.flights) {
		u := w.flights[w.listedRTL].u
		u.cycles++
		u.nanos += nanos
	}
	if in.PosValid && out.PosReady {
		w.taken++
	}
	if out.CountValid {
		if w.countedRTL >= w.taken {
			return 0, fmt.Errorf("movegen on %s gives a count for no position, and so does its model", w.simulator)
		}
		f := &w.flights[w.countedRTL]
		w.countedRTL++
		f.count = int(out.Count)
		if f.leaf {
			nodes = uint64(f.count)
			f.u.nodes += nodes
		}
	}
	if out.MoveValid && in.MoveReady {
		if w.listedRTL >= w.taken {
			return 0, fmt.Errorf("movegen on %s lists a move of no position, and so does its model", w.simulator)
		}
		f := &w.flights[w.listedRTL]
		if !out.MoveNone {
			f.moves++
			if f.leaf && f.u.root < 0 {
				f.u.listed = append(f.u.listed, movegen.Decode(*out, f.position.SideToMove()))
			}
		}
		if out.MoveLast {
			w.listedRTL++
		}
	}
	return nodes, nil
}

// release lets go of positions that are answered, and of units that are done.
func (w *worker) release() error {
	n := min(w.countedRTL, w.listedRTL)
	if n > 0 {
		w.last = w.flights[n-1]
	}
	for i := range n {
		f := &w.flights[i]
		if f.count != f.moves {
			return fmt.Errorf("movegen on %s counts %d moves and lists %d, and so does its model, in the position %s",
				w.simulator, f.count, f.moves, f.position.FEN())
		}
		f.u.positions++
		f.u.awaited--
	}
	w.flights = slices.Delete(w.flights, 0, n)
	w.taken -= n
	w.countedRTL -= n
	w.listedRTL -= n
	w.open = slices.DeleteFunc(w.open, func(u *unit) bool {
		done := u.walked && u.awaited == 0
		if done {
			u.c.add(u, true)
		}
		return done
	})
	return nil
}
