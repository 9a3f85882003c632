package icarus

import (
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// What stands in a compiled model: a scope, with the one around it; a net of one bit, or a gate
// with one input, with what it follows; an edge that is waited for, or several; a wait.
var (
	edgeLine = regexp.MustCompile(`^S_\w+ \.scope \w+, "([^"]*)".*?(S_\w+)?;$` +
		`|^(\w+) \.(net|functor BUFZ?|functor NOT|reduce/nor)\b\S* (?:\*?"([^"]*)", 0 0, |1, )?(\w+)[,;]` +
		`|^(E_\S+) \.event(?: (posedge|negedge), |/or )([^"]*);$`)
	waitLine = regexp.MustCompile(`(?m)^ +%wait (E_\S+);$`)
	aLabel   = regexp.MustCompile(`\w+(?:/\d+)?`)
)

// settleFirst changes a compiled model so that what waits for the falling edge of a clock goes on
// when combinational logic has settled. The inputs of a cycle change as the clock falls, and so it
// sees them through logic, too: else it would be a race. A delay of 0 behind the wait does it, and
// costs nothing where there is no such wait.
func settleFirst(program, top string, clocks []bridge.Clock) string {
	type follower struct {
		label    string
		inverted bool
	}
	followers := map[string][]follower{} // of a label
	falls := map[string]string{}         // the edge of a label that is a clock's fall
	var follow []string                  // labels whose followers are to be looked at
	reach := func(label, edge string) {
		if falls[label] == "" {
			falls[label] = edge
			follow = append(follow, label)
		}
	}
	isClock := map[string]bool{}
	for _, c := range clocks {
		isClock[c.Port] = c.Port != ""
	}
	inTop := false
	var events [][]string
	for line := range strings.Lines(program) {
		if line[0] == ' ' { // an instruction
			continue
		}
		m := edgeLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		switch scope, outer, label, kind, name, source := m[1], m[2], m[3], m[4], m[5], m[6]; {
		case scope != "":
			inTop = scope == top && outer == ""
		case label != "":
			followers[source] = append(followers[source], follower{label, kind == "functor NOT" || kind == "reduce/nor"})
			if inTop && isClock[name] {
				reach(source, "negedge")
			}
		default:
			events = append(events, m)
		}
	}
	opposite := map[string]string{"negedge": "posedge", "posedge": "negedge"}
	for len(follow) > 0 {
		label := follow[0]
		follow = follow[1:]
		for _, f := range followers[label] {
			edge := falls[label]
			if f.inverted {
				edge = opposite[edge]
			}
			reach(f.label, edge)
		}
	}
	late := map[string]bool{} // events that are such an edge, or one of several of which one is
	for _, m := range events {
		event, edge := m[7], m[8]
		for _, of := range aLabel.FindAllString(m[9], -1) {
			if edge != "" && falls[of] == edge || edge == "" && late[of] {
				late[event] = true
			}
		}
	}
	if len(late) == 0 {
		return program
	}
	return waitLine.ReplaceAllStringFunc(program, func(line string) string {
		if late[strings.TrimSuffix(strings.Fields(line)[1], ";")] {
			line += "\n    %delay 0, 0;"
		}
		return line
	})
}
