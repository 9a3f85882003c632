package mutate

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// ErrAssumed is that of [Report.Differs] for a design that assumes something of its inputs.
var ErrAssumed = errors.New("the design assumes something, which random inputs do not meet")

// switched is the input that switches a mutant on.
const switched = "cosimate_mutant"

// Differs plays random inputs, others in each lane, to a design with a mutant and without it, and
// reports whether outputs that count ever differ. It is a check of proofs, which it has nothing in
// common with: neither the way in which the mutant gets into the design nor a prover.
func (r *Report) Differs(ctx context.Context, m *Result, laneCycles int, seed uint64) (bool, error) {
	if len(r.Assumed) > 0 {
		return false, ErrAssumed
	}
	run := &runner{o: Options{Seed: seed}, report: r, target: &configuration{key: r.Key, design: r.design}}
	p := &prover{r: run, layout: r.layout, reset: run.resetCycles()}
	edit, err := lanes.Faulty(ctx, *m.design, []string{lower}, &m.fault, switched)
	if err != nil {
		return false, err
	}
	shape := func([]bridge.Port) (*bridge.Layout, error) { return p.layout, nil }
	if p.model, err = lanes.Build(ctx, *m.design, lanes.BuildOptions{Edit: edit, Shape: shape}); err != nil {
		return false, err
	}
	var batches [2]*lanes.Batch
	for i := range batches {
		if batches[i], err = p.model.Start(lanes.Options{Seed: seed, Alike: true}); err != nil {
			return false, err
		}
		defer batches[i].Close()
	}
	if err := batches[1].SetPort(switched, lanes.All(), 1); err != nil {
		return false, err
	}
	const part = 32
	l, random := p.layout, rand.New(rand.NewPCG(seed, 7))
	in := make([]byte, part*lanes.Count*l.InSize)
	out := [2][]byte{make([]byte, part*lanes.Count*l.OutSize), make([]byte, part*lanes.Count*l.OutSize)}
	now, care := make([]byte, lanes.Count*l.InSize), make([]byte, l.OutSize)
	bits := l.OutputBits()
	for begin := 0; begin*lanes.Count < laneCycles; begin += part {
		for t := range part {
			for lane := range lanes.Count {
				row := now[lane*l.InSize:][:l.InSize]
				for i := range l.Inputs {
					if begin+t == 0 || random.Uint32()%uint32(1+lane%16) == 0 {
						fill(&l.Inputs[i], row, random)
					}
				}
				p.hold(row, begin+t < p.reset || random.Uint32()%4096 == 0)
			}
			copy(in[t*len(now):], now)
		}
		for i, b := range batches {
			if _, err := b.Run(ctx, lanes.Rows{In: in, Out: out[i]}, part); err != nil {
				return false, err
			}
		}
		for row := range part * lanes.Count {
			a, b := out[0][row*l.OutSize:][:l.OutSize], out[1][row*l.OutSize:][:l.OutSize]
			if string(a) == string(b) {
				continue
			}
			p.cares(care, a, begin+row/lanes.Count)
			for i := range a {
				if (a[i]^b[i])&care[i]&bits[i] != 0 {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// fill gives a port of a row a random value.
func fill(q *bridge.Port, row []byte, random *rand.Rand) {
	v := row[q.Offset : q.Offset+q.Size]
	clear(v)
	for b := 0; b < q.Width; b += 8 {
		v[b/8] = byte(random.Uint32())
		if left := q.Width - b; left < 8 {
			v[b/8] &= 1<<left - 1
		}
	}
}
