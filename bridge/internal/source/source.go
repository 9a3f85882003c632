// Package source reads SystemVerilog as far as simulators have to be helped with it.
package source

import (
	"bytes"
	"regexp"
)

// commentOrString matches comments and strings of SystemVerilog.
var commentOrString = regexp.MustCompile(`(?s)"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/`)

// WithoutComments returns a source with blanks in place of comments and strings. What is left keeps
// its place.
func WithoutComments(text []byte) []byte {
	return commentOrString.ReplaceAllFunc(text, Blank)
}

// Blank returns blanks in place of a text, and its ends of lines.
func Blank(text []byte) []byte {
	blank := bytes.Repeat([]byte{' '}, len(text))
	for i, c := range text {
		if c == '\n' {
			blank[i] = c
		}
	}
	return blank
}
