package blocks

import "github.com/cosimate/cosimate/sim"

// stepping is a model without a Reset, or one that remembers, over resets, that it was given what
// it is no reference for. A new one forgets.
type stepping[I, O any] interface{ Step(in I) O }

// renewed is a model that is made anew at each reset.
type renewed[I, O any, M stepping[I, O]] struct {
	make  func() M
	model M
}

// fresh makes models that forget everything at a reset.
func fresh[I, O any, M stepping[I, O]](make func() M) sim.Model[I, O] {
	return &renewed[I, O, M]{make, make()}
}

func (r *renewed[I, O, M]) Reset()      { r.model = r.make() }
func (r *renewed[I, O, M]) Step(in I) O { return r.model.Step(in) }
func (r *renewed[I, O, M]) Err() error {
	if e, ok := any(r.model).(interface{ Err() error }); ok {
		return e.Err()
	}
	return nil
}
func (r *renewed[I, O, M]) DontCare(want O) (mask O) {
	if dc, ok := any(r.model).(sim.DontCarer[O]); ok {
		return dc.DontCare(want)
	}
	return mask
}
