package vectors

import (
	"context"
	"errors"
	"slices"
)

// unrolled returns the plan of a vector with the cycles of its statements random as tables, up to
// where it fails, so that shrinking can leave them out one by one.
func (r *Registry) unrolled(ctx context.Context, p *plan, o Options) (*plan, error) {
	if !slices.ContainsFunc(p.steps, func(s step) bool { return s.random }) {
		return p, nil
	}
	rows := map[int][]*traced{} // by line
	err := o.playOnce(ctx, p, playOptions{ignore: true, trace: func(t *traced) {
		if at := t.step.line.At; t.step.random && len(rows[at]) < maxTraced {
			rows[at] = append(rows[at], t)
		}
	}})
	if isTool(err) {
		return nil, err
	}
	drawn := map[int][]*Port{}
	for i := range p.steps {
		if s := &p.steps[i]; s.random {
			drawn[s.line.At] = s.drawn
		}
	}
	f := *p.file
	f.Sections = nil
	for _, s := range p.file.Sections {
		part := Section{Kind: s.Kind}
		keep := func() {
			if slices.ContainsFunc(part.Lines, func(l Line) bool { return !l.blank() }) {
				f.Sections = append(f.Sections, part)
			}
			part.Lines = nil
		}
		for _, l := range s.Lines {
			ports := drawn[l.At]
			if ports == nil {
				part.Lines = append(part.Lines, l)
				continue
			}
			keep()
			if len(rows[l.At]) > 0 {
				f.Sections = append(f.Sections, recordedTable(p.design, ports, rows[l.At]))
			}
		}
		keep()
	}
	if len(f.Sections) == 0 {
		return nil, errors.New("nothing of the vector is played before it fails: there is nothing to shrink")
	}
	return r.replan(&f)
}

// recordedTable returns a table that drives inputs as they were in some cycles.
func recordedTable(d *design, ports []*Port, cycles []*traced) Section {
	titles := Line{Bar: &Word{Text: "|"}, Left: len(ports)}
	for _, p := range ports {
		titles.Words = append(titles.Words, Word{Text: p.Name})
	}
	var rows []Line
	for _, t := range cycles {
		l := Line{Bar: titles.Bar, Left: len(ports)}
		for _, p := range ports {
			l.Words = append(l.Words, Word{Text: p.text(t.values[p.field])})
		}
		rows = append(rows, l)
	}
	return Section{Kind: Cycles, Lines: append([]Line{titles}, folded(rows)...)}
}
