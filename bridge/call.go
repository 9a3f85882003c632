package bridge

import (
	_ "embed"
	"errors"
	"fmt"
)

// Macros is cosim.svh, with which RTL calls Go: sources say `include "cosim.svh". It lies in
// an include folder of its own, [MacrosDir], that both simulators are given.
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
	// bits of Values that are X or Z, and then 0 for X and 1 for Z; all 0 under Verilator
	Unknown []uint64
}

// CallError ends a run in which RTL asked a question without an answer, or whose handler of a
// question or an event did not return: it panicked, or ended its goroutine.
type CallError struct {
	Simulator string
	Top       string
	Event     Event
	Err       error
}

func (e *CallError) Error() string {
	return fmt.Sprintf("%s: %s called Go with %q in cycle %d (%s): %v", e.Simulator, e.Top, e.Event.Name, e.Event.Cycle, e.Event.Scope, e.Err)
}

// ErrNoReturn is the reason of a [CallError].
var ErrNoReturn = errors.New("its handler did not return")

func (e *CallError) Unwrap() error { return e.Err }
