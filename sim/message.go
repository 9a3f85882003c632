package sim

import (
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/bridge"
)

// Event is what RTL reported or asked: see [bridge.Event].
type Event = bridge.Event

// MessageError is an error that the RTL reports itself: $error, a failed assertion, or COSIM_LOG
// with severity error. The simulation can go on after it.
type MessageError struct {
	Simulator Simulator
	Top       string         // the top module
	Message   bridge.Message // with its cycle and place
}

func (e *MessageError) Error() string {
	return fmt.Sprintf("%s: %s: %v", e.Simulator, e.Top, e.Message)
}

// happened returns the cycle of an error that the RTL reported, or with which it ended the
// simulation. The run may have done cycles after it.
func happened(err error) (cycle uint64, ok bool) {
	var message *MessageError
	var stop *bridge.StopError
	switch {
	case errors.As(err, &message):
		return message.Message.Cycle, true
	case errors.As(err, &stop):
		return stop.Cycle, true
	}
	return 0, false
}

// upTo returns the number of a run's rows up to the cycle of its error. A report shows no cycles
// after it.
func upTo(err error, first uint64, done int) int {
	if at, ok := happened(err); ok && at < first+uint64(done) {
		return int(max(at, first)-first) + 1
	}
	return done
}

var levels = map[bridge.Severity]hclog.Level{
	bridge.Display: hclog.Info, bridge.Debug: hclog.Debug, bridge.Info: hclog.Info, bridge.Warning: hclog.Warn,
	bridge.Error: hclog.Error, bridge.Fatal: hclog.Error,
}

// both joins an error that the RTL reported and the error that ended the run after it. Both may be
// nil. The first is likely the cause of the other.
func both(reported, end error) error {
	switch {
	case reported == nil:
		return end
	case end == nil:
		return reported
	}
	return errors.Join(reported, end)
}

// log logs what the RTL printed, and returns the first error in it.
func (d *device) log(messages []bridge.Message) error {
	var first error
	for _, m := range messages {
		args := []any{"dut", d.design.Top, "cycle", m.Cycle}
		if m.Scope != "" {
			args = append(args, "scope", m.Scope)
		}
		if m.Where != "" {
			args = append(args, "at", m.Where)
		}
		d.logger.Log(levels[m.Severity], m.Text, args...)
		if m.Severity == bridge.Error && !d.options.errors && first == nil {
			first = &MessageError{d.simulator, d.design.Top, m}
		}
	}
	return first
}
