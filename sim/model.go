package sim

import "github.com/cosimate/cosimate/bridge"

// Model is a reference in Go: what the module must do in each cycle. It may have more methods, each
// an interface of its own: [DontCarer], [Fallible], [Explainer].
type Model[I, O any] interface {
	// Reset puts the model in the state after the design's reset.
	Reset()
	// Step is one cycle: the outputs for these inputs in the present state, and
	// then the next state.
	Step(in I) (out O)
}

// DontCarer is a Model that leaves outputs open in some cycles: data while it is
// not valid, for example.
type DontCarer[O any] interface {
	// DontCare returns a mask of the bits that are not compared in a cycle in which want is
	// expected. Where it has the sign of a signed port, the bits of the field that repeat the sign
	// are not compared either. A mask that has all bits of all outputs in every cycle of a
	// stimulus is an error, but in fuzz tests.
	DontCare(want O) (mask O)
}

// Fallible is a Model that is no reference for some inputs, which a user of the design must not
// give.
type Fallible interface {
	// Err returns nil until Step is given such inputs, and then an error that says what is wrong
	// with them. Check compares the cycles before, and then fails with this error.
	Err() error
}

// ClockedModel is a reference for a design with several clocks. It may have the same additional
// methods as a Model.
type ClockedModel[I, O any] interface {
	// Reset puts the model in the state after the design's reset.
	Reset()
	// Step is one instant: the outputs for these inputs in the present state, and
	// then the next state of what is clocked by the clocks that rise: bit 0 of rises is the
	// first of Design.Clocks.
	Step(in I, rises uint16) (out O)
}

// Clocked makes a [Model] of a [ClockedModel], for [Check], [Compare] and [Lockstep]. These tell it
// which clocks of the DUT rise in each cycle, so it cannot be used without them.
func Clocked[I, O any](m ClockedModel[I, O]) Model[I, O] { return &clocked[I, O]{m: m} }

type clocked[I, O any] struct {
	m        ClockedModel[I, O]
	schedule *bridge.Schedule // at the next cycle that is stepped
}

func (c *clocked[I, O]) Reset() { c.m.Reset() }

func (c *clocked[I, O]) Step(in I) O {
	if c.schedule == nil {
		panic("sim: a model of sim.Clocked is stepped by Check, Compare or Lockstep, which know the clocks")
	}
	_, rises := c.schedule.Next()
	return c.m.Step(in, rises)
}

// extra returns the value that has a model's additional methods: the model, or the one that was
// given to [Clocked].
func extra[I, O any](m Model[I, O]) any {
	if c, ok := m.(*clocked[I, O]); ok {
		return c.m
	}
	return m
}

// dontCareOf returns a model's DontCare, or nil if it has none.
func dontCareOf[I, O any](m Model[I, O]) func(want O) (mask O) {
	if dc, ok := extra(m).(DontCarer[O]); ok {
		return dc.DontCare
	}
	return nil
}

// resetTo resets a model whose first Step is to be the DUT's cycle of this number. clocks are the
// DUT's.
func resetTo[I, O any](m Model[I, O], clocks []bridge.Clock, cycle uint64) {
	if c, ok := m.(*clocked[I, O]); ok {
		c.schedule = bridge.NewSchedule(clocks)
		for range cycle {
			c.schedule.Next()
		}
	}
	m.Reset()
}
