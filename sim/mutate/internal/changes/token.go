package changes

import "strings"

// token is a word, a number, an operator or another sign of a source. Comments, blanks and compiler
// directives are none.
type token struct {
	text   string
	at     int // the byte where it begins
	number bool
}

func (t token) end() int { return t.at + len(t.text) }

// signs are the operators of more than one character, longer ones first.
var signs = []string{"<<<=", ">>>=", "<<<", ">>>", "===", "!==", "==?", "!=?", "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "~&", "~|", "~^",
	"^~", "**", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+:", "-:", "->", "::", "'{", ".*", "(*", "*)"}

func letter(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// tokens returns the tokens of a source. Attributes, (* ... *), are left out, too.
func tokens(text string) (all []token) {
	for i := 0; i < len(text); {
		c, rest := text[i], text[i:]
		n := 1
		switch {
		case c <= ' ':
			i++
			continue
		case strings.HasPrefix(rest, "//"), c == '`' && directive(rest):
			i += through(rest, "\n")
			continue
		case strings.HasPrefix(rest, "/*"):
			i += through(rest, "*/")
			continue
		case strings.HasPrefix(rest, "(*") && !strings.HasPrefix(rest, "(*)"):
			i += through(rest, "*)")
			continue
		case c == '"':
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(rest))
		case c == '\\':
			for n < len(rest) && rest[n] > ' ' {
				n++
			}
		case letter(c), c == '`':
			for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
				n++
			}
		case digit(c) || c == '\'' && literal(rest[1:]) > 0:
			n = numberAt(rest)
			all = append(all, token{rest[:n], i, true})
			i += n
			continue
		default:
			for _, s := range signs {
				if strings.HasPrefix(rest, s) {
					n = len(s)
					break
				}
			}
		}
		all = append(all, token{text: rest[:n], at: i})
		i += n
	}
	return all
}

// directive reports whether a compiler directive begins that takes a line, and is no macro that is
// used.
func directive(rest string) bool {
	for _, d := range []string{"define", "undef", "include", "ifdef", "ifndef", "elsif", "else", "endif", "default_nettype", "timescale", "resetall", "line"} {
		if word, ok := strings.CutPrefix(rest[1:], d); ok && (word == "" || !letter(word[0]) && !digit(word[0])) {
			return true
		}
	}
	return false
}

// through returns how many bytes there are up to the end of what ends a comment.
func through(rest, end string) int {
	if i := strings.Index(rest[2:], end); i >= 0 {
		return 2 + i + len(end)
	}
	return len(rest)
}

// literal returns how long the part of a number behind ' is: a base with digits, or a 0 or 1.
func literal(rest string) int {
	if rest == "" {
		return 0
	}
	n := 0
	if rest[0] == 's' || rest[0] == 'S' {
		n++
	}
	if n < len(rest) && strings.IndexByte("bodhBODH", rest[n]) >= 0 {
		n++
		for n < len(rest) && (rest[n] == ' ' && n < 3) {
			n++
		}
		begin := n
		for n < len(rest) && strings.IndexByte("0123456789abcdefABCDEFxXzZ?_", rest[n]) >= 0 {
			n++
		}
		if n > begin {
			return n
		}
		return 0
	}
	if strings.IndexByte("01xXzZ", rest[0]) >= 0 && (len(rest) == 1 || !letter(rest[1]) && !digit(rest[1])) {
		return 1
	}
	return 0
}

// numberAt returns how long the number is that begins here: 12, 4'd9, '1.
func numberAt(rest string) int {
	n := 0
	for n < len(rest) && (digit(rest[n]) || rest[n] == '_') {
		n++
	}
	if n < len(rest) && rest[n] == '\'' {
		if k := literal(rest[n+1:]); k > 0 {
			return n + 1 + k
		}
	}
	if n+1 < len(rest) && rest[n] == '.' && digit(rest[n+1]) {
		for n++; n < len(rest) && digit(rest[n]); n++ {
		}
	}
	return n
}
