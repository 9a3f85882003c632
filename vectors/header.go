package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keys are the keys of the header.
var keys = []string{"design", "parameters", "seed", "period", "reset"}

// header reads design, parameters and so on.
func (c *checker) header(r *Registry) {
	p := c.plan
	seen := map[string]int{}
	p.seed = 1
	for i := range c.file.Header {
		l := &c.file.Header[i]
		if l.Label == nil {
			continue
		}
		key := l.Label.Text
		if at := seen[key]; at > 0 {
			c.at(l.At, *l.Label, fmt.Sprintf("%s is given twice, first in line %d", key, at), "delete one of them")
			continue
		}
		seen[key] = l.At
		if !slices.Contains(keys, key) {
			c.at(l.At, *l.Label, fmt.Sprintf("there is no key %q", key), choice(key, keys))
			if n, _ := nearest(key, keys); n == "design" && c.file.value("design") == nil {
				return
			}
			continue
		}
		if key != "parameters" && len(l.Words) > 1 {
			c.at(l.At, l.Words[1], fmt.Sprintf("%s has one value", key), "delete the rest, or make it a comment with #")
		}
	}
	l := c.file.value("design")
	if l == nil || len(l.Words) == 0 {
		c.span(1, 0, 0, "the vector does not say which design it is for", "begin it with a line \"design: NAME\"; "+choice("", r.Names()))
		return
	}
	name := l.Words[0]
	if p.design = r.designs[name.Text]; p.design == nil {
		c.at(l.At, name, fmt.Sprintf("there is no design %q", name.Text), choice(name.Text, r.Names()))
		return
	}
	p.params, p.period = p.design.defaults(), p.design.period
	if l := c.file.value("parameters"); l != nil {
		for i, w := range l.Words {
			if n := len(c.list); i == 0 || n == 0 || c.list[n-1].Line != l.At {
				c.parameter(l.At, w)
			}
		}
	}
	if l := c.file.value("seed"); l != nil && len(l.Words) > 0 {
		n, err := strconv.ParseUint(l.Words[0].Text, 0, 64)
		if err != nil || n == 0 {
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not a seed", l.Words[0].Text), "a number from 1 to 18446744073709551615")
		}
		p.seed = n
	}
	if l := c.file.value("period"); l != nil && len(l.Words) > 0 {
		d, err := time.ParseDuration(l.Words[0].Text)
		if err != nil || d < 2*time.Nanosecond || d > time.Second {
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not the period of a clock", l.Words[0].Text), "2ns to 1s; without it, it is "+p.period.String())
		} else {
			p.period = d
		}
	}
	p.reset = p.design.resetCycles
	if l := c.file.value("reset"); l != nil && len(l.Words) > 0 {
		n, err := strconv.Atoi(l.Words[0].Text)
		switch {
		case err == nil && n > 0 && n < p.design.resetCycles && p.design.resetCycles > 3:
			c.at(l.At, l.Words[0], fmt.Sprintf("the reset of %s takes %d cycles", p.design.name, p.design.resetCycles), "leave the key out, or 0: from power-up on")
		case err != nil || n < 0 || n > 1000:
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not a number of cycles", l.Words[0].Text), "0 to 1000 cycles of reset before the first of the vector, 0: from power-up on; without the key, 3")
		default:
			p.reset = n
		}
	}
}

// parameter reads NAME=VALUE.
func (c *checker) parameter(line int, w Word) {
	var names []string
	for _, q := range c.plan.design.params {
		names = append(names, q.Name)
	}
	name, text, ok := strings.Cut(w.Text, "=")
	if !ok || name == "" || text == "" {
		c.at(line, w, fmt.Sprintf("%q is not NAME=VALUE", w.Text), "write parameters without blanks around =: HoldCycles=4")
		return
	}
	i := slices.Index(names, name)
	if i < 0 {
		help := fmt.Sprintf("%s has none", c.plan.design.name)
		if len(names) > 0 {
			help = choice(name, names)
		}
		c.at(line, Word{name, w.Column}, fmt.Sprintf("%s has no parameter %q", c.plan.design.name, name), help)
		return
	}
	q := c.plan.design.params[i]
	n, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	if err != nil || n < q.Min || q.Max > 0 && n > q.Max {
		bounds := fmt.Sprintf("at least %d", q.Min)
		if q.Max > 0 {
			bounds = fmt.Sprintf("%d to %d", q.Min, q.Max)
		}
		c.at(line, Word{text, w.Column + len(name) + 1}, fmt.Sprintf("%s cannot be %s", name, text), fmt.Sprintf("a decimal number, %s: %s", bounds, q.About))
		return
	}
	c.plan.params[name] = n
}
