// Package shell quotes words for commands that are shown to be copied into a shell.
package shell

import (
	"regexp"
	"strings"
)

// special matches a character that a POSIX shell may interpret.
var special = regexp.MustCompile(`[^\w@%+=:,./-]`)

// Quote returns a text as a POSIX shell takes it for one word: as it is, or in single quotes if
// the shell would interpret it.
func Quote(text string) string {
	if text != "" && !special.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
