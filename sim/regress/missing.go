package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// notInstalled matches what package bridge says of a tool that is missing.
var notInstalled = regexp.MustCompile(`(\S+) is not installed: (?:run: |install the package )`)

// lacks returns what to say of a unit that has failed because a tool is not installed where it ran,
// or "": which line of the plan it is, and what to do.
func (j *Job) lacks(text string) string {
	m := notInstalled.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return j.needs(m[1])
}

func (j *Job) needs(tool string) string {
	const install = "install it on all nodes"
	do := install + ": a model was not compiled before the workers began, as no run opened it there"
	switch {
	case tool == "vvp":
		do = "it runs the models of Icarus: " + install + " (package iverilog), or choose Verilator only"
	case j.Package == "" && !j.opensModels():
		do = "a command uses what is installed where it runs: " + install + ", or give the line a plan of its own and run that here, with --jobs"
	case j.Compile:
		do = "this line compiles where it runs, by compile=worker or because its first seed failed: " + install + ", or have all seeds use the same models, and leave compile=worker out"
	}
	return fmt.Sprintf("line %d of the plan: %s is not installed where it ran; %s", j.Line, tool, do)
}

// notThere returns what to say of a command that cannot be started, or "" if that is not its own
// fault.
func (r *Run) notThere(j *Job, program string, err error) string {
	if j.Package != "" || !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return ""
	}
	if _, err := os.Stat(filepath.Join(r.Root, filepath.FromSlash(j.Dir))); err != nil {
		return "" // the node does not see the module
	}
	return j.needs(program)
}
