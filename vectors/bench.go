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

// machine is the bench of a block.
type machine struct {
	b     typed
	d     *design
	c     config
	ports []Port // with their widths for these parameters
	duts  []dut
	got   []reflect.Value // outputs of each DUT, for one chunk
	in    reflect.Value   // inputs of the cycles that were kept
	want  reflect.Value   // outputs of the model in these
	out   reflect.Value   // outputs of the model in the last cycle
	all   reflect.Value   // a mask with all bits of the outputs set
}

// chunk is how many cycles are played at a time.
const chunk = 2048

func newBench(ctx context.Context, b typed, d *design, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
	m := &machine{b: b, d: d, c: c, ports: slices.Clone(d.ports)}
	m.in, m.want, m.out = b.kept()
	var built error
	for _, s := range sims {
		dut, got, err := b.open(ctx, d.rtl(c), s, append([]sim.Option{sim.WithSeed(c.seed)}, opts...))
		if errors.Is(err, bridge.ErrBuilt) { // and so are the models of the others
			built = err
			continue
		}
		if err != nil {
			m.Close()
			return nil, err
		}
		m.duts, m.got = append(m.duts, dut), append(m.got, got)
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
	m.all = reflect.New(m.out.Type()).Elem()
	for i := range m.ports {
		if p := &m.ports[i]; !p.Input {
			p.set(m.all, p.mask())
		}
	}
	return m, nil
}

func (m *machine) Close() error {
	var errs []error
	for _, d := range m.duts {
		errs = append(errs, d.Close())
	}
	return errors.Join(errs...)
}

// port returns the port of a cell, with its width for these parameters.
func (m *machine) port(c *cell) *Port {
	for i := range m.d.ports {
		if &m.d.ports[i] == c.port {
			return &m.ports[i]
		}
	}
	return c.port
}

// random returns the inputs of random cycles, by port.
func (m *machine) random(seed uint64, cycles int) [][]*big.Int {
	r := rand.New(rand.NewPCG(seed, 0))
	in, rows := m.b.begin(m.c.params, nil), [][]*big.Int(nil)
	for range cycles {
		drawn := m.b.random(r)
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
				p.set(in, bit)
			case !drawn && r.IntN(3) == 0:
				bits := new(big.Int)
				for range (p.Width + 63) / 64 {
					bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(r.Uint64()))
				}
				p.set(in, bits.And(bits, p.mask()))
			}
			row = append(row, p.get(in))
		}
		rows = append(rows, row)
	}
	return rows
}
