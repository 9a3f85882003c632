package validity_test

import (
	"fmt"
	"iter"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[validity.In, validity.Out]

// times are short, so that a decision costs few scans and cycles.
var times = validity.Times{StableScans: 3, CastlingScans: 8, QuestionCycles: 128}

// scaled is the RTL with these times.
var scaled = func() sim.Design {
	d := validity.Design
	d.Params = times.Params()
	return d
}()

// bench is a chess board with somebody at it. It makes stimulus: what is done to the pieces becomes
// scans; what comes of it is seen through the model, cycle by cycle.
type bench struct {
	m     *validity.Model
	times validity.Times
	runs  []run          // the inputs
	n     int            // how many cycles of them
	due   []validity.Out // the model's outputs, if keep is set
	keep  bool
	out   validity.Out // of the last cycle

	levels   validity.In // what stays at the inputs
	occupied uint64      // squares with a piece
	moves    []engine.Move
	events   []string // in words: moves, answers to remote moves, claims refused
	loads    []engine.Position
}

// run is an input for so many cycles. Most cycles are like the one before: kept one by one, the
// inputs of a test would be hundreds of megabytes.
type run struct {
	in     validity.In
	cycles int
}

// stimulus is the inputs of at most so many cycles.
func (b *bench) stimulus(most int) iter.Seq[validity.In] {
	return func(yield func(validity.In) bool) {
		left := most
		for i := range b.runs {
			for range min(b.runs[i].cycles, left) {
				if !yield(b.runs[i].in) {
					return
				}
			}
			if left -= b.runs[i].cycles; left <= 0 {
				return
			}
		}
	}
}

func newBench(times validity.Times) *bench { return newRecordingBench(times, false) }

// newRecordingBench returns a bench that may keep the outputs of the model.
func newRecordingBench(times validity.Times, keep bool) *bench {
	b := &bench{m: validity.NewModel(times), times: times, keep: keep}
	b.occupied = start.Pieces(engine.White) | start.Pieces(engine.Black)
	b.settle()
	return b
}

var start = engine.StartPosition()

// cycle is one clock.
func (b *bench) cycle(in validity.In) {
	in.Remote, in.Promotion = b.levels.Remote, b.levels.Promotion
	if last := len(b.runs) - 1; last >= 0 && b.runs[last].in == in {
		b.runs[last].cycles++
	} else {
		b.runs = append(b.runs, run{in, 1})
	}
	b.n++
	b.out = b.m.Step(in)
	if b.keep {
		b.due = append(b.due, b.out)
	}
	if b.out.MoveValid {
		m := b.out.Move()
		b.moves = append(b.moves, m)
		b.events = append(b.events, "move "+m.String())
	}
	if b.out.RemoteDone && b.out.RemoteReason == rules.NoReason {
		b.events = append(b.events, "accepted")
	} else if b.out.RemoteDone {
		b.events = append(b.events, "answer "+b.out.RemoteReason.String())
	}
	if b.out.ClaimRefused {
		b.events = append(b.events, "refused")
	}
}

// settle waits until there is nothing left to do.
func (b *bench) settle() {
	for idle := 0; idle < 4; idle++ {
		if b.cycle(validity.In{}); b.out.Busy || !b.out.RemoteReady {
			idle = 0
		}
	}
}

// scan is a scan of the board with some squares read wrong.
func (b *bench) scan(wrong uint64) {
	for b.cycle(validity.In{}); b.out.Busy; {
		b.cycle(validity.In{})
	}
	b.cycle(validity.In{ScanValid: true, Occupied: b.occupied ^ wrong})
}

// hold leaves the board as it is for so many scans.
func (b *bench) hold(scans int) {
	for range scans {
		b.scan(0)
	}
	b.settle()
}

// Scans until a change is believed, decided on, and decided on as what may be half of castling.
const believed = 2

func (b *bench) stable() int  { return believed + b.times.StableScans }
func (b *bench) settled() int { return believed + b.times.CastlingScans }

// load gives a position to go on from.
func (b *bench) load(p *engine.Position) {
	in := validity.Load(p)
	b.loads = append(b.loads, *p)
	for b.cycle(in); !b.out.LoadReady; {
		b.cycle(in)
	}
	b.settle()
}

// setUp gives a position, and puts the pieces so.
func (b *bench) setUp(p *engine.Position) {
	b.load(p)
	b.occupied = p.Pieces(engine.White) | p.Pieces(engine.Black)
	b.hold(b.stable())
}

// remote gives a remote move, and waits for the answer.
func (b *bench) remote(m engine.Move, replay bool) {
	b.cycle(validity.Remote(m, replay))
	b.settle()
}

// touch lifts or places a piece.
func (b *bench) touch(h touch.Action) {
	b.occupied &^= 1 << h.Square
	if h.Place {
		b.occupied |= 1 << h.Square
	}
}

// play plays a bench's inputs on the RTL and compares every output in every cycle.
func play(t *testing.T, d *dut, b *bench, what string) {
	t.Helper()
	playFirst(t, d, b, b.n, what)
}

// playFirst does so with the inputs of the first cycles.
func playFirst(t *testing.T, d *dut, b *bench, cycles int, what string) {
	t.Helper()
	if err := compare(d, b, cycles); err != nil {
		d.Fail(t, fmt.Errorf("%s: %w", what, err))
	}
}

func compare(d *dut, b *bench, cycles int) error {
	return sim.Compare(d, validity.NewModel(b.times), b.stimulus(cycles))
}
