package bridge

import (
	_ "embed"
	"errors"
	"fmt"
)

// Macros is the text of cosim.svh, the macros with which RTL calls Go. Sources include it with
// `include "cosim.svh". It lies in an include folder of its own, [MacrosDir], that both simulators
// are given.
//
//go:embed sv/cosim.svh
var Macros string

// MacrosDir is the folder of cosim.svh as the simulators see it.
const MacrosDir = "cosimate"

// Event is a report by RTL ($cosim_event, COSIM_EVENT) or a question (COSIM_ASK).
type Event struct {
	Cycle  uint64 // during which it happened
	Scope  string // the instance: "top.u_mon"
	Name   string
	Values []uint64 // one to four for COSIM_EVENT to COSIM_EVENT4, one for COSIM_ASK
	// Unknown has a bit set where the bit of Values is X or Z. That bit of Values is then 0 for X
	// and 1 for Z. Under Verilator Unknown is all 0.
	Unknown []uint64
}

// CallError ends a run in which a question of the RTL got no answer. It also ends a run whose
// handler, of a question or an event, did not return because it panicked or ended its goroutine.
type CallError struct {
	Simulator string
	Top       string
	Event     Event
	Err       error
}

func (e *CallError) Error() string {
	return fmt.Sprintf("%s: %s called Go with %q in cycle %d (%s): %v", e.Simulator, e.Top, e.Event.Name, e.Event.Cycle, e.Event.Scope, e.Err)
}

// ErrNoReturn is the Err of a [CallError] whose handler did not return.
var ErrNoReturn = errors.New("its handler did not return")

// ErrNoHandler is the Err of a [CallError] if a question is asked and Options.OnAsk is nil.
var ErrNoHandler = errors.New("nobody answers: set Options.OnAsk")

func (e *CallError) Unwrap() error { return e.Err }
