package lanes

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/source"
)

// yosysLine matches an error or a warning of Yosys. Some have no place, or line 0:
//
//	hw/fifo.sv:12: ERROR: syntax error, unexpected TOK_ID
//	hw/fifo.sv:0: ERROR: System task `$finish' outside initial block is unsupported.
//	Warning: multiple conflicting drivers for fifo.\a [1]:
var yosysLine = regexp.MustCompile(`(?m)^(?:(\S+?):(\d+): )?(ERROR|Warning): (.*)$`)

// endPlace matches the place at the end of a message: "(hw/fifo.sv:12)" or "See hw/fifo.sv:12".
var endPlace = regexp.MustCompile(`(?:\(|See )([^\s():]+):(\d+)\)?$`)

// diagnosis is an error or a warning of Yosys.
type diagnosis struct {
	where string // "folder/file.sv:12", or ""
	text  string
	line  string // the text of the line in the source, or ""
	fatal bool
}

// diagnoses returns the errors and warnings in a log, in order and each once.
func (y *run) diagnoses(log string) (all []diagnosis) {
	for _, m := range yosysLine.FindAllStringSubmatch(log, -1) {
		if at := endPlace.FindStringSubmatch(m[4]); m[1] == "" && at != nil {
			m[1], m[2] = at[1], at[2]
		}
		n, _ := strconv.Atoi(m[2])
		d := diagnosis{text: m[4], fatal: m[3] == "ERROR"}
		if n == 0 {
			n = y.mentioned(m[1], m[4])
		}
		if m[1] != "" && m[1] != "input" && n > 0 {
			d.where, d.line = fmt.Sprintf("%s:%d", m[1], n), y.sourceLine(m[1], n)
		} else if m[1] != "" && m[1] != "input" {
			d.where = m[1]
		}
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// quotedName matches what a message of Yosys is about.
var quotedName = regexp.MustCompile("[`'](\\S+?)[`']")

// mentioned returns the first line of a source that has what a message quotes, or 0. Yosys does not
// give the lines of tasks.
func (y *run) mentioned(file, message string) int {
	m := quotedName.FindStringSubmatch(message)
	if m == nil {
		return 0
	}
	for _, s := range y.sources {
		if s.Name != file {
			continue
		}
		for i, line := range strings.Split(string(source.WithoutComments(s.Data)), "\n") {
			if strings.Contains(line, strings.TrimPrefix(m[1], `\`)) {
				return i + 1
			}
		}
	}
	return 0
}

func (y *run) sourceLine(file string, n int) string {
	for _, s := range y.sources {
		if s.Name == file {
			if lines := strings.Split(string(s.Data), "\n"); n <= len(lines) {
				return strings.TrimSpace(lines[n-1])
			}
		}
	}
	return ""
}

// failed makes an error of what Yosys says when it ends.
func (y *run) failed(e *build.ToolError) error {
	all := y.diagnoses(e.Output)
	for _, d := range all {
		if !d.fatal || d.line == "" {
			continue
		}
		return &UnsupportedError{Top: y.design.Top, Where: d.where, Construct: d.line, Reason: "Yosys says: " + d.text + ". " +
			"It takes less SystemVerilog than Icarus and Verilator do: write it otherwise, run the design in one of these, " +
			"or define SYNTHESIS in Design.Defines if the sources leave it out then"}
	}
	return &bridge.CompileError{Simulator: "lanes (Yosys)", Top: y.design.Top, Command: e.Command, Output: e.Output}
}

// warnings are what Yosys warns of, and has gone on.
func (y *run) warnings() (all []bridge.Message) {
	for _, d := range y.diagnoses(y.log) {
		m := bridge.Message{Severity: bridge.Warning, Where: d.where, Text: "Yosys: " + d.text}
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// mistaken returns an error if Yosys has only warned of something that makes another circuit than
// the simulators run.
func (y *run) mistaken() error {
	var errs []error
	add := func(d diagnosis, construct, reason string) {
		e := &UnsupportedError{Top: y.design.Top, Where: d.where, Construct: construct, Reason: reason}
		if len(errs) < 5 {
			errs = append(errs, e)
		}
	}
	for _, d := range y.diagnoses(y.log) {
		name := ""
		if m := quotedName.FindStringSubmatch(d.text); m != nil {
			name = strings.TrimPrefix(m[1], `\`)
		}
		switch {
		case strings.Contains(d.text, "is implicitly declared"):
			what, reason := "name "+name, "it is not declared, and Yosys makes a wire of it that nothing drives"
			if strings.HasPrefix(name, "$") {
				what, reason = name, "a system function that Yosys does not know"
			} else if strings.Contains(name, ".") {
				what, reason = "hierarchical reference "+name, "Yosys makes a new wire of it, which nothing drives: connect the signal by a port"
			}
			add(d, what, reason)
		case strings.Contains(d.text, "multiple conflicting drivers for"):
			signal := strings.TrimSuffix(d.text[strings.LastIndex(d.text, "for ")+len("for "):], ":")
			add(d, "signal "+strings.ReplaceAll(signal, `\`, ""), "it has several drivers, and a lane has no values for that")
		case strings.Contains(d.text, "limited support for tri-state"):
			add(d, "a driver that can be off (z)", "a lane has two values, 0 and 1, and no tri-state drivers")
		}
	}
	return errors.Join(errs...)
}
