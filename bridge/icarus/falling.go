package icarus

import (
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Lines of a compiled model, which is assembler for vvp.
//
//   - edgeLine matches a scope and the scope around it; or a net of one bit, or a gate with one
//     input, and its source; or an edge that is waited for, or several.
//   - waitLine matches the instruction that waits for an edge.
var (
	edgeLine = regexp.MustCompile(`^S_\w+ \.scope \w+, "([^"]*)".*?(S_\w+)?;$` +
		`|^(\w+) \.(net|functor BUFZ?|functor NOT|reduce/nor)\b\S* (?:\*?"([^"]*)", 0 0, |1, )?(\w+)[,;]` +
		`|^(E_\S+) \.event(?: (posedge|negedge), |/or )([^"]*);$`)
	waitLine = regexp.MustCompile(`(?m)^ +%wait (E_\S+);$`)
	aLabel   = regexp.MustCompile(`\w+(?:/\d+)?`)
)

// settleFirst changes a compiled model so that a process which waits for the falling edge of a
// clock goes on only when combinational logic has settled.
//
// The inputs of a cycle change when the clock falls. Without this change it would be a race whether
// the process sees them, or what logic makes of them, before or after their change. A delay of 0
// after the wait decides the race: it sees them after the change. Models without such a wait are
// not changed, and lose no time.
func settleFirst(program, top string, clocks []bridge.Clock) string {
	type follower struct {
		label    string
		inverted bool
	}
	followers := map[string][]follower{} // nets and gates by the label of their source
	falls := map[string]string{}         // by label, the edge that it has when a clock falls
	var follow []string                  // labels whose followers are not yet looked at
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
	// Events that are such an edge, or that are any of several of which one is.
	late := map[string]bool{}
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
