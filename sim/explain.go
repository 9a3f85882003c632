package sim

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Explainer is a Model that says what a difference is about, in the words of those who know the
// design: which rule, which transaction, which of the answers is missing. What it says stands in
// the report under the outputs that differ.
type Explainer[I, O any] interface {
	// Explain is called with the first cycle in which the RTL differs. The model is in its state
	// before that cycle. Explain may step it, or reset it and step it through x.Past again.
	//
	// To see what the RTL does with other inputs, such as one request alone, Explain opens another
	// instance with x.DUT.Reopen. It must not step x.DUT, as the report on it is not made yet.
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

// Explain returns what a model says of a mismatch, or "" if the model is no [Explainer]. It takes
// x.Past from the recording, which must have the inputs of all cycles from the reset to x.Cycle.
// [Check], [Compare] and [Lockstep] call it. Others need it only if they step model and DUT
// themselves.
func Explain[I, O any](m Model[I, O], r *Recording[I], x Mismatch[I, O]) (text string) {
	e, ok := extra(m).(Explainer[I, O])
	if !ok {
		return ""
	}
	past := x.Cycle - r.first
	if r.full {
		return fmt.Sprintf("What it is about is not known: of the %d cycles between the reset and this one, the inputs take more than %d MiB. If a shorter stimulus ends in the same difference, run that.", past, maxRecorded>>20)
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

// Begin empties the recording. The inputs added next are those of this cycle of the DUT, the first
// after the reset, and of the cycles after it.
func (r *Recording[I]) Begin(cycle uint64) { *r = Recording[I]{first: cycle, in: r.in[:0]} }

// Add adds the inputs of the next cycles.
func (r *Recording[I]) Add(in ...I) {
	if r.full {
		return
	}
	if len(r.in)+len(in) > cap(r.in) {
		// A slice that grows by a quarter each time, as append does, is copied more often.
		r.in = slices.Grow(r.in, max(len(in), len(r.in)))
	}
	if r.in = append(r.in, in...); uint64(len(r.in))*uint64(unsafe.Sizeof(in[0])) > maxRecorded {
		r.in, r.full = nil, true
	}
}

// note adds a paragraph to the report's note.
func (d *Difference) note(text string) {
	d.Note = strings.Trim(d.Note+"\n\n"+text, "\n")
}
