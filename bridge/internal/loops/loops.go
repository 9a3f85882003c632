// Package loops finds the loop statements of a design, of which one may have no end if a simulator
// hangs.
package loops

import (
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Statement is a loop statement, or a line that looks like one.
type Statement struct {
	File string // as the simulators see it
	Line int
	Word string // while, forever, repeat, do or for
	Text string // the line
}

// token matches the word of a loop statement, and strings and comments, which may have such words.
// It also matches ends of lines.
var token = regexp.MustCompile("(?s)\"(?:[^\"\\\\]|\\\\.)*\"|//[^\\n]*|/\\*.*?\\*/|\\b(?:while|forever|repeat|do|for)\\b(?:\\s*\\(\\s*genvar\\b)?|\\n")

// Of returns the loop statements of a design. Loops of generate blocks end before the simulation
// begins: they are left out if they declare their genvar.
func Of(d *bridge.Design) (all []Statement) {
	sources, err := d.Sources()
	if err != nil {
		return nil // they were there when the model was built, and are gone since
	}
	for _, s := range sources {
		lines, line := strings.Split(string(s.Data), "\n"), 1
		for _, text := range token.FindAllString(string(s.Data), -1) {
			if c := text[0]; c >= 'a' && c <= 'z' && !strings.HasSuffix(text, "genvar") {
				code, _, _ := strings.Cut(lines[line-1], "//")
				all = append(all, Statement{s.Name, line, text, strings.TrimSpace(code)})
			}
			line += strings.Count(text, "\n")
		}
	}
	return all
}
