package vectors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// machine is the bench of a Block with these types.
type machine[I, O comparable] struct {
	b     *Block[I, O]
	d     *design
	c     config
	ports []Port // with their widths for these parameters
	model sim.Model[I, O]
	duts  []*sim.DUT[I, O]
	got   [][]O // outputs of each DUT, for one chunk
	all   O     // a mask with all bits set
}

// chunk is how many cycles are played at a time.
const chunk = 2048

func newBench[I, O comparable](ctx context.Context, b *Block[I, O], d *design, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
	m := &machine[I, O]{b: b, d: d, c: c, ports: slices.Clone(d.ports)}
	var built error
	for _, s := range sims {
		dut, err := sim.Open[I, O](ctx, d.rtl(c), s, append([]sim.Option{sim.WithSeed(c.seed)}, opts...)...)
		if errors.Is(err, bridge.ErrBuilt) { // and so are the models of the others
			built = err
			continue
		}
		if err != nil {
			m.Close()
			return nil, err
		}
		m.duts, m.got = append(m.duts, dut), append(m.got, make([]O, chunk))
		inputs, outputs := dut.Ports()
		for _, p := range append(inputs, outputs...) {
			for i := range m.ports {
				if m.ports[i].Name != p.Name {
					continue
				}
				if declared := m.ports[i].Width; declared != p.Width && maps.Equal(c.params, d.defaults()) {
					m.Close()
					return nil, fmt.Errorf("port %s of %s has %d bits, but its field has %d: tag the field `bits:\"%d\"`", p.Name, d.name, p.Width, declared, p.Width)
				}
				m.ports[i].Width = p.Width
			}
		}
	}
	if built != nil {
		m.Close()
		return nil, built
	}
	v := reflect.ValueOf(&m.all).Elem()
	for i := range m.ports {
		if p := &m.ports[i]; !p.Input {
			p.set(v, p.mask())
		}
	}
	return m, nil
}

func (m *machine[I, O]) Close() error {
	var errs []error
	for _, d := range m.duts {
		errs = append(errs, d.Close())
	}
	return errors.Join(errs...)
}

// port returns the port of a cell, with its width for these parameters.
func (m *machine[I, O]) port(c *cell) *Port {
	for i := range m.d.ports {
		if &m.d.ports[i] == c.port {
			return &m.ports[i]
		}
	}
	return c.port
}

// random returns the inputs of random cycles, by port.
func (m *machine[I, O]) random(seed uint64, cycles int) [][]*big.Int {
	r := rand.New(rand.NewPCG(seed, 0))
	in, rows := m.b.Idle, [][]*big.Int(nil)
	for range cycles {
		if m.b.Random != nil {
			in = m.b.Random(r, in)
		}
		v := reflect.ValueOf(&in).Elem()
		var row []*big.Int
		for i := range m.ports {
			p := &m.ports[i]
			if !p.Input {
				continue
			}
			switch {
			case p.Name == m.d.reset: // seldom
				bit := new(big.Int).Xor(m.d.resetActive, one)
				if r.IntN(200) == 0 {
					bit = m.d.resetActive
				}
				p.set(v, bit)
			case m.b.Random == nil && r.IntN(3) == 0:
				bits := new(big.Int)
				for range (p.Width + 63) / 64 {
					bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(r.Uint64()))
				}
				p.set(v, bits.And(bits, p.mask()))
			}
			row = append(row, p.get(v))
		}
		rows = append(rows, row)
	}
	return rows
}
