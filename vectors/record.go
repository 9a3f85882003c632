package vectors

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
)

// source is a design of which cycles are recorded.
type source struct {
	d      *design
	c      config
	file   string // the vector that names the RTL; what the recording names is relative to its folder
	header []Line
}

// Record returns a vector of random cycles that expects the model's outputs, or without a model
// those of the simulators. The design is one of the registry, or the vector FILE.txtar whose header
// names RTL. Parameters are as in a header, "A=1 B=2".
func (r *Registry) Record(ctx context.Context, name, parameters string, seed uint64, cycles int) (string, error) {
	r = r.fresh(ctx)
	from, err := r.configured(name, parameters)
	if err != nil {
		return "", err
	}
	d := from.d
	if cycles < 1 || cycles > maxTraced {
		return "", fmt.Errorf("%d cycles: a recording has 1 to %d", cycles, maxTraced)
	}
	var b bench = &rowBench{d: d}
	if d.foreign == nil {
		if b, err = d.open(ctx, from.c, nil); err != nil {
			return "", err
		}
	}
	rows := b.random(seed, cycles)
	b.Close()
	var names []string
	for _, p := range d.ports {
		if p.Input {
			names = append(names, p.Name)
		}
	}
	var cells [][]string
	for _, row := range rows {
		var texts []string
		for i, v := range row {
			texts = append(texts, d.port(names[i]).text(v))
		}
		cells = append(cells, append(texts, "1"))
	}
	return r.recorded(ctx, from, fmt.Sprintf("Recorded: %d random cycles of seed %d.", cycles, seed), names, cells)
}

// Replay returns a vector with the inputs in a table that a failing test has left (shrunk.txt). The
// table has a line with the names of ports, and for each cycle a line with values in hexadecimal
// and perhaps *N. Parameters are as in a header, "A=1 B=2".
func (r *Registry) Replay(ctx context.Context, name, parameters, text string) (string, error) {
	r = r.fresh(ctx)
	from, err := r.configured(name, parameters)
	if err != nil {
		return "", err
	}
	d := from.d
	var names []string
	var cells [][]string
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case names == nil && len(words) > 1 && words[0] == "step" && d.port(words[1]) != nil:
			names = words[1:]
		case names != nil && len(words) == 0 && cells != nil:
			return r.recorded(ctx, from, "Recorded from a test's failure.", names, cells)
		case names != nil && len(words) > 0:
			repeat := "1"
			if last := words[len(words)-1]; strings.HasPrefix(last, "*") {
				repeat, words = last[1:], words[:len(words)-1]
			}
			if len(words) != len(names)+1 {
				return "", fmt.Errorf("%q has %d values for %d ports", strings.TrimSpace(line), len(words)-1, len(names))
			}
			var texts []string
			for _, w := range words[1:] {
				if after, negative := strings.CutPrefix(w, "-"); negative {
					n, err := strconv.ParseInt(after, 16, 64)
					if err != nil {
						return "", fmt.Errorf("%q is not a number: %w", w, err)
					}
					texts = append(texts, fmt.Sprint(-n))
					continue
				}
				texts = append(texts, "0x"+w)
			}
			cells = append(cells, append(texts, repeat))
		}
	}
	if cells != nil {
		return r.recorded(ctx, from, "Recorded from a test's failure.", names, cells)
	}
	return "", fmt.Errorf("there is no table of inputs of %s in it: expected a line \"cycle %s ...\" as in shrunk.txt, which a failing test leaves", d.name, d.names(true)[0])
}

// configured returns a design with these parameters.
func (r *Registry) configured(name, parameters string) (*source, error) {
	f := &File{Name: "header"}
	switch {
	case filepath.Ext(name) == ".txtar":
		var err error
		if f, err = Load(name); err != nil {
			return nil, err
		}
		if parameters != "" {
			return nil, fmt.Errorf("the parameters are those of %s: write them into its header", name)
		}
		f.Header = slices.DeleteFunc(f.Header, func(l Line) bool { return l.Label == nil || l.Label.Text == "model" })
	case r.designs[name] == nil:
		return nil, r.unknown(name)
	default:
		f.Header = header("", name, parameters)[1:] // without a title
	}
	f.Sections = []Section{{Kind: Script, Lines: []Line{{Words: plain([]string{"wait", "1"})}}}}
	p, err := r.replan(f)
	if err != nil {
		return nil, err
	}
	return &source{d: p.design, c: p.config, file: f.Name, header: f.Header}, nil
}

// recorded returns a vector of inputs. The last cell of each row is its number of cycles.
func (r *Registry) recorded(ctx context.Context, from *source, title string, names []string, cells [][]string) (string, error) {
	titles := Line{Bar: &Word{Text: "|"}, Left: len(names), Words: plain(names)}
	s := Section{Kind: Cycles, Lines: []Line{titles}}
	for _, row := range cells {
		l := Line{Bar: titles.Bar, Left: len(names), Words: plain(row[:len(names)])}
		if n := row[len(names)]; n != "1" {
			l.Repeat = &Word{Text: "*" + n}
		}
		s.Lines = append(s.Lines, l)
	}
	f := &File{Name: from.file, Header: append(comment(title), from.header...), Sections: []Section{s}}
	p, err := r.replan(f)
	if err != nil {
		return "", err
	}
	cycles, err := p.trace(ctx)
	if err != nil {
		return "", err
	}
	f.Sections = []Section{p.design.table(cycles, nil)}
	return Format(f), nil
}

// reference returns how vectors of a design are played to know what outputs are: to the model
// alone, or to the simulators if there is no model.
func (d *design) reference() Options {
	if d.foreign != nil {
		return Options{Sim: []sim.Option{sim.WithLogger(hclog.NewNullLogger())}}
	}
	return Options{Simulators: []sim.Simulator{}}
}

// trace plays a vector to the reference and returns the cycles.
func (p *plan) trace(ctx context.Context) (cycles []*traced, err error) {
	if err := p.writable(); err != nil {
		return nil, err
	}
	q := *p
	q.model = nil // it would only confirm what the simulators do
	o := p.design.reference()
	err = o.playOnce(ctx, &q, playOptions{trace: func(t *traced) {
		if len(cycles) <= maxTraced {
			cycles = append(cycles, t)
		}
	}})
	if len(cycles) > maxTraced {
		return nil, fmt.Errorf("%s lasts more than %d cycles: that is too long to be written out", p.file.Name, maxTraced)
	}
	return cycles, err
}

// Skeleton returns a vector to begin with. It passes when update has filled in its values.
func (r *Registry) Skeleton(name string) (string, error) {
	d := r.designs[name]
	if d == nil {
		return "", r.unknown(name)
	}
	var b strings.Builder
	b.WriteString("# Say in a line what this scenario shows.\ndesign: " + name + "\n")
	var params []string
	for _, p := range d.params {
		params = append(params, fmt.Sprintf("%s=%d", p.Name, p.Default))
	}
	if params != nil {
		b.WriteString("# parameters: " + strings.Join(params, " ") + "  # these are the defaults\n")
	}
	b.WriteString("\n-- cycles --\n# A row a cycle; left of | what is driven, right of it what is expected. - is \"as before\" and \"whatever\"; *N repeats;\n" +
		"# ? is filled in by cosimate vectors update. cosimate vectors doc " + name + " has all ports, names and statements.\n")
	in := slices.DeleteFunc(d.names(true), func(n string) bool { return n == d.reset })
	out := d.names(false)
	in, out = in[:min(4, len(in))], out[:min(6, len(out))]
	b.WriteString(strings.Join(in, " ") + " | " + strings.Join(out, " ") + "\n")
	b.WriteString(strings.Repeat("- ", len(in)) + "| " + strings.Repeat("? ", len(out)) + "\n")
	b.WriteString("begin: " + strings.Repeat("- ", len(in)) + "| " + strings.Repeat("? ", len(out)) + "*3  # a name for the row's first cycle\n")
	b.WriteString("\n-- script --\n# A statement a line:\n")
	for _, v := range d.forms {
		b.WriteString("#   " + v.use + "\n")
	}
	b.WriteString("wait 2\nexpect " + out[0] + " ?\n")
	f, err := Parse("new", []byte(b.String()))
	if err != nil {
		return "", errors.Join(errors.New("a skeleton that is not understood"), err)
	}
	return Format(f), nil
}
