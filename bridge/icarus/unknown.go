package icarus

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// syntaxError finds where iverilog says so, which is all that it says.
var syntaxError = regexp.MustCompile(`(?m)^(.+):(\d+): syntax error$`)

// unknown are constructs that iverilog 11 calls a syntax error, and what it takes instead.
var unknown = []struct {
	construct *regexp.Regexp
	hint      string
}{
	{regexp.MustCompile(`\b(?:parameter|localparam)\s+(?:byte|shortint|int|longint|integer)\s+(?:un)?signed\b`),
		"this version of Icarus knows no parameter that is `int unsigned`: write `int`, or `logic [31:0]`"},
	{regexp.MustCompile(`\b(?:parameter|localparam)\s+type\b`),
		"this version of Icarus knows no parameters that are types: give the parameter a width instead, or leave Icarus out" + without},
	{regexp.MustCompile(`\b(?:parameter|localparam)\s+string\b`),
		"this version of Icarus knows no parameter that is a `string`: leave its type away, as in `parameter Name = \"text\"`"},
}

const without = " (-sim.only=verilator in go test, --sim verilator in commands)"

// hint returns what to do about a syntax error in sources, or "" if iverilog says of none.
func hint(sources fs.FS, said string) string {
	at := syntaxError.FindStringSubmatch(said)
	if at == nil {
		return ""
	}
	if text, err := fs.ReadFile(sources, at[1]); err == nil {
		lines := strings.Split(string(text), "\n")
		if n, _ := strconv.Atoi(at[2]); n > 0 && n <= len(lines) {
			for _, u := range unknown {
				if u.construct.MatchString(lines[n-1]) {
					return u.hint
				}
			}
		}
	}
	return "if the line is right, this version of Icarus does not know what it uses: leave Icarus out" + without
}
