package vectors

import (
	"fmt"
	"math/big"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// This file is about cycles of vectors for RTL that a header names: they wait until there are many,
// or one is needed, and are then played and checked.

// play1 has one cycle played with the present inputs, now or with others later.
func (pl *rowPlayer) play1(expect []cell) error {
	if pl.failure != nil || pl.err != nil {
		return errStop
	}
	if err := pl.enough(); err != nil {
		return err
	}
	m := mark{pl.step, pl.rep, expect, true}
	if pl.agents != nil {
		return pl.agents.play(m)
	}
	return pl.add(m, len(pl.names) > 0)
}

// enough returns an error if no more cycles are wanted.
func (pl *rowPlayer) enough() error {
	if pl.o.limit > 0 && pl.cycle() >= pl.o.limit {
		return &lateError{"the run is long enough", true}
	}
	return nil
}

// add adds a cycle with the present inputs to those that wait. It plays them if the cycle is needed
// now or there are many.
func (pl *rowPlayer) add(m mark, now bool) error {
	if len(pl.names) > 0 {
		if err := pl.look(); err != nil {
			return err
		}
	}
	pl.tape = append(pl.tape, pl.in...)
	pl.marks = append(pl.marks, m)
	if now || len(pl.marks) == pl.bench.Most() {
		return pl.flush()
	}
	return nil
}

// look reads the internal signals that are needed in each cycle.
func (pl *rowPlayer) look() error {
	if err := pl.settle(); err != nil {
		return err
	}
	var all []map[string]bridge.Value
	for i := range pl.bench.Simulators() {
		values := map[string]bridge.Value{}
		for _, n := range pl.names {
			v, err := pl.bench.Instance(i).Peek(n)
			if err != nil {
				pl.err = err
				return errStop
			}
			values[n] = v
		}
		all = append(all, values)
	}
	pl.peeked = append(pl.peeked, all)
	return nil
}

// settle applies the present inputs after the cycles that wait.
func (pl *rowPlayer) settle() error {
	if err := pl.flush(); err != nil {
		return err
	}
	if pl.err = pl.bench.Settle(pl.in); pl.err != nil {
		return errStop
	}
	return nil
}

// flush plays the cycles that wait, and finds the first that is wrong.
func (pl *rowPlayer) flush() error {
	n := len(pl.marks)
	if n == 0 {
		if pl.failure != nil || pl.err != nil {
			return errStop
		}
		return nil
	}
	agreed, err := pl.bench.Play(pl.tape, n)
	if err != nil {
		pl.recorder.Break("the run has ended here: " + err.Error())
	}
	var model []modelRow
	if pl.process != nil {
		var wrong error
		if model, wrong = pl.process.rows(pl.tape[:agreed*len(pl.in)], agreed, pl.slots); wrong != nil {
			pl.err = fmt.Errorf("%s:%d: %w", pl.p.file.Name, pl.p.file.value("model").At, wrong)
			agreed = len(model)
		}
	}
	for row := range agreed {
		pl.recordRow(row, model)
		if pl.failure = pl.check(row, model); pl.failure != nil {
			pl.err = nil
			pl.trace(row + 1)
			pl.done, pl.marks = pl.done+uint64(row)+1, nil
			return errStop
		}
	}
	pl.trace(agreed)
	pl.last = n - 1
	if pl.err != nil {
		return errStop
	}
	if err != nil {
		pl.done += uint64(agreed)
		pl.marks = pl.marks[agreed:]
		pl.failure, pl.err = pl.ended(agreed, err)
		if pl.failure != nil {
			pl.traceFailed(agreed)
			pl.done++
		}
		pl.marks = nil
		return errStop
	}
	pl.done += uint64(n)
	pl.tape, pl.marks, pl.peeked = pl.tape[:0], pl.marks[:0], pl.peeked[:0]
	return nil
}

// check returns what is wrong with a row in which the simulators agree, or nil.
func (pl *rowPlayer) check(row int, model []modelRow) *Failure {
	if model != nil {
		if f := pl.unlike(row, model[row]); f != nil {
			return f
		}
	}
	for i := range pl.p.always {
		if f := pl.violated(row, &pl.p.always[i]); f != nil {
			return f
		}
	}
	if pl.o.ignore {
		return nil
	}
	if i := pl.wrong(row, pl.marks[row].expect); i >= 0 {
		return pl.wrongCell(row, i)
	}
	return nil
}

// wrong returns the index of the first cell that a row's outputs do not meet in some simulator, or
// -1.
func (pl *rowPlayer) wrong(row int, expect []cell) int {
	for i := range expect {
		c := &expect[i]
		for k, s := range pl.bench.Simulators() {
			out, hidden := pl.bench.Outputs(k, row)
			bits, unknown := get(out, hidden, &pl.slots[c.port.field])
			if unknown == nil && s == sim.Icarus {
				unknown = new(big.Int)
			}
			if !c.holds(c.port, bits, unknown) {
				return i
			}
		}
	}
	return -1
}
