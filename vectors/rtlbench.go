package vectors

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/lockstep"
)

// rowBench is the bench of RTL that a header names. Inputs and outputs are rows of bytes, as no Go
// struct is there for them. Each vector has instances of its own, because nothing is known of what
// a reset of this RTL leaves as it was.
type rowBench struct {
	d     *design
	model *lockstep.Model
	slots []bridge.Port // where the design's ports are in a row
	lines []string      // the internal signals that are kept
	c     config
	opts  []sim.Option
}

func newRowBench(ctx context.Context, d *design, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
	if len(sims) == 0 {
		return nil, fmt.Errorf("%s has no model in Go: a vector whose header names RTL needs a simulator", d.name)
	}
	o := lockstep.Options{Seed: c.seed, Waves: c.waves}
	o.Logger, o.Timeout = sim.Chosen(opts...)
	rtl := d.rtl(c)
	m, err := d.foreign.build(ctx, rtl, sims, o)
	if err != nil {
		return nil, err
	}
	b := &rowBench{d: d, model: m, c: c, lines: rtl.Internals, opts: opts}
	l := m.Layout()
	all := slices.Concat(l.Inputs, l.Outputs)
	for i := range d.ports {
		p := &d.ports[i]
		k := slices.IndexFunc(all, func(q bridge.Port) bool { return q.Name == p.Name && q.Width == p.Width })
		if k < 0 {
			return nil, fmt.Errorf("port %s of %s has changed since the vector was read: run it again", p.span(), d.name)
		}
		b.slots = append(b.slots, all[k])
	}
	return b, nil
}

func (b *rowBench) Close() error { return nil }

// put writes a value into a row of inputs.
func put(row []byte, p *bridge.Port, v *big.Int) {
	to := row[p.Offset : p.Offset+p.Size]
	v.FillBytes(to)
	slices.Reverse(to)
}

// get reads a value from a row, and its unknown bits, nil if there are none.
func get(row, unknown []byte, p *bridge.Port) (bits, hidden *big.Int) {
	v := lockstep.Value(p, row, unknown)
	if v.Unknown != nil {
		// A bit that is Z reads as 1.
		v.Bits.AndNot(v.Bits, v.Unknown)
	}
	return v.Bits, v.Unknown
}

// random returns the inputs of random cycles, by port.
func (b *rowBench) random(seed uint64, cycles int) (rows [][]*big.Int) {
	r := rand.New(rand.NewPCG(seed, 0))
	now := map[string]*big.Int{}
	for range cycles {
		var row []*big.Int
		for i := range b.d.ports {
			p := &b.d.ports[i]
			if !p.Input {
				continue
			}
			switch {
			case p.Name == b.d.reset: // seldom
				now[p.Name] = new(big.Int).Xor(b.d.resetActive, one)
				if r.IntN(200) == 0 {
					now[p.Name] = b.d.resetActive
				}
			case now[p.Name] == nil || r.IntN(3) == 0:
				now[p.Name] = randomBits(r, p.Width)
			}
			row = append(row, now[p.Name])
		}
		rows = append(rows, row)
	}
	return rows
}

// randomBits returns a random number of so many bits.
func randomBits(r *rand.Rand, width int) *big.Int {
	bits := new(big.Int)
	for range (width + 63) / 64 {
		bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(r.Uint64()))
	}
	return bits.Rsh(bits, uint((width+63)/64*64-width))
}

// play plays a vector on instances of its own.
func (b *rowBench) play(ctx context.Context, p *plan, o playOptions) (uint64, *Failure, error) {
	bench, err := b.model.Start(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer bench.Close()
	pl := &rowPlayer{rowBench: b, bench: bench, ctx: ctx, p: p, o: o, in: make([]byte, bench.Layout().InSize)}
	if err := pl.record(); err != nil {
		return 0, nil, err
	}
	n, f, err := pl.all()
	if failed := pl.recorder.Close(); err == nil {
		err = failed
	}
	return n, f, err
}
