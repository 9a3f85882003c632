package verilator

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/loops"
)

// guardLoops makes the loops of the design in generated code call cosim_beat (host.h), which leaves
// a loop that does not end. Verilator's own loops are over its own variables (__V...), end by
// themselves, and are not changed. It reports whether there are loops of the design.
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
	// loopHead matches the beginning of a while loop, or the end of a do loop.
	loopHead = regexp.MustCompile(`(?m)^( *)(} )?while \(`)
	// ownLoop matches the condition of one of Verilator's own loops.
	ownLoop = regexp.MustCompile(`^\(*(?:\(IData\)\()?(?:vlSelf(?:->|Ref\.))?(?:__V|\d+U >=? n\))`)
)

// guardText does for one file what guardLoops says.
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

// closing returns the place of the parenthesis that closes the one before place from.
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

// loopPlaces returns the places of the design's loop statements.
func loopPlaces(d *bridge.Design) string {
	var places []string
	for _, s := range loops.Of(d) {
		places = append(places, fmt.Sprintf("%s:%d (%s)", s.File, s.Line, s.Word))
	}
	const most = 10
	if n := len(places); n > most {
		places = append(places[:most], fmt.Sprintf("and %d more", n-most))
	}
	return strings.Join(places, ", ")
}
