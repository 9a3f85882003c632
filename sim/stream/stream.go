// Package stream has testbench processes for valid/ready streams. An item is transferred in each
// cycle in which valid and ready are both 1.
//
// Pointers into the structs of a [tb.Bench] connect them to a design's ports:
//
//	put := func(v uint8) { b.In.Data = v }
//	source := &stream.Driver[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Put: put, Gap: 0.3}
//	b.Go("source", func(p *tb.Process) { source.Send(p, 7) })
//
//	sink := &stream.Sink{Valid: &b.Out.Valid, Ready: &b.In.Ready, Busy: 0.5}
//	b.Background("sink", sink.Run)
//
//	b.Monitor("out", (&stream.Monitor[uint8]{Valid: &b.Out.Valid, Ready: &b.In.Ready,
//		Get: func() uint8 { return b.Out.Data }, Each: board.Got}).Run)
//
//	b.Monitor("rules", (&stream.Checker{Name: "out", Valid: &b.Out.Valid, Ready: &b.In.Ready,
//		Payload: []stream.Signal{stream.Field("data_o", &b.Out.Data)}}).Run)
//
// Bits that are X or Z are errors. [Checker] reports a valid that is, a ready that is while valid
// is 1, and a payload with bits that become X or Z, or known, while it waits. [Monitor] reports an
// item with such bits.
//
// Gaps and back-pressure are drawn from the process's own random numbers, and so follow from the
// bench's seed.
package stream

import (
	"math"
	"reflect"

	"github.com/cosimate/cosimate/sim/tb"
)

// forever is a bound for waits that the bench's own bound ends.
const forever = math.MaxInt

// defaultBound is the number of cycles that a [Driver] without a Bound waits for ready.
const defaultBound = 10_000

// Driver sends items into a design.
type Driver[T any] struct {
	Valid *bool   // in Bench.In
	Ready *bool   // in Bench.Out
	Put   func(T) // sets the payload in Bench.In; called with T's zero value when there is no item
	Gap   float64 // the probability in each cycle before an item that it waits for another
	Bound int     // cycles to wait for ready before the bench fails; zero means 10 000
}

// Send sends an item and returns after the cycle in which it was taken. Without gaps, successive
// calls send an item in every cycle. If the item is not taken within Bound cycles, the bench fails
// with a *[tb.StuckError]. If the process is stopped, valid goes to 0.
func (d *Driver[T]) Send(p *tb.Process, item T) {
	for d.Gap > 0 && p.Rand().Float64() < d.Gap {
		p.Next()
	}
	bound := d.Bound
	if bound == 0 {
		bound = defaultBound
	}
	defer func() {
		var none T
		*d.Valid = false
		d.Put(none)
	}()
	*d.Valid = true
	d.Put(item)
	sent := p.Begin("sends", item)
	p.Until(bound, func() bool { return *d.Ready })
	sent.End()
}

// Sink is ready for what a design sends. To see the items, add a [Monitor].
type Sink struct {
	Valid *bool   // in Bench.Out
	Ready *bool   // in Bench.In
	Busy  float64 // the probability in each cycle that it is not ready
	// Late makes the sink ready only after it has seen valid. A design that wrongly waits for ready
	// before it sets valid then waits forever, and is found.
	Late bool
}

// Run is a process for Bench.Background.
func (s *Sink) Run(p *tb.Process) {
	defer func() { *s.Ready = false }()
	for {
		offered := *s.Valid && !*s.Ready // and so still there in the coming cycle
		*s.Ready = (!s.Late || offered) && (s.Busy == 0 || p.Rand().Float64() >= s.Busy)
		p.Next()
	}
}

// Monitor calls Each with every item that is transferred. An item that depends on bits that are X
// or Z ends the bench with an error. If some bits may be, Get must leave them out, as in b.Out.Data
// &^ b.Unknown.Data.
type Monitor[T any] struct {
	Valid *bool
	Ready *bool
	Get   func() T             // the payload; it must do nothing but read
	Each  func(*tb.Process, T) // is called after the cycle of each transfer
	// InReset reports whether the reset is active; there are no transfers in reset. It may be nil.
	InReset func() bool
}

// Run is a process for Bench.Monitor.
func (m *Monitor[T]) Run(p *tb.Process) {
	for {
		p.Until(forever, func() bool { return *m.Valid && *m.Ready && (m.InReset == nil || !m.InReset()) })
		item, other, certain := m.Get(), *new(T), true
		unknown := p.Flipped(func() { other, certain = m.Get(), *m.Valid && *m.Ready })
		if !certain {
			p.Failf("valid or ready of a transfer is Z")
		}
		if unknown && !reflect.DeepEqual(item, other) {
			p.Failf("an item was transferred that depends on bits that are X or Z: %v, or %v with these the other way round", item, other)
		}
		p.Note(tb.Item{What: "saw", Value: item, From: p.Cycle()})
		m.Each(p, item)
	}
}
