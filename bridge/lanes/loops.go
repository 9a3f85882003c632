package lanes

import (
	"errors"
	"regexp"
	"strings"
)

// errLoop says that logic depends on itself within a cycle.
var errLoop = errors.New("lanes: a combinational loop")

// loop returns the error for that, with the names that Yosys' check has given.
func (x *examination) loop() error {
	place, names := x.loopNames()
	return x.cannot(place, "combinational loop"+names, "the logic depends on itself within a cycle, and a lane evaluates it once")
}

// hasLoop reports whether logic depends on itself within a cycle.
func hasLoop(c *circuit) bool {
	l := &loopFinder{c: c, state: make([]uint8, len(c.LUTs)), ports: map[readOf]uint8{}, data: map[value]readOf{}}
	for m := range c.Memory {
		for r := range c.Memory[m].Reads {
			for _, v := range c.Memory[m].Reads[r].Data {
				l.data[v] = readOf{m, r}
			}
		}
	}
	for i := range c.LUTs {
		if l.in(c.result(i)) {
			return true
		}
	}
	return false
}

// loopFinder looks for loops depth first.
type loopFinder struct {
	c     *circuit
	state []uint8 // of LUTs
	ports map[readOf]uint8
	data  map[value]readOf
}

// The states of a LUT or a port of a memory.
const (
	unseen uint8 = iota
	within
	clean
)

// in reports whether a value depends on a loop.
func (l *loopFinder) in(v value) bool {
	if n := l.c.lutOf(v); n >= 0 {
		if l.state[n] != unseen {
			return l.state[n] == within
		}
		l.state[n] = within
		for _, from := range l.c.LUTs[n].In {
			if l.in(from) {
				return true
			}
		}
		l.state[n] = clean
		return false
	}
	at, ok := l.data[v]
	if !ok || l.ports[at] != unseen {
		return ok && l.ports[at] == within
	}
	l.ports[at] = within
	for _, from := range l.c.Memory[at.memory].Reads[at.port].Address {
		if l.in(from) {
			return true
		}
	}
	l.ports[at] = clean
	return false
}

// loopLine matches what Yosys' check lists of a loop: cells with their places, and wires. Newer
// ones list them in the order of the loop, say behind each "source: hw/fifo.sv:12.3-12.9", and have
// lines below cells for the bits through which it goes.
var loopLine = regexp.MustCompile(`(?m)^    (?:cell \S*?([^\s$()]+:\d+)\b.*|wire \\(\S+).*)$`)

// loopNames returns where the first loop is that Yosys has found in the design, and what it goes
// through: " l, m". Both are "" if Yosys has found none.
func (x *examination) loopNames() (place, names string) {
	_, list, found := strings.Cut(x.log, "found logic loop in module")
	if !found {
		return "", ""
	}
	_, list, _ = strings.Cut(list, "\n")
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "      ") {
			continue
		}
		m := loopLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			break
		}
		if place == "" {
			place = m[1]
		}
		if m[2] != "" {
			names += ", " + m[2]
		}
	}
	return place, strings.Replace(names, ",", "", 1)
}
