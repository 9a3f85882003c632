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
	x.Past = r.all(past)
	resetTo(m, x.DUT.device.clocks, r.first)
	for _, in := range x.Past {
		m.Step(in)
	}
	return strings.TrimRight(e.Explain(x), "\n")
}

// maxRecorded is how many bytes of inputs a Recording keeps.
const maxRecorded = 64 << 20

// partBytes is about how many bytes each part of a Recording has.
const partBytes = 256 << 10

// Recording is the inputs of a run since its reset, for [Explain].
type Recording[I any] struct {
	first uint64 // the DUT's cycle of the first
	parts [][]I  // one slice that grows would be copied, and cleared, again and again
	n     int    // inputs in all parts
	full  bool   // there were too many, and none is kept
}

// Begin empties the recording. The inputs added next are those of this cycle of the DUT, the first
// after the reset, and of the cycles after it.
func (r *Recording[I]) Begin(cycle uint64) { *r = Recording[I]{first: cycle, parts: r.parts[:0]} }

// Add adds the inputs of the next cycles.
func (r *Recording[I]) Add(in ...I) {
	for len(in) > 0 && !r.full {
		last := len(r.parts) - 1
		if last < 0 || len(r.parts[last]) == cap(r.parts[last]) {
			r.begin()
			continue
		}
		part := r.parts[last]
		n := min(len(in), cap(part)-len(part))
		r.parts[last] = append(part, in[:n]...)
		r.n += n
		in = in[n:]
		if uint64(r.n)*uint64(unsafe.Sizeof(part[0])) > maxRecorded {
			r.parts, r.full = nil, true
		}
	}
}

// begin begins another part, with the memory of one before Begin if there is some.
func (r *Recording[I]) begin() {
	n := len(r.parts)
	if n < cap(r.parts) {
		if old := r.parts[:n+1][n]; cap(old) > 0 {
			r.parts = append(r.parts, old[:0])
			return
		}
	}
	var in I
	r.parts = append(r.parts, make([]I, 0, partBytes/(unsafe.Sizeof(in)+1)+1))
}

// all returns the first n inputs.
func (r *Recording[I]) all(n uint64) []I {
	in := make([]I, 0, n)
	for _, part := range r.parts {
		in = append(in, part[:min(len(part), cap(in)-len(in))]...)
	}
	return in
}

// note adds a paragraph to the report's note.
func (d *Difference) note(text string) {
	d.Note = strings.Trim(d.Note+"\n\n"+text, "\n")
}
