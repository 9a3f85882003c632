package verilator

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// token matches what matters for finding calls of $fatal in preprocessed text: `line directives,
// strings and comments, and the calls.
var token = regexp.MustCompile("(?s)`line\\s+(\\d+)\\s+\"([^\"]*)\"[^\\n]*|\"(?:[^\"\\\\]|\\\\.)*\"|//[^\\n]*|/\\*.*?\\*/|\\$fatal\\b|\\n")

// fatalPlaces finds where $fatal is called in the output of verilator -E. Verilator 5.006 prints
// and generates the same code for $fatal and $error, of which only the first ends the simulation.
func fatalPlaces(preprocessed string) []string {
	var places []string
	file, line := "", 1
	for _, m := range token.FindAllStringSubmatchIndex(preprocessed, -1) {
		text := preprocessed[m[0]:m[1]]
		switch {
		case m[2] >= 0:
			line, _ = strconv.Atoi(preprocessed[m[2]:m[3]])
			line-- // of the line that follows
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

// fatalTable is the part of ports.inc that knows them.
func fatalTable(places []string) string {
	var b strings.Builder
	b.WriteString("static inline bool cosim_is_fatal(const char* file, int line) {\n")
	for _, place := range places {
		file, line, _ := strings.Cut(place, ":")
		fmt.Fprintf(&b, "    if (line == %s && std::strcmp(file, %q) == 0) return true;\n", line, file)
	}
	b.WriteString("    return false;\n}\n")
	return b.String()
}
