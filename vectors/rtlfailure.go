package vectors

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/lockstep"
	"github.com/cosimate/cosimate/sim/report"
)

// place returns the error of a row: at a word, or else at the row or the statement that it is of.
func (pl *rowPlayer) place(m mark, w Word, cycle uint64, problem string) *Error {
	if w.Text == "" {
		w = m.step.first
	}
	if w.Text == "" && len(m.step.line.Words) > 0 {
		w = m.step.line.Words[0]
	}
	e := pl.p.file.at(m.step.line.At, w.Column, utf8.RuneCountInString(w.Text), problem)
	e.Label = when(m, cycle, pl.at(cycle))
	return e
}

// wrongCell returns the failure of a cell whose expected value is not that of the outputs.
func (pl *rowPlayer) wrongCell(row, which int) *Failure {
	m := pl.marks[row]
	c := &m.expect[which]
	p := c.port
	f := &Failure{Cycle: pl.done + uint64(row), Ports: []string{p.Name}, Report: pl.report(row)}
	f.Report.Columns = append([]string{"vector"}, f.Report.Columns...)
	for i := range f.Report.Ports {
		q := &f.Report.Ports[i]
		v := q.Values[0] // for ports that the vector does not expect
		if q.Name == p.Name {
			v, q.Ignored = report.Value{Bits: c.lo}, new(big.Int)
			if c.care != nil {
				q.Ignored.AndNot(p.mask(), c.care)
			}
			if c.unknowns() {
				v.Unknown = c.unknown
			}
		}
		q.Values = append([]report.Value{v}, q.Values...)
	}
	columns := pl.columns(p, row)
	is, same, known := p.sample(columns[0].value), true, true
	for _, col := range columns {
		same = same && p.sample(col.value) == is
		known = known && col.value.Unknown == nil
	}
	problem := fmt.Sprintf("%s is not %s", p.Name, c.word.Text)
	if same {
		problem = fmt.Sprintf("%s is %s, expected %s", p.Name, is, c.word.Text)
	}
	e := pl.place(m, c.word, f.Cycle, problem)
	e.Notes = []string{values(p, columns)}
	if same && known {
		e.Help = fmt.Sprintf("if they are right, write %s; cosimate vectors update --all %s does it", is, shell.Quote(pl.p.file.Name))
	}
	m.step.waited(e)
	f.Errors = Errors{e}
	return f
}

// ended returns the failure of a run that ended in the first row that is left, or an error of the
// tools.
func (pl *rowPlayer) ended(row int, err error) (*Failure, error) {
	m := mark{step: pl.step}
	if len(pl.marks) > 0 {
		m = pl.marks[0]
	}
	f := &Failure{Cycle: pl.done, RTL: true}
	if d, ok := errors.AsType[*lockstep.Difference](err); ok {
		f.kind, f.Ports = "lockstep", d.Names
		f.Report = pl.report(row)
		f.Report.Cycle, f.Report.At = pl.done, pl.at(pl.done)
		f.Report.Wave = pl.wave(pl.done)
		f.Report.Note = d.Note
		for _, name := range d.Names[:min(3, len(d.Names))] {
			p := pl.d.port(name)
			columns := pl.columns(p, row)
			word, expected := Word{}, ""
			for i := range m.expect {
				if m.expect[i].port == p {
					word, expected = m.expect[i].word, "the vector expects "+m.expect[i].word.Text+", "
				}
			}
			e := pl.place(m, word, pl.done, fmt.Sprintf("the simulators do not agree on %s", name))
			e.Notes = []string{expected + values(p, columns)}
			f.Errors = append(f.Errors, e)
		}
		return f, nil
	}
	problem := ""
	if message, ok := errors.AsType[*sim.MessageError](err); ok {
		problem = fmt.Sprintf("%s: the RTL reports an error: %s", message.Simulator, message.Message.Text)
		f.kind = "message " + message.Message.Where
		if message.Message.Where != "" {
			problem += " (" + message.Message.Where + ")"
		}
	} else if stop, ok := errors.AsType[*bridge.StopError](err); ok {
		stop := *stop
		stop.Cycle = pl.done
		problem, f.kind = stop.Error(), "stop "+stop.Where
	} else {
		return nil, fmt.Errorf("%s:%d: %w", pl.p.file.Name, m.step.line.At, err)
	}
	first, rest, _ := strings.Cut(problem, "\n")
	e := pl.place(m, Word{}, pl.done, first)
	if rest != "" {
		e.Notes = strings.Split(rest, "\n")
	}
	if strings.Contains(first, "$readmem") && (strings.Contains(first, "not found") || strings.Contains(first, "Unable to open")) {
		here, _ := os.Getwd()
		e.Help = fmt.Sprintf("RTL finds its files from the folder in which cosimate is called, here %s", here)
	}
	f.Errors = Errors{e}
	f.Report = pl.stands(pl.done, first)
	return f, nil
}

// stands returns the report of a run that ended for another reason than a value.
func (pl *rowPlayer) stands(cycle uint64, reason string) report.Failure {
	f := report.Failure{Top: pl.d.name, Reason: reason, Seed: pl.p.seed, Reproduce: pl.p.reproduce(), Cycle: cycle, At: pl.at(cycle), Wave: pl.wave(cycle)}
	f.Columns = []string{string(pl.bench.Simulators()[0])} // that the waveform is of
	return f
}

// unlike returns the failure of a row whose outputs are not those of the model, or nil.
func (pl *rowPlayer) unlike(row int, want modelRow) *Failure {
	var wrong []*Port
	for i, v := range want.values {
		p := pl.p.outputs()[i]
		if v == nil {
			continue
		}
		for k := range pl.bench.Simulators() {
			out, hidden := pl.bench.Outputs(k, row)
			bits, unknown := get(out, hidden, &pl.slots[p.field])
			if !v.holds(p, bits, unknown) {
				wrong = append(wrong, p)
				break
			}
		}
	}
	if wrong == nil {
		return nil
	}
	m := pl.marks[row]
	f := &Failure{Cycle: pl.done + uint64(row), RTL: true, kind: "model", Report: pl.report(row)}
	f.Report.Columns = append([]string{"model"}, f.Report.Columns...)
	for i := range f.Report.Ports {
		q := &f.Report.Ports[i]
		p := pl.d.port(q.Name)
		k := slices.Index(pl.p.outputs(), p)
		v := want.values[k]
		if v == nil {
			q.Ignored = p.mask()
			q.Values = append([]report.Value{{}}, q.Values...)
			continue
		}
		q.Ignored = new(big.Int)
		if v.care != nil {
			q.Ignored.AndNot(p.mask(), v.care)
		}
		q.Values = append([]report.Value{{Bits: v.lo}}, q.Values...)
	}
	for _, p := range wrong {
		f.Ports = append(f.Ports, p.Name)
		if len(f.Errors) == 3 {
			continue
		}
		word := Word{}
		for i := range m.expect {
			if m.expect[i].port == p {
				word = m.expect[i].word
			}
		}
		e := pl.place(m, word, f.Cycle, fmt.Sprintf("%s of the RTL is not what the model says", p.Name))
		v := want.values[slices.Index(pl.p.outputs(), p)]
		e.Notes = []string{values(p, append([]column{{"model", report.Value{Bits: v.lo}}}, pl.columns(p, row)...))}
		f.Errors = append(f.Errors, e)
	}
	return f
}

// refused returns the failure of a statement that has returned an error.
func (pl *rowPlayer) refused(err error) *Failure {
	s := pl.step
	word := s.first
	if word.Text == "" && len(s.line.Words) > 0 {
		word = s.line.Words[0]
	}
	if at, ok := errors.AsType[*WordError](err); ok && at.Arg < len(s.words) {
		word = s.words[at.Arg]
	}
	problem, rest, _ := strings.Cut(err.Error(), "\n")
	e := pl.p.file.at(s.line.At, word.Column, utf8.RuneCountInString(word.Text), problem)
	e.Label = fmt.Sprintf("cycle %d, %v", pl.cycle(), pl.at(pl.cycle()))
	if rest != "" {
		e.Notes = strings.Split(rest, "\n")
	}
	if late, ok := errors.AsType[*lateError](err); ok {
		e.Problem = "too late: " + late.what
		e.Help = "give it more time: within TIME ..."
	}
	f := &Failure{Errors: Errors{e}, Cycle: pl.cycle()}
	if pl.cycle() > 0 {
		f.Report = pl.stands(pl.cycle()-1, problem)
	}
	return f
}

// columns returns the values of an output in a row.
func (pl *rowPlayer) columns(p *Port, row int) (columns []column) {
	for i, s := range pl.bench.Simulators() {
		out, unknown := pl.bench.Outputs(i, row)
		columns = append(columns, column{string(s), lockstep.Value(&pl.slots[p.field], out, unknown)})
	}
	return columns
}

// at returns the time of the rising edge at the end of a cycle.
func (pl *rowPlayer) at(cycle uint64) time.Duration {
	if clocks := pl.d.foreign.clocks; len(clocks) > 1 {
		return bridge.NewSchedule(clocks).Instant(pl.first+cycle) - bridge.NewSchedule(clocks).Instant(pl.first) + pl.p.period/2
	}
	return time.Duration(cycle)*pl.p.period + pl.p.period/2
}

// report returns the report of a row, with cycles counted from the vector's first.
func (pl *rowPlayer) report(row int) report.Failure {
	f := pl.bench.Report(row)
	f.Cycle = pl.done + uint64(row)
	f.At, f.Seed, f.Reproduce = pl.at(f.Cycle), pl.p.seed, pl.p.reproduce()
	f.Wave = pl.wave(f.Cycle)
	for i := range f.Ports {
		f.Ports[i].Signed = pl.d.port(f.Ports[i].Name).Signed
	}
	return f
}

// wave returns the last cycles up to one, counted from the vector's first.
func (pl *rowPlayer) wave(cycle uint64) report.Wave {
	if cycle >= pl.done && pl.first+cycle+1 < pl.bench.Cycle() { // more has been played since
		pl.bench.Recall(pl.tape, pl.first+pl.done, int(cycle-pl.done))
	}
	w := pl.bench.WaveTo(pl.first + cycle)
	from := 0
	for from < len(w.Cycles) && w.Cycles[from] < pl.first {
		from++
	}
	w.Cycles, w.Times = w.Cycles[from:], w.Times[from:]
	for i := range w.Cycles {
		w.Cycles[i] -= pl.first
		at := pl.at(w.Cycles[i])
		w.Times[i], pl.shift = at, w.Times[i]-at
	}
	for i := range w.Traces {
		w.Traces[i].Values = w.Traces[i].Values[from:]
	}
	for i := range w.Clocks {
		if w.Clocks[i].Rises != nil {
			w.Clocks[i].Rises = w.Clocks[i].Rises[from:]
		}
	}
	return few(w)
}
