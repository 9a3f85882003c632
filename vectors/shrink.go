package vectors

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/sim/shrink"
)

// unit is a row or a statement, which shrinking can leave out.
type unit struct {
	At int `port:"-"` // its line
}

// maxTries bounds the runs of shrinking.
const maxTries = 2000

// Shrink returns a vector with as few rows and statements and as short repeats as possible with
// which the RTL still differs from the model in one of the same outputs. The new vector expects the
// model's outputs. tries is the number of runs.
func (r *Registry) Shrink(ctx context.Context, name string, o Options) (text string, tries int, err error) {
	r = r.fresh(ctx)
	p, err := r.load(name)
	if err != nil {
		return "", 0, err
	}
	var failed *Failure
	switch err := o.playOnce(ctx, p, playOptions{ignore: true}); {
	case err == nil:
		what := "the RTL does what the model says"
		if p.design.foreign != nil {
			what = "the simulators agree, and nothing else is wrong that does not depend on what the vector expects"
		}
		return "", 0, errors.New(what + ": there is nothing to shrink. If the vector fails, it is its own expectation that differs: see cosimate vectors update")
	case !errors.As(err, &failed) || !failed.RTL:
		return "", 0, err
	}
	if p.design.foreign != nil {
		if p, err = r.unrolled(ctx, p, o); err != nil {
			return "", 0, err
		}
	}
	s := &shrinker{Registry: r, o: o, ctx: ctx, file: p.file, ports: failed.Ports, kind: failed.kind, limit: failed.Cycle + 1, repeat: map[int]*Word{}}
	for _, inv := range p.always {
		s.always = append(s.always, inv.line.At)
	}
	for _, a := range p.agents {
		s.always = append(s.always, a.line.At)
	}
	defer s.close()
	var units []unit
	for i := range p.steps {
		if at := p.steps[i].line.At; len(units) == 0 || units[len(units)-1].At != at {
			units = append(units, unit{at})
		}
	}
	found, err := shrink.Minimize(ctx, units, s.fails, shrink.Options{MaxRuns: maxTries})
	if err != nil {
		return "", s.tries, err
	}
	if err := s.shorten(found.Inputs); err != nil {
		return "", s.tries, err
	}
	f := s.without(found.Inputs)
	f.Header = append(append([]Line(nil), f.Header...), comment(fmt.Sprintf("Shrunk from %s: %d of %d rows and statements.", name, len(found.Inputs), len(units)))...)
	if p.design.foreign != nil {
		return Format(f), s.tries, nil // what it would expect, the RTL does not do
	}
	text, err = r.expected(ctx, f)
	return text, s.tries, err
}

// shrinker tries parts of a vector.
type shrinker struct {
	*Registry
	o      Options
	ctx    context.Context
	file   *File
	ports  []string
	kind   string        // of the failure, of RTL that a header names
	always []int         // the lines that are kept
	limit  uint64        // the cycle after which it must not fail
	repeat map[int]*Word // the repeats of rows that were made shorter, by line
	bench  bench
	tries  int
}

func (s *shrinker) close() {
	if s.bench != nil {
		s.bench.Close()
	}
}

// without returns the vector with only these rows and statements.
func (s *shrinker) without(units []unit) *File {
	f := *s.file
	f.Sections = nil
	for _, section := range s.file.Sections {
		var lines []Line
		played := false
		for i, l := range section.Lines {
			title := section.Kind == Cycles && !slices.ContainsFunc(section.Lines[:i], func(l Line) bool { return !l.blank() })
			kept := slices.Contains(units, unit{l.At})
			if n, ok := s.repeat[l.At]; ok {
				l.Repeat = n
			}
			always := slices.Contains(s.always, l.At)
			if kept || l.blank() || title || always {
				lines = append(lines, l)
			}
			played = played || kept || always
		}
		if played {
			section.Lines = trim(lines)
			f.Sections = append(f.Sections, section)
		}
	}
	return &f
}

// fails reports whether the RTL still differs in the same way with these rows and statements.
func (s *shrinker) fails(units []unit) (bool, error) {
	s.tries++
	p, err := s.plan(s.without(units))
	if err != nil {
		return false, nil // a statement is missing that others need
	}
	if s.bench == nil {
		if s.bench, err = s.o.bench(s.ctx, p); err != nil {
			return false, err
		}
	}
	_, failure, err := s.bench.play(s.ctx, p, playOptions{ignore: true, limit: s.limit})
	if err != nil || p.reset == 0 || p.design.keeps {
		s.bench.Close()
		s.bench = nil
	}
	same := failure != nil && failure.RTL && failure.kind == s.kind &&
		(len(s.ports) == 0 || slices.ContainsFunc(failure.Ports, func(n string) bool { return slices.Contains(s.ports, n) }))
	return same, s.ctx.Err()
}

// shorten makes repeats as short as possible.
func (s *shrinker) shorten(units []unit) error {
	p, err := s.plan(s.without(units))
	if err != nil {
		return err
	}
	for i := range p.steps {
		st := &p.steps[i]
		if st.op != "row" || st.repeat == 1 {
			continue
		}
		set := func(n int) { s.repeat[st.line.At] = repeats(n) }
		low, high := 1, st.repeat // it fails with high repeats
		for low < high && s.tries < maxTries {
			middle := (low + high) / 2
			set(middle)
			still, err := s.fails(units)
			if err != nil {
				return err
			}
			if still {
				high = middle
			} else {
				low = middle + 1
			}
		}
		set(high)
	}
	return nil
}

// expected returns the text of a vector that expects the model's outputs.
func (r *Registry) expected(ctx context.Context, f *File) (string, error) {
	p, err := r.replan(f)
	if err != nil {
		return "", err
	}
	u := &updater{faults: faults{file: p.file}, all: true, seen: map[*step][]*traced{}}
	o := p.design.reference()
	if err := o.playOnce(ctx, p, playOptions{ignore: true, trace: u.trace}); err != nil {
		return "", err
	}
	return u.text(p)
}
