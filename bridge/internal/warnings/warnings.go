// Package warnings reads the warnings of both simulators' compilers.
package warnings

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cosimate/cosimate/bridge"
)

// line matches a warning of Icarus or of Verilator:
//
//	hw/fifo.sv:5: warning: implicit definition of wire 'full'.
//	%Warning-WIDTH: hw/fifo.sv:5:12: Operator ADD expects 8 bits on the RHS, but RHS's CONST ...
var line = regexp.MustCompile(`(?m)^(?:(\S+:\d+): warning: (.*)|%Warning-(\w+): (?:(\S+?:\d+):\d+: )?(.*))$`)

// In returns the warnings in a compiler's log, each once. It leaves out Icarus's warnings of what
// cannot be synthesized, because these come for $error in an always_comb as well.
func In(log string) (all []bridge.Message) {
	for _, m := range line.FindAllStringSubmatch(log, -1) {
		if strings.Contains(m[2], "cannot be synthesized") {
			continue
		}
		w := bridge.Message{Severity: bridge.Warning, Where: m[1] + m[4], Text: "compiler: " + m[2] + m[5]}
		if m[3] != "" {
			w.Text += " (" + m[3] + ")"
		}
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// Note returns a warning without a place.
func Note(text string) bridge.Message { return bridge.Message{Severity: bridge.Warning, Text: text} }

var reported sync.Map // keys are a simulator and a message

// New returns those warnings that no model of this simulator has returned in this process before.
func New(simulator string, all []bridge.Message) (fresh []bridge.Message) {
	for _, w := range all {
		if _, known := reported.LoadOrStore(struct {
			simulator string
			bridge.Message
		}{simulator, w}, true); !known {
			fresh = append(fresh, w)
		}
	}
	return fresh
}
