package vectors

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// This file runs a reference model that is a process, in any language: model: COMMAND. In each
// cycle it is given a line with the inputs, and answers with a line that has the outputs it
// expects. In JSON these are objects with a field for each port:
//
//	{"rst_i":0,"a_i":3}
//	{"sum_o":"0x1f","valid_o":1}
//
// In CSV the first line of both sides has the names of ports. An output that is missing, null, "-"
// or empty does not matter, and neither do digits - of 0x and 0b.

// model reads the line model: [json|csv] COMMAND.
func (c *checker) model() {
	l := c.file.value("model")
	if l == nil {
		return
	}
	words := l.Words
	if len(words) > 0 && (words[0].Text == "csv" || words[0].Text == "json") {
		c.plan.csv = words[0].Text == "csv"
		words = words[1:]
	}
	if len(words) == 0 {
		c.span(l.At, l.end(), 1, "the command of the model is missing", "model: python3 model.py; with csv before it the lines are CSV, and not JSON")
		return
	}
	c.plan.model = texts(words)
}

// allowed returns an error if a vector has a command that may not be run.
func (p *plan) allowed(o *Options) error {
	if p.model == nil || o.AllowModel {
		return nil
	}
	l := p.file.value("model")
	e := p.file.at(l.At, l.Words[0].Column, l.end()-l.Words[0].Column, "the vector runs a command")
	e.Help = "look at it; with --allow-model it is run"
	return Errors{e}
}

// process is a running model.
type process struct {
	command string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	lines   chan string
	ended   chan struct{} // closed when its output has ended
	broken  error         // why its output cannot be read further; of ended
	exited  chan struct{} // closed when the process has ended
	status  error         // how it has; of exited
	stop    context.CancelFunc
	ctx     context.Context
	inputs  []*Port
	outputs []*Port
	columns []int // of CSV: for each column of an answer, the output or -1
	csv     bool
	line    int // answers so far
	timeout time.Duration

	mu     sync.Mutex
	errors bytes.Buffer // the end of what it wrote to standard error
}

// modelRow is what a model expects of a cycle: a value for each output, nil if it does not matter.
type modelRow struct{ values []*value }

func startModel(ctx context.Context, p *plan, d *design, timeout time.Duration) (*process, error) {
	ctx, stop := context.WithCancel(ctx)
	m := &process{command: strings.Join(p.model, " "), ctx: ctx, stop: stop, csv: p.csv, outputs: d.outputs(), timeout: timeout,
		lines: make(chan string, 64), ended: make(chan struct{}), exited: make(chan struct{})}
	for i := range d.ports {
		if d.ports[i].Input {
			m.inputs = append(m.inputs, &d.ports[i])
		}
	}
	m.cmd = exec.CommandContext(ctx, p.model[0], p.model[1:]...)
	m.cmd.Dir = filepath.Dir(p.file.Name)
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	m.cmd.Cancel = func() error { return syscall.Kill(-m.cmd.Process.Pid, syscall.SIGKILL) } // and its children
	m.cmd.WaitDelay = 200 * time.Millisecond
	m.cmd.Stderr = m
	in, err := m.cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	out, err := m.cmd.StdoutPipe()
	if err == nil {
		err = m.cmd.Start()
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("the model %s cannot be started: %w. Its command is run in the vector's folder, without a shell", m.command, err)
	}
	m.in, m.out = in, out
	go m.read()
	if m.csv {
		var names []string
		for _, p := range m.inputs {
			names = append(names, p.Name)
		}
		if err := m.header(strings.Join(names, ",") + "\n"); err != nil {
			m.close()
			return nil, err
		}
	}
	return m, nil
}

// maxAnswer bounds a line of a model.
const maxAnswer = 1 << 20

// read reads the model's lines until there are no more, and waits for its end.
func (m *process) read() {
	s := bufio.NewScanner(m.out)
	s.Buffer(nil, maxAnswer)
	for more := true; more && s.Scan(); {
		select {
		case m.lines <- s.Text():
		case <-m.ctx.Done():
			more = false
		}
	}
	m.broken = s.Err()
	close(m.ended)
	m.status = m.cmd.Wait()
	// What it has started may live on.
	syscall.Kill(-m.cmd.Process.Pid, syscall.SIGKILL)
	close(m.exited)
}

// Write keeps the end of what the model writes to standard error.
func (m *process) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.errors.Write(b)
	if extra := m.errors.Len() - 2000; extra > 0 {
		m.errors.Next(extra)
	}
	return len(b), nil
}

// close ends the model and what it has started.
func (m *process) close() {
	m.in.Close()
	select {
	case <-m.ended: // it has seen the end of its input
	case <-time.After(200 * time.Millisecond):
	}
	m.stop()
	m.out.Close() // somebody who has left its group of processes may hold it
	<-m.exited
}

// failed returns an error of the model, with what it has written to standard error.
func (m *process) failed(format string, args ...any) error {
	m.mu.Lock()
	said := strings.TrimSpace(m.errors.String())
	m.mu.Unlock()
	text := fmt.Sprintf("the model %s ", m.command) + fmt.Sprintf(format, args...)
	if said != "" {
		text += "\n" + said
	}
	return errors.New(text)
}

// answer returns the model's next line.
func (m *process) answer(what string) (string, error) {
	late := time.NewTimer(m.timeout)
	defer late.Stop()
	select {
	case line := <-m.lines:
		return line, nil
	case <-m.ctx.Done():
		return "", context.Cause(m.ctx)
	case <-late.C:
		return "", m.failed("has not answered %s within %v. Does it flush its output after each line?", what, m.timeout)
	case <-m.ended:
		select {
		case line := <-m.lines:
			return line, nil
		default:
		}
		if errors.Is(m.broken, bufio.ErrTooLong) {
			return "", m.failed("answers %s with more than %d MiB. End each answer with a line end", what, maxAnswer>>20)
		}
		m.in.Close()
		select {
		case <-m.exited:
		case <-late.C:
			return "", m.failed("has closed its output before it answered %s", what)
		}
		if m.status == nil {
			return "", m.failed("ended before it answered %s. It has to answer each line until there are no more", what)
		}
		return "", m.failed("ended (%v) before it answered %s", m.status, what)
	}
}

// header exchanges the names of ports as CSV.
func (m *process) header(names string) error {
	if err := m.write([]byte(names)); err != nil {
		return err
	}
	line, err := m.answer("the line with the names of the inputs")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(line, ",") {
		name = strings.TrimSpace(name)
		k := -1
		for i, p := range m.outputs {
			if p.Name == name {
				k = i
			}
		}
		if k < 0 {
			return m.failed("answers with %q, which is no output: its first line has the names of outputs with commas between them", shorten(name))
		}
		m.columns = append(m.columns, k)
	}
	return nil
}

func (m *process) write(text []byte) error {
	done := make(chan error, 1)
	go func() { _, err := m.in.Write(text); done <- err }()
	select {
	case <-done: // if it has ended, its answer is missing, which says more
		return nil
	case <-m.ctx.Done():
		return context.Cause(m.ctx)
	}
}

// rows gives the model some cycles, and returns what it expects of them. With an error, these are
// the cycles before it.
func (m *process) rows(tape []byte, n int, slots []bridge.Port) (rows []modelRow, err error) {
	if n == 0 {
		return nil, nil
	}
	size := len(tape) / n
	var text bytes.Buffer
	for row := range n {
		in := tape[row*size : (row+1)*size]
		for i, p := range m.inputs {
			v, _ := get(in, nil, &slots[p.field])
			number := p.signed(v).String()
			switch {
			case m.csv && i > 0:
				text.WriteByte(',')
			case !m.csv && i == 0:
				text.WriteByte('{')
			case !m.csv:
				text.WriteByte(',')
			}
			if !m.csv {
				fmt.Fprintf(&text, "%q:", p.Name)
				if v.BitLen() > 53 { // not a number in every language
					number = fmt.Sprintf("\"%#x\"", v)
				}
			}
			text.WriteString(number)
		}
		switch {
		case m.csv:
			text.WriteByte('\n')
		case len(m.inputs) == 0:
			text.WriteString("{}\n")
		default:
			text.WriteString("}\n")
		}
	}
	wrote := make(chan error, 1)
	go func() { wrote <- m.write(text.Bytes()) }()
	for range n {
		line, err := m.answer(fmt.Sprintf("line %d", m.line+1))
		if err != nil {
			return rows, err
		}
		m.line++
		r, err := m.parse(line)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	return rows, <-wrote
}

// parse reads an answer.
func (m *process) parse(line string) (r modelRow, err error) {
	r.values = make([]*value, len(m.outputs))
	set := func(i int, text string) error {
		p := m.outputs[i]
		v, problem, help := parseValue(text, p)
		if problem == "" && v.unknowns() {
			problem, help = fmt.Sprintf("%s is unknown", text), "write - for what does not matter"
		}
		if problem != "" {
			return m.failed("answers in line %d for %s: %s; %s", m.line, p.Name, problem, help)
		}
		if !v.open && !v.fill {
			r.values[i] = &v
		}
		return nil
	}
	if m.csv {
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil || len(cells) != len(m.columns) {
			return r, m.failed("answers in line %d with %q, which does not have %d values", m.line, shorten(line), len(m.columns))
		}
		for k, i := range m.columns {
			if text := strings.TrimSpace(cells[k]); text != "" {
				if err := set(i, text); err != nil {
					return r, err
				}
			}
		}
		return r, nil
	}
	var fields map[string]any
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil || fields == nil || d.More() {
		return r, m.failed("answers in line %d with %q, which is not an object in JSON", m.line, shorten(line))
	}
	for name, field := range fields {
		k := -1
		var names []string
		for i, p := range m.outputs {
			names = append(names, p.Name)
			if p.Name == name {
				k = i
			}
		}
		if k < 0 {
			return r, m.failed("answers in line %d for %q, which is no output; %s", m.line, shorten(name), choice(name, names))
		}
		text := ""
		switch f := field.(type) {
		case nil:
			continue
		case bool:
			text = map[bool]string{true: "1", false: "0"}[f]
		case json.Number:
			text = f.String()
		case string:
			text = f
		default:
			return r, m.failed("answers in line %d for %s with %v, which is no value", m.line, name, field)
		}
		if text == "" {
			continue
		}
		if err := set(k, text); err != nil {
			return r, err
		}
	}
	return r, nil
}
