package lanes

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/signals"
)

// SetPort gives an input port of up to 64 bits a value in some lanes, which stays until it is set
// again. It is for ports that rows do not have; in rows, the next row sets the port again.
func (b *Batch) SetPort(port string, in Set, v uint64) error {
	if b.closed {
		return errClosed
	}
	i := slices.IndexFunc(b.m.program.c.Inputs, func(p portBits) bool { return p.Name == port })
	if i < 0 {
		return fmt.Errorf("lanes: module %s has no input %s", b.m.design.Top, port)
	}
	bits := b.m.program.c.Inputs[i].Bits
	if len(bits) > 64 || len(bits) < 64 && v>>len(bits) != 0 {
		return fmt.Errorf("lanes: module %s: %#x does not fit input %s, which has %d bits", b.m.design.Top, v, port, len(bits))
	}
	b.setBits(bits, in, []uint64{v})
	b.b.last_valid = 0
	return nil
}

// setBits gives planes a value in some lanes.
func (b *Batch) setBits(planes []value, in Set, v []uint64) {
	for k, p := range planes {
		plane := &b.planes[planeOf(p)]
		for i := range plane {
			plane[i] &^= in[i]
			if v[k/64]>>(k%64)&1 != 0 {
				plane[i] |= in[i]
			}
		}
	}
}

// Poke gives a register a value in some lanes, once: it is there in the next cycle. The name is
// that of any register of the source, such as "u_timer.count_q", in Design.Internals or not. A
// register may have several names, as if it is assigned to an output. Models made of [Pins] know
// all of them, other models only one.
func (b *Batch) Poke(name string, in Set, v bridge.Value) error {
	if b.closed {
		return errClosed
	}
	c := b.m.program.c
	states, other := c.Aliases[name]
	if !other {
		states = c.registers()[name]
		for k, i := range states {
			if c.States[i].Bit != k {
				return b.signalError(name, fmt.Sprintf("lanes do not have its bit %d", k))
			}
		}
	}
	switch {
	case len(states) == 0:
		return b.signalError(name, "lanes have no register of this name")
	case v.Width != len(states) || len(v.Bits) < (v.Width+63)/64:
		return b.signalError(name, fmt.Sprintf("a value of %d bits is written, and lanes have %d of its bits", v.Width, len(states)))
	case !v.Known():
		return b.signalError(name, "a lane has no X or Z")
	}
	var planes []value
	for _, i := range states {
		planes = append(planes, c.firstState()+value(i))
	}
	b.setBits(planes, in, v.Bits)
	b.b.last_valid = 0
	return nil
}

// Force gives an internal signal a value in some lanes, from the next cycle on until
// [Batch.Release]. The name is one of Design.Internals. A register that holds its value keeps the
// one that it was forced to.
func (b *Batch) Force(name string, in Set, v bridge.Value) error {
	f, err := b.forced(name)
	if err != nil {
		return err
	}
	if v.Width != len(f.Bits) || len(v.Bits) < (v.Width+63)/64 {
		return b.signalError(name, fmt.Sprintf("a value of %d bits is forced, and it has %d", v.Width, len(f.Bits)))
	}
	if !v.Known() {
		return b.signalError(name, "a lane has no X or Z to force")
	}
	b.setBits(f.Forced, in, v.Bits)
	ones := make([]uint64, (v.Width+63)/64)
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	b.setBits(f.Mask, in, ones)
	return nil
}

// Release ends the forcing of a signal in some lanes.
func (b *Batch) Release(name string, in Set) error {
	f, err := b.forced(name)
	if err != nil {
		return err
	}
	b.setBits(f.Mask, in, make([]uint64, (len(f.Mask)+63)/64))
	return nil
}

// Peek returns the value that an internal signal had in a lane during the last cycle, when outputs
// were sampled. The name is one of Design.Internals.
func (b *Batch) Peek(name string, lane int) (bridge.Value, error) {
	f, err := b.forced(name)
	if err != nil {
		return bridge.Value{}, err
	}
	if lane < 0 || lane >= Count {
		return bridge.Value{}, b.signalError(name, fmt.Sprintf("there is no lane %d", lane))
	}
	v := bridge.Value{Width: len(f.Bits), Bits: make([]uint64, (len(f.Bits)+63)/64)}
	for k, plane := range b.m.program.copied(f.Bits) {
		if b.planes[plane].Has(lane) {
			v.Bits[k/64] |= 1 << (k % 64)
		}
	}
	return v, nil
}

// forced returns an internal signal.
func (b *Batch) forced(name string) (*force, error) {
	if b.closed {
		return nil, errClosed
	}
	i, _, reason := signals.Find(name, b.m.design.Internals, func(int) signals.Ranges { return nil })
	if reason != "" {
		return nil, b.signalError(name, reason)
	}
	return &b.m.program.c.Forces[i], nil
}

func (b *Batch) signalError(name, reason string) error {
	return &bridge.SignalError{Simulator: "lanes", Top: b.m.design.Top, Name: name, Reason: reason}
}
