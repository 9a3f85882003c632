package verilator

// #include "api.h"
import "C"

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// record reads a record's strings and numbers: see api.h.
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

// read takes what has happened in the model.
func (v *instance) read(records []byte) {
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
		}
	}
}

// tagged matches how Verilator prints $info to $fatal and failed assertions:
//
//	[15] %Error: fifo.sv:12: Assertion failed in TOP.fifo.u_core: text
//
// and its runtime's own warnings, without time and scope.
var tagged = regexp.MustCompile(`(?s)^(?:\[[^]]*\] )?(%Fatal|%Error|%Warning|-Info): (?:([^ :]+):(\d+): )?(?:(Assertion failed in )?(TOP[^ :]*|[\w.\[\]$]+)(: |$))?(.*)$`)

var severities = map[string]bridge.Severity{"%Fatal": bridge.Fatal, "%Error": bridge.Error, "%Warning": bridge.Warning, "-Info": bridge.Info}

// printed takes the text of one system task: a message with its place, or text of which a line may be complete or not.
func (v *instance) printed(cycle uint64, text string) {
	if m := tagged.FindStringSubmatch(strings.TrimSuffix(text, "\n")); m != nil && m[2] != "" {
		v.open = false
		where := m[2]
		if name := v.m.places[where]; name != "" {
			where = name
		}
		v.messages = append(v.messages, bridge.Message{
			Severity: severities[m[1]], Cycle: cycle, Where: where + ":" + m[3], Scope: strings.TrimPrefix(m[5], "TOP."), Text: m[7],
		})
		return
	}
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
