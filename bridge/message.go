package bridge

import "fmt"

// Severity is how bad a message is.
type Severity int

const (
	Display Severity = iota // $display, $write and the like
	Debug                   // from `COSIM_LOG only
	Info                    // $info
	Warning                 // $warning
	Error                   // $error, a failed assertion: the simulation goes on
	Fatal                   // $fatal: the run ends with a *StopError too
)

func (s Severity) String() string {
	return [...]string{"display", "debug", "info", "warning", "error", "fatal"}[s]
}

// Message is what RTL printed: a line of $display, or a whole $info, $warning, $error, $fatal,
// failed assertion or COSIM_LOG.
type Message struct {
	Severity Severity
	Cycle    uint64 // during which it was printed; the power-up is in cycle 0
	Scope    string // the instance, "top.u_fifo"; "" if the simulator does not report it
	Where    string // "folder/file.sv:12"; "" if the simulator does not report it
	Text     string // without what is in the fields above
}

func (m Message) String() string {
	s := fmt.Sprintf("%v in cycle %d", m.Severity, m.Cycle)
	if m.Where != "" {
		s = m.Where + ": " + s
	}
	if m.Scope != "" {
		s += " in " + m.Scope
	}
	return s + ": " + m.Text
}
