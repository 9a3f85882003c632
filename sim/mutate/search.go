package mutate

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// searched is how many random cycles a search has, sequence how many of them follow from one
// power-up, and together how many sequences are played at a time, whatever the machine.
const (
	searched = 120_000
	sequence = 6000
	together = 4
)

// powerUps is with how many values of registers at power-up a witness is tried. Those that a prover
// has found for registers without a reset are not used, and each bit that matters is right in half
// of all.
const powerUps = 16

// search looks for inputs with which mutants differ from the design: what the tests put in, whether
// they look at the outputs or not, and random ones.
func (p *prover) search(ctx context.Context) error {
	open := map[int]bool{}
	for _, i := range p.open() {
		open[i] = true
	}
	all := len(open)
	r := rand.New(rand.NewPCG(p.r.o.Seed, 3))
	for n := 0; n*sequence < searched && len(open) > 0; n += together {
		rows, differ := make([][]byte, together), make([]map[int]int, together)
		for k := range rows {
			if x := p.recorded(r); x != nil && (n+k)%3 == 0 {
				rows[k] = x
			} else {
				rows[k] = p.random(r, sequence)
			}
		}
		g, now := errgroup.WithContext(ctx)
		g.SetLimit(p.r.jobs())
		for k := range rows {
			g.Go(func() (err error) {
				differ[k], err = p.compare(now, rows[k], open, p.r.o.Seed+uint64(n+k))
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for k := range rows {
			var seen []sight
			for i, at := range differ[k] {
				if open[i] {
					seen = append(seen, sight{i, rows[k][:(at+1)*p.layout.InSize]})
				}
			}
			if err := p.shrink(ctx, seen); err != nil {
				return err
			}
			for _, s := range seen {
				if p.r.results[p.of[s.i]].Witness != nil {
					delete(open, s.i)
				}
			}
		}
		p.r.progress("search", all-len(open), all)
	}
	return nil
}

// recorded returns a part of what a test has put into the design, behind a reset, or nil.
func (p *prover) recorded(r *rand.Rand) []byte {
	all := slices.DeleteFunc(slices.Clone(p.r.target.all), func(x *stimulus) bool { return x.cycles == 0 })
	if len(all) == 0 {
		return nil
	}
	x := all[r.IntN(len(all))]
	first := r.IntN(max(x.cycles-sequence, 0) + 1)
	n := min(sequence, x.cycles-first)
	rows := make([]byte, (n+p.reset)*p.layout.InSize)
	for t := range n + p.reset {
		row := rows[t*p.layout.InSize:][:p.layout.InSize]
		if t < p.reset {
			p.hold(row, true)
			continue
		}
		from := x.in[(first+t-p.reset)*x.layout.InSize:][:x.layout.InSize]
		for i := range p.layout.Inputs {
			to := &p.layout.Inputs[i]
			k := slices.IndexFunc(x.layout.Inputs, func(q bridge.Port) bool { return q.Name == to.Name })
			if k < 0 {
				continue
			}
			v := from[x.layout.Inputs[k].Offset:][:x.layout.Inputs[k].Size]
			for b := range to.Width {
				row[to.Offset+b/8] |= (v[b/8] >> (b % 8) & 1) << (b % 8)
			}
		}
	}
	return rows
}

// random returns random inputs behind a reset. Each input changes at a rate of its own, which
// changes now and then.
func (p *prover) random(r *rand.Rand, n int) []byte {
	size := p.layout.InSize
	rows := make([]byte, n*size)
	now := make([]byte, size)
	rates := make([]float64, len(p.layout.Inputs))
	bias := make([]float64, len(p.layout.Inputs))
	for t := range n {
		if t%1500 == 0 {
			for i := range rates {
				rates[i] = []float64{1, 0.5, 0.1, 0.01, 0.001, 0.0005}[r.IntN(6)]
				bias[i] = []float64{0.5, 0.5, 0.9, 0.1, 0.98, 0.02}[r.IntN(6)]
			}
		}
		for i := range p.layout.Inputs {
			q := &p.layout.Inputs[i]
			if t > 0 && r.Float64() >= rates[i] {
				continue
			}
			v := now[q.Offset:][:q.Size]
			small := r.IntN(4) == 0 // numbers with few ones
			for b := range q.Width {
				bit := r.Uint32()&1 != 0
				if q.Width == 1 {
					bit = r.Float64() < bias[i]
				} else if small {
					bit = r.IntN(q.Width) == 0
				}
				v[b/8] &^= 1 << (b % 8)
				if bit {
					v[b/8] |= 1 << (b % 8)
				}
			}
		}
		row := rows[t*size : (t+1)*size]
		copy(row, now)
		p.hold(row, t < p.reset || r.IntN(2000) == 0)
	}
	return rows
}

// compare plays rows from power-up to mutants and to the design, and returns the cycles in which
// mutants first differ in an output that counts. Power-up is the same for all, and follows from the
// seed. The rows end where they are no longer as the design assumes them to be.
func (p *prover) compare(ctx context.Context, rows []byte, mutants map[int]bool, seed uint64) (map[int]int, error) {
	options := lanes.Options{Seed: seed, Alike: true}
	plain, err := p.model.Start(options)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	b, err := p.model.Start(options)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	for i := range mutants {
		var s lanes.Set
		s.Add(i + 1)
		if err := b.SetPort(lanes.FaultInput(i), s, 1); err != nil {
			return nil, err
		}
	}
	const part = 64
	in, out := p.layout.InSize, p.layout.OutSize
	n := len(rows) / in
	each := make([]byte, part*lanes.Count*out)
	want, care := make([]byte, part*out), make([]byte, part*out)
	for at := 0; at < n; at += part {
		k := min(part, n-at)
		now := rows[at*in : (at+k)*in]
		if _, err := plain.Run(ctx, lanes.Rows{In: now, Shared: true, Out: each}, k); err != nil {
			return nil, err
		}
		for t := range k {
			copy(want[t*out:], each[t*lanes.Count*out:][:out])
			p.cares(care[t*out:][:out], want[t*out:][:out], at+t)
		}
		if _, err := b.Run(ctx, lanes.Rows{In: now, Shared: true, Want: want[:k*out], Care: care[:k*out]}, k); err != nil {
			return nil, err
		}
		if d := b.Differing(); d.Len() >= len(mutants) || assumed(plain) <= at+k {
			break
		}
	}
	differ, end := map[int]int{}, assumed(plain)
	d := b.Differing()
	for lane := range d.Lanes() {
		if at := int(b.Since(lane)); at < end {
			differ[lane-1] = at
		}
	}
	return differ, nil
}

// assumed returns up to which cycle all was as the design assumes it to be. An assumption at a
// clock edge is seen to be violated a cycle late.
func assumed(b *lanes.Batch) int {
	end := math.MaxInt
	for _, v := range b.Violations() {
		if v.Assumed {
			end = min(end, int(v.Cycle)-1)
		}
	}
	return end
}

// cares says which bits of a row of outputs count.
func (p *prover) cares(care, want []byte, cycle int) {
	clear(care)
	if cycle < p.reset {
		return
	}
	for i := range care {
		care[i] = 0xff
	}
	for name, when := range p.r.report.Valid {
		if holds(p.layout, lanes.ParseConditions(when), want) {
			continue
		}
		for at := range bitsOf(p.layout, lanes.ParseField(name)) {
			care[at/8] &^= 1 << (at % 8)
		}
	}
}

// holds reports whether a row of outputs is as all conditions say.
func holds(l *bridge.Layout, all []lanes.Condition, row []byte) bool {
	for _, c := range all {
		set := false
		for at := range bitsOf(l, c.Field) {
			set = set || row[at/8]>>(at%8)&1 != 0
		}
		if set == c.Zero {
			return false
		}
	}
	return true
}

// bitsOf returns where the bits of a field are in a row of outputs.
func bitsOf(l *bridge.Layout, f lanes.Field) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range l.Outputs {
			p := &l.Outputs[i]
			for bit := range 8 * p.Size { // those above the port's are copies of its sign
				if p.Name == f.Port && f.Has(min(bit, p.Width-1)) && !yield(8*p.Offset+bit) {
					return
				}
			}
		}
	}
}

// sight is inputs that may show a mutant, a number in list.
type sight struct {
	i    int
	rows []byte // from power-up
}

// shrink makes witnesses of as few of the last rows as still show mutants, behind a reset. What
// only all rows show, or none, has all of them, or none.
func (p *prover) shrink(ctx context.Context, of []sight) error {
	for k := 1; len(of) > 0; k *= 2 {
		short := make([]sight, len(of))
		for n, s := range of {
			short[n] = sight{s.i, p.last(s.rows, k)}
		}
		all, err := p.witnesses(ctx, short)
		if err != nil {
			return err
		}
		var left []sight
		for n, w := range all {
			if w != nil {
				p.r.results[p.of[of[n].i]].Witness = w
			} else if len(short[n].rows) < len(of[n].rows) {
				left = append(left, of[n])
			}
		}
		of = left
	}
	return nil
}

// last returns the last k of rows behind a reset, or all rows if these are not more.
func (p *prover) last(rows []byte, k int) []byte {
	size := p.layout.InSize
	if len(rows) <= (p.reset+k)*size {
		return rows
	}
	short := slices.Concat(make([]byte, p.reset*size), rows[len(rows)-k*size:])
	for t := range p.reset {
		p.hold(short[t*size:][:size], true)
	}
	return short
}

// witness is witnesses for one mutant.
func (p *prover) witness(ctx context.Context, i int, rows []byte) (*Witness, error) {
	all, err := p.witnesses(ctx, []sight{{i, rows}})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// witnesses returns for some mutants a witness each that it differs: rows up to the first cycle in
// which it does. It is nil if it does not, with any of a few power-ups.
func (p *prover) witnesses(ctx context.Context, of []sight) ([]*Witness, error) {
	all := make([]*Witness, len(of))
	for begin := 0; begin < len(of); begin += pairs {
		left := make([]int, min(pairs, len(of)-begin))
		for k := range left {
			left[k] = begin + k
		}
		for seed := range uint64(powerUps) {
			var now []sight
			for _, n := range left {
				now = append(now, of[n])
			}
			differ, err := p.compareEach(ctx, now, seed)
			if err != nil {
				return nil, err
			}
			var not []int
			for k, at := range differ {
				if at < 0 {
					not = append(not, left[k])
				} else if all[left[k]], err = p.witnessOf(ctx, now[k], at, seed); err != nil {
					return nil, err
				}
			}
			if left = not; len(left) == 0 {
				break
			}
		}
	}
	return all, nil
}

// pairs is how many mutants can be compared with the design in a batch, if each has inputs of its
// own.
const pairs = lanes.Count / 2

// compareEach plays to each of at most pairs mutants its own rows, and beside it the same rows to
// the design. It returns the cycles in which they first differ, or -1. Power-up and what counts are
// as in compare.
func (p *prover) compareEach(ctx context.Context, of []sight, seed uint64) ([]int, error) {
	b, err := p.model.Start(lanes.Options{Seed: seed, Alike: true})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	inSize, outSize := p.layout.InSize, p.layout.OutSize
	in, out := make([]byte, lanes.Count*inSize), make([]byte, lanes.Count*outSize)
	care := make([]byte, outSize)
	differ, cycles := make([]int, len(of)), make([]int, len(of))
	for k, s := range of {
		var mutant lanes.Set
		mutant.Add(2*k + 1)
		if err := b.SetPort(lanes.FaultInput(s.i), mutant, 1); err != nil {
			return nil, err
		}
		differ[k], cycles[k] = -1, len(s.rows)/inSize
	}
	for t := range slices.Max(cycles) {
		done := true
		for k, s := range of {
			// One cycle more, as an assumption may be seen to be violated a cycle late.
			if t >= cycles[k] || differ[k] >= 0 && t > differ[k]+1 {
				continue
			}
			done = false
			row := s.rows[t*inSize:][:inSize]
			copy(in[2*k*inSize:], row)
			copy(in[(2*k+1)*inSize:], row)
		}
		if done {
			break
		}
		if _, err := b.Run(ctx, lanes.Rows{In: in, Out: out}, 1); err != nil {
			return nil, err
		}
		for _, v := range b.Violations() {
			for lane := range v.Lanes.Lanes() {
				if k := lane / 2; v.Assumed && lane%2 == 0 && k < len(of) && t < cycles[k] {
					cycles[k] = t
					if differ[k] >= t-1 {
						differ[k] = -1
					}
				}
			}
		}
		for k := range of {
			want, got := out[2*k*outSize:][:outSize], out[(2*k+1)*outSize:][:outSize]
			if t >= cycles[k] || differ[k] >= 0 || bytes.Equal(want, got) {
				continue
			}
			p.cares(care, want, t)
			for i := range care {
				if (want[i]^got[i])&care[i] != 0 {
					differ[k] = t
				}
			}
		}
	}
	return differ, nil
}

// witnessOf returns the witness of inputs that show a mutant in a cycle.
func (p *prover) witnessOf(ctx context.Context, s sight, at int, seed uint64) (*Witness, error) {
	in := p.layout.InSize
	w, shown := &Witness{}, s.rows[p.reset*in:(at+1)*in]
	for k := range p.layout.Inputs {
		w.Inputs = append(w.Inputs, p.layout.Inputs[k].Name)
	}
	for t := range len(shown) / in {
		var row []string
		for k := range p.layout.Inputs {
			row = append(row, number(&p.layout.Inputs[k], shown[t*in:]))
		}
		w.Rows = append(w.Rows, row)
	}
	return w, p.outputs(ctx, w, s.i, s.rows[:(at+1)*in], seed)
}

// outputs adds to a witness what comes out of the design, and of a mutant, in each of its cycles.
func (p *prover) outputs(ctx context.Context, w *Witness, i int, rows []byte, seed uint64) error {
	b, err := p.model.Start(lanes.Options{Seed: seed, Alike: true})
	if err != nil {
		return err
	}
	defer b.Close()
	var mutant lanes.Set
	mutant.Add(1)
	if err := b.SetPort(lanes.FaultInput(i), mutant, 1); err != nil {
		return err
	}
	for k := range p.layout.Outputs {
		w.Outputs = append(w.Outputs, p.layout.Outputs[k].Name)
	}
	in, out := p.layout.InSize, p.layout.OutSize
	each := make([]byte, lanes.Count*out)
	for t := range len(rows) / in {
		if _, err := b.Run(ctx, lanes.Rows{In: rows[t*in : (t+1)*in], Shared: true, Out: each}, 1); err != nil {
			return err
		}
		if t < p.reset {
			continue
		}
		var values [2][]string
		for lane := range values {
			for k := range p.layout.Outputs {
				values[lane] = append(values[lane], number(&p.layout.Outputs[k], each[lane*out:]))
			}
		}
		w.Want, w.Got = append(w.Want, values[0]), append(w.Got, values[1])
	}
	return nil
}

// number returns the value of a port in a row, in hexadecimal.
func number(q *bridge.Port, row []byte) string {
	v := slices.Clone(row[q.Offset : q.Offset+q.Size])
	slices.Reverse(v)
	return fmt.Sprintf("%x", new(big.Int).SetBytes(v))
}
