package lanes

import "fmt"

// UnsupportedError is something in a design that lanes cannot run. Icarus and Verilator can.
type UnsupportedError struct {
	Top       string
	Where     string // "folder/file.sv:12", or "" if Yosys does not report it
	Construct string // "latch y_o"
	Reason    string // why not, and what to do
}

func (e *UnsupportedError) Error() string {
	where := "module " + e.Top
	if e.Where != "" {
		where = e.Where
	}
	return fmt.Sprintf("lanes: %s: %s: %s", where, e.Construct, e.Reason)
}
