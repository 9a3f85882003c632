package verilator

/*
#include "guard.h"

static const char* cosim_records(cosim_host* h) { return h->api->records(h->model); }
static void cosim_clear(cosim_host* h) { h->api->clear(h->model); }
*/
import "C"

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"runtime/cgo"
	"slices"
	"strings"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// record is a record of the shim, whose strings and numbers are read one after the other: see
// api.h.
type record struct {
	cycle uint64
	data  []byte
}

func (r *record) number() uint64 {
	n := binary.NativeEndian.Uint64(r.data)
	r.data = r.data[8:]
	return n
}

func (r *record) text() string {
	n := r.number()
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

// read reads the model's records.
func (v *instance) read() {
	records := C.GoBytes(unsafe.Pointer(C.cosim_records(v.host)), C.int(v.host.end.records))
	C.cosim_clear(v.host)
	for len(records) > 0 {
		kind, size := binary.NativeEndian.Uint32(records), binary.NativeEndian.Uint32(records[4:])
		r := &record{binary.NativeEndian.Uint64(records[8:]), records[C.sizeof_cosim_record:][:size]}
		records = records[C.sizeof_cosim_record+size:]
		switch kind {
		case C.COSIM_TEXT:
			v.printed(r.cycle, r.text())
		case C.COSIM_PLACE:
			if n := len(v.messages); n > 0 {
				v.messages[n-1].Where = fmt.Sprintf("%s:%d", r.text(), r.number())
			}
		case C.COSIM_LOG:
			v.open = false
			m := bridge.Message{Cycle: r.cycle, Scope: v.scope(r.text())}
			severity := r.text()
			m.Text = r.text()
			var ok bool
			if m.Severity, ok = logSeverities[severity]; !ok {
				m.Severity = bridge.Error
				m.Text = fmt.Sprintf("%s (COSIM_LOG with severity %q: it must be debug, info, warning or error)", m.Text, severity)
			}
			v.messages = append(v.messages, m)
		case C.COSIM_EVENT:
			e := bridge.Event{Cycle: r.cycle, Scope: v.scope(r.text()), Name: r.text()}
			for range r.number() {
				e.Values = append(e.Values, r.number())
			}
			e.Unknown = make([]uint64, len(e.Values))
			before := v.err
			// If the handler panics, the other records are lost: the instance has ended.
			v.err = v.callError(e, bridge.ErrNoReturn)
			v.opts.OnEvent(e)
			v.err = before
		}
	}
}

var logSeverities = map[string]bridge.Severity{"debug": bridge.Debug, "info": bridge.Info, "warning": bridge.Warning, "error": bridge.Error}

// scope returns the instance that %m lies in. %m may end with names of blocks, and only the
// elaborated design says which names are of instances.
func (v *instance) scope(s string) string {
	if known, ok := v.scopes[s]; ok {
		return known
	}
	instance := strings.TrimPrefix(s, "TOP.")
	for name := instance; len(v.m.scopes) > 0 && name != ""; name = name[:max(strings.LastIndexByte(name, '.'), 0)] {
		if slices.Contains(v.m.scopes, name) {
			instance = name
			break
		}
	}
	v.scopes[s] = instance
	return instance
}

//export cosimAsk
func cosimAsk(handle C.uintptr_t, q *C.cosim_question, answer *C.uint64_t) C.int32_t {
	v := cgo.Handle(handle).Value().(*instance)
	v.collect() // the events before the question
	e := bridge.Event{
		Cycle: uint64(q.cycle), Scope: v.scope(C.GoString(q.scope)), Name: C.GoString(q.name), Values: []uint64{uint64(q.value)}, Unknown: []uint64{0},
	}
	x, err := uint64(0), bridge.ErrNoHandler
	if v.opts.OnAsk != nil {
		// If the handler panics, the model stays in the middle of its evaluation.
		v.err = v.callError(e, bridge.ErrNoReturn)
		x, err = v.opts.OnAsk(e)
		v.err = nil
	}
	if err != nil {
		v.unanswered = v.callError(e, err)
		return 0
	}
	*answer = C.uint64_t(x)
	return 1
}

func (v *instance) callError(e bridge.Event, err error) error {
	return &bridge.CallError{Simulator: "verilator", Top: v.m.design.Top, Event: e, Err: err}
}

// tagged matches how Verilator prints $info to $fatal and failed assertions:
//
//	[15] %Error: fifo.sv:12: Assertion failed in TOP.fifo.u_core: text
//
// It also matches the own warnings of Verilator's runtime, which have no time and scope.
var tagged = regexp.MustCompile(`(?s)^(?:\[[^]]*\] )?(%Fatal|%Error|%Warning|-Info): (?:([^ :]+):(\d+): )?(?:(Assertion failed in )?(TOP[^ :]*|[\w.\[\]$]+)(?:: |$))?`)

// tag matches the beginning of such a message within a text.
var tag = regexp.MustCompile(`\[[^]\n]*\] (?:%Fatal|%Error|%Warning|-Info): [^ :\n]+:\d+: `)

var severities = map[string]bridge.Severity{"%Fatal": bridge.Fatal, "%Error": bridge.Error, "%Warning": bridge.Warning, "-Info": bridge.Info}

// printed makes messages of a text that the model has printed. The text may end within a line.
// Verilator joins what neighbouring tasks print into one text, but at most one of these is a
// message with a place.
func (v *instance) printed(cycle uint64, text string) {
	if at := tag.FindStringIndex(text); at != nil {
		v.displayed(cycle, text[:at[0]])
		text = text[at[0]:]
	}
	trimmed := strings.TrimSuffix(text, "\n")
	m := tagged.FindStringSubmatch(trimmed)
	if m == nil || m[2] == "" {
		v.displayed(cycle, text)
		return
	}
	v.open = false
	where := m[2]
	if name := v.m.places[where]; name != "" {
		where = name
	}
	message := bridge.Message{Severity: severities[m[1]], Cycle: cycle, Where: where + ":" + m[3], Scope: v.scope(m[5]), Text: trimmed[len(m[0]):]}
	if strings.HasPrefix(message.Text, "$readmem file not found") {
		// The place is the file that is not there.
		message.Severity, message.Where, message.Text = bridge.Error, "", strings.Replace(message.Text, "not found", "not found: "+m[2], 1)
	}
	rest := ""
	if message.Severity < bridge.Error { // nothing comes after an error in a text
		if first, more, found := strings.Cut(message.Text, "\n"); found {
			message.Text, rest = first, more+text[len(trimmed):]
		}
	}
	v.messages = append(v.messages, message)
	v.displayed(cycle, rest)
}

// displayed makes messages of text without a place, one for each line.
func (v *instance) displayed(cycle uint64, text string) {
	for line := range strings.Lines(text) {
		if !v.open {
			v.messages = append(v.messages, bridge.Message{Cycle: cycle})
		}
		m := &v.messages[len(v.messages)-1]
		whole, ended := strings.CutSuffix(line, "\n")
		m.Text += whole
		v.open = !ended
	}
}
