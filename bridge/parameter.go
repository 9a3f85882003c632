package bridge

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// literal matches the values of parameters that both simulators accept and understand alike.
var literal = regexp.MustCompile(`^(?:([-+]?[0-9][0-9_]*)|[0-9]*'[sS]?(?:[bB][01_]+|[oO][0-7_]+|[dD][0-9_]+|[hH][0-9a-fA-F_]+)|[-+]?[0-9][0-9_]*(?:\.[0-9_]+)?(?:[eE][-+]?[0-9]+)?|"[^"\\]*")$`)

// Parameters returns Params in the form that both simulators take. A value that is no literal is an
// error here, because the simulators do not refuse it on their command lines: Icarus goes on with
// the default, and Verilator with a value that it makes up.
func (d *Design) Parameters() (map[string]string, error) {
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(d.Params)) {
		value := d.Params[name]
		m := literal.FindStringSubmatch(value)
		fault := func(reason string) error {
			return fmt.Errorf("Design.Params of module %s: the value of %s is %s: %s", d.Top, name, value, reason)
		}
		if m == nil {
			return nil, fault(`it must be a literal such as 12, -3, 8'h1f, 2.5 or "text" (without escapes), and no expression, no X or Z and no sign before a size`)
		}
		if value[0] != '"' {
			value = strings.TrimPrefix(strings.ReplaceAll(value, "_", ""), "+")
		}
		if m[1] != "" {
			if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < -1<<31 || n >= 1<<32 {
				return nil, fault("numbers of more than 32 bits need a size, such as 64'd1")
			}
		}
		all[name] = value
	}
	return all, nil
}
