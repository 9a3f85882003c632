// Package agree plays the same random inputs to lanes and to simulators, and compares all outputs.
package agree

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// Options say what is compared.
type Options struct {
	Build  lanes.BuildOptions
	Cycles int // of each lane
	Seed   uint64
	// Verilator and Icarus are how many lanes each plays, the first ones. Icarus counts only in
	// bits that are not X.
	Verilator, Icarus int
	// Reset is how many cycles the design is in reset at the beginning. Outputs are compared from
	// then on. Later it is in reset now and then.
	Reset int
	// Valid names the output of one bit that says whether another output has a value. Where it is
	// 0, that is not compared: it may be of power-up. Names may end with *, for all that begin so.
	Valid map[string]string
	// Zeros has registers and memories begin with 0 in Verilator and in lanes, where they have no
	// initial value. So outputs agree even of what no reset reaches.
	Zeros bool
	// Idle are values of inputs that have them nine times out of ten. Others are random.
	Idle map[string]uint64
}

// Result is what was compared.
type Result struct {
	Cycles int // of all lanes that Verilator or Icarus played
	Values int // outputs
}

// Difference is an output in which lanes and a simulator differ.
type Difference struct {
	Simulator  string
	Top        string
	Lane       int
	Cycle      int
	Port       bridge.Port
	Lanes, Sim []byte // the values, least significant byte first
}

func (e *Difference) Error() string {
	number := func(b []byte) string {
		b = slices.Clone(b)
		slices.Reverse(b)
		return fmt.Sprintf("%x", b)
	}
	return fmt.Sprintf("%s: lane %d, cycle %d: %s is %s, and in %s %s", e.Top, e.Lane, e.Cycle, e.Port.Name, number(e.Lanes), e.Simulator, number(e.Sim))
}

// part is how many cycles are played at a time.
const part = 32

// Check plays a design. Its error is a [*Difference], or that of what could not be built or run.
func Check(ctx context.Context, d bridge.Design, o Options) (Result, error) {
	m, err := lanes.Build(ctx, d, o.Build)
	if err != nil {
		return Result{}, err
	}
	batch, err := m.Start(lanes.Options{Seed: o.Seed, Zeros: o.Zeros})
	if err != nil {
		return Result{}, err
	}
	defer batch.Close()
	c := &comparison{o: o, d: &d, layout: m.Layout(), in: make([]byte, part*lanes.Count*m.Layout().InSize), out: make([]byte, part*lanes.Count*m.Layout().OutSize)}
	defer c.close()
	// The same shape as that of the lanes, which the simulators need not have chosen themselves.
	shape := bridge.BuildOptions{Shape: func([]bridge.Port) (*bridge.Layout, error) { return m.Layout(), nil }}
	if o.Zeros {
		d.Verilator = append(slices.Clone(d.Verilator), "--x-initial", "0")
	}
	if o.Verilator > 0 {
		v, err := verilator.Build(ctx, d, shape)
		if err != nil {
			return Result{}, err
		}
		if err := c.start("verilator", v, o.Verilator); err != nil {
			return Result{}, err
		}
	}
	if o.Icarus > 0 {
		i, err := icarus.Build(ctx, d, shape)
		if err != nil {
			return Result{}, err
		}
		if err := c.start("icarus", i, o.Icarus); err != nil {
			return Result{}, err
		}
	}
	c.random = rand.New(rand.NewPCG(o.Seed, 1))
	var r Result
	for begin := 0; begin < o.Cycles; begin += part {
		n := min(part, o.Cycles-begin)
		c.stimulate(begin, n)
		if _, err := batch.Run(ctx, lanes.Rows{In: c.in, Out: c.out}, n); err != nil {
			return r, err
		}
		for _, p := range c.players {
			values, err := c.play(ctx, p, begin, n)
			r.Values += values
			if err != nil {
				return r, err
			}
		}
		r.Cycles += n * max(o.Verilator, o.Icarus)
	}
	return r, nil
}

// comparison is a run.
type comparison struct {
	o       Options
	d       *bridge.Design
	layout  *bridge.Layout
	random  *rand.Rand
	in, out []byte // of all lanes, cycle by cycle
	players []*player
}

// player is an instance of a simulator that plays a lane.
type player struct {
	simulator string
	lane      int
	bridge.Instance
	rows bridge.Rows
}

func (c *comparison) start(simulator string, m bridge.Model, n int) error {
	l := c.layout
	for lane := range n {
		i, err := m.Start(bridge.Options{Seed: c.o.Seed + uint64(lane)})
		if err != nil {
			return err
		}
		rows := bridge.Rows{In: make([]byte, part*l.InSize), Out: make([]byte, part*l.OutSize), Unknown: make([]byte, part*l.OutSize)}
		c.players = append(c.players, &player{simulator, lane, i, rows})
	}
	return nil
}

func (c *comparison) close() {
	for _, p := range c.players {
		p.Close()
	}
}

// stimulate makes the inputs of some cycles. Each lane changes its inputs at a rate of its own, so
// that there are long and short pulses, and bursts of all lengths.
func (c *comparison) stimulate(begin, n int) {
	size := c.layout.InSize
	last := slices.Clone(c.in[(part-1)*lanes.Count*size:])
	for cycle := range n {
		rows := c.in[cycle*lanes.Count*size:][:lanes.Count*size]
		if begin+cycle > 0 {
			copy(rows, last)
		}
		for lane := range lanes.Count {
			row := rows[lane*size:][:size]
			for i := range c.layout.Inputs {
				p := &c.layout.Inputs[i]
				if p.Name == c.d.Reset {
					in := begin+cycle < c.o.Reset || c.random.Uint32()%512 == 0
					row[p.Offset] = 0
					if in != c.d.ResetActiveLow {
						row[p.Offset] = 1
					}
				} else if c.random.Uint32()%uint32(1+lane%8) == 0 {
					c.fill(p, row)
				}
			}
		}
		last = rows
	}
	// The next part goes on from the last cycle of this one.
	copy(c.in[(part-1)*lanes.Count*size:], last)
}

// fill gives a port of a row a random value.
func (c *comparison) fill(p *bridge.Port, row []byte) {
	value := row[p.Offset:][:p.Size]
	idle, rests := c.o.Idle[p.Name]
	rests = rests && c.random.Uint32()%10 != 0
	for at := 0; at < p.Size; at += 8 {
		w := c.random.Uint64()
		if rests {
			w = idle
		}
		if left := p.Width - 8*at; left < 64 {
			w &= 1<<max(left, 0) - 1
			if p.Signed && w>>(left-1) != 0 {
				w |= ^uint64(0) << left
			}
		}
		for i := at; i < min(at+8, p.Size); i++ {
			value[i] = byte(w >> (8 * (i - at)))
		}
	}
}

// play plays some cycles of a lane in a simulator, and compares the outputs.
func (c *comparison) play(ctx context.Context, p *player, begin, n int) (values int, err error) {
	in, out := c.layout.InSize, c.layout.OutSize
	for cycle := range n {
		copy(p.rows.In[cycle*in:], c.in[(cycle*lanes.Count+p.lane)*in:][:in])
	}
	if _, err := p.Run(ctx, &p.rows, n); err != nil {
		return 0, err
	}
	for cycle := max(c.o.Reset-begin, 0); cycle < n; cycle++ {
		got := c.out[(cycle*lanes.Count+p.lane)*out:][:out]
		want := p.rows.Out[cycle*out:][:out]
		for i := range c.layout.Outputs {
			port := &c.layout.Outputs[i]
			a, b := got[port.Offset:][:port.Size], want[port.Offset:][:port.Size]
			values++
			if bytes.Equal(a, b) || !c.differ(p, cycle, port, a, b) {
				continue
			}
			return values, &Difference{Simulator: p.simulator, Top: c.d.Top, Lane: p.lane, Cycle: begin + cycle, Port: *port, Lanes: slices.Clone(a), Sim: slices.Clone(b)}
		}
	}
	return values, nil
}

// differ reports whether outputs differ in a bit that counts.
func (c *comparison) differ(p *player, cycle int, port *bridge.Port, a, b []byte) bool {
	row := p.rows.Out[cycle*c.layout.OutSize:]
	for name, valid := range c.o.Valid {
		prefix, all := strings.CutSuffix(name, "*")
		if name != port.Name && !(all && strings.HasPrefix(port.Name, prefix)) || port.Name == valid {
			continue
		}
		i := slices.IndexFunc(c.layout.Outputs, func(o bridge.Port) bool { return o.Name == valid })
		if i >= 0 && row[c.layout.Outputs[i].Offset] == 0 {
			return false
		}
	}
	unknown := p.rows.Unknown[cycle*c.layout.OutSize+port.Offset:]
	for i := range a {
		if (a[i]^b[i])&^unknown[i] != 0 {
			return true
		}
	}
	return false
}
