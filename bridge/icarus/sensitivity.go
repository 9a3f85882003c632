package icarus

import (
	"os"
	"regexp"
	"slices"
	"strings"
)

// modelLine matches a line of a compiled model: a scope, such as a package or a function, with the
// label of the scope around it at the end; or a variable; or an event that a process waits for.
var modelLine = regexp.MustCompile(`(?m)^(S_\w+) \.scope (\w+)[.\w]*, "([^"]*)".*?(?:(S_\w+))?;$` +
	`|^(v0x[0-9a-f]+)_\d+ \.(?:var|net|array)` +
	`|^E_\S+ \.event (?:edge|anyedge)(.*);$`)

var variableName = regexp.MustCompile(`\bv0x[0-9a-f]+`)

// awaitedFunctions returns the functions whose variables are waited for by processes of a compiled
// model. Icarus 11 makes an always_comb sensitive to the variables of a function that it calls, if
// the function reads single bits of them. All callers share these variables, even if the function
// is automatic. Two callers with different arguments therefore wake each other for ever.
func awaitedFunctions(program string) (functions []string) {
	text, err := os.ReadFile(program)
	if err != nil {
		return nil // it was there a moment ago: nothing can be said
	}
	type scope struct {
		name     string
		function bool
	}
	scopes := map[string]scope{}    // by label
	variables := map[string]scope{} // those of functions
	var in scope
	var events []string
	for _, m := range modelLine.FindAllStringSubmatch(string(text), -1) {
		switch label, kind, name, outer, variable, event := m[1], m[2], m[3], scopes[m[4]], m[5], m[6]; {
		case label != "":
			in = scope{name, outer.function || strings.HasSuffix(kind, "function")}
			if outer.name != "" {
				in.name = outer.name + "." + name
			}
			scopes[label] = in
		case variable != "":
			if in.function {
				variables[variable] = in
			}
		default:
			events = append(events, variableName.FindAllString(event, -1)...)
		}
	}
	for _, v := range events {
		if f, ok := variables[v]; ok && !slices.Contains(functions, f.name) {
			functions = append(functions, f.name)
		}
	}
	return functions
}
