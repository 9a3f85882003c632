package shell_test

import (
	"os/exec"
	"testing"

	"github.com/cosimate/cosimate/internal/shell"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"rtl/movegen":         "rtl/movegen",
		"-run=^TestFIFO$/a_b": `'-run=^TestFIFO$/a_b'`,
		"a=1,b:c@d+e%":        "a=1,b:c@d+e%",
		"":                    "''",
		"it's":                `'it'\''s'`,
		"two words":           "'two words'",
		"~":                   "'~'",
		"größe":               "'größe'",
		"a\n$(b) `c` \\ \"*?": "'a\n$(b) `c` \\ \"*?'",
	} {
		got := shell.Quote(text)
		if got != want {
			t.Errorf("Quote(%q) = %s, not %s", text, got, want)
		}
		out, err := exec.Command("/bin/sh", "-c", "printf %s "+got).Output()
		if err != nil || string(out) != text {
			t.Errorf("a shell takes %s for %q: %v", got, out, err)
		}
	}
}
