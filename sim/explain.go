package sim

import (
	"fmt"
	"strings"
	"unsafe"
)

// Explainer is a Model that says what a difference is about, in the words of those who know the
// design: which rule, which transaction, which of the answers is missing. What it says stands in
// the report under the outputs that differ.
type Explainer[I, O any] interface {
	// Explain is given the first cycle in which the RTL differs. The model is in the state in which
	// it was before that cycle, and Explain may do with it as it likes: step it, or reset it and
	// step it through x.Past once more. To see what the RTL does with other inputs, for example
	// with one request alone, it opens another instance: x.DUT.Reopen. The DUT itself it must not
	// step, as the report on it is not made yet.
	Explain(x Mismatch[I, O]) string
}

// Mismatch is the first cycle in which the RTL differs from its model, for an [Explainer].
type Mismatch[I, O any] struct {
	Cycle     uint64     // its number, as in the report
	Past      []I        // the inputs of all cycles between the reset and this one
	In        I          // the inputs of this cycle
	Want, Got O          // the outputs of the model and of the RTL; unknown bits read as in [DUT.Step]
	DUT       *DUT[I, O] // the RTL that differs
}

// Explain asks a model about a mismatch, if it is an [Explainer]; otherwise it returns "". The
// recording has the inputs of all cycles since the reset, up to x.Cycle at least; x.Past is taken
// from it. [Check], [Compare] and [Lockstep] do this on their own: it is for a testbench that steps
// model and DUT itself.
func Explain[I, O any](m Model[I, O], r *Recording[I], x Mismatch[I, O]) (text string) {
	e, ok := extra(m).(Explainer[I, O])
	if !ok {
		return ""
	}
	past := x.Cycle - r.first
	if r.full {
		return fmt.Sprintf("What it is about is not known: of the %d cycles between the reset and this one, the inputs take more than %d MiB.", past, maxRecorded>>20)
	}
	defer func() {
		// The RTL can do anything. Whatever Explain makes of it, the difference itself must be
		// reported.
		if r := recover(); r != nil {
			text = fmt.Sprintf("The model's Explain panicked: %v", r)
		}
	}()
	x.Past = r.in[:past:past]
	resetTo(m, x.DUT.clocks, r.first)
	for _, in := range x.Past {
		m.Step(in)
	}
	return strings.TrimRight(e.Explain(x), "\n")
}

// maxRecorded is how many bytes of inputs a Recording keeps.
const maxRecorded = 64 << 20

// Recording is the inputs of a run since its reset, for [Explain].
type Recording[I any] struct {
	first uint64 // the DUT's cycle of the first
	in    []I
	full  bool // there were too many, and none is kept
}

// Begin forgets what was recorded. The next inputs that are added are those of the DUT's cycle of
// this number, the first after its reset and the model's.
func (r *Recording[I]) Begin(cycle uint64) { *r = Recording[I]{first: cycle, in: r.in[:0]} }

// Add adds the inputs of the next cycles.
func (r *Recording[I]) Add(in ...I) {
	if r.full {
		return
	}
	if r.in = append(r.in, in...); uint64(len(r.in))*uint64(unsafe.Sizeof(in[0])) > maxRecorded {
		r.in, r.full = nil, true
	}
}

// note adds a paragraph to the report's note.
func (d *Difference) note(text string) {
	d.Note = strings.Trim(d.Note+"\n\n"+text, "\n")
}
