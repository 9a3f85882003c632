// Package warnings has what the compilers of both simulators say of a design that compiles.
package warnings

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cosimate/cosimate/bridge"
)

// How they warn:
//
//	hw/fifo.sv:5: warning: implicit definition of wire 'full'.
//	%Warning-WIDTH: hw/fifo.sv:5:12: Operator ADD expects 8 bits on the RHS, but RHS's CONST '2'h2' generates 2 bits.
var line = regexp.MustCompile(`(?m)^(?:(\S+:\d+): warning: (.*)|%Warning-(\w+): (?:(\S+?:\d+):\d+: )?(.*))$`)

// In are the warnings in a compiler's log, each once. Not those of Icarus about what cannot be
// synthesized, for it warns of $error in an always_comb too.
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

// Note is a warning without a place.
func Note(text string) bridge.Message { return bridge.Message{Severity: bridge.Warning, Text: text} }

var told sync.Map // of simulator and message

// New are those that this process has not been told yet by one of a simulator's models.
func New(simulator string, all []bridge.Message) (fresh []bridge.Message) {
	for _, w := range all {
		if _, known := told.LoadOrStore(struct {
			simulator string
			bridge.Message
		}{simulator, w}, true); !known {
			fresh = append(fresh, w)
		}
	}
	return fresh
}
