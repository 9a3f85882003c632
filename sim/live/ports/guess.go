package ports

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

var (
	// What people call clocks: clk, clk_i, i_clk, clock, aclk, wb_clk_i, sys_clk, clk_a_i, clk0.
	clockName = regexp.MustCompile(`(?i)^(i_)?(\w+_)?(a|h|p|sys)?(clk|clock)(_?[a-z0-9])?(_i|_in)?$`)
	// And resets: rst, rst_ni, reset, i_rst_n, aresetn, nreset, sys_rst_l, rstb.
	resetName = regexp.MustCompile(`(?i)^(i_)?(\w+_)?(n)?(a|h|p|sys|s)?(rst|reset)(_?n|_?b|_l)?(_i|_in|i)?$`)
)

// Guess sets the clock and the reset of a design that names none, by the names of its ports, and
// returns in words what it has taken for what. hint says how to choose otherwise.
func Guess(d *sim.Design, ports []sim.Port, hint string) (said []string, err error) {
	var clocks, resets []string
	for _, p := range ports {
		if p.Dir != bridge.Input || p.Width != 1 {
			continue
		}
		if clockName.MatchString(p.Name) {
			clocks = append(clocks, p.Name)
		} else if resetName.MatchString(p.Name) {
			resets = append(resets, p.Name)
		}
	}
	if d.Clock == "" && len(d.Clocks) == 0 {
		switch len(clocks) {
		case 0:
			said = append(said, "No input has the name of a clock, so the design is taken to be combinational: each change of an input is one cycle. "+hint)
		case 1:
			d.Clock = clocks[0]
			said = append(said, fmt.Sprintf("Clock: %s, by its name.", d.Clock))
		default:
			return nil, fmt.Errorf("%s has several inputs with the name of a clock: %s. %s", d.Top, strings.Join(clocks, ", "), hint)
		}
	}
	if d.Reset == "" && (d.Clock != "" || len(d.Clocks) > 0) {
		switch len(resets) {
		case 0:
			said = append(said, "No input has the name of a reset.")
		case 1:
			d.Reset, d.ResetActiveLow = resets[0], ActiveLow(resets[0])
			level := "high"
			if d.ResetActiveLow {
				level = "low"
			}
			said = append(said, fmt.Sprintf("Reset: %s, active %s, by its name.", d.Reset, level))
		default:
			said = append(said, fmt.Sprintf("Several inputs have the name of a reset: %s. None is taken. %s", strings.Join(resets, ", "), hint))
		}
	}
	return said, nil
}

// ActiveLow reports whether the name of a reset says that it is active low.
func ActiveLow(reset string) bool {
	m := resetName.FindStringSubmatch(reset)
	return m != nil && (m[3] != "" || m[6] != "")
}
