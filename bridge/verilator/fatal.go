package verilator

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// token matches what is needed to find the calls of $fatal in preprocessed text: the calls, ends of
// lines, `line directives, and the strings and comments in which $fatal is no call.
var token = regexp.MustCompile("(?s)`line\\s+(\\d+)\\s+\"([^\"]*)\"[^\\n]*|\"(?:[^\"\\\\]|\\\\.)*\"|//[^\\n]*|/\\*.*?\\*/|\\$fatal\\b|\\n")

// fatalPlaces returns the places, file:line, where $fatal is called in the output of verilator -E.
// Only $fatal ends the simulation, but Verilator 5.006 prints and generates the same for $error.
func fatalPlaces(preprocessed string) []string {
	var places []string
	file, line := "", 1
	for _, m := range token.FindAllStringSubmatchIndex(preprocessed, -1) {
		text := preprocessed[m[0]:m[1]]
		switch {
		case m[2] >= 0:
			line, _ = strconv.Atoi(preprocessed[m[2]:m[3]])
			line-- // the number is that of the line after this one
			file = preprocessed[m[4]:m[5]]
		case text == "$fatal":
			places = append(places, fmt.Sprintf("%s:%d", file, line))
		default:
			line += strings.Count(text, "\n")
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// fatalTable returns the part of ports.inc with the places of $fatal.
func fatalTable(places []string) string {
	var b strings.Builder
	b.WriteString("bool cosim_is_fatal(const char* file, int line) {\n")
	for _, place := range places {
		file, line, _ := strings.Cut(place, ":")
		fmt.Fprintf(&b, "    if (line == %s && std::strcmp(file, %q) == 0) return true;\n", line, file)
	}
	b.WriteString("    return false;\n}\n")
	return b.String()
}
