// Package stream has testbench processes for valid/ready streams: an item is transferred in
// each cycle in which valid and ready are both 1.
//
// They are bound to a design's ports by pointers into the structs of a [tb.Bench]:
//
//	source := &stream.Driver[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Put: func(v uint8) { b.In.Data = v }, Gap: 0.3}
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
// What a design drives with X or Z is an error: a valid, or a ready where it is due, for the
// checker, as is a payload that becomes X or Z, or ceases to be, while it waits; an item with such
// bits for the monitor.
//
// Gaps and back-pressure are drawn from the process's own random numbers, and so follow
// from the bench's seed.
package stream

import (
	"math"
	"reflect"

	"github.com/cosimate/cosimate/sim/tb"
)

// forever is a bound for waits that the bench's own bound ends.
const forever = math.MaxInt

// DefaultBound is how many cycles a driver waits for ready unless it is told otherwise.
const DefaultBound = 10_000

// Driver sends items into a design.
type Driver[T any] struct {
	Valid *bool   // in Bench.In
	Ready *bool   // in Bench.Out
	Put   func(T) // sets the payload in Bench.In; it is given T's zero value while there is no item
	Gap   float64 // the probability, in each cycle, to wait for another before an item
	Bound int     // cycles to wait for ready before the bench fails; zero means DefaultBound
}

// Send sends an item and returns after the cycle in which it was taken. Without gaps, one
// Send after the other sends an item in every cycle. If the process is stopped, valid
// goes to 0.
func (d *Driver[T]) Send(p *tb.Process, item T) {
	for d.Gap > 0 && p.Rand().Float64() < d.Gap {
		p.Next()
	}
	bound := d.Bound
	if bound == 0 {
		bound = DefaultBound
	}
	defer func() {
		var none T
		*d.Valid = false
		d.Put(none)
	}()
	*d.Valid = true
	d.Put(item)
	p.Until(bound, func() bool { return *d.Ready })
}

// Sink takes what a design sends. What it takes is for a [Monitor] to see.
type Sink struct {
	Valid *bool   // in Bench.Out
	Ready *bool   // in Bench.In
	Busy  float64 // the probability, in each cycle, not to be ready
	// Late makes the sink ready only after it has seen valid, never ahead. It finds designs
	// that wait for ready before they set valid, which then neither side ever does.
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

// Monitor sees every item that is transferred. One that depends on bits that are X or Z ends the
// bench with an error: let Get leave out what does not count, b.Out.Data &^ b.Unknown.Data for
// example.
type Monitor[T any] struct {
	Valid *bool
	Ready *bool
	Get   func() T             // the payload; it must do nothing but read
	Each  func(*tb.Process, T) // is called after the cycle of each transfer
	// InReset tells whether the reset is active; optional. There are no transfers in reset.
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
		m.Each(p, item)
	}
}
