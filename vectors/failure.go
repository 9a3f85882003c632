package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
)

// Failure is why a vector did not pass.
type Failure struct {
	Errors Errors // where in the vector, and what
	RTL    bool   // the RTL differs from the model
	Cycle  uint64
	Ports  []string // the names of the ports that differ
	Report report.Failure

	// Of a failure of RTL that a header names:
	kind  string
	first uint64        // the simulation's cycle that is the vector's first
	shift time.Duration // its time
}

// Error returns the errors with the tables, the waveform and what else is known.
func (f *Failure) Error() string {
	text := f.Errors.Error()
	if f.Report.Top != "" {
		text += "\n\n" + strings.TrimRight(f.Report.Text(false), "\n")
	}
	return text
}

// differs returns the failure of a row in which the RTL differs from the model.
func (pl *player) differs(row int, errs []error) *Failure {
	f := pl.failed(row, errs, nil)
	f.RTL = true
	var who []string
	dut := 0 // index of the first DUT that differs
	for i, err := range errs {
		var diff *sim.Difference
		if !errors.As(err, &diff) || int(diff.Cycle-pl.first[i]-pl.done) != row {
			continue
		}
		if who == nil {
			f.Report.Wave = pl.wave(diff.Wave, i)
			dut = i
		}
		who = append(who, string(pl.duts[i].Simulator()))
		for _, n := range diff.Differing() {
			if !slices.Contains(f.Ports, n) {
				f.Ports = append(f.Ports, n)
			}
		}
	}
	f.Report.Note = pl.explain(row, dut)
	m := pl.marks[row]
	for _, name := range f.Ports {
		p := pl.d.port(name)
		columns := pl.columns(p, row, errs)
		problem := fmt.Sprintf("%s of the RTL is not what the model says (%s)", name, strings.Join(who, ", "))
		word, expected := m.step.first, ""
		for i := range m.expect {
			if m.expect[i].port == p {
				word, expected = m.expect[i].word, "the vector expects "+m.expect[i].word.Text+", "
			}
		}
		if word.Text == "" && len(m.step.line.Words) > 0 {
			word = m.step.line.Words[0]
		}
		e := pl.p.file.at(m.step.line.At, word.Column, utf8.RuneCountInString(word.Text), problem)
		e.Label = pl.when(row)
		e.Notes = []string{expected + values(p, columns)}
		f.Errors = append(f.Errors, e)
		if len(f.Errors) == 3 {
			break
		}
	}
	return f
}

// explain returns what the model says of a row in which a DUT differs.
func (pl *player) explain(row, dut int) string {
	if !pl.marks[row].compared || pl.o.limit > 0 {
		return "" // the model has no explanation, or it would not be shown, as in shrinking
	}
	return pl.b.explain(row, dut, pl.done+uint64(row))
}

// wrongCell returns the failure of a cell whose expected value is not that of the outputs.
func (pl *player) wrongCell(row, which int) *Failure {
	m := pl.marks[row]
	c := &m.expect[which]
	p := pl.port(c)
	f := pl.failed(row, nil, c)
	f.Ports = []string{p.Name}
	if len(pl.duts) > 0 {
		f.Report.Wave = pl.wave(pl.duts[0].Recent(), 0)
	}
	columns := pl.columns(p, row, nil)
	is, same := "", true
	for i, col := range columns {
		if i > 0 && p.sample(col.value) != is {
			same = false
		}
		is = p.sample(col.value)
	}
	if c.fill {
		is = "?"
	}
	problem := fmt.Sprintf("%s is not %s", p.Name, c.word.Text)
	if same {
		problem = fmt.Sprintf("%s is %s, expected %s", p.Name, is, c.word.Text)
	}
	e := pl.p.file.at(m.step.line.At, c.word.Column, utf8.RuneCountInString(c.word.Text), problem)
	e.Label = pl.when(row)
	e.Notes = []string{values(p, columns)}
	if same && m.compared {
		e.Help = fmt.Sprintf("if they are right, write %s; cosimate vectors update --all %s does it", is, shell.Quote(pl.p.file.Name))
	}
	m.step.waited(e)
	f.Errors = Errors{e}
	return f
}

// waited says in the error of a statement with within how long it has waited, and what to do.
func (s *step) waited(e *Error) {
	if s.cycles > 0 && !s.each {
		e.Notes = append(e.Notes, fmt.Sprintf("the vector has waited %d cycles for it", s.cycles))
		e.Help = "if it only takes longer, give it more time: within TIME"
	}
}

// refused returns the failure of a statement that has returned an error, or the model has.
func (pl *player) refused(err error) *Failure {
	s := pl.step
	word := s.first
	if word.Text == "" {
		word = append(slices.Clone(s.line.Words), Word{" ", 1})[0]
	}
	var at *WordError
	if errors.As(err, &at) && at.Arg < len(s.words) {
		word = s.words[at.Arg]
	}
	text := err.Error()
	problem, rest, _ := strings.Cut(text, "\n")
	e := pl.p.file.at(s.line.At, word.Column, utf8.RuneCountInString(word.Text), problem)
	e.Label = fmt.Sprintf("cycle %d, %v", pl.cycle(), pl.at(pl.cycle()))
	if rest != "" {
		e.Notes = strings.Split(rest, "\n")
	}
	var late *lateError
	if errors.As(err, &late) {
		e.Problem = fmt.Sprintf("too late: %s", problem)
		e.Help = "give it more time: within TIME ..."
		if !late.within {
			e.Help = fmt.Sprintf("a statement may take %d cycles; write within TIME ... for more", defaultBound)
		}
	}
	f := &Failure{Errors: Errors{e}, Cycle: pl.cycle()}
	if n := len(pl.duts); n > 0 && pl.cycle() > 0 {
		f.Report = report.Failure{Top: pl.d.name, Reason: problem, Columns: []string{string(pl.duts[0].Simulator())}, Wave: pl.wave(pl.duts[0].Recent(), 0), Seed: pl.p.seed}
		f.Report.Cycle, f.Report.At = pl.cycle()-1, pl.at(pl.cycle()-1)
		f.Report.Reproduce = pl.p.reproduce()
	}
	return f
}

// failed returns the failure of a row, with the outputs in columns. The first column is the
// reference.
func (pl *player) failed(row int, errs []error, reference *cell) *Failure {
	f := &Failure{Cycle: pl.done + uint64(row)}
	f.Report = report.Failure{Top: pl.d.name, Cycle: f.Cycle, At: pl.at(f.Cycle), Seed: pl.p.seed, Reproduce: pl.p.reproduce()}
	ignored := pl.b.ignored(pl.want.Index(row))
	for i := range pl.ports {
		p := &pl.ports[i]
		if p.Input {
			continue
		}
		port := report.Port{Signal: report.Signal{Name: p.Name, Width: p.Width, Signed: p.Signed, Dir: report.Output, Names: p.named()}}
		port.Ignored = p.get(ignored)
		if !pl.marks[row].compared {
			port.Ignored = p.mask()
		}
		columns := pl.columns(p, row, errs)
		if reference != nil {
			v := columns[0].value // for ports that the vector does not expect
			if reference.port.Name == p.Name {
				v = report.Value{Bits: reference.lo}
				port.Ignored = new(big.Int)
				if reference.care != nil {
					port.Ignored.AndNot(p.mask(), reference.care)
				}
				if reference.unknowns() {
					v.Unknown = reference.unknown
				}
			}
			columns = append([]column{{"vector", v}}, columns...)
		}
		f.Report.Columns = nil
		for _, c := range columns {
			f.Report.Columns = append(f.Report.Columns, c.name)
			port.Values = append(port.Values, c.value)
		}
		f.Report.Ports = append(f.Report.Ports, port)
	}
	return f
}

// column is the value of a port in a row, from the model or a simulator.
type column struct {
	name  string
	value report.Value
}

// columns returns the values of the model and of the simulators that have played the row.
func (pl *player) columns(p *Port, row int, errs []error) (columns []column) {
	if pl.marks[row].compared {
		columns = append(columns, column{"model", report.Value{Bits: p.get(pl.want.Index(row))}})
	}
	for i, d := range pl.duts {
		v := report.Value{Bits: p.get(pl.got[i].Index(row))}
		var diff *sim.Difference
		switch {
		case i < len(errs) && errors.As(errs[i], &diff):
			at := int(diff.Cycle - pl.first[i] - pl.done)
			if at < row {
				v = report.Value{} // the simulator has not played the row
			} else if at == row {
				for _, q := range diff.Ports {
					if q.Name == p.Name {
						v = q.Values[1]
					}
				}
			}
		case d.Simulator() == sim.Icarus && d.Cycle() == pl.first[i]+pl.done+uint64(row)+1:
			v.Unknown = p.get(pl.b.unknown(i))
		}
		columns = append(columns, column{string(d.Simulator()), v})
	}
	return columns
}

// values returns the values of columns in words.
func values(p *Port, columns []column) string {
	var list []string
	for _, c := range columns {
		list = append(list, c.name+" "+p.sample(c.value))
	}
	return strings.Join(list, ", ")
}

// sample returns a value as a cell has it.
func (p *Port) sample(v report.Value) string {
	switch {
	case v.Bits == nil:
		return "-"
	case v.Unknown != nil && v.Unknown.Sign() != 0:
		if v.Unknown.Cmp(p.mask()) == 0 {
			return "x"
		}
		s := report.Signal{Name: p.Name, Width: p.Width, Format: report.Binary}
		return "0b" + s.Text(v)
	}
	return p.text(v.Bits)
}

// named returns the names of a port's values, for reports.
func (p *Port) named() map[uint64]string {
	if p.Names.Set || len(p.Names.List) == 0 {
		return nil
	}
	names := map[uint64]string{}
	for i, n := range p.Names.List {
		if n != "" {
			names[uint64(i)] = n
		}
	}
	return names
}

// wave returns the last cycles of a DUT, with cycles counted from the vector's first.
func (pl *player) wave(w report.Wave, dut int) report.Wave {
	from := 0
	for from < len(w.Cycles) && w.Cycles[from] < pl.first[dut] {
		from++
	}
	w.Cycles, w.Times = w.Cycles[from:], w.Times[from:]
	for i := range w.Cycles {
		w.Cycles[i] -= pl.first[dut]
		w.Times[i] = pl.at(w.Cycles[i])
	}
	for i := range w.Traces {
		w.Traces[i].Values = w.Traces[i].Values[from:]
		if p := pl.d.port(w.Traces[i].Name); p != nil {
			w.Traces[i].Names = p.named()
		}
	}
	for i := range w.Clocks {
		w.Clocks[i].Rises = nil
	}
	return few(w)
}

// few returns a waveform without signals that do not change, if these would hide the others.
func few(w report.Wave) report.Wave {
	if len(w.Traces) > manyTraces && len(w.Cycles) > 0 {
		w.Traces = slices.DeleteFunc(w.Traces, func(t report.Trace) bool {
			first := t.Text(t.Values[0])
			return !slices.ContainsFunc(t.Values, func(v report.Value) bool { return t.Text(v) != first })
		})
	}
	return w
}

// manyTraces is how many ports a waveform can have. If there are more, ports that do not change in
// it are left out.
const manyTraces = 16

// when returns the cycle of a row in the vector's terms: its number, label and time.
func (pl *player) when(row int) string {
	cycle := pl.done + uint64(row)
	return when(pl.marks[row], cycle, pl.at(cycle))
}

func when(m mark, cycle uint64, at time.Duration) string {
	text := fmt.Sprintf("cycle %d", cycle)
	switch {
	case m.step.line.Label != nil && m.rep > 0:
		text += fmt.Sprintf(", %s+%d", m.step.line.Label.Text, m.rep)
	case m.step.line.Label != nil:
		text += ", " + m.step.line.Label.Text
	case m.step.repeat > 1:
		text += fmt.Sprintf(", the row's %s", ordinal(m.rep+1))
	}
	return text + fmt.Sprintf(", %v", at)
}

func ordinal(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// at returns the time of the rising edge at the end of a cycle.
func (pl *player) at(cycle uint64) time.Duration {
	return time.Duration(cycle)*pl.p.period + pl.p.period/2
}

// reproduce returns the command that runs the vector again.
func (p *plan) reproduce() string {
	return cmp.Or(p.command, "cosimate vectors run") + " " + shell.Quote(p.file.Name)
}
