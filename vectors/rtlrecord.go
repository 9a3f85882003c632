package vectors

import (
	"math/big"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// This file is about recordings of vectors for RTL that a header names: what they put in, and what
// they expect. Faults of the RTL are decided by them (sim/mutate).

// record begins the recording, if there shall be one.
func (pl *rowPlayer) record() (err error) {
	pl.recorded = slices.Index(pl.bench.Simulators(), sim.Verilator)
	if pl.recorded < 0 {
		return nil
	}
	rtl := pl.d.rtl(pl.c)
	if pl.recorder, err = sim.NewRecorder(&rtl, sim.Verilator, pl.bench.Layout(), pl.opts...); err == nil {
		pl.recorder.Mark(pl.p.file.Name)
	}
	return err
}

// recordReset records cycles at which nobody looks.
func (pl *rowPlayer) recordReset(tape []byte, n int) {
	if pl.recorder == nil {
		return
	}
	size := len(pl.in)
	nothing := make([]byte, pl.bench.Layout().OutSize)
	for row := range n {
		out, unknown := pl.bench.Outputs(pl.recorded, row)
		pl.recorder.Row(tape[row*size:(row+1)*size], out, unknown, nothing, nothing, false)
	}
}

// recordRow records a cycle that was played. What an agent checks, an always or a range of values
// is no comparison of bits.
func (pl *rowPlayer) recordRow(row int, model []modelRow) {
	if pl.recorder == nil {
		return
	}
	size := len(pl.in)
	l := pl.bench.Layout()
	want, care := make([]byte, l.OutSize), make([]byte, l.OutSize)
	m := &pl.marks[row]
	seen := pl.agents != nil || m.step != nil && (m.step.op == "act" || m.step.op == "expect" && m.step.cycles > 0 && !m.step.each)
	if pl.agents == nil {
		for i := range m.expect {
			pl.compared(want, care, m.expect[i].port, &m.expect[i].value)
		}
		if model != nil {
			for i, p := range pl.d.outputs() {
				if v := model[row].values[i]; v != nil {
					pl.compared(want, care, p, v)
				}
			}
		}
	}
	out, unknown := pl.bench.Outputs(pl.recorded, row)
	pl.recorder.Row(pl.tape[row*size:(row+1)*size], out, unknown, want, care, seen)
}

// compared puts what a value expects into rows.
func (pl *rowPlayer) compared(want, care []byte, p *Port, v *value) {
	if p.Input || v.lo == nil || v.care == nil && v.lo.Cmp(v.hi) != 0 {
		return
	}
	bits := v.care
	if bits == nil {
		bits = p.mask()
	}
	slot := &pl.slots[p.field]
	insert(want, slot, new(big.Int).And(twos(v.lo, p), bits))
	insert(care, slot, bits)
}

// twos returns a value as the bits of a port.
func twos(v *big.Int, p *Port) *big.Int { return new(big.Int).And(v, p.mask()) }

// insert adds the ones of a value to a row.
func insert(row []byte, p *bridge.Port, v *big.Int) {
	for i := range p.Width {
		row[p.Offset+i/8] |= byte(v.Bit(i)) << (i % 8)
	}
}
