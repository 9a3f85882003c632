package vectors

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/lockstep"
)

// rowPlayer is a run of a vector for RTL that its header names.
type rowPlayer struct {
	*rowBench
	bench *lockstep.Bench
	ctx   context.Context
	p     *plan
	o     playOptions

	in      []byte // inputs of the coming cycle
	tape    []byte // rows that wait to be played
	marks   []mark // their places
	peeked  [][]map[string]bridge.Value
	names   []string            // internal signals that are read in each cycle
	words   map[string][]string // of memories among them
	process *process            // the reference model
	agents  *agents             // nil: there are none
	first   uint64              // the bench's cycle at the vector's first
	shift   time.Duration       // its time
	done    uint64              // cycles played
	last    int                 // the row of the last cycle in the bench's outputs
	failure *Failure
	err     error // an error of the tools

	recorder *sim.Recorder // of what is put in and expected; nil if nobody wants it
	recorded int           // the simulator of which it is

	step  *step
	rep   int
	bound uint64 // the cycle at which the statement is late
}

// all plays the vector.
func (pl *rowPlayer) all() (uint64, *Failure, error) {
	b, p, bench := pl.rowBench, pl.p, pl.bench
	var err error
	pl.tape = make([]byte, 0, bench.Most()*len(pl.in))
	if err := pl.idle(); err != nil {
		return 0, nil, err
	}
	if r := b.d.port(b.d.reset); r != nil {
		pl.set(r, new(big.Int).Xor(b.d.resetActive, one))
		if err := pl.holdReset(r); err != nil {
			return 0, nil, err
		}
	}
	pl.first = bench.Cycle()
	if p.model != nil {
		if pl.process, err = startModel(pl.ctx, p, b.d, b.c.modelTimeout); err != nil {
			return 0, nil, err
		}
		defer pl.process.close()
	}
	if err = pl.watched(); err != nil {
	} else if len(p.agents) > 0 {
		err = pl.withAgents()
	} else {
		err = pl.steps()
		if ended := pl.flush(); err == nil { // what is found in the cycles left comes before an error
			err = ended
		}
	}
	if pl.err == nil && pl.failure == nil && err != nil && !errors.Is(err, errStop) {
		pl.failure = pl.refused(err)
	}
	if pl.failure != nil {
		if pl.agents != nil && pl.failure.Report.Transactions == nil {
			pl.agents.tell(pl.failure, pl.agents.rows.Transactions())
		}
		pl.failure.first, pl.failure.shift = pl.first, pl.shift
	}
	return pl.cycle(), pl.failure, pl.err
}

// Cycle returns the number of the coming cycle. The vector's first is 0.
func (pl *rowPlayer) cycle() uint64 { return pl.done + uint64(len(pl.marks)) }

func (pl *rowPlayer) set(p *Port, v *big.Int) { put(pl.in, &pl.slots[p.field], v) }

func (pl *rowPlayer) input(p *Port) *big.Int {
	v, _ := get(pl.in, nil, &pl.slots[p.field])
	return v
}

// output returns an output of the last cycle in a simulator. Cycles that wait are played before.
func (pl *rowPlayer) output(p *Port, simulator int) (bits, unknown *big.Int) {
	out, hidden := pl.bench.Outputs(simulator, pl.last)
	return get(out, hidden, &pl.slots[p.field])
}

// holdReset holds the reset before the vector's first cycle, with all other inputs 0.
func (pl *rowPlayer) holdReset(r *Port) error {
	if pl.p.reset == 0 {
		return nil
	}
	row := slices.Clone(pl.in)
	put(row, &pl.slots[r.field], pl.d.resetActive)
	tape := slices.Repeat(row, pl.p.reset)
	pl.last = pl.p.reset - 1
	_, err := pl.bench.Play(tape, pl.p.reset)
	if err == nil {
		pl.recordReset(tape, pl.p.reset)
	}
	if _, ok := errors.AsType[*lockstep.Difference](err); ok {
		err = nil
	}
	return err
}

// steps plays all rows and statements.
func (pl *rowPlayer) steps() error {
	for i := range pl.p.steps {
		s := &pl.p.steps[i]
		pl.step, pl.rep = s, 0
		pl.bound = pl.cycle() + defaultBound
		if s.cycles > 0 && (s.op == "act" || s.op == "expect") {
			pl.bound = pl.cycle() + uint64(s.cycles)
		}
		if err := pl.do(s); err != nil {
			return err
		}
	}
	return nil
}

// do plays a row or a statement.
func (pl *rowPlayer) do(s *step) error {
	for i := range s.drive {
		pl.set(s.drive[i].port, s.drive[i].lo)
	}
	switch s.op {
	case "row":
		return pl.row(s)
	case "wait":
		return pl.wait(s.cycles)
	case "reset":
		r := pl.d.port(pl.d.reset)
		pl.set(r, pl.d.resetActive)
		err := pl.wait(s.cycles)
		pl.set(r, new(big.Int).Xor(pl.d.resetActive, one))
		return err
	case "expect":
		return pl.expect(s)
	case "act":
		return s.act(pl)
	}
	return nil
}

func (pl *rowPlayer) wait(cycles int) error {
	for range cycles {
		if err := pl.play1(nil); err != nil {
			return err
		}
	}
	return nil
}

// row plays the cycles of a row.
func (pl *rowPlayer) row(s *step) error {
	var span *cell
	for i := range s.drive {
		if s.drive[i].lo.Cmp(s.drive[i].hi) != 0 {
			span = &s.drive[i]
		}
	}
	for range s.repeat {
		for k := range s.steps() {
			if span != nil {
				pl.set(span.port, new(big.Int).Add(span.lo, big.NewInt(int64(k))))
			}
			if err := pl.play1(s.expect); err != nil {
				return err
			}
			pl.rep++
		}
	}
	return nil
}

// expect plays the statement expect, with or without within or for.
func (pl *rowPlayer) expect(s *step) error {
	if s.cycles == 0 || s.each {
		for range max(s.cycles, 1) {
			if err := pl.play1(s.expect); err != nil {
				return err
			}
			pl.rep++
		}
		return nil
	}
	if err := pl.flush(); err != nil {
		return err
	}
	for pl.cycle()+1 < pl.bound {
		if err := pl.step1(); err != nil {
			return err
		}
		if pl.wrong(pl.last, s.expect) < 0 {
			return nil
		}
	}
	return pl.play1(s.expect) // the last cycle, which fails if a value is still wrong
}

// step1 plays one cycle at once, so that its outputs can be looked at.
func (pl *rowPlayer) step1() error {
	if err := pl.play1(nil); err != nil {
		return err
	}
	return pl.flush()
}
