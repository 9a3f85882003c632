package lanes

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/source"
)

// delay matches a delay, such as #5, #1.5ns or #Period, and one in parentheses where no instance
// can have its parameters.
var delay = regexp.MustCompile("[^#]#\\s*[0-9A-Za-z_`]|(?:\\bassign|<=|=|;|\\bbegin|\\balways|\\belse|\\bforever)\\s*#\\s*\\(")

// call matches the macros with which RTL calls Go.
var call = regexp.MustCompile("`COSIM_[A-Z0-9]+")

// beforeYosys returns an error for what Yosys would leave out without a word.
func beforeYosys(d *bridge.Design, sources []bridge.Source) error {
	for _, s := range sources {
		text := source.WithoutComments(s.Data)
		find := func(pattern *regexp.Regexp, construct, reason string) error {
			at := pattern.FindIndex(text)
			if at == nil {
				return nil
			}
			line := 1 + bytes.Count(text[:at[1]], []byte("\n"))
			begin := bytes.LastIndexByte(text[:at[1]], '\n') + 1
			end := len(text)
			if i := bytes.IndexByte(text[begin:], '\n'); i >= 0 {
				end = begin + i
			}
			return &UnsupportedError{Top: d.Top, Where: fmt.Sprintf("%s:%d", s.Name, line),
				Construct: construct + " in " + string(bytes.TrimSpace(s.Data[begin:end])), Reason: reason}
		}
		if err := find(delay, "delay", "all lanes have one time, which only clocks move: leave the delay out, or run the design in a simulator"); err != nil {
			return err
		}
		if err := find(call, "call of Go", "lanes cannot wait for Go: run the design in a simulator"); err != nil {
			return err
		}
	}
	return nil
}
