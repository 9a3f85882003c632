package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Annotation returns a line that makes GitHub show the failure at the line of the test. Print it at
// the beginning of a line. Outside of a GitHub workflow (GITHUB_ACTIONS is not "true") it returns
// "". f.File is relative to the present folder; in the annotation it is relative to
// GITHUB_WORKSPACE.
func (f *Failure) Annotation() string {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return ""
	}
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var properties []string
	if f.File != "" {
		properties = append(properties, "file="+property.Replace(inWorkspace(f.File)))
		if f.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", f.Line))
		}
	}
	properties = append(properties, "title="+property.Replace(f.Title()))

	var message strings.Builder
	if more := f.more(); more != "" {
		fmt.Fprintln(&message, more)
	}
	f.table(&message, palette{})
	if note := clean(f.Note); note != "" {
		fmt.Fprintf(&message, "\n%s\n", note)
	}
	fmt.Fprintf(&message, "\nseed %d", f.Seed)
	if again := clean(f.Reproduce); again != "" {
		fmt.Fprintf(&message, "; again: %s", again)
	}
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.TrimLeft(message.String(), "\n"))
	return "::error " + strings.Join(properties, ",") + "::" + text + "\n"
}

// inWorkspace returns a file's path relative to the folder of the workflow, if it is in there.
func inWorkspace(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(os.Getenv("GITHUB_WORKSPACE"), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}
