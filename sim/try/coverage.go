package try

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

// reach plays the tape in a model that counts what it reaches.
func (t *trial) reach() (err error) {
	if t.counted == nil || t.report.Cycles == 0 {
		return nil
	}
	data := t.total
	if data == nil {
		cycles := t.pair.reset + t.report.Cycles
		if t.pair.ended() {
			cycles-- // the last cycle's edge is what it cannot do
		}
		if data, err = t.measure(t.pair.tape, cycles); err != nil {
			t.report.add(Look, "coverage was not measured", firstLines(err.Error(), 3)...)
			return context.Cause(t.ctx)
		}
	}
	t.reached, err = coverreport.New(data)
	return err
}

// coverage says which lines were not executed.
func (t *trial) coverage() error {
	if t.reached == nil {
		return nil
	}
	missing := some(ranges(t.reached), 5)
	grade := Fine
	if len(missing) > 0 {
		grade = Look
	}
	t.report.add(grade, "coverage by these inputs: "+rates(t.reached), missing...)
	return nil
}

// measure returns the code coverage of cycles of a tape.
func (t *trial) measure(tape []byte, cycles int) (*coverdb.Data, error) {
	instance, err := t.after(t.counted, t.opts.Seed, tape, cycles)
	if err != nil {
		return nil, err
	}
	counts, err := instance.Coverage()
	if err = errors.Join(err, instance.Close()); err != nil {
		return nil, err
	}
	return coverdb.ParseVerilator("coverage.dat", func(name string) string { return name }, counts)
}

// rates returns the fractions that were reached, "line 90.0%, branch 75.0%".
func rates(r *coverreport.Report) string {
	var texts []string
	for _, kind := range []string{coverreport.Line, coverreport.Branch, "toggle"} {
		if f, ok := r.Fraction(kind); ok {
			texts = append(texts, kind+" "+coverreport.Percent(f))
		}
	}
	return strings.Join(texts, ", ")
}

// ranges returns the lines that were not executed, "fifo.sv:11-14".
func ranges(r *coverreport.Report) (texts []string) {
	for _, f := range r.Files {
		var idle []int
		for _, n := range slices.Sorted(maps.Keys(f.Lines)) {
			if f.Lines[n] == 0 {
				idle = append(idle, n)
			}
		}
		for _, text := range runs(f.Name, idle) {
			texts = append(texts, text+" not executed")
		}
	}
	return texts
}

// runs returns sorted lines of a file, "fifo.sv:11-14".
func runs(file string, lines []int) (texts []string) {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n] == lines[n-1]+1 {
			n++
		}
		text := fmt.Sprintf("%s:%d", file, lines[0])
		if n > 1 {
			text += fmt.Sprintf("-%d", lines[n-1])
		}
		texts = append(texts, text)
		lines = lines[n:]
	}
	return texts
}
