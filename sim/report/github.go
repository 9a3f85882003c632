package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Annotation is a line that makes GitHub show the failure at the line of the test, if this runs in
// a GitHub workflow (GITHUB_ACTIONS is "true"), and otherwise nothing. It must be printed at the
// beginning of a line. File is taken relative to the present folder, and becomes relative to
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

// inWorkspace is a file as seen from the folder of the workflow, if it lies there.
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
