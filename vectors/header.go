package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keys are the keys of the header of a vector for a block.
var keys = []string{"design", "parameters", "seed", "period", "reset"}

// header reads design, parameters and so on.
func (c *checker) header(r *Registry) {
	p := c.plan
	seen := map[string]int{}
	p.seed = 1
	keys := keys
	rtl, block := c.file.value("rtl"), c.file.value("design")
	switch {
	case rtl != nil && block != nil:
		c.at(block.At, *block.Label, "design is for a block that is registered, rtl for any other RTL", "delete one of the two lines")
		return
	case rtl != nil:
		keys = rtlKeys
	case block == nil:
		keys = slices.Concat(keys, rtlKeys[:1])
	}
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
			if slices.Contains(rtlKeys, key) {
				c.at(l.At, *l.Label, fmt.Sprintf("%s is for vectors whose header names RTL", key), "begin it with a line \"rtl: FILES\"")
			} else {
				c.at(l.At, *l.Label, fmt.Sprintf("there is no key %q", key), choice(key, keys))
			}
			if n, _ := nearest(key, keys); n == "design" && c.file.value("design") == nil {
				return
			}
			continue
		}
		if (rtl == nil || !slices.Contains(listKeys, key)) && key != "parameters" && len(l.Words) > 1 {
			c.at(l.At, l.Words[1], fmt.Sprintf("%s has one value", key), "delete the rest, or make it a comment with #")
		}
	}
	if rtl != nil && len(rtl.Words) > 0 {
		c.rtlHeader(r)
	} else if rtl == nil {
		c.block(r)
	}
	if p.design == nil {
		return
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
	if l := c.file.value("reset"); l != nil && len(l.Words) > 0 {
		last := l.Words[len(l.Words)-1]
		n, err := strconv.Atoi(last.Text)
		switch {
		case err != nil && rtl != nil: // the name of the reset, which was read before
		case err == nil && n > 0 && p.design.reset == "" && rtl != nil:
			c.at(l.At, last, fmt.Sprintf("%s has no reset that could be held", p.design.name), "name it: reset: NAME "+last.Text)
		case err == nil && n > 0 && n < p.design.resetCycles && p.design.resetCycles > 3:
			c.at(l.At, l.Words[0], fmt.Sprintf("the reset of %s takes %d cycles", p.design.name, p.design.resetCycles), "leave the key out, or 0: from power-up on")
		case err != nil || n < 0 || n > 1000:
			c.at(l.At, last, fmt.Sprintf("%q is not a number of cycles", last.Text), "0 to 1000 cycles of reset before the first of the vector, 0: from power-up on; without the key, 3")
		default:
			p.reset = n
		}
	}
}

// block reads the lines of a header for a block.
func (c *checker) block(r *Registry) {
	p := c.plan
	l := c.file.value("design")
	if l == nil || len(l.Words) == 0 {
		c.span(1, 0, 0, "the vector does not say which design it is for", "begin it with a line \"rtl: FILES\" for RTL of yours, or \"design: NAME\""+r.blocks())
		return
	}
	name := l.Words[0]
	if p.design = r.designs[name.Text]; p.design == nil {
		c.at(l.At, name, fmt.Sprintf("there is no design %q", name.Text), strings.TrimPrefix(r.blocks(name.Text)+`; a line "rtl: FILES" names other RTL`, "; "))
		return
	}
	p.params, p.period, p.reset = p.design.defaults(), p.design.period, p.design.resetCycles
	if l := c.file.value("parameters"); l != nil {
		for i, w := range l.Words {
			if n := len(c.list); i == 0 || n == 0 || c.list[n-1].Line != l.At {
				c.parameter(l.At, w)
			}
		}
	}
}

// blocks returns help that lists the designs, if there are any.
func (r *Registry) blocks(word ...string) string {
	if len(r.designs) == 0 {
		return ""
	}
	return "; " + choice(strings.Join(word, ""), r.Names())
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
