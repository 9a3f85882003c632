package vectors

import (
	"context"
	"math/rand/v2"
	"reflect"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
)

// typed is what of a bench needs the types of its block: the block's functions, the DUTs, and the
// inputs and outputs of a run. It is compiled for each block anew, so nothing else is in it.
// Structs of inputs and outputs go in and out as values for [Port.get] and [Port.set].
type typed interface {
	// open makes an instance of the RTL, which is the next DUT. got is a slice of its outputs, in
	// the cycles that compare has played last.
	open(ctx context.Context, rtl sim.Design, s sim.Simulator, opts []sim.Option) (d dut, got reflect.Value, err error)
	// kept returns the slices of inputs and wanted outputs that keep adds to, and the model's
	// outputs in the last step.
	kept() (in, want, out reflect.Value)

	// begin begins a run with a session of its own, and returns the session's inputs.
	begin(p Params, pl *player) (in reflect.Value)
	// random replaces the session's inputs by the next ones of Block.Random. It returns false if
	// there is none.
	random(r *rand.Rand) bool
	// statements returns the block's statements for the session.
	statements() []Statement
	// renew replaces the model by a new one in the state after a reset, and returns it. Its first
	// step is this cycle.
	renew(p Params, cycle uint64) (model any)
	// complete calls Block.Complete with the session's inputs.
	complete() error
	// step steps the model with the session's inputs. It reports whether its outputs have changed
	// since the last step.
	step() (changed bool)
	// keep adds the last step to those that compare plays.
	keep()
	// ignored returns the bits of outputs that the model does not care about. Another call
	// overwrites them.
	ignored(out reflect.Value) (mask reflect.Value)
	// compare plays the steps that were kept to a DUT, and compares its outputs except for the bits
	// that the model does not care about. If masked is set, these are what ignored has returned
	// last, as the caller has changed it.
	compare(dut int, masked bool) error
	// unknown returns the bits of a DUT's outputs that were X or Z in its last cycle.
	unknown(dut int) (mask reflect.Value)
	// explain returns what the model says of a step that was kept, in which a DUT differs.
	explain(step, dut int, cycle uint64) string
}

// dut is a [sim.DUT] without its types.
type dut interface {
	Simulator() sim.Simulator
	Ports() (inputs, outputs []bridge.Port)
	Mark(name string)
	Reset(cycles int) error
	Cycle() uint64
	Recent() report.Wave
	Close() error
}

// typedBlock is what of a bench needs these types.
type typedBlock[I, O comparable] struct {
	b    *Block[I, O]
	duts []*sim.DUT[I, O]
	got  [][]O // outputs of each DUT, for one chunk

	session  *Session[I, O]
	model    sim.Model[I, O]
	care     func(O) O        // the model's DontCare; may be nil
	explains bool             // the model is an Explainer
	past     sim.Recording[I] // if it is, the cycles since its reset, with those of in
	in       []I
	want     []O
	out      O // the model's outputs in the last step
	mask     O // the bits of some outputs that the model does not care about
}

func (t *typedBlock[I, O]) open(ctx context.Context, rtl sim.Design, s sim.Simulator, opts []sim.Option) (dut, reflect.Value, error) {
	d, err := sim.Open[I, O](ctx, rtl, s, opts...)
	if err != nil {
		return nil, reflect.Value{}, err
	}
	got := make([]O, chunk)
	t.duts, t.got = append(t.duts, d), append(t.got, got)
	return d, reflect.ValueOf(got), nil
}

func (t *typedBlock[I, O]) kept() (in, want, out reflect.Value) {
	return reflect.ValueOf(&t.in).Elem(), reflect.ValueOf(&t.want).Elem(), reflect.ValueOf(&t.out).Elem()
}

func (t *typedBlock[I, O]) begin(p Params, pl *player) reflect.Value {
	t.session = &Session[I, O]{Params: p, In: t.b.Idle, player: pl}
	return reflect.ValueOf(&t.session.In).Elem()
}

func (t *typedBlock[I, O]) random(r *rand.Rand) bool {
	if t.b.Random == nil {
		return false
	}
	t.session.In = t.b.Random(r, t.session.In)
	return true
}

func (t *typedBlock[I, O]) statements() []Statement {
	if t.b.Statements == nil {
		return nil
	}
	return t.b.Statements(t.session)
}

func (t *typedBlock[I, O]) renew(p Params, cycle uint64) any {
	t.model, t.care = t.b.Model(p), nil
	_, t.explains = t.model.(sim.Explainer[I, O])
	t.past.Begin(cycle)
	if dc, ok := t.model.(sim.DontCarer[O]); ok {
		t.care = dc.DontCare
	}
	return t.model
}

func (t *typedBlock[I, O]) complete() (err error) {
	if t.b.Complete != nil {
		t.session.In, err = t.b.Complete(t.session.In)
	}
	return err
}

func (t *typedBlock[I, O]) step() bool {
	before := t.out
	t.out = t.model.Step(t.session.In)
	return t.out != before
}

func (t *typedBlock[I, O]) keep() {
	s := t.session
	in := s.In // which a watcher may change
	t.in, t.want = append(t.in, in), append(t.want, t.out)
	if t.explains {
		t.past.Add(in)
	}
	for _, w := range s.watchers {
		w(in, t.out)
	}
	s.Out = t.out
}

func (t *typedBlock[I, O]) ignored(out reflect.Value) reflect.Value {
	var mask O
	if t.care != nil {
		mask = t.care(*out.Addr().Interface().(*O))
	}
	t.mask = mask
	return reflect.ValueOf(&t.mask).Elem()
}

func (t *typedBlock[I, O]) compare(dut int, masked bool) error {
	care := t.care
	if masked {
		care = func(O) O { return t.mask }
	}
	return t.duts[dut].ExpectInto(t.in, t.want, t.got[dut][:len(t.in)], care)
}

func (t *typedBlock[I, O]) unknown(dut int) reflect.Value {
	return reflect.ValueOf(t.duts[dut].Unknown())
}

func (t *typedBlock[I, O]) explain(step, dut int, cycle uint64) string {
	return sim.Explain(t.model, &t.past, sim.Mismatch[I, O]{
		Cycle: cycle, In: t.in[step], Want: t.want[step], Got: t.got[dut][step], DUT: t.duts[dut],
	})
}
