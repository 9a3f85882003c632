package vectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Update returns the text of a vector with all values filled in that are written ?. With all set,
// it also corrects expected values that differ. A row whose values change becomes several rows. It
// is an error if model and simulators do not agree on every output in every cycle.
func (r *Registry) Update(ctx context.Context, name string, all bool, o Options) (string, error) {
	r = r.fresh(ctx)
	p, err := r.load(name)
	if err != nil {
		return "", err
	}
	if err := p.allowed(&o); err != nil {
		return "", err
	}
	u := &updater{faults: faults{file: p.file}, all: all, seen: map[*step][]*traced{}}
	if err := o.playOnce(ctx, p, playOptions{ignore: true, trace: u.trace, answer: u.answer}); isTool(err) {
		return "", err
	} else if err != nil {
		return "", fmt.Errorf("model and simulators do not agree: nothing is filled in\n\n%w", err)
	}
	text, err := u.text(p)
	if err != nil {
		return "", err
	}
	p, err = r.replan(p.file)
	if err == nil {
		err = o.playOnce(ctx, p, playOptions{})
	}
	if isTool(err) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("with the values filled in the vector does not pass: it stays as it is\n\n%w", err)
	}
	return text, nil
}

// text returns the vector with the values that were seen.
func (u *updater) text(p *plan) (string, error) {
	for i := range p.steps {
		u.step(p.design, &p.steps[i])
	}
	if err := u.list.or(); err != nil {
		return "", err
	}
	for i := range p.file.Sections {
		s := &p.file.Sections[i]
		var lines []Line
		for k := range s.Lines {
			if split := u.split[s.Lines[k].At]; split != nil {
				lines = append(lines, split...)
			} else {
				lines = append(lines, s.Lines[k])
			}
		}
		s.Lines = lines
	}
	return Format(p.file), nil
}

// playOnce plays a plan on an instance of its own. The error may be a *Failure.
func (o *Options) playOnce(ctx context.Context, p *plan, play playOptions) error {
	b, err := o.bench(ctx, p)
	if err != nil {
		return err
	}
	defer b.Close()
	_, failure, err := b.play(ctx, p, play)
	switch {
	case err != nil:
		return &ToolError{err}
	case failure != nil:
		return failure
	}
	return nil
}

func isTool(err error) bool {
	_, ok := errors.AsType[*ToolError](err)
	return ok
}

// maxTraced bounds the cycles of a vector that are recorded one by one.
const maxTraced = 100_000

type updater struct {
	faults
	all   bool
	seen  map[*step][]*traced
	split map[int][]Line // the rows in the place of a line, by its number
}

// answer fills in what an agent has read.
func (u *updater) answer(l *Line, w Word, fill bool, text string) {
	if !fill && !u.all {
		return
	}
	now := *l
	now.Words = slices.Clone(l.Words)
	for i := range now.Words {
		if now.Words[i].Column == w.Column {
			now.Words[i].Text = text
		}
	}
	if u.split == nil {
		u.split = map[int][]Line{}
	}
	u.split[l.At] = []Line{now}
}

func (u *updater) trace(t *traced) {
	if len(t.step.expect) > 0 && len(u.seen[t.step]) < maxTraced {
		u.seen[t.step] = append(u.seen[t.step], t)
	}
}

// step corrects the values of a step.
func (u *updater) step(d *design, s *step) {
	cycles := u.seen[s]
	if len(s.expect) == 0 || len(cycles) == 0 {
		return
	}
	if s.op == "expect" && !s.each {
		cycles = cycles[len(cycles)-1:]
	}
	// now has the text of each cell in each cycle.
	now := make([][]string, len(cycles))
	changed := false
	for i, t := range cycles {
		for _, c := range s.expect {
			text := c.word.Text
			k := slices.IndexFunc(d.ports, func(p Port) bool { return p.Name == c.port.Name })
			out := k - (len(d.ports) - len(d.outputs()))
			switch {
			case t.ignored == nil && c.fill:
				u.at(s.line.At, c.word, "the model does not know outputs before the first reset", "write what is expected by hand; x is unknown")
				return
			case t.ignored == nil:
			case t.ignored[out].Sign() != 0 && c.fill:
				text = "-"
			case t.ignored[out].Sign() != 0:
			case c.fill || u.all && !c.holds(c.port, t.values[k], nil):
				text = c.port.text(t.values[k])
			}
			now[i] = append(now[i], text)
			changed = changed || text != c.word.Text
		}
	}
	if !changed {
		return
	}
	var groups []int // the first cycle of each run of equal cycles
	for i := range now {
		if i == 0 || !slices.Equal(now[i], now[i-1]) {
			groups = append(groups, i)
		}
	}
	if len(groups) > 1 && (s.op != "row" || s.steps() > 1 || len(cycles) == maxTraced || len(groups) > 1000) {
		for i, c := range s.expect {
			var values []string
			for _, g := range groups {
				if !slices.Contains(values, now[g][i]) && len(values) < 5 {
					values = append(values, now[g][i])
				}
			}
			if len(values) > 1 {
				u.at(s.line.At, c.word, fmt.Sprintf("%s has several values here: %s", c.port.Name, strings.Join(values, ", ")), "write a row for each, a range, or -")
				return
			}
		}
	}
	var rows []Line
	for i, g := range groups {
		l := *s.line
		l.Words = slices.Clone(l.Words)
		for k, c := range s.expect {
			for w := range l.Words {
				if l.Words[w].Column == c.word.Column {
					l.Words[w].Text = now[g][k]
				}
			}
		}
		if len(groups) > 1 {
			end := len(now)
			if i+1 < len(groups) {
				end = groups[i+1]
			}
			l.Repeat = repeats(end - g)
			if i > 0 {
				l.Label, l.Comment = nil, ""
			}
		}
		rows = append(rows, l)
	}
	if u.split == nil {
		u.split = map[int][]Line{}
	}
	u.split[s.line.At] = rows
}

// outputs returns the ports that are outputs.
func (d *design) outputs() (ports []*Port) {
	for i := range d.ports {
		if !d.ports[i].Input {
			ports = append(ports, &d.ports[i])
		}
	}
	return ports
}
