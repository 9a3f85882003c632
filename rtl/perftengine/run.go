package perftengine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Result is what the RTL says of a job.
type Result struct {
	Nodes uint64 // perft
	// the same by root move, in the order of UCI notation; nil unless asked for
	Divide []engine.RootCount
	Cycles uint64 // from the one in which the job was taken to the one before done_o
}

// Run opens the RTL in a simulator and counts the move sequences of depth plies from p.
func Run(ctx context.Context, s sim.Simulator, p *engine.Position, depth int) (Result, error) {
	e, err := Open(ctx, s)
	if err != nil {
		return Result{}, err
	}
	defer e.Close()
	return e.Run(ctx, p, depth, true)
}

// errWrong is what Run returns, with more, if the RTL does what no perft engine may.
var errWrong = errors.New("the RTL is wrong")

// Engine is the RTL in a simulator, for several jobs. It is not safe for concurrent use.
type Engine struct {
	dut   *sim.DUT[In, Out]
	in    []In
	out   []Out
	limit uint64 // cycles that a job may take, about; 0: any number
}

// chunk is how many cycles are played at a time: enough to make what a tape costs vanish, few
// enough not to matter beyond the end of a job or after a cancelled context.
const chunk = 4096

// patience is after how many cycles without an output a job is given up. The count stands still for
// as long only while thousands of positions in a row are listed none of which has a move.
const patience = 1 << 18

// Open compiles and starts the RTL. The context bounds the life of the engine; Close must be
// called.
func Open(ctx context.Context, s sim.Simulator, opts ...sim.Option) (*Engine, error) {
	d, err := sim.Open[In, Out](ctx, Design, s, opts...)
	if err != nil {
		return nil, err
	}
	return newEngine(d)
}

func newEngine(d *sim.DUT[In, Out]) (*Engine, error) {
	e := &Engine{dut: d, in: make([]In, chunk), out: make([]Out, chunk)}
	if err := d.Reset(d.ResetCycles()); err != nil {
		d.Close()
		return nil, err
	}
	return e, nil
}

// Close ends the simulation.
func (e *Engine) Close() error { return e.dut.Close() }

// Run counts the move sequences of depth plies from p, by root move too if divide says so. RTL that
// does not go on is an error after some hundred thousand cycles. When ctx
// ends, the job is aborted and the context's cause is returned; the engine can go on
// with another job.
func (e *Engine) Run(ctx context.Context, p *engine.Position, depth int, divide bool) (Result, error) {
	var r Result
	if err := CheckJob(p, depth); err != nil {
		return r, err
	}
	if divide {
		r.Divide = []engine.RootCount{}
	}
	for i := range e.in {
		e.in[i] = In{DivReady: true}
	}
	e.in[0] = Job(p, depth, divide)
	e.in[0].DivReady = true
	var quiet, counted uint64                           // cycles without an output, and the count in them
	for cycles := 16; ; cycles = min(2*cycles, chunk) { // short jobs end early
		if err := context.Cause(ctx); err != nil {
			if _, stop := e.dut.Step(In{Abort: true}); stop != nil {
				return r, stop
			}
			return r, err
		}
		if err := e.dut.Run(e.in[:cycles], e.out[:cycles]); err != nil {
			return r, err
		}
		for i := range e.out[:cycles] {
			o := &e.out[i]
			if o.DivValid {
				r.Divide = append(r.Divide, Decode(*o, p.SideToMove()))
			}
			if o.Done {
				r.Nodes = o.Count
				return r, e.named(p, depth, &r)
			}
			r.Cycles++
			if quiet++; o.DivValid || o.Count != counted {
				quiet, counted = 0, o.Count
			}
		}
		e.in[0] = In{DivReady: true}
		if quiet > patience {
			_, err := e.dut.Step(In{Abort: true})
			return r, errors.Join(err, fmt.Errorf("perftengine on %s: %w: depth %d of %s: neither done_o nor div_valid_o has come in %d cycles, in which count_o stayed %d",
				e.dut.Simulator(), errWrong, depth, p.FEN(), quiet, counted))
		}
		if e.limit > 0 && r.Cycles > e.limit {
			_, err := e.dut.Step(In{Abort: true})
			return r, errors.Join(err, fmt.Errorf("perftengine on %s: %w: depth %d of %s is not done after %d cycles", e.dut.Simulator(), errWrong, depth, p.FEN(), r.Cycles))
		}
	}
}

// named puts the root moves in order and in full, as the engine has them.
func (e *Engine) named(p *engine.Position, depth int, r *Result) error {
	if r.Divide == nil || depth == 0 {
		return nil
	}
	legal := p.AppendMoves(nil)
	for i := range r.Divide {
		m := &r.Divide[i].Move
		at := slices.IndexFunc(legal, func(l engine.Move) bool { return l.String() == m.String() })
		if at < 0 {
			return fmt.Errorf("perftengine on %s: %w: it gives a count for the root move %v, which is not legal in %s", e.dut.Simulator(), errWrong, m, p.FEN())
		}
		*m = legal[at]
	}
	slices.SortFunc(r.Divide, func(a, b engine.RootCount) int { return strings.Compare(a.Move.String(), b.Move.String()) })
	return nil
}
