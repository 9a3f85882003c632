package icarus

import (
	"os"
	"regexp"
	"strings"
)

// netLine matches a line of a compiled model: a scope with its module and, at the end, the scope
// around it; or an object of the net list with the objects that it reads. Of these objects only
// nets have names.
var netLine = regexp.MustCompile(`(?m)^(S_\w+) \.scope \w+[^"\n]*"([^"]*)" "([^"]*)".*?(?:(S_\w+))?;$` +
	`|^([Lv]_?0x[0-9a-f]+(?:_\d+)?) \.(net|part|concat|functor|arith|cmp|reduce|shift|repeat|alias|delay|ufunc|resolv|substitute|concat8|sfunc|dff|latch|island|tran|cast)[^"\n;]*(?:"([^"]*)")?([^\n;]*);`)

var readLabel = regexp.MustCompile(`\b[Lv]_?0x[0-9a-f]+(?:_\d+)?`)

// feedback returns the names of nets of a compiled model that depend on themselves without a
// register in between: n of them at most, each with its module. If one driver drives several nets,
// through ports of instances, only the net in the innermost instance is named.
func feedback(program string, n int) (names []string) {
	text, err := os.ReadFile(program)
	if err != nil {
		return nil // it was there a moment ago: nothing can be said
	}
	type scope struct{ path, module string }
	type named struct {
		net   string
		scope scope
	}
	scopes := map[string]scope{}
	reads := map[string][]string{}
	nets := map[string]named{} // by the label of their driver
	var drivers []string       // the keys of nets, in the order of the model
	var in scope
	for _, m := range netLine.FindAllStringSubmatch(string(text), -1) {
		if label := m[1]; label != "" {
			in = scope{m[2], m[3]}
			if outer := scopes[m[4]]; outer.path != "" {
				in.path = outer.path + "." + m[2]
			}
			scopes[label] = in
			continue
		}
		label, kind, name, driver := m[5], m[6], m[7], readLabel.FindString(m[8])
		reads[label] = readLabel.FindAllString(m[0][len(label):], -1)
		if kind != "net" || driver == "" || strings.HasPrefix(name, "_ivl_") {
			continue
		}
		before, known := nets[driver]
		if !known {
			drivers = append(drivers, driver)
		}
		if !known || strings.Count(in.path, ".") > strings.Count(before.scope.path, ".") {
			nets[driver] = named{name, in}
		}
	}
	looping := cycles(reads)
	for _, d := range drivers {
		if looping[d] {
			if len(names) == n {
				return append(names, "...")
			}
			names = append(names, nets[d].scope.path+"."+nets[d].net+" (of module "+nets[d].scope.module+")")
		}
	}
	return names
}

// cycles returns the nodes of a graph that lie in a cycle or between two cycles. It removes the
// nodes that read no others, and then those that no others read, until none of these are left.
func cycles(reads map[string][]string) map[string]bool {
	left := map[string]bool{}
	readers := map[string][]string{}
	for label, all := range reads {
		left[label] = true
		for _, r := range all {
			readers[r] = append(readers[r], label)
		}
	}
	peel := func(in, out map[string][]string) {
		count := map[string]int{}
		var open []string
		for label := range left {
			for _, x := range in[label] {
				if left[x] {
					count[label]++
				}
			}
			if count[label] == 0 {
				open = append(open, label)
			}
		}
		for len(open) > 0 {
			label := open[len(open)-1]
			open = open[:len(open)-1]
			delete(left, label)
			for _, x := range out[label] {
				if count[x]--; left[x] && count[x] == 0 {
					open = append(open, x)
				}
			}
		}
	}
	peel(reads, readers)
	peel(readers, reads)
	return left
}
