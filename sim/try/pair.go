package try

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// side is one simulator's instance of the design.
type side struct {
	simulator sim.Simulator
	instance  bridge.Instance
	rows      bridge.Rows
	spent     time.Duration
	done      int // cycles
	messages  []bridge.Message
	err       error // why it has ended
}

// pair is the design in all simulators that take it, which do the same cycles.
type pair struct {
	layout *bridge.Layout
	sides  []*side
	reset  int // cycles of reset at the beginning

	tape []byte // the inputs of all cycles done
	done int    // how many these are

	ports    []portSeen // of the outputs
	known    uint64     // bits compared
	bits     uint64     // of those that there were
	firstOut []byte     // the first known value of each bit of the outputs after the reset
	firstX   []byte     // bits that had none yet
	toggled  []byte     // bits that have changed since

	// witnesses are further instances in Verilator, with other values at power-up. Bits in which
	// they differ from each other come from these values, and are not compared.
	witnesses []*side
	powerUp   map[string]int // the outputs of which Icarus knows such bits, and since which cycle
	ignored   []byte         // bits that are not compared any more, because of these
	confirm   func(d *difference) (powerUp bool, err error)
	differs   *difference

	// record keeps the outputs behind the reset in want, and in care which bits of them were
	// compared.
	record     bool
	want, care []byte
	covered    *coverdb.Data
}

// portSeen is what was seen of an output after the reset.
type portSeen struct {
	port     bridge.Port
	unknownN int // cycles in which a bit was X or Z
	first    int // the first such cycle, and the last
	last     int
}

// difference is the first cycle in which the simulators differ.
type difference struct {
	cycle  int
	bits   []byte // of the outputs
	ports  []string
	values [][2]string // of these, by simulator
}

func newSide(s sim.Simulator, m bridge.Model, seed uint64, timeout time.Duration) (*side, error) {
	instance, err := m.Start(bridge.Options{Seed: seed, Timeout: timeout})
	if err != nil {
		return nil, err
	}
	return &side{simulator: s, instance: instance}, nil
}

// play does n cycles of the tape from a cycle on.
func (s *side) play(ctx context.Context, l *bridge.Layout, in []byte, n int) {
	if s.err != nil {
		return
	}
	if len(s.rows.Out) < n*l.OutSize {
		s.rows.Out, s.rows.Unknown = make([]byte, n*l.OutSize), make([]byte, n*l.OutSize)
	}
	s.rows.In = in
	start := time.Now()
	var done int
	done, s.err = s.instance.Run(ctx, &s.rows, n)
	s.spent += time.Since(start)
	s.done += done
	s.messages = append(s.messages, s.instance.Messages()...)
	if len(s.messages) > keptMessages {
		s.messages = slices.Delete(s.messages, keptMessages/2, len(s.messages)-keptMessages/2)
	}
}

// keptMessages are how many messages of the RTL are kept, the first and the last.
const keptMessages = 1000

// rows are the inputs of cycles to come.
type rows interface{ next(row []byte) }

// run plays cycles of a stimulus, until there are so many, the time is over, the simulators differ,
// or one has ended.
func (p *pair) run(ctx context.Context, in rows, cycles int, limit time.Duration, progress func(done int)) error {
	most := bridge.MaxRows(p.layout)
	end := time.Now().Add(limit)
	n := 64 // the first tape is short, for it is not known yet how long a cycle takes
	for ; p.done < cycles && p.differs == nil && !p.ended() && time.Now().Before(end); n = min(2*n, most) {
		n = min(n, cycles-p.done)
		at := len(p.tape)
		p.tape = append(p.tape, make([]byte, n*p.layout.InSize)...)
		for i := range n {
			in.next(p.tape[at+i*p.layout.InSize:])
		}
		start := time.Now()
		var group errgroup.Group
		for _, s := range slices.Concat(p.sides, p.witnesses) {
			group.Go(func() error {
				s.play(ctx, p.layout, p.tape[at:], n)
				return nil
			})
		}
		group.Wait()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		got := n
		for _, s := range p.sides {
			got = min(got, s.done-p.done)
		}
		if err := p.look(p.done, got); err != nil {
			return err
		}
		p.done += got
		p.tape = p.tape[:p.done*p.layout.InSize]
		progress(p.done)
		if time.Since(start) > time.Second/2 {
			n = max(n/4, 1)
		}
	}
	return nil
}

// ended reports whether a simulator has ended.
func (p *pair) ended() bool {
	return slices.ContainsFunc(p.sides, func(s *side) bool { return s.err != nil })
}

// look compares rows of outputs and notes what there is to see. The first has the cycle's number.
func (p *pair) look(cycle, n int) error {
	size := p.layout.OutSize
	for row := range n {
		if cycle+row < p.reset {
			continue
		}
		out, unknown := p.sides[0].row(row, size)
		p.note(out, unknown)
		for k := range p.ports {
			p.ports[k].see(cycle+row, unknown)
			p.bits += uint64(p.ports[k].port.Width)
		}
		if len(p.sides) < 2 {
			continue
		}
		other, _ := p.sides[1].row(row, size)
		open := slices.Clone(p.ignored) // bits that are not compared
		for i := range size {
			open[i] |= unknown[i]
		}
		for _, w := range p.witnesses {
			if row >= w.done-cycle {
				continue
			}
			third, _ := w.row(row, size)
			for i := range size {
				if bits := (other[i] ^ third[i]) &^ open[i]; bits != 0 {
					p.depends(i, bits, cycle+row)
					open[i] |= bits
				}
			}
		}
		for k := range p.ports {
			p.known += uint64(p.ports[k].port.Width)
		}
		differ := make([]byte, size)
		found := false
		for i := range size {
			differ[i] = (out[i] ^ other[i]) &^ open[i]
			found = found || differ[i] != 0
			p.known -= uint64(bits.OnesCount8(open[i]))
		}
		if p.record {
			p.want = append(p.want, out...)
			for i := range size {
				p.care = append(p.care, ^(open[i] | differ[i]))
			}
		}
		if !found {
			continue
		}
		d := p.difference(cycle+row, differ, out, other, unknown)
		powerUp, err := p.confirm(d)
		if err != nil {
			return err
		}
		if !powerUp {
			p.differs = d
			return nil
		}
		for i := range size {
			p.depends(i, differ[i], cycle+row)
			p.ignored[i] |= differ[i]
		}
	}
	return nil
}

// note keeps the first known value of each bit of the outputs, and which bits have changed since.
func (p *pair) note(out, unknown []byte) {
	if p.firstOut == nil {
		p.firstOut, p.firstX, p.toggled = slices.Clone(out), slices.Clone(unknown), make([]byte, len(out))
	}
	for i, x := range unknown {
		p.toggled[i] |= (out[i] ^ p.firstOut[i]) &^ x &^ p.firstX[i]
		fresh := p.firstX[i] &^ x
		p.firstOut[i] = out[i]&fresh | p.firstOut[i]&^fresh
		p.firstX[i] &= x
	}
}

// depends notes that bits of a byte of the outputs depend on values at power-up.
func (p *pair) depends(at int, bits byte, cycle int) {
	if bits == 0 {
		return
	}
	for _, port := range p.layout.Outputs {
		if _, known := p.powerUp[port.Name]; !known && at >= port.Offset && at < port.Offset+port.Size {
			p.powerUp[port.Name] = cycle
		}
	}
}

// row returns the outputs of a row of the last run, and which of their bits are X or Z.
func (s *side) row(n, size int) (out, unknown []byte) {
	return s.rows.Out[n*size : (n+1)*size], s.rows.Unknown[n*size : (n+1)*size]
}

func (p *portSeen) see(cycle int, unknown []byte) {
	for _, b := range unknown[p.port.Offset : p.port.Offset+p.port.Size] {
		if b != 0 {
			if p.unknownN == 0 {
				p.first = cycle
			}
			p.unknownN++
			p.last = cycle
			return
		}
	}
}

// never reports whether no bit of the output was ever known, given the bits that were not.
func (p *portSeen) never(unknown []byte) bool {
	n := 0
	for _, b := range unknown[p.port.Offset : p.port.Offset+p.port.Size] {
		n += bits.OnesCount8(b)
	}
	return n == p.port.Width
}

// difference returns the difference in some bits of a cycle.
func (p *pair) difference(cycle int, bits, out, other, unknown []byte) *difference {
	d := &difference{cycle: cycle, bits: bits}
	for _, port := range p.layout.Outputs {
		if slices.ContainsFunc(bits[port.Offset:port.Offset+port.Size], func(b byte) bool { return b != 0 }) {
			d.ports = append(d.ports, port.Name)
			d.values = append(d.values, [2]string{valueOf(port, out, unknown).String(), valueOf(port, other, nil).String()})
		}
	}
	return d
}

// valueOf returns the value of a port in a row.
func valueOf(p bridge.Port, row, unknown []byte) bridge.Value {
	words := func(b []byte) []uint64 {
		w := make([]uint64, (p.Width+63)/64)
		for i := range p.Size {
			w[i/8] |= uint64(b[p.Offset+i]) << (i % 8 * 8)
		}
		return w
	}
	v := bridge.Value{Width: p.Width, Bits: words(row)}
	if unknown != nil {
		v.Unknown = words(unknown)
	}
	return v
}

// unchanged returns the outputs that have not changed after the reset, of which all bits are known.
func (p *pair) unchanged() (names []string) {
	if p.toggled == nil {
		return nil
	}
	for _, port := range p.layout.Outputs {
		same := true
		for i := port.Offset; i < port.Offset+port.Size; i++ {
			same = same && p.toggled[i] == 0 && p.firstX[i] == 0
		}
		if same {
			names = append(names, fmt.Sprintf("%s (%s)", port.Name, valueOf(port, p.firstOut, p.firstX)))
		}
	}
	return names
}

// close ends the simulations. A simulator that has ended with an error does not count again.
func (p *pair) close() (err error) {
	for _, s := range slices.Concat(p.sides, p.witnesses) {
		if e := s.instance.Close(); s.err == nil {
			err = errors.Join(err, e)
		}
		s.messages = append(s.messages, s.instance.Messages()...)
	}
	return err
}
