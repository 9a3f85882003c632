package icarus

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
)

// maxOutput is how many bytes vvp may print in one run. If it prints more, it is killed.
const maxOutput = 64 << 20

// maxTail is how many bytes of the output an error shows.
const maxTail = 4 << 10

// output is what vvp prints. It goes to a file in memory and not through a pipe: when vvp answers,
// all of it is there, so that the messages of a run always belong to that run. In the text are
// records of the VPI module (see shared.h), which say in which cycle text was printed.
type output struct {
	file     *os.File
	last     []byte // the end of what was printed, for errors
	partial  string // the beginning of a line that has not ended
	messages []bridge.Message
	end      *ending // how the RTL ended the simulation, if it has
}

// ending is a call of $finish, $stop or $fatal.
type ending struct{ task, where, message string }

func newOutput() (*output, error) {
	fd, err := unix.MemfdCreate("cosimate-output", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("icarus: memory for the output of vvp: %w", err)
	}
	// This process truncates the file while vvp writes to it: vvp must always append.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("icarus: memory for the output of vvp: %w", err)
	}
	return &output{file: os.NewFile(uintptr(fd), "cosimate-output")}, nil
}

func (o *output) size() int64 {
	info, err := o.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// close frees the file. The messages stay.
func (o *output) close() {
	o.flush(0)
	o.file.Close()
}

// take returns the messages since the last call.
func (o *output) take() []bridge.Message {
	m := o.messages
	o.messages = nil
	return m
}

// tail returns the end of what was printed.
func (o *output) tail() string { return strings.TrimSpace(string(o.last)) }

// collect empties the file and makes messages of what was in it. vvp must be waiting or gone. Text
// that no record gives a cycle was printed in the given cycle.
func (o *output) collect(cycle uint64) {
	n := o.size()
	if n == 0 {
		return
	}
	b := make([]byte, n)
	k, _ := o.file.ReadAt(b, 0)
	o.file.Truncate(0)
	// Text is collected until the record that has its cycle.
	var pending []any
	settle := func(cycle uint64) {
		for _, p := range pending {
			switch p := p.(type) {
			case string:
				o.text(p, cycle)
			case bridge.Message:
				p.Cycle = cycle
				o.messages = append(o.messages, p)
			}
		}
		pending = nil
	}
	rest := string(b[:k])
	for rest != "" {
		text, record, after := nextRecord(rest)
		rest = after
		if text != "" {
			pending = append(pending, text)
			o.remember(text)
		}
		if record == "" {
			continue
		}
		f := strings.SplitN(record[1:], recordNext, 4)
		switch {
		case record[0] == 'c' && len(f) == 1:
			if c, ok := unsigned(f[0]); ok {
				settle(c)
			}
		case record[0] == 'l' && len(f) == 4:
			pending = append(pending, bridge.Message{Severity: severities[f[0]], Scope: f[1], Where: f[2], Text: f[3]})
			o.remember(f[0] + ": " + f[3] + "\n")
		case record[0] == 'e' && len(f) == 3 && o.end == nil:
			o.end = &ending{task: f[0], where: f[2]}
		}
	}
	settle(cycle)
}

// remember keeps the end of what was printed.
func (o *output) remember(text string) {
	o.last = append(o.last, text...)
	if extra := len(o.last) - maxTail; extra > 0 {
		o.last = bytes.Clone(o.last[extra:])
	}
}

// The marks of records: see shared.h.
const (
	recordBegin = "\x1d"
	recordNext  = "\x1f"
	recordEnd   = "\x1e"
)

// filter changes what was printed and is not collected yet. vvp must be gone.
func (o *output) filter(change func(string) string) {
	b := make([]byte, o.size())
	k, _ := o.file.ReadAt(b, 0)
	o.file.Truncate(0)
	o.file.WriteString(change(string(b[:k])))
}

// nextRecord cuts s into the text before its first record, the record, and what comes after it.
func nextRecord(s string) (text, record, after string) {
	text, rest, found := strings.Cut(s, recordBegin)
	if !found {
		return text, "", ""
	}
	record, after, _ = strings.Cut(rest, recordEnd)
	return text, record, after
}

// severities are by the names that $cosim_log and vvp give them.
var severities = map[string]bridge.Severity{
	"debug": bridge.Debug, "info": bridge.Info, "warning": bridge.Warning, "error": bridge.Error,
	"INFO": bridge.Info, "WARNING": bridge.Warning, "ERROR": bridge.Error, "FATAL": bridge.Fatal,
}

// How vvp prints $info to $fatal. Icarus 11 and 13 differ in one space only.
//
//	ERROR: hw/fifo.sv:12: text, of any number of lines
//	       Time: 5000 Scope: top.u_fifo
var (
	// A $write may have printed the beginning of the line.
	severeLine = regexp.MustCompile(`(INFO|WARNING|ERROR|FATAL): (\S+:\d+): ?(.*)$`)
	scopeLine  = regexp.MustCompile(`^ +Time: \d+ +Scope: (\S+)$`)
	// A system task prints this itself if it is used wrongly: "$readmemh: Unable to open ...". It
	// has no line with the scope.
	ownLine = regexp.MustCompile(`^(WARNING|ERROR): (\S+:\d+): (\$.*)$`)
)

// text makes messages of what was printed in a cycle. A line is a message, and so are all lines of
// a $error.
func (o *output) text(s string, cycle uint64) {
	s = o.partial + s
	o.partial = ""
	lines := strings.Split(s, "\n")
	o.partial = lines[len(lines)-1]
	lines = lines[:len(lines)-1]
	for i := 0; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "FST info: ") || strings.HasPrefix(lines[i], "FST warning: array word ") {
			continue // they only say that a waveform with words of memories is written
		}
		m := bridge.Message{Cycle: cycle, Text: lines[i]}
		if f := severeLine.FindStringSubmatch(lines[i]); f != nil {
			before := strings.TrimSuffix(lines[i], f[0])
			for end := i + 1; end < len(lines); end++ {
				if scope := scopeLine.FindStringSubmatch(lines[end]); scope != nil {
					if before != "" {
						o.messages = append(o.messages, bridge.Message{Cycle: cycle, Text: before})
					}
					m.Severity, m.Where, m.Scope = severities[f[1]], f[2], scope[1]
					m.Text = strings.Join(append([]string{f[3]}, lines[i+1:end]...), "\n")
					if m.Text == "" && m.Severity == bridge.Error {
						m.Text = "an assert without else, or $error without a text"
					}
					i = end
					break
				}
			}
		}
		if f := ownLine.FindStringSubmatch(lines[i]); f != nil && m.Severity == bridge.Display {
			m.Severity, m.Where, m.Text = severities[f[1]], f[2], f[3]
		}
		if m.Severity == bridge.Fatal && o.end == nil {
			o.end = &ending{"$fatal", m.Where, m.Text}
		}
		o.messages = append(o.messages, m)
	}
}

// flush makes a message of a line that has not ended.
func (o *output) flush(cycle uint64) {
	if o.partial != "" {
		o.text("\n", cycle)
	}
}
