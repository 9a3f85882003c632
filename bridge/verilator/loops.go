package verilator

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// guardLoops makes the loops that are left in generated code count, so that one without end can be
// left: see cosim_beat in host.h. Verilator's own loops are over its variables (__V...) and end by
// themselves. It tells whether there are any.
func guardLoops(obj string, files []string) (any bool, err error) {
	for _, name := range files {
		path := filepath.Join(obj, name+".cpp")
		text, err := os.ReadFile(path)
		if err != nil {
			return false, err
		}
		if guarded := guardText(string(text)); guarded != string(text) {
			any = true
			if err := os.WriteFile(path, []byte(guarded), 0o666); err != nil {
				return false, err
			}
		}
	}
	return any, nil
}

var (
	loopHead = regexp.MustCompile(`(?m)^( *)(} )?while \(`)
	ownLoop  = regexp.MustCompile(`^\(*(?:\(IData\)\()?(?:vlSelf(?:->|Ref\.))?(?:__V|\d+U >=? n\))`)
)

func guardText(text string) string {
	var b strings.Builder
	for {
		m := loopHead.FindStringSubmatchIndex(text)
		if m == nil {
			b.WriteString(text)
			return b.String()
		}
		end := closing(text, m[1])
		condition := text[m[1]:end]
		switch {
		case ownLoop.MatchString(condition):
			b.WriteString(text[:end+1])
		case m[4] >= 0: // do { } while (...)
			fmt.Fprintf(&b, "%s} while (cosim_beat(cosim_shared_count), (%s))", text[:m[3]], condition)
		default:
			fmt.Fprintf(&b, "%sfor (unsigned cosim_count = 0; cosim_beat(cosim_count), (%s);)", text[:m[3]], condition)
		}
		text = text[end+1:]
	}
}

// closing is where the parenthesis ends that was opened before from.
func closing(text string, from int) int {
	depth := 1
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text) - 1
}

// loopWord matches a loop statement, and what could look like one.
var loopWord = regexp.MustCompile("(?s)\"(?:[^\"\\\\]|\\\\.)*\"|//[^\\n]*|/\\*.*?\\*/|\\b(?:while|forever|repeat|do|for)\\b(?:\\s*\\(\\s*genvar\\b)?|\\n")

// loops are the places of the design's loop statements, of which one may have no end.
func loops(d *bridge.Design) string {
	sources, err := d.Sources()
	if err != nil {
		return ""
	}
	var places []string
	for _, s := range sources {
		line := 1
		for _, text := range loopWord.FindAllString(string(s.Data), -1) {
			if c := text[0]; c >= 'a' && c <= 'z' && !strings.HasSuffix(text, "genvar") {
				places = append(places, fmt.Sprintf("%s:%d (%s)", s.Name, line, text))
			}
			line += strings.Count(text, "\n")
		}
	}
	const most = 10
	if n := len(places); n > most {
		places = append(places[:most], fmt.Sprintf("and %d more", n-most))
	}
	return strings.Join(places, ", ")
}
