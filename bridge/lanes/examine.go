package lanes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/signals"
)

// forcedSuffix is what Yosys puts behind the name of a signal for the input that takes its place.
const forcedSuffix = ".forced."

// examination looks for what lanes cannot do in an elaborated design, in which signals still have
// names and cells their places.
type examination struct {
	*run
	netlist *netlist
	clocks  []bridge.Clock
	clockOf map[bit]int    // the clock of a net
	drivers map[bit]string // the cell that drives a net
	ports   []string       // the names of the ports
}

// examine returns an error for what lanes cannot do.
func (x *examination) examine() error {
	if err := x.mistaken(); err != nil {
		return err
	}
	x.clockOf, x.drivers = map[bit]int{}, map[bit]string{}
	for i, c := range x.clocks {
		if p, ok := x.netlist.Ports[c.Port]; ok && len(p.Bits) == 1 {
			x.clockOf[p.Bits[0]] = i
		}
	}
	var errs []error
	for _, name := range x.netlist.sortedCells() {
		c := x.netlist.Cells[name]
		for pin, bits := range c.Connections {
			if c.Directions[pin] == "output" {
				for _, b := range bits {
					x.drivers[b] = name
				}
			}
		}
	}
	for _, name := range x.netlist.sortedCells() {
		if err := x.cell(name, x.netlist.Cells[name]); err != nil && len(errs) < 5 {
			errs = append(errs, err)
		}
	}
	for name, p := range x.netlist.Ports {
		if _, clock := x.clockOf[p.Bits[0]]; clock && p.Direction == "output" {
			errs = append(errs, x.cannot("", "output "+name, "it is a clock, which has no value in a cycle"))
		}
	}
	if errs == nil {
		errs = append(errs, x.exposed())
	}
	return errors.Join(errs...)
}

func (x *examination) cannot(place, construct, reason string) error {
	return &UnsupportedError{Top: x.design.Top, Where: place, Construct: construct, Reason: reason}
}

// cell examines a cell.
func (x *examination) cell(name string, c cell) error {
	place := where(c.Attributes)
	// of names a register by its output, whose declaration is also its place if it has none.
	of := func(kind string) (string, string) {
		for _, pin := range []string{"Q", "Y"} {
			if bits := c.Connections[pin]; len(bits) > 0 {
				signal, declared := x.netlist.nameOf(bits[0])
				if place == "" {
					place = declared
				}
				if signal != "" {
					return place, kind + " " + signal
				}
			}
		}
		return place, kind
	}
	kind := strings.TrimPrefix(c.Type, "$")
	switch {
	case !strings.HasPrefix(c.Type, "$"):
		return x.cannot(place, "instance "+name+" of module "+c.Type, "the module has no contents")
	case strings.Contains(kind, "latch"), kind == "sr":
		at, what := of("latch")
		return x.cannot(at, what, "it has no clock: assign it in all branches if it is meant to be logic")
	case strings.HasPrefix(kind, "aldff"):
		at, what := of("flip-flop")
		return x.cannot(at, what, "its asynchronous reset loads a value that is not constant")
	case strings.HasPrefix(kind, "dffsr"):
		at, what := of("flip-flop")
		return x.cannot(at, what, "it has an asynchronous set and an asynchronous reset")
	case kind == "tribuf":
		at, what := of("driver that can be off (z)")
		return x.cannot(at, what, "a lane has two values, 0 and 1")
	case strings.HasPrefix(kind, "any"), strings.HasPrefix(kind, "all"), kind == "initstate":
		return x.cannot(place, c.Type, "it is for formal tools only")
	case kind == "check":
		return x.check(place, c)
	}
	for pin, bits := range c.Connections {
		if c.Directions[pin] == "output" || strings.HasPrefix(kind, "memrd") && pin == "CLK" && c.number("CLK_ENABLE") == 0 {
			continue
		}
		for _, b := range bits {
			_, isClock := x.clockOf[b]
			switch {
			case pin == "CLK" && strings.HasPrefix(kind, "memwr") && c.number("CLK_ENABLE") == 0:
				return x.cannot(place, "memory "+x.memoryOf(c), "it is written without a clock edge, as a latch")
			case pin == "CLK" && !isClock:
				at, what := of("flip-flop")
				return x.cannot(at, what, fmt.Sprintf("its clock is %s, and only the clocks of the design can be clocks: make a gated clock an enable", x.describe(b)))
			case pin == "CLK" && c.number("CLK_POLARITY") == 0:
				at, what := of("flip-flop")
				return x.cannot(at, what, "it acts at the falling edge of its clock, and a cycle of a lane has the rising edge only")
			case pin != "CLK" && isClock:
				at, what := of("logic")
				return x.cannot(at, what, fmt.Sprintf("it reads the clock %s, which has no value in a cycle: make a gated clock an enable", x.clocks[x.clockOf[b]].Port))
			}
		}
	}
	return nil
}

// memoryOf returns the name of the memory that a port is of.
func (x *examination) memoryOf(c cell) string {
	return strings.TrimPrefix(fmt.Sprint(c.Parameters["MEMID"]), `\`)
}

// describe returns what a net is, for people.
func (x *examination) describe(b bit) string {
	switch b {
	case low, high:
		return "constant"
	case undefined:
		return "undefined"
	}
	if name, place := x.netlist.nameOf(b); name != "" && place != "" {
		return name + " (" + place + ")"
	} else if name != "" {
		return name
	}
	if c, ok := x.netlist.Cells[x.drivers[b]]; ok {
		return "the result of an expression (" + where(c.Attributes) + ")"
	}
	return "a signal without a name"
}

// exposed returns an error for signals of Design.Internals that cannot be reached.
func (x *examination) exposed() error {
	var names []string
	for name, n := range x.netlist.Netnames {
		if n.Hidden == 0 && !strings.HasSuffix(name, forcedSuffix+"i") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if err := signals.Missing("lanes", x.design, names, x.ports); err != nil {
		return err
	}
	for _, name := range x.design.Internals {
		in, ok := x.netlist.Ports[name+forcedSuffix+"i"]
		if !ok {
			return &bridge.SignalError{Simulator: "lanes", Top: x.design.Top, Name: name, Reason: "Yosys cannot cut it open: name the signal that it is assigned from"}
		}
		if slices.Equal(in.Bits, x.netlist.Ports[name].Bits) {
			return &bridge.SignalError{Simulator: "lanes", Top: x.design.Top, Name: name,
				Reason: "it is another name of the signal that it is assigned from, or of what it drives: name that"}
		}
	}
	return nil
}

// escapeGlob returns a name as Yosys takes it in a selection, with nothing special in it.
func escapeGlob(name string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`, "*", `\*`, "?", `\?`).Replace(name)
}
