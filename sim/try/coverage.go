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

// coverage plays the tape in a model that counts, and says which lines were not executed.
func (t *trial) coverage() error {
	if t.counted == nil || t.report.Cycles == 0 {
		return nil
	}
	cycles := t.pair.reset + t.report.Cycles
	if t.pair.ended() {
		cycles-- // the last cycle's edge is what it cannot do
	}
	instance, err := t.before(t.counted, t.opts.Seed, cycles)
	if err != nil {
		t.report.add(Look, "coverage was not measured", firstLines(err.Error(), 3)...)
		return context.Cause(t.ctx)
	}
	counts, err := instance.Coverage()
	if err = errors.Join(err, instance.Close()); err != nil {
		return err
	}
	data, err := coverdb.ParseVerilator("coverage.dat", func(name string) string { return name }, counts)
	if err != nil {
		return err
	}
	r, err := coverreport.New(data)
	if err != nil {
		return err
	}
	var rates []string
	for _, kind := range []string{coverreport.Line, coverreport.Branch, "toggle"} {
		if f, ok := r.Fraction(kind); ok {
			rates = append(rates, kind+" "+coverreport.Percent(f))
		}
	}
	missing := some(ranges(r), 5)
	grade := Fine
	if len(missing) > 0 {
		grade = Look
	}
	t.report.add(grade, "coverage by these inputs: "+strings.Join(rates, ", "), missing...)
	return nil
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
		for len(idle) > 0 {
			n := 1
			for n < len(idle) && idle[n] == idle[n-1]+1 {
				n++
			}
			text := fmt.Sprintf("%s:%d", f.Name, idle[0])
			if n > 1 {
				text += fmt.Sprintf("-%d", idle[n-1])
			}
			texts = append(texts, text+" not executed")
			idle = idle[n:]
		}
	}
	return texts
}
